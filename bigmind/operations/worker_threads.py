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
        running = self._pool.submit(job)
        try:
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            await _ended(running)
            raise


async def _ended(running: "Future[Any]") -> None:
    """Wait until a job has ended, or was taken back."""
    with CancelScope(shield=True):
        while not running.cancel() and not running.done():
            await asyncio.wait([asyncio.wrap_future(running)])
