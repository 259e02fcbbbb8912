"""What a person said of a workspace: which protocol text holds, and which exact commands may run."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlmodel import col, select

from bigmind.core.shapes import as_object
from bigmind.protocol.document.built_in import built_in
from bigmind.protocol.document.protocol_document import read_protocol
from bigmind.protocol.document.protocol_record import Check, Protocol
from bigmind.protocol.tables import ProtocolApproval, ProtocolText
from bigmind.store.work import Work
from bigmind.workspace.approved_commands import ApprovedCommand


def protocol_with(work: Work, workspace_id: int | None, digest: str) -> Protocol:
    """The protocol of that digest, as a person took it in a workspace; the built-in one for none."""
    if not digest:
        return built_in()
    found = select(ProtocolText).where(ProtocolText.workspace_id == workspace_id, ProtocolText.digest == digest)
    row = work.session.exec(found).first()
    return read_protocol(row.text, row.source) if row is not None else built_in()


def newest_text(work: Work, workspace_id: int) -> ProtocolText | None:
    """The document of a workspace that holds: the one that was taken last."""
    found = select(ProtocolText).where(ProtocolText.workspace_id == workspace_id)
    return work.session.exec(found.order_by(col(ProtocolText.taken_at).desc(), col(ProtocolText.id).desc())).first()


def taken_texts(work: Work, workspace_id: int) -> frozenset[str]:
    """The digests of the documents that a person took in a workspace."""
    return frozenset(work.session.exec(select(ProtocolText.digest).where(ProtocolText.workspace_id == workspace_id)))


def list_digest(checks: Sequence[Check]) -> str:
    """By what a list of commands is known: names, arguments, limits, and the files that define each."""
    told = [[each.name, list(each.arguments), list(each.defined_by), each.seconds] for each in checks]
    return hashlib.sha256(json.dumps(told, ensure_ascii=False).encode()).hexdigest()


def newest_approval(work: Work, workspace_id: int) -> ProtocolApproval | None:
    """What a person approved last in a workspace and did not take back."""
    found = select(ProtocolApproval).where(ProtocolApproval.workspace_id == workspace_id)
    row = work.session.exec(found.order_by(col(ProtocolApproval.id).desc()).limit(1)).first()
    return row if row is not None and row.withdrawn_at is None else None


def approved_commands(work: Work, workspace_id: int, protocol: Protocol) -> list[ApprovedCommand] | None:
    """The approved commands of a protocol; None where its list is not the one that a person approved."""
    row = newest_approval(work, workspace_id)
    if row is None or row.digest != list_digest(protocol.checks):
        return None
    return [command_from(as_object(each)) for each in row.commands]


def command_as_json(command: ApprovedCommand) -> dict[str, Any]:
    """A command as a row keeps it."""
    return {
        "name": command.name,
        "arguments": list(command.arguments),
        "program": str(command.program),
        "leads_to": str(command.leads_to),
        "is_workspaces": command.is_workspaces,
        "defined_by": dict(command.defined_by),
    }


def command_from(kept: Mapping[str, Any]) -> ApprovedCommand:
    """A command that a row keeps."""
    return ApprovedCommand(
        name=str(kept["name"]),
        arguments=tuple(map(str, kept["arguments"])),
        program=Path(str(kept["program"])),
        leads_to=Path(str(kept.get("leads_to", kept["program"]))),
        is_workspaces=bool(kept["is_workspaces"]),
        defined_by={str(path): str(digest) for path, digest in as_object(kept["defined_by"]).items()},
    )
