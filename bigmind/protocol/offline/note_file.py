"""Leaves the note of a run that BigMind did not see where the session logs are."""

from contextlib import suppress
from pathlib import Path

from bigmind.core.plain_text import one_line, shortened
from bigmind.protocol.judging.degraded_note import LONGEST_NOTES, LONGEST_OBJECTIVE, DegradedNote, note_path
from bigmind.protocol.judging.session_log import words_under
from bigmind.protocol.judging.sight import log_of
from bigmind.protocol.offline.run_check import CheckReport, protocol_in
from bigmind.workspace.folder import Folder


def leave(root: Path, report: CheckReport) -> None:
    """Leave the note of a run that BigMind did not see, where its log folder is; one that is there stays."""
    folder = Folder(root)
    protocol = protocol_in(folder)
    log = log_of(folder, protocol, report.run).file
    file = folder.root / note_path(protocol, report.run)
    if log is None or file.exists() or file.is_symlink() or file.parent.resolve() != folder.root / protocol.logs:
        return
    note = DegradedNote(
        run=report.run,
        objective=shortened(one_line(words_under(log.text, "objective", "goal")), LONGEST_OBJECTIVE),
        outcome=report.outcome,
        commit=report.commit,
        notes=shortened(words_under(log.text, "next", "notes"), LONGEST_NOTES),
    )
    # The same on every system: it is committed. A link that somebody puts there meanwhile is not followed.
    with suppress(FileExistsError), file.open("xb") as written:
        written.write(note.as_json().encode())
