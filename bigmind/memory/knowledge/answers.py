"""What the operations of company knowledge answer."""

import operator
from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from bigmind.core.ids import short
from bigmind.core.operation import Offer, offered_only
from bigmind.core.plain_text import one_line, quoted, shortened
from bigmind.memory.answers import (
    ANSWERS_WELL,
    CAUTION,
    LOOKED_FOR,
    SCORE,
    SIMILARITY,
    UNMATCHED,
    WORDS_ONLY,
    found,
    looked_for,
    words_only,
)
from bigmind.memory.id_questions import nothing_with_id
from bigmind.memory.rules import EntryStatus
from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import RECALLED, counted, more_of, noted, part, plain, source, warning, why_flagged
from bigmind.text.tokens import count_tokens

TARGET = 500
"""Tokens that an entry should have at most: more than the context has for all of them together."""

LONGEST_SHOWN = 3_000
"""Characters of an entry's content in the words of an answer; its data holds all of it."""


class EntryRow(Answer):
    """Tier G: one entry of company knowledge."""

    entry_id: str
    category: str
    title: str
    content: str
    importance: int
    status: EntryStatus
    promoted_by: str | None = Field(description="Username; null when that user is gone.")
    approved_by: str | None
    project: str | None
    client: str
    session_id: str | None = Field(description="Where it was learned; told to who promoted it only.")
    created_at: datetime
    updated_at: datetime
    reviewed_at: datetime | None
    review_notes: list[str] = Field(description="What reviewers said and did, oldest first.")
    caution: str = Field(default="", description=CAUTION)

    def as_text(self) -> str:
        by = f" · by {part(self.promoted_by)}" if self.promoted_by else ""
        state = "" if self.status == "approved" else f"{self.status} · "
        born = f" · session {short(self.session_id)}" if self.session_id else ""
        told = f"{state}importance {self.importance}{by} · {source(self.updated_at, self.client, self.project)}{born}"
        label = (
            f"- {short(self.entry_id)} **[{part(self.category)}]** ({told}) {warning(self.caution)}{plain(self.title)}"
        )
        content = "\n".join(f"  {line}" for line in quoted(shortened(self.content, LONGEST_SHOWN)).splitlines())
        notes = "".join(f"\n  - note: {plain(note)}" for note in self.review_notes)
        return f"{label}\n{content}{notes}"


class EntryList(Answer):
    """A page of company knowledge, the most important first."""

    entries: list[EntryRow]
    total: int
    status: EntryStatus
    unmatched: str = Field(default="", exclude_if=operator.not_, description=UNMATCHED)

    def as_text(self) -> str:
        if not self.entries:
            return self.unmatched or f"No company knowledge is {self.status}."
        told = "\n".join(entry.as_text() for entry in self.entries)
        entries = counted(self.total, f"{self.status} entry", f"{self.status} entries")
        return f"{entries} of company knowledge. {RECALLED}\n\n{told}"

    def hints(self, offer: Offer) -> Sequence[str]:
        """How to see more, or to add some, where there is none."""
        if self.entries:
            return more_of(self.total - len(self.entries), "category")
        return offered_only(offer, ("memory_promote_to_global adds some.",))


class EntryHit(Answer):
    """An entry that was found."""

    entry: EntryRow
    excerpt: str = Field(description="The stretch that answers; words that were looked for stand between **.")
    field: str = Field(description="Of the entry, that the excerpt is taken from.")
    why: str = Field(description="What it was found by.")
    score: float = Field(description=SCORE)
    similarity: float = Field(description=SIMILARITY)

    def as_text(self) -> str:
        told = self.entry.as_text()
        return told if len(self.entry.content) <= LONGEST_SHOWN else f"{told}\n  found: {plain(self.excerpt)}"


class EntryHits(Answer):
    """Approved entries that were found, best first."""

    query: str
    hits: list[EntryHit]
    answers_well: bool = Field(default=True, description=ANSWERS_WELL)
    words_only: str = Field(default="", description=WORDS_ONLY)
    looked_for: dict[str, list[str]] = Field(
        default_factory=dict[str, list[str]], exclude_if=operator.not_, description=LOOKED_FOR
    )

    def as_text(self) -> str:
        note = looked_for(self.looked_for) + words_only(self.words_only)
        if not self.hits:
            if told := nothing_with_id(self.query):
                return f"{told}{note}"
            asked = shortened(one_line(self.query), 80)
            return f"No company knowledge matches {asked!r}. Try fewer or other words.{note}"
        told = "\n".join(hit.as_text() for hit in self.hits)
        return (
            f"{found(counted(len(self.hits), 'entry', 'entries'), self.query, note, well=self.answers_well)}\n\n{told}"
        )


class SimilarEntry(Answer):
    """Another entry that says about the same."""

    entry_id: str
    title: str
    status: EntryStatus

    def as_text(self) -> str:
        return f"{short(self.entry_id)} ({self.status}) {plain(self.title)}"


class PromotedEntry(Answer):
    """Something was promoted to company knowledge, or was there before."""

    entry: EntryRow
    tokens: int = Field(description="An upper estimate of what its content costs; the target is 500.")
    similar: list[SimilarEntry] = Field(description="Entries that say about the same.")
    note: str = ""

    def as_text(self) -> str:
        told = noted(_standing(self.entry), self.note, _too_long(self.entry, self.tokens))
        if not self.similar:
            return told
        others = "\n".join(f"- {each.as_text()}" for each in self.similar)
        return f"{told}\n\nThese say about the same. Which one holds? A curator deprecates the other:\n{others}"

    def hints(self, offer: Offer) -> Sequence[str]:
        """How a curator settles it."""
        calls = (
            *_approving(self.entry),
            *(['To deprecate one: memory_approve_global(entry_id=…, action="deprecate").'] if self.similar else []),
        )
        return offered_only(offer, calls)


class ReviewedEntry(Answer):
    """An entry was approved, deprecated or edited."""

    entry: EntryRow
    note: str = ""

    def as_text(self) -> str:
        return noted(_standing(self.entry), self.note, _too_long(self.entry, count_tokens(self.entry.content)))

    def hints(self, offer: Offer) -> Sequence[str]:
        """How it is approved, while it waits."""
        return offered_only(offer, _approving(self.entry))


def _standing(entry: EntryRow) -> str:
    """What an entry is now, and what comes next."""
    name = f"Entry {short(entry.entry_id)} [{part(entry.category)}]"
    match entry.status:
        case "approved":
            return f"{name} is approved: it is company knowledge now."
        case "deprecated":
            return f"{name} is deprecated: only a list of the deprecated ones shows it now."
        case "pending" if entry.caution:
            return (
                f"{name} is pending: it {why_flagged(entry.caution)}, and waits until a person approves it "
                "in BigMind's window."
            )
        case "pending":
            return f"{name} is pending until a curator or an admin approves it."


def _approving(entry: EntryRow) -> list[str]:
    """What approves an entry that waits for a curator, and for no person."""
    if entry.status != "pending" or entry.caution:
        return []
    call = f'memory_approve_global(entry_id={short(entry.entry_id)}, action="approve")'
    return [f"A curator or an admin other than its author approves it with {call}."]


def _too_long(entry: EntryRow, tokens: int) -> str:
    if tokens <= TARGET:
        return ""
    return (
        f"It costs about {tokens:,} tokens, and {TARGET} is the target: the context shows its beginning only. To "
        f"shorten it: `bigmind memory edit-global {short(entry.entry_id)} --content …`."
    )
