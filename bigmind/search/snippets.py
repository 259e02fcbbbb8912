"""What a hit shows: the stretch of one of its fields that answers, and in plain words why it was found."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bigmind.core.kind import Kind, LabeledText
from bigmind.embedding.models import ALIKE
from bigmind.search.engine import Hit, SearchResult
from bigmind.text.excerpts import Excerpt, excerpt

MOST_NAMED = 4
"""Words that a reason names."""
TITLES = frozenset(("headline", "title"))
"""Fields that are shown beside the excerpt anyway: of equal ones another is shown."""

Fields = Callable[[], Sequence[LabeledText]]


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is shown of a hit.

    Attributes:
        text: the excerpt, with what was looked for between `**`.
        field: of the row, that it is taken from.
        why: what it was found by.
        title: of a thing that has one, marked in the same way.
    """

    text: str
    field: str
    why: str
    title: str = ""


def shown(found: SearchResult, hit: Hit, kind: Kind, row: Any, told: Sequence[LabeledText] = ()) -> Snippet:
    """The excerpt of a hit's row, and what it was found by. `told` are the texts of a session.

    Of a moment its own words are shown; the reason for which it was kept is told beside them.
    """
    fields = [each for each in told or _fields(kind, row, is_shown=True) if each.text] or [LabeledText("", "")]
    field, own = _best(found, hit, fields)
    title = next((excerpt(each.text, found.sought) for each in fields if each.label in TITLES), Excerpt(""))
    why = _why(found, hit, [*own.marked, *title.marked], partial(_fields, kind, row, is_shown=False))
    return Snippet(own.text, field, why, title.text)


def _fields(kind: Kind, row: Any, *, is_shown: bool) -> list[LabeledText]:
    """The searched texts of a row that are shown, or are not, in the order in which they are embedded."""
    return [
        LabeledText(each.label, text)
        for each in kind.texts
        if each.weight and each.is_shown == is_shown
        for text in (getattr(row, each.column).split("\n") if each.is_list else (getattr(row, each.column),))
    ]


def _best(found: SearchResult, hit: Hit, fields: Sequence[LabeledText]) -> tuple[str, Excerpt]:
    """The field with most of the words that were looked for; of equal ones, that with most of what is near."""
    start, best, most = 0, (fields[0].label, Excerpt("")), (-1, -1, -1)
    for each in fields:
        near = (0, 0) if hit.near is None else (max(0, hit.near.start - start), hit.near.stop - start)
        length = min(len(each.text), near[1]) - near[0]
        own = excerpt(each.text, found.sought, near if length > 0 else None)
        counts = len(own.marked), int(each.label not in TITLES), max(0, length)
        if counts > most:
            best, most = (each.label, own), counts
        start += len(each.text) + 1
    return best


def _why(found: SearchResult, hit: Hit, marked: Sequence[str], beside: Fields) -> str:
    reasons = ["its id"] if hit.is_named else []
    if hit.has_words:
        reasons.append(_words(found, marked, beside))
    if hit.near is not None and hit.similarity >= ALIKE:
        reasons.append("meaning")
    if not reasons:
        reasons.append("beside a match" if found.answers_well else "nothing answers well; the nearest in meaning")
    return "; ".join(reasons)


def _words(found: SearchResult, marked: Sequence[str], beside: Fields) -> str:
    if marked:
        return _named(marked)
    told = ((each.label, excerpt(each.text, found.sought).marked) for each in beside())
    return next((f"{_named(those)} (in its {label})" for label, those in told if those), "words")


def _named(marked: Sequence[str]) -> str:
    return f"words: {', '.join(list(dict.fromkeys(marked))[:MOST_NAMED])}"
