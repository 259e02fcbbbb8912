"""Facts as they leave the store."""

from collections.abc import Sequence

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.memory.facts.answers import FactRow
from bigmind.memory.tables import Fact, MemorySession
from bigmind.store.work import Work


def fact_rows(work: Work, facts: Sequence[Fact]) -> list[FactRow]:
    """Facts with the ids of the sessions they were born in."""
    keys = {fact.session_id for fact in facts if fact.session_id is not None}
    born = select(MemorySession.id, MemorySession.uid).where(col(MemorySession.id).in_(keys))
    uids: dict[int | None, str] = dict(work.session.exec(born).all()) if keys else {}
    return [fact_row(fact, uids.get(fact.session_id)) for fact in facts]


def fact_row(fact: Fact, session_uid: str | None) -> FactRow:
    """One fact; `session_uid` is where it was born."""
    return FactRow(
        fact_id=fact.uid,
        category=fact.category,
        fact=fact.text,
        confidence=fact.confidence,
        project=fact.project,
        client=fact.client,
        created_at=fact.created_at,
        updated_at=fact.updated_at,
        session_id=session_uid,
        caution=pending(fact),
    )
