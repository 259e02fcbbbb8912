"""The list of facts as people look through it: by words, kind, project, client and state, in stretches."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, cast, get_args

from sqlalchemy import func, or_, tuple_
from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.kinds import waiting
from bigmind.memory.facts.duplicates import similar
from bigmind.memory.kinds import FACT
from bigmind.memory.lookup import find_by_uid, key_of
from bigmind.memory.tables import Fact, MemorySession
from bigmind.store.work import Work

State = Literal["active", "deprecated", "waiting"]
Order = Literal["newest", "surest", "oldest"]
STATES: tuple[State, ...] = get_args(State)
ORDERS: tuple[Order, ...] = get_args(Order)
MOST_WORDS = 12
"""Words of a filter that must stand in a fact."""


@dataclass(frozen=True, slots=True)
class FactQuery:
    """What is looked for; empty does not restrict.

    Attributes:
        words: all of them stand in the fact, as a whole or as a part of a word.
        category, project, client: as they are stored; of no project with `without_project`.
        state: `waiting` are those that instruct their reader, or an assistant imported, until a person accepts them.
        order: `surest` puts the newest first among those that are as sure.
    """

    words: str = ""
    category: str = ""
    project: str = ""
    client: str = ""
    without_project: bool = False
    state: State = "active"
    order: Order = "newest"


@dataclass(frozen=True, slots=True)
class ListedFact:
    """A fact as a row. `session_id` and `session` are where it was born: the id, and the headline, if there is one."""

    uid: str
    text: str
    category: str
    confidence: float
    project: str | None
    client: str
    created_at: datetime
    updated_at: datetime
    deprecated_at: datetime | None
    reason: str
    caution: str
    session_id: str | None
    session: str


@dataclass(frozen=True, slots=True)
class FactPage:
    """A stretch of the list, and how many there are in all. `last` is where the next one begins, if there is one."""

    facts: Sequence[ListedFact]
    total: int
    last: str


@dataclass(frozen=True, slots=True)
class FactFilters:
    """What there is to filter by, each with how many facts of the state have it, the most frequent first."""

    categories: Sequence[tuple[str, int]]
    projects: Sequence[tuple[str, int]]
    clients: Sequence[tuple[str, int]]
    without_project: int
    states: Mapping[State, int]


def list_stretch(work: Work, asked: FactQuery, limit: int, after: str = "") -> FactPage:
    """The caller's facts that are asked for: at most `limit`, behind the one whose id is `after`.

    Raises:
        BigMindError: `not_found` or `invalid_input`, when `after` names none of the caller's facts.
    """
    conditions = _conditions(work, asked)
    total = work.session.exec(select(func.count()).select_from(Fact).where(*conditions)).one()
    beyond = [_behind(asked.order, find_by_uid(work, Fact, after, "fact", "Load the page again."))] if after else []
    rows = _rows(work, [*conditions, *beyond], _ordered(asked.order), limit + 1)
    return FactPage(rows[:limit], total, rows[limit - 1].uid if len(rows) > limit else "")


def fact_named(work: Work, reference: str) -> ListedFact:
    """One fact of the caller, whether it holds or not.

    Raises:
        BigMindError: `not_found`; `ambiguous`; `invalid_input`.
    """
    fact = find_by_uid(work, Fact, reference, "fact", "It may have been forgotten for good.")
    return _rows(work, [Fact.id == key_of(fact)], [], 1)[0]


def holding(work: Work, uids: Sequence[str]) -> list[tuple[str, str]]:
    """Of these facts the ids and texts of those that are the caller's and hold, the newest first."""
    wanted = (col(Fact.uid).in_(uids), Fact.user_id == work.caller.user_id, col(Fact.deprecated_at).is_(None))
    statement = select(Fact.uid, Fact.text).where(*wanted).order_by(col(Fact.created_at).desc(), col(Fact.id).desc())
    return [(uid, text) for uid, text in work.session.exec(statement)]


def choices(work: Work, state: State) -> FactFilters:
    """What the caller's facts can be filtered by, and how many are of each state. Reads each fact once."""
    fields: Any = (
        *(Fact.category, Fact.project, Fact.client, col(Fact.deprecated_at).is_(None), _is_waiting()),
        func.count(),
    )
    choose: Any = select  # the stubs of `select` end at four columns
    counted = choose(*fields).where(Fact.user_id == work.caller.user_id).group_by(*fields[:5])
    groups = cast("Iterable[tuple[str, str | None, str, bool, bool, int]]", work.session.exec(counted))
    states: Counter[State] = Counter()
    categories: Counter[str] = Counter()
    projects: Counter[str] = Counter()
    clients: Counter[str] = Counter()
    without = 0
    for category, project, client, is_active, is_waiting, count in groups:
        holds: dict[State, bool] = {"active": is_active, "deprecated": not is_active, "waiting": is_waiting}
        states.update({each: count for each in STATES if holds[each]})
        if holds[state]:
            categories[category] += count
            clients[client] += count
            if project is None:
                without += count
            else:
                projects[project] += count
    return FactFilters(
        _most(categories), _most(projects), _most(clients), without, {each: states[each] for each in STATES}
    )


def successors(work: Work, reference: str, limit: int) -> Sequence[ListedFact]:
    """The active facts that may hold in place of one: those that are worded most like it, then the newest."""
    fact = find_by_uid(work, Fact, reference, "fact", "It may have been forgotten for good.")
    keys = similar(work, fact)[:limit]
    alike = {each.uid: each for each in _rows(work, [col(Fact.id).in_(keys)], [], limit)}
    holding = _conditions(work, FactQuery())
    newest = _rows(work, [*holding, Fact.id != fact.id], _ordered("newest"), limit)
    return [*alike.values(), *(each for each in newest if each.uid not in alike)][:limit]


def _most(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    return sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))


def _is_waiting() -> Any:
    caution, unaccepted, active = waiting(FACT)
    return caution & unaccepted & active


def _conditions(work: Work, asked: FactQuery) -> list[Any]:
    state = {
        "active": [col(Fact.deprecated_at).is_(None)],
        "deprecated": [col(Fact.deprecated_at).is_not(None)],
        "waiting": waiting(FACT),
    }
    conditions: list[Any] = [Fact.user_id == work.caller.user_id, *state[asked.state]]
    named = ((Fact.category, asked.category), (Fact.project, asked.project), (Fact.client, asked.client))
    conditions += [column == name for column, name in named if name]
    if asked.without_project:
        conditions.append(col(Fact.project).is_(None))
    return [*conditions, *(_holds(word) for word in asked.words.split()[:MOST_WORDS])]


def _holds(word: str) -> Any:
    """Whether a word stands in the text, in whatever case: the database folds the letters of ASCII only."""
    spellings = {word} if word.isascii() else {word, word.lower(), word.upper(), word.capitalize()}
    return or_(*(col(Fact.text).icontains(each, autoescape=True) for each in sorted(spellings)))


def _ordered(order: Order) -> list[Any]:
    if order == "oldest":
        return [col(Fact.created_at), col(Fact.id)]
    newest = [col(Fact.created_at).desc(), col(Fact.id).desc()]
    return [col(Fact.confidence).desc(), *newest] if order == "surest" else newest


def _behind(order: Order, last: Fact) -> Any:
    """What stands behind a fact in that order."""
    place, there = tuple_(col(Fact.created_at), col(Fact.id)), tuple_(last.created_at, last.id)
    if order == "oldest":
        return place > there
    if order == "newest":
        return place < there
    return tuple_(col(Fact.confidence), col(Fact.created_at), col(Fact.id)) < tuple_(
        last.confidence, last.created_at, last.id
    )


def _rows(work: Work, conditions: list[Any], order: list[Any], limit: int) -> list[ListedFact]:
    query = (
        select(Fact, MemorySession.uid, MemorySession.one_liner)
        .join(MemorySession, col(Fact.session_id) == col(MemorySession.id), isouter=True)
        .where(*conditions)
        .order_by(*order)
        .limit(limit)
    )
    return [_listed(*row) for row in work.session.exec(query)]


def _listed(fact: Fact, session_id: str | None, session: str | None) -> ListedFact:
    return ListedFact(
        uid=fact.uid,
        text=fact.text,
        category=fact.category,
        confidence=fact.confidence,
        project=fact.project,
        client=fact.client,
        created_at=fact.created_at,
        updated_at=fact.updated_at,
        deprecated_at=fact.deprecated_at,
        reason=fact.deprecation_reason,
        caution=pending(fact),
        session_id=session_id,
        session=session or "",
    )
