"""Where the parts of a YAML document stand, from the events of ruamel.yaml's parser."""

import re
import warnings
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from bigmind.clients.editing.file_text import before_break, line_end, wrong
from bigmind.clients.editing.flow import Flow, Member

DEEPEST: Final = 200
MOST_VALUES: Final = 1_000_000
_CHARACTERS = 100
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|#[^\r\n]*)*")
_COLON = re.compile(r"[ \t]*:")
_KEEPS = re.compile(r"[|>][0-9]?\+")


@dataclass(slots=True)
class Node:
    """A value.

    Attributes:
        kind: `mapping`, `sequence`, `scalar` or `alias`.
        start: where it begins, its anchor or tag included; where nothing is written, right after the colon or dash.
        end: past its last character that says something.
        flow: whether it stands between brackets.
        bound: whether it has an anchor or a tag.
        word: a scalar's plain text; None for anything else.
        pairs: of a mapping.
        items: of a sequence.
    """

    kind: str
    start: int
    end: int
    flow: bool = False
    bound: bool = False
    word: str | None = None
    pairs: list["Pair"] = field(default_factory=list["Pair"])
    items: list["Node"] = field(default_factory=list["Node"])

    @property
    def empty(self) -> bool:
        """Whether it is null, or brackets with nothing between them, and nothing refers to it."""
        if self.bound or self.pairs or self.items:
            return False
        return self.flow or self.word in {"", "~", "null", "Null", "NULL"}

    def last(self, key: str) -> "Pair | None":
        """The pair with that key."""
        return next((pair for pair in reversed(self.pairs) if pair.key.word == key), None)


@dataclass(frozen=True, slots=True)
class Pair:
    """A key, where its colon ends, and its value."""

    key: Node
    colon: int
    value: Node


def aliases_bounded(body: str) -> None:
    """Raises when the aliases of a text stand for more than `MOST_VALUES` values, or for what they are within.

    Read from the parser's events: nine aliases in each of twelve lines are 500 bytes, and more than any walk, merge or
    comparison of what they say comes to an end with. A hundred characters of a word count as one more value.
    """
    if "*" not in body or "&" not in body:
        return
    from ruamel.yaml import YAML  # noqa: PLC0415 - only when a file is changed

    known: dict[str, int | None] = {}
    around: list[tuple[str | None, int]] = []
    count = 0
    with read_by_ruamel(body):
        for event in YAML(typ="safe", pure=True).parse(body):  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
            said: Any = event
            anchor: str | None = getattr(said, "anchor", None)
            match type(said).__name__:
                case "AliasEvent":
                    count += _meant(body, said, known)
                case "MappingStartEvent" | "SequenceStartEvent":
                    around.append((anchor, count))
                    known.update({anchor: None} if anchor else {})
                    count = 1
                case "MappingEndEvent" | "SequenceEndEvent":
                    name, before = around.pop()
                    known.update({name: count} if name else {})
                    count += before
                case "ScalarEvent":
                    size = 1 + len(said.value) // _CHARACTERS
                    known.update({anchor: size} if anchor else {})
                    count += size
                case _:
                    pass
            if count > MOST_VALUES:
                raise wrong(body, said.start_mark.index, f"aliases make more than {MOST_VALUES:,} values of this")


def _meant(body: str, alias: Any, known: dict[str, int | None]) -> int:
    """How many values an alias stands for; none when nothing has its name, of which the reader tells."""
    size = known.get(alias.anchor, 0)
    if size is None:
        raise wrong(body, alias.start_mark.index, f"*{alias.anchor} stands within what it stands for")
    return size


def root_of(body: str) -> Node | None:
    """The document's value; None where there is none.

    Raises:
        NotParsedError: it is no YAML, or more than one document.
    """
    from ruamel.yaml import YAML  # noqa: PLC0415 - only when a file is changed

    with read_by_ruamel(body):
        events = list(YAML(typ="safe", pure=True).parse(body))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType, reportUnknownVariableType]
    names = [type(event).__name__ for event in events]
    if names.count("DocumentStartEvent") > 1:
        second = len(names) - 1 - names[::-1].index("DocumentStartEvent")
        raise wrong(body, events[second].start_mark.index, "a second document begins here")
    if "DocumentStartEvent" not in names:
        return None
    root = _node(body, iter(events[2:]), 0)
    return None if root.word == "" and root.start >= root.end else root


def _node(body: str, events: Iterator[Any], depth: int) -> Node:
    return _from(body, next(events), events, depth)


def _from(body: str, event: Any, events: Iterator[Any], depth: int) -> Node:
    start, end = event.start_mark.index, event.end_mark.index
    if depth > DEEPEST:
        raise wrong(body, start, f"the values are nested more than {DEEPEST} deep")
    bound = bool(getattr(event, "anchor", None) or getattr(event, "tag", None))
    match type(event).__name__:
        case "MappingStartEvent":
            return _mapping(body, Node("mapping", start, end, bool(event.flow_style), bound), events, depth)
        case "SequenceStartEvent":
            return _sequence(body, Node("sequence", start, end, bool(event.flow_style), bound), events, depth)
        case "AliasEvent":
            return Node("alias", start, end, bound=True)
        case _:
            plain = event.value if start < end else ""
            if event.style in {"|", ">"}:
                kept = _KEEPS.search(body, start, line_end(body, start))
                end = before_break(body, end) if kept else len(body[:end].rstrip())
            return Node("scalar", start, end, bound=bound, word=plain)


def _mapping(body: str, node: Node, events: Iterator[Any], depth: int) -> Node:
    for event in events:
        if type(event).__name__ == "MappingEndEvent":
            return _finished(node, event)
        key = _from(body, event, events, depth + 1)
        found = _COLON.match(body, key.end)
        colon = found.end() if found else key.end
        value = _from(body, next(events), events, depth + 1)
        if value.word == "" and value.start >= value.end:
            value.start = value.end = colon
        node.pairs.append(Pair(key, colon, value))
        node.end = value.end
    return node


def _sequence(body: str, node: Node, events: Iterator[Any], depth: int) -> Node:
    past = node.start
    for event in events:
        if type(event).__name__ == "SequenceEndEvent":
            return _finished(node, event)
        item = _from(body, event, events, depth + 1)
        if item.word == "" and item.start >= item.end and not node.flow:
            item.start = item.end = after_trivia(body, past) + 1
        node.items.append(item)
        node.end = past = item.end
    return node


def _finished(node: Node, event: Any) -> Node:
    if node.flow:
        node.end = event.end_mark.index
    return node


def flow_of(body: str, node: Node, opening: int) -> Flow:
    """What stands between the brackets of a node."""
    start = body.index("{" if node.kind == "mapping" else "[", node.start)
    places = [
        (pair.key.word, pair.key.start, pair.value.start, max(pair.key.end, pair.value.end)) for pair in node.pairs
    ]
    places += [(None, item.start, item.start, item.end) for item in node.items]
    members: list[Member] = []
    for key, begin, value, end in places:
        rest = after_trivia(body, end)
        members.append(Member(key, begin, value, end, rest if body.startswith(",", rest) else None))
    return Flow(opening, start, node.end, members)


def after_trivia(body: str, index: int) -> int:
    """Past white space and comments."""
    found = _TRIVIA.match(body, index)
    return found.end() if found else index


@contextmanager
def read_by_ruamel(body: str) -> Generator[None]:
    """Makes one kind of error of what ruamel.yaml says of a text, and keeps its warnings (reused anchors) to itself."""
    from ruamel.yaml.error import MarkedYAMLError, YAMLError, YAMLWarning  # noqa: PLC0415 - only when a file is changed
    from ruamel.yaml.reader import ReaderError  # noqa: PLC0415 - as above

    warnings.filterwarnings("ignore", category=YAMLWarning)  # catch_warnings would be shared by all threads
    try:
        yield
    except MarkedYAMLError as error:
        said: Any = error
        mark = said.problem_mark or said.context_mark
        reason = str(said.problem or said.context or "it is not YAML").partition("\n")[0]
        raise wrong(body, mark.index if mark else 0, reason) from error
    except ReaderError as error:
        said = error
        raise wrong(body, int(said.position), "a character that YAML does not allow") from error
    except YAMLError as error:
        raise wrong(body, 0, "this YAML is not understood") from error
