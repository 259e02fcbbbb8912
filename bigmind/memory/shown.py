"""What a hit shows: the stretch that answers, and in plain words why it was found."""

from typing import Any

from bigmind.memory.embedded import TEXTS
from bigmind.memory.finding import Found, Hit
from bigmind.memory.tables import Chunk
from bigmind.search.excerpts import Excerpt, excerpt

MOST_NAMED = 4
"""Words that a reason names."""


def shown(found: Found, hit: Hit, row: Any) -> tuple[str, str]:
    """The excerpt of a hit's row, and what it was found by.

    Of a moment its own words are shown; the reason for which it was kept is told beside them.
    """
    near = (hit.near.start, hit.near.stop) if hit.near is not None else None
    own = excerpt(row.content if isinstance(row, Chunk) else TEXTS[hit.kind](row), found.sought, near)
    reasons = [_words(found, own, row)] if hit.has_words else []
    if hit.near is not None and hit.near.similarity >= found.alike:
        reasons.append(f"meaning {hit.near.similarity:.2f}")
    if not reasons:
        faint = f"nothing answers well; the nearest, meaning {hit.near.similarity:.2f}" if hit.near else ""
        reasons.append(faint if found.is_faint else "beside a match")
    return own.text, "; ".join(reasons)


def _words(found: Found, own: Excerpt, row: Any) -> str:
    if own.marked:
        return _named(own.marked)
    reason = excerpt(row.flag_reason, found.sought).marked if isinstance(row, Chunk) else []
    return f"{_named(reason)} (in its reason)" if reason else "words"


def _named(marked: list[str]) -> str:
    return f"words: {', '.join(marked[:MOST_NAMED])}"
