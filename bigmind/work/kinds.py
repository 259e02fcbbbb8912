"""The kinds of things that work holds."""

from typing import TYPE_CHECKING

from bigmind.core.kind import ORIGIN, Detail, Echo, Kind, Text, Words
from bigmind.core.lazy_module import LazyModule
from bigmind.work.node_tables import WorkNode, WorkNodeGate, WorkNodeInput, WorkNodeOutput
from bigmind.work.rules import GUIDE
from bigmind.work.tables import WorkConfirmation, WorkFieldValue, WorkItem

if TYPE_CHECKING:
    from bigmind.work import brain_notes, processes
    from bigmind.work.holding import current_item
    from bigmind.work.ledger import forgotten_items
else:
    brain_notes = LazyModule("bigmind.work.brain_notes")
    current_item = LazyModule("bigmind.work.holding.current_item")
    processes = LazyModule("bigmind.work.processes")
forgotten_items = LazyModule("bigmind.work.ledger.forgotten_items")

ITEM = Kind(
    "work_item",
    "work_items",
    Words("work item", "work items"),
    WorkItem,
    (
        Text("title", "title", 2.0),
        Text("topic", "topic", 1.0, is_embedded=False),
        Text("description", "description", 1.0),
        Text("DNA", "dna", 0.5, is_embedded=False),
        Text("slug", "slug"),
        *ORIGIN,
    ),
    is_everybodys=True,
    details=(
        Detail(WorkFieldValue, "item_id", "id", ("name", "client", "value")),
        Detail(WorkConfirmation, "item_id", "id", ("note",)),
        Detail(WorkNode, "item_id", "item_id", ("type", "plan_url", "plan_path", "context", "action", "acceptance")),
        Detail(WorkNodeInput, "item_id", "id", ("description", "path")),
        Detail(WorkNodeOutput, "item_id", "id", ("description", "path", "note", "produced_by")),
        Detail(WorkNodeGate, "item_id", "id", ("name", "evidence", "by")),
    ),
    # The rows of the ledger stay, and hold together without the words and the salts beside them.
    echoes=(
        Echo("work_ledger_text", "item_uid", ("text", "salt")),
        Echo("work_foreign_ledger", "item_uid", ("texts",)),
    ),
    before_forgetting=lambda work, row: forgotten_items.write_down(work, row),  # noqa: PLW0108 - loaded when called
    beside_brain=lambda work, entry: brain_notes.beside_brain(work, entry),  # noqa: PLW0108 - likewise
    current=lambda work, project, offer: current_item.current_item(work, project, offer),  # noqa: PLW0108 - as above
    guide=lambda: GUIDE,
    summary=("title",),
    page="/work",
    label="work",
    review=8,
    ledger_name="slug",
    toolsets=frozenset({"work", "mindspace"}),
    work_roles=lambda work: processes.known_roles(work),  # noqa: PLW0108 - as above
)
KINDS = (ITEM,)
