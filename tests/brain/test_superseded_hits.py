"""A thought that others took the place of says so wherever a search finds it: its words alone read as what holds."""

import pytest

from bigmind.cli.search_command import show_findings
from tests.memory.living import Memory

BEFORE = "Learned: the acquirer retries webhooks for 24 hours with the same event id, as its docs say."
AFTER = "Correction: the acquirer retries webhooks for 72 hours, as its support said on April 3."
QUESTION = "How long does the acquirer retry webhooks?"


def contributed(memory: Memory, text: str, **more: object) -> str:
    return memory("contribute_to_brain", prompt=text, topic="pay/webhooks", **more).trace.thought_id


def marks(memory: Memory) -> dict[str, str]:
    return {each.id: each.superseded_by for each in memory("memory_semantic_search", query=QUESTION).hits}


@pytest.mark.parametrize("relation", ["supersedes", "refines"])
def test_a_search_over_everything_names_what_took_its_place(
    memory: Memory, capsys: pytest.CaptureFixture[str], relation: str
) -> None:
    before = contributed(memory, BEFORE)
    assert marks(memory) == {before: ""}
    after = contributed(memory, AFTER, **{relation: [before] if relation == "supersedes" else before})
    assert marks(memory) == {before: after, after: ""}
    found = memory("memory_semantic_search", query=QUESTION)
    assert f"- thought {before[:8]} (superseded by {after[:8]}) · " in found.as_text()
    assert f"- thought {after[:8]} · " in found.as_text()
    show_findings(found)
    assert f"thought · {before[:8]} · superseded by {after[:8]} · " in capsys.readouterr().out


def test_of_several_the_newest_correction_is_named(memory: Memory) -> None:
    before = contributed(memory, BEFORE)
    correction = contributed(memory, AFTER, supersedes=[before])
    contributed(memory, "The acquirer retries webhooks every 10 minutes at first, then hourly.", refines=before)
    assert marks(memory)[before] == correction


def test_what_another_may_not_read_supersedes_nothing_for_them(memory: Memory) -> None:
    before = contributed(memory, BEFORE, space="shared")
    after = contributed(memory, AFTER, supersedes=[before], space="private")
    assert marks(memory)[before] == after
    assert marks(memory.of("bob")) == {before: ""}
