"""Beginning a run: the workspace, what holds there, what git says, the memory session, and the number."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePath

from bigmind.core.errors import invalid
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.kinds import save
from bigmind.memory.sessions.choice import last_on_connection
from bigmind.memory.sessions.service import Opening, open_session
from bigmind.memory.tables import MemorySession
from bigmind.protocol import degraded_notes
from bigmind.protocol.approvals import newest_text, protocol_with, taken_texts
from bigmind.protocol.document.protocol_record import BUILT_IN, Protocol
from bigmind.protocol.judging.degraded_note import DegradedNote, found_in
from bigmind.protocol.judging.run_record import Beginning, RunRecord
from bigmind.protocol.judging.sight import Sight, handoff_digest, names_of_runs, see
from bigmind.protocol.receipts import write_receipt
from bigmind.protocol.reporting import guide_reading
from bigmind.protocol.run_rows import name_of, next_number, record_of
from bigmind.protocol.scene import change_notice, folder_at
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.roles import agent_of
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.opened import workspace_at, workspace_with_id
from bigmind.workspace.repository import Head, Repository

LONGEST_BRANCH = 250
STARTED = "run_started"
UNNAMED = "a new run"


@dataclass(frozen=True, slots=True)
class StartOutlook:
    """Where a run is to begin, under which protocol, and what its caller says git says."""

    workspace: str
    workspace_asked: str
    root: Path
    protocol: Protocol
    taken: frozenset[str]
    branch: str
    commit: str

    @property
    def opened_above(self) -> str:
        """The folder that a person opened, where its caller asked for one in it; empty where they are the same.

        Of links nothing is told: on a team's server their ends are nobody's business.
        """
        asked = PurePath(self.workspace_asked)
        is_above = asked != self.root and asked.is_relative_to(self.root)
        return str(self.root) if is_above else ""


@dataclass(frozen=True, slots=True)
class StartScene:
    """What was seen of the workspace before a run begins.

    Attributes:
        beginning: what the run keeps of it.
        sight: what there is for a run that has no log yet.
        degraded: notes that the check without the server left.
        named: the runs that logs and reports there are called after, also another machine's.
    """

    outlook: StartOutlook
    head: Head
    beginning: Beginning
    sight: Sight
    notice: str = ""
    degraded: Sequence[DegradedNote] = field(default=())
    named: Sequence[str] = field(default=())


def look(work: Work, workspace: str, branch: str, commit: str) -> StartOutlook:
    """Find out where a run is to begin.

    Raises:
        BigMindError: `workspace_not_opened`, saying what to click; `invalid_input`.
    """
    asked = workspace or work.caller.workspace
    row = workspace_at(work, asked)
    text = newest_text(work, row.id or 0)
    protocol = protocol_with(work, row.id, text.digest if text is not None else "")
    return StartOutlook(row.uid, asked, Path(row.path), protocol, taken_texts(work, row.id or 0), branch, commit)


def gather(outlook: StartOutlook) -> StartScene:
    """Look at the workspace.

    Raises:
        BigMindError: `invalid_input`, when git says something else than the caller; `workspace_not_opened`.
    """
    folder = folder_at(outlook.root)
    head, repository, hiding = _git(folder)
    _compare(outlook, head)
    beginning = Beginning(repository, hiding, handoff_digest(folder, outlook.protocol))
    record = RunRecord(UNNAMED, outlook.protocol, head.commit, beginning)
    return StartScene(
        outlook,
        head,
        beginning,
        see(folder, record),
        change_notice(folder, outlook.protocol, outlook.taken),
        found_in(folder, outlook.protocol),
        names_of_runs(folder, outlook.protocol),
    )


def _git(folder: Folder) -> tuple[Head, str, str]:
    try:
        repository = Repository.of(folder)
        if repository is None:
            return Head("", ""), "", ""
        return repository.head(), repository.identity, repository.hiding()
    except WorkspaceFault:
        return Head("", ""), "", ""  # GIT_STATE says why


def _compare(outlook: StartOutlook, head: Head) -> None:
    """A branch or commit that is passed is compared with git."""
    if outlook.branch and outlook.branch != head.branch:
        raise invalid("branch", outlook.branch, f"what git says: {head.branch or 'no branch'}; or leave it out")
    commit = outlook.commit.lower()
    if commit and not (len(commit) >= 7 and head.commit.startswith(commit)):  # noqa: PLR2004 - as git shortens them
        raise invalid("starting_commit", outlook.commit, f"where git stands: {head.commit or 'no commit'}; or nothing")


def begin(work: Work, objective: str, scene: StartScene) -> ProtocolRun:
    """Write a new run, with its number, its memory session and its row of the ledger."""
    outlook = scene.outlook
    workspace = workspace_with_id(work, outlook.workspace)
    degraded_notes.take(work, workspace, scene.degraded)
    session = _memory_session(work, workspace.project)
    day = f"{work.now:%Y-%m-%d}"
    number = next_number(work, workspace, day, scene.beginning.repository, scene.named)
    row = ProtocolRun(
        uid=new_id(),
        name=name_of(day, number),
        workspace_id=workspace.id,
        day=day,
        number=number,
        user_id=work.caller.user_id,
        created_at=work.now,
        updated_at=work.now,
        project=workspace.project or work.caller.project,
        client=work.caller.client,
        agent=agent_of(work),
        connection=work.caller.connection,
        memory_session=session.uid,
        protocol="" if outlook.protocol.source == BUILT_IN else outlook.protocol.digest,
        branch=scene.head.branch[:LONGEST_BRANCH],
        starting_commit=scene.head.commit,
        begun=scene.beginning.as_json(),
        objective=objective,
    )
    save(work, row, Action.CREATED)
    append(
        work, Entry(STARTED, row.uid, {"run": row.name, "start": row.starting_commit}, {"objective": objective}), row
    )
    work.session.add(row)
    guide_reading.keep(work, row)
    write_receipt(work.host.settings.home, outlook.root, record_of(work, row, outlook.protocol), {})
    return row


def _memory_session(work: Work, project: str) -> MemorySession:
    """The session that is open on the caller's connection, else a new one."""
    known = last_on_connection(work)
    if known is not None and known.ended_at is None:
        return known
    return open_session(work, Opening(project or None))
