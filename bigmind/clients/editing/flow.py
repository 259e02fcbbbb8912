"""Lists and objects between brackets: JSON, the inline values of TOML, the flow style of YAML.

One entry in or out, and every other character as it was.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from bigmind.clients.editing.file_text import before_break, indentation, line_end, line_start, not_too_many, own_line

Written: TypeAlias = Callable[[str | None], str]
"""Writes an entry: given the indentation of its line, over several lines; given None, on one."""

_BLANK = " \t\r\n"
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Member:
    """One entry.

    Attributes:
        key: its key; None in a list.
        start: where the key, or the element, begins.
        value: where the value begins.
        end: past the value.
        comma: where the comma after it is; None when there is none.
        data: what the value says; None where the reader of a format does not keep it.
    """

    key: str | None
    start: int
    value: int
    end: int
    comma: int | None
    data: Any = None


@dataclass(frozen=True, slots=True)
class Flow:
    """What stands between two brackets.

    Attributes:
        opening: where the key of the whole begins, or the bracket where it has none: its line's indentation counts.
        start: the opening bracket.
        end: past the closing one.
        members: in the order of the text.
    """

    opening: int
    start: int
    end: int
    members: list[Member]

    def last(self, key: str) -> Member | None:
        """The entry with that key; of several the last, which is the one that parsers take."""
        return next((member for member in reversed(self.members) if member.key == key), None)


@dataclass(frozen=True, slots=True)
class Style:
    """How a file is written.

    Attributes:
        newline: what ends its lines.
        unit: one step of indentation.
        comment: the comments that may follow on the same line; matches always, with a group `line` for one that
            ends with the line.
        mark: what begins a comment that ends with the line.
        broken: whether entries may stand on lines of their own.
    """

    newline: str
    unit: str
    comment: re.Pattern[str]
    mark: str
    broken: bool = True


def inserted(text: str, flow: Flow, written: Written, style: Style) -> str:
    """With one more entry at the end, after the comment on the last one's line, in the manner of the last one."""
    if not flow.members:
        return _first(text, flow, written, style)
    last = flow.members[-1]
    at = last.end if last.comma is None else last.comma + 1
    comment = style.comment.match(text, at)
    past = comment.end() if comment else at
    indent = own_line(text, last.start) if style.broken else None
    if indent is None and comment and comment["line"]:
        indent = indentation(text, last.start) + style.unit
    gap = " " if indent is None else style.newline + indent
    before, after = (",", "") if last.comma is None else ("", ",")
    return text[:at] + before + text[at:past] + gap + written(indent) + after + text[past:]


def _first(text: str, flow: Flow, written: Written, style: Style) -> str:
    inner = text[flow.start + 1 : flow.end - 1]
    body = inner.rstrip(_BLANK)
    at, rest = flow.start + 1 + len(body), inner[len(body) :]
    many = "\n" in inner or "\r" in inner
    if not (style.broken and (many or own_line(text, flow.opening) is not None)):
        return text[:at] + (" " if body else "") + written(None) + text[flow.end - 1 :]
    outer = indentation(text, flow.opening)
    closing = rest if "\n" in rest or "\r" in rest else style.newline + outer
    indent = outer + style.unit
    return text[:at] + style.newline + indent + written(indent) + closing + text[flow.end - 1 :]


def replaced(text: str, member: Member, written: Written) -> str:
    """With another value in the place of an entry's; its key stays as it is written."""
    return text[: member.value] + written(own_line(text, member.start)) + text[member.end :]


def removed(text: str, flow: Flow, indexes: Sequence[int], style: Style) -> str:
    """Without some entries, their lines, and the commas that they needed; brackets with nothing between them close up.

    Raises:
        NotParsedError: there are more of them than `MOST_OURS`.
    """
    not_too_many(text, flow.start, len(indexes))
    members, end = list(flow.members), flow.end
    for index in sorted(indexes, reverse=True):  # so every place before an entry stays true when it is cut
        cuts = _cuts(text, replace(flow, members=members, end=end), index, style)
        for start, past in cuts:
            text = text[:start] + text[past:]
            end -= past - start
        del members[index]
        if index and cuts[-1][0] == members[index - 1].comma:
            members[index - 1] = replace(members[index - 1], comma=None)
    return text if members else _closed(text, flow.start, end)


def _cuts(text: str, flow: Flow, index: int, style: Style) -> list[tuple[int, int]]:
    """What goes with an entry, the last first."""
    member = flow.members[index]
    cuts = [_extent(text, flow, index, style)]
    if member.comma is not None and cuts[0][1] <= member.comma:
        cuts.append((member.comma, member.comma + 1))
    before = flow.members[index - 1].comma if index else None
    if member.comma is None and before is not None and index == len(flow.members) - 1:
        cuts.append((before, before + 1))
    return sorted(cuts, reverse=True)


def _extent(text: str, flow: Flow, index: int, style: Style) -> tuple[int, int]:
    """From where to where an entry is cut: the comma is in it unless a comment stands before that."""
    member = flow.members[index]
    end = member.end
    if member.comma is not None and not text[end : member.comma].strip(_BLANK):
        end = member.comma + 1
    if own_line(text, member.start) is None:
        if index:
            return _left(text, member.start), end
        return member.start, _right(text, end)
    start = before_break(text, line_start(text, member.start))
    if _after_line_comment(text, flow, index, start, style) and not _ends_line(text, end, style):
        return member.start, _right(text, end)
    return start, end


def _after_line_comment(text: str, flow: Flow, index: int, end: int, style: Style) -> bool:
    """Whether the line before an entry ends with a comment, which would swallow what is drawn up to it."""
    since = flow.start + 1
    if index:
        before = flow.members[index - 1]
        since = before.end if before.comma is None else before.comma + 1
    between = _BLOCK_COMMENT.sub("", text[since:end]) if style.mark == "//" else text[since:end]
    return style.mark in between.replace("\r", "\n").rsplit("\n", 1)[-1]


def _ends_line(text: str, index: int, style: Style) -> bool:
    comment = style.comment.match(text, index)
    past = comment.end() if comment else index
    return not text[past : line_end(text, past)].strip(" \t")


def _closed(text: str, start: int, end: int) -> str:
    return text if text[start + 1 : end - 1].strip(_BLANK) else text[: start + 1] + text[end - 1 :]


def _left(text: str, index: int) -> int:
    return len(text[:index].rstrip(" \t"))


def _right(text: str, index: int) -> int:
    return len(text) - len(text[index:].lstrip(" \t"))
