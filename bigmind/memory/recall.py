"""Use cases of finding again, and of counting what there is."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import func
from sqlmodel import SQLModel, col, select

from bigmind.memory.answers import ChunkHit, ChunkHits, Stats
from bigmind.memory.facts import get_profile
from bigmind.memory.lookup import key_of
from bigmind.memory.sessions import find_session
from bigmind.memory.tables import Chunk, Fact, Hypothesis, MemorySession
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
    """The caller's moments that match by words, best first."""
    only = ChunkFilter(
        user_id=work.caller.user_id,
        session_id=key_of(find_session(work, wanted.session_id)) if wanted.session_id else None,
        project=wanted.project,
        since=wanted.since,
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
        project=chunk.project,
        client=chunk.client,
        role=chunk.role,
        flag_reason=chunk.flag_reason,
        created_at=chunk.created_at,
        excerpt=excerpt(chunk.content, terms),
        length=len(chunk.content),
        score=round(score, 4),
    )


def stats(work: Work, bytes_on_disk: int) -> Stats:
    """How much the caller's memory holds, by tier."""
    mine = work.caller.user_id

    def count(table: type[SQLModel], *conditions: Any) -> int:
        return work.session.exec(select(func.count()).select_from(table).where(*conditions)).one()

    sessions, facts, hypotheses = MemorySession.user_id == mine, Fact.user_id == mine, Hypothesis.user_id == mine
    return Stats(
        bytes_on_disk=bytes_on_disk,
        sessions=count(MemorySession, sessions),
        open_sessions=count(MemorySession, sessions, col(MemorySession.ended_at).is_(None)),
        sessions_with_detail=count(MemorySession, sessions, col(MemorySession.has_detail).is_(True)),
        chunks=count(Chunk, Chunk.user_id == mine),
        facts=count(Fact, facts, col(Fact.deprecated_at).is_(None)),
        deprecated_facts=count(Fact, facts, col(Fact.deprecated_at).is_not(None)),
        hypotheses=count(Hypothesis, hypotheses),
        open_hypotheses=count(Hypothesis, hypotheses, Hypothesis.status == "open"),
        profile=get_profile(work).updated_at is not None,
    )
