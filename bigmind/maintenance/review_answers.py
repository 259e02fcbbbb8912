"""What a person is told who looks through what was flagged."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from bigmind.core.ids import short
from bigmind.core.operation import Offer
from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import RECALLED, more_of, plain, source


class FlaggedText(Answer):
    """One of the texts that were judged together."""

    label: str = Field(description="What it is: fact, category, project, client, review notes, …")
    text: str = Field(description="At most 2,000 characters of it.")

    def as_text(self) -> str:
        return f"  - {self.label}: {plain(self.text)}"


class FlaggedItem(Answer):
    """Something stored that instructs its reader and that nobody has accepted."""

    kind: str
    id: str = Field(description="`profile` stands for the profile.")
    caution: str = Field(description="The names of what was found.")
    client: str
    project: str | None
    at: datetime
    texts: list[FlaggedText] = Field(description="Everything of it that was judged, and that accepting it lets in.")

    def as_text(self) -> str:
        told = f"{self.kind} · {self.caution} · {source(self.at, self.client or '—', self.project)}"
        return "\n".join((f"- {short(self.id)} ({told})", *(each.as_text() for each in self.texts)))


class FlaggedList(Answer):
    """What waits for a person."""

    items: list[FlaggedItem]
    total: int

    def as_text(self) -> str:
        if not self.items:
            return "Nothing waits to be accepted."
        lines = "\n".join(each.as_text() for each in self.items)
        what_next = "A person accepts one in BigMind's window: then the context may show it."
        return f"{self.total} flagged. {RECALLED} {what_next}\n\n{lines}"

    def hints(self, offer: Offer) -> Sequence[str]:
        del offer
        return more_of(self.total - len(self.items))


class AcceptedItem(Answer):
    """A person accepted a text that instructs its reader."""

    kind: str
    id: str
    caution: str
    texts: list[FlaggedText] = Field(description="What was accepted.")

    def as_text(self) -> str:
        told = f"Accepted {self.kind} {short(self.id)} ({self.caution})"
        shown = "\n".join(each.as_text() for each in self.texts)
        return f"{told}: the automatic context may show it from now on. {RECALLED}\n\n{shown}"
