"""Notes in a log folder of runs that the check without the server verified: read into the history, and marked so."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmodel import select

from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.core.plain_text import one_line, shortened
from bigmind.core.shapes import as_object
from bigmind.kinds import save
from bigmind.protocol.document.protocol_record import Protocol
from bigmind.protocol.judging.session_log import RUN_NAME
from bigmind.protocol.judging.sight import DEGRADED, names_in, read
from bigmind.protocol.rows import name_of
from bigmind.protocol.tables import ProtocolDay, ProtocolRun
from bigmind.secrets.masking import mask
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.roles import agent_of
from bigmind.workspace.folder import Folder
from bigmind.workspace.tables import Workspace

FORMAT = "bigmind-degraded-run"
MOST_NOTES = 20
HIGHEST_NUMBER = 9_999
LONGEST_OBJECTIVE = 500
LONGEST_NOTES = 4_000
NOTED = "run_noted"
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


def take(work: Work, workspace: Workspace, notes: Sequence[DegradedNote]) -> None:
    """Take notes into the history of a workspace that are not there yet; their numbers are given to nobody else."""
    known = set(work.session.exec(select(ProtocolRun.name).where(ProtocolRun.workspace_id == workspace.id)))
    for note in notes:
        day, _, number = note.run.partition("-session-")
        count = int(number)
        if note.run in known or count > HIGHEST_NUMBER or name_of(day, count) != note.run:
            continue
        _keep_number(work, workspace, day, count)
        _write(work, workspace, note, day, count)


def _keep_number(work: Work, workspace: Workspace, day: str, number: int) -> None:
    row = work.session.get(ProtocolDay, (workspace.id, day))
    row = row or ProtocolDay(workspace_id=workspace.id or 0, day=day, number=0)
    row.number = max(row.number, number)
    work.session.add(row)


def _write(work: Work, workspace: Workspace, note: DegradedNote, day: str, number: int) -> None:
    row = ProtocolRun(
        uid=new_id(),
        name=note.run,
        workspace_id=workspace.id,
        day=day,
        number=number,
        user_id=work.caller.user_id,
        created_at=work.now,
        updated_at=work.now,
        project=workspace.project,
        client=work.caller.client,
        agent=agent_of(work),
        state="complete" if note.outcome == "COMPLETE" else "incomplete",
        ended_at=work.now,
        outcome=note.outcome,
        commit_sha=note.commit,
        is_imported=True,
        objective=note.objective or "A run without BigMind",
        next_session_notes=note.notes,
    )
    save(work, row, Action.IMPORTED)
    append(work, Entry(NOTED, row.uid, {"run": row.name, "outcome": row.outcome}), row)
    work.session.add(row)
