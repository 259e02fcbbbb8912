"""What a person does for workspaces, in person: open and close them, take protocol texts, approve commands."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from sqlmodel import select

from bigmind.core.errors import BigMindError, Code, not_found
from bigmind.core.events import Action, Kind
from bigmind.core.operation import may_name_any
from bigmind.protocol.approvals import (
    approved_commands,
    command_as_json,
    list_digest,
    newest_approval,
    newest_text,
    protocol_with,
)
from bigmind.protocol.document.built_in import built_in
from bigmind.protocol.document.protocol_document import read_protocol
from bigmind.protocol.document.protocol_record import BUILT_IN, Protocol
from bigmind.protocol.in_person.workspace_answers import WorkspaceAnswer
from bigmind.protocol.scene import document_in
from bigmind.protocol.tables import ProtocolApproval, ProtocolText
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.workspace import opened
from bigmind.workspace.approved_commands import ApprovedCommand, command_for
from bigmind.workspace.folder import FileText, Folder, WorkspaceFault
from bigmind.workspace.programs import is_script_of_cmd
from bigmind.workspace.tables import Workspace

RUN_BY_CMD = (
    "Windows has cmd run it: begin the command with cmd /c, and what is in the workspace with .\\ (cmd /c npm test)."
)


@dataclass(frozen=True, slots=True)
class WorkspaceStanding:
    """A workspace as a page shows it.

    Attributes:
        protocol: that holds.
        document: the text that lies there and that no person took; None where there is none.
        fault: why that cannot be read as a protocol, or the workspace not be looked into; empty otherwise.
        commands: of the protocol, each as it would be approved; None for a program that is not found.
        is_approved: whether a person approved this list.
    """

    row: Workspace
    protocol: Protocol
    document: FileText | None = None
    fault: str = ""
    commands: Sequence[tuple[str, ApprovedCommand | None]] = field(default=())
    is_approved: bool = False

    @property
    def scripts(self) -> set[str]:
        """The checks of which no program is found because only a shell runs it."""
        missing = {name for name, each in self.commands if each is None}
        checks = [each for each in self.protocol.checks if each.name in missing]
        return {each.name for each in checks if is_script_of_cmd(each.arguments[0], Path(self.row.path))}

    @property
    def waits(self) -> bool:
        """Whether something of it waits for a person."""
        is_open = self.row.closed_at is None
        return is_open and (self.document is not None or bool(self.commands and not self.is_approved))


def standing_of(work: Work, row: Workspace) -> WorkspaceStanding:
    """A workspace as it is now; what lies there is read anew."""
    text = newest_text(work, row.id or 0)
    protocol = protocol_with(work, row.id, text.digest if text is not None else "")
    if row.closed_at is not None:
        return WorkspaceStanding(row, protocol)
    try:
        folder = Folder(Path(row.path))
    except WorkspaceFault as fault:
        return WorkspaceStanding(row, protocol, fault=str(fault))
    document = document_in(folder)
    new = document if document is not None and document.digest != protocol.digest else None
    return WorkspaceStanding(
        row,
        protocol,
        new,
        _fault_of(new),
        [(each.name, command_for(each.name, each.arguments, each.defined_by, folder.root)) for each in protocol.checks],
        approved_commands(work, row.id or 0, protocol) is not None,
    )


def _fault_of(document: FileText | None) -> str:
    if document is None:
        return ""
    try:
        _protocol_of(document)
    except BigMindError as error:
        return str(error)
    return ""


def _protocol_of(document: FileText) -> Protocol:
    """The protocol of a document, which has to be UTF-8: by any other bytes its text would not be known again.

    Raises:
        BigMindError: `invalid_input`, `too_large`.
    """
    protocol = read_protocol(document.text, document.path)
    if protocol.digest != document.digest:
        raise BigMindError(Code.INVALID_INPUT, f"{document.path} is not UTF-8.", "Save it as UTF-8.")
    return protocol


def open_workspace(work: Work, path: str) -> WorkspaceAnswer:
    """Open a folder for the protocol.

    The disk of a team's server is nobody's own: whoever opens a folder there reads it, and runs commands in it.

    Raises:
        BigMindError: `forbidden`, on a page of a team but an admin's; as `opened.open_workspace`.
    """
    if not may_name_any(work.caller, work.mode):
        raise BigMindError(
            Code.FORBIDDEN,
            "The disk of a team's server is nobody's own: only an admin opens a folder of it.",
            "Protocol runs belong where the files are: start BigMind on that machine, and open the folder there.",
        )
    row = opened.open_workspace(work, path)
    return _written(work, row, "opened", {})


def close_workspace(work: Work, uid: str) -> WorkspaceAnswer:
    """Close a workspace: BigMind looks into it no more.

    Raises:
        BigMindError: `not_found`.
    """
    row = opened.workspace_with_id(work, uid)
    opened.close_workspace(work, row)
    return _written(work, row, "closed", {})


def take_text(work: Work, uid: str, digest: str) -> WorkspaceAnswer:
    """Take the protocol document of a workspace, as it was shown.

    Raises:
        BigMindError: `not_found`; `conflict`, when another text lies there by now; `invalid_input`, when it is none.
    """
    row = opened.workspace_with_id(work, uid)
    document = document_in(Folder(Path(row.path)))
    if document is None or document.digest != digest:
        raise BigMindError(
            Code.CONFLICT, "Another text lies there than the one that was shown. Nothing was taken.", "Look once more."
        )
    protocol = _protocol_of(document)
    _take(work, row, document.path, protocol.digest, document.text)
    return _written(work, row, "taken", {"protocol": protocol.digest})


def _take(work: Work, row: Workspace, source: str, digest: str, text: str) -> None:
    """Let a text hold from now on; runs keep the one that they began with."""
    known = select(ProtocolText).where(ProtocolText.workspace_id == row.id, ProtocolText.digest == digest)
    taken = work.session.exec(known).first()
    if taken is None:
        taken = ProtocolText(
            workspace_id=row.id or 0,
            source=source,
            digest=digest,
            text=text,
            taken_at=work.now,
            user_id=work.caller.user_id,
        )
    taken.taken_at, taken.user_id = work.now, work.caller.user_id
    work.session.add(taken)


def leave_text(work: Work, uid: str) -> WorkspaceAnswer:
    """Go back to the built-in protocol, for runs that begin from now on.

    Raises:
        BigMindError: `not_found`; `conflict`, where it holds already.
    """
    row = opened.workspace_with_id(work, uid)
    text = newest_text(work, row.id or 0)
    if text is None or not text.digest:
        raise BigMindError(Code.CONFLICT, "The built-in protocol holds already.")
    _take(work, row, BUILT_IN, "", "")
    return _written(work, row, "left", {"protocol": built_in().digest})


def approve_commands(work: Work, uid: str, digest: str) -> WorkspaceAnswer:
    """Approve the exact commands of the protocol that holds, as they were shown.

    Raises:
        BigMindError: `not_found`; `conflict`, when the list is another by now, or a program is not found.
    """
    row = opened.workspace_with_id(work, uid)
    standing = standing_of(work, row)
    if shown_digest(standing) != digest or not standing.commands:
        raise BigMindError(
            Code.CONFLICT,
            "The commands are others than those that were shown. Nothing was approved.",
            "Look once more.",
        )
    found = [(name, each) for name, each in standing.commands]
    if missing := [name for name, each in found if each is None]:
        raise BigMindError(
            Code.CONFLICT,
            f"No program is found for: {', '.join(missing)}.",
            RUN_BY_CMD if standing.scripts else "Install it where BigMind searches, or name its path in the workspace.",
        )
    commands = [each for _, each in found if each is not None]
    work.session.add(
        ProtocolApproval(
            workspace_id=row.id or 0,
            digest=list_digest(standing.protocol.checks),
            commands=[command_as_json(each) for each in commands],
            approved_at=work.now,
            user_id=work.caller.user_id,
        )
    )
    told = "\n".join(" ".join(each.arguments) for each in commands)
    return _written(work, row, "approved", {"commands": digest}, {"commands": told})


def shown_digest(standing: WorkspaceStanding) -> str:
    """By what the list that a page shows is known: names, arguments, and the programs that were found."""
    import hashlib  # noqa: PLC0415 - of a page that is rarely looked at

    told = [
        f"{name}\0{each.program}\0{each.leads_to}\0{sorted(each.defined_by.items())}" if each else f"{name}\0\0\0"
        for name, each in standing.commands
    ]
    return hashlib.sha256("\n".join([list_digest(standing.protocol.checks), *told]).encode()).hexdigest()


def withdraw_commands(work: Work, uid: str) -> WorkspaceAnswer:
    """Take the approval of a workspace's commands back.

    Raises:
        BigMindError: `not_found`; `conflict`, where there is none.
    """
    row = opened.workspace_with_id(work, uid)
    approval = newest_approval(work, row.id or 0)
    if approval is None:
        raise BigMindError(
            Code.CONFLICT, "No commands of this workspace are approved.", "There is nothing to take back."
        )
    approval.withdrawn_at = work.now
    work.session.add(approval)
    return _written(work, row, "withdrawn_list", {"commands": approval.digest})


def _written(
    work: Work, row: Workspace, kind: str, body: dict[str, str], texts: dict[str, str] | None = None
) -> WorkspaceAnswer:
    """Write an act of a person into the ledger, and tell of it."""
    append(work, Entry(f"workspace_{kind}"[:20], "", {"workspace": row.uid, "actor": "human", **body}, texts or {}))
    work.changed(Kind.SETTINGS, f"protocol {row.uid}"[:40], Action.UPDATED)
    work.session.flush()
    if row.id is None:
        raise not_found("workspace", row.uid, "The page Protocol lists them.")
    return WorkspaceAnswer(id=row.uid, path=row.path, project=row.project, is_open=row.closed_at is None, act=kind)
