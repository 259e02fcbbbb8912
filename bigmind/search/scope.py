"""What may be found by whom: each kind's full-text index, and what must hold of a row."""

from dataclasses import dataclass
from datetime import datetime
from functools import cache

from bigmind.core.kind import Kind
from bigmind.embedding.meaning import QuestionEmbedding
from bigmind.embedding.vector_index import EVERYBODY, VectorFilter
from bigmind.store.descriptions import FullTextIndex, Predicate, RowCondition
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. `None` does not restrict; `preferred` is a project that goes before others, a little.

    `narrowed` is what must hold besides of everything that is found. `meant` is the question where it is being embedded
    already.
    """

    query: str
    limit: int
    project: str | None = None
    since: datetime | None = None
    session_id: int | None = None
    preferred: str | None = None
    narrowed: tuple[Predicate, ...] = ()
    meant: QuestionEmbedding | None = None


TERMS_WEIGHT = 0.5
"""What a word counts that stands in the derived terms only."""


@cache
def index_of(kind: Kind) -> FullTextIndex:
    """The full-text index of a kind."""
    weights = (*(each.weight for each in kind.texts if each.weight), TERMS_WEIGHT)
    return FullTextIndex(kind.name, kind.searched, weights, kind.owner_index)


def conditions(work: Work, wanted: SearchQuery, name: str) -> list[Predicate]:
    """What must hold of a row of that kind for the caller to find it."""
    kind = work.kinds[name]
    mine = RowCondition(kind.owner, work.caller.user_id, other=kind.shared_when)
    found: list[Predicate] = [] if kind.is_everybodys else [mine]
    found += [RowCondition(each.column, each.value, each.operator) for each in kind.found_when]
    if wanted.project is not None:
        found.append(RowCondition("project", wanted.project))
    if wanted.since is not None:
        found.append(RowCondition(kind.time, wanted.since, ">="))
    if wanted.session_id is not None and name == "chunk":
        found.append(RowCondition("session_id", wanted.session_id))
    return [*found, *wanted.narrowed]


def among(work: Work, wanted: SearchQuery, name: str) -> VectorFilter:
    """The same for the index of vectors, which knows nothing of sessions, nor of what is narrowed."""
    kind = work.kinds[name]
    owner = EVERYBODY if kind.is_everybodys else work.caller.user_id
    return VectorFilter(name, owner, wanted.project, wanted.since, and_everybodys=kind.shared_when is not None)
