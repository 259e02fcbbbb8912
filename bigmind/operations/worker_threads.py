"""Threads that run one job after another: whoever is done takes what waits longest, and sleeps where nothing does.

anyio hands each job to a thread that sleeps, even where another one is just done, and lets the loop go round once
before it: under load that takes a twentieth of the server's processor time (docs/performance.md).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from anyio import CancelScope

T = TypeVar("T")


class WorkerThreads:
    """At most so many threads, each made when it is needed first."""

    def __init__(self, most: int, name: str) -> None:
        """Start none yet; `name` is what they are called in a list of threads."""
        self._pool = ThreadPoolExecutor(most, thread_name_prefix=name)

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job on one of them, once those before it have begun.

        Raises:
            CancelledError: the caller's task was cancelled. A job that waited then is not run, one that had begun was
                waited for: its thread is free.
            What the job raises.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            try:
                result = job()
            except BaseException as error:  # noqa: BLE001 - raised where it is waited for, as it is
                loop.call_soon_threadsafe(_settle, answer, None, error)
            else:
                loop.call_soon_threadsafe(_settle, answer, result, None)

        running = self._pool.submit(work)
        try:
            return await answer
        except asyncio.CancelledError:
            await _ended(running)
            raise


def _settle(answer: "asyncio.Future[Any]", result: Any, error: BaseException | None) -> None:
    """Tell how a job ended, unless nobody waits any more. `asyncio.wrap_future` does it in three times the time."""
    if answer.cancelled():
        return
    if error is None:
        answer.set_result(result)
    else:
        answer.set_exception(error)


async def _ended(running: "Future[Any]") -> None:
    """Wait until a job has ended, or was taken back."""
    if not running.cancel():
        with CancelScope(shield=True):
            await asyncio.wait([asyncio.wrap_future(running)])
