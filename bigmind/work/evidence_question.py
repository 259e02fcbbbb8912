"""What an evidence gate of an item asks for outside of the store, as far as the store says it."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class EvidenceQuestion:
    """Where to look, and for what; the answer counts for the item as it stood then.

    Attributes:
        root: the opened workspace of the item's project; empty where a person opened none.
        project: of the item; empty for none.
        kind: of the evidence.
        path: of the file.
        since: when the item came into its state.
    """

    root: str
    project: str
    kind: str
    path: str
    since: datetime
