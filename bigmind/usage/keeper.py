"""Keeps in the store how clients use the memory: once a minute, when there was any use, and at a clean stop.

It also writes down when BigMind was paused.

Never one write per call. A process that is killed loses at most a minute of it. It is no memory: it is kept while
BigMind is paused, without a row in the log of changes and without an event.
"""

import logging
from collections import Counter
from datetime import datetime, timedelta

from sqlalchemy.exc import DBAPIError
from sqlmodel import col, delete, select

from bigmind.core.activity import ClientUsage
from bigmind.core.errors import BigMindError
from bigmind.core.periodic import PeriodicThread
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.store.store import Store
from bigmind.store.work import Work
from bigmind.usage.tables import ClientState, UsageDay
from bigmind.usage.usage_events import EventKind, note_event

log = logging.getLogger(__name__)

APART_SECONDS = 60.0
ENDING_SECONDS = 8.0
LONGEST_NAME = 120
LONGEST_PROJECT = 200
MOST_CLIENTS = 1_000
"""Of one user; a client that calls itself anew each time pushes out those that were served longest ago."""


class UseKeeper:
    """A thread that keeps what was counted. A failure is logged, and tried again."""

    def __init__(self, store: Store, apart: float = APART_SECONDS) -> None:
        """Prepare it; nothing runs yet.

        Args:
            store: in which it is kept.
            apart: seconds between two looks at whether there is anything to keep.
        """
        self._store = store
        self._thread = PeriodicThread("use", self._look, first=apart, apart=apart)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """End, and keep what is left; call it when nobody is served any more, before the store is closed."""
        self._thread.stop(ENDING_SECONDS)
        self._look()

    def _look(self) -> None:
        try:
            keep_pauses(self._store)
            keep_use(self._store)
        except (BigMindError, DBAPIError, *self._store.backend.faults.errors) as error:
            log.warning("how clients use the memory is kept later: %s", error)


def keep_use(store: Store) -> int:
    """Add what was counted to what is kept; returns for how many clients. Writes nothing where there is nothing.

    Raises:
        BigMindError: `storage_full` and others; what was counted is then still counted.
    """
    activity = store.host.activity
    if not (uses := activity.uses()):
        return 0
    with store.write(NOBODY, "keep_use") as work:
        users = set(work.session.exec(select(User.id)))
        added = Counter(each.user_id for each in uses if each.user_id in users and _add(work, each))
        work.session.flush()
        for user_id in added:
            _remove_oldest(work, user_id)
    activity.kept(uses)
    return len(uses)


def keep_pauses(store: Store) -> int:
    """Write down when it was paused and resumed; returns how often. Raises as `keep_use`."""
    activity = store.host.activity
    if not (pauses := activity.pauses()):
        return 0
    with store.write(NOBODY, "keep_use") as work:
        for each in pauses:
            kind = EventKind.PAUSED if each.paused else EventKind.RESUMED
            note_event(work, kind, at=work.now - timedelta(seconds=each.seconds_ago), client=each.place)
    activity.kept_pauses(len(pauses))
    return len(pauses)


def _add(work: Work, use: ClientUsage) -> bool:
    """Add to a client's row; whether there was none."""
    at, key = work.now - timedelta(seconds=use.seconds_ago), (use.user_id, use.client[:LONGEST_NAME])
    row = work.session.get(ClientState, key)
    is_new = row is None
    row = row or ClientState(user_id=use.user_id, client=key[1])
    row.last_at = max(at, row.last_at or at)
    row.calls += use.calls
    row.tokens += use.tokens
    work.session.add(row)
    _add_to_day(work, use, key[1], at)
    return is_new


def _add_to_day(work: Work, use: ClientUsage, client: str, at: datetime) -> None:
    """Add to the day on which it was served last: what is counted is kept once a minute."""
    key = (use.user_id, at.date().isoformat(), client, use.project[:LONGEST_PROJECT])
    row = work.session.get(UsageDay, key) or UsageDay(user_id=key[0], day=key[1], client=key[2], project=key[3])
    row.calls, row.tokens = row.calls + use.calls, row.tokens + use.tokens
    row.sources, row.spared = row.sources + use.sources, row.spared + use.spared
    work.session.add(row)


def _remove_oldest(work: Work, user_id: int) -> None:
    """Those that a person chose toolsets for stay."""
    superfluous = (
        select(ClientState.client)
        .where(ClientState.user_id == user_id, ClientState.toolsets == "")
        .order_by(col(ClientState.last_at).desc())
        .offset(MOST_CLIENTS)
    )
    names = list(work.session.exec(superfluous))
    if names:
        work.session.exec(
            delete(ClientState).where(col(ClientState.user_id) == user_id, col(ClientState.client).in_(names))
        )
