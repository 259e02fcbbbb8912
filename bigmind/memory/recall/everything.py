"""The use case of search over everything: hits of every kind in one order, each with its source."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from itertools import chain
from typing import Any

from sqlalchemy import Table, bindparam
from sqlalchemy import select as columns
from sqlmodel import col

from bigmind.caution.detect import pending
from bigmind.core.kind import Kind, LabeledText
from bigmind.memory.facts.newer import newer_of
from bigmind.memory.lookup import key_of
from bigmind.memory.origins import OriginReader
from bigmind.memory.projects.known import unknown_project
from bigmind.memory.recall.answers import Finding, Findings, MomentHit, instructing_last
from bigmind.memory.recall.named_time import WHY, found_then
from bigmind.memory.recall.question_hints import category_asked, time_asked
from bigmind.memory.recall.time_question import time_question
from bigmind.memory.search_filters import filters_of
from bigmind.memory.sessions.texts import told_of_sessions
from bigmind.memory.tables import MemorySession
from bigmind.search.engine import Hit, SearchResult
from bigmind.search.grouping import Group, grouped, of_kind
from bigmind.search.scope import SearchQuery
from bigmind.search.snippets import Snippet, shown
from bigmind.search.spelling.respelling import find_respelled
from bigmind.store.prepared_statements import kept_rows
from bigmind.store.tables import table_of
from bigmind.store.work import Work

CATEGORIZED = frozenset(("fact", "knowledge"))
"""Kinds whose category stands beside a hit, as in their lists."""


@dataclass(frozen=True, slots=True)
class EverythingQuery:
    """What is looked for. `None` does not restrict, nor do no kinds."""

    query: str
    limit: int = 8
    kinds: Sequence[str] = ()
    project: str | None = None
    since: datetime | None = None


def search_everything(work: Work, asked: EverythingQuery) -> Findings:
    """What the caller may find that answers best, of some kinds or of all; a session with its moments is one hit."""
    reader = OriginReader(work)
    wanted = SearchQuery(asked.query, asked.limit, asked.project, asked.since, preferred=reader.project)
    names = [each.name for each in work.kinds.searched]
    kinds = [each for each in names if each in (asked.kinds or names)]
    time = time_question(asked.query, work.now) if asked.since is None else None
    # One more than is shown: whether there is more.
    then = found_then(work, time, asked.project, kinds, asked.limit + 1) if time else None
    found, instead = (then, {}) if then else find_respelled(work, wanted, kinds, every=True, groups=asked.limit)
    groups = grouped(found.hits, asked.limit)
    shelf = _shelf(work, groups)
    answer = _Answer(found, shelf, reader, work.caller.is_person)
    hits = [_told(answer, each) for each in groups]
    if then:
        hits = [each.model_copy(update={"why": WHY}) for each in hits]
        for moment in chain.from_iterable(each.moments for each in hits):
            moment.why = WHY
    if not found.answers_well:
        hits = instructing_last(hits)
    unknown = "" if hits else unknown_project(work, asked.project)
    return Findings(
        query=asked.query[:200],
        hits=hits,
        answers_well=found.answers_well,
        words_only=found.words_only,
        looked_for=instead,
        is_newest_first=then is not None,
        days=time.days if time and then else "",
        has_more=then is not None and sum(each.kind != "chunk" for each in then.hits) > asked.limit,
        unknown=unknown,
        filters={} if found.answers_well or unknown else filters_of(asked.project, asked.since, asked.kinds),
        **_beside(work, asked, hits, answers_well=found.answers_well),
    )


def _beside(work: Work, asked: EverythingQuery, hits: Sequence[Finding], *, answers_well: bool) -> dict[str, Any]:
    """What else finds what was meant: the time that the question names, the category of facts that it is."""
    told: dict[str, Any] = {}
    if asked.since is None:
        days = [at.date() for each in hits for at in (each.at, *(moment.at for moment in each.moments))]
        told["named_time"] = time_asked(asked.query, work.now, days, answers_well=answers_well)
    if not asked.kinds or "fact" in asked.kinds:
        facts = [each.category for each in hits if each.kind == "fact"]
        # Facts have no index by category: they are counted only where none was found.
        if answers_well and facts:
            return told
        told["named_category"], told["of_category"] = category_asked(work, asked.query, facts) or ("", 0)
    return told


@dataclass(frozen=True, slots=True)
class _Shelf:
    """All rows that an answer shows, the caller's sessions that they come from, and what is told of those found.

    `newer` has the ids of facts that a newer one of the answer may contradict, each with that one's; `superseded` those
    of things that others took the place of, in the answer or not.

    They are read past the mapper, as what is told of a found moment is (docs/architecture.md, "Hot paths").
    """

    rows: dict[tuple[str, int], Any]
    sessions: dict[int, Any]
    told: dict[int, list[LabeledText]]
    newer: dict[str, str]
    superseded: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Answer:
    """What one answer is made of."""

    found: SearchResult
    shelf: _Shelf
    reader: OriginReader
    is_for_person: bool


def _shelf(work: Work, groups: Sequence[Group]) -> _Shelf:
    rows = {
        (kind, key_of(row)): row
        for kind in ("chunk", *{each.kind for each in groups})
        if (keys := of_kind(groups, kind))
        for row in _rows(work, kind, keys)
    }
    found = [row for (kind, _), row in rows.items() if kind == "session"]
    mine = {key_of(row) for row in found}
    born = {_born_in(row) for (kind, _), row in rows.items() if kind not in {"session", "chunk"}} - mine
    told = told_of_sessions(work, [rows["session", each.key] for each in groups if each.kind == "session" and each.hit])
    newer = newer_of(work, [row for (kind, _), row in rows.items() if kind == "fact"])
    sessions = {key_of(each): each for each in (*found, *_sessions(work, born))}
    return _Shelf(rows, sessions, told, newer, _superseded(work, rows))


def _superseded(work: Work, rows: Mapping[tuple[str, int], Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name in {kind for kind, _ in rows}:
        replaced = work.kinds[name].superseded
        if replaced is not None:
            found |= replaced(work, [row for (kind, _), row in rows.items() if kind == name])
    return found


def _rows(work: Work, kind: str, keys: Sequence[int]) -> Sequence[Any]:
    return kept_rows(work, _of_keys(table_of(work.kinds[kind].table)), keys=keys)


@cache
def _of_keys(table: Table) -> Any:
    """The rows of a table that have some keys, whole."""
    return columns(*table.columns).where(table.c.id.in_(bindparam("keys", expanding=True)))


_MINE = _of_keys(table_of(MemorySession)).where(col(MemorySession.user_id) == bindparam("user_id"))


def _born_in(row: Any) -> int | None:
    """The session that a thing comes from, of a kind that comes from one."""
    return getattr(row, "session_id", None)


def _sessions(work: Work, keys: Collection[int | None]) -> Sequence[Any]:
    """The caller's sessions of those keys."""
    known = [each for each in keys if each]
    return kept_rows(work, _MINE, keys=known, user_id=work.caller.user_id) if known else ()


def _told(answer: _Answer, group: Group) -> Finding:
    row = answer.shelf.rows[group.kind, group.key]
    kind, is_session = answer.reader.kinds[group.kind], group.kind == "session"
    if kind.told_held and pending(row) and not answer.is_for_person:
        return _held(kind, row, group)
    session = answer.shelf.sessions.get(group.key if is_session else _born_in(row) or 0)
    headline = session.one_liner if session and not pending(session) else ""
    own = Snippet("", "", "its moments", headline)
    if group.hit is not None:
        told = answer.shelf.told.get(group.key, ()) if is_session else ()
        own = shown(answer.found, group.hit, kind, row, told)
    return Finding(
        kind=group.kind,
        id=row.uid,
        title=own.title if headline or not is_session else "",
        excerpt=own.text,
        field=own.field,
        why=own.why,
        score=group.score,
        similarity=group.similarity,
        session_id=session.uid if session else None,
        session=headline,
        project=row.project,
        client=row.client,
        origin=answer.reader.origin(row),
        at=getattr(row, kind.time),
        caution=pending(row),
        category=row.category if group.kind in CATEGORIZED else "",
        status=row.status if group.kind == "hypothesis" and row.status != "open" else "",
        newer_id=answer.shelf.newer.get(row.uid, ""),
        superseded_by=answer.shelf.superseded.get(row.uid, ""),
        moments=[_moment(answer, each, row) for each in group.moments],
        more_moments=group.others,
        whole=_length(kind, row, answer.shelf.told.get(group.key, ()) if is_session else ()),
    )


def _held(kind: Kind, row: Any, group: Group) -> Finding:
    return Finding(
        kind=group.kind,
        id=row.uid,
        category=getattr(row, kind.told_held),
        excerpt="",
        why="",
        score=group.score,
        similarity=group.similarity,
        session_id=None,
        project=None,
        client="",
        at=getattr(row, kind.time),
        caution=pending(row),
    )


def _moment(answer: _Answer, hit: Hit, session: Any) -> MomentHit:
    row = answer.shelf.rows["chunk", hit.key]
    own = shown(answer.found, hit, answer.reader.kinds[hit.kind], row)
    same = (row.project, row.client) == (session.project, session.client)
    return MomentHit(
        id=row.uid,
        excerpt=own.text,
        why=own.why,
        score=hit.score,
        similarity=hit.similarity,
        reason=row.flag_reason,
        origin="" if same else answer.reader.origin(row),
        at=row.created_at,
        caution=pending(row),
        whole=_length(answer.reader.kinds[hit.kind], row),
    )


def _length(kind: Kind, row: Any, told: Sequence[LabeledText] = ()) -> int:
    """Characters of all that is told of a thing, of which an excerpt is shown."""
    shown_texts: list[Any] = [getattr(row, each.column) or "" for each in kind.texts if each.is_shown and each.weight]
    texts: list[Any] = [each.text for each in told] or shown_texts
    return sum(len(text) if isinstance(text, str) else sum(map(len, text)) for text in texts)
