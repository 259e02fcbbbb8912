"""The turn of what takes long: one at a time, ended when who asked for it says so, or is gone."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

import anyio
import anyio.to_thread
from anyio import CapacityLimiter, WouldBlock

from bigmind.core.errors import BigMindError
from bigmind.core.progress import Cancellation, Progress

T = TypeVar("T")

GONE = "Who asked for it is gone."
TOLD = "It was told to stop."
LOOKS_APART_SECONDS = 0.05


class LongWork:
    """Runs it on a thread of its own, so that it holds up no reader and no writer."""

    def __init__(self) -> None:
        """Nothing is under way yet."""
        self._title = ""
        self._turn = CapacityLimiter(1)
        self._waiting = dict[Cancellation, int]()
        self._had_it = dict[int, int]()
        self._threads = CapacityLimiter(1)

    async def run(
        self, user: int, title: str, job: Callable[[], T], progress: Progress, cancellation: Cancellation
    ) -> T:
        """Run a user's job of that title when nothing else of its kind runs any more.

        `progress` is told what it waits for. Whose last turn was longest ago is next, however many jobs others have.
        Where the caller's task is cancelled, the job is told to stop, and waited for.

        Raises:
            CancelledError: when it was told to stop, also while it waited; else what the job raises.
        """
        self._waiting[cancellation] = user
        try:
            await self._take_turn(progress, cancellation)
        finally:
            del self._waiting[cancellation]
        self._had_it[user] = max(self._had_it.values(), default=0) + 1
        self._title = title
        try:
            return await self._followed(job, cancellation)
        finally:
            self._turn.release_on_behalf_of(cancellation)

    async def _take_turn(self, progress: Progress, cancellation: Cancellation) -> None:
        while True:
            cancellation.check()
            if self._next() is cancellation:
                with suppress(WouldBlock):
                    self._turn.acquire_on_behalf_of_nowait(cancellation)
                    return
            progress(0, 0, f"Waiting until something else is done: {self._title}")
            await anyio.sleep(LOOKS_APART_SECONDS)

    def _next(self) -> Cancellation:
        """Whose turn it is when what runs has ended: of one user's jobs, the first that came."""
        return min(self._waiting, key=lambda each: self._had_it.get(self._waiting[each], 0))

    async def _followed(self, job: Callable[[], T], cancellation: Cancellation) -> T:
        # A task group wraps what its body raises; what the job raises goes around it.
        fault: BaseException | None = None
        done: list[T] = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_stop_when_cancelled, cancellation)
            try:
                done.append(await anyio.to_thread.run_sync(job, limiter=self._threads))
            except (BigMindError, Exception) as error:  # noqa: BLE001 - raised below as it is
                fault = error
            tasks.cancel_scope.cancel()
        if fault is not None:
            raise fault
        return done[0]


async def _stop_when_cancelled(cancellation: Cancellation) -> None:
    """Wait until this task is cancelled: at once where whoever waits for the job is, else when it is done."""
    try:
        await anyio.sleep_forever()
    finally:
        cancellation.cancel(GONE)
