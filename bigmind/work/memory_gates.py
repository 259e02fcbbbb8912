"""The gates that rest on the brain's log: a question before work begins, a contribution before it is handed over.

What is needed is decided by rows, in their order. Whether a text is about the item is found out before the write, in a
unit of work that only reads; what came in between does not count yet.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.brain.evidence import LoggedContribution, LoggedQuestion, contributions, other_names, questions, stored_by
from bigmind.caution.detect import pending
from bigmind.core.ids import short
from bigmind.core.operation import Mode
from bigmind.core.plain_text import one_line, shortened
from bigmind.flow.gates import Finding
from bigmind.people.agent_names import shown_agent
from bigmind.store.prepared_statements import rows
from bigmind.store.restore_time import was_restored_after
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.about import Subject, is_telling
from bigmind.work.evidence_question import EvidenceQuestion
from bigmind.work.items import DONE, dna_text
from bigmind.work.nearness import ground
from bigmind.work.rules import LEASE, QUESTION_COUNTS, spoilt_by
from bigmind.work.tables import WorkEvidence, WorkItem

QUERIED, CONTRIBUTED = "memory_queried", "memory_contributed"
CLOCK_STEP = timedelta(minutes=5)
"""What a clock that is set right may go back, without anything being asked anew."""
COMPARED = 200
"""The other open items of its project, the latest changed first, that a text may be nearer to."""
ANY_CONNECTION = " any"
"""Stands in place of a caller's connection where a person looks at what the agent did; no client can name it."""
LOST = "A backup was restored: what was {} since it was made may be gone."
_EVIDENCE = table_of(WorkEvidence).c
_USED = columns(_EVIDENCE.uid).where(
    _EVIDENCE.kind == bindparam("kind"), _EVIDENCE.uid.in_(bindparam("uids", expanding=True))
)

Logged = LoggedQuestion | LoggedContribution
Check = tuple[Callable[[Any], bool], str]
"""What must not hold of what was logged, and how it is said where it does."""


@dataclass(frozen=True, slots=True)
class Relevance:
    """Which texts are about an item as it read then, by the id of the question or thought; and what was seen for it.

    Attributes:
        subject: the digest of what was read of the item.
        about: why each text is about it; empty where it is not.
        questions: what its evidence gates ask for outside of the store, by their names.
        evidence: what was seen there, once somebody looked.
    """

    subject: str = ""
    about: Mapping[str, str] = field(default_factory=dict[str, str])
    questions: Mapping[str, EvidenceQuestion] = field(default_factory=dict[str, EvidenceQuestion])
    evidence: Mapping[str, Finding] = field(default_factory=dict[str, Finding])


@dataclass(frozen=True, slots=True)
class GateQuery:
    """What a memory gate is asked with.

    Attributes:
        named: the brain session, or the thought, that the agent named; empty: the newest that counts.
        after: the place in the log from which on something counts.
    """

    named: str = ""
    after: int = 0


def find_relevance(work: Work, row: WorkItem, gates: Mapping[str, GateQuery]) -> Relevance:
    """Find out which question and which contribution of the caller's counts for an item, as far as `gates` ask.

    It only reads, and may wait for the model. Of several texts the newest that counts is looked for, and no further.
    """
    about: dict[str, str] = {}
    if (asked := gates.get(QUERIED)) is not None:
        found = _asked(work, asked.named)
        checks = _question_checks(work, row, asked.after, found)
        _judge(work, row, ((each.uid, each.text) for each in found if _fault(each, checks) is None), about)
    if (given := gates.get(CONTRIBUTED)) is not None:
        made = _since(_made(work, given.named), given.after)
        checks = _contribution_checks(work, given.after)
        _judge(work, row, ((each.uid, each.text) for each in made if _fault(each, checks) is None), about, dna=True)
    return Relevance(_digest(row), about)


def newest_contribution(work: Work, user_id: int, client: str) -> int:
    """The place of the newest thought of an agent that no gate rests on, whatever it is about; else 0."""
    stored = stored_by(work, user_id, client)
    used = _used(work, "thought", [uid for _, uid in stored])
    return next((key for key, uid in stored if uid not in used), 0)


def _judge(
    work: Work, row: WorkItem, texts: Iterable[tuple[str, str]], about: dict[str, str], *, dna: bool = False
) -> None:
    """Say of each text why it is about an item, up to the first that is."""
    others: Sequence[Subject] | None = None
    for uid, text in texts:
        others = _others(work, row) if others is None else others
        about[uid] = str(ground(work, subject_of(row, with_dna=dna), text, others) or "")
        if about[uid]:
            return


def _others(work: Work, row: WorkItem) -> Sequence[Subject]:
    """The other open items of an item's project."""
    open_ones = (col(WorkItem.state).not_in(DONE), WorkItem.id != row.id, WorkItem.project == row.project)
    told = select(WorkItem.title, WorkItem.topic, WorkItem.description).where(*open_ones)
    newest = work.session.exec(told.order_by(col(WorkItem.updated_at).desc()).limit(COMPARED))
    return [Subject(title, topic, description, "") for title, topic, description in newest]


def subject_of(row: WorkItem, *, with_dna: bool = False) -> Subject:
    """An item, as far as it is read for that."""
    return Subject(row.title, row.topic, row.description, dna_text(row) if with_dna else "")


def _digest(row: WorkItem) -> str:
    return sha256(f"{row.title}\n{row.topic}\n{row.description}".encode()).hexdigest()


def queried(work: Work, row: WorkItem, known: Relevance, query: GateQuery) -> Finding:
    """Whether the caller's agent asked about an item, in time, and no other move rested on that question."""
    ask = f'{_beside(row)}Ask about it: query_brain(prompt="{_title(row)}: what is known?").'
    if not work.caller.connection:
        ask += ' Then pass the session that it answers: fields={"memory_query_session": "q-…"}.'
    found = _asked(work, query.named)
    if not found:
        return Finding(passed=False, reason=_nobody_asked(work, query.named), remedy=ask)
    relevant = _relevant(row, known)
    checks = [*_question_checks(work, row, query.after, found), *relevant]
    for each in found:
        if _fault(each, checks) is None:
            if not query.named and not work.caller.connection:
                reason = _CANNOT_TELL.format("question")
                name = f'Name its brain session: fields={{"memory_query_session": "{each.session}"}}.'
                return Finding(passed=False, reason=reason, remedy=name)
            seen = {"question": each.uid, "session": each.session}
            return Finding(passed=True, evidence=f"question {short(each.uid)} in {each.session}", seen=seen)
    reason = f"Your newest question ({short(found[0].uid)}) does not count: {_fault(found[0], checks)}."
    return Finding(passed=False, reason=reason, remedy=ask)


def contributed(work: Work, row: WorkItem, known: Relevance, query: GateQuery) -> Finding:
    """Whether the caller's agent stored a thought about an item since it claimed it, that may open a gate."""
    source = f'{{"type": "task", "value": "{row.slug}"}}'
    call = f'contribute_to_brain(prompt="{_title(row)}: …", source_ref={source})'
    then = "" if work.caller.connection else f" Then pass the id of the thought: {_named('…')}."
    state = f"{_beside(row)}State what you learned: {call}.{then}"
    checks = [*_contribution_checks(work, query.after), *_relevant(row, known)]
    newest: LoggedContribution | None = None
    for each in _since(_made(work, query.named), query.after):
        newest = newest or each
        if _fault(each, checks) is None:
            if not query.named and not work.caller.connection:
                name = f"Name the thought: {_named(each.uid)}."
                return Finding(passed=False, reason=_CANNOT_TELL.format("thought"), remedy=name)
            seen = {"thought": each.uid}
            return Finding(passed=True, evidence=f"thought {short(each.uid)}", seen=seen)
    elsewhere = not query.named and _has_contributed(work, query.after)
    if newest is None or (newest.key <= query.after and elsewhere):
        reason = _nobody_contributed(work, query.named, elsewhere=elsewhere)
        return Finding(passed=False, reason=_after_restore(work, reason, "contributed"), remedy=state)
    why = _fault(newest, checks)
    if why == FLAGGED:
        why = spoilt_by(newest.flags)
    if why is not None and "near_duplicate" in why:
        new = f'contribute_to_brain(prompt="{_title(row)}: what is new …", refines={short(newest.uid)})'
        state = f"Refine it, naming the item: {new}.{then}"
    reason = f"{_whose(work)} newest thought ({short(newest.uid)}) does not count: {why}."
    if newest.key <= query.after:
        reason = _after_restore(work, reason, "contributed")
    return Finding(passed=False, reason=reason, remedy=state)


FLAGGED = "it is flagged"
_CANNOT_TELL = "Over no connection BigMind cannot tell which {} is this conversation's."


def _question_checks(work: Work, row: WorkItem, after: int, found: Sequence[LoggedQuestion]) -> list[Check]:
    used = _used(work, "question", [each.uid for each in found])
    return [
        (lambda each: each.at < work.now - QUESTION_COUNTS, "it is more than an hour old"),
        (lambda each: each.at > work.now + CLOCK_STEP, "the clock was set back since"),
        (lambda each: each.key <= after, f"it was asked before the item moved to {row.state}"),
        (lambda each: each.key <= row.written_after, "title, topic or description were changed since"),
        (lambda each: each.uid in used, "it let an item in already, and counts once"),
        (lambda each: not each.text, "its words were forgotten"),
    ]


def _contribution_checks(work: Work, after: int) -> list[Check]:
    return [
        (lambda each: each.key <= after, "it was stored before the item was claimed"),
        (lambda each: not each.is_there, "it was forgotten"),
        (lambda each: bool(_used(work, "thought", [each.uid])), "it opened a gate already, and counts once"),
        (lambda each: each.is_noise, "a person marked it as noise"),
        (lambda each: each.is_corrected, "a correction took its place"),
        (lambda each: not each.is_shared and work.mode is Mode.TEAM, "it is private, and others cannot read it"),
        (lambda each: not each.qualifies, "it states nothing that is worth keeping"),
        (lambda each: bool(spoilt_by(each.flags)), FLAGGED),
    ]


def _relevant(row: WorkItem, known: Relevance) -> list[Check]:
    is_known = known.subject == _digest(row)
    return [
        (lambda each: not is_known or each.uid not in known.about, "it came in this very moment; try once more"),
        (lambda each: not known.about.get(each.uid), "it is not about this item, or nearer to another one"),
    ]


def _fault(each: Logged, checks: Iterable[Check]) -> str | None:
    return next((told for fails, told in checks if fails(each)), None)


def _asked(work: Work, session: str) -> list[LoggedQuestion]:
    """The caller's questions: of the session that is named, else those on the caller's own connection."""
    return [each for each in questions(work, session) if session or _is_here(work, each)]


def _made(work: Work, thought: str) -> Iterator[LoggedContribution]:
    """The caller's contributions, newest first: the one that is named, else those on the caller's own connection."""
    return (each for each in contributions(work, thought) if thought or _is_here(work, each))


def _is_here(work: Work, each: Logged) -> bool:
    """Whether something came over the caller's connection; where somebody looks on, over any."""
    return _looks_on(work) or each.connection == (work.caller.connection or "")


def _since(made: Iterator[LoggedContribution], after: int) -> Iterator[LoggedContribution]:
    """The newest first, and no further than one that is too old."""
    for each in made:
        yield each
        if each.key <= after:
            return


def _title(row: WorkItem) -> str:
    """How a remedy names an item; of a title that instructs its reader it says nothing."""
    if pending(row):
        return row.slug
    return shortened(one_line(row.title), 80).replace('"', "'")


def _beside(row: WorkItem) -> str:
    """What a remedy says first of an older or imported title that stands in any text: to hold it is not enough."""
    if is_telling(row.title):
        return ""
    return "Its title says nothing by itself: name what its topic or description say, or have it renamed. "


def _used(work: Work, kind: str, uids: Collection[str]) -> set[str]:
    return {uid for (uid,) in rows(work, _USED, kind=kind, uids=list(uids))} if uids else set()


def _nobody_asked(work: Work, session: str) -> str:
    return _after_restore(work, _no_question(work, session), "asked")


def _no_question(work: Work, session: str) -> str:
    who = shown_agent(work.caller.client)
    if session:
        return f"There is no question of {who} in the brain session {session[:40]!r}."
    if questions(work):
        return f"{who} asked nothing on this connection. What it asked on another counts where its session is named."
    others = other_names(work, work.now - QUESTION_COUNTS)
    if others:
        return f"{who} asked nothing; {', '.join(map(shown_agent, others[:3]))} did, and another name is another agent."
    return f"{who} asked the brain nothing yet{' on this connection' if work.caller.connection else ''}."


def _after_restore(work: Work, reason: str, done: str) -> str:
    """A reason why nothing counts, and behind it that there may have been something, where a backup was restored."""
    return f"{reason} {LOST.format(done)}" if was_restored_after(work, work.now - LEASE) else reason


def _looks_on(work: Work) -> bool:
    return work.caller.connection == ANY_CONNECTION


def _whose(work: Work) -> str:
    """Of whom a reason speaks: of the agent that it is told to, or of the one that somebody looks at."""
    return f"{shown_agent(work.caller.client)}'s" if _looks_on(work) else "Your"


def _named(thought: str) -> str:
    return f'fields={{"memory_contribution_id": "{thought}"}}'


def _has_contributed(work: Work, after: int) -> bool:
    """Whether the caller's agent contributed anything since then, over whichever connection."""
    newest = next(contributions(work), None)
    return newest is not None and newest.key > after


def _nobody_contributed(work: Work, thought: str, *, elsewhere: bool) -> str:
    if _looks_on(work):
        return f"{shown_agent(work.caller.client)} has contributed nothing since it claimed the item."
    if thought:
        return f"No thought {thought[:36]!r} of yours is in the brain's log."
    if elsewhere:
        counts = f"What you contributed on another counts where it is named: {_named('…')}."
        return f"You contributed nothing on this connection. {counts}"
    return "You contributed nothing yet."
