"""Reads an excerpt: which stretches of it are the words that were looked for."""

import re

# A mark holds no blank at its ends, so that `2 ** 3` in a stored text is none.
_MARK = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")


def stretches(excerpt: str) -> list[tuple[str, bool]]:
    """The excerpt in its stretches, in order; `True` for one that stood between `**`.

    An excerpt is plain text in which `search/excerpts.py` marked the hits. A stored text that holds `**` itself may
    look marked: what is shown is a matter of emphasis only.
    """
    pieces = _MARK.split(excerpt)
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]


def without_marks(excerpt: str) -> str:
    """The excerpt as it reads without the marks."""
    return "".join(text for text, _ in stretches(excerpt))


def divided(excerpt: str, beginning: str) -> tuple[str, str]:
    """The excerpt as two, cut behind `beginning`, marks and all; the first is empty when it does not begin so."""
    count = len(beginning)
    if not without_marks(excerpt).startswith(beginning):
        return "", excerpt
    first, second = "", ""
    for text, is_marked in stretches(excerpt):
        first += _marked(text[:count], is_marked)
        second += _marked(text[count:], is_marked)
        count = max(0, count - len(text))
    return first, second.strip()


def _marked(text: str, is_marked: bool) -> str:
    bare = text.strip()
    return text.replace(bare, f"**{bare}**", 1) if is_marked and bare else text
