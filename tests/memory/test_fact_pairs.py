"""Two facts are held against each other by their words: what is found, asked and left alone, counted."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.text.contradiction import judged
from bigmind.text.similarity import MOST_WORDS, Relation
from tests.memory.fact_pairs import (
    CONTRADICTIONS,
    LATER_CONTRADICTIONS,
    LATER_REPEATS,
    LATER_UNRELATED,
    REPEATS,
    UNRELATED,
)

JUDGED = {
    Relation.REPEATS: REPEATS + LATER_REPEATS,
    Relation.CONTRADICTS: CONTRADICTIONS + LATER_CONTRADICTIONS,
    None: UNRELATED + LATER_UNRELATED,
}


def found(new: str, old: str) -> Relation | None:
    """What is found between two facts; whether it is certain is judged in `test_engineering_pairs.py`."""
    relation = judged(new, old).relation
    return Relation.CONTRADICTS if relation is Relation.MAY_CONTRADICT else relation


def counted(relation: Relation) -> tuple[float, float]:
    """Precision and recall of a relation over all pairs."""
    said = [(found(new, old), truth) for truth, pairs in JUDGED.items() for old, new in pairs]
    right = sum(one is relation and truth is relation for one, truth in said)
    return right / sum(one is relation for one, _ in said), right / sum(truth is relation for _, truth in said)


@pytest.mark.parametrize("relation", [Relation.REPEATS, Relation.CONTRADICTS])
def test_most_are_found_and_few_are_found_wrongly(relation: Relation):
    assert sum(map(len, JUDGED.values())) >= 140
    precision, recall = counted(relation)
    assert precision >= 0.97
    assert recall >= 0.95


def test_the_pairs_that_were_written_after_the_rules_are_judged_as_well():
    later = {Relation.REPEATS: LATER_REPEATS, Relation.CONTRADICTS: LATER_CONTRADICTIONS, None: LATER_UNRELATED}
    right = sum(found(new, old) is truth for truth, pairs in later.items() for old, new in pairs)
    assert right >= 32  # of 34


def test_it_does_not_matter_which_of_two_was_first():
    for pairs in JUDGED.values():
        for old, new in pairs:
            assert judged(new, old) == judged(old, new)


@pytest.mark.parametrize("text", ["User prefers tabs", "Deploy never on Fridays", "Port 8080", "数据库迁移在周五", "x"])
def test_a_fact_repeats_itself(text: str):
    judgement = judged(text, text)
    assert (judgement.relation, judgement.similarity) == (Relation.REPEATS, 1.0)


GITHUB, SLACK, PASSWORD = "[masked: GitHub token]", "[masked: Slack token]", "[masked: password]"

SIGNS_IN = "The release bot of billing signs in with"


@pytest.mark.parametrize(
    ("one", "other", "repeats"),
    [
        (f"{SIGNS_IN} {GITHUB}", f"{SIGNS_IN} {SLACK}", False),
        (f"{SIGNS_IN} {GITHUB}", f"{SIGNS_IN} {GITHUB}", True),
        (f"{SIGNS_IN} {GITHUB}", f"{SIGNS_IN} a key", False),
        (f"Token: {GITHUB}", f"Token: {SLACK}", False),
        (f"Token: {GITHUB}", f"Token: {GITHUB}", False),
        (f"DB_PASSWORD={PASSWORD}", f"APP_PASSWORD={PASSWORD}", False),
        (f"Staging uses {GITHUB} and {SLACK} for its release bot", f"Staging uses {GITHUB} for its release bot", False),
    ],
)  # fmt: skip
def test_what_was_masked_is_no_word_that_two_texts_share(one: str, other: str, repeats: bool):
    assert judged(one, other).relation is (Relation.REPEATS if repeats else None)


@given(st.text(max_size=300), st.text(max_size=300))
def test_any_two_texts_are_judged(one: str, other: str):
    assert 0 <= judged(one, other).similarity <= 1


def test_of_a_long_text_the_beginning_is_compared():
    start = " ".join(f"word{number}" for number in range(MOST_WORDS))
    assert judged(f"{start} {'tail ' * 10_000}", f"{start} and another end").relation is Relation.REPEATS
