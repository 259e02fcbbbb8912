"""Runs that an import brings: of the past, of no workspace here, and marked so; what they say is what the file says."""

from typing import Any

LONGEST = {"name": 60, "day": 10, "agent": 250, "state": 40, "outcome": 20, "protocol": 64, "branch": 250}
STILL_OPEN = "It was open when it was exported, and did not fail: the work goes on in a new run, by `session_start`."
OUTCOMES = frozenset({"COMPLETE", "INCOMPLETE"})


def brought(told: dict[str, Any]) -> dict[str, Any]:
    """What an import writes beside what a file tells of a run: none stays open, and none is of a workspace here."""
    outcome = told["outcome"] if told["outcome"] in OUTCOMES else "INCOMPLETE"
    is_open = told["ended_at"] is None
    return {
        **{name: str(told[name])[:most] for name, most in LONGEST.items()},
        "objective": told["objective"][:500],
        "summary": told["summary"] or (STILL_OPEN if is_open else ""),
        "outcome": outcome,
        "state": outcome.lower(),
        "ended_at": told["ended_at"] or told["updated_at"],
        "workspace_id": None,
        "connection": None,
        "begun": {},
        "kept": {},
        "due": [],
        "passed": [],
        "revision": 1,
        "ledger_number": 0,
        "is_imported": True,
    }
