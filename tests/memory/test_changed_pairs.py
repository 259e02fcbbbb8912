"""A fact that says that something changed is asked about beside the one that it leaves; nothing loses by it."""

from itertools import combinations

import pytest

from bigmind.text.contradiction import judged
from bigmind.text.similarity import Relation
from tests.memory.changed_pairs import CHANGED, UNCHANGED
from tests.memory.living import Memory
from tests.memory.ordinary_facts import ORDINARY
from tests.memory.parts import FACTS, parts_of
from tests.thorough import spread

FAR_APART = [
    ("The pay service runs on Node 20.", "We moved to Node 22."),
    ("Tests run with Jest.", "We use Vitest now."),
    ("Deploys to production need approval by Mira.", "Deploys to production are approved by Jonas now."),
]
"""Pairs that share so few words that the marks at starts are for what one of them says of all."""


@pytest.mark.parametrize(("old", "new"), CHANGED)
def test_what_changed_may_contradict_what_was(old: str, new: str) -> None:
    assert judged(new, old).relation in (Relation.MAY_CONTRADICT, Relation.CONTRADICTS)
    assert judged(old, new).relation in (Relation.MAY_CONTRADICT, Relation.CONTRADICTS), "whichever was stored first"


@pytest.mark.parametrize(("old", "new"), UNCHANGED)
def test_what_only_looks_like_it_may_not(old: str, new: str) -> None:
    assert judged(new, old).relation not in (Relation.MAY_CONTRADICT, Relation.CONTRADICTS)
    told_backward = judged(old, new).relation
    assert told_backward not in (Relation.MAY_CONTRADICT, Relation.CONTRADICTS), "whichever was stored first"


def test_none_of_many_ordinary_facts_is_asked_about_beside_another() -> None:
    asked = [
        (old, new)
        for old, new in spread([*combinations(ORDINARY, 2)], 4_000)
        if judged(new, old).relation in (Relation.MAY_CONTRADICT, Relation.CONTRADICTS)
    ]
    assert not asked


@pytest.mark.parametrize(("old", "new"), [*CHANGED[:1], *CHANGED[5:6], *FAR_APART])
def test_it_is_asked_at_once_and_marked_at_starts(memory: Memory, old: str, new: str) -> None:
    first = memory("memory_store_fact", category="architecture", fact=old, project="shop").fact.fact_id
    memory.clock.forward(minutes=1)
    answer = memory("memory_store_fact", category="decision", fact=new, project="shop")
    assert [(each.relation, each.fact.fact_id) for each in answer.related] == [("may_contradict", first)]
    assert answer.related[0].fact.confidence == 1, "the words alone are not certain"
    told = parts_of(memory("memory_get_context", project="shop").context)[FACTS].lines
    assert any(new in line and f"(may contradict the older `{first[:8]}`)" in line for line in told)


def test_what_changed_twice_is_marked_in_the_order_in_which_it_changed(memory: Memory) -> None:
    ids: list[str] = []
    for amount in (100, 250, 300):
        text = f"The rate limit of the payment provider is {amount} requests per second."
        fact = memory("memory_store_fact", category="constraint", fact=text, project="shop").fact
        ids.append(fact.fact_id[:8])
        memory.clock.forward(minutes=1)
    told = parts_of(memory("memory_get_context", project="shop").context)[FACTS].lines
    marks = {line.split("`")[1]: line.split("`")[3] for line in told if "the older" in line}
    assert marks == {ids[1]: ids[0], ids[2]: ids[1]}
