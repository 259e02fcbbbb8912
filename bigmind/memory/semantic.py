"""The use case of search over everything: hits of every kind in one order, each with its source."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bigmind.memory.caution import pending
from bigmind.memory.embedded import KINDS
from bigmind.memory.finding import FINDABLE, Found, Hit, Wanted, find
from bigmind.memory.lookup import key_of
from bigmind.memory.search_answers import Finding, Findings
from bigmind.memory.sessions import current_project
from bigmind.memory.shown import shown
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for. `None` does not restrict, nor do no kinds."""

    query: str
    limit: int = 8
    kinds: Sequence[str] = ()
    project: str | None = None
    since: datetime | None = None


def search_everything(work: Work, asked: Asked) -> Findings:
    """What the caller may find that answers best, of some kinds or of all."""
    wanted = Wanted(asked.query, asked.limit, asked.project, asked.since, preferred=current_project(work))
    found = find(work, wanted, [kind for kind in FINDABLE if kind in (asked.kinds or FINDABLE)])
    rows = {
        (kind, key_of(row)): row
        for kind in {hit.kind for hit in found.hits}
        for row in _rows(work, kind, [hit.key for hit in found.hits if hit.kind == kind])
    }
    sessions = _sessions(work, rows.values())
    hits = [_told(found, hit, rows[hit.kind, hit.key], sessions) for hit in found.hits]
    return Findings(query=asked.query[:200], hits=hits, words_only=found.words_only)


def _rows(work: Work, kind: str, keys: Sequence[int]) -> Sequence[Any]:
    table = KINDS[kind][0]
    return work.session.exec(select(table).where(col(table.id).in_(keys))).all()


def _sessions(work: Work, rows: Iterable[Any]) -> dict[int, MemorySession]:
    """The caller's sessions that the rows come from."""
    keys = {_session_key(row) for row in rows}
    mine = select(MemorySession).where(col(MemorySession.id).in_(keys), MemorySession.user_id == work.caller.user_id)
    return {key_of(each): each for each in work.session.exec(mine)}


def _session_key(row: Any) -> int:
    key: int | None = row.id if isinstance(row, MemorySession) else row.session_id
    return key or 0


def _told(found: Found, hit: Hit, row: Any, sessions: dict[int, MemorySession]) -> Finding:
    session = sessions.get(_session_key(row))
    text, why = shown(found, hit, row)
    return Finding(
        kind=hit.kind,
        id=row.uid,
        excerpt=text,
        why=why,
        score=hit.score,
        session_id=session.uid if session else None,
        session=session.one_liner if session and not pending(session) else "",
        reason=row.flag_reason if isinstance(row, Chunk) else "",
        project=row.project,
        client=row.client,
        at=getattr(row, FINDABLE[hit.kind].time),
        caution=pending(row),
    )
