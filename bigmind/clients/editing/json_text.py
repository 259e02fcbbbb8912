"""JSON with comments and trailing commas, changed in place.

A scanner of our own, after a look at what there is (November 2026): json5kit and json-five parse 50 kB in 35 and 60 ms,
that is seconds for the 5 MB that Claude Code's file may have; tree-sitter-json takes 0.15 s but reports Zed's trailing
commas as errors; json-source-edit takes plain JSON only; pyrs-yaml writes the whole document anew; jsonc-edit runs
Microsoft's parser in Node, which it installs on first use; jsonc-parser and json-with-comments read only. Here values
without comments are skipped by the C scanner of the standard library, and only what holds a comment or a trailing comma
is walked.
"""

import json
import re
from collections.abc import Sequence
from json.decoder import scanstring  # pyright: ignore[reportUnknownVariableType, reportAttributeAccessIssue]
from typing import Any, Final

from bigmind.clients.editing import flow
from bigmind.clients.editing.editor import Editor, nested
from bigmind.clients.editing.file_text import NotParsedError, line_ending, wrong
from bigmind.clients.editing.flow import Flow, Member, Style, Written
from bigmind.clients.parts import Steps

DEEPEST: Final = 200
_TRIVIA = re.compile(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_SAME_LINE = re.compile(r"(?:[ \t]*/\*(?:(?!\*/)[^\r\n])*\*/)*(?P<line>[ \t]*//[^\r\n]*)?")
_INDENT = re.compile(r"[\r\n]([ \t]+)\"")


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is no value in JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_refused)


class JsonEditor(Editor):
    """Changes JSON. Of several equal keys the last one counts, as in every parser."""

    def data(self, body: str) -> dict[str, Any]:
        start, root = _root(body)
        return root.data if root else _nothing(body, start)

    def place(self, body: str, steps: Steps) -> int:
        span = self.span(body, steps)
        return span[0] if span else 0

    def span(self, body: str, steps: Steps) -> tuple[int, int] | None:
        if not steps:
            root = _root(body)[1]
            return (root.value, root.end) if root else None
        flows = _along(body, steps[:-1])
        found = flows[-1].last(steps[-1]) if len(flows) == len(steps) else None
        return (found.value, found.end) if found else None

    def put(self, body: str, steps: Steps, value: Any) -> str:
        flows = _along(body, steps[:-1])
        style = _style(body)
        if not flows:
            gap = style.newline if body and not body.endswith(("\n", "\r")) else ""
            ending = "" if gap else style.newline
            return body + gap + _written(nested(steps, value), style)("") + ending
        step, inner = steps[len(flows) - 1], nested(steps[len(flows) :], value)
        found = flows[-1].last(step)
        if found:
            return flow.replaced(body, found, _written(inner, style))
        return flow.inserted(body, flows[-1], _entry(step, inner, style), style)

    def taken(self, body: str, steps: Steps) -> str:
        flows = _along(body, steps[:-1])
        if len(flows) < len(steps):
            return body
        ours = [index for index, member in enumerate(flows[-1].members) if member.key == steps[-1]]
        return flow.removed(body, flows[-1], ours, _style(body)) if ours else body

    def appended(self, body: str, steps: Steps, value: Any) -> str:
        elements = _list(body, steps)
        if elements is None:
            return self.put(body, steps, [value])
        style = _style(body)
        return flow.inserted(body, elements, _written(value, style), style)

    def element_put(self, body: str, steps: Steps, index: int, value: Any) -> str:
        elements = _list(body, steps)
        return flow.replaced(body, elements.members[index], _written(value, _style(body))) if elements else body

    def elements_taken(self, body: str, steps: Steps, indexes: Sequence[int]) -> str:
        elements = _list(body, steps)
        return flow.removed(body, elements, indexes, _style(body)) if elements else body


def _nothing(body: str, start: int) -> dict[str, Any]:
    if start < len(body):
        raise wrong(body, start, "an object is expected at the top of the file")
    return {}


def _root(body: str) -> tuple[int, Member | None]:
    """Where the document begins, and its object; None where it is empty or something else."""
    start = _past_trivia(body, 0)
    if not body.startswith("{", start):
        return start, None
    data, end = _read(body, start, 0)
    rest = _past_trivia(body, end)
    if rest < len(body):
        raise wrong(body, rest, "something stands after the end of the object")
    return start, Member(None, start, start, end, None, data)


def _along(body: str, steps: Steps) -> list[Flow]:
    """The objects that the steps lead through, the top one first, as far as there are any."""
    start = _past_trivia(body, 0)
    if start == len(body):
        return []
    flows = [_flow(body, start, start, 0)]
    for step in steps:
        found = flows[-1].last(step)
        if found is None or not body.startswith("{", found.value):
            break
        flows.append(_flow(body, found.value, found.start, 0))
    return flows


def _list(body: str, steps: Steps) -> Flow | None:
    flows = _along(body, steps[:-1])
    found = flows[-1].last(steps[-1]) if len(flows) == len(steps) else None
    if found is None or not body.startswith("[", found.value):
        return None
    return _flow(body, found.value, found.start, 0)


def _past_trivia(body: str, index: int) -> int:
    found = _TRIVIA.match(body, index)
    past = found.end() if found else index
    if body.startswith("/*", past):
        raise wrong(body, past, "a comment is not closed")
    return past


def _read(body: str, index: int, depth: int) -> tuple[Any, int]:
    """A value and where it ends; walked only when the C scanner stumbles over a comment or a trailing comma in it."""
    try:
        return _DECODER.raw_decode(body, index)
    except ValueError as error:
        if body.startswith(("{", "["), index):
            found = _flow(body, index, index, depth)
            if body[index] == "{":
                return {member.key: member.data for member in found.members}, found.end
            return [member.data for member in found.members], found.end
        raise _stumbled(body, index, error) from error


def _stumbled(body: str, index: int, error: ValueError) -> NotParsedError:
    if isinstance(error, json.JSONDecodeError):
        return wrong(body, error.pos, f"{error.msg[:1].lower()}{error.msg[1:]}")
    return wrong(body, index, str(error).partition(";")[0])


def _flow(body: str, index: int, opening: int, depth: int) -> Flow:
    """What stands between the bracket at the index and the one that closes it."""
    if depth > DEEPEST:
        raise wrong(body, index, f"the values are nested more than {DEEPEST} deep")
    closing = "}" if body[index] == "{" else "]"
    members: list[Member] = []
    here = _past_trivia(body, index + 1)
    while not body.startswith(closing, here):
        if here >= len(body):
            raise wrong(body, index, f"the bracket {body[index]!r} is not closed")
        if members and members[-1].comma is None:
            raise wrong(body, here, f"a comma or {closing!r} is expected")
        member, here = _member(body, here, closing == "}", depth)
        members.append(member)
    return Flow(opening, index, here + 1, members)


def _member(body: str, start: int, keyed: bool, depth: int) -> tuple[Member, int]:
    key, value = _key(body, start) if keyed else (None, start)
    data, end = _read(body, value, depth + 1)
    rest = _past_trivia(body, end)
    comma = rest if body.startswith(",", rest) else None
    past = rest if comma is None else _past_trivia(body, comma + 1)
    return Member(key, start, value, end, comma, data), past


def _key(body: str, start: int) -> tuple[str, int]:
    """A key, and where its value begins."""
    if not body.startswith('"', start):
        raise wrong(body, start, "a key in double quotes is expected")
    try:
        key, end = scanstring(body, start + 1, True)  # pyright: ignore[reportUnknownVariableType]
    except json.JSONDecodeError as error:
        raise _stumbled(body, start, error) from error
    colon = _past_trivia(body, end)  # pyright: ignore[reportUnknownArgumentType]
    if not body.startswith(":", colon):
        raise wrong(body, colon, "a colon is expected after the key")
    return str(key), _past_trivia(body, colon + 1)  # pyright: ignore[reportUnknownArgumentType]


def _style(body: str) -> Style:
    found = _INDENT.search(body)
    unit = found[1] if found else "  "
    return Style(line_ending(body), "\t" if unit.startswith("\t") else unit, _SAME_LINE, "//")


def _entry(key: str, value: Any, style: Style) -> Written:
    value_written = _written(value, style)
    return lambda indent: f"{json.dumps(key, ensure_ascii=False)}: {value_written(indent)}"


def _written(value: Any, style: Style) -> Written:
    def written(indent: str | None) -> str:
        lines = json.dumps(value, indent=None if indent is None else style.unit, ensure_ascii=False)
        return lines if indent is None else lines.replace("\n", style.newline + indent)

    return written
