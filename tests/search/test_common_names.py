"""What a question means is asked without names that stand nearly everywhere."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from unittest.mock import patch

import pytest

from bigmind.embedding.models import ALIKE, CLOSE, DEFAULT, MULTILINGUAL, model_named
from bigmind.search import common_names
from tests.memory.living import Memory
from tests.search.alike import Alike, alike, alike_in
from tests.search.test_finding import found, keep

TALK = [
    each
    for number in range(12)
    for each in (f"Ada: the loom number {number} is mine, Zoë", f"Zoë: and number {number} is warped, Ada")
]
"""Both names stand in all of it."""


@contextmanager
def embedded(memory: Memory) -> Iterator[list[str]]:
    """The questions that are embedded meanwhile."""
    asked: list[str] = []
    query = Alike.query

    def noted(self: Alike, model: str, text: str) -> object:
        asked.append(text)
        return query(self, model, text)

    with alike_in(memory) as index, patch.object(Alike, "query", noted):
        index.catch_up()
        yield asked


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What did Ada say of the lake?", "What did   say of the lake?"),
        ("Is Ada's lake Zoë\u2019s lake, AdaZoë?", "Is   lake   lake, AdaZoë?"),
        ("What did ada say of the lake?", "What did ada say of the lake?"),
        ("Does Ada ada the loom?", "Does   ada the loom?"),
        ("Was sagte Ada von dem See, und wann war das?", "Was sagte Ada von dem See, und wann war das?"),
        ("What did Ada do?", "What did Ada do?"),
        ("WHAT DID ADA SAY OF THE LAKE?", "WHAT DID ADA SAY OF THE LAKE?"),
        ("Which Lake has a loom?", "Which Lake has a loom?"),
        ("Ada and Zoë", "Ada and Zoë"),
        ("When did it rest?", "When did it rest?"),
    ],
)
def test_what_a_question_means_is_asked_without_names_that_stand_nearly_everywhere(
    memory: Memory, question: str, asked: str
) -> None:
    keep(memory, *TALK)
    with embedded(memory) as texts:
        memory("memory_search_chunks", query=question)
    assert texts == [asked]


def test_a_name_in_few_things_is_asked_with_however_few_there_are(memory: Memory) -> None:
    keep(memory, *TALK[:18])
    with embedded(memory) as texts:
        memory("memory_search_chunks", query="What did Ada say of the lake?")
    assert texts == ["What did Ada say of the lake?"]


def test_a_name_that_stands_in_less_than_a_fifth_is_asked_with(memory: Memory) -> None:
    keep(memory, *TALK, *(f"nobody said number {number}" for number in range(100)))
    with embedded(memory) as texts:
        memory("memory_search_chunks", query="What did Ada say of the lake?")
    assert texts == ["What did Ada say of the lake?"]


def test_it_is_looked_for_by_its_words_all_the_same(memory: Memory) -> None:
    keep(memory, *TALK)
    keep(memory, "Zoë lives at the lake, and swims", "Ada lives at the lake, and swims")
    with embedded(memory):
        assert found(memory, "Where does Ada live, at the lake?")[0] == "Ada lives at the lake, and swims"


def test_only_the_newest_rows_say_whether_a_name_is_common(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    keep(memory, *TALK)
    monkeypatch.setattr(common_names, "NEWEST_ROWS", 30)
    keep(memory, *(f"nobody said number {number}" for number in range(25)))
    with embedded(memory) as texts:
        memory("memory_search_chunks", query="What did Ada say of the lake?")
    assert texts == ["What did Ada say of the lake?"]
    keep(memory, *TALK)
    with embedded(memory) as texts:
        memory("memory_search_chunks", query="What did Ada say of the lake?")
    assert texts == ["What did   say of the lake?"]


def test_what_is_alike_without_the_names_is_told_as_alike(memory: Memory) -> None:
    keep(memory, *TALK)

    def farther(self: Alike, model: str, text: str) -> object:
        """Nearer than what is alike without names, farther than what is alike with them."""
        del self, model
        question: Future[bytes] = Future()
        question.set_result(bytes(each if place % 3 else 256 - each for place, each in enumerate(alike(text))))
        return question

    with alike_in(memory) as index, patch.object(Alike, "query", farther):
        index.catch_up()
        nameless = memory("memory_search_chunks", query="What did Ada say of the lake?")
        named = memory("memory_search_chunks", query="What did somebody say of the lake?")
    assert model_named(DEFAULT).nameless().alike < 1 / 3 < model_named(DEFAULT).alike
    assert len(nameless.hits) == 5
    assert all(ALIKE <= each.similarity < CLOSE and "meaning" in each.why for each in nameless.hits)
    assert nameless.answers_well
    assert not named.answers_well
    assert all(each.similarity < ALIKE for each in named.hits)


@pytest.mark.parametrize("question", ["BigMind", "BigMind?", "What did BigMind do?", "BigMind and Ada"])
def test_a_question_of_nothing_but_common_names_is_asked_as_it_is(memory: Memory, question: str) -> None:
    keep(memory, *(f"BigMind: the gateway, Ada, number {number}" for number in range(30)))
    with embedded(memory) as texts:
        memory("memory_search_chunks", query=question)
    assert texts == [question]


def test_a_model_of_which_nobody_measured_it_needs_as_much_without_the_names() -> None:
    assert model_named(MULTILINGUAL.name).nameless() == replace(MULTILINGUAL, alike=MULTILINGUAL.alike)
    assert model_named(DEFAULT).nameless().similarity(model_named(DEFAULT).alike_nameless) == ALIKE
