"""Servers of tests that end at once: uvicorn waits a tenth of a second between two looks at whether all is answered."""

import asyncio
from typing import Any

from uvicorn import server

SHORT = 0.01
"""Seconds between two looks at whether the last answers are given."""


class Ticking:
    """The module asyncio as uvicorn's server sees it, whose sleep is short."""

    def __getattr__(self, name: str) -> Any:
        return getattr(asyncio, name)

    @staticmethod
    async def sleep(_: float) -> None:
        await asyncio.sleep(SHORT)


def tick_fast() -> None:
    """Have servers of this process, and of its forks, end as soon as they are told to."""
    server.asyncio = Ticking()  # pyright: ignore[reportAttributeAccessIssue] - a test's own
