"""A contradicted fact loses confidence only when it is certain: 120 pairs from engineers' days, judged by hand."""

from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigmind.text.contradiction import is_certain, judged
from bigmind.text.similarity import Relation
from tests.memory import fact_pairs
from tests.memory.engineering_pairs import (
    CERTAIN,
    DOUBTFUL,
    HARMLESS,
    LATER_CERTAIN,
    LATER_HARMLESS,
)
from tests.memory.living import Memory
from tests.thorough import often

Pairs = Sequence[tuple[str, str]]
ALL_HARMLESS = HARMLESS + LATER_HARMLESS + fact_pairs.UNRELATED + fact_pairs.LATER_UNRELATED


def shares(pairs: Pairs) -> dict[Relation | None, float]:
    found = Counter(judged(new, old).relation for old, new in pairs)
    return {relation: found[relation] / len(pairs) for relation in (*Relation, None)}


def test_there_are_enough_of_them() -> None:
    assert len(HARMLESS) >= 80
    assert len(HARMLESS) + len(CERTAIN) + len(DOUBTFUL) >= 120


@pytest.mark.parametrize(("old", "new"), ALL_HARMLESS)
def test_of_two_that_both_hold_none_loses(old: str, new: str) -> None:
    assert judged(new, old).relation is not Relation.CONTRADICTS
    assert judged(old, new).relation is not Relation.CONTRADICTS


def test_most_certain_contradictions_are_certain() -> None:
    for name, pairs in (("certain", CERTAIN), ("later certain", LATER_CERTAIN), ("doubtful", DOUBTFUL)):
        found = shares(pairs)
        print(f"{name}: {found[Relation.CONTRADICTS]:.0%} lose, {found[Relation.MAY_CONTRADICT]:.0%} are asked")
    asked = shares(HARMLESS + LATER_HARMLESS)[Relation.MAY_CONTRADICT]
    print(f"harmless: {asked:.0%} are asked")
    assert shares(CERTAIN + LATER_CERTAIN)[Relation.CONTRADICTS] >= 0.8
    assert shares(CERTAIN + LATER_CERTAIN)[None] == 0
    assert asked <= 0.15


def test_what_is_doubtful_takes_nothing() -> None:
    assert shares(DOUBTFUL)[Relation.CONTRADICTS] == 0


@pytest.mark.parametrize(("old", "new"), CERTAIN + LATER_CERTAIN)
def test_it_does_not_matter_which_of_two_was_first(old: str, new: str) -> None:
    assert judged(new, old) == judged(old, new)


def test_facts_of_a_person_and_of_a_project_never_exclude_each_other() -> None:
    for old, new in CERTAIN:
        assert judged(new, old, same_scope=False).relation is not Relation.CONTRADICTS


SUBJECTS = ("The gateway", "The search service", "The importer", "The orders table", "The build", "The nightly job")
VERBS = ("requires", "is limited to", "takes", "has", "uses", "is", "keeps")
OBJECTS = ("Redis", "PostgreSQL", "two approvals", "14 columns", "3 minutes", "Python", "a lock", "9 nodes")
sentences = st.builds(
    "{} {} {}{}".format,
    st.sampled_from(SUBJECTS),
    st.sampled_from(VERBS),
    st.sampled_from(OBJECTS),
    st.sampled_from(("", " in the EU", " in the US", " for partners")),
)


@settings(max_examples=often(500, 30))
@given(sentences, sentences)
def test_other_subjects_and_other_places_never_exclude_each_other(one: str, other: str) -> None:
    subjects = [next(each for each in SUBJECTS if text.startswith(each)) for text in (one, other)]
    places = [text.partition(" in the ")[2] + text.partition(" for ")[2] for text in (one, other)]
    if subjects[0] != subjects[1] or places[0] != places[1]:
        assert not is_certain(one, other)


@settings(max_examples=often(200, 20))
@given(st.text(max_size=200), st.text(max_size=200))
def test_any_two_texts_are_judged_alike_in_both_directions(one: str, other: str) -> None:
    assert is_certain(one, other) == is_certain(other, one)
    assert not is_certain(one, one)


@settings(max_examples=often(500, 30))
@given(sentences)
def test_a_fact_and_its_denial_exclude_each_other(text: str) -> None:
    verb = next(each for each in VERBS if f" {each} " in text)
    assert is_certain(text.replace(f" {verb} ", f" never {verb} ", 1), text)


def test_twenty_services_and_their_ports_keep_all_their_confidence(memory: Memory) -> None:
    for number in range(20):
        answer = memory(
            "memory_store_fact", category="codebase", fact=f"Service {number} listens on {9000 + number}", project="pay"
        )
        assert answer.related == []
    rows = memory("memory_list_facts", limit=100).facts
    assert [row.confidence for row in rows] == [1.0] * 20


def test_a_store_of_distinct_facts_keeps_all_confidences(memory: Memory) -> None:
    texts = [text for pair in ALL_HARMLESS for text in pair]
    for text in dict.fromkeys(texts[: often(200, 80)]):
        memory("memory_store_fact", category="codebase", fact=text, project="pay")
    rows = memory("memory_list_facts", limit=500).facts
    assert [row.fact for row in rows if row.confidence != 1.0] == []


def test_both_hold_when_the_older_words_are_stored_again(memory: Memory) -> None:
    old = memory("memory_store_fact", category="codebase", fact="Uploads are limited to 25 MB", confidence=0.8)
    new = memory("memory_store_fact", category="codebase", fact="Uploads are limited to 50 MB", confidence=0.9)
    related = new.related[0]
    assert (related.relation, related.fact.fact_id) == ("contradicts", old.fact.fact_id)
    assert related.fact.confidence == pytest.approx(0.48)
    assert f"store the words of {old.fact.fact_id[:8]} again" in new.in_words()
    again = memory("memory_store_fact", category="codebase", fact=related.fact.fact, confidence=0.1)
    assert (again.outcome, again.given_back, again.fact.confidence) == ("confirmed", True, 0.8)
    assert "given back" in again.as_text()
    rows = memory("memory_list_facts").facts
    assert sorted(row.confidence for row in rows) == [0.8, 0.9]


def test_what_is_doubtful_is_asked_with_the_others_id(memory: Memory) -> None:
    old = memory("memory_store_fact", category="codebase", fact="The library supports Node 18").fact
    new = memory("memory_store_fact", category="codebase", fact="The library supports Node 20")
    related = new.related[0]
    assert (related.relation, related.fact.confidence) == ("may_contradict", 1.0)
    text = new.as_text()
    assert f"It may contradict {old.fact_id[:8]}" in text
    assert f"Do {old.fact_id[:8]} and {new.fact.fact_id[:8]} both hold?" in new.in_words()
