"""TOML, changed in place.

tomlkit writes values and keys here and reads TOML 1.1, but it does not place them: of four small files in which it set
and deleted a table none came back byte for byte (blank lines, line endings, the header after it), and it tells no
positions. So the places come from a scan of the statements.
"""

import re
import tomllib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from bigmind.clients.editing import flow
from bigmind.clients.editing.editor import Editor, nested
from bigmind.clients.editing.file_text import (
    NotParsedError,
    before_break,
    line_end,
    line_ending,
    line_start,
    not_too_many,
    position,
    without_lines,
    wrong,
)
from bigmind.clients.editing.flow import Flow, Style
from bigmind.clients.editing.toml_scan import DEEPEST, Statement, flow_at, past_comments, statements
from bigmind.clients.parts import Steps
from bigmind.core.shapes import is_list, is_object

_WHERE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
_SAME_LINE = re.compile(r"(?P<line>[ \t]*#[^\r\n]*)?")
_INDENT = re.compile(r"[\r\n]([ \t]+)[^\s#]")

MOST_LINES = 1_000


class TomlEditor(Editor):
    """Changes TOML: an object becomes a `[table]` of its own, what is in it stands inline."""

    def data(self, body: str) -> dict[str, Any]:
        if any(line.count(".") > DEEPEST for line in body.splitlines()):
            statements(body)  # it refuses long paths, over which tomllib would sit for seconds
        try:
            return tomllib.loads(body)
        except tomllib.TOMLDecodeError as error:
            return _newer(body, error)
        except ValueError as error:  # a number or a date that Python cannot hold
            raise wrong(body, 0, str(error).partition(";")[0]) from error

    def place(self, body: str, steps: Steps) -> int:
        span = self.span(body, steps)
        if span:
            return span[0]
        return next((one.start for one in statements(body) if one.path[: len(steps)] == steps), 0)

    def span(self, body: str, steps: Steps) -> tuple[int, int] | None:
        around = _around(body, steps)
        if around:
            found = around.last(steps[-1])
            return (found.value, found.end) if found else None
        return next(((one.value, one.end) for one in statements(body) if one.path == steps and not one.header), None)

    def put(self, body: str, steps: Steps, value: Any) -> str:
        style = _style(body)
        around, depth = _nearest(body, steps)
        if around:
            found, inner = around.last(steps[depth]), nested(steps[depth + 1 :], value)
            if found:
                return flow.replaced(body, found, lambda _: _value(inner))
            return _inserted(body, around, _pair(steps[depth : depth + 1], inner))
        span = self.span(body, steps)
        if span:
            return body[: span[0]] + _value(value) + body[span[1] :]
        present = [one for one in statements(body) if one.path[: len(steps)] == steps]
        if present:
            return self._exchanged(body, steps, value, present, style)
        return _added(body, steps, value, style)

    def _exchanged(self, body: str, steps: Steps, value: Any, present: list[Statement], style: Style) -> str:
        """With a table in the place where the first part of the old one stood."""
        first = present[0]
        if not (is_object(value) and first.header):
            return self.put(self.taken(body, steps), steps, value)
        body = _without_all(body, present[1:])
        return body[: first.start] + _section(steps, value, style) + body[first.end :]

    def taken(self, body: str, steps: Steps) -> str:
        around = _around(body, steps)
        if around:
            index = next((at for at, one in enumerate(around.members) if one.key == steps[-1]), None)
            return body if index is None else flow.removed(body, around, [index], _style(body))
        return _without_all(body, [one for one in statements(body) if one.path[: len(steps)] == steps])

    def appended(self, body: str, steps: Steps, value: Any) -> str:
        elements = _list(body, steps)
        if elements:
            return _inserted(body, elements, _value(value))
        if not is_object(value) or _nearest(body, steps)[0]:
            return self.put(body, steps, [value])
        return _section_added(body, steps, value, _style(body), brackets=2)

    def element_put(self, body: str, steps: Steps, index: int, value: Any) -> str:
        elements = _list(body, steps)
        if elements:
            return flow.replaced(body, elements.members[index], lambda _: _value(value))
        first, *rest = _elements(body, steps, [index])
        body = _without_all(body, rest)
        return body[: first.start] + _section(steps, value, _style(body), 2) + body[first.end :]

    def elements_taken(self, body: str, steps: Steps, indexes: Sequence[int]) -> str:
        elements = _list(body, steps)
        if elements:
            return flow.removed(body, elements, indexes, _style(body))
        not_too_many(body, self.place(body, steps), len(indexes))
        return _without_all(body, _elements(body, steps, indexes))


def _newer(body: str, error: tomllib.TOMLDecodeError) -> dict[str, Any]:
    """What a text says that is no TOML 1.0; the parser of Codex takes 1.1, and so does tomlkit."""
    import tomlkit  # noqa: PLC0415 - only when a file is changed
    from tomlkit.exceptions import TOMLKitError  # noqa: PLC0415 - as above

    try:
        return tomlkit.parse(body).unwrap()
    except (TOMLKitError, ValueError):
        found = _WHERE.search(str(error))
        reason = _WHERE.sub("", str(error))
        where = (int(found[1]), int(found[2])) if found and found[1] else position(body, len(body))
        raise NotParsedError(*where, f"{reason[:1].lower()}{reason[1:]}") from error


def _style(body: str) -> Style:
    found = _INDENT.search(body)
    return Style(line_ending(body), found[1] if found else "  ", _SAME_LINE, "#")


def _inserted(body: str, around: Flow, written: str) -> str:
    """With one more entry between brackets; on a line of its own only where others have one, as TOML 1.0 wants it."""
    between = body[around.start : around.end]
    style = replace(_style(body), broken=bool(around.members) and ("\n" in between))
    return flow.inserted(body, around, lambda _: written, style)


def _inline(body: str, found: Statement) -> Flow | None:
    return flow_at(body, found.value, found.start) if body.startswith("{", found.value) else None


def _nearest(body: str, steps: Steps) -> tuple[Flow | None, int]:
    """The innermost inline table on the way to the steps' last key, and how many steps lead to it."""
    for one in statements(body):
        depth = len(one.path)
        if one.header or depth >= len(steps) or one.path != steps[:depth]:
            continue
        around = _inline(body, one)
        while around and depth < len(steps) - 1:
            found = around.last(steps[depth])
            if not found or not body.startswith("{", found.value):
                break
            around, depth = flow_at(body, found.value, found.start), depth + 1
        return around, depth
    return None, 0


def _around(body: str, steps: Steps) -> Flow | None:
    """The inline table that holds the steps' last key, or would."""
    around, depth = _nearest(body, steps)
    return around if depth == len(steps) - 1 else None


def _list(body: str, steps: Steps) -> Flow | None:
    """The list at the steps, when it is written between brackets."""
    around = _around(body, steps)
    if around:
        found = around.last(steps[-1])
        start, opening = (found.value, found.start) if found else (len(body), 0)
    else:
        pair = next((one for one in statements(body) if one.path == steps and not one.header), None)
        start, opening = (pair.value, pair.start) if pair else (len(body), 0)
    return flow_at(body, start, opening) if body.startswith("[", start) else None


def _elements(body: str, steps: Steps, indexes: Sequence[int]) -> list[Statement]:
    """The statements of some elements of a list of tables, the header of each first."""
    wanted, counted = set(indexes), -1
    found: list[Statement] = []
    for one in statements(body):
        counted += one.path == steps and one.header == 2  # noqa: PLR2004 - two brackets
        if counted in wanted and one.path[: len(steps)] == steps:
            found.append(one)
    return found


def _without_all(body: str, ours: Sequence[Statement]) -> str:
    """Without the lines of statements that stand in the order of the text."""
    if ours:
        not_too_many(body, ours[0].start, len(ours), MOST_LINES)
    for one in reversed(ours):
        body = _without(body, one)
    return body


def _without(body: str, one: Statement) -> str:
    """Without a statement's line, and without the blank line before a header."""
    start = line_start(body, one.start)
    before = before_break(body, start)
    if one.header and start and before_break(body, before) < before:
        end = line_end(body, one.end)
        return body[: before_break(body, before)] + body[end:]
    return without_lines(body, one.start, one.end)


def _section_added(body: str, steps: Steps, value: Any, style: Style, brackets: int = 1) -> str:
    section = _section(steps, value, style, brackets)
    every = statements(body)
    relatives = [one for one in every if one.path[: len(steps)] == steps] or [
        one for one in every if len(steps) > 1 and one.path[: len(steps) - 1] == steps[:-1]
    ]
    beside = relatives[-1] if relatives else None
    return _section_placed(body, section, beside or (every[-1] if every else None), style)


def _section_placed(body: str, section: str, after: Statement | None, style: Style) -> str:
    if after is None and not body.strip():
        return section + style.newline + body
    at = past_comments(body, after.end) if after else len(body.rstrip())
    return body[:at] + style.newline * 2 + section + body[at:]


def _added(body: str, steps: Steps, value: Any, style: Style) -> str:
    add = _section_added if is_object(value) else _pair_added
    return add(body, steps, value, style)


def _pair_added(body: str, steps: Steps, value: Any, style: Style) -> str:
    """With a pair in the table that the steps lead to, which is made when no line of the file is in it."""
    table, every = steps[:-1], statements(body)
    in_table = [one for one in every if one.under == table and (one.header == 1 or not one.header)]
    if in_table:
        return _line_added(body, in_table[-1], _pair(steps[-1:], value), style)
    dotted = [one for one in every if table and not one.header and one.path[: len(table)] == table]
    if dotted:
        last = dotted[-1]
        return _line_added(body, last, _pair(steps[len(last.under) :], value), style)
    if table:
        return _section_added(body, table, {steps[-1]: value}, style)
    if every:
        return _pair(steps, value) + style.newline + body
    at = len(body.rstrip())
    gap = style.newline if at else ""
    return body[:at] + gap + _pair(steps, value) + (body[at:] if at else style.newline + body)


def _line_added(body: str, after: Statement, line: str, style: Style) -> str:
    at = line_end(body, after.end)
    indent = body[line_start(body, after.start) : after.start]
    return body[:at] + style.newline + indent + line + body[at:]


def _section(steps: Steps, value: dict[str, Any], style: Style, brackets: int = 1) -> str:
    header = "[" * brackets + _dotted(steps) + "]" * brackets
    return style.newline.join([header, *(_pair((key,), inner) for key, inner in value.items())])


def _pair(path: Sequence[str], value: Any) -> str:
    return f"{_dotted(path)} = {_value(value)}"


def _dotted(path: Sequence[str]) -> str:
    import tomlkit  # noqa: PLC0415 - only when a file is changed

    return ".".join(tomlkit.key(key).as_string() for key in path)


def _value(value: Any) -> str:
    """The value on one line."""
    import tomlkit  # noqa: PLC0415 - only when a file is changed

    if is_object(value):
        inner = ", ".join(_pair((key,), one) for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    if is_list(value):
        return f"[{', '.join(_value(one) for one in value)}]"
    return str(tomlkit.item(value).as_string())  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
