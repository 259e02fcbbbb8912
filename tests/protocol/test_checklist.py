"""The checklist claims of each line only what BigMind looked at."""

from typing import Any

import pytest

from bigmind.protocol.answers import ChecklistLine
from bigmind.protocol.reporting.guide_reading import TOLD, TOOL
from tests.protocol.test_run_resources import told
from tests.protocol.workshop import Runner, Workshop


def served(runner: Runner, source: str = TOOL, *, is_error: bool = False) -> None:
    """What a surface notes when it has answered a tool."""
    memory = runner.worker.memory
    activity = memory.mind.store.host.activity
    activity.note_delivery(memory.caller, source, "How it goes.", lambda _, length: length // 4, is_error=is_error)


def line(lines: list[ChecklistLine], words: str) -> tuple[str, str | None]:
    found = next(each for each in lines if words in each.step)
    return found.status, found.evidence


def live(runner: Runner, words: str, address: str = "checklist") -> Any:
    parts = told(runner, address)
    found = next(each for each in parts["start"] + parts["end"] if words in each["step"])
    return found["status"], found["evidence"]


def test_the_guide_is_not_claimed_to_be_read_by_whom_it_was_not_served(workshop: Workshop):
    runner = workshop.runner()
    served(workshop.runner(runner.place, "cursor"))
    served(runner, is_error=True)
    begun = runner.begin()
    assert line(begun.checklist, "Read the guide") == ("PENDING", None)
    assert line(begun.checklist, "Open the memory session")[0] == "PASS"
    assert "- [ ] MEMORY_INIT: Read the guide (SHOULD)" in begun.in_words()


@pytest.mark.parametrize("when", ["before", "meanwhile"])
def test_the_guide_counts_once_it_was_served_and_is_kept(workshop: Workshop, when: str):
    runner = workshop.runner()
    if when == "before":
        served(runner)
    begun = runner.begin()
    served(runner)
    assert live(runner, "Read the guide") == ("PASS", TOLD)
    assert (line(begun.checklist, "Read the guide")[0] == "PASS") is (when == "before")
    runner("get_blocked_reason")
    workshop.office.memory.mind.store.host.activity.forget_deliveries()
    ended = runner("session_end", summary="Nothing yet.")
    assert line(ended.checklist, "Read the guide") == ("PASS", TOLD)
    assert live(runner, "Read the guide", f"runs/{runner.name}/checklist") == ("PASS", TOLD)


def test_checks_that_none_declares_were_not_passed(workshop: Workshop):
    runner = workshop.runner()
    begun = runner.begin()
    assert line(begun.checklist, "Pass each declared check") == ("SKIPPED", "none is declared")
    said = "- [-] QUALITY_CHECKS: Pass each declared check (MUST by the end): none is declared"
    assert said in begun.in_words()
