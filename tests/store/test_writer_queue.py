"""Who waits longest writes next; nobody writes beside another."""

import threading

import pytest

from bigmind.store.writer_queue import WriterQueue

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
