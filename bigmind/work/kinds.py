"""The kinds of things that work holds."""

from bigmind.core.kind import ORIGIN, Kind, Text, Words
from bigmind.work.tables import WorkItem

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
    summary=("title",),
    page="/work",
    label="work",
    review=8,
)
KINDS = (ITEM,)
