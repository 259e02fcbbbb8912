"""What a replacing import takes away first: the caller's own rows, and no token."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from sqlalchemy import delete, func
from sqlmodel import Session, SQLModel, col, select

from bigmind.core.kind import Kind
from bigmind.core.progress import Phase
from bigmind.memory.tables import Knowledge, Profile, ProjectAlias, ProjectMove
from bigmind.portable.format.kind_records import owned_kinds
from bigmind.portable.staging import StagingDatabase
from bigmind.portable.verdicts import RESTED_ON, ImportContext, replaces_entry

AT_ONCE = 200


def clear(session: Session, about: ImportContext, phase: Phase, records: StagingDatabase) -> None:
    """Delete them; what belongs to a session goes with it. `phase` counts the rows.

    Of what others rest on, a row that the document tells anew stays, and is written anew where it is.
    """
    owner = about.caller.user_id
    for section, kind in reversed(owned_kinds(about.kinds).items()):  # what refers to others goes first
        # SQLite can undo each statement by itself, and keeps in memory what that takes.
        for some in _rows(session, kind, owner):
            stays = {key for key, uid in some if section in RESTED_ON and records.is_of(section, uid, about.mine)}
            _delete(session, kind.table, kind.key, [key for key, _ in some if key not in stays])
            phase.add(len(some))
    _delete(session, ProjectMove, "user_id", [owner])
    of_owner = sum(_delete(session, table, "user_id", [owner]) for table in (Profile, ProjectAlias))
    phase.add(of_owner + _delete(session, Knowledge, "id", _entries(session, about)))


def _rows(session: Session, kind: Kind, owner: int) -> Iterator[Sequence[tuple[int, str]]]:
    """The keys and ids of a user's rows, some at once."""
    query = select(kind.keys, kind.table.uid).where(kind.owners == owner).order_by(kind.keys).limit(AT_ONCE)
    last = 0
    while some := session.exec(query.where(kind.keys > last)).all():
        yield some
        last = some[-1][0]


def _delete(session: Session, table: type[SQLModel], column: str, keys: Sequence[int | None]) -> int:
    """How many rows there were."""
    rows = cast("Any", table).__table__
    return session.connection().execute(delete(rows).where(rows.c[column].in_(keys))).rowcount


def own_rows(session: Session, about: ImportContext) -> dict[str, int]:
    """How many rows of each section they are."""
    owner = about.caller.user_id
    owners = {"profiles": Profile.user_id, "project_names": ProjectAlias.user_id}
    owners |= {section: kind.owners for section, kind in owned_kinds(about.kinds).items()}
    counts = {
        section: session.exec(select(func.count()).where(col(column) == owner)).one()
        for section, column in owners.items()
    }
    return {**counts, "knowledge": len(_entries(session, about))}


def _entries(session: Session, about: ImportContext) -> list[int]:
    """The keys of the company knowledge that goes."""
    found = session.exec(select(Knowledge.id, Knowledge.promoted_by_id, Knowledge.status)).all()
    return [cast("int", key) for key, promoter, status in found if replaces_entry(about, promoter, status)]
