"""Gives back what contradictions took that are none by today's judge: once for each store and version of it.

A migration would freeze the judge; this runs behind them, at the start that finds it undone. Each batch is a unit of
work: a start that is killed goes on where it was, and what was given back is not given twice.
"""

from collections.abc import Mapping, Sequence
from itertools import groupby

from sqlmodel import col, select

from bigmind.memory.facts.confidence import CONTRADICTED, replayed
from bigmind.memory.facts.history import FactAction, record
from bigmind.memory.tables import Fact, FactEvent
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from bigmind.store.tables import StoreProperty
from bigmind.store.work import Work
from bigmind.text.contradiction import judged
from bigmind.text.similarity import Relation

VERSION = "1"
"""Grows when the judge takes less than it did."""

PROPERTY = "contradictions"
PURPOSE = "recover"
BATCH = 200
WHY = "what was taken for a contradiction may hold beside it"


def give_back(store: Store) -> None:
    """Judge again what made facts less sure, unless this version did; what was taken rightly stays taken."""
    with store.read(NOBODY, PURPOSE) as work:
        known = work.session.get(StoreProperty, PROPERTY)
        if known is not None and known.value == VERSION:
            return
        lost = select(FactEvent.fact_id).where(FactEvent.action == CONTRADICTED).distinct()
        keys = list(work.session.exec(lost.order_by(col(FactEvent.fact_id))))
    for begin in range(0, len(keys), BATCH):
        with store.write(NOBODY, PURPOSE) as work:
            _give_back(work, keys[begin : begin + BATCH])
    with store.write(NOBODY, PURPOSE) as work:
        work.session.merge(StoreProperty(name=PROPERTY, value=VERSION))


def _give_back(work: Work, keys: Sequence[int]) -> None:
    facts = {fact.id: fact for fact in work.session.exec(select(Fact).where(col(Fact.id).in_(keys)))}
    history = select(FactEvent).where(col(FactEvent.fact_id).in_(keys))
    in_order = history.order_by(col(FactEvent.fact_id), col(FactEvent.at), col(FactEvent.id))
    events = list(work.session.exec(in_order))
    uids = {event.other_uid for event in events if event.other_uid is not None}
    others = {fact.uid: fact for fact in work.session.exec(select(Fact).where(col(Fact.uid).in_(uids)))}
    for key, told in groupby(events, lambda event: event.fact_id):
        _judge_again(work, facts[key], list(told), others)


def _judge_again(work: Work, fact: Fact, events: Sequence[FactEvent], others: Mapping[str, Fact]) -> None:
    def counts(event: FactEvent) -> bool:
        other = others.get(event.other_uid or "")
        # Of what was forgotten nobody can tell.
        return other is None or judged(other.text, fact.text).relation is Relation.CONTRADICTS

    sure = replayed(events, counts)
    if sure is None or sure <= fact.confidence:
        return
    fact.confidence = sure
    work.session.add(fact)
    record(work, fact, FactAction.RECOVERED, reason=WHY)
