"""What the verification of the ledger answers."""

from typing import ClassVar

from pydantic import Field

from bigmind.core.ids import short
from bigmind.core.plain_text import visible
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import part

MOST_TOLD = 200
"""Faults that are told one by one; all are counted."""


class LedgerFault(Part):
    """Something that does not agree with the ledger."""

    number: int = Field(description="Of the row; 0 where it is about none.")
    item: str = Field(description="Its slug, or its id; empty where it is about none.")
    message: str

    def as_text(self) -> str:
        """One line."""
        where = [f"row {self.number}"] * bool(self.number) + [part(visible(self.item))] * bool(self.item)
        return f"- {' · '.join(where) or 'ledger'}: {part(visible(self.message), 300)}"


class LedgerVerification(Answer):
    """Whether the ledger, the items and what gates rested on agree."""

    can_refuse: ClassVar[bool] = True

    rows: int = Field(description="How many rows the ledger has.")
    head: str = Field(description="The hash of the newest one.")
    covered: int = Field(description="The newest row that a backup's manifest covers.")
    logged: int = Field(default=0, description="The newest row that a head in the system's log covers.")
    log_unread: str = Field(default="", description="Why heads in the system's log were not compared; else empty.")
    total: int = Field(description="How many faults there are.")
    faults: list[LedgerFault]

    @property
    def is_refusal(self) -> bool:
        """Whether something does not agree: a command then ends with 1."""
        return bool(self.total)

    def as_text(self) -> str:
        """A sentence, what does not agree, and what is not covered."""
        if not self.rows and not self.total:
            return "The ledger is empty."
        agree = "agrees with itself, with every item, and with what gates rested on"
        first = f"The ledger has {self.rows:,} rows, the newest {short(self.head)}."
        first += f" {self.total:,} things do not agree:" if self.total else f" It {agree}."
        lines = [first, *(each.as_text() for each in self.faults)]
        lines += [f"- and {self.total - len(self.faults):,} more"] * (self.total > len(self.faults))
        if self.total:
            lines.append("An item that does not agree moves no more until a person looked at it, and accepted it.")
        if self.covered < self.rows:
            lines.append(f"No backup covers the rows from {self.covered + 1:,} on yet: `bigmind backup create`.")
        else:
            lines.append("A backup covers all of it.")
        if self.log_unread:
            lines.append(f"Heads in the system's log were not compared: {self.log_unread}")
        elif self.logged:
            lines.append(f"The system's log covers the rows up to {self.logged:,}.")
        else:
            lines.append("The system's log covers none of it.")
        return "\n".join(lines)


class AcceptedStanding(Answer):
    """An item counts as it stands."""

    slug: str
    state: str
    revision: int

    def as_text(self) -> str:
        """One sentence."""
        return f"{part(self.slug)} counts as it stands: {self.state}, revision {self.revision}. The ledger says so."
