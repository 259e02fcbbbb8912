"""A hypothesis that a search finds says how it ended: the words of a refuted one read as what is so."""

import pytest

from bigmind.cli.search_command import show_findings
from tests.memory.living import Memory

WRONG, RIGHT = "Terraform plans are slow because of the cache.", "Terraform plans are slow because of the rate limit."
QUESTION = "why are terraform plans slow"


def added(memory: Memory, text: str, status: str = "") -> str:
    uid = memory("memory_add_hypothesis", hypothesis=text).hypothesis.hypothesis_id
    if status:
        memory("memory_resolve_hypothesis", id=uid, status=status, resolution="It was measured")
    return uid


@pytest.mark.parametrize("status", ["refuted", "abandoned", "confirmed"])
def test_one_that_ended_says_how_and_an_open_one_nothing(memory: Memory, status: str) -> None:
    ended, still = added(memory, WRONG, status), added(memory, RIGHT)
    found = memory("memory_semantic_search", query=QUESTION)
    assert {each.id: each.status for each in found.hits} == {ended: status, still: ""}
    text = found.as_text()
    assert f"- hypothesis {ended[:8]} ({status}) · " in text
    assert f"- hypothesis {still[:8]} · " in text


def test_the_terminal_says_it_too(memory: Memory, capsys: pytest.CaptureFixture[str]) -> None:
    ended = added(memory, WRONG, "refuted")
    show_findings(memory("memory_semantic_search", query=QUESTION))
    assert f"hypothesis · {ended[:8]} · refuted · " in capsys.readouterr().out
