"""Use cases of the thought journal: hypotheses and how they turned out."""

from typing import Any, Literal

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.memory.answers import HypothesisAnswer, HypothesisList, HypothesisRow
from bigmind.memory.caution import judge, pending
from bigmind.memory.indexed import terms_of
from bigmind.memory.judged import texts_of
from bigmind.memory.lookup import find_by_uid, key_of
from bigmind.memory.sessions import target_session
from bigmind.memory.tables import Hypothesis
from bigmind.memory.wording import plain
from bigmind.store.work import Work

Status = Literal["open", "confirmed", "refuted", "abandoned"]
Resolved = Literal["confirmed", "refuted", "abandoned"]


def add_hypothesis(work: Work, text: str, confidence: float) -> HypothesisAnswer:
    """Note a belief that is still open."""
    session, note = target_session(work, None)
    hypothesis = Hypothesis(
        uid=new_id(),
        user_id=work.caller.user_id,
        session_id=key_of(session),
        project=session.project or work.caller.project,
        client=work.caller.client,
        text=text,
        confidence=confidence,
        status="open",
        created_at=work.now,
        updated_at=work.now,
    )
    judge(hypothesis, texts_of(work, hypothesis))
    hypothesis.terms = terms_of(hypothesis)
    work.session.add(hypothesis)
    work.changed(Kind.HYPOTHESIS, hypothesis.uid, Action.CREATED)
    return HypothesisAnswer(hypothesis=_row(hypothesis), note=note)


def resolve_hypothesis(work: Work, reference: str, status: Resolved, resolution: str) -> HypothesisAnswer:
    """Say how a hypothesis turned out.

    Raises:
        BigMindError: `not_found`; `conflict`, when it was resolved before.
    """
    hypothesis = find_by_uid(work, Hypothesis, reference, "hypothesis", "memory_list_hypotheses shows their ids.", "id")
    if hypothesis.status != "open":
        raise BigMindError(
            Code.CONFLICT,
            f"Hypothesis {hypothesis.uid} was {hypothesis.status} before: {plain(hypothesis.resolution)}",
            "Add a new hypothesis if you believe otherwise now.",
        )
    before = texts_of(work, hypothesis)
    hypothesis.status = status
    hypothesis.resolution = resolution
    hypothesis.terms = terms_of(hypothesis)
    judge(hypothesis, texts_of(work, hypothesis), before)
    hypothesis.resolved_at = hypothesis.updated_at = work.now
    work.session.add(hypothesis)
    work.changed(Kind.HYPOTHESIS, hypothesis.uid, Action.UPDATED)
    return HypothesisAnswer(hypothesis=_row(hypothesis))


def list_hypotheses(work: Work, status: Status | None, limit: int) -> HypothesisList:
    """The caller's hypotheses of a status, or all; newest first."""
    conditions: list[Any] = [Hypothesis.user_id == work.caller.user_id]
    if status is not None:
        conditions.append(Hypothesis.status == status)
    total = work.session.exec(select(func.count()).select_from(Hypothesis).where(*conditions)).one()
    newest = (col(Hypothesis.created_at).desc(), col(Hypothesis.id).desc())
    rows = work.session.exec(select(Hypothesis).where(*conditions).order_by(*newest).limit(limit)).all()
    return HypothesisList(hypotheses=[_row(row) for row in rows], total=total)


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
