"""Use cases of the thought journal: hypotheses and how they turned out."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import case, func
from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.client_names import continued_by
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.core.ids import new_id, short
from bigmind.kinds import save, texts_of
from bigmind.memory.answers import HypothesisAnswer, HypothesisList, HypothesisRow
from bigmind.memory.edit_conflict import refuse_changed
from bigmind.memory.lookup import find_by_uid
from bigmind.memory.sessions.choice import source_session
from bigmind.memory.sessions.makeshift_record import leave_out
from bigmind.memory.tables import Hypothesis
from bigmind.operations.inputs import EVERY_PROJECT
from bigmind.store.work import Work
from bigmind.text.phrasing import plain, there_are

Status = Literal["open", "confirmed", "refuted", "abandoned"]
Resolved = Literal["confirmed", "refuted", "abandoned"]


def add_hypothesis(work: Work, text: str, confidence: float, project: str | None = None) -> HypothesisAnswer:
    """Note a belief that is still open; of the project of its session, when none is given.

    One that is open already in the same words stays one, as sure as it is said to be now.
    """
    session = source_session(work)
    here = (session.project if session else None) or work.caller.project
    told = None if project == EVERY_PROJECT else project or here
    same = _told_before(work, text, told)
    if same is not None and same.status == "open":
        return _said_again(work, same, confidence)
    hypothesis = Hypothesis(
        uid=new_id(),
        user_id=work.caller.user_id,
        session_id=session.id if session else None,
        project=told,
        client=work.caller.client,
        text=text,
        confidence=confidence,
        status="open",
        created_at=work.now,
        updated_at=work.now,
    )
    save(work, hypothesis, Action.CREATED)
    return HypothesisAnswer(hypothesis=_row(hypothesis), note="" if same is None else _how_it_turned_out(same))


def _how_it_turned_out(same: Hypothesis) -> str:
    why = "" if pending(same) else f": {plain(same.resolution)}"
    return f"{short(same.uid)} said the same, and was {same.status}{why}"


def _told_before(work: Work, text: str, project: str | None) -> Hypothesis | None:
    """The caller's hypothesis of a project in the same words, case aside: an open one, else the newest."""
    mine = (Hypothesis.user_id == work.caller.user_id, col(Hypothesis.project) == project)
    same = select(Hypothesis).where(*mine, func.lower(col(Hypothesis.text)) == func.lower(text))
    is_open = case((col(Hypothesis.status) == "open", 0), else_=1)
    return work.session.exec(same.order_by(is_open, col(Hypothesis.id).desc()).limit(1)).first()


def _said_again(work: Work, hypothesis: Hypothesis, confidence: float) -> HypothesisAnswer:
    note = "It was open before, word for word; nothing was stored."
    if hypothesis.confidence == confidence:
        return HypothesisAnswer(hypothesis=_row(hypothesis), note=note)
    before, was = texts_of(work, hypothesis), hypothesis.confidence
    hypothesis.confidence = confidence
    answer = _rewritten(work, hypothesis, before)
    return answer.model_copy(update={"note": f"It was open before, word for word, with confidence {was:.1f}."})


def resolve_hypothesis(work: Work, reference: str, status: Resolved, resolution: str) -> HypothesisAnswer:
    """Say how a hypothesis turned out.

    Raises:
        BigMindError: `not_found`; `conflict`, when it was resolved before.
    """
    hypothesis = _open_one(work, reference)
    before = texts_of(work, hypothesis)
    hypothesis.status = status
    if not work.caller.is_person:
        hypothesis.client = continued_by(hypothesis.client, work.caller.client)
    hypothesis.resolution = resolution
    hypothesis.resolved_at = work.now
    if status != "confirmed":
        leave_out(work, hypothesis)
    return _rewritten(work, hypothesis, before)


def edit_hypothesis(
    work: Work,
    reference: str,
    text: str | None,
    confidence: float | None,
    unchanged_since: datetime | None = None,
) -> HypothesisAnswer:
    """Write an open hypothesis anew; None stays as it is.

    Raises:
        BigMindError: `not_found`; `conflict`, when it was resolved, or changed after `unchanged_since`;
            `invalid_input`, when nothing would change.
    """
    hypothesis = _open_one(work, reference)
    refuse_changed(unchanged_since, hypothesis.updated_at, hypothesis.text)
    before = texts_of(work, hypothesis)
    wanted = (
        hypothesis.text if text is None else text,
        hypothesis.confidence if confidence is None else confidence,
    )
    if wanted == (hypothesis.text, hypothesis.confidence):
        raise BigMindError(
            Code.INVALID_INPUT, "Nothing would change.", "Give a text or a confidence that is another than now."
        )
    hypothesis.text, hypothesis.confidence = wanted
    return _rewritten(work, hypothesis, before)


def reopen_hypothesis(work: Work, reference: str) -> HypothesisAnswer:
    """Take back how a hypothesis turned out, with what was said to have shown it; an open one stays as it is.

    Raises:
        BigMindError: `not_found`.
    """
    hypothesis = _find(work, reference)
    if hypothesis.status == "open":
        return HypothesisAnswer(hypothesis=_row(hypothesis), note="It was open; nothing was changed.")
    before = texts_of(work, hypothesis)
    hypothesis.status = "open"
    hypothesis.resolution = ""
    hypothesis.resolved_at = None
    return _rewritten(work, hypothesis, before)


def _find(work: Work, reference: str) -> Hypothesis:
    return find_by_uid(work, Hypothesis, reference, "hypothesis", "memory_list_hypotheses shows their ids.", "id")


def _open_one(work: Work, reference: str) -> Hypothesis:
    hypothesis = _find(work, reference)
    if hypothesis.status != "open":
        raise BigMindError(
            Code.CONFLICT,
            f"Hypothesis {hypothesis.uid} was {hypothesis.status} before: {plain(hypothesis.resolution)}",
            "Add a new hypothesis if you believe otherwise now.",
        )
    return hypothesis


def _rewritten(work: Work, hypothesis: Hypothesis, before: Sequence[str]) -> HypothesisAnswer:
    """Store a hypothesis whose words were `before`, with what is derived of those it has now."""
    hypothesis.updated_at = work.now
    save(work, hypothesis, Action.UPDATED, before)
    return HypothesisAnswer(hypothesis=_row(hypothesis))


def list_hypotheses(work: Work, status: Status | None, limit: int) -> HypothesisList:
    """The caller's hypotheses of a status, or all; newest first."""
    conditions: list[Any] = [Hypothesis.user_id == work.caller.user_id]
    if status is not None:
        conditions.append(Hypothesis.status == status)
    total = work.session.exec(select(func.count()).select_from(Hypothesis).where(*conditions)).one()
    newest = (col(Hypothesis.created_at).desc(), col(Hypothesis.id).desc())
    rows = work.session.exec(select(Hypothesis).where(*conditions).order_by(*newest).limit(limit)).all()
    unmatched = _unmatched(work, status) if status is not None and not total else ""
    return HypothesisList(hypotheses=[_row(row) for row in rows], total=total, unmatched=unmatched)


def _unmatched(work: Work, status: Status) -> str:
    """What is said where no hypothesis has a status, though there are some: how many of each other one."""
    number = func.count()
    named = select(Hypothesis.status, number).where(Hypothesis.user_id == work.caller.user_id)
    numbers = work.session.exec(named.group_by(Hypothesis.status).order_by(number.desc(), Hypothesis.status)).all()
    return f"No hypothesis is {status}. {there_are(dict(numbers))}" if numbers else ""


def _row(row: Hypothesis) -> HypothesisRow:
    return HypothesisRow(
        hypothesis_id=row.uid,
        hypothesis=row.text,
        confidence=row.confidence,
        status=row.status,  # pyright: ignore[reportArgumentType] - the column holds nothing else
        resolution=row.resolution,
        project=row.project,
        client=row.client,
        created_at=row.created_at,
        resolved_at=row.resolved_at,
        caution=pending(row),
    )
