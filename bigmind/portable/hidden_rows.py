"""Where a large import puts what is new until it is whole: under a user whom nobody is, so that nobody sees it.

Writing 20,000 rows with their indexes takes seconds, for which nobody else could write; so they are written in short
units of work, hidden. In one unit it is then settled that the import took place, and the rows are handed to whom they
belong, again in short units. What changes (`row_changes`), and what a replacing import takes away, is noted beside,
stays as it is until then, and changes or leaves after it.
Whoever opens the store after a process that was killed takes back what was hidden, or finishes what was settled: one of
both, whole.
"""

import json
import logging
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, delete, func, select, update

from bigmind.brain.kinds import THOUGHT
from bigmind.brain.tables import Thought
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.core.kind import Kind
from bigmind.core.operation import Role, Space
from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.embedding.vector_index import EVERYBODY
from bigmind.memory.kinds import FACT, HYPOTHESIS, MOMENT, SESSION
from bigmind.memory.projects.service import bring_together
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.row_changes import make_changes
from bigmind.search.vector_rows import hand_over
from bigmind.store.store import Store
from bigmind.store.tables import CHANGING, FORGETTING, IMPORTING, StoreProperty
from bigmind.store.work import Work

log = logging.getLogger(__name__)

PURPOSE = "memory_import"
KINDS = (SESSION, MOMENT, FACT, HYPOTHESIS, THOUGHT)
"""Of these there are many; the rest is written when the import is settled."""
TO_BE_SHARED = "hidden"
"""Stands in place of `shared` in a thought that is hidden: that would show it to everybody."""
SECTIONS = tuple(each.exported_as for each in KINDS)
HANDED_ON, TAKEN_BACK = 250, 100
"""Rows in one unit of work: at most some 50 ms."""
LEAVING = "leaving"
"""How the names of the notes of what leaves begin."""


@dataclass(frozen=True, slots=True)
class HiddenRows:
    """The rows of one import: under which user's key they are, whose they are to be, and whether that is settled.

    `since` is when the import began: what was changed later does not leave with it.
    """

    under: int
    owner: int
    since: datetime
    is_settled: bool = False


@dataclass(frozen=True, slots=True)
class _Note:
    """The same as it stands in the store: by ids, for a backup that is restored gives users other keys.

    On another machine it gives them other ids as well; then the name tells whose they are. An older version notes
    neither the name nor the time.
    """

    nobody: str
    owner: str
    username: str = ""
    since: str = ""
    is_settled: bool = False


def hide(store: Store, owner: int, since: datetime | None = None) -> HiddenRows:
    """Begin: from here on rows may be written under the user `under`. What is newer than `since` does not leave."""
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
        hidden = HiddenRows(nobody.id or 0, owner, since or work.now)
        _write_note(work, hidden)
        return hidden


def settle(work: Work, hidden: HiddenRows) -> None:
    """From the commit of this unit on the rows are to stay, whatever happens."""
    _write_note(work, replace(hidden, is_settled=True))


def _write_note(work: Work, hidden: HiddenRows) -> None:
    nobody, owner = (work.session.get_one(User, key) for key in (hidden.under, hidden.owner))
    note = _Note(nobody.uid, owner.uid, owner.username, hidden.since.isoformat(), hidden.is_settled)
    work.session.merge(StoreProperty(name=IMPORTING, value=json.dumps(asdict(note))))


def note_leaving(store: Store, number: int, kind: Kind, uids: list[str]) -> None:
    """Note that the owner's rows of these ids leave once the import is settled, in the order of the numbers."""
    with store.write(NOBODY, PURPOSE) as work:
        value = json.dumps({"kind": kind.name, "uids": uids})
        work.session.merge(StoreProperty(name=f"{LEAVING} {number:09}", value=value))


def put_off_words(store: Store, kinds: Iterable[Kind]) -> None:
    """Have the words of what is deleted from here on leave the indexes by `overwrite_deleted`, or the next start."""
    with store.write(NOBODY, PURPOSE) as work:
        if work.session.get(StoreProperty, FORGETTING) is None:
            work.session.add(StoreProperty(name=FORGETTING, value=IMPORTING))
    with store.alone() as connection:
        store.backend.maintenance.put_off_words(connection, [each.name for each in kinds])


def overwrite_deleted(store: Store, progress: Progress) -> None:
    """Do what was put off, in short steps; unless more than an import waits for it, which forgetting knows."""
    if not store.scrub(progress):
        return
    with store.write(NOBODY, PURPOSE) as work:
        ours = delete(StoreProperty).where(col(StoreProperty.name) == FORGETTING)
        work.session.exec(ours.where(col(StoreProperty.value) == IMPORTING))


def nobodys_uid(session: Session) -> str | None:
    """The id of the user under whom something is hidden; None when nothing is."""
    left = session.get(StoreProperty, IMPORTING)
    return None if left is None else _Note(**json.loads(left.value)).nobody


def finish_import(store: Store) -> None:
    """Hand on, or take back, what a process that ended in the middle of an import left; when the store was opened."""
    with store.read(NOBODY, PURPOSE) as work:
        left = work.session.get(StoreProperty, IMPORTING)
        if left is None:
            return
        note = _Note(**json.loads(left.value))
        under = _key_of(work, User.uid == note.nobody)
        owner = _key_of(work, User.uid == note.owner) or _key_of(work, User.username == note.username)
    if note.is_settled and under is not None and owner is None:
        log.warning("What was imported is of a user who is not here: %s", note.owner)
        return
    since = datetime.fromisoformat(note.since) if note.since else store.clock()
    hidden = HiddenRows(under or 0, owner or 0, since, note.is_settled)
    if hidden.is_settled:
        hand_on(store, hidden)
        log.warning("An import that was cut short was finished.")
    else:
        take_back(store, hidden)
        log.warning("An import that was cut short was taken back; nothing of it is here.")


def _key_of(work: Work, is_meant: Any) -> int | None:
    return work.session.exec(select(User.id).where(is_meant)).first()


def hand_on(
    store: Store, hidden: HiddenRows, progress: Progress = nobody_waits, leaving: int = 0, changing: int = 0
) -> None:
    """Give the rows to whom they belong, change what changes, and let go what leaves; also by the next start.

    `progress` is told of so many that leave, and that change.
    """
    with store.read(NOBODY, PURPOSE) as work:
        many = [select(func.count()).where(kind.owners == hidden.under) for kind in KINDS]
        phase = Phase(progress, "Showing what was imported", sum(work.session.exec(each).one() for each in many))
    kinds, shared = set[str](), set[str]()
    for kind in KINDS:
        while keys := _some(store, kind, hidden.under, HANDED_ON):
            with store.write(NOBODY, PURPOSE) as work:
                shared |= {kind.name} if _hand_on_some(work, kind, keys, hidden.owner) else set()
            kinds.add(kind.name)
            phase.add(len(keys))
    removing = Phase(progress if leaving else nobody_waits, "Removing what is not in the file", leaving)
    _let_go_noted(store, hidden, removing)
    changed = Phase(progress if changing else nobody_waits, "Changing what is here", changing)
    kinds |= make_changes(store, hidden.owner, PURPOSE, changed)
    with store.write(replace(NOBODY, user_id=hidden.owner), PURPOSE) as work:
        note_imported(work, sorted(kinds), shared)  # once more: who looked when it was told of saw a part of them
        bring_together(work, {hidden.owner: hidden.owner})  # what was changed may say a project's other name
        _forget_nobody(work, hidden)


def note_imported(work: Work, kinds: Iterable[str], shared: Collection[str]) -> None:
    """Note of which kinds an import wrote rows, and of which of them every user may find some.

    One change for all rows of a kind: listeners look again, and the log stays as long as it was.
    """
    for kind in kinds:
        work.changed(kind, "import", Action.IMPORTED)
        if kind in shared:
            work.changed(kind, "import", Action.SHARED, is_shared=True)


def _hand_on_some(work: Work, kind: Kind, keys: Sequence[int], owner: int) -> bool:
    """Give some rows to their owner; whether every user may find some of them."""
    shared = _to_be_shared(work, keys) if kind is THOUGHT else set[int]()
    own = [each for each in keys if each not in shared]
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


def let_go(work: Work, kind: Kind, hidden: HiddenRows, uids: Sequence[str]) -> None:
    """Delete rows of the owner's: of these ids, and unchanged since the import began.

    A session goes only without a moment, and when nothing was stored in it since: it goes on then.
    """
    rows: Any = kind.table
    since = getattr(rows, kind.changed or kind.time) <= hidden.since
    in_it = [
        ~select(each.keys)
        .where(each.table.session_id == MemorySession.id, each.table.created_at > hidden.since)
        .exists()
        for each in (FACT, HYPOTHESIS)
    ]
    goes_on = [~select(Chunk.id).where(Chunk.session_id == MemorySession.id).exists(), *in_it]
    _run(
        work,
        delete(rows).where(
            kind.owners == hidden.owner, rows.uid.in_(uids), since, *(goes_on if kind is SESSION else ())
        ),
    )


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
        while keys := _some(store, kind, hidden.under, TAKEN_BACK):
            with store.write(NOBODY, PURPOSE) as work:
                rows: Any = kind.table
                _run(work, delete(rows).where(kind.keys.in_(keys)))
    with store.write(NOBODY, PURPOSE) as work:
        _forget_nobody(work, hidden)


@contextmanager
def taken_back_unless_settled(store: Store, owner: int, since: datetime) -> Generator[HiddenRows]:
    """Hidden rows for the length of a block: taken back when it raises, else handed on by who settled them."""
    hidden = hide(store, owner, since)
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


def _forget_nobody(work: Work, hidden: HiddenRows) -> None:
    name = col(StoreProperty.name)
    noted = name.startswith(f"{LEAVING} ") | name.startswith(f"{CHANGING} ")
    work.session.exec(delete(User).where(col(User.id) == hidden.under))
    work.session.exec(delete(StoreProperty).where((name == IMPORTING) | noted))
