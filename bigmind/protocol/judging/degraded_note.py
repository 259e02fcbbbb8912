"""The note in a log folder of a run that the check without the server verified, as it is written and as it is read."""

import json
from dataclasses import dataclass
from typing import Any

from bigmind.core.plain_text import one_line, shortened
from bigmind.core.shapes import as_object
from bigmind.protocol.document.protocol_record import Protocol
from bigmind.protocol.judging.session_log import RUN_NAME
from bigmind.protocol.judging.sight import DEGRADED, names_in, read
from bigmind.secrets.masking import mask
from bigmind.workspace.folder import Folder

FORMAT = "bigmind-degraded-run"
MOST_NOTES = 20
LONGEST_OBJECTIVE = 500
LONGEST_NOTES = 4_000
OUTCOMES = ("COMPLETE", "INCOMPLETE")


@dataclass(frozen=True, slots=True)
class DegradedNote:
    """What such a note says of a run; read from a file, so nothing of it is believed but that it says so.

    Attributes:
        run: its name.
        objective, notes: of whoever ran it.
        outcome: the verdict of the check.
        commit: where it ended; may be empty.
    """

    run: str
    objective: str
    outcome: str
    commit: str = ""
    notes: str = ""

    def as_json(self) -> str:
        """The text of the note."""
        told = {"format": FORMAT, "run": self.run, "objective": self.objective, "outcome": self.outcome}
        return json.dumps({**told, "commit": self.commit, "notes": self.notes}, ensure_ascii=False, indent=2) + "\n"


def note_path(protocol: Protocol, run: str) -> str:
    """Where the note of a run lies."""
    return f"{protocol.logs}/{run}{DEGRADED}"


def found_in(folder: Folder, protocol: Protocol) -> list[DegradedNote]:
    """The notes of a log folder, the last by name first; what is none is passed over."""
    names = [each for each in names_in(folder, protocol.logs) or () if each.endswith(DEGRADED)]
    files = (read(folder, f"{protocol.logs}/{each}").file for each in sorted(names, reverse=True)[:MOST_NOTES])
    notes = (_note(each.text) for each in files if each is not None)
    return [each for each in notes if each is not None]


def _note(text: str) -> DegradedNote | None:
    try:
        told: dict[str, Any] = as_object(json.loads(text))
    except (ValueError, RecursionError):
        return None
    run, outcome = str(told.get("run", "")), str(told.get("outcome", ""))
    if told.get("format") != FORMAT or not RUN_NAME.fullmatch(run) or outcome not in OUTCOMES:
        return None
    commit = str(told.get("commit", "")).lower()
    return DegradedNote(
        run=run,
        objective=mask(shortened(one_line(str(told.get("objective", ""))), LONGEST_OBJECTIVE)).text,
        outcome=outcome,
        commit=commit if commit.isalnum() and len(commit) <= 64 else "",  # noqa: PLR2004 - of SHA-256
        notes=mask(shortened(str(told.get("notes", "")), LONGEST_NOTES)).text,
    )
