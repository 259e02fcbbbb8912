"""Markdown cut into what can be learnt one by one: statements that make sense alone, and sections that are one text.

The document is parsed by markdown-it; what is decided here is only where it is cut.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from bigmind.core.plain_text import one_line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.tree import SyntaxTreeNode

LONGEST_STATEMENT = 400
"""Characters of one statement; what is longer is no fact, but a section."""
LONGEST_TOGETHER = 300
"""Characters of a list within a list that is said in one sentence with what it belongs to."""
MOST_ITEMS = 15
"""Points of a section; with more of them it is a text to be read as a whole."""
LEAST_WORDS = 2
ENOUGH_WORDS = 6
"""Words from which on a statement is understood without its heading."""

_WHOLE = frozenset({"fence", "code_block", "table"})
_LISTS = frozenset({"bullet_list", "ordered_list"})
_APART = frozenset({"paragraph", "list_item", "bullet_list", "ordered_list"})
_WORD = re.compile(r"[^\W_]{2,}")
_SAYS_NOTHING = re.compile(
    r"this file provides (?:guidance|instructions|context)\b.*|@[\w~./-]+|(?:todo|tbd|n/?a|none)\W*|last updated\b.*",
    re.IGNORECASE,
)
_GENERAL_WORDS = (
    "about agents bigmind claude code codex context copilot cursor development for gemini general global "
    "guide guidance guidelines important info information instructions introduction key memories memory md "
    "misc notes my other overview points preferences project readme repository rules summary the things user "
    "using working your"
)
_GENERAL = frozenset(_GENERAL_WORDS.split())
"""Words of headings that say nothing of what stands below them."""


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """A part of a document.

    Attributes:
        text: one statement, or the Markdown of a section.
        headings: those it stands under, the outermost first.
        line: where it begins, from 1.
        is_section: whether it is a section.
    """

    text: str
    headings: tuple[str, ...]
    line: int
    is_section: bool = False


@dataclass(slots=True)
class _Section:
    headings: tuple[str, ...]
    blocks: "list[SyntaxTreeNode]" = field(default_factory=list["SyntaxTreeNode"])

    @property
    def is_whole(self) -> bool:
        """Whether it would lose its sense in pieces."""
        lists = [block for block in self.blocks if block.type in _LISTS]
        return (
            any(block.type in _WHOLE for block in self._with_items())
            or sum(len(each.children) for each in lists) > MOST_ITEMS
            or any(len(_plain(block)) > LONGEST_STATEMENT for block in self.blocks if block.type == "paragraph")
        )

    @property
    def paragraphs(self) -> "list[SyntaxTreeNode]":
        """Its paragraphs, also those in points and quotations."""
        return [block for block in self._with_items() if block.type == "paragraph"]

    def _with_items(self) -> "Iterator[SyntaxTreeNode]":
        for block in self.blocks:
            yield from block.walk()


def cuts(text: str, is_apart: Callable[[str], object] = lambda _: False) -> list[DocumentPart]:
    """What a document falls into, in its order.

    Args:
        text: Markdown.
        is_apart: whether words are not to stand in a section among others: its points of that kind follow it, each by
            itself, if the section is free of them then.
    """
    from markdown_it.tree import SyntaxTreeNode  # noqa: PLC0415 - only when something is learnt

    lines = text.split("\n")
    found: list[DocumentPart] = []
    for section in _sections(SyntaxTreeNode(_parser().parse(text)).children):
        if section.is_whole:
            found += (each for whole in _whole(section, lines) for each in _parted(whole, section, lines, is_apart))
        else:
            found += _statements(section)
    return found


def telling(heading: str) -> bool:
    """Whether a heading says what stands below it."""
    return not {word.lower() for word in _WORD.findall(heading)} <= _GENERAL


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415

    return MarkdownIt("commonmark").enable("table")


def _sections(blocks: "Iterable[SyntaxTreeNode]") -> list[_Section]:
    """The document by its headings; each section with all headings above it."""
    above: list[tuple[int, str]] = []
    found = [_Section(())]
    for block in blocks:
        if block.type == "heading":
            level = int(block.tag[1:])
            above = [each for each in above if each[0] < level]
            above.append((level, one_line(_plain(block))[:200]))
            found.append(_Section(tuple(title for _, title in above)))
        elif block.type not in {"html_block", "hr"}:
            found[-1].blocks.append(block)
    return [section for section in found if section.blocks]


def _whole(section: _Section, lines: Sequence[str]) -> list[DocumentPart]:
    begin, end = _line_of(section.blocks[0]), (section.blocks[-1].map or (0, len(lines)))[1]
    text = "\n".join(lines[begin:end]).strip()
    return [DocumentPart(text, section.headings, begin + 1, is_section=True)] if _says(text) else []


def _parted(
    whole: DocumentPart, section: _Section, lines: Sequence[str], is_apart: Callable[[str], object]
) -> Iterator[DocumentPart]:
    """A section without its points that are to stand apart, and these; as it was, where that does not free it."""
    taken = [each for each in section.paragraphs if is_apart(_plain(each))] if is_apart(whole.text) else []
    gone = {number for each in taken for number in range(*(each.map or (0, 0)))}
    begin = whole.line - 1
    end = begin + whole.text.count("\n") + 1
    rest = "\n".join(lines[number] for number in range(begin, end) if number not in gone).strip()
    if not taken or not all(map(_can_go, taken)) or not _says(rest) or is_apart(rest):
        yield whole
        return
    yield replace(whole, text=rest)
    for each in taken:
        yield from _one(one_line(_plain(each)), section.headings, "", each)


def _can_go(paragraph: "SyntaxTreeNode") -> bool:
    """Whether it is a statement by itself, and leaves nothing behind that belongs to it."""
    is_point = paragraph.parent is not None and paragraph.parent.type == "list_item"
    return len(_plain(paragraph)) <= LONGEST_STATEMENT and not (is_point and len(paragraph.siblings) > 1)


def _statements(section: _Section) -> Iterator[DocumentPart]:
    """Paragraph by paragraph, point by point; a paragraph that ends with a colon belongs to the list behind it."""
    lead = ""
    for block in section.blocks:
        if block.type in _LISTS:
            for item in block.children:
                yield from _points(item, section.headings, lead)
            lead = ""
            continue
        for paragraph in (block,) if block.type == "paragraph" else block.children:
            said = one_line(_plain(paragraph))
            lead = said.removesuffix(":") if said.endswith(":") else ""
            if not lead:
                yield from _one(said, section.headings, lead, paragraph)


def _points(item: "SyntaxTreeNode", headings: tuple[str, ...], lead: str) -> Iterator[DocumentPart]:
    """A point of a list, in one statement with the points below it where they are short."""
    own = one_line(" ".join(_plain(each) for each in item.children if each.type not in _LISTS))
    below = [point for each in item.children if each.type in _LISTS for point in each.children]
    if not below:
        yield from _one(own, headings, lead, item)
        return
    told = "; ".join(one_line(_plain(point)).rstrip(".;") for point in below)
    if len(told) <= LONGEST_TOGETHER and len(own) + len(told) < LONGEST_STATEMENT:
        yield from _one(f"{own.rstrip(':.')}: {told}", headings, lead, item)
        return
    if not own.endswith(":"):
        yield from _one(own, headings, lead, item)
    for point in below:
        yield from _points(point, headings, own.rstrip(":."))


def _one(said: str, headings: tuple[str, ...], lead: str, node: "SyntaxTreeNode") -> Iterator[DocumentPart]:
    alone = _alone(said, headings, lead)
    if _says(alone) and not _SAYS_NOTHING.fullmatch(said):
        yield DocumentPart(alone, headings, _line_of(node) + 1)


def _says(text: str) -> bool:
    return len(_WORD.findall(text)) >= LEAST_WORDS


def _alone(said: str, headings: tuple[str, ...], lead: str) -> str:
    """A statement as it is understood without what stands around it: what it is about first, where that is missing."""
    named = _WORD.findall(said)
    heading = headings[-1] if headings and telling(headings[-1]) and len(named) < ENOUGH_WORDS else ""
    context = lead or heading
    is_said = {word.lower() for word in _WORD.findall(context)} <= {word.lower() for word in named}
    return said if is_said or len(context) > LONGEST_STATEMENT // 2 else f"{context}: {said}"


def _line_of(node: "SyntaxTreeNode") -> int:
    return node.map[0] if node.map else 0


def _plain(node: "SyntaxTreeNode") -> str:
    """The words of a part of the document, with code marked as such and the addresses of links."""
    match node.type:
        case "text":
            said = node.content
        case "code_inline":
            said = f"`{node.content}`"
        case "fence" | "code_block":
            said = f" {node.content} "
        case "softbreak" | "hardbreak":
            said = " "
        case "image" | "html_inline" | "html_block":
            said = ""
        case "link":
            said = _link(node)
        case _:
            said = "".join(_plain(each) for each in node.children)
    return f"{said} " if node.type in _APART else said


def _link(node: "SyntaxTreeNode") -> str:
    words = "".join(_plain(each) for each in node.children)
    address = str(node.attrs.get("href", ""))
    return f"{words} ({address})" if address.startswith("http") and address != words else words
