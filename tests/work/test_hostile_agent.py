"""No agent talks its way around the gates; and the test that says so would see it."""

from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.flow.workflow import Process
from bigmind.work import moving, processes
from tests.thorough import often
from tests.work.hostile_run import attacked, attacker_in
from tests.work.ledger_judge import ViolationError

SEEDS = often(100, 1)
STEPS = 10_000
"""A million steps in a thorough run; `python -m tests.work.hostile_run` goes on where it was stopped."""


@pytest.mark.parametrize("seed", range(SEEDS))
def test_no_item_is_where_its_events_were_not_before_it(home: Path, seed: int):
    passed = attacked(home, seed, STEPS)
    # It got somewhere: else nothing was tried.
    assert passed["pending active"] + passed["ready active"] > 50
    assert passed["active review"] > 20
    assert passed["review complete"] > 3


@pytest.mark.parametrize("gate", ["memory_queried", "memory_contributed", "human_confirmed"])
def test_without_a_gate_it_finds_a_violation(home: Path, gate: str, monkeypatch: pytest.MonkeyPatch):
    known = moving.process_of

    def without(process: Process) -> Process:
        rules = (
            replace(each, gates=tuple(one for one in each.gates if one.kind != gate)) for each in process.transitions
        )
        return replace(process, transitions=tuple(rules))

    with attacker_in(home, 0) as attacker:
        monkeypatch.setattr(moving, "process_of", lambda *given: without(known(*given)))
        monkeypatch.setattr(processes, "process_of", lambda *given: without(known(*given)))
        with pytest.raises(ViolationError):
            attacker.run(STEPS)
