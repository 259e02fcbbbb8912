"""What is derived of a row for search: its split terms, and of a session all that is told of it beside its headline.

The one place that derives them: use cases, imports, the scan for secrets and the upkeep of the indexes all ask here.
"""

from collections.abc import Iterable
from typing import Any

from bigmind.memory.cautions import LabeledText, told_of_session
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.store.work import Work
from bigmind.text.words import index_terms

FIELDS: dict[Any, tuple[str, ...]] = {
    MemorySession: ("one_liner", "told"),
    Chunk: ("content", "flag_reason"),
    Fact: ("text",),
    Hypothesis: ("text", "resolution"),
    Knowledge: ("title", "content"),
}
"""The tables with split terms, and of which of their columns those are made."""


def terms_of(row: Any) -> str:
    """The split terms of a row; none for a row of a table without them."""
    return terms_of_texts(getattr(row, field) for field in FIELDS.get(type(row), ()))


def terms_of_texts(texts: Iterable[str]) -> str:
    """The split terms of the texts of one row, in the order of `FIELDS`."""
    return index_terms("\n".join(texts))


def retold(told: Iterable[LabeledText]) -> str:
    """All that is told of a session beside its headline, one text to a line."""
    return "\n".join(each.text for each in told if each.text and each.label != "headline")


def make_findable(work: Work, session: MemorySession) -> None:
    """Derive anew what a session is found by, after anything of it was written."""
    session.told = retold(told_of_session(work, session))
    session.terms = terms_of(session)
    work.session.add(session)
