"""The ledger's answer says on what each move rested, from where it came, by which document, and what it passed by."""

import pytest

from bigmind.tasks.ledger_listing import forced_by
from tests.work.letters import claimed_letter
from tests.work.office import Office


def test_each_row_says_from_where_by_which_process_and_on_what_it_rested(office: Office):
    cursor, codex = office.agent("cursor"), office.agent("codex")
    slug = claimed_letter(office, cursor)
    cursor.moves(slug, "reading")
    codex.stays(slug, "sent")
    codex("work_update_dna", slug=slug, fields={"report": "Sent on Friday."})
    codex.moves(slug, "sent", reason="It reads well.")
    answer = codex("work_get_ledger", slug=slug)
    created, claim, handed, refused, sent = answer.rows
    assert created.surface == claim.surface == cursor.memory.caller.presence.value
    assert claim.process.startswith("letter@1:")
    assert len(claim.process.partition(":")[2]) == 16
    [gate] = claim.gates
    assert (gate.gate, gate.level, gate.met) == ("memory_queried", "MUST", True)
    assert gate.seen.keys() == {"question", "session"}
    owed = handed.gates[0]
    assert (owed.gate, owed.level, owed.met) == ("field:report", "MUST_BY_END", False)
    assert refused.process == claim.process
    assert not refused.forced_by
    assert sent.violations == ["field:summary (WARNING)"]
    lines = answer.in_words().splitlines()
    assert (
        f"memory_queried met by question {gate.seen['question'][:8]}, session {gate.seen['session'][:16]}" in lines[2]
    )
    assert " · letter@1 · " in lines[2]
    assert "reading → sent as qa: It reads well. · via " in lines[-1]
    assert lines[-1].endswith(" · violation: field:summary (WARNING)")


@pytest.mark.parametrize(
    ("kind", "level", "to", "by"),
    [
        ("moved", "MUST", "reading", "qa"),
        ("moved", "MUST_BY_END", "sent", "qa"),
        ("moved", "MUST_BY_END", "reading", ""),
        ("moved", "SHOULD", "sent", ""),
        ("refused", "MUST", "sent", ""),
    ],
)
def test_a_move_past_a_gate_that_refuses_it_was_forced(kind: str, level: str, to: str, by: str):
    body = {"kind": kind, "to": to, "role": "qa", "gates": [{"gate": "a", "level": level, "passed": False}]}
    assert forced_by(body, {"sent"}) == by
