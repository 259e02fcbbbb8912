"""What a fact took from those that it contradicted: given back when it holds no more, taken again when it does."""

from sqlmodel import col, select

from bigmind.core.events import Action, Kind
from bigmind.memory.facts.confidence import CONTRADICTED, disputes, replayed
from bigmind.memory.facts.duplicates import takes, weaken
from bigmind.memory.facts.history import FactAction, events_of, record
from bigmind.memory.sessions.makeshift_record import leave_out
from bigmind.memory.tables import Fact, FactEvent
from bigmind.store.work import Work
from bigmind.text.contradiction import judged


def give_back(work: Work, uid: str, *, only: str | None = None) -> list[str]:
    """Give back what the fact of this id took; the ids of those that hold and are surer now.

    Args:
        work: the unit of work.
        uid: the fact that holds no more, or that holds beside the others.
        only: the one that is given back alone: where another one holds in its place, what it outdated stays outdated.
    """
    others = [other for other in _contradicted(work, uid) if only in {None, other.uid}]
    surer = [other for other in others if _surer_without(work, other, uid, FactAction.RECOVERED)]
    return [other.uid for other in surer if other.deprecated_at is None]


def keep_both(work: Work, older: Fact, newer: Fact) -> bool:
    """Note that both facts hold, and give back what the newer one took; whether the older is surer by it."""
    is_surer = _surer_without(work, older, newer.uid, FactAction.KEPT)
    last = disputes(events_of(work, older)).get(newer.uid)
    if last is None or last.action != FactAction.KEPT:
        record(work, older, FactAction.KEPT, other_uid=newer.uid)
    return is_surer


def take_again(work: Work, fact: Fact) -> None:
    """Take again what was given back when this fact was deprecated, where it still contradicts that for certain."""
    for other in _contradicted(work, fact.uid):
        events = events_of(work, other)
        back = disputes(events).get(fact.uid)
        if back is None or back.action != FactAction.RECOVERED:
            continue
        is_confirmed = any(each.action == FactAction.CONFIRMED for each in events[events.index(back) :])
        judgement = judged(fact.text, other.text, same_scope=fact.project == other.project)
        if not is_confirmed and takes(fact, judgement):
            weaken(work, other, fact)


def before_forgetting(work: Work, fact: Fact) -> None:
    """Take the words of a fact that is forgotten out of other records, and give back what it took."""
    leave_out(work, fact)
    if fact.deprecated_at is None:
        give_back(work, fact.uid)


def _contradicted(work: Work, uid: str) -> list[Fact]:
    """The caller's facts that lost by the one of this id, once, whatever came after."""
    lost = select(FactEvent.fact_id).where(FactEvent.other_uid == uid, FactEvent.action == CONTRADICTED)
    mine = (Fact.user_id == work.caller.user_id, col(Fact.id).in_(lost))
    return list(work.session.exec(select(Fact).where(*mine).order_by(col(Fact.id))))


def _surer_without(work: Work, fact: Fact, uid: str, action: FactAction) -> bool:
    """Make a fact as sure as it is without what the one of this id took, if that makes it surer, and note why."""
    events = events_of(work, fact)
    taken = disputes(events).get(uid)
    if taken is None or taken.action != CONTRADICTED:
        return False
    sure = replayed(events, lambda event: event.other_uid != uid)
    if sure is None or sure <= fact.confidence:
        return False
    fact.confidence, fact.updated_at = sure, work.now
    work.session.add(fact)
    record(work, fact, action, other_uid=uid)
    work.changed(Kind.FACT, fact.uid, Action.UPDATED)
    return True
