"""The event streams that clients hold open: each ends when its token does, and all of them with the server."""

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import anyio

from bigmind.core.events import Change, EventBus, Kind

LOOK_SECONDS = 5.0
"""Between two looks at what nobody tells: a token whose time is over, a session that was left."""

BEGIN_SECONDS = 0.02
"""From the request for a stream until it carries something."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenStream:
    """Something that stays open.

    Attributes:
        is_allowed: whether it may stay so; asked when a token or a user changed, and every few seconds.
        revoke: ends it now; called when it may not.
        close: ends it in peace; called when the server does.
        session: whose stream it is, where it is a session's.
    """

    is_allowed: Callable[[], bool]
    revoke: Callable[[], None]
    close: Callable[[], None]
    session: str | None = None


class OpenStreams:
    """All that is held open at one server. For its event loop only."""

    def __init__(self, events: EventBus) -> None:
        self._events = events
        self._held: set[OpenStream] = set()
        self._changed = asyncio.Event()
        self._came = asyncio.Event()

    def __len__(self) -> int:
        return len(self._held)

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Watch over what is held."""
        loop = asyncio.get_running_loop()

        def hear(change: Change) -> None:
            if change.kind in {Kind.TOKEN, Kind.USER, Kind.STORE}:
                on_loop(loop, self._changed.set)

        unsubscribe = self._events.subscribe(hear)
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(self._look)
                yield
                tasks.cancel_scope.cancel()
        finally:
            unsubscribe()

    @contextmanager
    def hold(self, held: OpenStream) -> Generator[None]:
        """Keep it under watch for the length of a block."""
        self._held.add(held)
        if held.session is not None:
            self._came.set()
            self._came = asyncio.Event()
        try:
            yield
        finally:
            self._held.discard(held)

    async def stream_of(self, session: str) -> None:
        """Wait until a session has a stream."""
        if any(each.session == session for each in self._held):
            return
        while not any(each.session == session for each in self._held):
            await self._came.wait()
        await asyncio.sleep(BEGIN_SECONDS)

    def drop(self, session: str) -> None:
        """End the stream of a session."""
        for each in tuple(self._held):
            if each.session == session:
                each.revoke()

    def close(self) -> None:
        """End everything, for the server ends."""
        for each in tuple(self._held):
            each.close()

    async def _look(self) -> None:
        while True:
            with anyio.move_on_after(LOOK_SECONDS):
                await self._changed.wait()
            self._changed.clear()
            for each in tuple(self._held):
                if not each.is_allowed():
                    each.revoke()


def on_loop(loop: asyncio.AbstractEventLoop, job: Callable[[], None]) -> None:
    """Run a job on the loop, from any thread; nothing where the loop has ended, for then nobody listens any more."""
    with suppress(RuntimeError):
        loop.call_soon_threadsafe(job)
