"""What export and import answer."""

from pydantic import Field

from bigmind.brain.kinds import KINDS as BRAIN_KINDS
from bigmind.core.kind import Words
from bigmind.core.plain_text import visible
from bigmind.memory.kinds import KINDS as MEMORY_KINDS
from bigmind.operations.catalogue import Answer, Part
from bigmind.portable.format.records import ProjectNameRecord, UserRecord
from bigmind.portable.format.work_records import APART, LedgerRecord
from bigmind.portable.outcome import ImportMode, Outcome, Verdict
from bigmind.protocol.kinds import KINDS as PROTOCOL_KINDS
from bigmind.text.phrasing import bullets, counted
from bigmind.work.kinds import KINDS as WORK_KINDS

MOST_NOTES = 50
WORDS: dict[str, Words] = {
    **APART,
    **{each.section: each.called for each in (UserRecord, ProjectNameRecord, LedgerRecord) if each.called is not None},
    **{each.exported_as: each.words for each in (*MEMORY_KINDS, *BRAIN_KINDS, *WORK_KINDS, *PROTOCOL_KINDS)},
}
"""How people call the records of a section."""
TASKS, NODES = APART
_WORK = WORK_KINDS[0].exported_as


def called(section: str) -> Words:
    """How people call the records of a section; by its name, where a kind of them was added elsewhere."""
    name = section.replace("_", " ")
    return WORDS.get(section, Words(name, name))


VERDICTS = {
    "removed": "deleted",
    "new": "added",
    "newer": "replaced (newer in the file)",
    "older": "kept (newer here)",
    "kept": "kept (though newer in the file)",
    "unchanged": "the same",
    "forgotten": "forgotten here (stays so)",
    "left_out": "left out (somebody else's, a node, or of no process here)",
    "logged": "left out (of a log)",
}
"""What became of the records of a section, by its field."""


class Exported(Answer):
    """Where an export is, and what it holds."""

    path: str
    bytes: int
    records: dict[str, int] = Field(description="How many records of each section.")
    nodes: int = Field(default=0, description="How many of the work items are nodes of the mindspace.")

    def as_text(self) -> str:
        """One sentence, and the counts."""
        counts = ", ".join(counted(count, *called(name)) for name, count in self.named.items() if count)
        return f"Exported to {visible(self.path)} ({self.bytes:,} bytes): {counts or 'nothing is remembered yet'}."

    @property
    def named(self) -> dict[str, int]:
        """The counts by what people call it: tasks and nodes, where the document has work items."""
        named: dict[str, int] = {}
        for section, count in self.records.items():
            named |= {TASKS: count - self.nodes, NODES: self.nodes} if section == _WORK else {section: count}
        return named


class SectionCounts(Part):
    """What became of the records of one section."""

    section: str
    new: int = Field(default=0, description="Not here before.")
    newer: int = Field(default=0, description="Here in an older form, which they replace.")
    unchanged: int = Field(default=0, description="Here as they are.")
    older: int = Field(
        default=0, description="Here in a newer form, or not the caller's to change; kept as they are here."
    )
    kept: int = Field(
        default=0, description="Newer in the file, and kept as they are here: only a person's import replaces them."
    )
    forgotten: int = Field(default=0, description="Forgotten here for good; not brought back.")
    left_out: int = Field(
        default=0,
        description="Somebody else's, which only an admin in person may import; items that no process here takes.",
    )
    logged: int = Field(
        default=0, description="Of a log: the brain's no import writes, another ledger only a person's."
    )
    removed: int = Field(default=0, description="Rows that were here and that `replace` takes away.")
    accepted: int = Field(
        default=0,
        description="Of those written: rows that instruct their reader, accepted in person because the file says so.",
    )
    nodes: dict[str, int] = Field(
        default_factory=dict[str, int],
        exclude_if=lambda value: not value,
        description="Of work items: the same counts of those that are nodes of the mindspace.",
    )

    def apart(self) -> "list[SectionCounts]":
        """The same for people: of work items the tasks, and the nodes of the mindspace, where there are any."""
        if self.section != _WORK:
            return [self]
        tasks = {name: getattr(self, name) - self.nodes.get(name, 0) for name in VERDICTS}
        of_tasks = {"section": TASKS, "accepted": self.accepted, **tasks}
        told = [SectionCounts.model_validate(each) for each in (of_tasks, {"section": NODES, **self.nodes})]
        return [each for each in told if any(getattr(each, name) for name in VERDICTS)]

    def in_words(self) -> str:
        """On one line: what it is, and what became of how many."""
        many = called(self.section).many
        told = [f"{number:,} {said}" for name, said in VERDICTS.items() if (number := getattr(self, name))]
        return f"{many[0].upper()}{many[1:]}: {', '.join(told) or 'nothing'}"


class Sample(Part):
    """Words of the first few records of one section that an import would write or leave."""

    section: str
    verdict: Verdict
    texts: list[str]


class Imported(Answer):
    """What an import did, or would do."""

    source: str
    mode: ImportMode
    dry_run: bool
    changed: bool = Field(description="Whether anything was written; of a dry run, whether anything would be.")
    sections: list[SectionCounts]
    secrets: dict[str, int] = Field(description="How many texts held a secret of which kind; they are masked.")
    backup: str | None = Field(description="The backup that was made before.")
    waiting: int = Field(default=0, description="Rows that an assistant imported, and that wait for a person.")
    not_taken: list[str] = Field(
        default_factory=list[str], description="Rows of an older file that have no place here."
    )
    notes: list[str] = Field(default_factory=list[str], description="What else became of it: slugs, other ledgers.")
    samples: list[Sample] = Field(
        default_factory=list[Sample], description="Of a dry run by a person: the first few of each kind."
    )

    @property
    def rows(self) -> list[SectionCounts]:
        """The counts as people are told them."""
        return [row for each in self.sections for row in each.apart()]

    @property
    def removed(self) -> dict[str, int]:
        """How many rows of which sections `replace` takes away."""
        return {each.section: each.removed for each in self.sections if each.removed}

    def as_text(self) -> str:
        """A sentence, a line for each kind, and what was masked and saved before."""
        done = "would change" if self.dry_run else "changed"
        end = ":" if self.sections else "."
        lines = [f"Import of {visible(self.source)} ({self.mode}) {done} {'this' if self.changed else 'nothing'}{end}"]
        lines += ["", bullets([each.in_words() for each in self.rows])] if self.sections else []
        if accepted := sum(each.accepted for each in self.sections):
            accepts = "would be accepted" if self.dry_run else "accepted"
            lines += [
                "",
                f"Rows that instruct their reader, {accepts} because the file says so: {accepted:,}.",
            ]
        logged = {each.section: each.logged for each in self.sections if each.logged}
        if "questions" in logged:
            told = f"Questions to the brain in the file: {logged['questions']:,}. None is imported"
            lines += ["", f"{told}: the log says only what was asked here."]
        if "work_ledger" in logged:
            told = f"Rows of a ledger in the file: {logged['work_ledger']:,}. None is imported"
            lines += ["", f"{told}: a person brings another store's ledger, in BigMind's window."]
        if self.waiting:
            waits = "would wait" if self.dry_run else "wait"
            told = f"Rows that {waits} until a person accepts each in BigMind's window: {self.waiting:,}."
            lines += ["", f"{told} Search finds them; no conversation starts with them."]
        if self.secrets:
            told = ", ".join(f"{kind} ({count:,})" for kind, count in self.secrets.items())
            lines += ["", f"Texts with secrets, masked: {told}."]
        lines += [f"- {visible(each)}" for each in (*self.not_taken, *self.notes)]
        if self.backup is not None:
            lines += ["", f"What was here before is in the backup {self.backup}."]
        return "\n".join(lines)


def imported(source: str, mode: ImportMode, dry_run: bool, outcome: Outcome, *, is_person: bool) -> Imported:
    """The answer to an import, by a person or an agent."""
    sections = [
        SectionCounts(
            section=section,
            removed=outcome.removed.get(section, 0),
            accepted=outcome.accepted[section],
            nodes={verdict.value: count for verdict, count in outcome.nodes.items()} if section == _WORK else {},
            **{verdict.value: count for verdict, count in counts.items()},
        )
        for section, counts in outcome.verdicts.items()
        if counts or outcome.removed.get(section)
    ]
    return Imported(
        source=source,
        mode=mode,
        dry_run=dry_run,
        changed=outcome.changes_anything,
        sections=sections,
        secrets=dict(sorted(outcome.masked.items())),
        backup=outcome.backup,
        notes=list(outcome.notes)[:MOST_NOTES],
        masked=sorted(outcome.masked),
        waiting=0 if is_person else outcome.written,
        samples=[
            Sample(section=section, verdict=verdict, texts=texts)
            for (section, verdict), texts in outcome.samples.items()
            if texts
        ],
    )
