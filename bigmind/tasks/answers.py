"""What the tools of tasks answer."""

import operator
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.operation import Offer, offered_only
from bigmind.core.plain_text import one_line, quoted, shortened
from bigmind.flow.workflow import CALLED, OWN
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import RECALLED, part
from bigmind.work.answers import GateLine, WorkContext, refusal_in_words
from bigmind.work.rules import LONGEST_DNA

SHOWN_TEXT = 1_500
"""Characters of a description, and of a field, that stand in the words of an answer to who changed an item."""
MOVERS = {"node": "mindspace_book_transition"}
"""What moves items of a process that work_transition does not move."""
WHO = {**CALLED, OWN: "the item's own role"}
"""How a process's moves say who makes them, where that is no work role."""


class TaskLine(Part):
    """An item in a list."""

    slug: str
    title: str
    process: str
    state: str
    role: str
    project: str | None
    holder: str
    updated_at: datetime
    waits_for: list[str] = Field(default_factory=list[str], description="What it depends on and is not complete.")

    def as_text(self) -> str:
        """One line."""
        held = f" · held by {part(self.holder)}" if self.holder else ""
        waits = f" · waits for {', '.join(self.waits_for[:5])}" if self.waits_for else ""
        where = f" · {part(self.project)}" if self.project else ""
        title = part(self.title, 120) if self.title else "⚠ left out: it waits for a person"
        return f"- `{self.slug}` {title} · {self.process}, {self.state}, {self.role}{held}{waits}{where}"


class TaskAnswer(Answer):
    """An item, whole, with its workflow context."""

    most_shown: ClassVar[int] = SHOWN_TEXT

    uid: str
    slug: str
    title: str
    topic: str
    description: str
    process: str
    version: int
    revision: int
    project: str | None
    elsewhere: str = Field(
        default="", exclude_if=operator.not_, description="Its project, where that is not the reader's."
    )
    created_at: datetime
    updated_at: datetime
    depends_on: list[TaskLine]
    dna: dict[str, Any]
    self_reviewed: bool
    is_imported: bool
    caution: str = ""
    note: str = ""
    sent_back: str = Field(default="", description="By whom it was sent back, and why, until it is handed over anew.")
    context: WorkContext

    def head(self) -> str:
        """Where it stands, in a line."""
        marks = [f"project {part(self.elsewhere)}"] if self.elsewhere else []
        marks += [self.process, self.context.state, f"role {self.context.role}", self.context.held]
        marks += ["self-reviewed"] if self.self_reviewed else []
        title = f" {part(self.title, 120)}" if self.title else ""
        return f"`{self.slug}`{title} · {' · '.join(marks)} · revision {self.revision} · id {short(self.uid)}"

    def as_text(self) -> str:
        return "\n".join([*filter(None, [self.note]), self.head(), *self._words()])

    def hints(self, offer: Offer) -> Sequence[str]:
        is_cut = any(len(each) > self.most_shown for each in self._texts())
        cut = offered_only(offer, ["It is cut here; work_get_task shows it whole."] * is_cut)
        return *cut, self.context.as_text(offer, MOVERS.get(self.process, "work_transition"))

    def _texts(self) -> list[str]:
        """What it is about, and what was found."""
        told = [f"{name}: {_shown(value)}" for name, value in self.dna.items()]
        return [self.description, *told] if self.description else told

    def _words(self) -> list[str]:
        if self.caution:
            return [f"⚠ Left out: its text {self.caution}. A person can accept it on BigMind's pages."]
        lines = [f"Topic: {part(self.topic)}"] if self.topic else []
        lines += [f"Waits for: {', '.join(f'{each.slug} ({each.state})' for each in self.depends_on)}"] * bool(
            self.depends_on
        )
        words = self._texts()
        if words or self.sent_back:
            lines += [RECALLED, *filter(None, [self.sent_back])]
        return [*lines, quoted("\n".join(shortened(each, self.most_shown) for each in words))] if words else lines


class WholeTask(TaskAnswer):
    """An item for who reads it in order to do it: nothing of its text is cut."""

    most_shown: ClassVar[int] = LONGEST_DNA


class TransitionAnswer(Answer):
    """What came of a move: made, or refused with all that is missing; and the item after it."""

    can_refuse: ClassVar[bool] = True

    moved: bool
    state: str
    fault: str = ""
    message: str = ""
    blocked_by: list[GateLine]
    warnings: list[GateLine]
    violations: list[str]
    readied: list[str] = Field(description="Items that waited for this one alone, and are ready now.")
    item: TaskAnswer

    @property
    def is_refusal(self) -> bool:
        """Whether the item stayed where it was."""
        return not self.moved

    @property
    def refusal(self) -> str:
        """Why it did not move; empty where it did. A form stays open with it."""
        return "" if self.moved else refusal_in_words(self.message, self.blocked_by)

    def hints(self, offer: Offer) -> Sequence[str]:
        mended = "\n".join(each.remedy for each in self.blocked_by if each.is_mended_by(offer))
        return *([mended] if mended else []), *self.item.hints(offer)

    def as_text(self) -> str:
        first = f"Moved to {self.state}." if self.moved else self.refusal
        more = [each.as_warning() for each in self.warnings]
        more += [f"Violations, in the ledger: {', '.join(self.violations)}."] if self.violations else []
        more += [f"Ready now: {', '.join(self.readied[:10])}."] if self.readied else []
        is_taken_up = self.moved and self.item.context.holder
        told = [self.item.sent_back] if is_taken_up and self.item.sent_back else []
        left = [f"{each.slug} ({each.state})" for each in self.item.depends_on if each.state != "complete"]
        told += [f"It depends on what is not complete: {', '.join(left[:5])}."] if is_taken_up and left else []
        return "\n".join([first, *more, self.item.head(), *told])


class TaskList(Answer):
    """Items, the latest changed first."""

    tasks: list[TaskLine]
    more: bool = False

    def as_text(self) -> str:
        if not self.tasks:
            return "There is no such work."
        lines = [each.as_text() for each in self.tasks]
        return "\n".join([RECALLED, *lines, *(["There are more: narrow it by role, state or project."] * self.more)])

    def hints(self, offer: Offer) -> Sequence[str]:
        told = "work_get_task shows one whole." if self.tasks else "work_create_task makes a task, bug or solo item."
        return offered_only(offer, (told,))


class NextAnswer(Answer):
    """The best item for a role now, or why there is none."""

    item: TaskAnswer | None
    note: str = Field(default="", description="Why you can take up none in that role.")

    def as_text(self) -> str:
        return self.item.as_text() if self.item is not None else self.note or "Nothing waits for you."

    def hints(self, offer: Offer) -> Sequence[str]:
        if self.item is not None:
            return self.item.hints(offer)
        return offered_only(offer, ("work_list_tasks shows what there is.",))


class ProcessRow(Part):
    """A transition of a process, in words."""

    source: str
    target: str
    label: str
    by: list[str]
    role: str
    gates: list[str]
    effects: list[str]


class ProcessAnswer(Answer):
    """A process: its states, and what leads where."""

    name: str
    version: int
    title: str
    roles: list[str]
    states: list[str]
    transitions: list[ProcessRow]

    def as_text(self) -> str:
        lines = [
            f"- {each.source} → {each.target} ({each.label}) by {', '.join(WHO.get(name, name) for name in each.by)}"
            + (f", item's role {each.role}" if each.role else "")
            + (f"; needs {', '.join(each.gates)}" if each.gates else "")
            for each in self.transitions
        ]
        return "\n".join([f"{self.title} ({self.name}, version {self.version}): {', '.join(self.states)}.", *lines])


class LedgerGate(Part):
    """A gate as a row of the ledger has it."""

    gate: str
    level: str
    met: bool
    seen: dict[str, str] = Field(description="Ids and hashes of what it saw.")

    def as_text(self) -> str:
        """Its name, whether it was met, and by what."""
        found = ", ".join(f"{name} {_id_in_short(name, value)}" for name, value in self.seen.items())
        told = f"{self.gate} {'met' if self.met else f'missing ({self.level})'}"
        return f"{told} by {found}" if self.met and found else told


class LedgerLine(Part):
    """A row of the ledger, in words."""

    number: int
    at: datetime
    kind: str
    by: str
    told: str
    reason: str
    digest: str
    surface: str = Field(description="From where: client, window, passphrase, page, command_line, tray or program.")
    process: str = Field(default="", description="Name, version and hash of the process that decided.")
    gates: list[LedgerGate] = Field(default_factory=list[LedgerGate])
    violations: list[str] = Field(default_factory=list[str])
    forced_by: str = Field(default="", description="The role that made the move past gates that refuse it.")

    def as_text(self) -> str:
        """One line; what only counts in an audit stands in the fields."""
        reason = f": {part(one_line(self.reason), 160)}" if self.reason else ""
        more = [f"via {self.surface}", *filter(None, [self.process.partition(":")[0]])]
        if self.gates and self.kind != "refused":  # a refused one names what was missing already
            more.append(", ".join(each.as_text() for each in self.gates))
        more += [f"violation: {each}" for each in self.violations]
        more += [f"forced by {self.forced_by}"] if self.forced_by else []
        return f"- {self.number} · {local(self.at)} · {part(self.by)} · {self.told}{reason} · {' · '.join(more)}"


class LedgerAnswer(Answer):
    """The ledger of one item, the oldest first."""

    slug: str
    rows: list[LedgerLine]

    def as_text(self) -> str:
        return "\n".join([RECALLED, *(each.as_text() for each in self.rows)])


def _id_in_short(name: str, value: str) -> str:
    return short(value) if name in {"question", "thought"} else value[:16]


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else str(value)
