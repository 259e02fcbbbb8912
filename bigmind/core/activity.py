"""What the running server is doing: whether it is paused, what takes long, and which clients called lately."""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Operation

LATELY_SECONDS = 300.0
MOST_CLIENTS = 1_000


@dataclass(frozen=True, slots=True)
class Called:
    """A client of one user: when it called last, as seconds ago, and how often since the start."""

    client: str
    seconds_ago: float
    calls: int


class PausedError(BigMindError):
    """Refused, because nothing may change the memory at present."""


class Activity:
    """Kept in memory only: a restart resumes, and has seen nobody yet. May be used from any thread."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._is_paused = False
        self._clock = clock
        self._lock = threading.Lock()
        self._called: dict[tuple[int, str], tuple[float, int]] = {}
        self._long = 0
        self._listeners: list[Callable[[], None]] = []

    def listen(self, listener: Callable[[], None]) -> None:
        """Call `listener` from now on when it is paused or resumed, or begins or ends what takes long.

        It is called on the thread that does so: it is quick, and never raises.
        """
        self._listeners.append(listener)

    @property
    def is_paused(self) -> bool:
        """Whether nothing may change the memory."""
        return self._is_paused

    def pause(self, *, paused: bool) -> None:
        """Pause, or resume."""
        self._is_paused = paused
        self._tell()

    @property
    def is_busy(self) -> bool:
        """Whether something that takes long is under way: an import, a backup."""
        return self._long > 0

    @contextmanager
    def long(self) -> Generator[None]:
        """For the length of a block, something that takes long is under way."""
        self._count(1)
        try:
            yield
        finally:
            self._count(-1)

    def _count(self, by: int) -> None:
        with self._lock:
            self._long += by
        self._tell()

    def _tell(self) -> None:
        for listener in self._listeners:
            listener()

    def permit(self, operation: Operation) -> None:
        """Let an operation through, unless it would change the memory while that is paused.

        Raises:
            BigMindError: `unavailable`, saying how to resume.
        """
        if self._is_paused and not operation.while_paused:
            raise PausedError(
                Code.UNAVAILABLE,
                f"BigMind is paused: {operation.name} would change the memory, and nothing does until it is resumed.",
                "Reading works. A person resumes it in the tray's menu or in Settings; a restart of BigMind does too.",
            )

    def note(self, caller: Caller) -> None:
        """Note that a client called; people, who look at their own memory, are no clients."""
        if caller.is_person:
            return
        with self._lock:
            who = (caller.user_id, caller.client)
            _, calls = self._called.pop(who, (0.0, 0))
            self._called[who] = (self._clock(), calls + 1)
            while len(self._called) > MOST_CLIENTS:
                del self._called[next(iter(self._called))]

    def clients(self) -> list[str]:
        """The names of those that called within the last five minutes, the latest last."""
        since = self._clock() - LATELY_SECONDS
        with self._lock:
            return list(dict.fromkeys(name for (_, name), (at, _) in self._called.items() if at > since))

    def called(self, user_id: int) -> list[Called]:
        """The clients of a user that called since the start, the latest first."""
        now = self._clock()
        with self._lock:
            mine = [(name, at, calls) for (user, name), (at, calls) in self._called.items() if user == user_id]
        return [Called(name, now - at, calls) for name, at, calls in reversed(mine)]
