"""Which facts that hold may contradict each other, with nobody having said which of the two is right.

Nothing is stored of it: facts of one project are compared by their words. That both hold is said by confirming the
older one after the newer one came, as the answer to who stored the newer one asks.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from sqlalchemy import or_
from sqlmodel import col, select

from bigmind.memory.facts.history import FactAction
from bigmind.memory.lookup import key_of
from bigmind.memory.tables import Fact, FactEvent
from bigmind.store.work import Work
from bigmind.text.contradiction import judged, left_behind
from bigmind.text.similarity import Relation, statement_of

MOST_COMPARED = 300
"""Facts of all that hold, the newest: their pairs grow with the square."""

LONGEST = 400
"""Characters of a fact that is compared: what is longer is no statement, and takes long to compare."""

LEAST_SHARED = 0.5
"""Of the words of both: with fewer of them in common, two facts are about different things."""

MOST_JUDGED = 3_000
"""Pairs that share enough words to be judged: a second, of the longest and most alike."""

_EXCLUDING = (Relation.CONTRADICTS, Relation.MAY_CONTRADICT)


class Contradiction(NamedTuple):
    """Two facts that may not both hold, by the time at which they were stored."""

    later: Fact
    earlier: Fact


def open_contradictions(work: Work) -> list[Contradiction]:
    """Those among the newest of the caller's facts, the newest first; facts that wait for a person take no part."""
    is_harmless = or_(col(Fact.caution) == "", col(Fact.accepted_at).is_not(None))
    mine = (Fact.user_id == work.caller.user_id, col(Fact.deprecated_at).is_(None), is_harmless)
    newest = (col(Fact.created_at).desc(), col(Fact.id).desc())
    facts = work.session.exec(select(Fact).where(*mine).order_by(*newest).limit(MOST_COMPARED)).all()
    return contradictions_among(work, facts)


def contradictions_among(work: Work, facts: Sequence[Fact], most: int = MOST_JUDGED) -> list[Contradiction]:
    """Those among facts that hold, the newest first; `most` pairs are judged, those of the first facts."""
    short = [fact for fact in facts if len(fact.text) <= LONGEST]
    found = [pair for pair in islice(_comparable(short), most) if _exclude_each_other(pair)]
    if not found:
        return []
    confirmed = _confirmations(work, {key_of(pair.earlier) for pair in found})
    still = [pair for pair in found if not _is_answered(pair, confirmed)]
    return sorted(still, key=lambda pair: _time(pair.later), reverse=True)


def _is_answered(pair: Contradiction, confirmed: Mapping[int, datetime]) -> bool:
    at = confirmed.get(key_of(pair.earlier))
    return at is not None and at >= pair.later.created_at


def contradictions_of(work: Work, uids: Sequence[str]) -> list[Contradiction]:
    """Those among the caller's facts of these ids that hold."""
    mine = (Fact.user_id == work.caller.user_id, col(Fact.deprecated_at).is_(None))
    named = select(Fact).where(*mine, col(Fact.uid).in_(uids[:MOST_COMPARED])).order_by(col(Fact.id).desc())
    return contradictions_among(work, work.session.exec(named).all())


def _comparable(facts: Sequence[Fact]) -> Iterator[Contradiction]:
    """Pairs of facts of one project that share enough words, those of the first facts first."""
    told = [statement_of(fact.text) for fact in facts]
    words = [frozenset(each.words) for each in told]
    said = [frozenset((*each.words, *each.numbers)) for each in told]
    left = [left_behind(fact.text) for fact in facts]
    for other, one in ((later, earlier) for later in range(len(facts)) for earlier in range(later)):
        if facts[one].project == facts[other].project and (
            _are_comparable(words[one], words[other]) or _says(said[one], left[other]) or _says(said[other], left[one])
        ):
            earlier, later = sorted((facts[one], facts[other]), key=_time)
            yield Contradiction(later, earlier)


def _time(fact: Fact) -> tuple[datetime, int]:
    return fact.created_at, key_of(fact)


def _exclude_each_other(pair: Contradiction) -> bool:
    return judged(pair.later.text, pair.earlier.text).relation in _EXCLUDING


def _are_comparable(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two facts share so many words that one can exclude the other: cheaper than to judge each pair."""
    shared = len(one & other)
    total = len(one) + len(other)
    return shared > 0 and (2 * shared >= LEAST_SHARED * total or shared in (len(one), len(other)))


def _says(said: frozenset[str], left: Sequence[frozenset[str]]) -> bool:
    """Whether a fact of these words and numbers says what another one leaves, however little else they share."""
    return any(phrase <= said for phrase in left)


def _confirmations(work: Work, keys: set[int]) -> dict[int, datetime]:
    """When each of these facts was confirmed last."""
    confirmed = (col(FactEvent.fact_id).in_(keys), FactEvent.action == FactAction.CONFIRMED)
    events = select(FactEvent.fact_id, FactEvent.at).where(*confirmed).order_by(col(FactEvent.at))
    return dict(work.session.exec(events).all())
