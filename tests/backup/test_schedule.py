"""Backups by themselves: when one is due, and a thread that makes it and survives what goes wrong."""

import logging
import threading
from collections.abc import Iterator
from datetime import timedelta

import pytest

from bigmind.backup.files import newest_in
from bigmind.backup.restore_offer import offer
from bigmind.backup.schedule import Schedule
from bigmind.backup.service import backups, is_due, state
from tests.backup.keeping import backup, folder_of, rows_of
from tests.memory.living import Memory

DAY = timedelta(days=1)


def change(memory: Memory) -> None:
    memory("memory_update_profile", role="still the keeper")


def test_the_first_is_due_at_once_and_the_next_after_a_day_with_changes(memory: Memory) -> None:
    schedule = Schedule(memory.mind.store, DAY)
    first = schedule.look()
    assert first is not None
    assert first.reason == "scheduled"
    memory.clock.forward(hours=23, minutes=59)
    change(memory)
    assert schedule.look() is None
    memory.clock.forward(minutes=1)
    assert schedule.look() is not None
    assert [each.problem for each in backups(memory.mind.store)] == ["", ""]


def test_nothing_is_due_while_nothing_changes(memory: Memory) -> None:
    schedule = Schedule(memory.mind.store, DAY)
    assert schedule.look() is not None
    memory.clock.forward(days=90)
    assert schedule.look() is None
    change(memory)
    assert schedule.look() is not None


def test_backups_for_other_reasons_do_not_put_it_off(memory: Memory) -> None:
    backup(memory)
    backup(memory, "before-import")
    assert is_due(memory.mind.store, DAY)


def test_a_backup_dated_in_the_future_does_not_put_it_off_for_ever(memory: Memory) -> None:
    schedule = Schedule(memory.mind.store, DAY)
    memory.clock.forward(days=400)
    assert schedule.look() is not None
    memory.clock.forward(days=-400)  # the clock had been wrong
    change(memory)
    assert schedule.look() is not None
    change(memory)
    assert schedule.look() is None  # and not at every look


def test_one_dated_in_the_future_is_not_taken_for_the_newest(memory: Memory) -> None:
    memory.clock.forward(days=400)
    ahead = backup(memory)
    memory.clock.forward(days=-400)  # the clock had been wrong
    assert state(memory.mind.store).newest == ahead  # where there is no other
    change(memory)
    right = backup(memory)
    assert state(memory.mind.store).newest == right
    found = offer(memory.mind.store)
    assert found is not None
    assert found.backup == right
    newest = newest_in(folder_of(memory), memory.clock())
    assert newest is not None
    assert newest.info == right
    memory.clock.forward(days=4)
    assert "backup_old" in {each.code for each in memory("memory_health_check").findings}


def test_a_damaged_one_does_not_count(memory: Memory) -> None:
    schedule = Schedule(memory.mind.store, DAY)
    made = schedule.look()
    assert made is not None
    with (folder_of(memory) / made.name).open("ab") as file:
        file.truncate(100)
    assert schedule.look() is not None


def test_an_interval_of_zero_switches_it_off(memory: Memory) -> None:
    before = set(threading.enumerate())
    schedule = Schedule(memory.mind.store, timedelta(0))
    schedule.start()
    assert set(threading.enumerate()) <= before  # one that another test left may end meanwhile
    schedule.stop()


class Told(logging.Handler):
    """Hears what is logged of backups."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[str] = []
        self._more = threading.Condition()

    def emit(self, record: logging.LogRecord) -> None:
        with self._more:
            self.heard.append(record.getMessage())
            self._more.notify_all()

    def wait_for(self, text: str, times: int = 1) -> None:
        with self._more:
            assert self._more.wait_for(lambda: sum(text in each for each in self.heard) >= times, 60), self.heard


@pytest.fixture
def told() -> Iterator[Told]:
    log, handler = logging.getLogger("bigmind.backup"), Told()
    before = log.level
    log.addHandler(handler)
    log.setLevel(logging.INFO)
    yield handler
    log.removeHandler(handler)
    log.setLevel(before)


def test_the_thread_makes_a_backup_and_ends_when_it_is_told_to(memory: Memory, told: Told) -> None:
    schedule = Schedule(memory.mind.store, DAY, first_look=0)
    schedule.start()
    told.wait_for("verified")
    schedule.stop()
    assert not [each for each in threading.enumerate() if each.name == "backups"]
    [made] = backups(memory.mind.store)
    assert made.info is not None
    assert made.info.reason == "scheduled"


def test_a_failing_backup_is_logged_noted_and_tried_again(memory: Memory, told: Told) -> None:
    folder = folder_of(memory)
    folder.write_text("a file where the folder should be")
    before = rows_of(memory.mind.store.path)
    schedule = Schedule(memory.mind.store, DAY, first_look=0, looks_apart=0.01)
    schedule.start()
    told.wait_for("tried again", times=3)
    failure = state(memory.mind.store).failure
    assert failure is not None
    assert failure.reason == "scheduled"
    folder.unlink()
    told.wait_for("verified")
    schedule.stop()
    assert state(memory.mind.store).failure is None
    assert rows_of(memory.mind.store.path) == before
