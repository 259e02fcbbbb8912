"""What the tools of the mindspace answer."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import ClassVar

from pydantic import Field

from bigmind.core.ids import short
from bigmind.core.operation import Offer, first_offered, offered_only
from bigmind.core.plain_text import one_line, quoted, shortened
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import RECALLED, part
from bigmind.work.answers import GateLine, WorkContext, refusal_in_words

SHOWN_TEXT = 800
"""Characters of each of a node's texts in the words of an answer."""
LEFT_OUT = "⚠ left out: it waits for a person"
"""Stands for the title of a node that reads like an instruction."""
IN_STATE = {"review": "in review", "rework": "in rework"}
"""How a state is said of a node, where its name alone says it badly."""


class InputLine(Part):
    """What a node needs, and whether it is there."""

    source: str = Field(description="Id of the node that it comes from; empty: from outside the tree.")
    type: str
    description: str
    path: str
    satisfied: bool

    def as_text(self) -> str:
        """One line."""
        where = f" at {self.path}" if self.path else ""
        source = f" of `{self.source}`" if self.source else ""
        return f"{'✓' if self.satisfied else '·'} {self.type}{source}{where}: {one_line(self.description)}"


class OutputLine(Part):
    """What a node produces, and whether it was."""

    type: str
    description: str
    path: str
    produced_at: datetime | None
    produced_by: str
    note: str

    def as_text(self) -> str:
        """One line."""
        where = f" at {self.path}" if self.path else ""
        made = f" (by {self.produced_by}, as stated)" if self.produced_at is not None else ""
        told = one_line(" · ".join(each for each in (self.description, self.note) if each))
        return f"{'✓' if self.produced_at is not None else '·'} {self.type}{where}: {told}{made}"


class QualityLine(Part):
    """A quality gate, and how it was judged."""

    name: str
    verifier: str
    independent: bool
    status: str
    evidence: str
    by: str
    at: datetime | None
    in_person: bool
    self_checked: bool = Field(description="Judged by who differs from the producer only behind the slash.")

    def as_text(self) -> str:
        """One line."""
        kind = f"{self.verifier}, independent" if self.independent else self.verifier
        by = "a person" if self.in_person else self.by
        judged = f" by {by}{', self-checked' if self.self_checked else ''}" if self.by else ""
        evidence = f": {one_line(self.evidence)}" if self.evidence else ""
        return f"{self.status} · {self.name} ({kind}){judged}{evidence}"


class ReadyAnswer(Part):
    """Definition of ready."""

    context: str
    inputs: list[InputLine]


class DoneAnswer(Part):
    """Definition of done."""

    action: str
    acceptance: str
    outputs: list[OutputLine]
    quality_gates: list[QualityLine]


class PlanLinks(Part):
    """Where the plan is."""

    url: str
    path: str


class NodePart(Part):
    """A node, whole."""

    node_id: str
    uid: str
    title: str
    owner: str
    type: str
    phase: str
    project: str | None
    state: str
    revision: int
    parent_id: str
    parents: list[str] = Field(description="Titles of the nodes above it, the root first.")
    plan: PlanLinks
    definition_of_ready: ReadyAnswer
    definition_of_done: DoneAnswer
    updated_at: datetime
    is_imported: bool
    caution: str = ""
    sent_back: str = Field(default="", description="By whom it was sent back, and why, until it is produced anew.")
    context: WorkContext = Field(description="Who holds it, and what leads on from here.")

    def head(self) -> str:
        """Where it stands, in a line."""
        marks = [self.state, f"station {self.owner}", self.context.held, f"revision {self.revision}"]
        marks += [*(["imported"] if self.is_imported else []), f"id {short(self.uid)}"]
        return f"`{self.node_id}` {part(self.title, 120) or LEFT_OUT} · {' · '.join(marks)}"

    def as_text(self) -> str:
        """Some lines: what it is, what it needs and has to give, what leads on."""
        lines = [self.head()]
        if self.caution:
            lines.append(f"⚠ Left out: its text {self.caution}. A person can accept it on BigMind's pages.")
        else:
            lines += [RECALLED, *filter(None, [self.sent_back]), quoted("\n".join(self._words()))]
        return "\n".join(lines)

    def next_moves(self, offer: Offer) -> str:
        """What leads on from here."""
        moves = [each.as_text(offer) for each in self.context.moves]
        tool = first_offered(offer, "mindspace_book_transition")
        first = f"Next for `{self.node_id}`, by {tool}:" if tool else f"Next for `{self.node_id}`:"
        return "\n".join([first, *moves, *self._awaited()]) if moves else ""

    def _awaited(self) -> list[str]:
        """What a node that is not ready waits for, and who gives it."""
        missing = [each for each in self.definition_of_ready.inputs if not each.satisfied]
        if self.state != "pending" or not missing:
            return []
        given = all(each.source for each in missing)
        who = "the nodes that produce them" if given else "orchestrator, pdsa or a person says `satisfied` of them"
        return [f"It waits for its inputs marked “·”: {who}."]

    def _words(self) -> Iterator[str]:
        ready, done = self.definition_of_ready, self.definition_of_done
        if self.parents:
            yield "Below: " + " / ".join(part(each, 60) for each in self.parents)
        texts = (("Context", ready.context), ("Action", done.action), ("Acceptance", done.acceptance))
        yield from (f"{name}: {shortened(text, SHOWN_TEXT)}" for name, text in texts if text)
        if self.plan.url or self.plan.path:
            yield f"Plan: {' '.join(each for each in (self.plan.url, self.plan.path) if each)}"
        yield from (f"Input {each.as_text()}" for each in ready.inputs)
        yield from (f"Output {each.as_text()}" for each in done.outputs)
        yield from (f"Gate {each.as_text()}" for each in done.quality_gates)


class NodeAnswer(Answer):
    """One node, and what BigMind moved by itself."""

    node: NodePart
    moved: list[str] = Field(description="Nodes that BigMind moved by itself, each with its state.")
    note: str = Field(default="", description="What was done.")

    def as_text(self) -> str:
        told = f"BigMind moved: {', '.join(self.moved[:10])}." if self.moved else ""
        return "\n".join([*filter(None, (self.note, told)), self.node.as_text()])

    def hints(self, offer: Offer) -> Sequence[str]:
        return (self.node.next_moves(offer),)


class ReadyNodes(Answer):
    """The nodes of a station."""

    station: str
    status: str
    nodes: list[NodePart]
    more: bool = False
    others: dict[str, int] = Field(
        default_factory=dict[str, int], description="How many are in the other states, where any are."
    )
    waiting: int = Field(default=0, description="How many are pending: they wait for an input.")

    def as_text(self) -> str:
        if not self.nodes:
            nothing = f"No node of {self.station} is {IN_STATE.get(self.status, self.status)}."
            wait = f"{self.waiting:,} {'waits' if self.waiting == 1 else 'wait'} for an input: `pending` in the tree."
            return " ".join([nothing, *self._others(), *[wait] * bool(self.waiting)])
        more = ["There are more: narrow it by parent_id."] * self.more
        return "\n\n".join([*(each.as_text() for each in self.nodes), *more, *self._others("rework")])

    def hints(self, offer: Offer) -> Sequence[str]:
        return [each.next_moves(offer) for each in self.nodes]

    def _others(self, *states: str) -> Iterator[str]:
        """How many there are in other states, or in these, each with how it is asked for."""
        for state, number in self.others.items():
            if not states or state in states:
                is_in = f"{'is' if number == 1 else 'are'} {IN_STATE.get(state, state)}"
                yield f"{number:,} {is_in}: status={state}."


class TreeLine(Part):
    """A node in the tree."""

    node_id: str
    title: str
    owner: str
    type: str
    phase: str
    state: str
    holder: str
    parent_id: str
    depth: int
    children: int = Field(description="How many stand directly below it.")
    outputs: str = Field(description="Produced of those declared, as 1/2.")
    quality_gates: str = Field(description="Passed of all, as 1/2.")

    def as_text(self) -> str:
        """One line, indented."""
        held = f" · held by {part(self.holder)}" if self.holder else ""
        more = f" · outputs {self.outputs}, gates {self.quality_gates}"
        title = part(self.title, 100) or LEFT_OUT
        return f"{'  ' * self.depth}- `{self.node_id}` {title} · {self.state} · {self.owner}{held}{more}"


class TreeAnswer(Answer):
    """The tree, or what is below one node: parents before their children, in their order."""

    nodes: list[TreeLine]
    more: bool = False

    def as_text(self) -> str:
        if not self.nodes:
            return "The mindspace is empty."
        return "\n".join([RECALLED, *(each.as_text() for each in self.nodes), *["There are more below."] * self.more])

    def hints(self, offer: Offer) -> Sequence[str]:
        return offered_only(offer, ["mindspace_create_node makes a node."] * (not self.nodes))


class ScopeAnswer(Answer):
    """Where attention is: from the root to the focus."""

    stack: list[TreeLine]

    def as_text(self) -> str:
        if not self.stack:
            return "Nobody said where attention is."
        return "\n".join([RECALLED, *(each.as_text() for each in self.stack)])

    def hints(self, offer: Offer) -> Sequence[str]:
        return offered_only(offer, ["mindspace_set_focus says it."] * (not self.stack))


class SubmissionAnswer(Answer):
    """Whether outputs were taken."""

    can_refuse: ClassVar[bool] = True

    accepted: bool
    validation_errors: list[str]
    missing: list[str] = Field(description="Declared outputs that nobody submitted yet.")

    @property
    def is_refusal(self) -> bool:
        """Whether what was asked for was not done."""
        return not self.accepted

    @property
    def refusal(self) -> str:
        """Why nothing was taken; empty where it was. A form stays open with it."""
        return "" if self.accepted else self.as_text()

    def as_text(self) -> str:
        if not self.accepted:
            return "\n".join(["Not taken:", *(f"- {each}" for each in self.validation_errors)])
        left = f" Still missing: {', '.join(self.missing)}." if self.missing else " All declared outputs are there."
        return f"Taken, as stated.{left}"


class BookingAnswer(Answer):
    """What came of a transition."""

    can_refuse: ClassVar[bool] = True

    transitioned: bool
    state: str
    fault: str = ""
    message: str = ""
    blocked_by: list[GateLine]
    moved: list[str]
    sent_back: str = Field(default="", description="Of what was claimed anew: by whom it was sent back, and why.")

    @property
    def is_refusal(self) -> bool:
        """Whether what was asked for was not done."""
        return not self.transitioned

    @property
    def refusal(self) -> str:
        """Why it did not move; empty where it did. A form stays open with it."""
        return "" if self.transitioned else refusal_in_words(self.message, self.blocked_by)

    def hints(self, offer: Offer) -> Sequence[str]:
        mended = "\n".join(each.remedy for each in self.blocked_by if each.is_mended_by(offer))
        return [mended] if mended else []

    def as_text(self) -> str:
        if not self.transitioned:
            return self.refusal
        told = f"BigMind moved: {', '.join(self.moved)}." if self.moved else ""
        return "\n".join(filter(None, (f"Moved to {self.state}.", told, self.sent_back)))


class VerdictAnswer(Answer):
    """How a quality gate was judged, and what followed."""

    gate: str
    status: str
    self_checked: bool
    state: str = Field(description="Of the node, now.")
    pending: list[str]
    moved: list[str]

    def as_text(self) -> str:
        marked = " It is recorded as self-checked." if self.self_checked else ""
        left = f" Still to be judged: {', '.join(self.pending)}." if self.pending else ""
        told = f" BigMind moved: {', '.join(self.moved)}." if self.moved else ""
        return f"“{part(self.gate)}”: {self.status}.{marked} The node is {self.state}.{left}{told}"


class DeletionAnswer(Answer):
    """What was deleted."""

    deleted: list[str]
    moved: list[str]

    def as_text(self) -> str:
        told = f" BigMind moved: {', '.join(self.moved)}." if self.moved else ""
        return f"Deleted: {', '.join(self.deleted[:20])}.{told}"


class DocumentAnswer(Answer):
    """A tree as YAML."""

    text: str
    nodes: int

    def as_text(self) -> str:
        return self.text.rstrip("\n")


class ImportAnswer(Answer):
    """What an import did."""

    created: list[str]
    changed: list[str]
    unchanged: int
    moved: list[str]

    def as_text(self) -> str:
        if not self.created and not self.changed:
            return f"Nothing changed: {self.unchanged} nodes are there already."
        told = [
            f"Made {len(self.created)}: {_some(self.created)}." if self.created else "",
            f"Changed {len(self.changed)}: {_some(self.changed)}." if self.changed else "",
            f"Left {self.unchanged} as they are." if self.unchanged else "",
            f"BigMind moved {len(self.moved)}: {_some(self.moved)}." if self.moved else "",
        ]
        return " ".join(filter(None, told))


def _some(names: Sequence[str], most: int = 10) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more
