"""What the audit log answers."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.operation import Offer
from bigmind.core.plain_text import visible
from bigmind.operations.catalogue import Answer, Part
from bigmind.people.audit import AuditKind
from bigmind.text.phrasing import part

_LONGEST_WORDS = 300


class AuditRow(Part):
    """One administrative act."""

    number: int
    at: datetime
    by: str = Field(description="The user who did it.")
    client: str = Field(description="With what: a client, the browser, the command line.")
    kind: AuditKind
    words: str = Field(description="What was done, and to whom.")

    def as_text(self) -> str:
        """One line."""
        by = part(visible(self.by)) or "a user who is gone"
        return f"- {local(self.at)} · {by} {part(visible(self.words), _LONGEST_WORDS)} · {part(visible(self.client))}"


class AuditList(Answer):
    """Administrative acts, the newest first."""

    acts: list[AuditRow]
    cursor: str | None = Field(default=None, description="Where it goes on; empty at the end.")

    def as_text(self) -> str:
        """A line for each act."""
        return "\n".join(each.as_text() for each in self.acts) or "No administrative act of that kind is in the log."

    def hints(self, offer: Offer) -> Sequence[str]:
        """How to see what was before."""
        del offer
        if not self.cursor:
            return ()
        return (f"audit_list(cursor={self.cursor}) goes on; give the same user, kind, and since again.",)
