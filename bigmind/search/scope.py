"""What may be found by whom: each kind's full-text index, and what must hold of a row."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from bigmind.embedding.vector_index import EVERYBODY, Among
from bigmind.store.sqlite.fulltext import FACTS, HYPOTHESES, KNOWLEDGE, MOMENTS, SESSIONS, Condition, Index
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is looked for. `None` does not restrict; `preferred` is a project that goes before others, a little."""

    query: str
    limit: int
    project: str | None = None
    since: datetime | None = None
    session_id: int | None = None
    preferred: str | None = None


@dataclass(frozen=True, slots=True)
class Findable:
    """How one kind is looked for: its index, what must hold of a row, and the columns of its time and its words."""

    index: Index
    conditions: Callable[[Work], list[Condition]]
    text: str
    time: str = "created_at"
    is_everybodys: bool = False


def _own(work: Work) -> list[Condition]:
    return [Condition("user_id", work.caller.user_id)]


def _active(work: Work) -> list[Condition]:
    return [*_own(work), Condition("deprecated_at", None, "IS")]


def _approved(work: Work) -> list[Condition]:
    del work
    return [Condition("status", "approved")]


FINDABLE: dict[str, Findable] = {
    "chunk": Findable(MOMENTS, _own, "content"),
    "session": Findable(SESSIONS, _own, "told", time="started_at"),
    "fact": Findable(FACTS, _active, "text"),
    "hypothesis": Findable(HYPOTHESES, _own, "text"),
    "knowledge": Findable(KNOWLEDGE, _approved, "content", is_everybodys=True),
}


def conditions(work: Work, wanted: Wanted, kind: str) -> list[Condition]:
    """What must hold of a row of that kind for the caller to find it."""
    found = FINDABLE[kind].conditions(work)
    if wanted.project is not None:
        found.append(Condition("project", wanted.project))
    if wanted.since is not None:
        found.append(Condition(FINDABLE[kind].time, wanted.since, ">="))
    if wanted.session_id is not None and kind == "chunk":
        found.append(Condition("session_id", wanted.session_id))
    return found


def among(work: Work, wanted: Wanted, kind: str) -> Among:
    """The same for the index of vectors, which knows nothing of sessions."""
    owner = EVERYBODY if FINDABLE[kind].is_everybodys else work.caller.user_id
    return Among(kind, owner, wanted.project, wanted.since)
