"""Threads that run one job after another: whoever is done takes what waits longest, and sleeps where nothing does.

anyio hands each job to a thread that sleeps, even where another one is just done, and lets the loop go round once
before it: under load that takes 4 of a hundred of the server's processor time (docs/performance.md).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from anyio import CancelScope
from anyio.lowlevel import checkpoint_if_cancelled

T = TypeVar("T")


class WorkerThreads:
    """At most so many threads, each made when it is needed first."""

    def __init__(self, most: int, name: str) -> None:
        """Start none yet; `name` is what they are called in a list of threads."""
        self._pool = ThreadPoolExecutor(most, thread_name_prefix=name)

    def close(self) -> None:
        """End the threads, once what they have begun has ended; what waits is not run."""
        self._pool.shutdown(cancel_futures=True)

    async def run(self, job: Callable[[], T]) -> T:
        """Run a job on one of them, once those before it have begun.

        Raises:
            CancelledError: the caller was cancelled. A job that waited then is not run; one that had begun was waited
                for, unless the task is cancelled once more, and how it ended is told to nobody.
            What the job raises; a RuntimeError for a StopIteration, which cannot be told.
        """
        await checkpoint_if_cancelled()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[T] = loop.create_future()

        def work() -> None:
            try:
                result = job()
            except StopIteration as error:
                loop.call_soon_threadsafe(_settle, answer, None, RuntimeError(f"a job raised {error!r}"))
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
    """Tell how a job ended, unless nobody waits any more. With `asyncio.wrap_future` the loop takes a tenth longer."""
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
