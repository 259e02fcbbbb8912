"""What of the brain stands in the context that a conversation starts with: what fits it, the most travelled first.

Three looks by indexes, each of so many rows at most, find what may fit; a fourth weighs it. Of an empty brain, one.
"""

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import col
from sqlmodel import select as rows_of

from bigmind.brain.finding.lineage import is_living
from bigmind.brain.rules import weight_now
from bigmind.brain.tables import Thought, ThoughtUse
from bigmind.core.kind import ContextItem
from bigmind.core.operation import Space
from bigmind.people.tables import User
from bigmind.search.finding import source_of
from bigmind.search.scope import SearchQuery, conditions, index_of
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.text.words import query_terms

KIND = "thought"
MOST_READ, OF_PROJECT, BY_WORDS = 300, 200, 100
"""Rows of each look: the most read of all, the newest of the project, those that the words find best."""


class Travelled(NamedTuple):
    """A thought as far as it decides whether it is told: whether it fits by itself, how much it weighs and was read."""

    key: int
    is_about: bool
    traffic: float
    reads: int
    at: datetime


def travelled(work: Work, project: str | None, topics: Sequence[str], most: int) -> Sequence[ContextItem]:
    """The thoughts that fit a conversation and are most travelled: by weight times reads, of equal ones the newest.

    A thought fits by its project, or by words that it shares with the project's last part or with the topics; by words
    alone it fits once it was read. Where neither is known, everything that was read fits. What nobody read yet comes
    last, and says so. None is noise, superseded, or flagged and not accepted.

    Args:
        work: reads only; its caller's thoughts, and those that are shared.
        project: where the conversation is.
        topics: what it is about.
        most: how many at most.
    """
    connection = work.session.connection()
    if connection.execute(_any()).first() is None:
        return ()
    terms = query_terms(" ".join((_last_part(project), *topics)))
    by_words = _by_words(work, terms)
    keys = {*connection.execute(_near(), {"project": project or "", "user": work.caller.user_id}).scalars(), *by_words}
    found = [each for each in _weighed(work, keys, project, terms) if each.is_about or each.reads]
    if project or terms:
        found = [each for each in found if each.is_about or each.key in by_words]
    found.sort(key=lambda each: (each.traffic, each.at, each.key), reverse=True)
    return list(_told(work, found[:most]))


def _last_part(project: str | None) -> str:
    return (project or "").rstrip("/").rpartition("/")[2]


@cache
def _any() -> Any:
    return select(table_of(Thought).c.id).limit(1)


@cache
def _near() -> Any:
    """The keys of what the user `:user` may read: the most read thoughts, and the newest of the project `:project`."""
    use, thought = table_of(ThoughtUse).c, table_of(Thought).c
    may_read = (thought.space == Space.SHARED.value) | (thought.user_id == bindparam("user"))
    both = table_of(ThoughtUse).join(table_of(Thought), use.thought_id == thought.id)
    travelled = select(use.thought_id).select_from(both).where(use.reads > 0, may_read)
    read = travelled.order_by(use.reads.desc()).limit(MOST_READ).subquery()
    here = select(thought.id).where(thought.project == bindparam("project"), may_read)
    newest = here.order_by(thought.created_at.desc()).limit(OF_PROJECT).subquery()
    return select(read.c.thought_id).union(select(newest.c.id))


def _by_words(work: Work, terms: Sequence[str]) -> set[int]:
    """The keys of those that the words find best."""
    index, full_text = index_of(work.kinds[KIND]), work.backend.full_text
    asked = full_text.question_terms(work.session, index, terms)
    mine = conditions(source_of(work), SearchQuery("", BY_WORDS), KIND)
    return {key for key, _ in full_text.search(work.session, index, asked, mine, BY_WORDS)}


def _weighed(work: Work, keys: Collection[int], project: str | None, terms: Sequence[str]) -> Iterator[Travelled]:
    """Those that may be told, as they are travelled now."""
    thought, use = table_of(Thought).c, table_of(ThoughtUse).c
    columns = (thought.id, thought.project, thought.topic, thought.created_at, use.weight, use.weighed_at, use.reads)
    both = table_of(Thought).join(table_of(ThoughtUse), use.thought_id == thought.id)
    is_harmless = (thought.caution == "") | thought.accepted_at.is_not(None)
    those = select(*columns).select_from(both).where(thought.id.in_(keys), is_harmless, *is_living(work))
    words, shares = set(terms), dict[str, bool]()
    for key, where, topic, at, weight, since, reads in work.session.connection().execute(those):
        if topic not in shares:
            shares[topic] = not words.isdisjoint(query_terms(topic))
        is_about = shares[topic] or (bool(where) and where == project)
        yield Travelled(key, is_about, weight_now(weight, since, work.now) * reads, reads, at)


def _told(work: Work, found: Sequence[Travelled]) -> Iterator[ContextItem]:
    """These thoughts, in their order."""
    keys = [each.key for each in found]
    those = rows_of(Thought, User.username).join(User, col(User.id) == Thought.user_id).where(col(Thought.id).in_(keys))
    rows = {row.id: (row, name) for row, name in work.session.exec(those)}
    for (row, name), is_read in ((rows[each.key], each.reads > 0) for each in found):
        yield ContextItem(
            id=row.uid,
            text=row.content,
            category=row.category,
            topic=row.topic,
            project=row.project,
            client=row.client,
            person=name if row.user_id != work.caller.user_id else "",
            at=row.created_at,
            is_read=is_read,
        )
