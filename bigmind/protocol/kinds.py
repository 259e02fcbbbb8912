"""The kind of thing that the protocol holds."""

from bigmind.core.kind import ORIGIN, Detail, Echo, Kind, Text, Words
from bigmind.protocol.tables import ProtocolCheck, ProtocolEvidence, ProtocolRun, ProtocolViolation

RUN = Kind(
    "protocol_run",
    "protocol_runs",
    Words("protocol run", "protocol runs"),
    ProtocolRun,
    (
        Text("objective", "objective", 2.0),
        Text("summary", "summary", 1.0),
        Text("notes", "next_session_notes", 1.0),
        Text("branch", "branch"),
        *ORIGIN,
    ),
    details=(
        Detail(ProtocolEvidence, "run_id", "id", ("step", "text", "client")),
        Detail(ProtocolViolation, "run_id", "id", ("recovery",)),
        Detail(ProtocolCheck, "run_id", "id", ("output",)),
    ),
    # The rows of the ledger stay, and hold together without the words beside them.
    echoes=(Echo("work_ledger_text", "item_uid", ("text", "salt")),),
    summary=("objective",),
    page="/protocol",
    label="run",
    ledger_name="name",
    left_out=(("export", "its record is made with its pages"),),
)
KINDS = (RUN,)
