"""Which facts of an answer a newer one of the same answer may contradict, so that the older one is not read alone."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations
from typing import Any

from bigmind.caution.detect import pending
from bigmind.memory.facts.contradictions import LEAST_SHARED, LONGEST, contradictions_among
from bigmind.store.work import Work
from bigmind.text.contradiction import comparable_by, judged
from bigmind.text.similarity import Relation, statement_of

MOST_MARKED = 100
"""Facts of an answer that are compared, the first ones: their pairs grow with the square."""

FEW = 20
"""Facts whose pairs' judgements are kept: those that answer questions come back with the next ones."""

PAIRS_KEPT = 2_048


def newer_of(work: Work, facts: Sequence[Any]) -> dict[str, str]:
    """The ids of those that a newer one may contradict, each with the newest one's.

    Facts that wait for a person take no part: what instructs its reader puts nothing in doubt.

    Args:
        work: the unit of work.
        facts: rows of facts that hold and that the caller may see; the first ones are compared, with each other alone.
    """
    compared = [each for each in facts[:MOST_MARKED] if not pending(each)]
    if len(compared) <= FEW:
        compared = _suspects(compared)
    if not compared:
        return {}
    return {pair.earlier.uid: pair.later.uid for pair in reversed(contradictions_among(work, compared))}


def _suspects(facts: Sequence[Any]) -> Sequence[Any]:
    """Those whose words exclude another one's: to judge a pair anew for each question takes longer than to keep it."""
    short = sorted((each for each in facts if len(each.text) <= LONGEST), key=lambda each: (each.created_at, each.id))
    pairs = ((one, other) for one, other in combinations(short, 2) if one.project == other.project)
    found = {each.uid for pair in pairs if _exclude_each_other(pair[1].text, pair[0].text) for each in pair}
    return [each for each in facts if each.uid in found]


@lru_cache(PAIRS_KEPT)
def _exclude_each_other(later: str, earlier: str) -> bool:
    """Whether two facts may. Fewer are left out than `contradictions_among` leaves out, which has the last word."""
    words, others = frozenset(statement_of(later).words), frozenset(statement_of(earlier).words)
    shared, least = len(words & others), min(len(words), len(others))
    is_near = 4 * shared >= LEAST_SHARED * (len(words) + len(others)) or shared == least
    if not (is_near or comparable_by(later) or comparable_by(earlier)):
        return False
    return judged(later, earlier).relation in {Relation.CONTRADICTS, Relation.MAY_CONTRADICT}
