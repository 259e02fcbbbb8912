"""The process documents of a team's own: looked at before they are taken, taken in person, and removed again."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, invalid, not_found
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Mode, Role
from bigmind.flow.process_document import dropped_gates, read_process
from bigmind.flow.workflow import HUMAN, Process
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.processes import OWN_NAMES, process_of
from bigmind.work.rules import FIELD_NAME, GRANTED
from bigmind.work.tables import WorkItem, WorkProcess

DOCUMENT = "document"
"""What faults call a document that a person brings."""
LINES_AROUND = 3


@dataclass(frozen=True, slots=True)
class OfferedProcess:
    """A document as it would be taken.

    Attributes:
        process: that it declares.
        replaces: the newest version that there is; None for a process of a new name.
        dropped: the gates that fall away, each with its transition, in words.
        difference: the lines of a unified difference to that version; all lines where there is none.
        standing: how many items stand in older versions; they finish there unless they are migrated.
    """

    process: Process
    replaces: Process | None
    dropped: Sequence[str]
    difference: Sequence[str]
    standing: int


@dataclass(frozen=True, slots=True)
class ShelvedVersion:
    """A version of a process, and how many items stand in it."""

    version: int
    standing: int
    is_removable: bool
    agents_may_create: bool
    text: str


def may_decide(work: Work) -> bool:
    """Whether the caller may change processes, and lead items over: a team's hold for all, and its curators decide."""
    return work.mode is Mode.PERSONAL or work.caller.role.includes(Role.CURATOR)


def permit(work: Work) -> None:
    """Refuse who may not decide of processes.

    Raises:
        BigMindError: `forbidden`.
    """
    if not may_decide(work):
        raise BigMindError(
            Code.FORBIDDEN,
            f"A process holds for all of the team: that needs the role curator, yours is {work.caller.role}.",
            "Ask a curator or an admin to do it.",
        )


def offered(work: Work, text: str) -> OfferedProcess:
    """Read and check a document, and say what it would change. Only reads.

    Args:
        work: the person's.
        text: YAML of at most 200,000 characters.

    Raises:
        BigMindError: `invalid_input`, with line and key of each fault; `conflict` for a version that is not new, and
            for the name of a process that BigMind ships.
    """
    process = read_process(text, DOCUMENT, GRANTED, FIELD_NAME)  # what was taken before goes on
    if process.name in OWN_NAMES:
        raise BigMindError(
            Code.CONFLICT,
            f"{DOCUMENT}: {process.name} is one of BigMind's own processes.",
            f"Give yours a name of its own, such as {process.name}-2.",
        )
    newest = newest_of_shelf(work, process.name)
    if newest is not None and process.version <= newest.version:
        raise BigMindError(
            Code.CONFLICT,
            f"{DOCUMENT}: version {process.version} is not new: {process.name} is at version {newest.version}.",
            f"Write version: {newest.version + 1}.",
        )
    if newest is None:
        return OfferedProcess(process, None, (), (), 0)
    before = read_process(newest.text, f"{newest.name}.yaml")
    lines = difflib.unified_diff(newest.text.splitlines(), text.splitlines(), n=LINES_AROUND, lineterm="")
    return OfferedProcess(
        process, before, dropped_gates(before, process), list(lines)[2:], _standing(work, process.name)
    )


def take(work: Work, text: str, replaces: int, *, agents_may_create: bool) -> Process:
    """Take a document, as it was shown.

    Args:
        work: the person's.
        text: the document that was shown.
        replaces: the version beside which it was shown; 0 for none.
        agents_may_create: whether agents may make items in it.

    Raises:
        BigMindError: as `offered`; `conflict`, when another version was taken meanwhile.
    """
    found = offered(work, text)
    before = found.replaces.version if found.replaces is not None else 0
    process = found.process
    if before != replaces:
        raise BigMindError(
            Code.CONFLICT,
            f"{process.name} came to version {before} since you looked. Nothing was taken.",
            "Look at what it changes once more.",
        )
    work.session.add(
        WorkProcess(
            name=process.name,
            version=process.version,
            digest=process.digest,
            text=text,
            taken_at=work.now,
            user_id=work.caller.user_id,
            agents_may_create=agents_may_create,
        )
    )
    body = {
        "process": f"{process.name}@{process.version}:{process.digest[:16]}",
        "actor": HUMAN,
        "agents_may_create": agents_may_create,
        "dropped": len(found.dropped),
    }
    append(work, Entry("taken", "", body, {"dropped": "\n".join(found.dropped)}))
    _tell(work, process.name)
    return process


def let_agents_create(work: Work, name: str, version: int, *, allowed: bool) -> None:
    """Say whether agents may make items in a process of a team's own.

    Raises:
        BigMindError: `not_found`.
    """
    row = _row(work, name, version)
    row.agents_may_create = allowed
    work.session.add(row)
    body = {"process": f"{name}@{version}:{row.digest[:16]}", "actor": HUMAN, "agents_may_create": allowed}
    append(work, Entry("allowed", "", body))
    _tell(work, name)


def remove(work: Work, name: str, version: int) -> None:
    """Take a version of a process away that no item stands in.

    Raises:
        BigMindError: `not_found`; `conflict`, when items stand in it, or BigMind ships it.
    """
    row = _row(work, name, version)
    if count := _standing(work, name, version):
        raise BigMindError(
            Code.CONFLICT,
            f"{count:,} items stand in version {version} of {name}. Nothing was removed.",
            "Migrate them to a newer version first, or let them finish.",
        )
    work.session.delete(row)
    append(work, Entry("removed", "", {"process": f"{name}@{version}:{row.digest[:16]}", "actor": HUMAN}))
    _tell(work, name)


def shelf_of(work: Work, name: str) -> list[ShelvedVersion]:
    """The versions of a process, the newest first.

    Raises:
        BigMindError: `not_found`.
    """
    if name in OWN_NAMES:
        known = process_of(work, name)
        return [ShelvedVersion(known.version, _standing(work, name, known.version), False, False, "")]
    found = select(WorkProcess).where(WorkProcess.name == name).order_by(col(WorkProcess.version).desc())
    rows = work.session.exec(found).all()
    if not rows:
        process_of(work, name)  # says which there are
    shelved: list[ShelvedVersion] = []
    for row in rows:
        count = _standing(work, name, row.version)
        shelved.append(ShelvedVersion(row.version, count, count == 0, row.agents_may_create, row.text))
    return shelved


def newest_of_shelf(work: Work, name: str) -> WorkProcess | None:
    """The newest version of a process of a team's own."""
    found = select(WorkProcess).where(WorkProcess.name == name).order_by(col(WorkProcess.version).desc())
    return work.session.exec(found.limit(1)).first()


def _row(work: Work, name: str, version: int) -> WorkProcess:
    if name in OWN_NAMES:
        raise invalid("name", name, "a process of your own; BigMind's own stay as they are")
    row = work.session.get(WorkProcess, (name, version))
    if row is None:
        raise not_found("version of a process", f"{name} {version}", "The page of the process shows them.")
    return row


def _standing(work: Work, name: str, version: int | None = None) -> int:
    counted = select(func.count()).select_from(WorkItem).where(WorkItem.process == name)
    if version is not None:
        counted = counted.where(WorkItem.version == version)
    return work.session.exec(counted).one()


def _tell(work: Work, name: str) -> None:
    work.changed(Kind.SETTINGS, f"process {name}", Action.UPDATED)
