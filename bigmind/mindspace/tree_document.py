"""The tree as YAML: read with the line of everything, so that a fault names line and node; and always written alike."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

from pydantic import ValidationError

from bigmind.core.errors import BigMindError, Code, shown
from bigmind.core.shapes import is_list, is_object
from bigmind.mindspace.definitions import NodeRecord
from bigmind.mindspace.rules import DEEPEST, LONGEST_DOCUMENT, MOST_IMPORTED

CHILDREN = "children"
MOST_FAULTS = 10
DEEPEST_NESTING = 2 * DEEPEST + 10
HINT = "docs/mindspace.md shows a tree as YAML."
_NULL, _BOOLEAN = frozenset({"", "~", "null"}), {"true": True, "false": False}


@dataclass(frozen=True, slots=True)
class Branch:
    """A value of the document and its line, from 1: a mapping, a list, a text, a boolean, or nothing."""

    value: Any
    line: int


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of the document, with the line that it begins in."""

    record: NodeRecord
    line: int
    children: Sequence["TreeNode"]

    def each(self) -> Iterator["TreeNode"]:
        """It and all below it, parents first."""
        waiting: list[TreeNode] = [self]
        while waiting:
            here = waiting.pop()
            yield here
            waiting.extend(reversed(here.children))


def read_tree(text: str) -> list[TreeNode]:
    """Read a tree: a node, or a list of them.

    Args:
        text: YAML without aliases, anchors and tags, of at most 1,500,000 characters.

    Raises:
        BigMindError: `too_large`; `invalid_input`, naming line, node and key of what is wrong, at most ten at once.
    """
    if len(text) > LONGEST_DOCUMENT:
        raise BigMindError(Code.TOO_LARGE, f"The tree has more than {LONGEST_DOCUMENT:,} characters.", HINT)
    root = _branch(text)
    faults: list[str] = []
    tops = root.value if is_list(root.value) else [root]
    found = [node for each in tops if (node := _node(each, faults, 1)) is not None]
    every = [each for top in found for each in top.each()]
    if len(every) > MOST_IMPORTED:
        raise BigMindError(Code.TOO_LARGE, f"The tree has more than {MOST_IMPORTED:,} nodes.", HINT)
    first: dict[str, int] = {}
    faults.extend(
        fault_at(each, f"id: line {first[each.record.id]} has the same")
        for each in every
        if first.setdefault(each.record.id, each.line) != each.line
    )
    if faults:
        refuse(sorted(faults, key=_line_of))
    return found


def _line_of(fault: str) -> int:
    return int(fault.removeprefix("line ").partition(",")[0].partition(":")[0])


def fault_at(node: TreeNode, told: str) -> str:
    """A fault, with the line and the node that has it."""
    return f"line {node.line}, node {node.record.id}: {told}."


def refuse(faults: Sequence[str]) -> NoReturn:
    """Raises BigMindError, `invalid_input`, with the first ten of these."""
    more = f"\nand {len(faults) - MOST_FAULTS} more." if len(faults) > MOST_FAULTS else ""
    raise BigMindError(Code.INVALID_INPUT, "\n".join(faults[:MOST_FAULTS]) + more, HINT)


def _node(branch: Branch, faults: list[str], level: int) -> TreeNode | None:
    if not is_object(branch.value):
        faults.append(f"line {branch.line}: a node is a mapping, with id, title, owner and done.")
        return None
    given: Mapping[str, Branch] = branch.value
    if level > DEEPEST:
        faults.append(f"line {branch.line}: at most {DEEPEST} levels.")
        return None
    below = given.get(CHILDREN, Branch([], branch.line))
    if not is_list(below.value or []):
        faults.append(f"line {below.line}: children is a list of nodes.")
        return None
    children = [node for each in below.value or () if (node := _node(each, faults, level + 1)) is not None]
    own = {name: each for name, each in given.items() if name != CHILDREN}
    named = own["id"].value if "id" in own and isinstance(own["id"].value, str) else "without an id"
    try:
        record = NodeRecord.model_validate({name: _plain(each) for name, each in own.items()})
    except ValidationError as error:
        for each in error.errors(include_url=False):
            line, key = _place(branch, each["loc"])
            told = "there is no such key" if each["type"] == "extra_forbidden" else each["msg"]
            faults.append(f"line {line}, node {shown(named)}: {key}: {told.removeprefix('Value error, ')}.")
        return None
    return TreeNode(record, branch.line, children)


def _place(branch: Branch, location: Sequence[str | int]) -> tuple[int, str]:
    """The line of a place, or of the nearest around it, and how it is called."""
    here, key = branch, ""
    for each in location:
        key += f"[{each}]" if isinstance(each, int) else f".{each}"
        value = here.value
        if is_object(value) and str(each) in value:
            here = value[str(each)]
        elif is_list(value) and isinstance(each, int) and each < len(value):
            here = value[each]
    return here.line, key.lstrip(".") or "the node"


def _plain(branch: Branch) -> Any:
    value = branch.value
    if is_object(value):
        return {name: told for name, each in value.items() if (told := _plain(each)) is not None}
    return [_plain(each) for each in value] if is_list(value) else value


def _branch(text: str) -> Branch:
    """The whole document, in one pass over the parser's events."""
    from ruamel.yaml import YAML  # noqa: PLC0415 - only whoever reads a document pays for it
    from ruamel.yaml.error import MarkedYAMLError, YAMLError  # noqa: PLC0415

    yaml: Any = YAML(typ="safe", pure=True)
    try:
        return _Reader().read(yaml.parse(text))
    except MarkedYAMLError as error:
        marked: Any = error
        mark = marked.problem_mark or marked.context_mark
        line = f"line {mark.line + 1}" if mark is not None else "the document"
        raise _fault(f"{line}: {marked.problem or marked.context or 'this is no YAML'}.") from None
    except (YAMLError, ValueError, RecursionError) as error:
        raise _fault(f"This is no YAML: {shown(str(error))}.") from None


def _fault(message: str) -> BigMindError:
    return BigMindError(Code.INVALID_INPUT, message, HINT)


class _Reader:
    """Puts a document together from events; what could make much out of little is refused."""

    def __init__(self) -> None:
        self._open: list[tuple[Any, int, str | None]] = []
        self._root: Branch | None = None

    def read(self, events: Iterator[Any]) -> Branch:
        for event in events:
            kind, line = type(event).__name__, event.start_mark.line + 1
            if kind == "AliasEvent" or getattr(event, "anchor", None):
                raise _fault(f"line {line}: a tree has no anchors (&) and aliases (*).")
            if getattr(event, "tag", None) and kind.startswith(("Scalar", "Mapping", "Sequence")):
                raise _fault(f"line {line}: a tree has no tags (!).")
            if kind == "DocumentStartEvent" and self._root is not None:
                raise _fault(f"line {line}: a tree is one document.")
            self._take(kind, event, line)
        if self._root is None:
            raise _fault("The document is empty.")
        return self._root

    def _take(self, kind: str, event: Any, line: int) -> None:
        match kind:
            case "ScalarEvent":
                self._add(_scalar(event), line)
            case "MappingStartEvent" | "SequenceStartEvent":
                if len(self._open) > DEEPEST_NESTING:
                    raise _fault(f"line {line}: it is nested too deeply.")
                self._open.append(({} if kind.startswith("Mapping") else [], line, None))
            case "MappingEndEvent" | "SequenceEndEvent":
                value, begun, _ = self._open.pop()
                self._add(value, begun)
            case _:
                pass

    def _add(self, value: Any, line: int) -> None:
        if not self._open:
            self._root = Branch(value, line)
            return
        container, begun, key = self._open[-1]
        if is_list(container):
            container.append(Branch(value, line))
        elif key is None:
            if not isinstance(value, str):
                raise _fault(f"line {line}: a key is a text.")
            if value in container:
                raise _fault(f"line {line}: the key {shown(value)} stands there twice.")
            self._open[-1] = (container, begun, value)
        else:
            container[key] = Branch(value, line)
            self._open[-1] = (container, begun, None)


def _scalar(event: Any) -> str | bool | None:
    """A text, but for what a plain scalar says of nothing, yes and no."""
    if event.style is None:
        if event.value in _NULL:
            return None
        return _BOOLEAN.get(event.value, event.value)
    return event.value


PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./(-][A-Za-z0-9_./()-]*)*")
_WORDS = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})
_ESCAPED = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")


def write_tree(nodes: Sequence[Mapping[str, Any]]) -> str:
    """Nodes as YAML: in the order of their keys, and always in the same words; what is empty is left out."""
    lines: list[str] = []
    for each in nodes:
        _write_item(lines, each, "")
    return "\n".join(lines) + "\n" if lines else "[]\n"


def _write_item(lines: list[str], value: Any, indent: str) -> None:
    if not is_object(value):
        lines.append(f"{indent}- {_text(value, indent)}")
        return
    at = len(lines)
    _write_mapping(lines, value, indent + "  ")
    lines[at] = f"{indent}- {lines[at][len(indent) + 2 :]}"


def _write_mapping(lines: list[str], mapping: Mapping[str, Any], indent: str) -> None:
    for name, value in mapping.items():
        if value in (None, "", [], {}):
            continue
        if is_object(value):
            lines.append(f"{indent}{name}:")
            _write_mapping(lines, value, indent + "  ")
        elif is_list(value):
            lines.append(f"{indent}{name}:")
            for each in value:
                _write_item(lines, each, indent + "  ")
        else:
            lines.append(f"{indent}{name}: {_text(value, indent)}")


def _text(value: Any, indent: str) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if PLAIN.fullmatch(text) and text.lower() not in _WORDS:
        return text
    if "\n" in text and _is_block(text):
        return "|-\n" + "\n".join(f"{indent}  {line}" if line else "" for line in text.split("\n"))
    return _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.dumps(text, ensure_ascii=False))


def _is_block(text: str) -> bool:
    """Whether a text of several lines can stand as it is."""
    lines = text.split("\n")
    if not lines[0] or not lines[-1] or lines[0][0] == " ":
        return False
    return all(line.isprintable() and line == line.rstrip() and not _ESCAPED.search(line) for line in lines)
