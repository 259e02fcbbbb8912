"""Pheromone weights as they are stored, read and reinforced. A weight decays while nobody looks: no job writes rows."""

from collections import Counter
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select, update

from bigmind.brain.rules import CONTRIBUTED, FIRST_WEIGHT, RETRIEVED, bounded, weight_now
from bigmind.brain.tables import BrainQuery, BrainQuerySource, Thought, ThoughtReader, ThoughtUse
from bigmind.core.client_names import token_behind
from bigmind.store.prepared_statements import kept_rows, rows
from bigmind.store.tables import table_of
from bigmind.store.work import Work


class Use(NamedTuple):
    """How well-travelled a thought is: its weight now, how often it was read, and by how many agents."""

    weight: float
    reads: int
    readers: int = 0


UNUSED = Use(FIRST_WEIGHT, 0)


def uses(work: Work, keys: Collection[int]) -> dict[int, Use]:
    """The use of these thoughts, without how many agents read them."""
    found = kept_rows(work, _weights(), keys=list(keys))
    return {key: Use(weight_now(weight, since, work.now), reads) for key, weight, since, reads in found}


def readers(work: Work, keys: Collection[int]) -> dict[int, int]:
    """By how many agents each of these thoughts was read; a token is one, whatever it calls itself or imports."""
    reader = table_of(ThoughtReader).c
    read = select(reader.thought_id, reader.user_id, reader.client).where(reader.thought_id.in_(keys))
    return Counter(key for key, _, _ in {(key, user, token_behind(client)) for key, user, client in rows(work, read)})


def begin(work: Work, thought: int, weight: float = FIRST_WEIGHT) -> None:
    """Give a new thought its first weight."""
    work.session.add(ThoughtUse(thought_id=thought, weight=weight, weighed_at=work.now))


def still_there(work: Work, keys: Collection[int]) -> dict[int, Use]:
    """The use of those of the thoughts that were not forgotten meanwhile."""
    found = kept_rows(work, _there(), keys=list(keys)) if keys else ()
    return {
        key: Use(weight_now(weight, since, work.now), reads) if since is not None else UNUSED
        for key, weight, since, reads in found
    }


def retrieved(work: Work, known: Mapping[int, Use]) -> None:
    """Note that the caller was given these thoughts: each is read once more, and weighs 0.05 more.

    Their use is as it was read in this transaction, which alone writes: nothing that others add meanwhile is lost.
    """
    if known:
        _weigh(work, known, RETRIEVED, reads=1)
        _note_reader(work, known)


def contributed(work: Work, session: int, newest: int) -> None:
    """Let what a brain session had been shown before its query `newest` weigh 0.02 more, for something came of it."""
    source, query = table_of(BrainQuerySource), table_of(BrainQuery)
    shown = select(source.c.thought_id).join_from(source, query, query.c.id == source.c.query_id).distinct()
    shown = shown.where(query.c.session_id == session, query.c.id < newest)
    if keys := [key for (key,) in rows(work, shown)]:
        _weigh(work, uses(work, keys), CONTRIBUTED)


def _weigh(work: Work, known: Mapping[int, Use], more: float, reads: int = 0) -> None:
    changes = [{"thought": key, "weighs": bounded(each.weight + more), "now": work.now} for key, each in known.items()]
    if changes:
        work.session.connection().execute(_weighing(reads), changes)


@cache
def _there() -> Any:
    thought, use = table_of(Thought).c, table_of(ThoughtUse).c
    both = table_of(Thought).outerjoin(table_of(ThoughtUse), use.thought_id == thought.id)
    statement = select(thought.id, use.weight, use.weighed_at, use.reads).select_from(both)
    return statement.where(thought.id.in_(bindparam("keys", expanding=True)))


@cache
def _weights() -> Any:
    use = table_of(ThoughtUse).c
    which = use.thought_id.in_(bindparam("keys", expanding=True))
    return select(use.thought_id, use.weight, use.weighed_at, use.reads).where(which)


@cache
def _weighing(reads: int) -> Any:
    """The change of a weight; with `reads`, so many more too."""
    use = table_of(ThoughtUse)
    told: dict[str, Any] = {"weight": bindparam("weighs"), "weighed_at": bindparam("now")}
    if reads:
        told |= {"reads": use.c.reads + reads, "last_read_at": bindparam("now")}
    return update(use).where(use.c.thought_id == bindparam("thought")).values(told)


def _note_reader(work: Work, keys: Collection[int]) -> None:
    mine = {"user": work.caller.user_id, "agent": work.caller.client, "now": work.now}
    known = {key for (key,) in kept_rows(work, _reading(), keys=list(keys), **mine)}
    new = [{"thought_id": key} for key in keys if key not in known]
    if new:
        first = {"user_id": work.caller.user_id, "client": work.caller.client, "reads": 1, "last_read_at": work.now}
        work.session.connection().execute(table_of(ThoughtReader).insert(), [{**first, **each} for each in new])


@cache
def _reading() -> Any:
    reader = table_of(ThoughtReader)
    mine = (reader.c.user_id == bindparam("user"), reader.c.client == bindparam("agent"))
    those = update(reader).where(reader.c.thought_id.in_(bindparam("keys", expanding=True)), *mine)
    return those.values(reads=reader.c.reads + 1, last_read_at=bindparam("now")).returning(reader.c.thought_id)
