"""What a transaction sees, as statements that go past the mapper ask for it."""

from typing import Any, Protocol


class Snapshot(Protocol):
    """One transaction: a session of the mapper's, or, where none is loaded, a connection of the driver's in one."""

    def connection(self) -> Any:
        """What it runs on: `connection` is the driver's, `info` what was noted of that when it was opened."""
        ...
