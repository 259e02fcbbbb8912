"""Two facts of one project that say the same of two alternatives may contradict each other; others do not."""

import pytest

from bigmind.text.contradiction import judged
from bigmind.text.similarity import Relation
from tests.memory.family_pairs import BOTH_HOLD, ONE_IS_CHOSEN


@pytest.mark.parametrize(("old", "new"), ONE_IS_CHOSEN)
def test_of_alternatives_one_is_chosen(old: str, new: str) -> None:
    assert judged(new, old).relation in {Relation.CONTRADICTS, Relation.MAY_CONTRADICT}
    assert judged(old, new) == judged(new, old)


@pytest.mark.parametrize(("old", "new"), BOTH_HOLD)
def test_what_is_said_of_two_things_holds_of_both(old: str, new: str) -> None:
    assert judged(new, old).relation in {None, Relation.REPEATS}
