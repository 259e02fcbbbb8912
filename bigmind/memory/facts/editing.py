"""A fact put right by the hand of its owner: other words, another kind, sureness or project. It stays the same fact."""

from dataclasses import dataclass
from datetime import datetime

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action
from bigmind.kinds import save, texts_of
from bigmind.memory.edit_conflict import refuse_changed
from bigmind.memory.facts.answers import EditedFact, KeptFacts, ReinstatedFact
from bigmind.memory.facts.disputes import keep_both, take_again
from bigmind.memory.facts.duplicates import resembling, same_since
from bigmind.memory.facts.history import FactAction, record
from bigmind.memory.facts.presentation import fact_rows
from bigmind.memory.facts.service import WHERE_IDS_ARE, refuse_deprecated, set_aside
from bigmind.memory.lookup import find_by_uid, key_of
from bigmind.memory.projects.names import PERSONAL
from bigmind.memory.tables import Fact
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class FactEdit:
    """What a fact is to be from now on; None leaves it as it is, an empty project takes it out of every project."""

    text: str | None = None
    category: str | None = None
    confidence: float | None = None
    project: str | None = None


def edit_fact(work: Work, reference: str, edit: FactEdit, unchanged_since: datetime | None = None) -> EditedFact:
    """Change an active fact. What stood there before is kept in its history.

    Other facts that it now repeats or contradicts are named and lose nothing: an edit can be taken back.

    Raises:
        BigMindError: `not_found`; `ambiguous`; `invalid_input`; `conflict`, when it no longer holds, or was changed
            after `unchanged_since`.
    """
    fact = find_by_uid(work, Fact, reference, "fact", WHERE_IDS_ARE)
    refuse_deprecated(fact)
    refuse_changed(unchanged_since, fact.updated_at, fact.text)
    judged_before = texts_of(work, fact)
    before = _put(fact, edit)
    if not before:
        return EditedFact(fact=fact_rows(work, [fact])[0], changed=[], note=set_aside(fact.category, edit.project))
    fact.updated_at = work.now
    save(work, fact, Action.UPDATED, judged_before)
    record(work, fact, FactAction.EDITED, reason="; ".join(f"{name} was: {value}" for name, value in before.items()))
    related = resembling(work, fact) if "fact" in before else []
    note = set_aside(fact.category, edit.project)
    return EditedFact(fact=fact_rows(work, [fact])[0], changed=list(before), related=related, note=note)


def _put(fact: Fact, edit: FactEdit) -> dict[str, str]:
    """Write what is new; what stood there before, by the name of the field."""
    before: dict[str, str] = {}
    if edit.text is not None and edit.text != fact.text:
        before["fact"], fact.text = fact.text, edit.text
    if edit.category is not None and edit.category != fact.category:
        before["category"], fact.category = fact.category, edit.category
    if edit.confidence is not None and edit.confidence != fact.confidence:
        before["confidence"], fact.confidence = f"{fact.confidence:.2f}", edit.confidence
    project = "" if fact.category in PERSONAL else edit.project
    if project is not None and project != (fact.project or ""):
        before["project"], fact.project = fact.project or "none", project or None
    return before


def reinstate_fact(work: Work, reference: str) -> ReinstatedFact:
    """Take back that a fact no longer holds, with the reason that was given; one that holds stays as it is.

    Raises:
        BigMindError: `not_found`; `ambiguous`; `invalid_input`; `conflict`, when the very same was stored since.
    """
    fact = find_by_uid(work, Fact, reference, "fact", "It may have been forgotten for good.")
    if fact.deprecated_at is None:
        return ReinstatedFact(fact=fact_rows(work, [fact])[0], note="It held; nothing was changed.")
    if (same := same_since(work, fact, fact.deprecated_at)) is not None:
        raise BigMindError(
            Code.CONFLICT, f"The very same was stored since: fact {same}.", "That one holds; nothing was changed."
        )
    before, reason = texts_of(work, fact), fact.deprecation_reason
    fact.deprecated_at, fact.deprecation_reason = None, ""
    fact.updated_at = work.now
    save(work, fact, Action.UPDATED, before)
    record(work, fact, FactAction.REINSTATED, reason=f"was deprecated: {reason}" if reason else "")
    take_again(work, fact)
    return ReinstatedFact(fact=fact_rows(work, [fact])[0])


def keep_both_facts(work: Work, reference: str, other_reference: str) -> KeptFacts:
    """Say that two facts hold beside each other; the older has again what the newer took from it.

    Raises:
        BigMindError: `not_found`; `ambiguous`; `invalid_input`, when both are one; `conflict`, when one holds no more.
    """
    one = find_by_uid(work, Fact, reference, "fact", WHERE_IDS_ARE)
    other = find_by_uid(work, Fact, other_reference, "fact", WHERE_IDS_ARE, "other_id")
    if one.id == other.id:
        raise invalid("other_id", other_reference, "another fact than the first")
    for fact in (one, other):
        refuse_deprecated(fact)
    older, newer = sorted((one, other), key=lambda fact: (fact.created_at, key_of(fact)))
    is_surer = keep_both(work, older, newer)
    return KeptFacts(facts=fact_rows(work, [older, newer]), given_back=is_surer)
