"""Years of audit rows: what is asked for all the time does not read them through."""

from collections.abc import Callable
from typing import Any

from bigmind.core.events import Action
from bigmind.maintenance.statistics import full_stats, stats
from bigmind.store.work import Work
from tests.memory.living import Memory

MANY = 2_000


def _add(memory: Memory, action: Action, number: int = MANY) -> None:
    with memory.mind.store.write(memory.caller, "test") as work:
        for each in range(number):
            work.changed("chunk", str(each), action)


def _steps(memory: Memory, asked: Callable[[Work], object]) -> int:
    """How many steps of ten of its machine SQLite takes for it."""
    counted = [0]

    def count() -> None:
        counted[0] += 1

    with memory.mind.store.read(memory.caller, "test") as work:
        connection: Any = work.session.connection().connection.driver_connection
        asked(work)  # whose statements are planned now
        connection.set_progress_handler(count, 10)
        try:
            asked(work)
        finally:
            connection.set_progress_handler(None, 0)
    return counted[0]


def _counts(work: Work) -> object:
    return stats(work, 0)


def test_the_counts_of_a_page_take_no_longer_for_old_changes(memory: Memory) -> None:
    before = _steps(memory, _counts)
    _add(memory, Action.FORGOTTEN)
    assert _steps(memory, _counts) < 2 * before
    with memory.mind.store.read(memory.caller, "test") as work:
        assert full_stats(work).forgotten == MANY
        assert stats(work, 0).forgotten is None, "what is not counted is not told as none"
