"""Who waits for the one turn of what takes long, and in which order it comes."""

import threading

import anyio
import pytest
from anyio.abc import TaskGroup

from bigmind.core.progress import Cancellation, nobody_waits
from bigmind.operations.long_work import LongWork

MALLORY, BOB = 2, 3


class Job:
    """One that runs until it is let go."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self) -> None:
        self.begun.set()
        self.may_end.wait(30)

    async def begin(self, work: LongWork, tasks: TaskGroup, user: int) -> None:
        """Run it for a user; returns when it has begun."""
        tasks.start_soon(work.run, user, "Import", self, nobody_waits, Cancellation())
        await anyio.to_thread.run_sync(self.begun.wait, 30)


@pytest.mark.anyio
async def test_a_user_with_many_jobs_keeps_another_waiting_for_one_of_them() -> None:
    """The next was whoever looked first: behind a hundred imports of one member another's export waited for most."""
    work, first, done = LongWork(), Job(), list[int]()

    async def run(user: int) -> None:
        await work.run(user, "Import", lambda: done.append(user), nobody_waits, Cancellation())

    async with anyio.create_task_group() as tasks:
        await first.begin(work, tasks, MALLORY)
        for _ in range(10):
            tasks.start_soon(run, MALLORY)
        tasks.start_soon(run, BOB)
        await anyio.wait_all_tasks_blocked()
        first.may_end.set()
    assert done == [BOB, *[MALLORY] * 10]


@pytest.mark.anyio
async def test_who_stops_waiting_holds_up_nobody() -> None:
    work, first, stopped = LongWork(), Job(), Cancellation()

    async with anyio.create_task_group() as tasks:
        await first.begin(work, tasks, MALLORY)
        async with anyio.create_task_group() as gone:
            gone.start_soon(work.run, BOB, "Import", list, nobody_waits, stopped)
            await anyio.wait_all_tasks_blocked()
            gone.cancel_scope.cancel()
        first.may_end.set()
        await work.run(MALLORY, "Import", list, nobody_waits, Cancellation())
