"""Runs that an import brings: of the past, of no workspace here, and marked so; what they say is what the file says."""

from typing import Any

LONGEST = {"name": 60, "day": 10, "agent": 250, "state": 40, "outcome": 20, "protocol": 64, "branch": 250}
OUTCOMES = frozenset({"COMPLETE", "INCOMPLETE"})


def brought(told: dict[str, Any]) -> dict[str, Any]:
    """What an import writes beside what a file tells of a run: none stays open, and none is of a workspace here."""
    outcome = told["outcome"] if told["outcome"] in OUTCOMES else "INCOMPLETE"
    return {
        **{name: str(told[name])[:most] for name, most in LONGEST.items()},
        "objective": told["objective"][:500],
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
