"""What the operations that look after the memory answer: how it is, what was removed, what was made anew."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Literal, Self

from pydantic import Field

from bigmind.brain.kinds import KINDS as BRAIN_KINDS
from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.operation import Offer
from bigmind.memory.kinds import KINDS as MEMORY_KINDS
from bigmind.operations.catalogue import Answer
from bigmind.protocol.kinds import KINDS as PROTOCOL_KINDS
from bigmind.text.phrasing import bullets, counted, megabytes, plain
from bigmind.work.kinds import KINDS as WORK_KINDS

CALLED = {each.name: each.words.one for each in (*MEMORY_KINDS, *BRAIN_KINDS, *WORK_KINDS, *PROTOCOL_KINDS)}
"""How people call one thing of a kind."""

Severity = Literal["problem", "warning", "note"]
MARKS: dict[Severity, str] = {"problem": "🔴", "warning": "🟠", "note": "⚪"}


class Stats(Answer):
    """How much is remembered."""

    bytes_on_disk: int = Field(description="The store with its log, without backups.")
    sessions: int
    open_sessions: int
    sessions_with_detail: int
    chunks: int
    facts: int
    deprecated_facts: int
    hypotheses: int
    open_hypotheses: int
    profile: bool = Field(description="Whether the profile says anything.")
    knowledge: int = Field(default=0, description="Approved entries of company knowledge, everybody's.")
    pending_knowledge: int = Field(default=0, description="Entries that wait for a curator: one's own, or all of them.")
    thoughts: int = Field(default=0, description="Living thoughts that one may read: one's own, and shared ones.")
    shared_thoughts: int = Field(default=0, description="How many of them every user may read.")
    noise: int = Field(default=0, description="Thoughts that a person keeps out of answers.")
    questions: int = Field(default=0, description="What one's agents asked of the brain, or contributed.")
    brain_waiting: int = Field(
        default=0, description="Thoughts that want a person's look: uncategorized or flagged; counted up to 1,000."
    )
    open_work: int = Field(default=0, description="Items of work that are not finished, everybody's.")
    work_waiting: int = Field(default=0, description="Items of work that wait for a person's confirmation.")
    flagged: int = Field(default=0, description="Items that instruct a later reader and wait for a person.")
    forgotten: int | None = Field(default=None, description="How often something was forgotten for good, if counted.")
    embedded: int = Field(default=0, description="Items that are found by meaning too.")
    waiting: int = Field(default=0, description="Items that are found by words only until they are embedded.")
    meaning: str = Field(default="", description="How search by meaning is: its model, or why there is none.")
    bytes_of_log: int = 0
    bytes_of_backups: int = 0
    backups: int | None = Field(default=0, description="None where their folder cannot be read.")
    newest_backup_at: datetime | None = None

    @property
    def in_person(self) -> int:
        """How much waits for a person, in person: confirmations, and flagged text to be read and accepted."""
        return self.work_waiting + self.flagged

    def as_text(self) -> str:
        profile = "written" if self.profile else "empty"
        knowledge, wait = counted(self.knowledge, "entry", "entries"), "waits" if self.flagged == 1 else "wait"
        gone = "" if self.forgotten is None else f"; forgotten for good: {self.forgotten:,}"
        return bullets(
            [
                f"Tier G: {knowledge} of company knowledge ({self.pending_knowledge:,} pending)",
                f"Tier 0: profile {profile}; {counted(self.facts, 'fact')} ({self.deprecated_facts:,} deprecated)",
                f"Tier 1: {counted(self.sessions, 'session')} ({self.open_sessions:,} open)",
                f"Tier 2: {self.sessions_with_detail:,} with detail",
                f"Tier 3: {counted(self.chunks, 'moment')}",
                f"Journal: {counted(self.hypotheses, 'hypothesis', 'hypotheses')} ({self.open_hypotheses:,} open)",
                self._of_the_brain(),
                f"Flagged: {self.flagged:,} {wait} for a person{gone}",
                f"Search by meaning: {plain(self.meaning)}",
                f"On disk: {megabytes(self.bytes_on_disk)}, of which the log is {megabytes(self.bytes_of_log)}",
                self._of_backups(),
            ]
        )

    def _of_backups(self) -> str:
        if self.backups is None:
            return "Backups: their folder cannot be read"
        newest = f", the newest of {local(self.newest_backup_at)}" if self.newest_backup_at else ""
        return f"Backups: {self.backups:,}, {megabytes(self.bytes_of_backups)}{newest}"

    def _of_the_brain(self) -> str:
        private = self.thoughts - self.shared_thoughts
        return (
            f"Brain: {counted(self.thoughts, 'living thought')} "
            f"({self.shared_thoughts:,} shared, {private:,} private), {self.noise:,} kept out of answers as noise, "
            f"{self.brain_waiting:,} to categorize or look at; {counted(self.questions, 'question')}"
        )


class ForgottenItem(Answer):
    """Something was forgotten for good, or would be."""

    dry_run: bool = False
    text: str = Field(default="", description="Of a dry run: what it says, shortened.")
    is_much: bool = Field(default=False, description="Of a dry run: whether `confirm` is needed.")
    id: str
    kind: str
    moments: int = Field(description="Moments that went with a session.")
    facts_kept: int = Field(description="Facts that were stored in the session; they stay.")
    hypotheses_kept: int
    overwritten: bool = Field(description="Whether no byte of it is left in the store's files by now.")
    backups_cleaned: list[str] = Field(description="Backups that held it and no longer do.")
    backups_left: list[str] = Field(description="Backups that may still hold it, and why; a restore leaves it out.")

    def as_text(self) -> str:
        called = CALLED.get(self.kind, self.kind.replace("_", " "))
        name = "the profile" if self.kind == "profile" else f"{called} {short(self.id)}"
        also = f" with its detail, topics and {counted(self.moments, 'moment')}" if self.kind == "session" else ""
        if self.dry_run:
            much = ["It is much of what is remembered."] if self.is_much else []
            said = f": {self.text}" if self.text else "."
            return bullets([f"Would be removed for good: {name}{also}{said}", *much])
        lines = [f"Removed for good: {name}{also}, and its entries in the search index."]
        if self.facts_kept or self.hypotheses_kept:
            lines.append(
                f"{counted(self.facts_kept, 'fact')} and {counted(self.hypotheses_kept, 'hypothesis', 'hypotheses')} "
                "that were stored in it stay; "
                "forget each by its own id."
            )
        lines.append(
            "Its bytes in the store's files are overwritten."
            if self.overwritten
            else "Its bytes in the store's files are not all overwritten yet, because a reader or a full disk was in "
            "the way; that is done at the next chance, at the latest when BigMind starts again."
        )
        lines.append(f"Backups: {len(self.backups_cleaned):,} held it and no longer do.")
        lines += [f"Backup that may still hold it (a restore leaves it out): {each}" for each in self.backups_left]
        lines.append("Not reached: exports and copies that you made, other machines, and other items that repeat it.")
        return bullets(lines)


class ClosedSessions(Answer):
    """Sessions that were forgotten open are closed."""

    closed: int

    def as_text(self) -> str:
        return f"Closed {counted(self.closed, 'session')}." if self.closed else "None was open."


def kept_in(backup: str | None) -> str:
    """Where old moments still are that were removed, as one more sentence; empty where no backup was made first."""
    return f" They are still in the backup {backup}, which was made first." if backup else ""


class Pruned(Answer):
    """Old moments were removed, or would be."""

    days: int
    dry_run: bool
    moments: int
    sessions: int = Field(description="Sessions that they belong to; their lines and summaries stay.")
    moments_without_detail: int = Field(default=0, description="Of these, moments of sessions without a summary.")
    sessions_without_detail: int = Field(default=0, description="How many sessions those belong to.")
    newest_kept: int = Field(
        default=0, description="Old moments that stay unless `all` is given: the newest of each such session."
    )
    bytes_of_text: int = Field(description="Of the moments' words.")
    bytes_freed: int = Field(description="By how much the store's files shrank; 0 in a dry run.")
    backup: str | None = Field(default=None, description="The backup that was made first.")

    def as_text(self) -> str:
        what = (
            f"{counted(self.moments, 'moment')} older than {counted(self.days, 'day')}, "
            f"of {counted(self.sessions, 'session')} "
            f"({megabytes(self.bytes_of_text)} of text)"
        )
        if self.dry_run:
            return f"Would prune {what}.{self._without_detail()} Nothing was removed."
        return (
            f"Pruned {what}; the summaries of these sessions stay.{self._without_detail()}{kept_in(self.backup)} "
            f"The store's files shrank by {megabytes(self.bytes_freed)}."
        )

    def hints(self, offer: Offer) -> Sequence[str]:
        """How to remove what is kept, too."""
        del offer
        return ("Pass all=true to remove what is kept, too.",) if self.newest_kept else ()

    def _without_detail(self) -> str:
        said = ""
        if self.moments_without_detail:
            said = (
                f" {self.moments_without_detail:,} of them {'belong' if self.dry_run else 'belonged'} to "
                f"{counted(self.sessions_without_detail, 'session')} without a summary."
            )
        if self.newest_kept:
            said += f" Kept: the newest moment of {counted(self.newest_kept, 'session')} without a summary."
        return said


OF_PAIRS = "facts_contradict"
"""The finding whose examples are pairs of facts, of each the newer one first."""


class Finding(Answer):
    """Something about the memory that somebody may want to mend."""

    code: str
    severity: Severity
    meaning: str
    count: int
    examples: list[str] = Field(description="At most five ids, or both ids of five pairs.")
    remedy: str = Field(description="The operation that mends it, and how.")

    @classmethod
    def of(
        cls, code: str, severity: Severity, meaning: str, number: int, remedy: str, examples: list[str] | None = None
    ) -> "Finding":
        """One, mostly without examples."""
        return cls(code=code, severity=severity, meaning=meaning, count=number, examples=examples or [], remedy=remedy)

    def as_text(self) -> str:
        named = [short(each) for each in self.examples]
        if self.code == OF_PAIRS:
            named = [f"{newer} and {older}" for newer, older in zip(named[::2], named[1::2], strict=True)]
        ids = f" ({', '.join([*named, *['…'] * (self.count > len(named))])})"
        return (
            f"- {MARKS[self.severity]} **{self.code}** {self.count:,}: {plain(self.meaning)}"
            f"{ids if self.examples else ''} → {plain(self.remedy)}"
        )


class Health(Answer):
    """How the memory is."""

    ok: bool = Field(description="Nothing needs mending; notes do not count.")
    findings: list[Finding]
    checked: list[str] = Field(description="What was looked at.")

    def worded(self, hint: Callable[[str], str]) -> Self:
        findings = [each.model_copy(update={"remedy": hint(each.remedy)}) for each in self.findings]
        return self.model_copy(update={"findings": findings})

    def as_text(self) -> str:
        checked = f"Checked: {'; '.join(self.checked)}."
        if not self.findings:
            return f"All is well. {checked}"
        head = "Nothing is broken; worth a look:" if self.ok else "Found:"
        return "\n".join((head, "", *(each.as_text() for each in self.findings), "", checked))


class Reindexed(Answer):
    """What is derived from the rows was made anew."""

    rows: int = Field(description="Rows that were looked at.")
    changed: int = Field(description="Rows whose derived columns were not what their text gives.")
    adopted: int = Field(description="Moments without a session that were given one.")
    indexes: list[str]
    queued: int = Field(default=0, description="Items whose vectors are made anew, behind everything else.")
    problems: list[str] = Field(description="What the checks still find afterwards.")

    def as_text(self) -> str:
        text = (
            f"Derived anew from {counted(self.rows, 'row')}; {self.changed:,} differed. "
            f"Rebuilt {counted(len(self.indexes), 'full-text index', 'full-text indexes')}. "
            f"{counted(self.queued, 'item')} {'waits' if self.queued == 1 else 'wait'} to be embedded again."
        )
        if self.adopted:
            were = "was" if self.adopted == 1 else "were"
            text += f" {counted(self.adopted, 'moment')} without a session {were} put into a recovered one."
        if self.problems:
            text += f"\n\nThe checks still find:\n{bullets(self.problems)}"
            return f"{text}\n\n`bigmind backup list` shows what to restore."
        return f"{text} Indexes and rows agree."
