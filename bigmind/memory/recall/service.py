"""Use cases of finding again."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, case
from sqlalchemy import select as columns
from sqlmodel import col

from bigmind.caution.detect import pending
from bigmind.memory.answers import ChunkHit, ChunkHits
from bigmind.memory.lookup import key_of
from bigmind.memory.origins import OriginReader
from bigmind.memory.projects.known import unknown_project
from bigmind.memory.search_filters import filters_of
from bigmind.memory.sessions.service import find_session
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.search.engine import Hit, SearchResult
from bigmind.search.scope import SearchQuery
from bigmind.search.snippets import shown
from bigmind.search.spelling.respelling import find_respelled
from bigmind.store.prepared_statements import kept_rows
from bigmind.store.work import Work

TOLD_OF_MOMENTS = (
    columns(
        *(col(each) for each in (Chunk.id, Chunk.uid, Chunk.project, Chunk.client, Chunk.role, Chunk.flag_reason)),
        *(col(each) for each in (Chunk.content, Chunk.created_at, Chunk.caution, Chunk.accepted_at)),
        col(MemorySession.uid).label("session_uid"),
        col(MemorySession.one_liner),
        case((col(MemorySession.accepted_at).is_(None), MemorySession.caution), else_="").label("session_caution"),
    )
    .join(MemorySession, col(Chunk.session_id) == col(MemorySession.id))
    .where(col(Chunk.id).in_(bindparam("keys", expanding=True)))
)
"""What is told of moments that were found (docs/architecture.md, "Hot paths")."""


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
    found, instead = find_respelled(
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
    told = {row.id: row for row in kept_rows(work, TOLD_OF_MOMENTS, keys=[hit.key for hit in found.hits])}
    hits = [_hit(reader, told[hit.key], found, hit) for hit in found.hits]
    if not found.answers_well:  # what instructs its reader is not the first thing read of an answer that is none
        hits.sort(key=lambda each: bool(each.caution or each.session_caution))
    unknown = "" if hits else unknown_project(work, wanted.project)
    filters = filters_of(wanted.project, wanted.since, session_id=wanted.session_id)
    return ChunkHits(
        query=wanted.query[:200],
        hits=hits,
        answers_well=found.answers_well,
        words_only=found.words_only,
        looked_for=instead,
        unknown=unknown,
        filters={} if found.answers_well or unknown else filters,
    )


def _hit(reader: OriginReader, row: Any, found: SearchResult, hit: Hit) -> ChunkHit:
    told = shown(found, hit, reader.kinds[hit.kind], row)
    return ChunkHit(
        chunk_id=row.uid,
        session_id=row.session_uid,
        session=row.one_liner,
        session_caution=row.session_caution,
        project=row.project,
        client=row.client,
        origin=reader.origin(row),
        role=row.role,
        flag_reason=row.flag_reason,
        created_at=row.created_at,
        excerpt=told.text,
        length=len(row.content),
        score=hit.score,
        similarity=hit.similarity,
        why=told.why,
        caution=pending(row),
    )
