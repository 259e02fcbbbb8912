"""Use cases of finding again."""

from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.memory.answers import ChunkHit, ChunkHits
from bigmind.memory.lookup import key_of
from bigmind.memory.origins import OriginReader
from bigmind.memory.sessions.service import find_session
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.search.engine import Hit, SearchQuery, SearchResult, find
from bigmind.search.snippets import shown
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
    """The caller's moments that answer best, best first; of about equal ones those of the current project."""
    reader = OriginReader(work)
    found = find(
        work,
        SearchQuery(
            wanted.query,
            wanted.limit,
            project=wanted.project,
            since=wanted.since,
            session_id=key_of(find_session(work, wanted.session_id)) if wanted.session_id else None,
            preferred=reader.project,
        ),
        ["chunk"],
    )
    query = (
        select(Chunk, MemorySession)
        .join(MemorySession, col(Chunk.session_id) == col(MemorySession.id))
        .where(col(Chunk.id).in_([hit.key for hit in found.hits]))
    )
    rows = {key_of(chunk): (chunk, session) for chunk, session in work.session.exec(query)}
    hits = [_hit(reader, *rows[hit.key], found, hit) for hit in found.hits]
    return ChunkHits(query=wanted.query[:200], hits=hits, answers_well=found.answers_well, words_only=found.words_only)


def _hit(reader: OriginReader, chunk: Chunk, session: MemorySession, found: SearchResult, hit: Hit) -> ChunkHit:
    told = shown(found, hit, reader.kinds[hit.kind], chunk)
    return ChunkHit(
        chunk_id=chunk.uid,
        session_id=session.uid,
        session=session.one_liner,
        session_caution=pending(session),
        project=chunk.project,
        client=chunk.client,
        origin=reader.origin(chunk),
        role=chunk.role,
        flag_reason=chunk.flag_reason,
        created_at=chunk.created_at,
        excerpt=told.text,
        length=len(chunk.content),
        score=hit.score,
        similarity=hit.similarity,
        why=told.why,
        caution=pending(chunk),
    )
