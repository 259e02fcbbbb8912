"""A part of the application that is loaded when it is first asked for, and then runs as long as the application."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Generic, Protocol, TypeVar

import anyio
import anyio.to_thread

from bigmind.core.errors import BigMindError, Code


class Runs(Protocol):
    """What is entered once, and left when the application ends."""

    def run(self) -> AbstractAsyncContextManager[None]:
        """Its life."""
        ...


Part = TypeVar("Part", bound=Runs)


class LateStart(Generic[Part]):
    """Makes a part on a thread, once, and keeps it running. Runs once: build a new one for a new server."""

    def __init__(self, load: Callable[[], Part], fail: Callable[[Exception], BigMindError]) -> None:
        """Prepare it.

        Args:
            load: makes the part; called on a thread.
            fail: is told why that failed, and says it to each who asks.
        """
        self._load = load
        self._fail = fail
        self._failure: Exception | None = None
        self._wanted, self._ready = anyio.Event(), anyio.Event()
        self._is_over = False
        self.part: Part | None = None
        """The part, while it runs."""

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Keep it running, from when it is wanted to the end of the block."""
        over = anyio.Event()
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._serve, over)
            try:
                yield
            finally:
                self._is_over = True
                over.set()
                self._wanted.set()

    async def get(self) -> Part:
        """The part, loaded now where it was not.

        Raises:
            BigMindError: when it cannot be loaded, or the application is ending.
        """
        self._wanted.set()
        await self._ready.wait()
        if self._failure is not None:
            raise self._fail(self._failure)
        if self.part is None:
            raise BigMindError(Code.UNAVAILABLE, "BigMind is ending.", "Start it again.")
        return self.part

    async def _serve(self, over: anyio.Event) -> None:
        await self._wanted.wait()
        try:
            if not self._is_over:
                part = await anyio.to_thread.run_sync(self._load)
                async with part.run():
                    self.part = part
                    self._ready.set()
                    await over.wait()
        except Exception as error:  # noqa: BLE001 - whatever it is: who waits is told, and the rest goes on
            self._failure = error
        self.part = None
        self._ready.set()
