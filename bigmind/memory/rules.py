"""Decisions of memory that need no store."""

from datetime import datetime, timedelta

from bigmind.core.operation import Caller
from bigmind.memory.tables import MemorySession

AUTO_CLOSE_AFTER = timedelta(hours=24)
REPEATED_WITHIN = timedelta(hours=1)
"""A session of the same client and headline that ended so lately is meant again, not a new one."""

AUTO_CLOSED = "[auto-closed — session exceeded 24h]"


def is_forgotten(started_at: datetime, now: datetime) -> bool:
    """Whether an open session has been open for so long that nobody will close it."""
    return now - started_at > AUTO_CLOSE_AFTER


def session_for_write(open_sessions: list[MemorySession], caller: Caller) -> MemorySession | None:
    """The session a write without a session id belongs to.

    Args:
        open_sessions: the caller's open sessions, the likeliest first, then the newest; two of them tell enough.
        caller: who writes, over which connection.

    Returns:
        The session opened on the same connection, else the only open one, else the most recent of the same client;
        None when there is none to choose.
    """
    if caller.connection is not None:
        for session in open_sessions:
            if session.connection == caller.connection:
                return session
    if len(open_sessions) == 1:
        return open_sessions[0]
    by_name = next((each for each in open_sessions if each.client == caller.client), None)
    if by_name is not None or caller.connection is not None:
        return by_name
    # Without a connection, as in MCP 2026-07-28, the token says whose it is, whatever the client called itself.
    return next((each for each in open_sessions if each.token_id == caller.token_id), None)
