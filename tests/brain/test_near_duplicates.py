"""What a contribution is like, by the real model, at each number, and by words: near, a duplicate, a contradiction."""

from collections.abc import Iterator
from typing import Any

import pytest

from bigmind.embedding.embedder import Embedder
from bigmind.local.program import embedder_command
from tests.brain.agents import Agent
from tests.brain.nearness import measure_vectors, stored, vector_at
from tests.kinds.noting import SECRET
from tests.memory.living import Memory

TUESDAYS = "Deployments to production happen on Tuesdays only, because support is fully staffed then."
CLOSE = "Production deployments are done on Tuesdays, when the whole support team is there."
SAME = "We deploy to production only on Tuesdays, since support is fully staffed on that day."
ALIKE = "Releases go live on Tuesdays so that support has all its people."
MORE = "Deployments to production happen on Tuesdays only, at 14:00, once Mara has frozen the Kestrel branch."
PROPOSAL, SAME_PROPOSAL = "contribute_to_brain(refines=", "contribute_to_brain(consolidates="


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    """The program that ships, with the default model."""
    made = Embedder(embedder_command(), tmp_path_factory.mktemp("models"))
    yield made
    made.close()


@pytest.fixture
def meaning(memory: Memory, embedder: Embedder) -> Memory:
    """A memory that searches by meaning."""
    measure_vectors(memory, embedder)
    return memory


def learn(memory: Memory, text: str, **more: Any) -> Any:
    """A contribution that is stored; its answer."""
    answer = memory("contribute_to_brain", prompt=text, **more)
    assert answer.trace.thought_id
    return answer


def judged(answer: Any) -> tuple[bool, str]:
    """Whether it is flagged as a duplicate, and what is proposed."""
    told = " ".join(answer.result.guidance)
    proposed = "refines" if PROPOSAL in told else "consolidates" if SAME_PROPOSAL in told else ""
    return "near_duplicate" in answer.trace.quality_flags, proposed


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (ALIKE, (False, "")),
        (CLOSE, (False, "refines")),
        (SAME, (True, "consolidates")),
        (TUESDAYS, (True, "consolidates")),
    ],
)
def test_by_the_model_close_proposes_refining_and_the_same_consolidating(
    meaning: Memory, text: str, expected: tuple[bool, str]
) -> None:
    known = learn(meaning, TUESDAYS).trace.thought_id
    answer = learn(meaning.over(None, "another"), text)
    assert judged(answer) == expected
    assert (known[:8] in " ".join(answer.result.guidance)) is bool(expected[1])


@pytest.mark.parametrize(
    ("similarity", "beyond", "expected"),
    [
        (0.85, False, (False, "")),
        (0.85, True, (False, "refines")),
        (0.90, False, (False, "refines")),
        (0.90, True, (True, "consolidates")),
    ],
)
def test_the_proposals_change_at_their_numbers(
    memory: Memory, similarity: float, beyond: bool, expected: tuple[bool, str]
) -> None:
    stored(memory, "Something else in other words.", vector_at(similarity, beyond=beyond))
    measure_vectors(memory)
    assert judged(learn(memory, TUESDAYS)) == expected


def test_a_contribution_waits_for_its_own_vector(meaning: Memory) -> None:
    learn(meaning, TUESDAYS)
    with meaning.mind.store.alone() as writer:
        assert writer.execute("SELECT count(*) FROM embedding WHERE kind = 'thought'").fetchone() == (1,)
        assert writer.execute("SELECT count(*) FROM embedding_queue").fetchone() == (0,)


def test_what_was_masked_may_be_all_that_sets_two_texts_apart(meaning: Memory) -> None:
    """To the model they are nearly the same: it reads the kinds of the secrets, and not the secrets."""
    text = "The deploy of the gateway signs in at the registry of its team with"
    slack = "xox" + "b-2345678901-2345678901234-AbCdEfGhIjKlMnOpQrStUvWx"  # in parts, for scanners of the code
    learn(meaning, f"{text} {SECRET}")
    assert judged(learn(meaning, f"{text} {slack}")) == (False, "")
    assert judged(learn(meaning, f"{text} {SECRET} now")) == (True, "consolidates")


def test_a_refinement_is_not_compared_with_its_source_nor_a_consolidation(meaning: Memory) -> None:
    first = learn(meaning, TUESDAYS).trace.thought_id
    refined = learn(meaning, MORE, refines=first)
    assert judged(refined) == (False, "")
    other = learn(meaning, "Learned: the lift in Zurich is out of order until 9 May.").trace.thought_id
    more = "at 14:00, once Mara has frozen Kestrel; Ben is her deputy in August"
    text = f"Deployments to production happen on Tuesdays only, {more}."
    assert judged(learn(meaning, text, consolidates=[refined.trace.thought_id, other])) == (False, "")


@pytest.mark.parametrize(("text", "is_flagged"), [("at 14:00", True), ("at 14:00 by Mara", False)])
def test_a_refinement_that_adds_fewer_than_three_telling_words_nearly_repeats(
    memory: Memory, text: str, is_flagged: bool
) -> None:
    first = learn(memory, TUESDAYS).trace.thought_id
    answer = learn(memory, f"Deployments to production happen on Tuesdays {text}.", refines=first)
    assert judged(answer)[0] is is_flagged


def test_what_does_not_live_is_not_compared_unless_a_gate_used_it(meaning: Memory) -> None:
    first = learn(meaning, TUESDAYS).trace.thought_id
    learn(
        meaning, "The rule of the weekday is gone since the move to Kubernetes in June, as Ben decided.", refines=first
    )
    assert judged(learn(meaning, SAME)) == (False, "")
    with meaning.mind.store.alone() as writer:
        writer.execute("UPDATE thought SET gated_at = created_at WHERE uid = ?", (first,))
        writer.execute("DELETE FROM thought WHERE content = ?", (SAME,))
    assert judged(learn(meaning, SAME)) == (True, "consolidates")


def test_noise_and_others_private_thoughts_are_not_compared(meaning: Memory) -> None:
    first = learn(meaning, TUESDAYS).trace.thought_id
    meaning.as_person()("brain_mark_noise", id=first)
    assert judged(learn(meaning, SAME, space="private")) == (False, "")
    assert judged(learn(meaning.of("bob"), CLOSE)) == (False, "")


CORRECTION = "The limit of the Avocet API is 100 requests a second; the old figure was of the test stage."
WRONG, RIGHT = "The Avocet API allows 100 requests a minute.", "The Avocet API allows 100 requests a second."


@pytest.mark.parametrize(
    ("text", "contradicts"),
    [
        ("The Avocet API allows a hundred requests a minute to each of us.", True),
        ("The Avocet API allows a hundred requests a second to each of us.", False),
        ("The lift in Zurich is out of order until 9 May, says the caretaker.", False),
    ],
)
def test_what_says_a_corrected_fact_again_contradicts_the_correction(
    meaning: Memory, text: str, contradicts: bool
) -> None:
    correction = learn(meaning, CORRECTION, corrected_fact=WRONG, correct_fact=RIGHT).trace.thought_id
    answer = learn(meaning, text)
    assert ("contradicts_correction" in answer.trace.quality_flags) is contradicts
    assert (f"correction {correction[:8]}" in " ".join(answer.result.guidance)) is contradicts


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (TUESDAYS, (True, "consolidates")),
        (TUESDAYS.upper(), (True, "consolidates")),
        (CLOSE, (False, "")),
        (ALIKE, (False, "")),
    ],
)
def test_without_a_model_words_decide(memory: Memory, text: str, expected: tuple[bool, str]) -> None:
    learn(memory, TUESDAYS)
    answer = learn(memory, text)
    assert judged(answer) == expected
    assert answer.trace.retrieval_method == "words"


def test_what_is_right_after_a_correction_is_not_to_be_put_together_with_what_is_wrong(meaning: Memory) -> None:
    learn(meaning, CORRECTION, corrected_fact=WRONG, correct_fact=RIGHT)
    wrong = learn(meaning, "The Avocet API allows a hundred requests a minute to each of us.")
    assert wrong.trace.quality_flags == ["contradicts_correction"]
    right = learn(meaning, "The Avocet API allows a hundred requests a second to each of us.")
    told = [each for each in right.result.guidance if wrong.trace.thought_id[:8] in each]
    assert [each.partition(" ")[2].partition(" ")[2] for each in told] == [
        "says nearly the same and contradicts a correction: do not build on it."
    ]


def test_without_a_model_the_words_of_a_corrected_fact_contradict_too(memory: Memory) -> None:
    learn(memory, CORRECTION, corrected_fact=f"{WRONG} It was measured.", correct_fact=f"{RIGHT} It was measured.")
    assert "contradicts_correction" in learn(memory, f"{WRONG} It was measured.").trace.quality_flags
    assert "contradicts_correction" not in learn(memory, f"{RIGHT} It was measured.").trace.quality_flags


def test_agents_are_told_so_by_each_surface(agent: Agent) -> None:
    known = agent.learn(TUESDAYS)
    answer = agent.contribute(TUESDAYS)
    assert "near_duplicate" in answer["trace"]["quality_flags"]
    assert f"{SAME_PROPOSAL}[{known[:8]}, {answer['trace']['thought_id'][:8]}])" in " ".join(
        answer["result"]["guidance"]
    )
    refined = agent.contribute(MORE, refines=known)
    assert "near_duplicate" not in refined["trace"]["quality_flags"]
    assert refined["trace"]["lineage_summary"]["refines"] == [known]
    agent.learn(CORRECTION, corrected_fact=f"{WRONG} It was so.", correct_fact=f"{RIGHT} It was so.")
    assert "contradicts_correction" in agent.contribute(f"{WRONG} It was so.")["trace"]["quality_flags"]


def test_with_a_model_what_is_asked_is_found_by_meaning(meaning: Memory) -> None:
    thought = learn(meaning, TUESDAYS).trace.thought_id
    answer = meaning("query_brain", prompt="On which weekday do we ship new versions?")
    [source] = answer.result.sources
    assert (source.thought_id, answer.trace.retrieval_method) == (thought, "hybrid")
    assert source.matching_fields == ["meaning"]
