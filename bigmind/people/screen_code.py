"""The six-digit code that the app shows on this machine's screen, for a browser that has no link.

A million codes are few, so what matters is how often somebody may guess: one code at a time, five tries at it, and a
longer pause after each code that signed nobody in. Who guesses on and on gets five tries an hour.
"""

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Protocol

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.people.token_format import digest

DIGITS = 6
TRIES = 5
LIVES_SECONDS = 120.0
FIRST_PAUSE_SECONDS = 5.0
LONGEST_PAUSE_SECONDS = 3_600.0
QUIET_SECONDS = 86_400.0
"""After so long without a code the pauses begin anew."""


class Screen(Protocol):
    """What can show the code to the person at this machine, and to nobody else."""

    def can_show(self) -> bool:
        """Whether anything would be seen now."""
        ...

    def show_code(self, code: str) -> None:
        """Show it; it must not be logged."""
        ...


@dataclass(slots=True)
class _Live:
    """The code there is."""

    code: str
    browser: str
    end: float
    tries: int = TRIES


class ScreenCode:
    """At most one code at a time, in memory only. May be used from any thread."""

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        """Offered to nobody yet; `seconds` is a clock that only goes forward."""
        self._seconds = seconds
        self._lock = threading.Lock()
        self._live: _Live | None = None
        self._asked_at = float("-inf")
        self._unused = 0
        self._person: Caller | None = None
        self._screen: Screen | None = None
        self._listeners: list[Callable[[], None]] = []

    def offer(self, person: Caller, screen: Screen) -> None:
        """From now on, show codes to `person`, whom they sign in."""
        self._person, self._screen = person, screen

    def listen(self, listener: Callable[[], None]) -> None:
        """Have `listener` called whenever what `shown_to` says has changed."""
        self._listeners.append(listener)

    def is_offered(self) -> bool:
        """Whether a code that is asked for now would be seen."""
        return self._screen is not None and self._screen.can_show()

    def ask(self, browser: str) -> None:
        """Show a new code, for the browser of that secret alone.

        Raises:
            BigMindError: `unavailable`, when nothing can show it, another browser's code is shown, or it is too soon.
        """
        screen = self._screen
        if screen is None or not screen.can_show():
            raise _unavailable("BigMind has neither a window nor a tray icon here to show a code.")
        with self._lock:
            self._refuse_haste(browser)
            code = f"{secrets.randbelow(10**DIGITS):0{DIGITS}}"
            now = self._seconds()
            self._live = _Live(code, digest(browser), now + LIVES_SECONDS)
            self._unused = 1 if now - self._asked_at > QUIET_SECONDS else self._unused + 1
            self._asked_at = now
        timer = threading.Timer(LIVES_SECONDS, self._tell)  # so that it leaves the screen
        timer.daemon = True
        timer.start()
        self._tell()
        screen.show_code(_spaced(code))

    def _refuse_haste(self, browser: str) -> None:
        live = self._now_live()
        if live is not None and not hmac.compare_digest(live.browser, digest(browser)):
            raise _unavailable("BigMind is showing a code to another browser. Try again in two minutes.")
        pause = min(FIRST_PAUSE_SECONDS * 2 ** max(0, self._unused - 1), LONGEST_PAUSE_SECONDS) if self._unused else 0
        left = self._asked_at + pause - self._seconds()
        if left > 0:
            wait = f"{left:.0f} seconds" if left < 100 else f"{left / 60:.0f} minutes"  # noqa: PLR2004 - two digits
            raise _unavailable(f"BigMind showed a code a moment ago. Try again in {wait}.")

    def _now_live(self) -> _Live | None:
        if self._live is not None and self._live.end <= self._seconds():
            self._live = None
        return self._live

    def awaits(self, browser: str) -> bool:
        """Whether the code that there is was asked for by the browser of that secret."""
        with self._lock:
            live = self._now_live()
            return live is not None and hmac.compare_digest(live.browser, digest(browser))

    def shown_to(self, caller: Caller) -> str:
        """The code, as the pages of the person's window show it; empty for everybody else, and when there is none."""
        with self._lock:
            live = self._now_live()
            is_theirs = self._person is not None and caller.user_id == self._person.user_id
            return _spaced(live.code) if live is not None and is_theirs else ""

    def redeem(self, browser: str, code: str) -> Caller | None:
        """Whom the code signs in, in the browser of that secret; None when it is wrong, used, over, or not its own.

        What another browser tries counts as no try: it would end the person's code.
        """
        with self._lock:
            live = self._now_live()
            if live is None or not hmac.compare_digest(live.browser, digest(browser)):
                return None
            live.tries -= 1
            is_right = hmac.compare_digest(live.code, code)
            if is_right:
                self._unused = 0
            if is_right or not live.tries:
                self._live = None
        if is_right or not live.tries:
            self._tell()
        return self._person if is_right else None

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()


def digits_in(text: str) -> str:
    """The six digits that somebody typed, with or without a gap; empty when it is something else."""
    typed = "".join(text.replace("-", "").split())
    return f"{int(typed):0{DIGITS}}" if len(typed) == DIGITS and typed.isdecimal() else ""


def _spaced(code: str) -> str:
    return f"{code[: DIGITS // 2]} {code[DIGITS // 2 :]}"


def _unavailable(message: str) -> BigMindError:
    return BigMindError(Code.UNAVAILABLE, message, "`bigmind open` in a terminal prints a link that signs you in.")
