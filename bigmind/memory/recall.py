"""Use cases of finding again."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from bigmind.memory.answers import ChunkHit, ChunkHits
from bigmind.memory.caution import pending
from bigmind.memory.lookup import key_of
from bigmind.memory.sessions import current_session, find_session
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.search.words import excerpt, match_expression, query_terms
from bigmind.store.sqlite.fulltext import ChunkFilter, search_chunks
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class ChunkQuery:
    """What is looked for among the moments kept. `None` does not restrict."""

    query: str
    limit: int = 5
    session_id: str | None = None
    project: str | None = None
    since: datetime | None = None


def find_chunks(work: Work, wanted: ChunkQuery) -> ChunkHits:
    """The caller's moments that match by words, best first; of about equal ones those of the current project."""
    session = current_session(work)
    only = ChunkFilter(
        user_id=work.caller.user_id,
        session_id=key_of(find_session(work, wanted.session_id)) if wanted.session_id else None,
        project=wanted.project,
        since=wanted.since,
        preferred=session.project if session and session.project else work.caller.project,
    )
    terms = query_terms(wanted.query)
    scores = dict(search_chunks(work.session, match_expression(terms), only, wanted.limit))
    if not scores:
        return ChunkHits(query=wanted.query[:200], hits=[])
    found = (
        select(Chunk, MemorySession)
        .join(MemorySession, col(Chunk.session_id) == col(MemorySession.id))
        .where(col(Chunk.id).in_(scores))
    )
    rows = {key_of(chunk): (chunk, session) for chunk, session in work.session.exec(found)}
    hits = [_hit(*rows[key], terms, score) for key, score in scores.items()]
    return ChunkHits(query=wanted.query[:200], hits=hits)


def _hit(chunk: Chunk, session: MemorySession, terms: list[str], score: float) -> ChunkHit:
    return ChunkHit(
        chunk_id=chunk.uid,
        session_id=session.uid,
        session=session.one_liner,
        session_caution=pending(session),
        project=chunk.project,
        client=chunk.client,
        role=chunk.role,
        flag_reason=chunk.flag_reason,
        created_at=chunk.created_at,
        excerpt=excerpt(chunk.content, terms),
        length=len(chunk.content),
        score=round(score, 4),
        caution=pending(chunk),
    )
