"""What happened to facts: written with each change, never changed, and readable also when a fact no longer holds."""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from sqlmodel import col, or_, select

from bigmind.caution.detect import cautions
from bigmind.memory.facts.answers import FactEventRow, FactHistory
from bigmind.memory.facts.confidence import replayed
from bigmind.memory.facts.presentation import fact_rows
from bigmind.memory.lookup import find_by_uid, key_of
from bigmind.memory.tables import Fact, FactEvent
from bigmind.store.prepared_statements import add, new_row
from bigmind.store.work import Work


class FactAction(StrEnum):
    """What can happen to a fact."""

    STORED = "stored"
    CONFIRMED = "confirmed"
    CONTRADICTED = "contradicted"
    DEPRECATED = "deprecated"
    REPLACED = "replaced"
    ACCEPTED = "accepted"
    EDITED = "edited"
    REINSTATED = "reinstated"
    RECOVERED = "recovered"
    KEPT = "kept"
    MOVED = "moved"


_SEEN_FROM_THE_OTHER = {
    FactAction.CONTRADICTED: "contradicts",
    FactAction.REPLACED: "replaces",
    FactAction.KEPT: "kept",
}


def record(work: Work, fact: Fact, action: FactAction, *, reason: str = "", other_uid: str | None = None) -> None:
    """Note what just happened to a fact that has its key, by which client, and how sure it is now."""
    event = new_row(
        FactEvent,
        fact_id=key_of(fact),
        at=work.now,
        client=work.caller.client,
        action=action,
        other_uid=other_uid,
        reason=reason,
        confidence=fact.confidence,
    )
    add(work, event)


def undisputed(work: Work, fact: Fact) -> float:
    """How sure a fact would be if nothing had contradicted it; never less sure than it is."""
    return max(fact.confidence, replayed(events_of(work, fact), lambda _: False) or 0)


def events_of(work: Work, fact: Fact) -> Sequence[FactEvent]:
    """All that happened to a fact itself, the oldest first."""
    own = select(FactEvent).where(FactEvent.fact_id == key_of(fact)).order_by(col(FactEvent.at), col(FactEvent.id))
    return work.session.exec(own).all()


def fact_history(work: Work, reference: str) -> FactHistory:
    """One of the caller's facts and what happened to it, the oldest first.

    Raises:
        BigMindError: `not_found`; `ambiguous`; `invalid_input`.
    """
    fact = find_by_uid(work, Fact, reference, "fact", "memory_list_facts shows the ids of those that hold.")
    return FactHistory(
        fact=fact_rows(work, [fact])[0],
        deprecated_at=fact.deprecated_at,
        deprecation_reason=fact.deprecation_reason,
        events=[*_beginning(work, fact), *_events(work, fact), *_end(work, fact)],
    )


def _events(work: Work, fact: Fact) -> Iterable[FactEventRow]:
    """Its own events, and those in which it is what another fact was contradicted or replaced by."""
    involved = or_(FactEvent.fact_id == key_of(fact), FactEvent.other_uid == fact.uid)
    query = (
        select(FactEvent, Fact.uid)
        .join(Fact, col(FactEvent.fact_id) == col(Fact.id))
        .where(involved, Fact.user_id == work.caller.user_id)
        .order_by(col(FactEvent.at), col(FactEvent.id))
    )
    for event, uid in work.session.exec(query):
        if event.fact_id == fact.id:
            yield _row(event, event.action, event.other_uid, event.confidence)
        elif (action := _SEEN_FROM_THE_OTHER.get(FactAction(event.action))) is not None:
            yield _row(event, action, uid, None)


def _row(event: FactEvent, action: str, other: str | None, confidence: float | None) -> FactEventRow:
    return _told(
        FactEventRow(
            at=event.at, client=event.client, action=action, other_id=other, reason=event.reason, confidence=confidence
        )
    )


def _told(row: FactEventRow) -> FactEventRow:
    """An event, marked where its words instruct a reader: nobody accepts those."""
    return row.model_copy(update={"caution": cautions(row.reason, row.client)})


def _beginning(work: Work, fact: Fact) -> Iterable[FactEventRow]:
    """That it was stored, for a fact that is older than this record."""
    if not _has(work, fact, FactAction.STORED):
        yield _told(
            FactEventRow(
                at=fact.created_at, client=fact.client, action="stored", other_id=None, reason="", confidence=None
            )
        )


def _end(work: Work, fact: Fact) -> Iterable[FactEventRow]:
    """That it was deprecated, where only the fact itself says so."""
    if fact.deprecated_at is not None and not _has(work, fact, FactAction.DEPRECATED, FactAction.REPLACED):
        reason = fact.deprecation_reason
        yield _told(
            FactEventRow(
                at=fact.deprecated_at, client="", action="deprecated", other_id=None, reason=reason, confidence=None
            )
        )


def _has(work: Work, fact: Fact, *actions: FactAction) -> bool:
    of_fact = (FactEvent.fact_id == key_of(fact), col(FactEvent.action).in_(actions))
    return work.session.exec(select(FactEvent.id).where(*of_fact).limit(1)).first() is not None
