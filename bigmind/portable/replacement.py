"""What a replacing import takes away first: the caller's own rows, and no token."""

from collections.abc import Sequence
from typing import Any, cast

from sqlalchemy import delete, func
from sqlmodel import Session, SQLModel, col, select

from bigmind.core.progress import Phase
from bigmind.memory.tables import Knowledge, Profile, ProjectAlias, ProjectMove
from bigmind.portable.format.kind_records import owned_kinds
from bigmind.portable.verdicts import ImportContext, replaces_entry

AT_ONCE = 200


def clear(session: Session, about: ImportContext, phase: Phase) -> None:
    """Delete them; what belongs to a session goes with it. `phase` counts the rows."""
    owner = about.caller.user_id
    for kind in reversed(owned_kinds(about.kinds).values()):  # what refers to others goes first
        keys = select(kind.keys).where(kind.owners == owner).limit(AT_ONCE)
        # SQLite can undo each statement by itself, and keeps in memory what that takes.
        while some := session.exec(keys).all():
            _delete(session, kind.table, kind.key, some)
            phase.add(len(some))
    _delete(session, ProjectMove, "user_id", [owner])
    of_owner = sum(_delete(session, table, "user_id", [owner]) for table in (Profile, ProjectAlias))
    phase.add(of_owner + _delete(session, Knowledge, "id", _entries(session, about)))


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
