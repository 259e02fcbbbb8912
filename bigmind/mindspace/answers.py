"""What the tools of the mindspace answer."""

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import Field

from bigmind.core.operation import Offer, offered_only
from bigmind.mindspace.node_part import LEFT_OUT, NodePart, next_moves
from bigmind.mindspace.rules import LONGEST_TEXT
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import RECALLED, part
from bigmind.work.answers import GateLine, refusal_in_words

SHOWN_TEXT = 300
"""Characters of each of a node's texts, where not all of the nodes of an answer have room to stand there whole."""
ROOM = 12_000
"""Characters of the texts of nodes that stand in one answer whole; the first node always does."""
IN_STATE = {"review": "in review", "rework": "in rework"}
"""How a state is said of a node, where its name alone says it badly."""


class NodeAnswer(Answer):
    """One node, and what BigMind moved by itself."""

    node: NodePart
    moved: list[str] = Field(description="Nodes that BigMind moved by itself, each with its state.")
    note: str = Field(default="", description="What was done.")

    def as_text(self) -> str:
        told = f"BigMind moved: {', '.join(self.moved[:10])}." if self.moved else ""
        return "\n".join([*filter(None, (self.note, told)), self.node.as_text()])

    def hints(self, offer: Offer) -> Sequence[str]:
        return next_moves([self.node], offer)


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
    lapsed: list[str] = Field(
        default_factory=list[str], description="Ids of active ones whose lease has run out: they may be claimed."
    )

    def as_text(self) -> str:
        if not self.nodes:
            nothing = f"No node of {self.station} is {IN_STATE.get(self.status, self.status)}."
            wait = f"{self.waiting:,} {'waits' if self.waiting == 1 else 'wait'} for an input: `pending` in the tree."
            return " ".join([nothing, *self._others(), *self._free_again(), *[wait] * bool(self.waiting)])
        more = ["There are more: narrow it by parent_id."] * self.more
        return "\n\n".join([*self._told(), *more, *self._others("rework"), *self._free_again()])

    def hints(self, offer: Offer) -> Sequence[str]:
        return next_moves(self.nodes, offer)

    def _told(self) -> Iterator[str]:
        """Each node, whole while there is room; then what a text that is cut is told whole by."""
        room, is_cut = ROOM, False
        for place, each in enumerate(self.nodes):
            texts = each.texts.values()
            room -= sum(map(len, texts))
            most = LONGEST_TEXT if place == 0 or room >= 0 else SHOWN_TEXT
            is_cut |= any(len(text) > most for text in texts)
            yield each.as_text(most)
        if is_cut:
            whole = "parent_id=ID" if self.status == "review" else "claiming the node"
            yield f"A text that ends in … is cut: {whole} shows it whole, and so does mindspace://node/ID."

    def _free_again(self) -> list[str]:
        """Which of the active ones wait for somebody to take them over."""
        if not self.lapsed:
            return []
        named = ", ".join(f"`{each}`" for each in self.lapsed)
        return [f"The lease of {named} has run out: ask about it, and claim it as if it were ready."]

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
        """One line, indented: the title where its id does not say it, and what is done of a node that is under way."""
        title = "" if self.title.lower().replace(" ", "-") == self.node_id else f" {part(self.title, 100) or LEFT_OUT}"
        held = f" · held by {part(self.holder)}" if self.holder else ""
        is_whole = self.state == "complete"
        is_untouched = self.outputs.startswith("0/") and self.quality_gates.startswith("0/")
        done = "" if is_whole or is_untouched else f" · outputs {self.outputs}, gates {self.quality_gates}"
        return f"{'  ' * self.depth}- `{self.node_id}`{title} · {self.state} · {self.owner}{held}{done}"


class TreeAnswer(Answer):
    """The tree, or what is below one node: parents before their children, in their order."""

    nodes: list[TreeLine]
    more: bool = False

    def as_text(self) -> str:
        if not self.nodes:
            return "The mindspace is empty."
        return "\n".join(
            [
                RECALLED,
                *(each.as_text() for each in self.nodes),
                *["There are more below: narrow it by root_id."] * self.more,
            ]
        )

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


THEN = (
    "Next, unless you did since you claimed it: contribute_to_brain what you learned, naming the node."
    " Then mindspace_book_transition to review."
)


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

    def hints(self, offer: Offer) -> Sequence[str]:
        is_whole = self.accepted and not self.missing
        return offered_only(offer, [THEN] * is_whole)


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
    node: NodePart | None = Field(default=None, description="The node, after its move.")

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
        return [*([mended] if mended else []), *next_moves([self.node] if self.node else [], offer)]

    def as_text(self) -> str:
        """Who claimed a node is told it whole."""
        if not self.transitioned:
            return self.refusal
        lines = [f"Moved to {self.state}.", f"BigMind moved: {', '.join(self.moved)}." if self.moved else ""]
        if self.node is not None:
            lines.append(self.node.as_text() if self.state == "active" else self.node.head())
        return "\n".join(filter(None, lines))


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
