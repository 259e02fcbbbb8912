"""What says too little of a question is not shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.search.cutoff import Cutoff
from tests.memory.living import Memory

SHARES = st.floats(0, 1)
ENOUGH = st.builds(Cutoff, words=st.integers(1, 30), best=SHARES, alike=st.floats(0.2, 0.9))


@pytest.mark.parametrize("words", [1, 2])
def test_of_one_or_two_words_each_is_enough(words: int) -> None:
    assert Cutoff(words, best=1.0, alike=0.35).covers(0.01, -0.2)


def test_one_shared_word_of_several_is_not_enough_where_the_thing_is_about_something_else() -> None:
    flight_booking_to_lisbon = Cutoff(words=3, best=0.2, alike=0.35)
    assert not flight_booking_to_lisbon.covers(0.2, 0.1)
    assert flight_booking_to_lisbon.covers(0.2, 0.2)


def test_what_covers_little_beside_the_best_is_not_enough() -> None:
    assert not Cutoff(words=5, best=0.9, alike=0.35).covers(0.2, None)
    assert Cutoff(words=5, best=0.5, alike=0.35).covers(0.2, None)


def test_what_means_the_same_needs_no_words() -> None:
    enough = Cutoff(words=5, best=0.9, alike=0.35)
    assert enough.is_near(0.35)
    assert not enough.is_near(0.34)
    assert not enough.is_near(None)


@given(ENOUGH, SHARES)
def test_what_covers_most_is_always_enough_where_meanings_are_unknown(enough: Cutoff, covered: float) -> None:
    assert enough.covers(max(covered, enough.best), None)


@given(ENOUGH, SHARES, SHARES, st.floats(-1, 1), st.floats(-1, 1))
def test_more_words_and_a_nearer_meaning_never_hide_anything(
    enough: Cutoff, covered: float, more: float, similarity: float, nearer: float
) -> None:
    if enough.covers(covered, similarity):
        assert enough.covers(max(covered, more), max(similarity, nearer))


def keep(memory: Memory, text: str) -> str:
    """Keep it in a session of its own, so that nothing stands beside it; its id."""
    memory("memory_start_session", project=None)
    return memory("memory_flag_important", content=text, flag_reason="kept").chunk_id


def found(memory: Memory, query: str) -> set[str]:
    hits = memory("memory_semantic_search", query=query).hits
    return {moment.id for hit in hits for moment in hit.moments}


def test_things_that_share_one_common_word_are_not_shown_beside_the_one_that_answers(memory: Memory) -> None:
    others = [keep(memory, f"The {room} has a window, and another") for room in ("kitchen", "attic", "cellar", "hall")]
    wanted = keep(memory, "The maintenance window of the billing database is on Sunday")
    assert found(memory, "billing database maintenance window Sunday") == {wanted}
    assert found(memory, "window") == {wanted, *others}


def test_what_contains_a_piece_of_the_question_is_shown_whatever_else_it_lacks(memory: Memory) -> None:
    keep(memory, "The maintenance window of the billing database is on Sunday evening")
    piece = keep(memory, "See JsonSerializerFactory there")
    assert piece in found(memory, "billing database maintenance Sunday evening nSerializerF")
