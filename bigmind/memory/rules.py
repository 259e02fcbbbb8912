"""Decisions of memory that need no store."""

from datetime import datetime, timedelta

from bigmind.core.operation import Caller
from bigmind.memory.tables import MemorySession

AUTO_CLOSE_AFTER = timedelta(hours=24)
AUTO_CLOSED = "[auto-closed — session exceeded 24h]"


def is_forgotten(started_at: datetime, now: datetime) -> bool:
    """Whether an open session has been open for so long that nobody will close it."""
    return now - started_at > AUTO_CLOSE_AFTER


def session_for_write(open_sessions: list[MemorySession], caller: Caller) -> MemorySession | None:
    """The session a write without a session id belongs to.

    Args:
        open_sessions: the caller's open sessions, newest first.
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
    return next((session for session in open_sessions if session.client == caller.client), None)
