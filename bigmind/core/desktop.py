"""What the running server may do with the desktop around it, where there is one."""

from enum import StrEnum
from typing import Protocol

from bigmind.core.operation import Caller

WINDOW_CLIENT = "BigMind's window"
"""How the names of the windows' tokens begin."""


class Shown(StrEnum):
    """Where a person sees their memory now."""

    WINDOW = "window"
    BROWSER = "browser"
    NOTHING = "nothing"


class Desktop(Protocol):
    """The window, and whether BigMind starts with the session."""

    def has_window(self) -> bool:
        """Whether it can show a window of its own."""
        ...

    def show(self, caller: Caller) -> bool:
        """Bring the window forward, opening it when it is closed; False when there is none, or it is not theirs."""
        ...

    def starts_at_login(self) -> bool | None:
        """Whether BigMind starts when the person logs in; None where that cannot be set."""
        ...

    def start_at_login(self, *, enabled: bool) -> None:
        """Set it.

        Raises:
            BigMindError: `unavailable`, where it cannot be set.
        """
        ...


class NoDesktop:
    """Stands where there is none."""

    def has_window(self) -> bool:
        """None."""
        return False

    def show(self, caller: Caller) -> bool:
        """There is nothing to show."""
        del caller
        return False

    def starts_at_login(self) -> bool | None:
        """It cannot be set."""
        return None

    def start_at_login(self, *, enabled: bool) -> None:
        """It cannot be set; the operation has said so."""
        del enabled
