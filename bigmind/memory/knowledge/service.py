"""Use cases of company knowledge (Tier G): what everybody knows, once it is approved (by whom: `memory/rules.py`)."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import ColumnElement, and_, case, func, or_, true
from sqlmodel import col, select

from bigmind.caution.detect import cautions, cautions_anew, pending
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.core.operation import Mode, Role
from bigmind.core.plain_text import one_line
from bigmind.kinds import flag, texts_of, write
from bigmind.memory.edit_conflict import refuse_changed
from bigmind.memory.knowledge.answers import (
    EntryHit,
    EntryHits,
    EntryList,
    EntryRow,
    PromotedEntry,
    ReviewedEntry,
    SimilarEntry,
)
from bigmind.memory.lookup import LookupSubject, find_among, key_of
from bigmind.memory.rules import (
    EntryState,
    EntryStatus,
    Review,
    Reviewer,
    edited,
    first_status,
    nearly_repeats,
    reviewed,
)
from bigmind.memory.sessions.choice import SessionInUse, source_session
from bigmind.memory.sessions.service import find_session
from bigmind.memory.tables import Knowledge, MemorySession
from bigmind.people.tables import User
from bigmind.search.scope import SearchQuery, index_of
from bigmind.search.snippets import shown
from bigmind.search.spelling.respelling import find_respelled
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.text.phrasing import noted, part, there_are
from bigmind.text.tokens import count_tokens
from bigmind.text.words import query_terms

MOST_SIMILAR = 3
SIMILAR_CONSIDERED = 20
_NAMED = LookupSubject("entry", "memory_list_global shows their ids.", "entry_id")


@dataclass(frozen=True, slots=True)
class Draft:
    """What is promoted to company knowledge."""

    category: str
    title: str
    content: str
    importance: int = 5
    source_session: str | None = None


def promote(work: Work, draft: Draft) -> PromotedEntry:
    """Make something company knowledge: approved at once in personal mode, else pending until a curator approves it.

    Text that instructs its reader is pending in every mode. What is there word for word is not stored twice.

    Raises:
        BigMindError: `conflict`, when the same was deprecated before; what finding the session may raise.
    """
    session = _session_of(work, draft)
    near = alike(work, draft)
    same = next((each for each in near if says_the_same(each, draft)), None)
    if same is None:
        entry, note = _stored(work, draft, session), ""
    elif same.status != "deprecated":
        entry, note = same, "It was there before, word for word; nothing was stored."
    else:
        raise BigMindError(
            Code.CONFLICT,
            f"The same was deprecated before: entry {same.uid}.",
            'If it holds again, call memory_approve_global(entry_id, action="approve", notes).',
        )
    similar = [
        SimilarEntry(entry_id=each.uid, title=each.title, status=_status(each))
        for each in near
        if each is not same and each.status != "deprecated"
    ]
    return PromotedEntry(
        entry=rows_of(work, [entry])[0],
        tokens=count_tokens(entry.content),
        similar=similar[:MOST_SIMILAR],
        note=note,
    )


def _session_of(work: Work, draft: Draft) -> MemorySession | SessionInUse | None:
    """The session it was found out in."""
    return find_session(work, draft.source_session) if draft.source_session else source_session(work)


def _stored(work: Work, draft: Draft, session: MemorySession | SessionInUse | None) -> Knowledge:
    entry = Knowledge(
        uid=new_id(),
        promoted_by_id=work.caller.user_id,
        session_id=key_of(session) if session else None,
        project=session.project if session else work.caller.project,
        client=work.caller.client,
        category=draft.category,
        title=draft.title,
        content=draft.content,
        importance=draft.importance,
        status="pending",
        created_at=work.now,
        updated_at=work.now,
    )
    flag(work, entry)
    entry.status = first_status(work.mode, is_cautioned=bool(entry.caution))
    if entry.status == "approved":
        entry.approved_by_id, entry.reviewed_at = work.caller.user_id, work.now
    write(work, entry, Action.CREATED)
    return entry


def says_the_same(entry: Knowledge, draft: Draft) -> bool:
    """Whether an entry is a draft word for word."""
    return (entry.category, entry.title.casefold(), entry.content) == (
        draft.category,
        draft.title.casefold(),
        draft.content,
    )


def alike(work: Work, draft: Draft) -> list[Knowledge]:
    """Entries that say about the same, the nearest first; none that the caller may not see."""
    index, terms = index_of(work.kinds[Kind.KNOWLEDGE]), query_terms(f"{draft.title} {draft.content}")
    hits = dict(work.backend.full_text.search(work.session, index, terms, (), SIMILAR_CONSIDERED))
    near = or_(col(Knowledge.id).in_(hits), col(Knowledge.title) == draft.title)
    found = work.session.exec(select(Knowledge).where(near, visible(work))).all()
    repeating = [each for each in found if nearly_repeats(draft.title, draft.content, each.title, each.content)]
    return sorted(repeating, key=lambda each: hits.get(key_of(each), 0.0), reverse=True)


def list_entries(work: Work, category: str | None, status: EntryStatus, limit: int) -> EntryList:
    """Entries of a status that the caller may see, the most important first, then the newest."""
    conditions: list[Any] = [Knowledge.status == status, visible(work)]
    if category is not None:
        conditions.append(Knowledge.category == category)
    total = work.session.exec(select(func.count()).select_from(Knowledge).where(*conditions)).one()
    order = (col(Knowledge.importance).desc(), col(Knowledge.updated_at).desc(), col(Knowledge.id).desc())
    found = work.session.exec(select(Knowledge).where(*conditions).order_by(*order).limit(limit)).all()
    unmatched = _unmatched(work, category, status) if category is not None and not total else ""
    return EntryList(entries=rows_of(work, found), total=total, status=status, unmatched=unmatched)


def _unmatched(work: Work, category: str, status: EntryStatus) -> str:
    """What is said where no entry has a category, though there are some of the status: which categories there are."""
    seen, number = (Knowledge.status == status, visible(work)), func.count()
    named = select(Knowledge.category, number).where(*seen, Knowledge.caution == "").group_by(Knowledge.category)
    numbers = work.session.exec(named.order_by(number.desc(), Knowledge.category)).all()
    nothing = f"No {status} entry of company knowledge has the category {part(category)!r}."
    return noted(nothing, there_are(dict(numbers))) if numbers else ""


def search_entries(work: Work, query: str, limit: int) -> EntryHits:
    """Approved entries that answer best, best first; of about equal ones those of the caller's project."""
    wanted = SearchQuery(query, limit, preferred=work.caller.project)
    found, instead = find_respelled(work, wanted, ["knowledge"])
    keys = [hit.key for hit in found.hits]
    entries = {key_of(each): each for each in work.session.exec(select(Knowledge).where(col(Knowledge.id).in_(keys)))}
    rows = {row.entry_id: row for row in rows_of(work, list(entries.values()))}
    hits = [
        EntryHit(
            entry=rows[entries[hit.key].uid],
            excerpt=told.text,
            field=told.field,
            why=told.why,
            score=hit.score,
            similarity=hit.similarity,
        )
        for hit in found.hits
        for told in (shown(found, hit, work.kinds[hit.kind], entries[hit.key]),)
    ]
    return EntryHits(
        query=query[:200],
        hits=hits,
        answers_well=found.answers_well,
        words_only=found.words_only,
        looked_for=instead,
    )


def review(work: Work, reference: str, action: Review, notes: str | None) -> ReviewedEntry:
    """Approve or deprecate an entry; deprecating a pending one rejects it.

    Raises:
        BigMindError: `forbidden`, `not_found`, `ambiguous`, `conflict`, `invalid_input`.
    """
    entry = _find(work, reference)
    entry.status = reviewed(weighed_of(entry), _hand(work, entry), action, has_notes=bool(notes))
    if action == "approve":
        entry.approved_by_id = work.caller.user_id
        # Text that instructs its reader comes this far with a person only, or when one accepted it before.
        entry.accepted_at = (entry.accepted_at or work.now) if entry.caution else None
    entry.reviewed_at = work.now
    return _saved(work, entry, notes, Action.APPROVED if action == "approve" else Action.DEPRECATED)


@dataclass(frozen=True, slots=True)
class Edit:
    """What of an entry is written anew; None stays as it is."""

    title: str | None = None
    content: str | None = None
    category: str | None = None
    importance: int | None = None


def edit(
    work: Work, reference: str, wanted: Edit, notes: str | None, unchanged_since: datetime | None = None
) -> ReviewedEntry:
    """Write an entry anew. In a team its new words must be approved again, by somebody else.

    Raises:
        BigMindError: `forbidden`, `not_found`, `ambiguous`; `conflict`, also when it was changed after
            `unchanged_since`; `invalid_input`, when nothing would change.
    """
    entry = _find(work, reference)
    refuse_changed(unchanged_since, entry.updated_at, entry.title, entry.content)
    changes = {name: value for name, value in asdict(wanted).items() if value not in (None, getattr(entry, name))}
    if not changes and not notes:
        raise BigMindError(
            Code.INVALID_INPUT,
            "Nothing would change.",
            "Give a title, content, category or importance that is another than now, or notes.",
        )
    weighed, hand = weighed_of(entry), _hand(work, entry)
    edited(weighed, hand, is_cautioned=False, has_new_words=bool(changes))  # refused before anything is changed
    if changes:
        before = texts_of(work, entry)
        for name, value in changes.items():
            setattr(entry, name, value)
        flag(work, entry, before)
        status = entry.status = edited(weighed, hand, is_cautioned=bool(pending(entry)), has_new_words=True)
        entry.approved_by_id = work.caller.user_id if status == "approved" else None
        entry.reviewed_at = work.now if status == "approved" else None
    return _saved(work, entry, notes, Action.UPDATED if changes else Action.NOTED)


def accepted_by_person(work: Work, entry: Knowledge) -> None:
    """A person accepted the text of an entry: it is then what it would have been without its caution."""
    entry.accepted_at = work.now
    if entry.status == "pending":
        entry.status = first_status(work.mode, is_cautioned=False)
    if entry.status == "approved" and entry.approved_by_id is None:
        entry.approved_by_id, entry.reviewed_at = work.caller.user_id, work.now
    work.session.add(entry)


def _saved(work: Work, entry: Knowledge, notes: str | None, action: Action) -> ReviewedEntry:
    """Store what was done to an entry, with a line that says when, by whom, and why."""
    is_in_person = work.caller.presence.is_in_person
    if notes and not is_in_person and (found := cautions(notes)):
        raise BigMindError(
            Code.FORBIDDEN, f"The notes instruct their reader ({found}).", "Say what you found, and no more."
        )
    line = f"{work.now:%Y-%m-%d} {work.caller.username} {action}{f': {one_line(notes)}' if notes else ''}"
    was_waiting = bool(pending(entry))
    entry.review_notes = f"{entry.review_notes}\n{line}".strip()
    entry.caution = cautions_anew(entry.caution, texts_of(work, entry))
    if entry.caution and not was_waiting and is_in_person:  # who writes such notes in person, accepts them
        entry.accepted_at = entry.accepted_at or work.now
    entry.updated_at = work.now
    write(work, entry, action)
    return ReviewedEntry(entry=rows_of(work, [entry])[0])


def _find(work: Work, reference: str) -> Knowledge:
    return find_among(work, Knowledge, select(Knowledge).where(visible(work)), reference, _NAMED)


def visible(work: Work) -> ColumnElement[bool]:
    """What there is for the caller: what is approved, what they promoted themselves, and everything for a curator."""
    if work.caller.role.includes(Role.CURATOR):
        return true()
    return or_(col(Knowledge.status) == "approved", col(Knowledge.promoted_by_id) == work.caller.user_id)


def weighed_of(entry: Knowledge) -> EntryState:
    """What of an entry decides about it."""
    return EntryState(_status(entry), is_cautioned=bool(entry.caution) and entry.accepted_at is None)


def _status(entry: Knowledge) -> EntryStatus:
    return cast("EntryStatus", entry.status)


def _hand(work: Work, entry: Knowledge) -> Reviewer:
    return hands_on(work, [entry])[entry.uid]


def hands_on(work: Work, entries: Sequence[Knowledge]) -> dict[str, Reviewer]:
    """What the caller is to each of the entries, by the entries' ids."""
    caller = work.caller
    # Asked only where it decides something: the audit log of a year is long.
    is_asked = work.mode is Mode.TEAM and caller.role.includes(Role.CURATOR)
    others = [each.uid for each in entries if each.promoted_by_id != caller.user_id]
    wrote = _written_since_approval(work, others) if is_asked and others else set[str]()
    is_only = is_asked and (len(others) < len(entries) or bool(wrote)) and _is_only_curator(work)
    in_person = caller.presence.is_in_person
    return {
        each.uid: Reviewer(
            work.mode, caller.role, is_promoter, is_promoter or each.uid in wrote, in_person, is_only_curator=is_only
        )
        for each in entries
        for is_promoter in (each.promoted_by_id == caller.user_id,)
    }


def _is_only_curator(work: Work) -> bool:
    """Whether nobody but the caller may review company knowledge."""
    may_review = col(User.role).in_((Role.CURATOR, Role.ADMIN)), col(User.disabled_at).is_(None)
    curators = select(User.id).where(User.id != work.caller.user_id, *may_review)
    return work.session.exec(curators.limit(1)).first() is None


def _written_since_approval(work: Work, uids: Sequence[str]) -> set[str]:
    """The entries of which the caller wrote something since they were approved last; the audit log knows."""
    approved = col(ChangeRow.action) == Action.APPROVED
    wrote = col(ChangeRow.action).in_((Action.CREATED, Action.UPDATED, Action.IMPORTED))
    mine = and_(wrote, col(ChangeRow.user_id) == work.caller.user_id)
    number: Any = ChangeRow.id
    written, since = (func.max(case((each, number), else_=0)) for each in (mine, approved))
    # One look through the log for both: it has no index of its entities.
    entries = (ChangeRow.kind == Kind.KNOWLEDGE, col(ChangeRow.entity).in_(uids), or_(mine, approved))
    found = select(ChangeRow.entity).where(*entries).group_by(ChangeRow.entity).having(written > since)
    return set(work.session.exec(found).all())


def rows_of(work: Work, entries: Sequence[Knowledge]) -> list[EntryRow]:
    """Entries as they leave the store, with the names of people; the session is told to who promoted it only."""
    people = {key for each in entries for key in (each.promoted_by_id, each.approved_by_id)}
    names: dict[int | None, str] = dict(
        work.session.exec(select(User.id, User.username).where(col(User.id).in_(people))).all()
    )
    mine = {each.session_id for each in entries if each.promoted_by_id == work.caller.user_id}
    born = select(MemorySession.id, MemorySession.uid).where(col(MemorySession.id).in_(mine))
    sessions: dict[int | None, str] = dict(
        work.session.exec(born.where(MemorySession.user_id == work.caller.user_id)).all()
    )
    return [
        EntryRow(
            entry_id=each.uid,
            category=each.category,
            title=each.title,
            content=each.content,
            importance=each.importance,
            status=_status(each),
            promoted_by=names.get(each.promoted_by_id),
            approved_by=names.get(each.approved_by_id),
            project=each.project,
            client=each.client,
            session_id=sessions.get(each.session_id),
            created_at=each.created_at,
            updated_at=each.updated_at,
            reviewed_at=each.reviewed_at,
            review_notes=each.review_notes.splitlines(),
            caution=pending(each),
        )
        for each in entries
    ]
