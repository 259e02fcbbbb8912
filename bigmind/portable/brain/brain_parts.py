"""What hangs on a thought, and on a question to the brain, as an export tells it."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, select

from bigmind.brain.rules import bounded
from bigmind.brain.tables import (
    BrainQuerySource,
    BrainSession,
    Thought,
    ThoughtLink,
    ThoughtReader,
    ThoughtUse,
)
from bigmind.portable.format.brain_records import ThoughtLinkRecord, ThoughtReaderRecord
from bigmind.store.tables import table_of


def thought_parts(connection: Connection, key: int, owner: int, told_of: Collection[int]) -> dict[str, Any]:
    """Links, weight and readers of a thought.

    Of links those to what its owner may read, and of readers the owner's agents: no export tells of other users.
    `told_of` are the users whose thoughts the export holds: a link to another's leads out of it, and says so.
    """
    use, readers = table_of(ThoughtUse), table_of(ThoughtReader)
    found = connection.execute(select(use).where(use.c.thought_id == key)).mappings().one()
    mine = select(readers).where(readers.c.thought_id == key, readers.c.user_id == owner).order_by(readers.c.client)
    told = [
        ThoughtReaderRecord(client=row["client"], reads=row["reads"], last_read_at=row["last_read_at"])
        for row in connection.execute(mine).mappings()
    ]
    return {
        "links": _links(connection, key, owner, told_of),
        "readers": told,
        "weight": bounded(found["weight"]),
        "weighed_at": found["weighed_at"],
        "reads": found["reads"],
        "last_read_at": found["last_read_at"],
    }


def _links(connection: Connection, key: int, owner: int, told_of: Collection[int]) -> list[ThoughtLinkRecord]:
    links, thoughts = table_of(ThoughtLink), table_of(Thought)
    may_read = (thoughts.c.user_id == owner) | (thoughts.c.space == "shared")
    query = (
        select(links.c.relation, thoughts.c.uid, thoughts.c.user_id)
        .join(thoughts, thoughts.c.id == links.c.other_id)
        .where(links.c.thought_id == key, may_read)
        .order_by(links.c.relation, thoughts.c.uid)
    )
    return [
        ThoughtLinkRecord(relation=relation, id=uid, elsewhere=None if user in told_of else True)
        for relation, uid, user in connection.execute(query)
    ]


def question_parts(connection: Connection, key: int, session: int) -> dict[str, Any]:
    """The brain session of a question, and the ids of what it was answered with."""
    sessions, sources, thoughts = table_of(BrainSession), table_of(BrainQuerySource), table_of(Thought)
    named = connection.execute(select(sessions.c.uid).where(sessions.c.id == session)).scalar_one()
    returned = (
        select(thoughts.c.uid)
        .join(sources, sources.c.thought_id == thoughts.c.id)
        .where(sources.c.query_id == key)
        .order_by(sources.c.place)
    )
    return {"brain_session": named, "sources": list(connection.execute(returned).scalars())}
