"""To whom the records of a document belong here."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import cast

from sqlmodel import Session, col, select

from bigmind.core.operation import Caller, Mode, Role
from bigmind.people.tables import User
from bigmind.portable.format.records import UserRecord
from bigmind.portable.reader import not_an_export
from bigmind.portable.staging import StagedRecord, StagingDatabase


@dataclass(frozen=True, slots=True)
class Owner:
    """A user of this store. `key` is None for one who is not there yet: a plan writes nothing."""

    key: int | None
    uid: str
    username: str


Owners = dict[str | None, Owner]
"""The owner of the records that name this user of the document; None names nobody: whoever imports them."""


def may_handle_others(caller: Caller) -> bool:
    """Whether somebody brings in, or takes out, what belongs to others: an admin, and no agent of theirs."""
    return caller.role.includes(Role.ADMIN) and caller.is_person


def may_handle_knowledge(caller: Caller, mode: Mode) -> bool:
    """Whether somebody brings in what they did not promote: in a team as others' rows, else whoever reviews it."""
    return may_handle_others(caller) or (mode is Mode.PERSONAL and caller.role.includes(Role.CURATOR))


def caller_as_owner(session: Session, caller: Caller) -> Owner:
    """The caller."""
    user = session.get_one(User, caller.user_id)
    return Owner(caller.user_id, user.uid, user.username)


def users_named(session: Session, usernames: Iterable[str]) -> dict[str, Owner]:
    """Those of the names that are users here."""
    known = select(User).where(col(User.username).in_(list(usernames)))
    return {user.username: Owner(user.id, user.uid, user.username) for user in session.exec(known)}


def other_owners(session: Session, records: StagingDatabase) -> Owners:
    """The users of the document, as users here of the same names."""
    named = {row.uid: name for row, name in _usernames(records)}
    known = users_named(session, named.values())
    return {uid: known.get(name, Owner(None, uid, name)) for uid, name in named.items()}


def check_usernames(records: StagingDatabase) -> None:
    """Refuse two users of one name: the rows of both would belong to one user here."""
    numbers: dict[str, int] = {}
    for row, name in _usernames(records):
        first = numbers.setdefault(name, row.number)
        if first != row.number:
            raise not_an_export(f"is not right: records {first} and {row.number} of users have the same username")


def _usernames(records: StagingDatabase) -> Iterator[tuple[StagedRecord, str]]:
    for batch in records.batches("users"):
        yield from ((row, cast("UserRecord", records.record(row)).username) for row in batch)
