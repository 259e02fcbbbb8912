"""Evidence that an agent shows, compared with what there is: a digest, a file, a commit. A statement stays one."""

import re
from dataclasses import dataclass

from bigmind.protocol.document.protocol_record import Phase
from bigmind.protocol.judging.run_record import COMMIT, FILE, HASH, RunRecord, ShownEvidence
from bigmind.protocol.judging.sight import Sight, read
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Repository

_DIGEST = re.compile(r"(?:sha-?256[:=]\s*)?([0-9a-f]{64})", re.IGNORECASE)
LONGEST_STEP = 200


@dataclass(frozen=True, slots=True)
class EvidenceClaim:
    """What an agent shows: for which phase and step, of which type, in its words."""

    phase: Phase
    type: str
    text: str
    step: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of a claim: as it is kept, and in words; `is_refuted` where it is not as was said."""

    shown: ShownEvidence
    message: str = ""
    is_refuted: bool = False


def compare(folder: Folder, record: RunRecord, sight: Sight, claim: EvidenceClaim) -> Comparison:
    """Compare a claim with the workspace."""
    if claim.type == HASH:
        return _hash(record, sight, claim)
    if claim.type == FILE:
        return _file(folder, claim)
    if claim.type == COMMIT:
        return _commit(folder, record, claim)
    message = "A statement is shown as stated; it lets no gate pass that BigMind can look at itself."
    return Comparison(ShownEvidence(claim.phase, claim.type, claim.step), message)


def _kept(claim: EvidenceClaim, name: str, digest: str, *, is_verified: bool) -> ShownEvidence:
    return ShownEvidence(claim.phase, claim.type, name[:LONGEST_STEP], digest, is_verified)


def _refuted(claim: EvidenceClaim, message: str) -> Comparison:
    return Comparison(_kept(claim, claim.step, "", is_verified=False), message, is_refuted=True)


def _hash(record: RunRecord, sight: Sight, claim: EvidenceClaim) -> Comparison:
    found = _DIGEST.fullmatch(claim.text.strip())
    if found is None:
        return _refuted(claim, "That is no SHA-256: 64 hexadecimal digits of the file's bytes.")
    digest = found.group(1).lower()
    texts = _texts_of(record, sight, claim)
    name = next((name for name, known in texts.items() if known == digest), "")
    if not name:
        about = ", ".join(texts) or "nothing of this phase"
        return _refuted(claim, f"It is the SHA-256 of no text as it is now (looked at: {about}).")
    return Comparison(_kept(claim, name, digest, is_verified=True), f"It is {name}.")


def _texts_of(record: RunRecord, sight: Sight, claim: EvidenceClaim) -> dict[str, str]:
    """The digests of the texts that a phase is about, by name; of one note, where the step names one."""
    if claim.phase is Phase.SKILL_VALIDATION:
        notes = {name: digest for name, digest in (sight.notes or {}).items() if digest}
        return {claim.step: notes[claim.step]} if claim.step in notes else notes
    documents = [sight.log] if claim.phase is Phase.SESSION_LOG else [sight.handoff]
    documents += [sight.log] if claim.phase is Phase.DOCS_UPDATE else []
    texts = {each.path: each.file.digest for each in documents if each.file is not None}
    if claim.phase is Phase.QA_VALIDATION:
        texts = {each.path: each.digest for each in sight.reports}
    del record
    return texts


def _file(folder: Folder, claim: EvidenceClaim) -> Comparison:
    document = read(folder, claim.text.strip())
    if document.file is None:
        return _refuted(claim, document.fault)
    file = document.file
    return Comparison(_kept(claim, file.path, file.digest, is_verified=True), f"{file.path} is there.")


def _commit(folder: Folder, record: RunRecord, claim: EvidenceClaim) -> Comparison:
    try:
        repository = Repository.of(folder)
        full = repository.full(claim.text.strip().lower()) if repository is not None else ""
        if repository is None or not full:
            return _refuted(claim, "Git knows no such commit here: at least 7 digits of its id.")
        start = record.starting_commit
        if start and not repository.is_ancestor(start, full):
            return _refuted(claim, "That commit does not follow the one that the run began at.")
    except WorkspaceFault as fault:
        return _refuted(claim, str(fault))
    return Comparison(_kept(claim, full, "", is_verified=True), f"Git knows {full[:12]}.")
