"""Servers of tests that end at once: uvicorn looks ten times a second whether it is to end, and waits as long then."""

import asyncio
from typing import Any

from uvicorn import server

FASTER = 10


class Ticking:
    """The module asyncio as uvicorn's server sees it, whose sleep is a tenth as long."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(seconds: float) -> None:
        await asyncio.sleep(seconds / FASTER)


def tick_fast() -> None:
    """Have servers of this process, and of its forks, look ten times as often."""
    server.asyncio = Ticking()  # pyright: ignore[reportAttributeAccessIssue] - a test's own
