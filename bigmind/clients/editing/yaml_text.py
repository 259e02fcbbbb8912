"""YAML, changed in place.

ruamel.yaml reads here and writes what is new. Its round trip is not used: it writes the whole document anew, and with
that `a:   1` becomes `a: 1`, and four spaces of indentation two. So the places come from its parser's marks.
"""

import io
import re
from collections.abc import Sequence
from typing import Any

from bigmind.clients.editing import flow
from bigmind.clients.editing.editor import Editor, nested
from bigmind.clients.editing.file_text import (
    indentation,
    line_end,
    line_ending,
    line_start,
    not_too_many,
    own_line,
    without_lines,
    wrong,
)
from bigmind.clients.editing.flow import Style
from bigmind.clients.editing.yaml_scan import Node, Pair, aliases_bounded, flow_of, read_by_ruamel, root_of
from bigmind.clients.parts import Steps
from bigmind.core.shapes import is_object

_SAME_LINE = re.compile(r"(?P<line>[ \t]*#[^\r\n]*)?")
_INDENT = re.compile(r"[\r\n]( +)[^\s#-]")
_DASH = re.compile(r"[ \t]*-[ \t]+")
_COMMENT_LINE = re.compile(r"(?:\r\n|\n|\r)( *)#[^\r\n]*")
_FOREIGN = "this is written in a way that is left alone here"
WIDEST = 1_000_000


class YamlEditor(Editor):
    """Changes YAML 1.2: blocks stay blocks, brackets stay brackets; an alias is not changed."""

    def data(self, body: str) -> dict[str, Any]:
        from ruamel.yaml import YAML  # noqa: PLC0415 - only when a file is changed

        aliases_bounded(body)
        with read_by_ruamel(body):
            said: Any = YAML(typ="safe", pure=True).load(body)  # pyright: ignore[reportUnknownMemberType]
        if said is None:
            return {}
        if not is_object(said):
            raise wrong(body, 0, "a mapping is expected at the top of the file")
        return said

    def place(self, body: str, steps: Steps) -> int:
        found = _along(body, steps)
        return found[-1].value.start if found else 0

    def span(self, body: str, steps: Steps) -> tuple[int, int] | None:
        if not steps:
            root = root_of(body)
            return (root.start, root.end) if root else None
        found = _along(body, steps)
        return (found[-1].colon, found[-1].value.end) if len(found) == len(steps) else None

    def put(self, body: str, steps: Steps, value: Any) -> str:
        root = root_of(body)
        if root is None or (root.empty and own_line(body, root.start) is not None):
            return _begun(body, root, nested(steps, value))
        pairs = _along(body, steps)
        if len(pairs) == len(steps):
            return _exchanged(body, _holder(root, pairs[:-1]), pairs, value)
        inner = {steps[len(pairs)]: nested(steps[len(pairs) + 1 :], value)}
        holder = _holder(root, pairs)
        if pairs and holder.empty and own_line(body, pairs[-1].key.start) is not None:
            return _opened(body, pairs[-1], _block(inner, body))
        return _added(body, holder, _opening(pairs, root), inner)

    def taken(self, body: str, steps: Steps) -> str:
        root, pairs = root_of(body), _along(body, steps)
        if root is None or len(pairs) < len(steps):
            return body
        holder, ours = _holder(root, pairs[:-1]), pairs[-1]
        if holder.flow:
            around = flow_of(body, holder, _opening(pairs[:-1], root))
            return flow.removed(body, around, [_index(holder, ours)], _style(body))
        if own_line(body, ours.key.start) is None:
            raise wrong(body, ours.key.start, _FOREIGN)
        after = without_lines(body, ours.key.start, ours.value.end)
        if len(holder.pairs) > 1 or len(pairs) == 1:
            return after
        return after[: pairs[-2].colon] + " {}" + after[pairs[-2].colon :]

    def appended(self, body: str, steps: Steps, value: Any) -> str:
        pairs = _along(body, steps)
        found = pairs[-1] if len(pairs) == len(steps) else None
        if found is None or (found.value.empty and not found.value.flow):
            return self.put(body, steps, [value])
        elements = found.value
        if elements.empty and own_line(body, found.key.start) is not None:
            return _opened(body, found, _block([value], body))
        if elements.kind != "sequence":
            raise wrong(body, elements.start, _FOREIGN)
        if elements.flow:
            return flow.inserted(
                body, flow_of(body, elements, found.key.start), lambda _: _inline([value]), _style(body)
            )
        dash = _dash(body, elements.items[-1])
        at = _past_comments(body, elements.end, len(dash))
        return body[:at] + line_ending(body) + _indented(_block([value], body), dash, body) + body[at:]

    def element_put(self, body: str, steps: Steps, index: int, value: Any) -> str:
        holder = _list_at(body, steps)
        elements = holder.value
        if elements.flow:
            member = flow_of(body, elements, holder.key.start).members[index]
            return flow.replaced(body, member, lambda _: _inline([value]))
        item = elements.items[index]
        dash = _dash(body, item)
        lines = _indented(_block([value], body), dash, body)
        return body[: line_start(body, item.start)] + lines + body[item.end :]

    def elements_taken(self, body: str, steps: Steps, indexes: Sequence[int]) -> str:
        holder = _list_at(body, steps)
        elements = holder.value
        if elements.flow:
            return flow.removed(body, flow_of(body, elements, holder.key.start), indexes, _style(body))
        not_too_many(body, elements.start, len(indexes))
        for index in sorted(indexes, reverse=True):
            item = elements.items[index]
            _dash(body, item)
            body = without_lines(body, item.start, item.end)
        emptied = len(indexes) == len(elements.items)
        return body[: holder.colon] + " []" + body[holder.colon :] if emptied else body


def _style(body: str) -> Style:
    return Style(line_ending(body), _unit(body), _SAME_LINE, "#", broken=False)


def _unit(body: str) -> str:
    found = _INDENT.search(body)
    return found[1] if found else "  "


def _along(body: str, steps: Steps) -> list[Pair]:
    """The pairs that the steps lead through, as far as there are any."""
    node, pairs = root_of(body), list[Pair]()
    for step in steps:
        found = node.last(step) if node else None
        if found is None:
            break
        pairs.append(found)
        node = found.value
    return pairs


def _holder(root: Node, pairs: list[Pair]) -> Node:
    return pairs[-1].value if pairs else root


def _opening(pairs: list[Pair], root: Node) -> int:
    return pairs[-1].key.start if pairs else root.start


def _index(holder: Node, pair: Pair) -> int:
    return next(index for index, one in enumerate(holder.pairs) if one.key.start == pair.key.start)


def _list_at(body: str, steps: Steps) -> Pair:
    found = _along(body, steps)[-1]
    if found.value.kind != "sequence":
        raise wrong(body, found.value.start, _FOREIGN)
    return found


def _begun(body: str, root: Node | None, value: Any) -> str:
    """The first value of a document in which there is nothing, or only empty brackets."""
    lines = _indented(_block(value, body), "", body)
    if root:
        return body[: root.start] + lines + body[root.end :]
    at = len(body.rstrip())
    return body[:at] + line_ending(body) + lines + body[at:] if at else lines + line_ending(body) + body


def _exchanged(body: str, holder: Node, pairs: list[Pair], value: Any) -> str:
    """With another value at the last of the pairs."""
    key, old = pairs[-1].key, pairs[-1].value
    if old.kind == "alias" or old.bound:
        raise wrong(body, old.start, _FOREIGN)
    if holder.flow:
        return f"{body[: pairs[-1].colon]} {_inline([value])}{body[max(old.end, key.end) :]}"
    lines = _indented(_block({"k": value}, body), _indent_of(body, key), body)
    return body[: pairs[-1].colon] + lines.partition(":")[2] + body[old.end :]


def _opened(body: str, pair: Pair, lines: str) -> str:
    """With a block below a key whose value is empty."""
    indent = indentation(body, pair.key.start) + _unit(body)
    end = line_end(body, pair.value.end)
    head = body[: pair.colon] + body[pair.value.end : end]
    return head + line_ending(body) + _indented(lines, indent, body) + body[end:]


def _added(body: str, holder: Node, opening: int, value: dict[str, Any]) -> str:
    """With one more pair in a mapping."""
    if holder.flow and holder.kind == "mapping":
        return flow.inserted(body, flow_of(body, holder, opening), lambda _: _inline(value), _style(body))
    if holder.kind != "mapping" or not holder.pairs:
        raise wrong(body, holder.start, _FOREIGN)
    indent = _indent_of(body, holder.pairs[0].key)
    at = _past_comments(body, holder.end, len(indent))
    return body[:at] + line_ending(body) + _indented(_block(value, body), indent, body) + body[at:]


def _indent_of(body: str, key: Node) -> str:
    indent = own_line(body, key.start)
    if indent is None:
        raise wrong(body, key.start, _FOREIGN)
    return indent


def _dash(body: str, item: Node) -> str:
    """The indentation of an element's dash."""
    before = body[line_start(body, item.start) : item.start]
    if not _DASH.fullmatch(before):
        raise wrong(body, item.start, _FOREIGN)
    return before[: before.index("-")]


def _past_comments(body: str, end: int, column: int) -> int:
    """The end of a line, and of the comment lines right under it that stand as far in."""
    at = line_end(body, end)
    while (found := _COMMENT_LINE.match(body, at)) and len(found[1]) >= column:
        at = found.end()
    return at


def _indented(lines: str, indent: str, body: str) -> str:
    return line_ending(body).join(indent + line if line else line for line in lines.split("\n"))


def _block(value: Any, body: str) -> str:
    """The value over several lines, parted by line feeds."""
    unit = len(_unit(body))
    return _dumped(value, unit, flowing=False)


def _inline(value: Any) -> str:
    """What stands between the brackets when the value is written on one line."""
    return _dumped(value, 2, flowing=True)[1:-1]


def _dumped(value: Any, unit: int, *, flowing: bool) -> str:
    from ruamel.yaml import YAML  # noqa: PLC0415 - only when a file is changed

    writer = YAML(typ="rt", pure=True)
    writer.width = WIDEST
    writer.default_flow_style = flowing
    offset = 0 if isinstance(value, list) else unit
    writer.indent(mapping=unit, sequence=offset + 2, offset=offset)  # pyright: ignore[reportUnknownMemberType]
    written = io.StringIO()
    writer.dump(value, written)  # pyright: ignore[reportUnknownMemberType]
    return written.getvalue().rstrip("\n")
