"""A node as answers tell it."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from pydantic import Field

from bigmind.core.ids import short
from bigmind.core.operation import Offer, first_offered, offered_part
from bigmind.core.plain_text import one_line, quoted, shortened
from bigmind.flow.workflow import SYSTEM
from bigmind.mindspace.rules import HUMAN, LONGEST_TEXT
from bigmind.operations.catalogue import Part
from bigmind.text.phrasing import RECALLED, part
from bigmind.work.answers import WorkContext

LEFT_OUT = "⚠ left out: it waits for a person"
"""Stands for the title of a node that reads like an instruction."""

PAUSED = "It goes on by itself once what was opened on its way is complete or deleted. mindspace_get_tree shows it."


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

    def as_text(self, most: int = LONGEST_TEXT) -> str:
        """Some lines: what it is, what it needs and has to give; of each of its texts `most` characters."""
        lines = [self.head()]
        if self.caution:
            lines.append(f"⚠ Left out: its text {self.caution}. A person can accept it on BigMind's pages.")
        else:
            lines += [RECALLED, *filter(None, [self.sent_back]), quoted("\n".join(self._words(most)))]
        return "\n".join(lines)

    @property
    def texts(self) -> dict[str, str]:
        """Its context, action and acceptance, as far as it has them."""
        ready, done = self.definition_of_ready, self.definition_of_done
        told = {"Context": ready.context, "Action": done.action, "Acceptance": done.acceptance}
        return {name: text for name, text in told.items() if text}

    @property
    def is_booked(self) -> bool:
        """Whether a move leads on that somebody books: the others BigMind makes by itself."""
        return any(each.by != [SYSTEM] for each in self.context.moves)

    def moves(self, offer: Offer) -> str:
        """What leads on from here, or what has to come before BigMind moves it; empty where nothing does."""
        found = [each.as_text(offer) for each in self.context.moves if each.by != [SYSTEM]]
        return "\n".join(filter(None, [*found, self._awaited(offer), self.context.lost]))

    def _awaited(self, offer: Offer) -> str:
        """What a node waits for that BigMind moves by itself, and who gives it."""
        if self.state == "pending":
            return self._inputs_awaited()
        if self.state == "review":
            return self._verdicts_awaited(offer)
        return offered_part(offer, PAUSED) if self.state == "paused" else ""

    def _inputs_awaited(self) -> str:
        missing = [each for each in self.definition_of_ready.inputs if not each.satisfied]
        given = all(each.source for each in missing)
        who = "the nodes that produce them" if given else "orchestrator, pdsa or a person says `satisfied` of them"
        return f"It waits for its inputs marked “·”: {who}." if missing else ""

    def _verdicts_awaited(self, offer: Offer) -> str:
        """Who judges what of it: an agent that did not produce it, or a person."""
        left = [each for each in self.definition_of_done.quality_gates if each.status == "pending"]
        for_agents = [f"“{part(each.name)}” ({each.verifier})" for each in left if each.verifier != HUMAN]
        for_people = [f"“{part(each.name)}”" for each in left if each.verifier == HUMAN]
        tool = first_offered(offer, "mindspace_record_gate")
        by = f"judged by {tool}" if tool else "judged"
        told = [f"Still to be {by}, not by who produced it: {', '.join(for_agents)}."] if for_agents else []
        return " ".join([*told, *([f"A person judges {', '.join(for_people)}."] if for_people else [])])

    def _words(self, most: int) -> Iterator[str]:
        ready, done = self.definition_of_ready, self.definition_of_done
        if self.parents:
            yield "Below: " + " / ".join(part(each, 60) for each in self.parents)
        yield from (f"{name}: {shortened(text, most)}" for name, text in self.texts.items())
        if self.plan.url or self.plan.path:
            yield f"Plan: {' '.join(each for each in (self.plan.url, self.plan.path) if each)}"
        yield from (f"Input {each.as_text()}" for each in ready.inputs)
        yield from (f"Output {each.as_text()}" for each in done.outputs)
        yield from (f"Gate {each.as_text()}" for each in done.quality_gates)


def next_moves(nodes: Sequence[NodePart], offer: Offer) -> list[str]:
    """What leads on from each of some nodes; said once for all of which it is the same."""
    tool = first_offered(offer, "mindspace_book_transition")
    alike: dict[tuple[str, str], list[str]] = {}
    for each in nodes:
        by = f", by {tool}" if tool and each.is_booked else ""
        alike.setdefault((by, each.moves(offer)), []).append(f"`{each.node_id}`")
    return [f"Next for {', '.join(names)}{by}:\n{moves}" for (by, moves), names in alike.items() if moves]
