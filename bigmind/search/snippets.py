"""What a hit shows: the stretch of one of its fields that answers, and in plain words why it was found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bigmind.embedding.models import ALIKE
from bigmind.memory.cautions import LabeledText
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge
from bigmind.search.engine import Hit, SearchResult
from bigmind.text.excerpts import Excerpt, excerpt

MOST_NAMED = 4
"""Words that a reason names."""
TITLES = frozenset(("headline", "title"))
"""Fields that are shown beside the excerpt anyway: of equal ones another is shown."""


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


def shown(found: SearchResult, hit: Hit, row: Any, told: Sequence[LabeledText] = ()) -> Snippet:
    """The excerpt of a hit's row, and what it was found by. `told` are the texts of a session.

    Of a moment its own words are shown; the reason for which it was kept is told beside them.
    """
    fields = [each for each in told or _fields(row) if each.text] or [LabeledText("", "")]
    field, own = _best(found, hit, fields)
    title = next((excerpt(each.text, found.sought) for each in fields if each.label in TITLES), Excerpt(""))
    return Snippet(own.text, field, _why(found, hit, [*own.marked, *title.marked], row), title.text)


def _fields(row: Any) -> list[LabeledText]:
    """The texts of a row in the order in which they are embedded."""
    match row:
        case Chunk():
            return [LabeledText("content", row.content)]
        case Fact():
            return [LabeledText("fact", row.text)]
        case Hypothesis():
            return [LabeledText("hypothesis", row.text), LabeledText("resolution", row.resolution)]
        case Knowledge():
            return [LabeledText("title", row.title), LabeledText("content", row.content)]
        case _:
            return []


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


def _why(found: SearchResult, hit: Hit, marked: Sequence[str], row: Any) -> str:
    reasons = ["its id"] if hit.is_named else []
    if hit.has_words:
        reasons.append(_words(found, marked, row))
    if hit.near is not None and hit.similarity >= ALIKE:
        reasons.append("meaning")
    if not reasons:
        reasons.append("beside a match" if found.answers_well else "nothing answers well; the nearest in meaning")
    return "; ".join(reasons)


def _words(found: SearchResult, marked: Sequence[str], row: Any) -> str:
    if marked:
        return _named(marked)
    reason = excerpt(row.flag_reason, found.sought).marked if isinstance(row, Chunk) else []
    return f"{_named(reason)} (in its reason)" if reason else "words"


def _named(marked: Sequence[str]) -> str:
    return f"words: {', '.join(list(dict.fromkeys(marked))[:MOST_NAMED])}"
