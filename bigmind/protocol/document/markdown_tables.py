"""The tables of a Markdown document, each cell with its line and column. Pure."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

from bigmind.protocol.document.document_faults import Mark

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

_PREFIX = re.compile(r"[\s>]*(?:(?:[-*+]|\d+[.)])\s+)?[\s>]*")
_CODE_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_MARKDOWN = frozenset({"markdown", "md"})


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell: its Markdown, without the backslash before a bar, and where it begins."""

    text: str
    mark: Mark

    @property
    def plain(self) -> str:
        """Without the marks of emphasis and code around it."""
        return self.text.strip("*_` ")

    @property
    def values(self) -> list[str]:
        """Its code spans; without any, what stands between its commas."""
        spans = [_unpadded(each[2]) for each in _CODE_SPAN.finditer(self.text)]
        return spans or [each.strip() for each in self.text.split(",") if each.strip()]


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        headings: above it, from the widest to the nearest.
        header: its first line.
        rows: the others; one that is shorter than the header ends with empty cells, a longer one keeps all it has.
        is_quoted: it stands in a block of code that is called Markdown.
    """

    headings: tuple[str, ...]
    header: tuple[Cell, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_quoted: bool = False


def tables(text: str) -> list[Table]:
    """The tables of a document, in its order; those in blocks of code that are Markdown too.

    Args:
        text: Markdown, with lines that end in a line feed.
    """
    return [*_tables(text.split("\n"), 0, ())]


def _tables(
    lines: Sequence[str], begin: int, above: Sequence[tuple[int, str]], *, quoted: bool = False
) -> Iterator[Table]:
    trail = list(above)
    tokens = _parser().parse("\n".join(lines))
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            level = int(token.tag[1:])
            trail = [each for each in trail if each[0] < level]
            trail.append((level, tokens[number + 1].content))
        elif token.type == "table_open":
            rows = [*_rows(tokens[number:], lines, begin)]
            yield Table(tuple(title for _, title in trail), rows[0], tuple(rows[1:]), quoted)
        elif token.type == "fence" and not quoted and token.info.strip().lower() in _MARKDOWN and token.map:
            within = lines[token.map[0] + 1 : token.map[1]]
            yield from _tables(within, begin + token.map[0] + 1, [(0, title) for _, title in trail], quoted=True)


def _rows(tokens: Sequence["Token"], lines: Sequence[str], begin: int) -> Iterator[tuple[Cell, ...]]:
    width = 0
    for token in tokens:
        if token.type == "table_close":
            return
        if token.type == "tr_open" and token.map:
            number = token.map[0]
            cells = [*_cells(lines[number], begin + number + 1)]
            width = width or len(cells)
            end = Mark(begin + number + 1, len(lines[number]) + 1)
            yield (*cells, *(Cell("", end) for _ in range(width - len(cells))))


def _cells(line: str, number: int) -> Iterator[Cell]:
    """A row, split as GitHub's Markdown does: at each bar without a backslash before it."""
    prefix = _PREFIX.match(line)
    first = prefix.end() if prefix else 0
    bars = [each for each in range(first, len(line)) if line[each] == "|" and (each == 0 or line[each - 1] != "\\")]
    edges = [first - 1, *bars, len(line)]
    spans = [(begin + 1, end) for begin, end in pairwise(edges)]
    if bars and not line[first : bars[0]].strip():
        spans = spans[1:]
    if bars and not line[bars[-1] + 1 :].strip():
        spans = spans[:-1]
    for begin, end in spans:
        raw = line[begin:end]
        column = begin + len(raw) - len(raw.lstrip()) if raw.strip() else begin
        yield Cell(raw.strip().replace("\\|", "|"), Mark(number, column + 1))


def _unpadded(code: str) -> str:
    is_padded = code.startswith(" ") and code.endswith(" ") and code.strip(" ")
    return code[1:-1] if is_padded else code


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - only whoever reads a document pays for it

    return MarkdownIt("commonmark").enable("table").disable("inline")  # blocks alone are wanted
