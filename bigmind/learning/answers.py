"""What the operations of learning answer."""

from datetime import datetime
from typing import Literal

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.plain_text import one_line, shortened, visible
from bigmind.learning.known_matches import Relation
from bigmind.learning.proposals import Becomes
from bigmind.learning.sources import Scope
from bigmind.memory.answers import CAUTION
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import counted, plain, warning

NAMES: dict[str, str] = {
    "fact": "fact",
    "knowledge": "entry of knowledge",
    "profile": "part of the profile",
    "session": "past session",
}
_MANY = {"knowledge": "entries of knowledge", "profile": "parts of the profile"}
SHOWN = 160
LEAST_OF_LIST = 16
"""Digits of a list's digest that name it: nobody makes another list that begins with them."""


class SourceRow(Part):
    """A file that could be learned from."""

    file: str = Field(description="From the home folder, or from the workspace.")
    client: str = Field(description="Whose file it is.")
    scope: Scope
    project: str | None
    is_memory: bool = Field(description="An assistant wrote it for itself.")
    bytes: int
    modified_at: datetime
    left: str = Field(description="Why it is not read; empty when it is.")

    def as_line(self) -> str:
        """One line of a list."""
        left = f": not read, {self.left}" if self.left else ""
        return f"- {visible(self.file)} ({self.client}, {self.bytes:,} bytes){left}"


class SourceList(Answer):
    """The files that could be learned from."""

    sources: list[SourceRow]
    workspaces: list[str] = Field(description="Folders that an assistant worked in, which could be named.")

    def as_text(self) -> str:
        if not self.sources:
            return "No file was found that assistants are told things by. Name a workspace, or an export."
        lines = "\n".join(each.as_line() for each in self.sources)
        files = counted(len(self.sources), "file")
        return f"{files}:\n\n{lines}\n\n`bigmind learn proposals` shows what could be learned from them."


class PlaceRow(Part):
    """Where something stands."""

    file: str
    heading: str
    line: int = Field(description="0: it has none.")


class ProposalRow(Part):
    """Something that could be learned."""

    digest: str = Field(description="Names it; its first 8 characters are enough.")
    becomes: Becomes
    text: str = Field(description="The statement, the content, or the headline of a session.")
    category: str
    title: str = Field(description="Of an entry of knowledge.")
    project: str | None
    places: list[PlaceRow]
    known: Relation = Field(
        description="known: the very same is stored; repeats, contradicts, may_contradict: about the same is."
    )
    known_text: str = Field(description="What is stored.")
    caution: str = Field(description=CAUTION)
    is_masked: bool = Field(description="It held a secret, which is masked.")
    is_shortened: bool
    started_at: datetime | None = Field(description="Of a past session.")
    ended_at: datetime | None
    topics: list[str]
    summary: str

    def as_text(self) -> str:
        """Two lines of a list."""
        kind = NAMES[self.becomes] + (f", {self.category}" if self.category else "")
        when = f" {local(self.started_at)}" if self.started_at else ""
        first = self.places[0] if self.places else None
        where = f"{visible(first.file)}{f', line {first.line}' if first.line else ''}" if first else ""
        known = {"": "", "known": " · known already"}.get(
            self.known, f" · {self.known.replace('_', ' ')} what is known"
        )
        said = plain(shortened(one_line(f"{self.title}: {self.text}" if self.title else self.text), SHOWN))
        return f"- {short(self.digest)} **[{kind}]**{when} {warning(self.caution)}{said}\n  {where}{known}"


class ProposalList(Answer):
    """What could be learned, and was not decided yet."""

    proposals: list[ProposalRow]
    list_digest: str = Field(description="Names this list, so that all of it can be accepted or dismissed.")
    sources: list[SourceRow]
    more: int = Field(description="How many there are beyond these; they are shown once these are decided.")
    decided: int = Field(description="How many of what stands there were accepted or dismissed before.")
    notes: list[str]
    options: str = Field(default="", description="Of the command: what was looked through, to say it again.")

    def as_text(self) -> str:
        decided = f" {counted(self.decided, 'was', 'were')} decided before." if self.decided else ""
        if not self.proposals:
            return " ".join((f"There is nothing new to learn.{decided}", *self.notes))
        lines = "\n".join(each.as_text() for each in self.proposals)
        more = f" {counted(self.more, 'more is', 'more are')} shown once these are decided." if self.more else ""
        told = " ".join((f"{counted(len(self.proposals), 'proposal')}.{more}{decided}", *self.notes))
        some = f"`bigmind learn accept --digests NAMES{self.options}`"
        every = f"`bigmind learn accept --all --shown {self.list_digest[:LEAST_OF_LIST]}{self.options}`"
        return f"{told}\n\n{lines}\n\nAccept some with {some}, or all that are new with {every}."


class LearntItem(Part):
    """What became of one proposal."""

    digest: str
    kind: str
    id: str
    text: str
    caution: str = Field(description=CAUTION)


class NotTaken(Part):
    """Something that was not learned."""

    text: str
    reason: str


class Accepted(Answer):
    """What was learned."""

    learnt: list[LearntItem]
    confirmed: list[str] = Field(description="Digests of what was known already.")
    before: int = Field(description="How many were decided before.")
    passed_over: int = Field(
        description="Of all: those that are known already, or instruct their reader, so that each is to be chosen."
    )
    not_taken: list[NotTaken]
    unknown: list[str] = Field(description="Names of no proposal.")

    @property
    def digests(self) -> list[str]:
        """By which all of it is taken back."""
        return [*(each.digest for each in self.learnt), *self.confirmed]

    def as_text(self) -> str:
        counts: dict[str, int] = {}
        for each in self.learnt:
            counts[each.kind] = counts.get(each.kind, 0) + 1
        told = ", ".join(counted(count, NAMES[kind], _MANY.get(kind, "")) for kind, count in counts.items())
        lines = [f"Learned: {told or 'nothing new'}."]
        if self.confirmed:
            lines.append(f"Known already: {len(self.confirmed):,}.")
        if self.before:
            lines.append(f"Decided before: {self.before:,}.")
        if self.passed_over:
            lines.append(f"Passed over, for they are known or read like instructions: {self.passed_over:,}.")
        if waiting := sum(bool(each.caution) for each in self.learnt):
            lines.append(f"Waiting to be accepted, for they read like instructions: {waiting:,}.")
        lines += [f"Not taken: {plain(shortened(each.text, SHOWN))} ({each.reason})" for each in self.not_taken]
        lines += [f"There is no proposal {visible(name)}." for name in self.unknown]
        return "\n".join(lines)


class Dismissed(Answer):
    """What is not proposed again."""

    dismissed: list[str] = Field(description="Their digests.")
    unknown: list[str] = Field(description="Names of no proposal.")

    def as_text(self) -> str:
        unknown = "".join(f"\nThere is no proposal {visible(name)}." for name in self.unknown)
        return f"Dismissed {len(self.dismissed):,}: they are not proposed again.{unknown}"


class TakenBack(Answer):
    """Decisions that were taken back."""

    taken_back: int = Field(description="How many; they are proposed again.")
    left: list[str] = Field(description="What stays, and why.")

    def as_text(self) -> str:
        left = "".join(f"\n{each}" for each in self.left)
        return f"Taken back: {self.taken_back:,}. What was made of them is gone, and they are proposed again.{left}"


State = Literal["", "deprecated", "changed", "gone"]
"""What became of something since a decision made it; empty: nothing, it stands as it was made."""


class DecidedRow(Part):
    """A decision, and what it made as that stands today."""

    digest: str = Field(description="Names it; its first 8 characters are enough to take it back.")
    decision: Literal["accepted", "dismissed"]
    at: datetime
    kind: Literal["", "fact", "knowledge", "profile", "session"] = Field(
        description="What it made; empty: nothing new, for it was known already or dismissed."
    )
    id: str
    text: str = Field(description="A statement, a title or a headline, shortened; empty: it is kept nowhere.")
    state: State = Field(description="What became of that since; empty: it stands as it was made.")
    can_undo: bool = Field(description="Not when an entry, a session or the preferences were changed since.")
    caution: str = Field(description=CAUTION)

    def as_line(self) -> str:
        """One line of a list."""
        made = f", {NAMES[self.kind]}" if self.kind else ""
        identifier = f" {short(self.id)}" if self.kind in {"fact", "knowledge", "session"} else ""
        since = {"": "", "deprecated": " (deprecated since)", "changed": " (changed since)", "gone": ""}[self.state]
        said = f"{warning(self.caution)}{plain(self.text)}" if self.text else self.without_text
        return f"- {short(self.digest)} {local(self.at)} **[{self.decision}{made}]**{identifier}{since} {said}"

    @property
    def without_text(self) -> str:
        """Why no words of it are shown."""
        if self.decision == "dismissed":
            return "Its words are kept nowhere."
        if not self.kind:
            return "It was known already; nothing new was made of it."
        return (
            "What it became is gone."
            if self.state == "gone"
            else "Its lines in the preferences were changed or removed."
        )


class DecidedList(Answer):
    """What was decided, the newest first."""

    decided: list[DecidedRow]
    accepted: int = Field(description="How many were accepted, in all.")
    dismissed: int = Field(description="How many were dismissed, in all.")

    @property
    def total(self) -> int:
        """How many there are in all."""
        return self.accepted + self.dismissed

    def as_text(self) -> str:
        if not self.total:
            return "Nothing was decided yet. `bigmind learn proposals` shows what could be learned."
        newest = f" The newest {len(self.decided):,}:" if self.total > len(self.decided) else ""
        lines = "\n".join(each.as_line() for each in self.decided)
        back = "Take some back with `bigmind learn undo --digests NAMES`" + (
            ", or all that was dismissed with `bigmind learn undo --dismissed`." if self.dismissed else "."
        )
        return f"{self.accepted:,} accepted, {self.dismissed:,} dismissed.{newest}\n\n{lines}\n\n{back}"
