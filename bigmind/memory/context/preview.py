"""What the next conversation of an assistant would start with, for a person to see beforehand."""

from dataclasses import replace
from typing import Any

from sqlalchemy import func, union_all
from sqlmodel import col, select

from bigmind.core.client_names import agent_of
from bigmind.memory.context.block import ContextBlock
from bigmind.memory.context.builder import block_of_start
from bigmind.memory.lookup import of_agent
from bigmind.memory.tables import Fact, MemorySession
from bigmind.store.work import Work


def preview(work: Work, client: str, project: str | None) -> ContextBlock:
    """The block that a new conversation of one of the caller's clients starts with, byte for byte but its minute.

    Args:
        work: reads only.
        client: the assistant's name.
        project: where it works; None: nowhere in particular.
    """
    caller = replace(
        work.caller, client=_as_stored(work, client), project=project, connection=None, token_id=0, is_person=False
    )
    seen_by = replace(work, caller=caller)
    return block_of_start(seen_by, project)


def _as_stored(work: Work, client: str) -> str:
    """How a client is called in what it stored last: with what it claims; as it is, when it stored nothing yet."""
    its = of_agent(MemorySession.client, agent_of(client))
    newest = select(MemorySession.client).where(MemorySession.user_id == work.caller.user_id, its)
    return work.session.exec(newest.order_by(col(MemorySession.started_at).desc()).limit(1)).first() or client


def known_projects(work: Work, limit: int) -> list[str]:
    """The projects of the caller's sessions and facts, those of the most first; at most `limit`."""
    tables: tuple[Any, ...] = (MemorySession, Fact)
    mine = work.caller.user_id
    parts: list[Any] = [
        select(table.project).where(table.user_id == mine, table.project.is_not(None)) for table in tables
    ]
    named = union_all(*parts).subquery()
    by_number = select(named.c.project).group_by(named.c.project).order_by(func.count().desc(), named.c.project)
    return list(work.session.exec(by_number.limit(limit)))


def newest_project(work: Work) -> str | None:
    """The project of the caller's newest session that has one."""
    mine = (MemorySession.user_id == work.caller.user_id, col(MemorySession.project).is_not(None))
    newest = select(MemorySession.project).where(*mine).order_by(col(MemorySession.started_at).desc()).limit(1)
    return work.session.exec(newest).first()
