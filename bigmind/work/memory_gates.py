"""The gates that rest on the brain's log: a question before work begins, a contribution before it is handed over.

What is needed is decided by rows, in their order. Whether a text is about the item is found out before the write, in a
unit of work that only reads; what came in between does not count yet.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from hashlib import sha256

from sqlmodel import col, select

from bigmind.brain.evidence import (
    LoggedContribution,
    LoggedQuestion,
    contributions,
    other_names,
    questions,
)
from bigmind.core.events import Action
from bigmind.core.ids import short
from bigmind.core.operation import Mode
from bigmind.core.plain_text import one_line, shortened
from bigmind.flow.gates import Finding
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.work.about import Subject, how_about
from bigmind.work.items import dna_text
from bigmind.work.nearness import similarity
from bigmind.work.rules import LEASE, QUESTION_COUNTS, SPOILT
from bigmind.work.tables import WorkEvidence, WorkItem

CLOCK_STEP = timedelta(minutes=5)
"""What a clock that is set right may go back, without anything being asked anew."""
QUERIED, CONTRIBUTED = "memory_queried", "memory_contributed"


@dataclass(frozen=True, slots=True)
class Relevance:
    """Which texts are about an item as it read then: by the id of the question or thought.

    Attributes:
        subject: the digest of what was read of the item.
        about: why each text is about it; empty where it is not.
    """

    subject: str = ""
    about: Mapping[str, str] = field(default_factory=dict[str, str])


def find_relevance(work: Work, row: WorkItem, session: str = "", thought: str = "") -> Relevance:
    """Find out which of the caller's questions and contributions are about an item. Only reads; may ask the model."""
    about: dict[str, str] = {}
    for question in questions(work, session):
        if question.at >= work.now - QUESTION_COUNTS and question.key > row.written_after:
            about[question.uid] = _ground(work, subject_of(row), question.text)
    for given in contributions(work, thought):
        if given.key > row.claimed_after and given.text:
            about[given.thought] = _ground(work, subject_of(row, with_dna=True), given.text)
    return Relevance(_digest(row), about)


def subject_of(row: WorkItem, *, with_dna: bool = False) -> Subject:
    """An item, as far as it is read for that."""
    return Subject(row.title, row.topic, row.description, dna_text(row) if with_dna else "")


def _ground(work: Work, subject: Subject, text: str) -> str:
    return how_about(subject, text, similarity(work, subject, text), 0.5) or ""


def _digest(row: WorkItem) -> str:
    return sha256(f"{row.title}\n{row.topic}\n{row.description}".encode()).hexdigest()


def queried(work: Work, row: WorkItem, known: Relevance, *, session: str = "", after: int) -> Finding:
    """Whether the caller's agent asked about an item, in time, and no other move used that question.

    Args:
        work: reads.
        row: the item.
        known: which questions are about it.
        session: the brain session that is named; empty: the newest that counts, on the caller's own connection.
        after: the place in the log from which on questions count.
    """
    asked = questions(work, session)
    if not session:
        own = work.caller.connection or ""
        asked = [each for each in asked if each.connection == own]
    ask = f'Ask about it: query_brain(prompt="{_title(row)}: what is known?").'
    if not asked:
        return Finding(passed=False, reason=_nobody_asked(work, session), remedy=ask)
    used = _used(work, "question", (each.uid for each in asked))
    checks: list[tuple[Callable[[LoggedQuestion], bool], str]] = [
        (lambda each: each.at < work.now - QUESTION_COUNTS, "it is more than an hour old"),
        (lambda each: each.at > work.now + CLOCK_STEP, "the clock was set back since"),
        (lambda each: each.key <= row.written_after, "title, topic or description were changed since"),
        (lambda each: each.key <= after, f"it was put before the item came to be {row.state}"),
        (lambda each: each.uid in used, "it let an item in already, and counts once"),
        (lambda each: not each.text, "its words were forgotten"),
        (lambda each: known.subject != _digest(row) or each.uid not in known.about, "it came in this very moment"),
        (lambda each: not known.about[each.uid], "it is not about this item"),
    ]
    found = next((each for each in asked if not any(fails(each) for fails, _ in checks)), None)
    if found is not None:
        seen = {"question": found.uid, "session": found.session, "text": sha256(found.text.encode()).hexdigest()}
        return Finding(passed=True, evidence=f"question {short(found.uid)} in {found.session}", seen=seen)
    newest = asked[0]
    why = next(told for fails, told in checks if fails(newest))
    return Finding(
        passed=False, reason=f"Your newest question ({short(newest.uid)}) does not count: {why}.", remedy=ask
    )


def contributed(work: Work, row: WorkItem, known: Relevance, *, thought: str = "") -> Finding:
    """Whether the caller's agent stored a thought about an item since it claimed it, that may open a gate."""
    given = contributions(work, thought)
    state = f'State what you learned: contribute_to_brain(prompt="{_title(row)}: …", source_ref="task:{row.slug}").'
    if not given:
        reason = (
            f"No thought {thought[:36]!r} of yours is in the brain's log." if thought else "You contributed nothing."
        )
        return Finding(passed=False, reason=reason, remedy=state)
    used = _used(work, "thought", (each.thought for each in given))
    checks: list[tuple[Callable[[LoggedContribution], bool], str]] = [
        (lambda each: each.key <= row.claimed_after, "it was stored before you claimed the item"),
        (lambda each: not each.is_there, "it was forgotten"),
        (lambda each: each.thought in used, "it opened a gate already, and counts once"),
        (lambda each: each.is_noise, "a person marked it as noise"),
        (lambda each: each.is_corrected, "a correction took its place"),
        (lambda each: not each.is_shared and work.mode is Mode.TEAM, "it is private, and others cannot read it"),
        (lambda each: not each.qualifies, "it states nothing that is worth keeping"),
        (lambda each: bool(each.flags & SPOILT), "it is flagged"),
        (lambda each: known.subject != _digest(row) or each.thought not in known.about, "it came in this very moment"),
        (lambda each: not known.about[each.thought], "it is not about this item"),
    ]
    found = next((each for each in given if not any(fails(each) for fails, _ in checks)), None)
    if found is not None:
        seen = {"thought": found.thought, "text": sha256(found.text.encode()).hexdigest()}
        return Finding(passed=True, evidence=f"thought {short(found.thought)}", seen=seen)
    newest = given[0]
    why = next(told for fails, told in checks if fails(newest))
    spoilt = sorted(newest.flags & SPOILT)
    if spoilt and why == "it is flagged":
        why = f"it is flagged {', '.join(spoilt)}"
        if "near_duplicate" in spoilt:
            state = (
                f'Refine it, naming the item: contribute_to_brain(prompt="{_title(row)}: what is new …", '
                f"refines={short(newest.thought)})."
            )
    reason = f"Your newest thought ({short(newest.thought)}) does not count: {why}."
    return Finding(passed=False, reason=reason, remedy=state)


def _title(row: WorkItem) -> str:
    return shortened(one_line(row.title), 80).replace('"', "'")


def _used(work: Work, kind: str, uids: Iterable[str]) -> set[str]:
    found = select(WorkEvidence.uid).where(WorkEvidence.kind == kind, col(WorkEvidence.uid).in_(list(uids)))
    return set(work.session.exec(found).all())


def _nobody_asked(work: Work, session: str) -> str:
    who = work.caller.client
    restored = select(ChangeRow.id).where(ChangeRow.action == Action.RESTORED, col(ChangeRow.at) > work.now - LEASE)
    if work.session.exec(restored.limit(1)).first() is not None:
        return f"The brain's log has no question of {who}: a backup was restored, and what was asked since is gone."
    if session:
        return f"There is no question of {who} in the brain session {session[:40]!r}."
    others = other_names(work, work.now - QUESTION_COUNTS)
    if others:
        return f"{who} asked nothing; {', '.join(others[:3])} did, and another name is another agent."
    return f"{who} asked the brain nothing on this connection. A client without one names its session: q-…."
