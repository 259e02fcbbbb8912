"""What may be found by whom: where is searched, each kind's full-text index, and what must hold of a row.

No mapper is loaded for it, nor for anything else that `engine.find` uses: the process that embeds searches, too.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import TYPE_CHECKING, Protocol, TypeVar

from bigmind.core.kind import Kind, Where
from bigmind.core.past_mapper import Snapshot
from bigmind.embedding.meaning import QuestionEmbedding
from bigmind.embedding.vector_index import EVERYBODY, VectorFilter, VectorIndex
from bigmind.store.descriptions import FullTextIndex, Predicate, RowCondition

if TYPE_CHECKING:
    from concurrent.futures import Future

    from bigmind.store.backend import RowLookup, TextSearch

Result = TypeVar("Result")


class ParallelLook(Protocol):
    """Runs a look at the store on another thread."""

    def __call__(self, look: Callable[[Snapshot], Result], /) -> "Future[Result]":
        """What the look answers, to come."""
        ...


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """What is looked for. `None` does not restrict; `preferred` is a project that goes before others, a little.

    `narrowed` is what must hold besides of everything that is found.
    """

    query: str
    limit: int
    project: str | None = None
    since: datetime | None = None
    session_id: int | None = None
    preferred: str | None = None
    narrowed: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class SearchableKind:
    """What a search has to know of a kind; see `Kind`."""

    index: FullTextIndex
    owner: str
    time: str
    begins: str
    is_everybodys: bool
    shared_when: Where | None
    found_when: tuple[Where, ...]


@dataclass(frozen=True, slots=True)
class SearchSource:
    """Where is searched, and for whom.

    Attributes:
        snapshot: the open transaction.
        text: finds its rows by their words.
        rows: reads columns of those that were found.
        vectors: finds them by their vectors, where that can be.
        kinds: what can be found, by name.
        user_id: of who asks.
        now: when.
        model: whose vectors are compared; empty for none.
        question: begins to embed a question.
        aside: runs a look beside this one, in a snapshot of its own; None where one snapshot is all.
    """

    snapshot: Snapshot
    text: "TextSearch"
    rows: "RowLookup"
    vectors: VectorIndex | None
    kinds: Mapping[str, SearchableKind]
    user_id: int
    now: datetime
    model: str
    question: Callable[[str], QuestionEmbedding]
    aside: ParallelLook | None = None


TERMS_WEIGHT = 0.5
"""What a word counts that stands in the derived terms only."""


@cache
def index_of(kind: Kind) -> FullTextIndex:
    """The full-text index of a kind."""
    weights = (*(each.weight for each in kind.texts if each.weight), TERMS_WEIGHT)
    return FullTextIndex(kind.name, kind.searched, weights, kind.owner_index)


@cache
def searchable(kind: Kind) -> SearchableKind:
    """What a search has to know of a kind."""
    return SearchableKind(
        index_of(kind), kind.owner, kind.time, kind.begins, kind.is_everybodys, kind.shared_when, kind.found_when
    )


def conditions(source: SearchSource, wanted: SearchQuery, name: str) -> list[Predicate]:
    """What must hold of a row of that kind for the caller to find it."""
    kind = source.kinds[name]
    mine = RowCondition(kind.owner, source.user_id, other=kind.shared_when)
    found: list[Predicate] = [] if kind.is_everybodys else [mine]
    found += [RowCondition(each.column, each.value, each.operator) for each in kind.found_when]
    if wanted.project is not None:
        found.append(RowCondition("project", wanted.project))
    if wanted.since is not None:
        found.append(RowCondition(kind.time, wanted.since, ">="))
    if wanted.session_id is not None and name == "chunk":
        found.append(RowCondition("session_id", wanted.session_id))
    return [*found, *wanted.narrowed]


def among(source: SearchSource, wanted: SearchQuery, name: str) -> VectorFilter:
    """The same for the index of vectors, which knows nothing of sessions, nor of what is narrowed."""
    kind = source.kinds[name]
    owner = EVERYBODY if kind.is_everybodys else source.user_id
    return VectorFilter(name, owner, wanted.project, wanted.since, and_everybodys=kind.shared_when is not None)
