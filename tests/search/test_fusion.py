"""What words, meaning and surroundings say together: pure, so the candidates are written down."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.search.ranking import MEASURED, PARTS, RankedCandidate, Weights
from bigmind.search.ranking import ranked as ranked_in_columns
from tests.search.plain_ranking import Candidate, in_columns, plainly_ranked

RARE = {"loom": 0.7, "thread": 0.3}


def ranked(
    candidates: Sequence[Candidate],
    rarity: Mapping[str, float],
    weights: Weights = MEASURED,
    telling: Mapping[str, float] | None = None,
) -> list[RankedCandidate]:
    return ranked_in_columns(in_columns(candidates, rarity), rarity, weights, telling)


def moment(number: int, **told: object) -> Candidate:
    """The moment of that place of one session."""
    return Candidate(key=("chunk", number), group=told.pop("group", 1), place=number, **told)


def order(*candidates: Candidate, weights: Weights | None = None) -> list[tuple[str, int]]:
    return [each.key for each in ranked(candidates, RARE, weights or Weights())]


def both(words: float, terms: tuple[str, ...]) -> dict[str, object]:
    return {"words": words, "terms": frozenset(terms)}


def test_what_has_the_words_goes_before_what_has_none() -> None:
    assert order(moment(1), moment(9, **both(1.0, ("loom",)))) == [("chunk", 9), ("chunk", 1)]


def test_what_is_nearer_in_meaning_goes_first() -> None:
    assert order(moment(1, meaning=0.6), moment(9, meaning=0.2)) == [("chunk", 1), ("chunk", 9)]


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    rare, common = moment(1, **both(0.5, ("loom",))), moment(9, **both(0.5, ("thread",)))
    assert order(common, rare)[0] == rare.key


def test_what_covers_more_of_the_question_goes_before_what_repeats_one_word() -> None:
    repeats, covers = moment(1, **both(0.6, ("thread",))), moment(9, **both(0.6, ("thread", "loom")))
    assert order(repeats, covers)[0] == covers.key


def test_the_moment_after_a_question_that_matches_goes_before_the_question() -> None:
    question = moment(4, **both(1.0, ("thread",)), asks=True)
    answer = moment(5, **both(0.6, ("loom",)))
    elsewhere = moment(9, **both(0.6, ("loom",)))
    assert order(question, answer, elsewhere)[0] == answer.key


def test_a_word_beside_a_moment_counts_less_than_one_in_it() -> None:
    found = {each.key[1]: each.covered for each in ranked([moment(4, terms=frozenset({"loom"})), moment(5)], RARE)}
    assert 0 < found[5] < found[4]


def test_an_answer_nearly_has_the_words_that_it_was_asked_with() -> None:
    rows = [moment(4, terms=frozenset({"loom"}), asks=True), moment(5, terms=frozenset({"thread"})), moment(6)]
    covered = {each.key[1]: each.covered for each in ranked(rows, RARE)}
    assert covered[5] == pytest.approx(0.9 * RARE["loom"] + RARE["thread"])
    assert 0 < covered[6] < covered[5] - RARE["thread"]


def test_a_reply_that_tells_nothing_covers_no_more_of_its_question_than_a_neighbor() -> None:
    """ "Let me look that up for you." says nothing of what was asked."""
    asked, short = moment(4, terms=frozenset({"loom"}), asks=True), moment(5, tells=0.28)
    covered = {each.key[1]: each.covered for each in ranked([asked, short], RARE)}
    assert covered[5] == pytest.approx(0.6 * RARE["loom"])
    covered = {each.key[1]: each.covered for each in ranked([asked, short._replace(tells=0.3)], RARE)}
    assert covered[5] == pytest.approx(0.9 * RARE["loom"])


def test_a_word_counts_once_however_many_neighbours_have_it() -> None:
    around = [moment(number, terms=frozenset({"loom"})) for number in (3, 4, 6, 7)]
    covered = {each.key[1]: each.covered for each in ranked([*around, moment(5)], RARE)}
    assert covered[5] == pytest.approx(0.6 * RARE["loom"])


def test_a_related_word_counts_less_than_the_word_before_it_and_more_than_one_behind() -> None:
    rows = [moment(4, terms=frozenset({"loom"})), moment(5), moment(9, related=frozenset({"loom"})), moment(13)]
    rows += [moment(14, terms=frozenset({"loom"}))]
    covered = {each.key[1]: each.covered for each in ranked(rows, RARE)}
    assert covered[4] > covered[5] > covered[9] > covered[13] > 0


def test_neighbours_of_other_sessions_are_no_neighbours() -> None:
    found = ranked([moment(4, terms=frozenset({"loom"})), moment(5, group=2)], RARE)
    assert {each.key[1]: each.covered for each in found}[5] == 0


def test_who_is_named_goes_before_who_is_not() -> None:
    assert order(moment(1, words=0.5, named=True), moment(9, words=0.5))[0] == ("chunk", 1)


def test_a_name_alone_brings_nothing_up() -> None:
    named, answers = moment(1, tells=0.1, named=True), moment(9, **both(1.0, ("loom", "thread")))
    assert order(named, answers)[0] == answers.key


def test_a_name_never_makes_what_speaks_against_a_thing_count_more() -> None:
    scores = {each.key[1]: each.score for each in ranked([moment(1, asks=True, named=True, tells=0.0)], RARE)}
    assert scores[1] == Weights().asks


def test_meaning_counts_the_more_the_less_the_words_cover() -> None:
    def meaning(*terms: str) -> float:
        covers, near = moment(1, meaning=0.1, **both(1.0, terms)), moment(9, meaning=0.6)
        return {each.key[1]: each.parts["meaning"] for each in ranked([covers, near], RARE)}[9]

    assert meaning() > meaning("thread") > meaning("loom", "thread") > 0


def test_what_is_near_the_time_that_was_named_goes_first() -> None:
    assert order(moment(1, words=0.5, when=1.0), moment(9, words=0.5, when=0.1))[0] == ("chunk", 1)


def test_what_tells_a_time_goes_first_when_one_is_asked_for() -> None:
    assert order(moment(1, words=0.5, timed=True), moment(9, words=0.5))[0] == ("chunk", 1)


def test_of_equal_ones_the_newer_goes_first() -> None:
    assert order(moment(1, words=0.5), moment(9, words=0.5)) == [("chunk", 9), ("chunk", 1)]


def test_a_fact_is_not_behind_a_moment_because_nothing_stands_beside_it() -> None:
    fact = Candidate(("fact", 1), words=1.0, terms=frozenset(RARE), meaning=0.7)
    weak = [moment(number, **both(0.3, ("thread",)), meaning=0.3) for number in range(20)]
    assert order(*weak, fact)[0] == fact.key


def test_only_the_parts_that_are_asked_for_count() -> None:
    near, wordy = moment(1, meaning=0.9), moment(9, **both(1.0, ("loom", "thread")), meaning=0.1, named=True)
    assert order(near, wordy, weights=Weights.only(meaning=1.0))[0] == near.key
    assert order(near, wordy, weights=Weights.only(words=1.0))[0] == wordy.key


def test_nothing_is_ranked_as_nothing() -> None:
    assert ranked([], RARE) == []


CANDIDATES = st.lists(
    st.builds(
        Candidate,
        key=st.tuples(st.sampled_from(["chunk", "fact"]), st.integers(1, 500)),
        words=st.floats(0, 1.5),
        meaning=st.none() | st.floats(-1, 1),
        terms=st.frozensets(st.sampled_from([*RARE, "unknown"])),
        related=st.frozensets(st.sampled_from([*RARE, "unknown"])),
        group=st.integers(0, 3),
        place=st.integers(0, 8),
        named=st.booleans(),
        asks=st.booleans(),
        tells=st.floats(0, 1),
        timed=st.booleans(),
        when=st.floats(0, 1),
    ),
    unique_by=lambda each: each.key,
    max_size=30,
)


@given(CANDIDATES)
def test_every_candidate_is_ranked_once_with_parts_that_make_its_score(candidates: list[Candidate]) -> None:
    found = ranked(candidates, RARE)
    assert sorted(each.key for each in found) == sorted(each.key for each in candidates)
    assert [each.score for each in found] == sorted((each.score for each in found), reverse=True)
    for each in found:
        assert set(each.parts) == set(PARTS)
        assert each.score == pytest.approx(sum(each.parts.values()))
        assert 0 <= each.covered <= 1.0 + 1e-9


WEIGHTS = st.builds(
    Weights,
    **{name: st.floats(-1, 1) for name in PARTS},
    words_around=st.tuples(*[st.floats(0, 1)] * 4),
    meaning_around=st.tuples(*[st.floats(0, 1)] * 4),
    alone=st.floats(0, 1),
)


@given(CANDIDATES, WEIGHTS, st.none() | st.just({"thread": 1.0}))
def test_columns_say_to_the_last_bit_what_one_thing_after_the_other_says(
    candidates: list[Candidate], weights: Weights, telling: dict[str, float] | None
) -> None:
    assert ranked(candidates, RARE, weights, telling) == plainly_ranked(candidates, RARE, weights, telling)


@given(CANDIDATES, st.randoms(use_true_random=False))
def test_the_order_does_not_depend_on_the_order_of_the_candidates(candidates: list[Candidate], random) -> None:
    # Two at one place of one session are no session: the store has one moment at each.
    placed = list({(each.group, each.place) if each.group else each.key: each for each in candidates}.values())
    mixed = random.sample(placed, len(placed))
    scores = {each.key: each.score for each in ranked(placed, RARE)}
    assert {each.key: each.score for each in ranked(mixed, RARE)} == pytest.approx(scores)
