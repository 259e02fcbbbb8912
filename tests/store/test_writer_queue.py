"""Who waits longest writes next; nobody writes beside another."""

import threading
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.people.service import NOBODY
from bigmind.store.writer_queue import WriterQueue
from tests.memory.living import living

WRITERS = 5


def test_it_is_handed_on_in_the_order_in_which_it_was_asked_for() -> None:
    queue, order, threads = WriterQueue(), list[int](), list[threading.Thread]()

    def take(number: int) -> None:
        with queue:
            order.append(number)

    with queue:
        for number in range(WRITERS):
            threads.append(threading.Thread(target=take, args=(number,)))
            threads[-1].start()
            while queue.waiting <= number:
                pass
        assert order == []
    with queue:  # behind all of them
        assert order == list(range(WRITERS))
    for each in threads:
        each.join()
    assert queue.waiting == 0


def test_only_one_has_it_at_a_time() -> None:
    queue, inside, most = WriterQueue(), 0, 0

    def take() -> None:
        nonlocal inside, most
        for _ in range(200):
            with queue:
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=take) for _ in range(WRITERS)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert most == 1


def test_it_is_given_back_by_a_block_that_raises() -> None:
    queue = WriterQueue()
    with pytest.raises(ZeroDivisionError), queue:
        _ = 1 / 0
    with queue:
        assert queue.waiting == 0


def test_who_does_not_want_to_wait_any_longer_leaves_the_queue() -> None:
    queue = WriterQueue()
    with queue:
        assert not queue.take(0.0)
        assert queue.waiting == 0
    assert queue.take(0.0)
    queue.give_back()


def test_who_waited_for_a_minute_is_told_for_what(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bigmind.store.store.MOST_WAITED_SECONDS", 0.0)
    with living(home) as memory:
        store = memory.mind.store
        refused = pytest.raises(BigMindError, match="busy with “Import a memory”")
        with store.host.activity.long("Import a memory"), store.alone(), refused as error, store.write(NOBODY, "test"):
            pass
        assert error.value.code is Code.UNAVAILABLE
        memory("memory_store_fact", fact="It goes on.", category="decision")
