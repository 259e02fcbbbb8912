"""Whether anything is kept of a project that a search names, and which names it may be a slip of."""

from difflib import get_close_matches
from typing import Any

from sqlalchemy import union
from sqlmodel import col, select

from bigmind.core.kind import Kind
from bigmind.core.plain_text import shortened
from bigmind.kinds import readable
from bigmind.memory.projects.names import folded
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.store.work import Work

MOST_NEAR = 3
LEAST_PART = 3
"""Characters of a piece of a name that tells which is meant."""
LONGEST_TOLD = 80


def unknown_project(work: Work, project: str | None) -> str:
    """What to say of a search that found nothing, where nothing that the caller may read is of its project.

    Empty where something is, where no project is named, and of the caller's own, which may be new.
    """
    if project is None or project == work.caller.project or is_known(work, project):
        return ""
    near = _near(project, _names(work))
    meant = f"Did you mean {' or '.join(map(_quoted, near))}? " if near else ""
    return f"Nothing is kept of a project {_quoted(project)}. {meant}Without project, all are searched."


def _quoted(name: str) -> str:
    return repr(shortened(name, LONGEST_TOLD))


def is_known(work: Work, project: str) -> bool:
    """Whether anything that the caller may read is of a project."""
    for kind in _wholes(work):
        of_it = select(kind.table.id).where(col(kind.table.project) == project, readable(work, kind))
        if work.session.exec(of_it.limit(1)).first() is not None:
            return True
    return _has_moment(work, project)


def _has_moment(work: Work, project: str) -> bool:
    """Whether a moment is of it whose session is of none; no index would find one among all of them."""
    apart = select(MemorySession.id).where(
        MemorySession.user_id == work.caller.user_id, col(MemorySession.project).is_(None)
    )
    of_it = select(Chunk.id).where(col(Chunk.session_id).in_(apart), Chunk.project == project)
    return work.session.exec(of_it.limit(1)).first() is not None


def _wholes(work: Work) -> list[Kind]:
    """What is searched, without parts: moments are of the project of their session, where it has one."""
    return [each for each in work.kinds.searched if not each.part_of]


def _names(work: Work) -> list[str]:
    """The projects of all that the caller may read."""
    parts: list[Any] = [_of(work, each) for each in _wholes(work)]
    named = union(*parts).subquery()
    return list(work.session.exec(select(named.c.project).order_by(named.c.project)))


def _of(work: Work, kind: Kind) -> Any:
    project: Any = kind.table.project
    return select(project).where(project.is_not(None), readable(work, kind))


def _near(project: str, names: list[str]) -> list[str]:
    """At most three names that are written like this one, with or without where they are hosted."""
    wanted, by_name = folded(project), {folded(each): each for each in names}
    written = {each: each for each in by_name} | {each.rpartition("/")[2]: each for each in by_name}
    close = [written[each] for each in get_close_matches(wanted, written, MOST_NEAR)]
    within = [each for each in by_name if len(wanted) >= LEAST_PART and wanted in each]
    return [by_name[each] for each in dict.fromkeys([*within, *close])][:MOST_NEAR]
