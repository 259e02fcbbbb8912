"""What a person is told who looks through what was flagged."""

from datetime import datetime

from pydantic import Field

from bigmind.catalog import Answer
from bigmind.core.ids import short
from bigmind.memory.wording import RECALLED, plain, source


class FlaggedItem(Answer):
    """Something stored that instructs its reader and that nobody has accepted."""

    kind: str
    id: str = Field(description="Pass it to memory_accept; `profile` stands for the profile.")
    caution: str = Field(description="The names of what was found.")
    client: str
    project: str | None
    at: datetime
    text: str = Field(description="Its words, at most 2,000 characters of them.")

    def as_text(self) -> str:
        told = f"{self.kind} · {self.caution} · {source(self.at, self.client or '—', self.project)}"
        return f"- {short(self.id)} ({told}) {plain(self.text)}"


class FlaggedList(Answer):
    """What waits for a person."""

    items: list[FlaggedItem]
    total: int

    def as_text(self) -> str:
        if not self.items:
            return "Nothing waits to be accepted."
        lines = "\n".join(each.as_text() for each in self.items)
        missing = self.total - len(self.items)
        more = f"\n\n{missing} more: raise limit." if missing > 0 else ""
        what_next = "`bigmind memory accept <id>` lets one into the context."
        return f"{self.total} flagged. {RECALLED} {what_next}\n\n{lines}{more}"


class AcceptedItem(Answer):
    """A person accepted a text that instructs its reader."""

    kind: str
    id: str
    caution: str

    def as_text(self) -> str:
        told = f"Accepted {self.kind} {short(self.id)} ({self.caution})"
        return f"{told}: the automatic context may show it from now on."
