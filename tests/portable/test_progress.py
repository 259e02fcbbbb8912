"""What takes long says how far it is: in true amounts, never backwards, and not too often."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.progress import APART_SECONDS, BYTES, Phase
from tests.memory.living import Memory

Told = tuple[int, int, str, str]


@dataclass
class Heard:
    """Everything that one operation told."""

    told: list[Told] = field(default_factory=list)

    def __call__(self, done: int, total: int, what: str, unit: str = "") -> None:
        self.told.append((done, total, what, unit))

    @property
    def phases(self) -> list[str]:
        """What was done, in order."""
        return [what for what, _ in groupby(each[2] for each in self.told)]

    def totals(self, what: str) -> set[tuple[int, str]]:
        """The totals that were told of a phase, with their units."""
        return {(total, unit) for _, total, name, unit in self.told if name == what}

    def faults(self) -> Iterator[str]:
        """Where a phase went back, or beyond its total."""
        for what, each in groupby(self.told, key=lambda told: told[2]):
            steps = [told[:2] for told in each]
            if [done for done, _ in steps] != sorted(done for done, _ in steps):
                yield f"{what} went back: {steps}"
            if any(total and done > total for done, total in steps):
                yield f"{what} went beyond: {steps}"
            if len(steps) > 1 and steps[0][1] and steps[-1][0] != steps[-1][1]:
                yield f"{what} ended early: {steps[-1]}"


def heard(memory: Memory, operation: str, **arguments: Any) -> tuple[Heard, Any]:
    """What an operation tells while it runs, and its answer."""
    found = memory.mind.dispatcher.catalogue.get(operation)
    assert found is not None
    listening = Heard()
    answer = memory.mind.dispatcher.run(found, memory.caller, arguments, progress=listening)
    assert list(listening.faults()) == []
    return listening, answer


def test_an_import_tells_of_each_step(ada: Memory, small_export: Path) -> None:
    told, answer = heard(ada, "memory_import", path=str(small_export))
    wanted = [
        *("Reading the file", "Comparing with what is here", "Copying the memory", "Writing the backup"),
        *("Reading the backup", "Unpacking the backup", "Checking the copy", "Writing", "Bringing it to disk"),
        "Showing what was imported",
    ]
    assert told.phases == wanted
    records = sum(each.new for each in answer.sections)
    assert told.totals("Reading the file") == {(small_export.stat().st_size, BYTES)}
    assert told.totals("Comparing with what is here") == {(records, "")}
    assert told.totals("Writing") == {(records, "")}


def test_replacing_counts_what_it_removes_among_what_it_writes(filled: Memory, small_export: Path) -> None:
    """One after the other they would be a bar that goes back twice."""
    told, answer = heard(filled, "memory_import", path=str(small_export), mode="replace")
    removed, written = (sum(getattr(each, name) for each in answer.sections) for name in ("removed", "new"))
    assert removed
    assert told.totals("Writing") == {(removed + written, "")}
    steps = [done for done, _, what, _ in told.told if what == "Writing"]
    assert steps == sorted(steps)
    assert steps[-1] == removed + written


def test_a_dry_run_tells_and_shows_some_of_it_to_a_person_only(ada: Memory, small_export: Path) -> None:
    told, answer = heard(ada, "memory_import", path=str(small_export), dry_run=True)
    assert told.phases == ["Reading the file", "Comparing with what is here"]
    assert {each.section for each in answer.samples} == {each.section for each in answer.sections if each.new}
    assert all(1 <= len(each.texts) <= 3 for each in answer.samples)
    agent = replace(ada, caller=replace(ada.caller, is_person=False))
    assert agent("memory_import", path=str(small_export), dry_run=True).samples == []


def test_an_export_counts_its_records(filled: Memory, tmp_path: Path) -> None:
    told, answer = heard(filled, "memory_export", output_path=str(tmp_path / "out.json"))
    assert told.phases == ["Writing the export"]
    assert told.totals("Writing the export") == {(sum(answer.records.values()), "")}


@pytest.mark.parametrize(
    ("operation", "arguments", "phases"),
    [
        ("backup_list", {"verify": True}, ["Reading every backup"]),
        ("secrets_scan", {}, ["Looking for secrets"]),
        ("secrets_scan", {"mask": True}, ["Looking for secrets"]),
        (
            "memory_reindex",
            {},
            ["Rebuilding the full-text indexes", "Looking at what is derived", "Checking the whole file"],
        ),
    ],
)
def test_what_looks_at_everything_tells_of_it(
    filled: Memory, operation: str, arguments: dict[str, Any], phases: list[str]
) -> None:
    filled("backup_create")
    assert heard(filled, operation, **arguments)[0].phases == phases


def test_a_health_check_names_what_it_looks_at(filled: Memory) -> None:
    told, answer = heard(filled, "memory_health_check")
    assert told.phases == [*(f"Looking at {each}" for each in answer.checked), "Done looking"]


def test_a_restore_tells_of_the_backup_it_makes_first(filled: Memory) -> None:
    made = filled("backup_create").name
    told, _ = heard(filled, "backup_restore", backup=made)
    first, second = told.phases.index("Copying the memory"), told.phases.index("Putting it in place")
    assert told.phases[:3] == ["Reading the backup", "Unpacking the backup", "Checking the backup"]
    assert first < second


def test_pruning_counts_what_it_removes(filled: Memory) -> None:
    filled.clock.forward(days=40_000)
    told, answer = heard(filled, "memory_vacuum", days=1)
    assert told.totals("Removing old moments") == {(answer.moments, "")}
    assert answer.moments


def test_a_phase_is_told_at_its_ends_and_seldom_between(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr("bigmind.core.progress.monotonic", lambda: now)
    listening = Heard()
    phase = Phase(listening, "Counting", 1_000)
    for _ in range(1_000):
        now += APART_SECONDS / 10
        phase.add()
    phase.reach(5_000)
    assert listening.told[0] == (0, 1_000, "Counting", "")
    assert listening.told[-1] == (1_000, 1_000, "Counting", "")
    assert len(listening.told) <= 103
    assert list(listening.faults()) == []
