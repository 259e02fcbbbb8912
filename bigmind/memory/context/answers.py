"""What a person's word on the context answers."""

from pydantic import Field

from bigmind.core.ids import short
from bigmind.operations.catalogue import Answer


class PlacedItem(Answer):
    """A person pinned a thing to the context, hid it there, or took that back."""

    kind: str
    id: str
    placement: str = Field(description="pinned, hidden or automatic.")

    def as_text(self) -> str:
        what = {
            "pinned": "is pinned: conversations start with it.",
            "hidden": "is hidden: no conversation starts with it. It is still stored and found.",
        }
        return f"The {self.kind} {short(self.id)} {what.get(self.placement, 'is shown when it fits.')}"
