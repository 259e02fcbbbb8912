"""Where a large import puts what is new until it is whole: under users whom nobody is, so that nobody sees it.

Writing 20,000 rows with their indexes takes seconds, for which nobody else could write; so they are written in short
units of work, hidden, those of each user under another one. In one unit it is then settled that the import took place,
and the rows are handed to whom they belong, again in short units. What changes (`row_changes`), and what a replacing
import takes away, is noted beside, stays as it is until then, and changes or leaves after it.
Whoever opens the store after a process that was killed takes back what was hidden, or finishes what was settled: one of
both, whole.
"""

import json
import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlmodel import Session, col, delete, select

from bigmind.brain.kinds import THOUGHT
from bigmind.core.ids import new_id
from bigmind.core.kind import Kind
from bigmind.core.operation import Role
from bigmind.core.progress import Progress
from bigmind.memory.kinds import FACT, HYPOTHESIS, MOMENT, SESSION
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.owners import Owner
from bigmind.store.store import Store
from bigmind.store.tables import FORGETTING, IMPORTING, StoreProperty
from bigmind.store.work import Work

log = logging.getLogger(__name__)

PURPOSE = "memory_import"
KINDS = (SESSION, MOMENT, FACT, HYPOTHESIS, THOUGHT)
"""Of these there are many; the rest is written when the import is settled, or late."""
TO_BE_SHARED = "hidden"
"""Stands in place of `shared` in a thought that is hidden: that would show it to everybody."""
SECTIONS = tuple(each.exported_as for each in KINDS)
HANDED_ON, TAKEN_BACK = 250, 100
"""Rows in one unit of work: at most some 50 ms."""
LEAVING = "leaving"
"""How the names of the notes of what leaves begin."""


@dataclass(frozen=True, slots=True)
class HiddenPlace:
    """Where the rows of one user stand: under the user of the key `under`, whose id is `nobody`.

    Whose they are to be is told by id, and by name, for a backup that is restored on another machine gives users other
    ids. Who comes with the import has no `owner` id: they are not here before it is settled.
    """

    under: int
    nobody: str
    owner: str
    username: str


@dataclass(slots=True)
class HiddenRows:
    """The rows of one import: in which place are those of each user, by name, and whether they are to stay.

    `owner` is the key of who imports. `since` is when the import began: what was changed later does not leave with it.
    """

    owner: int
    since: datetime
    places: dict[str, HiddenPlace] = field(default_factory=dict[str, HiddenPlace])
    is_settled: bool = False

    @property
    def keys(self) -> list[int]:
        """The keys of the users under whom they stand."""
        return [each.under for each in self.places.values()]


@dataclass(frozen=True, slots=True)
class _Note:
    """The same as it stands in the store, where users have no keys, for a backup that is restored gives them others.

    The importer's place comes first, and by itself, as older versions have it; those note neither name nor time.
    """

    nobody: str
    owner: str
    username: str = ""
    since: str = ""
    is_settled: bool = False
    others: list[list[str]] = field(default_factory=list[list[str]])

    @property
    def places(self) -> Iterator[tuple[str, str, str]]:
        """Of each place: who nobody is, and whose rows there are, by id and name."""
        yield self.nobody, self.owner, self.username
        yield from ((nobody, owner, username) for nobody, owner, username in self.others)


def hide(store: Store, owner: int, since: datetime | None = None) -> HiddenRows:
    """Begin: from here on rows may be written into the importer's place. What is newer than `since` does not leave."""
    with store.write(NOBODY, PURPOSE) as work:
        hidden, user = HiddenRows(owner, since or work.now), work.session.get_one(User, owner)
        hide_for(work, hidden, Owner(user.id, user.uid, user.username))
        return hidden


def hide_for(work: Work, hidden: HiddenRows, owner: Owner) -> None:
    """Make a place for rows of that user, unless there is one."""
    if owner.username in hidden.places:
        return
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
    known = "" if owner.key is None else owner.uid
    hidden.places[owner.username] = HiddenPlace(nobody.id or 0, uid, known, owner.username)
    _write_note(work, hidden)


def settle(work: Work, hidden: HiddenRows) -> None:
    """From the commit of this unit on the rows are to stay, whatever happens."""
    _write_note(work, replace(hidden, is_settled=True))


def _write_note(work: Work, hidden: HiddenRows) -> None:
    first, *others = hidden.places.values()
    rest = [[each.nobody, each.owner, each.username] for each in others]
    since = hidden.since.isoformat()
    note = _Note(first.nobody, first.owner, first.username, since, hidden.is_settled, rest)
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


def nobodys_uids(session: Session) -> list[str]:
    """The ids of the users under whom something is hidden."""
    left = session.get(StoreProperty, IMPORTING)
    return [] if left is None else [nobody for nobody, _, _ in _Note(**json.loads(left.value)).places]


def noted_rows(work: Work) -> HiddenRows | None:
    """What an import left whose process ended, with the keys that users have here; None where none did."""
    left = work.session.get(StoreProperty, IMPORTING)
    return None if left is None else _hidden_rows(work, _Note(**json.loads(left.value)))


def _hidden_rows(work: Work, note: _Note) -> HiddenRows:
    """What a note tells, with the keys that users have here."""
    places = {
        username: HiddenPlace(_key_of(work, User.uid == nobody) or 0, nobody, owner, username)
        for nobody, owner, username in note.places
    }
    [importer, *_] = places.values()
    since = datetime.fromisoformat(note.since) if note.since else work.now
    return HiddenRows(_owner(work, importer) or 0, since, places, note.is_settled)


def owners_of(work: Work, hidden: HiddenRows) -> dict[str, int]:
    """The keys of those whose rows they are to be and who are here, by name."""
    found = {name: _owner(work, each) for name, each in hidden.places.items()}
    return {name: key for name, key in found.items() if key is not None}


def _owner(work: Work, place: HiddenPlace) -> int | None:
    return _key_of(work, User.uid == place.owner) or _key_of(work, User.username == place.username)


def _key_of(work: Work, is_meant: Any) -> int | None:
    return work.session.exec(select(User.id).where(is_meant)).first()


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


def _run(work: Work, statement: Any) -> None:
    work.session.connection().execute(statement)
