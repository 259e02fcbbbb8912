"""The handoff document and the skill notes, served: that they were is evidence of the run that they were served in."""

from dataclasses import dataclass

from bigmind.core.errors import BigMindError, Code, not_found
from bigmind.core.plain_text import shortened
from bigmind.protocol import run_moves, scene
from bigmind.protocol.answers import ServedText
from bigmind.protocol.document.protocol_record import Phase
from bigmind.protocol.judging.run_record import SERVED
from bigmind.protocol.judging.sight import Document, note_of, read
from bigmind.protocol.scene import Outlook
from bigmind.protocol.showing import EvidenceClaim
from bigmind.store.work import Work

HANDOFF = "handoff"
LONGEST_SERVED = 60_000
"""Characters of a text that is served; a longer one is read from its file, and its hash stated."""


@dataclass(frozen=True, slots=True)
class TextOutlook:
    """Which text of which run is to be read."""

    outlook: Outlook
    name: str


@dataclass(frozen=True, slots=True)
class TextScene:
    """What was read."""

    wanted: TextOutlook
    document: Document


def look(work: Work, name: str, reference: str | None) -> TextOutlook:
    """Find out which text is meant: `handoff`, or the name of a skill note; raises as `run_moves.look`."""
    return TextOutlook(run_moves.look(work, reference), name)


def gather(wanted: TextOutlook) -> TextScene:
    """Read it."""
    protocol = wanted.outlook.record.protocol
    folder = scene.folder_at(wanted.outlook.root)
    is_handoff = wanted.name == HANDOFF
    return TextScene(wanted, read(folder, protocol.handoff) if is_handoff else note_of(folder, protocol, wanted.name))


def serve(work: Work, found: TextScene) -> ServedText:
    """Give the text, and write down for the run that it was given.

    Raises:
        BigMindError: `not_found`, when it is not there; `too_large`; `no_run`, when the run ended meanwhile.
    """
    file, wanted = found.document.file, found.wanted
    if file is None:
        raise not_found("text", wanted.name, found.document.fault)
    if len(file.text) > LONGEST_SERVED:
        raise BigMindError(
            Code.TOO_LARGE,
            f"{file.path} has more than {LONGEST_SERVED:,} characters.",
            "Read the file, and state its SHA-256 with record_evidence.",
        )
    row = run_moves.row_looked_at(work, wanted.outlook)
    phase = Phase.CONTEXT_RETRIEVAL if wanted.name == HANDOFF else Phase.SKILL_VALIDATION
    claim = EvidenceClaim(phase, SERVED, shortened(file.path, 200), wanted.name)
    run_moves.keep_evidence(work, row, claim, wanted.name, file.digest, is_verified=True)
    run_moves.keep_receipt(work, row, wanted.outlook)
    row.updated_at = work.now
    run_moves.tell(work, row)
    return ServedText(session_id=row.name, name=wanted.name, path=file.path, digest=file.digest, text=file.text)
