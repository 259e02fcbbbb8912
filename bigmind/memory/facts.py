"""Use cases of facts and of the profile they stand beside."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import case, func
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.memory.answers import DeprecatedFact, FactList, FactRow, ProfileAnswer, StoredFact
from bigmind.memory.lookup import find_by_uid, key_of
from bigmind.memory.sessions import target_session
from bigmind.memory.tables import Fact, MemorySession, Profile
from bigmind.store.work import Work


def store_fact(work: Work, category: str, text: str, confidence: float, project: str | None) -> StoredFact:
    """Store a fact in the current session."""
    session, note = target_session(work, None)
    fact = Fact(
        uid=new_id(),
        user_id=work.caller.user_id,
        session_id=key_of(session),
        project=project or session.project,
        client=work.caller.client,
        category=category,
        text=text,
        confidence=confidence,
        created_at=work.now,
        updated_at=work.now,
    )
    work.session.add(fact)
    work.changed(Kind.FACT, fact.uid, Action.CREATED)
    return StoredFact(fact=_row(fact, session.uid), note=note)


def deprecate_fact(work: Work, reference: str, reason: str) -> DeprecatedFact:
    """Say that a fact no longer holds; it stays in the store, and out of every recall.

    Raises:
        BigMindError: `not_found`; `conflict`, when it was deprecated before.
    """
    fact = find_by_uid(work, Fact, reference, "fact", "memory_list_facts shows their ids.")
    if fact.deprecated_at is not None:
        raise BigMindError(
            Code.CONFLICT, f"Fact {fact.uid} was deprecated before: {fact.deprecation_reason}", "Nothing was changed."
        )
    fact.deprecated_at = fact.updated_at = work.now
    fact.deprecation_reason = reason
    work.session.add(fact)
    work.changed(Kind.FACT, fact.uid, Action.DEPRECATED)
    return DeprecatedFact(fact_id=fact.uid, fact=fact.text, reason=reason)


def list_facts(
    work: Work, category: str | None, project: str | None, limit: int, *, first: str | None = None
) -> FactList:
    """The caller's active facts: of the project `first` before others, then the surest, then the newest."""
    conditions: list[Any] = [Fact.user_id == work.caller.user_id, col(Fact.deprecated_at).is_(None)]
    if category is not None:
        conditions.append(Fact.category == category)
    if project is not None:
        conditions.append(Fact.project == project)
    total = work.session.exec(select(func.count()).select_from(Fact).where(*conditions)).one()
    order: list[Any] = [col(Fact.confidence).desc(), col(Fact.updated_at).desc(), col(Fact.id).desc()]
    if first is not None:
        order.insert(0, case((col(Fact.project) == first, 0), else_=1))
    rows = work.session.exec(select(Fact).where(*conditions).order_by(*order).limit(limit)).all()
    return FactList(facts=_rows(work, rows), total=total)


def _rows(work: Work, facts: Sequence[Fact]) -> list[FactRow]:
    keys = {fact.session_id for fact in facts if fact.session_id is not None}
    born = select(MemorySession.id, MemorySession.uid).where(col(MemorySession.id).in_(keys))
    uids: dict[int | None, str] = dict(work.session.exec(born).all())
    return [_row(fact, uids.get(fact.session_id)) for fact in facts]


def _row(fact: Fact, session_uid: str | None) -> FactRow:
    return FactRow(
        fact_id=fact.uid,
        category=fact.category,
        fact=fact.text,
        confidence=fact.confidence,
        project=fact.project,
        client=fact.client,
        created_at=fact.created_at,
        updated_at=fact.updated_at,
        session_id=session_uid,
    )


def get_profile(work: Work) -> ProfileAnswer:
    """The caller's profile; empty when nothing was ever written."""
    profile = work.session.get(Profile, work.caller.user_id)
    if profile is None:
        return ProfileAnswer(role="", preferences="", pinned_facts=[], updated_at=None)
    return ProfileAnswer(
        role=profile.role,
        preferences=profile.preferences,
        pinned_facts=profile.pinned_facts,
        updated_at=profile.updated_at,
    )


def update_profile(
    work: Work, role: str | None, preferences: str | None, pinned_facts: Sequence[str] | None
) -> ProfileAnswer:
    """Write what is given; what is None stays."""
    profile = work.session.get(Profile, work.caller.user_id)
    if profile is None:
        profile = Profile(user_id=work.caller.user_id, updated_at=work.now)
    if role is not None:
        profile.role = role
    if preferences is not None:
        profile.preferences = preferences
    if pinned_facts is not None:
        profile.pinned_facts = list(pinned_facts)
    profile.updated_at = work.now
    work.session.add(profile)
    work.changed(Kind.PROFILE, "profile", Action.UPDATED)
    work.session.flush()
    return get_profile(work)
