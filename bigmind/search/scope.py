"""What may be found by whom: each kind's full-text index, and what must hold of a row."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bigmind.embedding.vector_index import EVERYBODY, VectorFilter
from bigmind.store.sqlite.fulltext import FACTS, HYPOTHESES, KNOWLEDGE, MOMENTS, SESSIONS, FullTextIndex, RowCondition
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. `None` does not restrict; `preferred` is a project that goes before others, a little."""

    query: str
    limit: int
    project: str | None = None
    since: datetime | None = None
    session_id: int | None = None
    preferred: str | None = None


@dataclass(frozen=True, slots=True)
class SearchableKind:
    """How one kind is looked for: its index, what must hold of a row, and the columns of its time and its words."""

    index: FullTextIndex
    conditions: Callable[[Work], list[RowCondition]]
    text: str
    time: str = "created_at"
    is_everybodys: bool = False


def _own(work: Work) -> list[RowCondition]:
    return [RowCondition("user_id", work.caller.user_id)]


def _active(work: Work) -> list[RowCondition]:
    return [*_own(work), RowCondition("deprecated_at", None, "IS")]


def _approved(work: Work) -> list[RowCondition]:
    del work
    return [RowCondition("status", "approved")]


FINDABLE: dict[str, SearchableKind] = {
    "chunk": SearchableKind(MOMENTS, _own, "content"),
    "session": SearchableKind(SESSIONS, _own, "told", time="started_at"),
    "fact": SearchableKind(FACTS, _active, "text"),
    "hypothesis": SearchableKind(HYPOTHESES, _own, "text"),
    "knowledge": SearchableKind(KNOWLEDGE, _approved, "content", is_everybodys=True),
}


def conditions(work: Work, wanted: SearchQuery, kind: str) -> list[RowCondition]:
    """What must hold of a row of that kind for the caller to find it."""
    found = FINDABLE[kind].conditions(work)
    if wanted.project is not None:
        found.append(RowCondition("project", wanted.project))
    if wanted.since is not None:
        found.append(RowCondition(FINDABLE[kind].time, wanted.since, ">="))
    if wanted.session_id is not None and kind == "chunk":
        found.append(RowCondition("session_id", wanted.session_id))
    return found


def among(work: Work, wanted: SearchQuery, kind: str) -> VectorFilter:
    """The same for the index of vectors, which knows nothing of sessions."""
    owner = EVERYBODY if FINDABLE[kind].is_everybodys else work.caller.user_id
    return VectorFilter(kind, owner, wanted.project, wanted.since)
