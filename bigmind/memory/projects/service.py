"""Use cases of aliases: a person joins another name to a project, and what is stored under it moves along."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from sqlalchemy import delete, insert, literal, select, update
from sqlalchemy.engine import CursorResult
from sqlmodel import col
from sqlmodel import select as rows_of

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action, Kind
from bigmind.memory.facts.history import FactAction
from bigmind.memory.projects.answers import AliasList, AliasRow, JoinedAlias, PartedAlias
from bigmind.memory.projects.known import is_known
from bigmind.memory.projects.names import folded
from bigmind.memory.tables import (
    Conversation,
    Fact,
    FactEvent,
    ProjectAlias,
    ProjectMove,
)
from bigmind.store.types import Moment
from bigmind.store.work import Work


def _named(work: Work) -> dict[str, Any]:
    """The tables of what goes back when an alias is undone, by the names of their kinds."""
    return {each.name: each.table for each in work.kinds.owned if not each.is_single}


def aliases(work: Work) -> AliasList:
    """The caller's aliases, by name."""
    mine = rows_of(ProjectAlias).where(ProjectAlias.user_id == work.caller.user_id).order_by(col(ProjectAlias.folded))
    return AliasList(aliases=[AliasRow(alias=each.name, project=each.project) for each in work.session.exec(mine)])


def join(work: Work, alias: str, project: str) -> JoinedAlias:
    """Let a name mean a project from now on; what is stored under the name moves there.

    Raises:
        BigMindError: `invalid_input`, when both are one name; `conflict`, when the name means a project already, or is
            one that other names mean.
    """
    known = work.session.get(ProjectAlias, (work.caller.user_id, folded(project)))
    target = known.project if known is not None else project
    if folded(alias) == folded(target):
        raise invalid("alias", alias, f"another name than the project's, {target}")
    _refuse_second_meaning(work, alias, target)
    row = ProjectAlias(user_id=work.caller.user_id, folded=folded(alias), name=alias, project=target, at=work.now)
    work.session.merge(row)
    moved = _moved_there(work, row, row.user_id)
    _tell(work)
    return JoinedAlias(alias=alias, project=target, moved=moved, is_known=bool(moved) or is_known(work, target))


def part(work: Work, alias: str) -> PartedAlias:
    """Undo `join`: what was stored under the name before goes back to it; what came since stays.

    Raises:
        BigMindError: `not_found`.
    """
    row = work.session.get(ProjectAlias, (work.caller.user_id, folded(alias)))
    if row is None:
        raise BigMindError(Code.NOT_FOUND, f"No alias is called {alias}.", "project_list_aliases shows them.")
    moved = _moved_back(work, row)
    moves: Any = ProjectMove
    _run(work, delete(moves).where(moves.user_id == row.user_id, moves.folded == row.folded))
    work.session.delete(row)
    _tell(work)
    return PartedAlias(alias=row.name, project=row.project, moved=moved)


def bring_together(work: Work, aliases_of: Mapping[int, int]) -> None:
    """Move what came to be stored under users' aliases, as an import may, to the projects that they mean.

    Args:
        work: the unit of work.
        aliases_of: for each user whose rows are moved, whose aliases count; rows may still stand under nobody.
    """
    holders: dict[int, list[int]] = defaultdict(list)
    for holder, user in aliases_of.items():
        holders[user].append(holder)
    for row in work.session.exec(rows_of(ProjectAlias).where(col(ProjectAlias.user_id).in_(holders))).all():
        for holder in holders[row.user_id]:
            _moved_there(work, row, holder)


def _refuse_second_meaning(work: Work, alias: str, project: str) -> None:
    known = work.session.get(ProjectAlias, (work.caller.user_id, folded(alias)))
    if known is not None and known.project != project:
        raise BigMindError(Code.CONFLICT, f"{alias} means {known.project} already.", "Undo that first.")
    mine = rows_of(ProjectAlias).where(ProjectAlias.user_id == work.caller.user_id)
    meant = next((each for each in work.session.exec(mine) if folded(each.project) == folded(alias)), None)
    if meant is not None:
        raise BigMindError(Code.CONFLICT, f"{meant.name} means {alias} already.", "Undo that first.")


def _moved_there(work: Work, row: ProjectAlias, holder: int) -> int:
    """Move what that user has under the name, and note what, so that it can go back; how many there were."""
    moved = 0
    for kind, table in _named(work).items():
        under = (table.user_id == holder, table.project == row.name)
        what = select(literal(row.user_id), literal(row.folded), literal(kind), table.uid)
        what = what.where(*under, table.uid.not_in(_noted(row, kind)))
        _run(work, insert(ProjectMove).from_select(["user_id", "folded", "kind", "uid"], what))
        moved += _put(work, table, under, row.name, row.project)
    talks: Any = Conversation
    _run(work, update(talks).where(talks.user_id == holder, talks.project == row.name).values(project=row.project))
    for each in (each for each in work.kinds if each.is_everybodys):
        mine = (each.owners == holder, each.table.project == row.name)
        moved += _run(work, update(each.table).where(*mine).values(project=row.project))
    return moved


def _moved_back(work: Work, row: ProjectAlias) -> int:
    moved = 0
    for kind, table in _named(work).items():
        which = (table.user_id == row.user_id, table.project == row.project, table.uid.in_(_noted(row, kind)))
        moved += _put(work, table, which, row.project, row.name)
    return moved


def _noted(row: ProjectAlias, kind: str) -> Any:
    """The ids of what was stored under the name before it was joined."""
    moves: Any = ProjectMove
    return select(moves.uid).where(moves.user_id == row.user_id, moves.folded == row.folded, moves.kind == kind)


def _put(work: Work, table: Any, which: tuple[Any, ...], before: str, project: str) -> int:
    """Write another project into some rows; a fact's history tells of it."""
    if table is Fact:
        facts: Any = Fact
        action = literal(FactAction.MOVED.value)
        told = (literal(work.now, Moment), literal(work.caller.client), action, literal(f"project was: {before}"))
        what = select(facts.id, *told, facts.confidence).where(*which)
        columns = ["fact_id", "at", "client", "action", "reason", "confidence"]
        _run(work, insert(FactEvent).from_select(columns, what))
    return _run(work, update(table).where(*which).values(project=project))


def _run(work: Work, statement: Any) -> int:
    done: CursorResult[Any] = work.session.connection().execute(statement)
    return done.rowcount


def _tell(work: Work) -> None:
    for kind in (Kind.FACT, Kind.SESSION):
        work.changed(kind, "projects", Action.UPDATED)
