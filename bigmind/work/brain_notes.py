"""What is said of work beside the brain's answers: for which of the caller's items a question or a thought counts.

It goes by words alone, where the gate also asks the model: nobody who asks the brain waits for this.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from sqlmodel import col, select
from sqlmodel.sql.expression import SelectOfScalar

from bigmind.core.kind import BrainEntry, BrainNote
from bigmind.core.operation import Mode, Offer, first_offered
from bigmind.embedding.models import ALIKE
from bigmind.flow.workflow import Transition
from bigmind.people.agent_names import shown_agent
from bigmind.store.prepared_statements import first
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.about import Other, how_about
from bigmind.work.holding.lease import lease_has_run_out
from bigmind.work.memory_gates import CONTRIBUTED, QUERIED, subject_of
from bigmind.work.moving import returned
from bigmind.work.processes import OF_TASKS_ONLY, process_of
from bigmind.work.roles import agent_of, roles_of
from bigmind.work.rules import spoilt_by
from bigmind.work.tables import WorkItem

MOST_OPEN = 20
"""Of the open items that nobody holds, the newest."""
MOST_HELD = 20
MOST_NAMED = 3
IDLE = ("complete", "cancelled", "blocked", "backlog")
NAMES_SESSION = " and name this brain session in memory_query_session"
NAMES_THOUGHT = " and name this thought in memory_contribution_id"
MOVES = {False: "work_transition", True: "mindspace_book_transition"}
"""What moves an item; and what a node."""


def beside_brain(work: Work, entry: BrainEntry) -> BrainNote | None:
    """For which items of the caller's an entry counts, or why for none; nothing where there is none to count for."""
    offer = work.caller.offer
    if not first_offered(offer, *MOVES.values()) or work.caller.presence.is_in_person:
        return None
    if first(work, _any_open()) is None:
        return None
    gate = QUERIED if entry.is_question else CONTRIBUTED
    rows = [each for each in _candidates(work, entry) if gate in _next_gates(work, each)]
    if rows and (why := _fault(work, entry)):
        return BrainNote((), (f"It counts for none of the work that you hold: {why}.",))
    counted = [each for each in rows if _is_about(each, entry, rows)]
    if not counted and (why := _of_others(work, entry, gate)):
        return BrainNote((), (f"It counts for none of the work that you {_could(entry)}: {why}.",))
    slugs = tuple(each.slug for each in counted)
    return BrainNote(slugs, tuple(_told(work, entry, counted, offer))) if rows else None


@cache
def _any_open() -> Any:
    return select(table_of(WorkItem).c.id).where(table_of(WorkItem).c.state.not_in(IDLE)).limit(1)


def _candidates(work: Work, entry: BrainEntry) -> Iterator[WorkItem]:
    """What the caller holds; and for a question, what it could claim, or take over."""
    agent = agent_of(work)
    yield from work.session.exec(_open().where(WorkItem.holder == agent).limit(MOST_HELD))
    if entry.is_question:
        yield from work.session.exec(_open().where(WorkItem.holder == "").limit(MOST_OPEN))
        late = _open().where(WorkItem.holder > "", WorkItem.holder != agent, col(WorkItem.lease_until) <= work.now)
        yield from (each for each in work.session.exec(late.limit(MOST_HELD)) if lease_has_run_out(work, each))


def _open() -> SelectOfScalar[WorkItem]:
    return select(WorkItem).where(col(WorkItem.state).not_in(IDLE)).order_by(col(WorkItem.id).desc())


def _of_others(work: Work, entry: BrainEntry, gate: str) -> str:
    """Why an entry counts for none of the items that it is about; empty where it is about none of the newest."""
    found = _open() if entry.is_question else _open().where(_is_callers(work))
    rows = list(work.session.exec(found.limit(MOST_OPEN)))
    about = [each for each in rows if _is_about(each, entry, rows)]
    return "; ".join(_why_not(work, each, entry, gate) for each in about[:MOST_NAMED])


def _is_callers(work: Work) -> Any:
    agent = agent_of(work)
    return (col(WorkItem.holder) == agent) | ((col(WorkItem.worked_by) == agent) & (col(WorkItem.holder) == ""))


def _why_not(work: Work, row: WorkItem, entry: BrainEntry, gate: str) -> str:
    """Why an entry that is about an item does not count for it."""
    thing = "question" if entry.is_question else "contribution"
    if row.holder and row.holder != agent_of(work):
        return f"{shown_agent(row.holder)} holds {row.slug}"
    if row.holder and entry.is_question:
        return f"you hold {row.slug} already, and a question counts for a claim"
    if not row.holder and not entry.is_question:
        return f"{row.slug} is handed over already, and a contribution counts while you hold it"
    process = process_of(work, row.process, row.version)
    asked = any(gate in _kinds_of(rule) for rule in process.leaving(row.state))
    return f"{row.slug} is for the role {row.role}" if asked else f"{row.slug} needs no {thing} in {row.state}"


def _next_gates(work: Work, row: WorkItem) -> set[str]:
    """The memory gates of the moves that the caller may make from where an item stands, or goes back to."""
    process = process_of(work, row.process, row.version)
    roles = {*roles_of(work, process)}
    is_taken_over = process.states[row.state].is_claimed and row.holder not in {"", agent_of(work)}
    state = returned(row, process).state if is_taken_over else row.state
    rules = (each for each in process.leaving(state) if each.role in {None, row.role})
    possible = (
        each
        for each in rules
        if (each.is_open or row.role in roles) and each.actors & {*roles, "own", "holder", "anyone"}
    )
    return {kind for rule in possible for kind in _kinds_of(rule)}


def _kinds_of(rule: Transition) -> Iterator[str]:
    return (each.kind for gate in rule.gates for each in gate.each())


def _could(entry: BrainEntry) -> str:
    return "hold or could take" if entry.is_question else "hold"


def _is_about(row: WorkItem, entry: BrainEntry, rows: Sequence[WorkItem]) -> bool:
    subject = subject_of(row, with_dna=not entry.is_question)
    others = [Other(subject_of(each)) for each in rows if each.id != row.id and each.project == row.project]
    return how_about(subject, entry.text, None, ALIKE, others) is not None


def _fault(work: Work, entry: BrainEntry) -> str:
    if entry.is_question:
        return ""
    if spoilt := spoilt_by(entry.flags):
        return spoilt
    return "it is private, and others cannot read it" if work.mode is Mode.TEAM and not entry.is_shared else ""


def _told(work: Work, entry: BrainEntry, rows: Sequence[WorkItem], offer: Offer) -> Iterator[str]:
    """A sentence for which items it counts, and one that says what to call."""
    if not rows:
        could = _could(entry)
        yield f"By its words it counts for none of the work that you {could}; one that holds an item's title does."
        return
    named = ", ".join(each.slug for each in rows[:MOST_NAMED])
    more = f" and {len(rows) - MOST_NAMED} more" if len(rows) > MOST_NAMED else ""
    yield f"It counts for {named}{more}."
    tool = MOVES[rows[0].process == OF_TASKS_ONLY]
    if first_offered(offer, tool):
        does, naming = ("Claim it", NAMES_SESSION) if entry.is_question else ("Hand it over", NAMES_THOUGHT)
        yield f"{does} with {tool}{'' if work.caller.connection else naming}."
