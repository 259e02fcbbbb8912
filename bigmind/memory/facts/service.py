"""Use cases of facts and of the profile they stand beside."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import case, func
from sqlmodel import col, select

from bigmind.caution.detect import cautions, pending
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.kinds import save, save_new, texts_of
from bigmind.memory.edit_conflict import refuse_changed
from bigmind.memory.facts.answers import DeprecatedFact, FactList, StoredFact
from bigmind.memory.facts.disputes import give_back
from bigmind.memory.facts.duplicates import closest, known_already, relate
from bigmind.memory.facts.history import FactAction, record, undisputed
from bigmind.memory.facts.newer import newer_of
from bigmind.memory.facts.presentation import fact_row, fact_rows
from bigmind.memory.facts.unpinning import keep_preferences, still_said, unpin
from bigmind.memory.lookup import find_by_uid
from bigmind.memory.profile.answers import ProfileAnswer
from bigmind.memory.profile.withheld import told_part
from bigmind.memory.projects.names import PERSONAL
from bigmind.memory.sessions.choice import SessionInUse, source_session
from bigmind.memory.sessions.makeshift_record import leave_out
from bigmind.memory.tables import Fact, Profile
from bigmind.operations.inputs import EVERY_PROJECT
from bigmind.store.prepared_statements import new_row
from bigmind.store.work import Work
from bigmind.text.phrasing import noted, part, plain, there_are, warning

WHERE_IDS_ARE = "memory_list_facts shows their ids."


def store_fact(work: Work, category: str, text: str, confidence: float, project: str | None) -> StoredFact:
    """Store a fact that comes from the current session, and find what it repeats or contradicts.

    The very same fact is stored once: it confirms the first.
    """
    session = source_session(work)
    given, project = project, _owner(work, category, project, session)
    near = closest(work, text, project)
    if (known := known_already(work, category, text, project, near)) is not None:
        return _confirm(work, known, confidence)
    fact = new_row(
        Fact,
        uid=new_id(),
        user_id=work.caller.user_id,
        session_id=session.id if session else None,
        project=project,
        client=work.caller.client,
        category=category,
        text=text,
        confidence=confidence,
        created_at=work.now,
        updated_at=work.now,
    )
    save_new(work, fact, Action.CREATED)
    record(work, fact, FactAction.STORED)
    row = fact_row(fact, session.uid if session else None)
    return StoredFact(fact=row, related=relate(work, fact, near), note=set_aside(category, given))


def _owner(work: Work, category: str, project: str | None, session: SessionInUse | None) -> str | None:
    """The project that a fact belongs to; None: to the person, whatever the project."""
    if category in PERSONAL or project == EVERY_PROJECT:
        return None
    return project or (session.project if session else None) or work.caller.project


def set_aside(category: str, project: str | None) -> str:
    """What to say when a project was given for what belongs to the person."""
    if category not in PERSONAL or project in {None, "", EVERY_PROJECT}:
        return ""
    return (
        f"It belongs to the user in every project: {plain(project or '')} was set aside. "
        "What holds in one project only is a constraint or codebase fact."
    )


def _confirm(work: Work, fact: Fact, confidence: float) -> StoredFact:
    """Say that a fact holds: it is as sure as the surer of the two, and has again what contradictions took."""
    before = fact.confidence
    sure = undisputed(work, fact)
    fact.confidence = max(sure, confidence)
    fact.updated_at = work.now
    work.session.add(fact)
    record(work, fact, FactAction.CONFIRMED)
    work.changed(Kind.FACT, fact.uid, Action.UPDATED)
    return StoredFact(fact=fact_rows(work, [fact])[0], outcome="confirmed", given_back=sure > before)


def deprecate_fact(work: Work, reference: str, reason: str, replaced_by: str | None = None) -> DeprecatedFact:
    """Say that a fact no longer holds, and which one holds in its place; it stays stored, and out of every recall.

    What it took from facts that it contradicted is given back; where another holds in its place, to that one alone.

    Raises:
        BigMindError: `not_found`; `conflict`, when it was deprecated before, or its successor does not hold either;
            `invalid_input`, when it would replace itself.
    """
    fact = find_by_uid(work, Fact, reference, "fact", WHERE_IDS_ARE)
    successor = find_by_uid(work, Fact, replaced_by, "fact", WHERE_IDS_ARE, "replaced_by") if replaced_by else None
    refuse_deprecated(fact)
    if successor is not None:
        if successor.id == fact.id:
            raise invalid("replaced_by", replaced_by, "another fact than the one that is replaced")
        refuse_deprecated(successor)
    before = texts_of(work, fact)
    fact.deprecated_at = fact.updated_at = work.now
    fact.deprecation_reason = reason
    save(work, fact, Action.DEPRECATED, before)
    leave_out(work, fact)
    uid = successor.uid if successor else None
    record(work, fact, FactAction.REPLACED if uid else FactAction.DEPRECATED, reason=reason, other_uid=uid)
    surer = give_back(work, fact.uid, only=uid)
    return DeprecatedFact(fact_id=fact.uid, fact=fact.text, reason=reason, replaced_by=uid, given_back=surer)


def refuse_deprecated(fact: Fact) -> None:
    """Raise `conflict`, saying why it no longer holds, when a fact was deprecated."""
    reason = fact.deprecation_reason
    if fact.deprecated_at is not None:
        raise BigMindError(
            Code.CONFLICT,
            f"Fact {fact.uid} was deprecated before: {warning(cautions(reason))}{plain(reason)}",
            "Nothing was changed; memory_get_fact_history tells what became of it.",
        )


def list_facts(
    work: Work, category: str | None, project: str | None, limit: int, *, first: str | None = None
) -> FactList:
    """The caller's active facts: of the project `first` before others, then the surest, then the newest."""
    conditions = _active(work)
    if category is not None:
        conditions.append(Fact.category == category)
    if project is not None:
        conditions.append(col(Fact.project).is_(None) if project == EVERY_PROJECT else Fact.project == project)
    total = _number(work, *conditions)
    order: list[Any] = [col(Fact.confidence).desc(), col(Fact.updated_at).desc(), col(Fact.id).desc()]
    if first is not None:
        order.insert(0, case((col(Fact.project) == first, 0), else_=1))
    rows = work.session.exec(select(Fact).where(*conditions).order_by(*order).limit(limit)).all()
    unmatched = "" if total else _unmatched(work, category, project)
    newer = newer_of(work, rows)
    told = [each.model_copy(update={"newer_id": newer.get(each.fact_id, "")}) for each in fact_rows(work, rows)]
    return FactList(facts=told, total=total, unmatched=unmatched)


def _active(work: Work) -> list[Any]:
    return [Fact.user_id == work.caller.user_id, col(Fact.deprecated_at).is_(None)]


def _unmatched(work: Work, category: str | None, project: str | None) -> str:
    """What is said where a filter finds no fact, though there are some: where they are, or which categories there are.

    A category that instructs its reader is not named.
    """
    of_category = [] if category is None else [Fact.category == category]
    if project is not None and (elsewhere := _number(work, *of_category)):
        what = "No fact" if category is None else "No fact of this category"
        where = "no project" if project == EVERY_PROJECT else "this project"
        return f"{what} is stored for {where}; elsewhere there {'is' if elsewhere == 1 else 'are'} {elsewhere:,}."
    if category is None or not _number(work):
        return ""
    number, harmless = func.count(), Fact.caution == ""
    named = select(Fact.category, number).where(*_active(work), harmless).group_by(Fact.category)
    numbers = work.session.exec(named.order_by(number.desc(), Fact.category)).all()
    return noted(f"No fact has the category {part(category)!r}.", there_are(dict(numbers)))


def _number(work: Work, *conditions: Any) -> int:
    return work.session.exec(select(func.count()).select_from(Fact).where(*_active(work), *conditions)).one()


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
        caution=pending(profile),
        withheld=[*told_part(profile).withheld],
    )


def update_profile(
    work: Work,
    role: str | None,
    preferences: str | None,
    pinned_facts: Sequence[str] | None,
    unchanged_since: datetime | None = None,
    *,
    is_by_hand: bool = False,
) -> ProfileAnswer:
    """Write what is given; what is None stays.

    The words of what is no longer pinned or preferred stay as deprecated facts, and the answer names them; not where
    somebody edits the profile by hand, with all of it before them.

    Raises:
        BigMindError: `conflict`, when it was changed after `unchanged_since`.
    """
    profile = work.session.get(Profile, work.caller.user_id)
    if profile is None:
        profile = Profile(user_id=work.caller.user_id, updated_at=work.now)
    else:
        refuse_changed(unchanged_since, profile.updated_at, profile.role, profile.preferences, *profile.pinned_facts)
    before, pinned_before, preferred = texts_of(work, profile), profile.pinned_facts, profile.preferences
    if role is not None:
        profile.role = role
    if preferences is not None:
        profile.preferences = preferences
    if pinned_facts is not None:
        profile.pinned_facts = list(pinned_facts)
    profile.updated_at = work.now
    save(work, profile, Action.UPDATED, before)
    if is_by_hand:
        return get_profile(work)
    left_out = {
        "unpinned": unpin(work, pinned_before, profile.pinned_facts),
        "replaced": keep_preferences(work, preferred or "", profile.preferences),
        "still_said": still_said(
            work, [*pinned_before, *(preferred or "").splitlines()], [*profile.pinned_facts, profile.preferences]
        ),
    }
    return get_profile(work).model_copy(update=left_out)
