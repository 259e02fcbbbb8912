"""Stored text as HTML: the one function that turns Markdown into something a page may contain.

Two sieves that know nothing of each other: the parser passes no HTML through, and what it made is cleaned by an
allow-list. Pictures are not shown, because looking at one tells a stranger that it was looked at.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from bigmind.core.plain_text import one_line

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_core import StateCore
    from markdown_it.token import Token

LONGEST = 20_000
"""Characters beyond which a text is shown as it is: to parse a megabyte takes seconds."""

_TAGS = {
    *("p", "br", "hr", "blockquote", "pre", "code", "em", "strong", "s"),
    *("ul", "ol", "li", "h3", "h4", "h5", "h6", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"a": {"href", "title"}, "ol": {"start"}}
_SCHEMES = {"http", "https", "mailto"}
_PICTURE_OR_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\s]*\)")
_AT_LINE_START = re.compile(r"^ {0,3}(?:#{1,6}\s+|>\s?|[-*+]\s+|`{3}.*$|-{3,}\s*$)", re.MULTILINE)
_AROUND_WORDS = re.compile(r"\*{1,3}(?=\S)|(?<=\S)\*{1,3}|`|~~")
_MARKUP = re.compile(
    r"[*`~|\[\\]|(?<!\w)_|_(?!\w)|<\w|&\w+;|^ {0,3}(?:#{1,6}\s|[-+>=]|\d+[.)]\s)|^(?: {4}|\t)|\n\s*\n", re.MULTILINE
)
_DEEPER = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6"}


def rendered(text: str) -> Markup:
    """The text as HTML that holds no script, loads nothing, and stands under a heading of the page.

    Args:
        text: CommonMark with tables; of more than `LONGEST` characters, it is shown as written.
    """
    if len(text) > LONGEST:
        return Markup('<div class="plain">{}</div>').format(text)
    import nh3  # noqa: PLC0415 - a megabyte and a half, and few texts have markup

    made = str(_parser().render(text))
    cleaned = nh3.clean(
        made,
        tags=_TAGS,
        attributes=_ATTRIBUTES,
        url_schemes=_SCHEMES,
        link_rel="noopener noreferrer nofollow",
        # Code that is wider than the window scrolls: the keyboard must be able to reach it.
        set_tag_attribute_values={"a": {"target": "_blank"}, "pre": {"tabindex": "0"}},
    )
    return Markup(cleaned)  # noqa: S704 - cleaned on the line before


def as_plain(text: str) -> str:
    """The words of a text in one line without their markup, roughly: for lists, where parsing each costs too much."""
    words = _PICTURE_OR_LINK.sub(r"\1", text[:LONGEST])
    return one_line(_AROUND_WORDS.sub("", _AT_LINE_START.sub("", words)))


def has_markup(text: str) -> bool:
    """Whether `rendered` may show the text other than it is written; cheap, and in doubt it says so."""
    return _MARKUP.search(text) is not None


@cache
def _parser() -> "MarkdownIt":
    from markdown_it import MarkdownIt  # noqa: PLC0415 - not needed by the first page

    parser = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable(["table", "strikethrough"])
    parser.add_render_rule("image", _picture_as_link)
    parser.core.ruler.push("headings", _lower_headings)
    return parser


def _picture_as_link(_: Any, tokens: "Sequence[Token]", at: int, *__: Any) -> str:
    """What a picture is called, as the link to it."""
    address = str(tokens[at].attrs.get("src", ""))
    return f'<a href="{escape(address)}">{escape(tokens[at].content or address)}</a>'


def _lower_headings(state: "StateCore") -> None:
    """The page's own headings stand above those of a text in it."""
    for token in state.tokens:
        token.tag = _DEEPER.get(token.tag, token.tag)
