"""What the operations of facts answer."""

import operator
from collections.abc import Sequence
from datetime import datetime
from typing import Literal

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.operation import Offer, first_offered
from bigmind.memory.answers import CAUTION, NEWER, UNMATCHED
from bigmind.operations.catalogue import Answer
from bigmind.text.phrasing import RECALLED, counted, doubted, kept_out, more_of, noted, part, plain, source, warning


class FactRow(Answer):
    """One fact."""

    fact_id: str
    category: str
    fact: str
    confidence: float
    project: str | None
    client: str
    created_at: datetime
    updated_at: datetime
    session_id: str | None
    caution: str = Field(default="", description=CAUTION)
    newer_id: str = Field(default="", exclude_if=operator.not_, description=NEWER)

    def as_text(self) -> str:
        told = source(self.created_at, self.client, self.project)
        told += f" · session {short(self.session_id)}" if self.session_id else ""
        label = f"- {short(self.fact_id)} **[{part(self.category)}]** ({self.confidence:.1f} · {told})"
        label += f" ({doubted(self.newer_id)})" if self.newer_id else ""
        return f"{label} {warning(self.caution)}{plain(self.fact)}"


class RelatedFact(Answer):
    """An active fact that the new one nearly repeats or contradicts."""

    relation: Literal["repeats", "contradicts", "may_contradict"] = Field(
        description="contradicts: for certain, so it lost confidence; may_contradict: both stay as they are."
    )
    similarity: float = Field(description="0 to 1: how much of their words they share.")
    fact: FactRow

    def as_text(self) -> str:
        other = short(self.fact.fact_id)
        lowered = f"; its confidence is {self.fact.confidence:.1f} now" if self.relation == "contradicts" else ""
        relation = self.relation.replace("_", " ")
        return f"It {relation} {other} (similarity {self.similarity:.2f}{lowered}):\n{self.fact.as_text()}"


class StoredFact(Answer):
    """A fact was stored, or, when the very same was known, confirmed."""

    fact: FactRow
    outcome: Literal["stored", "confirmed"] = Field(
        default="stored", description="confirmed: the same text was stored before; there is no second row."
    )
    related: list[RelatedFact] = Field(
        default_factory=list[RelatedFact], description="Active facts that it nearly repeats or contradicts."
    )
    given_back: bool = Field(default=False, description="It has again the confidence that contradictions took.")
    note: str = ""

    def as_text(self) -> str:
        name, category = short(self.fact.fact_id), part(self.fact.category)
        told = f"Stored fact {name} [{category}]."
        if self.outcome == "confirmed":
            since = local(self.fact.created_at)
            back = ", what was taken from it is given back" if self.given_back else ""
            told = f"Known since {since}: confirmed fact {name} [{category}] ({self.fact.confidence:.1f}{back})."
        told = noted(told, self.note, kept_out(self.fact.caution, self.fact.fact_id))
        return "\n\n".join((told, *(each.as_text() for each in self.related)))

    def hints(self, offer: Offer) -> list[str]:
        """What to do about each older fact that may not hold beside it."""
        return [told for each in self.related if (told := _question(self.fact, each, offer))]


_BOTH = ("both hold", "only the new one does", "both do")
_SAME = ("say the same", "so", "not")
"""What is asked of two facts that say different things, or nearly the same, and of a yes and a no to it."""


def _question(fact: FactRow, related: RelatedFact, offer: Offer) -> str:
    """What to do about two facts of which perhaps one is enough; the words confirm where they stand, nowhere else."""
    older, (asked, one, both) = related.fact, _SAME if related.relation == "repeats" else _BOTH
    known, name = short(older.fact_id), short(fact.fact_id)
    told: list[str] = []
    if tool := first_offered(offer, "memory_deprecate_fact"):
        told.append(f"If {one}, call {tool}(fact_id={known}, reason=…, replaced_by={name}).")
    if tool := first_offered(offer, "memory_store_fact"):
        place = "" if older.project == fact.project else f", project={part(older.project or '*')}"
        again = f"{tool}(category={part(older.category)}, fact=…{place})"
        told.append(f"If {both}, store the words of {known} again: {again}.")
    return " ".join((f"Do {known} and {name} {asked}?", *told)) if told else ""


class EditedFact(Answer):
    """A fact was put right."""

    fact: FactRow
    changed: list[str] = Field(description="The fields that are other than before; empty when nothing was.")
    related: list[RelatedFact] = Field(
        default_factory=list[RelatedFact], description="Active facts that it now nearly repeats or contradicts."
    )
    note: str = ""

    def as_text(self) -> str:
        name = short(self.fact.fact_id)
        if not self.changed:
            return noted(f"Fact {name} says that already; nothing was changed.", self.note)
        told = f"Edited fact {name} ({', '.join(self.changed)}): {plain(self.fact.fact)}"
        told = noted(told, self.note, kept_out(self.fact.caution, self.fact.fact_id))
        return "\n\n".join((told, *(each.as_text() for each in self.related)))


class ReinstatedFact(Answer):
    """A fact that was deprecated holds again."""

    fact: FactRow
    note: str = ""

    def as_text(self) -> str:
        told = f"Fact {short(self.fact.fact_id)} holds: {plain(self.fact.fact)}"
        return noted(told, self.note, kept_out(self.fact.caution, self.fact.fact_id))


class KeptFacts(Answer):
    """Two facts hold beside each other."""

    facts: list[FactRow] = Field(description="The older first.")
    given_back: bool = Field(description="The older has again the confidence that the newer took.")

    def as_text(self) -> str:
        older, newer = self.facts
        back = f" {short(older.fact_id)} has its confidence back." if self.given_back else ""
        return f"Both hold: {short(older.fact_id)} and {short(newer.fact_id)}.{back}"


class FactList(Answer):
    """A page of active facts, the surest first."""

    facts: list[FactRow]
    total: int
    unmatched: str = Field(default="", exclude_if=operator.not_, description=UNMATCHED)

    def as_text(self) -> str:
        if not self.facts:
            return self.unmatched or "No facts are stored yet."
        lines = "\n".join(fact.as_text() for fact in self.facts)
        return f"{counted(self.total, 'fact')}. {RECALLED}\n\n{lines}"

    def hints(self, offer: Offer) -> Sequence[str]:
        del offer
        return more_of(self.total - len(self.facts), "category or project")


class DeprecatedFact(Answer):
    """A fact no longer holds."""

    fact_id: str
    fact: str
    reason: str
    replaced_by: str | None = None
    given_back: list[str] = Field(
        default_factory=list[str], description="Facts that it had contradicted: as sure as they were before."
    )

    def as_text(self) -> str:
        successor = f"\n  in its place: {short(self.replaced_by)}" if self.replaced_by else ""
        said = f"Fact {short(self.fact_id)} no longer holds: {plain(self.fact)}"
        surer = f"\n  as sure again as before it: {', '.join(map(short, self.given_back))}" if self.given_back else ""
        return f"{said}\n  reason: {plain(self.reason)}{successor}{surer}"


class FactEventRow(Answer):
    """Something that happened to a fact."""

    at: datetime
    client: str
    action: str = Field(description="stored, confirmed, contradicted, contradicts, deprecated, replaced, replaces, …")
    other_id: str | None = Field(description="The other fact, where there is one.")
    reason: str
    confidence: float | None = Field(description="Of this fact, after it.")
    caution: str = Field(default="", description="What in its reason or client instructs a later reader, by name.")

    def as_text(self) -> str:
        other = f" {short(self.other_id)}" if self.other_id else ""
        after = f" · confidence {self.confidence:.1f}" if self.confidence is not None else ""
        why = f": {warning(self.caution)}{plain(self.reason)}" if self.reason else ""
        marked = "⚠ " if self.caution else ""
        return f"- {marked}{local(self.at)} · {part(self.client)} · {part(self.action)}{other}{after}{why}"


class FactHistory(Answer):
    """A fact, also one that no longer holds, and what happened to it, the oldest first."""

    fact: FactRow
    deprecated_at: datetime | None
    deprecation_reason: str
    events: list[FactEventRow]

    def as_text(self) -> str:
        state = "It holds." if self.deprecated_at is None else f"It no longer holds since {local(self.deprecated_at)}."
        lines = "\n".join(event.as_text() for event in self.events)
        return f"{state} {RECALLED}\n\n{self.fact.as_text()}\n\n{lines}"
