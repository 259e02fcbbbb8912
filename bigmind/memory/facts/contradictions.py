"""Which facts that hold may contradict each other, with nobody having said which of the two is right.

Nothing is stored of it: facts of one project are compared by their words. That both hold is said by confirming the
older one after the newer one came, as the answer to who stored the newer one asks, or by a person who keeps both.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from sqlalchemy import or_
from sqlmodel import col, select

from bigmind.memory.facts.history import FactAction
from bigmind.memory.lookup import key_of
from bigmind.memory.tables import Fact, FactEvent
from bigmind.store.work import Work
from bigmind.text.contradiction import comparable_by, judged
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
    keys = {key_of(pair.earlier) for pair in found}
    confirmed, kept = _confirmations(work, keys), _kept(work, keys)
    still = [pair for pair in found if not (_is_answered(pair, confirmed) or _names(pair) in kept)]
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
    bits: dict[str, int] = {}
    before = defaultdict[str | None, list[_Words]](list)
    for fact in facts:
        one = _words_of(fact, bits)
        for other in before[fact.project]:
            if _are_comparable(one, other):
                earlier, later = sorted((fact, other.fact), key=_time)
                yield Contradiction(later, earlier)
        before[fact.project].append(one)


class _Words(NamedTuple):
    """A fact's words, each as a bit of its own, so that a pair is compared in a tenth of what sets take.

    Attributes:
        fact: whose they are.
        words: its telling words.
        number: how many they are.
        said: the same with its numbers.
        left: what it says is no more, or otherwise everywhere.
    """

    fact: Fact
    words: int
    number: int
    said: int
    left: tuple[int, ...]


def _words_of(fact: Fact, bits: dict[str, int]) -> _Words:
    told = statement_of(fact.text)
    words = _masked(told.words, bits)
    said, left = words | _masked(told.numbers, bits), (_masked(phrase, bits) for phrase in comparable_by(fact.text))
    return _Words(fact, words, words.bit_count(), said, tuple(left))


def _masked(words: Iterable[str], bits: dict[str, int]) -> int:
    """The bits of these words; a new word takes the next one."""
    mask = 0
    for word in words:
        mask |= bits.setdefault(word, 1 << len(bits))
    return mask


def _time(fact: Fact) -> tuple[datetime, int]:
    return fact.created_at, key_of(fact)


def _exclude_each_other(pair: Contradiction) -> bool:
    return judged(pair.later.text, pair.earlier.text).relation in _EXCLUDING


def _are_comparable(one: _Words, other: _Words) -> bool:
    """Whether two facts share so many words that one can exclude the other: cheaper than to judge each pair.

    So may one that says what the other leaves, however little else they share.
    """
    shared = (one.words & other.words).bit_count()
    if shared and (2 * shared >= LEAST_SHARED * (one.number + other.number) or shared in (one.number, other.number)):
        return True
    return _says(one.said, other.left) or _says(other.said, one.left)


def _says(said: int, left: tuple[int, ...]) -> bool:
    """Whether a fact of these words and numbers says what another one leaves."""
    return bool(left) and any(phrase & said == phrase for phrase in left)


def _names(pair: Contradiction) -> tuple[int, str]:
    return key_of(pair.earlier), pair.later.uid


def _kept(work: Work, keys: set[int]) -> set[tuple[int, str]]:
    """Beside which others each of these facts holds, as a person said."""
    kept = (col(FactEvent.fact_id).in_(keys), FactEvent.action == FactAction.KEPT)
    events = select(FactEvent.fact_id, FactEvent.other_uid).where(*kept)
    return {(key, uid) for key, uid in work.session.exec(events) if uid is not None}


def _confirmations(work: Work, keys: set[int]) -> dict[int, datetime]:
    """When each of these facts was confirmed last."""
    confirmed = (col(FactEvent.fact_id).in_(keys), FactEvent.action == FactAction.CONFIRMED)
    events = select(FactEvent.fact_id, FactEvent.at).where(*confirmed).order_by(col(FactEvent.at))
    return dict(work.session.exec(events).all())
