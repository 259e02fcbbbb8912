"""Refuses a document whose thoughts rest on nothing, or on themselves, before anything is written."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlmodel import Session, col, select

from bigmind.brain.tables import Thought, ThoughtLink
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Space
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.reader import not_an_export
from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.verdicts import ImportContext, derived
from bigmind.portable.writing.hidden_rows import TO_BE_SHARED

THOUGHTS = ThoughtRecord.section
RELATED = "related"
AT_ONCE = 400
"""Ids in one statement."""

Node = TypeVar("Node", bound=Hashable)


class Link(NamedTuple):
    """A link of a document: of which record and user, how and to which id it leads.

    `is_elsewhere`: it leads to another user's thought that the document does not hold.
    """

    number: int
    owner: str | None
    relation: str
    other: str
    is_elsewhere: bool


def links_of(staged: StagedRecord, record: ThoughtRecord) -> list[Link]:
    """The links of a thought, as the document tells them."""
    number, owner = staged.number, staged.owner
    return [Link(number, owner, each.relation, each.id, bool(each.elsewhere)) for each in record.links]


@dataclass(frozen=True, slots=True)
class _Target:
    key: int
    user: int
    is_shared: bool


class LinkTargets:
    """The thoughts of the store that links of a document may lead to: those of their user, and what is shared."""

    def __init__(self, session: Session, about: ImportContext, links: Iterable[Link]) -> None:
        self._about = about
        self._held: dict[str, _Target] = {}
        wanted = {(each.owner, each.other) for each in links}
        uids = {uid for _, uid in wanted} | {derived(about.owners[owner], uid) for owner, uid in wanted}
        query = select(Thought.uid, Thought.id, Thought.user_id, Thought.space)
        for some in some_of(sorted(uids)):
            for uid, key, user, space in session.exec(query.where(col(Thought.uid).in_(some))):
                self._held[uid] = _Target(key or 0, user, space in {Space.SHARED, TO_BE_SHARED})

    def key(self, link: Link, *, beside: int | None = None) -> int | None:
        """The key of what a link leads to; none where there is none, or it is of the user `beside`."""
        owner = self._about.owners[link.owner]
        named, other = self._held.get(link.other), self._held.get(derived(owner, link.other))
        users = self._about.stands_under(link.owner)
        mine = [each for each in (named, other) if each is not None and each.user in users]
        shared = [named] if named is not None and named.is_shared else []
        return next((each.key for each in (*mine, *shared) if each.user != beside), None)


def check_lineage(session: Session, about: ImportContext, records: StagingDatabase) -> None:
    """Refuse links of thoughts that lead to nothing, or in a circle; whoever tries first is told so, too.

    Raises:
        BigMindError: `invalid_input`, naming the record.
    """
    graph: dict[str, list[str]] = {}
    numbers: dict[str, int] = {}
    leading: list[Link] = []
    for staged, links in _linked(about, records):
        numbers[staged.uid] = staged.number
        graph[staged.uid] = [each.other for each in links if each.relation != RELATED]
        if any(each.other == staged.uid for each in links):
            raise not_linked(staged.number, closes=True)
        leading += [each for each in links if not each.is_elsewhere and not records.has(THOUGHTS, each.other)]
    targets = LinkTargets(session, about, leading)
    going = about.importer.key if about.replaces else None
    for each in leading:
        if targets.key(each, beside=going) is None:
            raise not_linked(each.number)
    refuse_closed(graph, numbers, not_linked)


def _linked(about: ImportContext, records: StagingDatabase) -> Iterator[tuple[StagedRecord, list[Link]]]:
    for batch in records.batches(THOUGHTS):
        for staged in batch:
            record = records.record(staged) if staged.owner in about.owners else None
            if isinstance(record, ThoughtRecord) and record.links:
                yield staged, links_of(staged, record)


def rests_on(session: Session, keys: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Which thoughts those of these keys rest on, in the store."""
    query = select(ThoughtLink.thought_id, ThoughtLink.other_id).where(ThoughtLink.relation != RELATED)
    return session.exec(query.where(col(ThoughtLink.thought_id).in_(keys)))


def nodes_of_cycle(graph: Mapping[Node, Iterable[Node]]) -> list[Node]:
    """The nodes of a circle, in a graph that tells of each node what it rests on; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def reached(
    start: Iterable[Any],
    links_here: Callable[[Sequence[Any]], Iterable[tuple[Any, Any]]],
    told: Mapping[Any, Iterable[Any]] | None = None,
) -> dict[Any, list[Any]]:
    """The graph that is reached from some nodes in the store; a node that is `told` of rests on what is told alone."""
    graph = {each: list(others) for each, others in (told or {}).items()}
    waiting = {*start, *(other for others in graph.values() for other in others)} - graph.keys()
    while waiting:
        graph |= {each: [] for each in waiting}
        for some in some_of(sorted(waiting)):
            for one, other in links_here(some):
                graph[one].append(other)
        waiting = {other for one in waiting for other in graph[one]} - graph.keys()
    return graph


class Refusal(Protocol):
    """Makes the error for a record that rests on nothing that is known, or on itself."""

    def __call__(self, number: int, *, closes: bool = False) -> BigMindError:
        """The error for the record of that number."""
        ...


def refuse_closed(graph: Mapping[Any, Iterable[Any]], numbers: Mapping[Any, int], refusal: Refusal) -> None:
    """Refuse what makes something rest on itself: the first record, by the numbers of nodes, that is part of it."""
    if closed := nodes_of_cycle(graph):
        number = min([numbers[each] for each in closed if each in numbers] or numbers.values())
        raise refusal(number, closes=True)


def not_linked(number: int, *, closes: bool = False) -> BigMindError:
    """The refusal of a record whose links lead to nothing, or close a circle."""
    why = "rests on itself by its links" if closes else "has in its links a thought that is neither in it nor here"
    return not_an_export(f"is not right: record {number} of thoughts {why}")


def some_of(values: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """The values, as many at once as fit into one statement."""
    for start in range(0, len(values), AT_ONCE):
        yield values[start : start + AT_ONCE]
