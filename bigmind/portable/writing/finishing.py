"""The end of a large import: what was settled is shown and finished, what was not is taken back; one of both, whole.

It is done by the import itself, and by whoever opens the store next when its process ended before.
"""

import json
import logging
from collections import defaultdict
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Delete, Update
from sqlmodel import col, delete, func, or_, select, update

from bigmind.brain.kinds import THOUGHT
from bigmind.brain.tables import Thought, ThoughtReader
from bigmind.core.events import Action
from bigmind.core.kind import Kind
from bigmind.core.operation import Space
from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.embedding.vector_index import EVERYBODY
from bigmind.memory.projects.service import bring_together
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.work.work_parts import HIDDEN
from bigmind.portable.writing.hidden_rows import (
    KINDS,
    LEAVING,
    PURPOSE,
    TAKEN_BACK,
    TO_BE_SHARED,
    HiddenRows,
    hide,
    let_go,
    noted_rows,
    owners_of,
    put_off_words,
)
from bigmind.portable.writing.late_notes import LateImport, noted_before
from bigmind.portable.writing.late_records import LateWriter
from bigmind.portable.writing.row_changes import make_changes
from bigmind.search.vector_rows import hand_over
from bigmind.store.store import Store
from bigmind.store.tables import ADDING, CHANGING, IMPORTING, StoreProperty
from bigmind.store.work import Work
from bigmind.work.tables import WorkForeignLedgerRow

log = logging.getLogger(__name__)

HANDED_ON = 250
"""Rows in one unit of work: at most some 50 ms."""


def finish_import(store: Store) -> None:
    """Hand on, or take back, what a process that ended in the middle of an import left; when the store was opened.

    No import is under way then, or this one is its own: `store.importing` is held by one at a time.
    """
    with store.importing:
        _finish_import(store)


def _finish_import(store: Store) -> None:
    with store.read(NOBODY, PURPOSE) as work:
        hidden = noted_rows(work)
        if hidden is None:
            return
        owners = owners_of(work, hidden)
    if not hidden.is_settled:
        take_back(store, hidden)
        log.warning("An import that was cut short was taken back; nothing of it is here.")
        return
    missing = [each.owner or name for name, each in hidden.places.items() if each.under and name not in owners]
    if missing:
        log.warning("What was imported is of a user who is not here: %s", ", ".join(missing))
        return
    with noted_before(store, hidden.owner) as late:
        hand_on(store, hidden, late)
    log.warning("An import that was cut short was finished.")


def hand_on(
    store: Store,
    hidden: HiddenRows,
    late: LateImport | None,
    progress: Progress = nobody_waits,
    *,
    leaving: int = 0,
    changing: int = 0,
    adding: int = 0,
) -> None:
    """Give the rows to whom they belong, change what changes, let go what leaves, and write what comes late.

    `progress` is told of so many that leave, that change, and that come late.
    """
    with store.read(NOBODY, PURPOSE) as work:
        owners = owners_of(work, hidden)
        many = [select(func.count()).where(kind.owners.in_(hidden.keys)) for kind in KINDS]
        phase = Phase(progress, "Showing what was imported", sum(work.session.exec(each).one() for each in many))
    kinds, shared = defaultdict[int, set[str]](set), set[str]()
    for name, owner in owners.items():
        for kind in KINDS:
            shown = _hand_on(store, kind, hidden.places[name].under, owner, phase)
            kinds[owner] |= {kind.name} if shown.are_some else set()
            shared |= {kind.name} if shown.are_shared else set()
    removing = Phase(progress if leaving else nobody_waits, "Removing what is not in the file", leaving)
    _let_go_noted(store, hidden, removing)
    changed = Phase(progress if changing else nobody_waits, "Changing what is here", changing)
    for owner, some in make_changes(store, hidden.owner, PURPOSE, changed).items():
        kinds[owner] |= some
    added = Phase(progress if adding else nobody_waits, "Writing the rest", adding)
    _show_ledgers(store)
    if late is not None:
        writer = LateWriter(store, late, added)
        writer.write()
        shared |= writer.shared
        for owner, some in writer.kinds.items():
            kinds[owner] |= some
    _tell(store, kinds, shared)
    with store.write(NOBODY, PURPOSE) as work:
        bring_together(work, {each: each for each in kinds})  # what was changed may say a project's other name
        _forget_nobody(work, hidden)


def _show_ledgers(store: Store) -> None:
    """Show the rows of other stores' ledgers."""
    shown = func.substr(col(WorkForeignLedgerRow.fault), len(HIDDEN) + 1)
    _with_hidden_ledger(store, update(WorkForeignLedgerRow).values(fault=shown))


def _tell(store: Store, kinds: Mapping[int, set[str]], shared: Collection[str]) -> None:
    """Tell each user of their kinds once more: who looked when the import was told of saw a part of them."""
    for owner, some in kinds.items():
        with store.write(replace(NOBODY, user_id=owner), PURPOSE) as work:
            note_imported(work, sorted(some), shared)


def note_imported(work: Work, kinds: Iterable[str], shared: Collection[str]) -> None:
    """Note of which kinds an import wrote rows, and of which of them every user may find some.

    One change for all rows of a kind: listeners look again, and the log stays as long as it was.
    """
    for kind in kinds:
        work.changed(kind, "import", Action.IMPORTED)
        if kind in shared:
            work.changed(kind, "import", Action.SHARED, is_shared=True)


class _Shown(NamedTuple):
    """Whether there were rows of a kind, and any that every user may find."""

    are_some: bool = False
    are_shared: bool = False


def _hand_on(store: Store, kind: Kind, under: int, owner: int, phase: Phase) -> _Shown:
    """Give a user's rows of one kind to them."""
    shown = _Shown()
    while keys := _some(store, kind, [under], HANDED_ON):
        with store.write(NOBODY, PURPOSE) as work:
            shown = _Shown(True, _hand_on_some(work, kind, keys, under, owner) or shown.are_shared)
        phase.add(len(keys))
    return shown


def _hand_on_some(work: Work, kind: Kind, keys: Sequence[int], under: int, owner: int) -> bool:
    """Give some rows to their owner; whether every user may find some of them."""
    shared = _to_be_shared(work, keys) if kind is THOUGHT else set[int]()
    own = [each for each in keys if each not in shared]
    if kind is THOUGHT:
        read = update(ThoughtReader).where(col(ThoughtReader.thought_id).in_(keys), col(ThoughtReader.user_id) == under)
        _run(work, read.values(user_id=owner))
    rows: Any = kind.table
    if own:
        hand_over(work, kind, own, owner, update(rows).where(kind.keys.in_(own)).values(user_id=owner))
    if shared:
        # Not of all of them: whose space is written, even if it is the same, waits for vectors anew.
        everybodys = update(rows).where(kind.keys.in_(shared)).values(user_id=owner, space=Space.SHARED.value)
        hand_over(work, kind, [*shared], EVERYBODY, everybodys)
    return bool(shared)


def _to_be_shared(work: Work, keys: Sequence[int]) -> set[int]:
    query = select(THOUGHT.keys).where(THOUGHT.keys.in_(keys), col(Thought.space) == TO_BE_SHARED)
    return set(work.session.exec(query))


def _let_go_noted(store: Store, hidden: HiddenRows, phase: Phase) -> None:
    """Delete what was noted to leave."""
    with store.read(NOBODY, PURPOSE) as work:
        noted = select(StoreProperty.name).where(col(StoreProperty.name).startswith(f"{LEAVING} "))
        names = list(work.session.exec(noted.order_by(StoreProperty.name)))
    for name in names:
        with store.read(NOBODY, PURPOSE) as work:
            told = json.loads(work.session.get_one(StoreProperty, name).value)
        [kind], uids = [each for each in KINDS if each.name == told["kind"]], told["uids"]
        for first in range(0, len(uids), TAKEN_BACK):
            some = uids[first : first + TAKEN_BACK]
            with store.write(NOBODY, PURPOSE) as work:
                let_go(work, kind, hidden, some)
            phase.add(len(some))
        with store.write(NOBODY, PURPOSE) as work:
            work.session.exec(delete(StoreProperty).where(col(StoreProperty.name) == name))


def take_back(store: Store, hidden: HiddenRows) -> None:
    """Delete the rows. What their words leave in the indexes is overwritten by the next start, or forgetting."""
    put_off_words(store, KINDS)
    for kind in reversed(KINDS):  # what hangs on others goes first
        while keys := _some(store, kind, hidden.keys, TAKEN_BACK):
            with store.write(NOBODY, PURPOSE) as work:
                rows: Any = kind.table
                _run(work, delete(rows).where(kind.keys.in_(keys)))
    _with_hidden_ledger(store, delete(WorkForeignLedgerRow))
    with store.write(NOBODY, PURPOSE) as work:
        _forget_nobody(work, hidden)


def _with_hidden_ledger(store: Store, change: Delete | Update) -> None:
    """Do that with the hidden rows of other stores' ledgers, some at a time."""
    key, fault = col(WorkForeignLedgerRow.id), col(WorkForeignLedgerRow.fault)
    last = 0
    while True:
        with store.write(NOBODY, PURPOSE) as work:
            query = select(key).where(key > last, fault.startswith(HIDDEN)).order_by(key).limit(HANDED_ON)
            keys = work.session.exec(query).all()
            if not keys:
                return
            _run(work, change.where(key.in_(keys)))
        last = keys[-1] or 0


@contextmanager
def taken_back_unless_settled(store: Store, owner: int, since: datetime) -> Generator[HiddenRows]:
    """Hidden rows for the length of a block: taken back when it raises, else handed on by who settled them."""
    hidden = hide(store, owner, since)
    try:
        yield hidden
    except BaseException:
        finish_import(store)
        raise


def _some(store: Store, kind: Kind, under: Sequence[int], many: int) -> list[int]:
    with store.read(NOBODY, PURPOSE) as work:
        return list(work.session.exec(select(kind.keys).where(kind.owners.in_(under)).limit(many)))


def _run(work: Work, statement: Any) -> None:
    work.session.connection().execute(statement)


def _forget_nobody(work: Work, hidden: HiddenRows) -> None:
    name = col(StoreProperty.name)
    noted = [name.startswith(f"{each} ") for each in (LEAVING, CHANGING, ADDING)]
    work.session.exec(delete(User).where(col(User.id).in_(hidden.keys)))
    work.session.exec(delete(StoreProperty).where(or_(name.in_((IMPORTING, ADDING)), *noted)))
