"""Jobs run on few threads, in their order; one that was begun is finished, also when nobody waits for it any more."""

import asyncio
import threading

import anyio
import pytest

from bigmind.operations.worker_threads import WorkerThreads

SECONDS = 20.0


def test_jobs_run_in_the_order_in_which_they_came() -> None:
    async def several() -> list[int]:
        threads, begun = WorkerThreads(1, "one"), list[int]()
        await asyncio.gather(*(threads.run(lambda number=number: begun.append(number)) for number in range(50)))
        return begun

    assert asyncio.run(several()) == list(range(50))


def test_no_more_run_at_once_than_there_are_threads() -> None:
    together, most, lock = [0], [0], threading.Lock()
    meet = threading.Barrier(3)

    def job() -> str:
        with lock:
            together[0] += 1
            most[0] = max(most[0], together[0])
        meet.wait(SECONDS)
        with lock:
            together[0] -= 1
        return threading.current_thread().name

    async def several() -> set[str]:
        threads = WorkerThreads(3, "reads")
        return {*await asyncio.gather(*(threads.run(job) for _ in range(12)))}

    names = asyncio.run(several())
    assert most == [3]
    assert len(names) == 3
    assert all(each.startswith("reads") for each in names)


def test_what_a_job_raises_is_raised_where_it_is_waited_for() -> None:
    def fails() -> None:
        raise LookupError("no")

    with pytest.raises(LookupError, match="no"):
        asyncio.run(WorkerThreads(1, "one").run(fails))
    with pytest.raises(RuntimeError, match="StopIteration"):
        asyncio.run(asyncio.wait_for(WorkerThreads(1, "one").run(lambda: next(iter(()))), SECONDS))


def test_for_who_was_cancelled_already_nothing_is_begun() -> None:
    done: list[str] = []

    async def cancelled() -> None:
        threads = WorkerThreads(1, "one")
        with anyio.CancelScope() as scope:
            scope.cancel()
            await threads.run(lambda: done.append("begun"))
        await threads.run(lambda: done.append("next"))

    anyio.run(cancelled)
    assert done == ["next"]


def test_closed_they_have_ended_and_what_waits_is_not_run() -> None:
    threads, begun, may_end, done = WorkerThreads(1, "closing"), threading.Event(), threading.Event(), list[str]()

    def long() -> None:
        begun.set()
        assert may_end.wait(SECONDS)
        done.append("long")

    async def several() -> None:
        tasks = [asyncio.create_task(threads.run(job)) for job in (long, lambda: done.append("waited"))]
        await anyio.to_thread.run_sync(begun.wait, SECONDS)
        asyncio.get_running_loop().call_later(0.05, may_end.set)
        await anyio.to_thread.run_sync(threads.close)
        await tasks[0]
        tasks[1].cancel()

    anyio.run(several)
    assert done == ["long"]
    assert not [each for each in threading.enumerate() if each.name.startswith("closing")]


@pytest.mark.parametrize("cancelled_by", ["asyncio", "anyio"])
def test_a_job_that_was_begun_is_waited_for_and_one_that_waits_is_not_run(cancelled_by: str) -> None:
    begun, may_end, done = threading.Event(), threading.Event(), list[str]()

    def long() -> None:
        begun.set()
        assert may_end.wait(SECONDS)
        done.append("long")

    async def cancelled(threads: WorkerThreads) -> None:
        others = asyncio.all_tasks()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(threads.run, long)
            await anyio.to_thread.run_sync(begun.wait, SECONDS)
            tasks.start_soon(threads.run, lambda: done.append("waited"))
            await anyio.wait_all_tasks_blocked()
            if cancelled_by == "anyio":
                tasks.cancel_scope.cancel()
            else:
                for each in asyncio.all_tasks() - others:
                    each.cancel()
            asyncio.get_running_loop().call_later(0.05, may_end.set)

    async def main() -> list[str]:
        threads = WorkerThreads(1, "one")
        await asyncio.wait_for(cancelled(threads), SECONDS)
        seen = [*done]  # the group ended: nothing of it goes on
        await threads.run(lambda: done.append("next"))
        return seen

    assert anyio.run(main) == ["long"]
    assert done == ["long", "next"]
