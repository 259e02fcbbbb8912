"""What a person has decided, told: each decision with what it made, as that stands today. Nothing here writes."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.events import Kind
from bigmind.core.plain_text import one_line, shortened
from bigmind.learning.answers import SHOWN, DecidedList, DecidedRow, State
from bigmind.learning.decisions import ACCEPTED, DISMISSED, is_untouched, lines_of
from bigmind.learning.proposals import Proposal
from bigmind.learning.tables import Decision
from bigmind.memory.facts.service import get_profile
from bigmind.memory.knowledge.service import visible
from bigmind.memory.lookup import key_of
from bigmind.memory.tables import Chunk, Fact, Knowledge, MemorySession
from bigmind.store.work import Work

AT_ONCE = 400
"""Ids that one query asks for."""


@dataclass(frozen=True, slots=True)
class CurrentState:
    """What a decision made, as it stands today.

    Attributes:
        text: its statement, title or headline; empty: nobody has it any more.
        state: what became of it since.
        stays: whether taking the decision back would leave it as it is, for more than the decision made it so.
        caution: what in it waits for a person.
    """

    text: str = ""
    state: State = ""
    stays: bool = False
    caution: str = ""


GONE = CurrentState(state="gone")

_Found = Mapping[str, CurrentState]


def decided_list(work: Work, limit: int, words: Mapping[str, str] | None = None) -> DecidedList:
    """The caller's newest decisions.

    Args:
        work: the open unit of work.
        limit: how many, at most.
        words: what the proposals say that are known besides, by their digests: of those that made nothing, the store
            keeps no word.
    """
    own = Decision.user_id == work.caller.user_id
    counted = select(Decision.decision, func.count()).where(own).group_by(Decision.decision)
    counts = dict(work.session.exec(counted).all())
    newest = select(Decision).where(own).order_by(col(Decision.at).desc(), col(Decision.digest)).limit(limit)
    decisions = work.session.exec(newest).all()
    today = _today(work, decisions)
    rows = [_row(each, today.get(each.digest), words or {}) for each in decisions]
    return DecidedList(decided=rows, accepted=counts.get(ACCEPTED, 0), dismissed=counts.get(DISMISSED, 0))


def _row(decision: Decision, today: CurrentState | None, words: Mapping[str, str]) -> DecidedRow:
    kind, identifier = _made(decision)
    told = today or CurrentState(words.get(decision.digest, ""))
    return DecidedRow.model_validate(
        {
            "digest": decision.digest,
            "decision": decision.decision,
            "at": decision.at,
            "kind": kind,
            "id": identifier,
            "text": shortened(one_line(told.text), SHOWN),
            "state": told.state,
            "can_undo": not told.stays,
            "caution": told.caution,
        }
    )


def _made(decision: Decision) -> tuple[str, str]:
    kind, _, identifier = decision.made.partition(" ")
    return kind, identifier


def _today(work: Work, decisions: Iterable[Decision]) -> dict[str, CurrentState]:
    """What each decision made that made something, by its digest: a query or two for each kind."""
    by_kind: dict[str, list[Decision]] = {}
    for each in decisions:
        by_kind.setdefault(_made(each)[0], []).append(each)
    found: dict[str, CurrentState] = {}
    for kind, tell in _TELLERS.items():
        if of_kind := by_kind.get(kind):
            found |= {each.digest: GONE for each in of_kind} | dict(tell(work, of_kind))
    return found


def _facts(work: Work, decisions: Sequence[Decision]) -> _Found:
    mine = Fact.user_id == work.caller.user_id
    return {decision.digest: _fact(fact, decision) for decision, fact in _stored(work, Fact, decisions, mine)}


def _fact(fact: Fact, decision: Decision) -> CurrentState:
    if fact.deprecated_at is not None:
        return CurrentState(fact.text, "deprecated", caution=pending(fact))
    is_same = Proposal("fact", fact.text, "", project=fact.project).digest == decision.digest
    return CurrentState(fact.text, "" if is_same else "changed", caution=pending(fact))


def _entries(work: Work, decisions: Sequence[Decision]) -> _Found:
    return {
        decision.digest: _entry(entry, decision)
        for decision, entry in _stored(work, Knowledge, decisions, visible(work))
    }


def _entry(entry: Knowledge, decision: Decision) -> CurrentState:
    is_same = is_untouched(entry, decision)
    state: State = "deprecated" if entry.status == "deprecated" else "" if is_same else "changed"
    return CurrentState(entry.title, state, not is_same, pending(entry))


def _sessions(work: Work, decisions: Sequence[Decision]) -> _Found:
    found = _stored(work, MemorySession, decisions, MemorySession.user_id == work.caller.user_id)
    grown: set[int] = set()
    keys = [key_of(session) for _, session in found]
    for begin in range(0, len(keys), AT_ONCE):
        of_these = col(Chunk.session_id).in_(keys[begin : begin + AT_ONCE])
        grown.update(work.session.exec(select(Chunk.session_id).where(of_these).distinct()))
    told: dict[str, CurrentState] = {}
    for decision, session in found:
        is_same = session.updated_at == decision.at and session.id not in grown
        told[decision.digest] = CurrentState(
            session.one_liner, "" if is_same else "changed", not is_same, pending(session)
        )
    return told


def _preferences(work: Work, decisions: Sequence[Decision]) -> _Found:
    preferences = get_profile(work).preferences
    lines = preferences.split("\n")
    found = lines_of(preferences, [each.digest for each in decisions])
    changed = {each.digest: CurrentState(state="changed", stays=True) for each in decisions}
    return changed | {digest: CurrentState("\n".join(lines[begin:end])) for digest, (begin, end) in found.items()}


_TELLERS: dict[str, Callable[[Work, Sequence[Decision]], _Found]] = {
    Kind.FACT: _facts,
    Kind.KNOWLEDGE: _entries,
    Kind.SESSION: _sessions,
    Kind.PROFILE: _preferences,
}


def _stored(work: Work, table: Any, decisions: Sequence[Decision], is_seen: Any) -> list[tuple[Decision, Any]]:
    """The decisions whose row is there still and the caller's to see, each with it."""
    names, found = [_made(each)[1] for each in decisions], dict[str, Any]()
    for begin in range(0, len(names), AT_ONCE):
        named = select(table).where(table.uid.in_(names[begin : begin + AT_ONCE]), is_seen)
        found |= {each.uid: each for each in work.session.exec(named)}
    return [(each, found[name]) for each, name in zip(decisions, names, strict=True) if name in found]
