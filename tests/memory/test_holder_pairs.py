"""Who is on call, who holds a role, and on which day something is: in whatever order, another one is asked about."""

import pytest

from bigmind.text.contradiction import judged
from bigmind.text.similarity import Relation
from tests.memory.holder_pairs import ASKED, HOLDING
from tests.memory.living import Memory
from tests.memory.parts import FACTS, parts_of

EXCLUDING = (Relation.MAY_CONTRADICT, Relation.CONTRADICTS)


@pytest.mark.parametrize(("old", "new"), ASKED)
def test_another_one_of_the_same_is_asked_about_whichever_was_stored_first(old: str, new: str) -> None:
    assert judged(new, old).relation in EXCLUDING
    assert judged(old, new).relation in EXCLUDING


@pytest.mark.parametrize(("old", "new"), HOLDING)
def test_what_holds_beside_it_is_not(old: str, new: str) -> None:
    assert judged(new, old).relation not in EXCLUDING
    assert judged(old, new).relation not in EXCLUDING


@pytest.mark.parametrize(
    ("old", "new"),
    [ASKED[0], ("The payroll deadline is the 15th of each month", "The payroll deadline moved to the 23rd")],
)
def test_it_is_asked_at_once_and_marked_at_starts(memory: Memory, old: str, new: str) -> None:
    first = memory("memory_store_fact", category="decision", fact=old, project="shop").fact.fact_id
    memory.clock.forward(minutes=1)
    answer = memory("memory_store_fact", category="decision", fact=new, project="shop")
    assert [(each.relation, each.fact.fact_id) for each in answer.related] == [("may_contradict", first)]
    told = parts_of(memory("memory_get_context", project="shop").context)[FACTS].lines
    assert any(new in line and f"(may contradict the older `{first[:8]}`)" in line for line in told)
