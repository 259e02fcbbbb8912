"""The kind of thing that the protocol holds."""

from typing import TYPE_CHECKING

from bigmind.core.kind import ORIGIN, Detail, Echo, Kind, Text, Words
from bigmind.core.lazy_module import LazyModule
from bigmind.protocol.tables import ProtocolCheck, ProtocolEvidence, ProtocolRun, ProtocolViolation

if TYPE_CHECKING:
    from bigmind.protocol import current_run, forgotten_runs, imported_runs
    from bigmind.protocol.document import run_guide
else:
    current_run = LazyModule("bigmind.protocol.current_run")
    forgotten_runs = LazyModule("bigmind.protocol.forgotten_runs")
    imported_runs = LazyModule("bigmind.protocol.imported_runs")
    run_guide = LazyModule("bigmind.protocol.document.run_guide")

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
    before_forgetting=lambda work, row: forgotten_runs.write_down(work, row),  # noqa: PLW0108 - loaded when called
    current=lambda work, project, offer: current_run.current_run(work, project, offer),  # noqa: PLW0108 - likewise
    against_edit=lambda work, offer, file: current_run.reason_against_edit(work, offer, file),  # noqa: PLW0108 - as above
    guide=lambda: run_guide.SECTIONS,
    summary=("objective",),
    page="/protocol",
    label="run",
    ledger_name="name",
    toolsets=frozenset({"protocol"}),
    untold=(
        *("workspace_id", "connection", "begun", "kept", "due", "passed", "revision", "ledger_number", "is_imported"),
    ),
    brought=lambda told: imported_runs.brought(told),  # noqa: PLW0108 - loaded when called
)
KINDS = (RUN,)
