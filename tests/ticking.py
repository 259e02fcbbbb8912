"""Servers of tests that end at once: uvicorn looks ten times a second whether it is to end, and waits as long then.

Here it is woken when it is to end, and until then looks once a second: looking took a fiftieth of a processor for each
server, as long as it was there.
"""

import asyncio
from contextlib import suppress
from typing import Any

from uvicorn import Server, server

SHORT = 0.01
"""Seconds between two looks at whether the last answers are given."""
BETWEEN = 1.0
"""Seconds between two looks at the clock, for the date that answers carry."""
LOOK = 10
"""Of so many looks uvicorn heeds one for the date."""


class Ticking:
    """The module asyncio as uvicorn's server sees it, whose sleep is short."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(_: float) -> None:
        await asyncio.sleep(SHORT)


class EndTold:
    """`should_exit` of uvicorn's servers: whoever sets it, from any thread or signal, wakes the server."""

    def __get__(self, of: Server | None, _: type[Server]) -> Any:
        return self if of is None else of.__dict__.get("is_to_end", False)

    def __set__(self, of: Server, is_to_end: bool) -> None:
        of.__dict__["is_to_end"] = is_to_end
        if is_to_end and (wake := of.__dict__.get("wake")) is not None:
            with suppress(RuntimeError):  # its loop has ended, and so has it
                wake()


async def main_loop(self: Server) -> None:
    """Run until it is to end."""
    told, loop = asyncio.Event(), asyncio.get_running_loop()
    self.__dict__["wake"] = lambda: loop.call_soon_threadsafe(told.set)
    counter = 0
    while not await self.on_tick(counter):
        counter += LOOK
        with suppress(TimeoutError):
            await asyncio.wait_for(told.wait(), BETWEEN)


def tick_fast() -> None:
    """Have servers of this process, and of its forks, end as soon as they are told to."""
    server.asyncio = Ticking()  # pyright: ignore[reportAttributeAccessIssue] - a test's own
    Server.should_exit = EndTold()  # pyright: ignore[reportAttributeAccessIssue]
    Server.main_loop = main_loop
