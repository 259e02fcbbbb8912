"""A judge that trusts no word of the program: it reads the rows after each step, and remembers what it saw when.

`ledger_judge` reads a whole store afterwards.
"""

from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from bigmind.store.sqlite.snapshots import connected
from tests.work.ledger_judge import ANSWERED, STORED, ViolationError, judge_ledger
from tests.work.office import Office, Worker

LEASE = timedelta(hours=2)
WORKED_ON = ("review", "approval", "testing", "approved", "complete")
_MOVED = """
SELECT id, state, holder, title, process FROM work_item
WHERE uid IN (SELECT item_uid FROM work_ledger WHERE number > ?) ORDER BY id
"""


@dataclass
class Seen:
    """An item, as the judge saw it last, and the newest question to the brain at that time."""

    state: str
    holder: str
    title: str
    since_state: int
    since_title: int
    claimed_at: int = 0
    heard_of_holder: datetime | None = None


@dataclass
class StepJudge:
    """Remembers, and objects. It has a connection of its own, and looks only at what the ledger has a new row of.

    What changed without one is found at the end, where every item is compared with its rows.
    """

    office: Office
    items: dict[int, Seen] = field(default_factory=dict[int, Seen])
    spent: set[tuple[str, str]] = field(default_factory=set[tuple[str, str]])
    heads: dict[int, str] = field(default_factory=dict[int, str])
    """The newest rows of the ledger, as they were seen."""
    passed: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        self._connection = connected(self.office.memory.mind.store.path, read_only=True)
        self._version, self._newest_row = -1, 0

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        return self._connection.execute(statement, values).fetchall()

    def begin(self) -> None:
        """Take what stands now as it is."""
        for key, state, holder, title in self.rows("SELECT id, state, holder, title FROM work_item"):
            self.items[key] = Seen(state, holder, title, 0, 0)
        self.spent = {
            (kind, str(key))
            for kind, key in self.rows(
                "SELECT e.kind, q.id FROM work_evidence e JOIN brain_query q ON e.uid IN (q.uid, q.thought_uid)"
            )
        }

    def look(self, by: Worker, *, has_called: bool) -> None:
        """Judge what stands now against what stood before the step that `by` made; whether that was a call of it."""
        now = self.office.memory.clock.now
        [[version]] = self.rows("PRAGMA data_version")  # another number once somebody else committed
        if version != self._version:
            self._version = version
            [[newest]] = self.rows("SELECT coalesce(max(id), 0) FROM brain_query")
            for key, *found in self.rows(_MOVED, self._newest_row):
                self._look_at(key, tuple(found), newest, by)
            self._look_at_ledger()
        for seen in self.items.values() if has_called else ():
            if seen.holder == by.name:
                seen.heard_of_holder = now

    def _look_at_ledger(self) -> None:
        [[number, digest]] = self.rows("SELECT number, digest FROM work_ledger ORDER BY number DESC LIMIT 1") or [
            (0, "")
        ]
        if number < self._newest_row:
            raise ViolationError("a row of the ledger vanished")
        self._newest_row, self.heads[number] = number, digest

    def _look_at(self, key: int, found: tuple[str, str, str, str], newest: int, by: Worker) -> None:
        state, holder, title, process = found
        before = self.items.get(key)
        if before is None:
            if state not in {"pending", "backlog"} and not by.memory.caller.presence.is_in_person:
                raise ViolationError(f"item {key} began in {state}")
            self.items[key] = Seen(state, holder, title, newest, newest)
            return
        if (state, holder) != (before.state, before.holder):
            self._moved(key, before, (state, holder, process), by)
            self.passed[f"{before.state} {state}"] += 1
            is_pause = "blocked" in (state, before.state)
            before.since_state = before.since_state if is_pause else newest
            if state == "active" and not is_pause:
                before.claimed_at = newest
            before.state, before.holder = state, holder
        if title != before.title:
            before.title, before.since_title = title, newest

    def _moved(self, key: int, before: Seen, found: tuple[str, str, str], by: Worker) -> None:
        state, holder, process = found
        if before.state == "blocked" or state == "blocked":
            if before.state == "blocked" and holder != before.holder:
                raise ViolationError(f"item {key} changed hands while it was blocked")
            return
        if state == "active":
            self._claimed(key, before, holder, by)
        if before.state == "active" and state in WORKED_ON and state != "testing":
            self._spend(key, before, by, "thought", before.claimed_at)
        if state == "complete" and process != "node" and not by.memory.caller.presence.is_in_person:
            raise ViolationError(f"item {key} was completed without a person")

    def _claimed(self, key: int, before: Seen, holder: str, by: Worker) -> None:
        if holder != by.name:
            raise ViolationError(f"{by.name} made {holder} the holder of item {key}")
        if before.state == "active":
            heard = before.heard_of_holder
            if heard is not None and self.office.memory.clock.now < heard + LEASE:
                raise ViolationError(f"item {key} was held by {before.holder} and taken by {holder}")
        since = before.since_title if before.state == "active" else max(before.since_state, before.since_title)
        self._spend(key, before, by, "question", since)

    def _spend(self, key: int, before: Seen, by: Worker, kind: str, since: int) -> None:
        """There is an event of that agent, after that row, which no other move rested on; it is spent now."""
        wanted = ANSWERED if kind == "question" else STORED
        client = by.memory.caller.client
        found = self.rows(f"SELECT id FROM brain_query WHERE client = ? AND id > ? AND {wanted}", client, since)
        named = "uid" if kind == "question" else "thought_uid"
        free = [row for (row,) in found if (kind, str(row)) not in self.spent]
        if not free:
            raise ViolationError(f"item {key} went from {before.state} to its next state without a {kind} of {by.name}")
        used = self.rows(
            f"SELECT q.id FROM work_evidence e JOIN brain_query q ON q.{named} = e.uid WHERE e.kind = ?"
            " ORDER BY e.ledger_number DESC LIMIT 1",
            kind,
        )
        if not used or used[0][0] not in free:
            raise ViolationError(f"item {key} rests on a {kind} that was spent, is another's, or came too early")
        self.spent.add((kind, str(used[0][0])))

    def close(self) -> None:
        """The chain holds together, has every row that was ever seen, and nothing in it was moved without its event."""
        kept = dict(self.rows("SELECT number, digest FROM work_ledger"))
        if any(kept.get(number, "") != digest for number, digest in self.heads.items()):
            raise ViolationError("a row of the ledger is not what it was")
        judge_ledger(self._connection)
        self._connection.close()
