"""Where a large import puts what is new until it is whole: under a user whom nobody is, so that nobody sees it.

Writing 20,000 rows with their indexes takes seconds, for which nobody else could write; so they are written in short
units of work, hidden. In one unit it is then settled that the import took place, and the rows are handed to whom they
belong, again in short units. Whoever opens the store after a process that was killed takes back what was hidden, or
hands on what was settled: one of both, whole.
"""

import json
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import insert, literal
from sqlmodel import col, delete, select, update

from bigmind.core.ids import new_id
from bigmind.core.kind import Kind
from bigmind.core.operation import Role
from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.memory.kinds import FACT, HYPOTHESIS, MOMENT, SESSION
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.store.store import Store
from bigmind.store.tables import FORGETTING, Embedding, EmbeddingQueue, StoreProperty
from bigmind.store.work import Work

PROPERTY = "import"
"""The store's property that says whose rows are hidden, and whether they are to stay."""
PURPOSE = "memory_import"
KINDS = (SESSION, MOMENT, FACT, HYPOTHESIS)
"""Of these there are many; the rest is written when the import is settled."""
SECTIONS = tuple(each.exported_as for each in KINDS)
HANDED_ON, TAKEN_BACK = 500, 100
"""Rows in one unit of work: at most some 50 ms."""


@dataclass(frozen=True, slots=True)
class HiddenRows:
    """The rows of one import: under which user's key they are, whose they are to be, and whether that is settled."""

    under: int
    owner: int
    is_settled: bool = False


def hide(store: Store, owner: int) -> HiddenRows:
    """Begin: from here on rows may be written under the user `under`."""
    with store.write(NOBODY, PURPOSE) as work:
        uid = new_id()
        nobody = User(
            uid=uid,
            username=f"import {uid}",
            display_name="",
            role=Role.MEMBER,
            created_at=work.now,
            last_seen_at=work.now,
        )
        work.session.add(nobody)
        work.session.flush()
        hidden = HiddenRows(nobody.id or 0, owner)
        _note(work, hidden)
    return hidden


def settle(work: Work, hidden: HiddenRows) -> None:
    """From the commit of this unit on the rows are to stay, whatever happens."""
    _note(work, HiddenRows(hidden.under, hidden.owner, is_settled=True))


def _note(work: Work, hidden: HiddenRows) -> None:
    work.session.merge(StoreProperty(name=PROPERTY, value=json.dumps(asdict(hidden))))


def finish_import(store: Store) -> None:
    """Hand on, or take back, what a process that ended in the middle of an import left; when the store was opened."""
    with store.read(NOBODY, PURPOSE) as work:
        left = work.session.get(StoreProperty, PROPERTY)
        hidden = None if left is None else HiddenRows(**json.loads(left.value))
    if hidden is not None:
        (hand_on if hidden.is_settled else take_back)(store, hidden)


def hand_on(store: Store, hidden: HiddenRows, progress: Progress = nobody_waits) -> None:
    """Give the rows to whom they belong; what was settled is done, also by the next start."""
    phase = Phase(progress, "Showing what was imported")
    for kind in KINDS:
        while keys := _some(store, kind, hidden.under, HANDED_ON):
            with store.write(NOBODY, PURPOSE) as work:
                rows: Any = kind.table
                _run(work, update(rows).where(kind.keys.in_(keys)).values(user_id=hidden.owner))
                _queue_for_owner(work, kind, keys, hidden.owner)
            phase.add(len(keys))
    _forget_nobody(store, hidden)


def _queue_for_owner(work: Work, kind: Kind, keys: list[int], owner: int) -> None:
    """Have what was embedded meanwhile embedded again: who holds vectors in memory looks for new rows alone."""
    waits = (col(EmbeddingQueue.kind) == kind.name, col(EmbeddingQueue.item).in_(keys))
    _run(work, update(EmbeddingQueue).where(*waits).values(owner=owner))
    made = (col(Embedding.kind) == kind.name, col(Embedding.item).in_(keys))
    is_waiting = select(EmbeddingQueue.id).where(
        EmbeddingQueue.kind == Embedding.kind, EmbeddingQueue.item == Embedding.item
    )
    again = select(Embedding.kind, col(Embedding.item), literal(owner)).where(*made, ~is_waiting.exists()).distinct()
    _run(work, insert(EmbeddingQueue).from_select(["kind", "item", "owner"], again))
    _run(work, delete(Embedding).where(*made))


def take_back(store: Store, hidden: HiddenRows) -> None:
    """Delete the rows. What their words leave in the indexes is overwritten by the next start, or forgetting."""
    with store.write(NOBODY, PURPOSE) as work:
        work.session.merge(StoreProperty(name=FORGETTING, value="import"))
    with store.alone() as connection:
        store.backend.maintenance.put_off_words(connection, [each.name for each in KINDS])
    for kind in reversed(KINDS):  # what hangs on others goes first
        while keys := _some(store, kind, hidden.under, TAKEN_BACK):
            with store.write(NOBODY, PURPOSE) as work:
                rows: Any = kind.table
                _run(work, delete(rows).where(kind.keys.in_(keys)))
    _forget_nobody(store, hidden)


@contextmanager
def taken_back_unless_settled(store: Store, owner: int) -> Generator[HiddenRows]:
    """Hidden rows for the length of a block: taken back when it raises, else handed on by who settled them."""
    hidden = hide(store, owner)
    try:
        yield hidden
    except BaseException:
        finish_import(store)
        raise


def _some(store: Store, kind: Kind, under: int, many: int) -> list[int]:
    with store.read(NOBODY, PURPOSE) as work:
        return list(work.session.exec(select(kind.keys).where(kind.owners == under).limit(many)))


def _run(work: Work, statement: Any) -> None:
    work.session.connection().execute(statement)


def _forget_nobody(store: Store, hidden: HiddenRows) -> None:
    with store.write(NOBODY, PURPOSE) as work:
        work.session.exec(delete(User).where(col(User.id) == hidden.under))
        work.session.exec(delete(StoreProperty).where(col(StoreProperty.name) == PROPERTY))
