"""One name per project: what a short name or an alias means, for whom it is said.

The dispatcher asks here for each input that is marked as a project's name (`inputs.ProjectName`), and for the caller's
own project; nobody else needs to.
"""

from dataclasses import replace
from typing import Any

from sqlalchemy import bindparam
from sqlalchemy import select as columns
from sqlmodel import col

from bigmind.core.operation import Caller, Operation
from bigmind.memory.sessions.choice import current_session
from bigmind.memory.tables import MemorySession, ProjectAlias
from bigmind.operations.dispatch import NameResolver
from bigmind.operations.inputs import EVERY_PROJECT
from bigmind.store.driver_statements import first_row, limit_of
from bigmind.store.work import Work

_ALIAS: Any = columns(col(ProjectAlias.project)).where(
    col(ProjectAlias.user_id) == bindparam("user_id"), col(ProjectAlias.folded) == bindparam("folded")
)

_SESSIONS: Any = (
    columns(col(MemorySession.id))
    .where(col(MemorySession.user_id) == bindparam("user_id"), col(MemorySession.project) == bindparam("project"))
    .limit(limit_of(1))
)

PERSONAL = frozenset({"identity", "preference"})
"""Categories of facts that belong to the person and to no project."""


def canonical(work: Work, name: str) -> str:
    """The store's one name of the project that a name means for the caller.

    The last part of the caller's own project, or of the current session's, means that one; else a person may have
    joined the name to a project. Any other name is a project's own, and so is one that another conversation's project
    only ends with, once a session was opened under it: two folders may have the same name.
    """
    if _is_short_for(name, work.caller.project):
        return work.caller.project or name
    if (joined := _joined(work, name)) is not None:
        return joined
    session = current_session(work)
    project = session.project if session is not None else None
    if session is None or not project or name == project or not _is_short_for(name, project):
        return name
    connection = work.caller.connection
    is_anothers = connection is not None and session.connection != connection
    return name if is_anothers and _has_sessions(work, name) else project


class ProjectNames(NameResolver):
    """The store's one name for each project that a request names."""

    def caller(self, work: Work) -> Caller:
        """The caller, whose own project has the store's name for it."""
        caller = work.caller
        if not caller.project or (joined := _joined(work, caller.project)) is None:
            return caller
        return replace(caller, project=joined)

    def given(self, work: Work, operation: Operation, given: dict[str, Any]) -> dict[str, Any]:
        """An operation's input, with the store's name for each project that it names."""
        named = {name: given[name] for name in operation.projects if given.get(name)}
        found = {
            name: operation.projects[name] if value == EVERY_PROJECT else canonical(work, str(value))
            for name, value in named.items()
        }
        return {**given, **found} if found else given


def folded(name: str) -> str:
    """A name as it is compared."""
    return name.casefold()


def _joined(work: Work, name: str) -> str | None:
    """The project that a person joined a name to: asked of nearly every call, whose bridge or hook names its own."""
    work.transaction.flush()  # what the mapper holds back is seen
    alias = first_row(work, _ALIAS, {"user_id": work.caller.user_id, "folded": folded(name)})
    return alias.project if alias is not None else None


def _has_sessions(work: Work, name: str) -> bool:
    return first_row(work, _SESSIONS, {"user_id": work.caller.user_id, "project": name}) is not None


def _is_short_for(name: str, project: str | None) -> bool:
    """Whether a name is a project's own, or its last part or parts, in whatever case."""
    wanted = f"/{folded(project or '')}"
    return bool(project) and wanted.endswith(f"/{folded(name)}")
