"""What a question means is asked without names that stand nearly everywhere."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import pytest

from tests.memory.living import Memory
from tests.search.alike import Alike, alike_in
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
