"""What the running server is doing: whether it is paused, what takes long, and which clients called lately."""

import threading
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from time import monotonic

from bigmind.core.client_names import token_name
from bigmind.core.deliveries import LONGEST_TEXT, SAMPLE, Delivery, DeliveryLog, TokenCount
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Operation, Presence

LATELY_SECONDS = 300.0
MOST_CLIENTS = 1_000
MOST_PAUSES = 1_000
"""Pauses and resumptions that wait to be kept."""
MOST_UNCOUNTED = 256
"""Texts whose tokens wait to be counted, some 2 KB each; of more, they are estimated by those that were counted."""
MOST_NAMES = 100
"""Under which a token's clients called last, and when is remembered."""


@dataclass(frozen=True, slots=True)
class ClientCall:
    """A client of one user that called since the start: when last, as seconds ago."""

    client: str
    seconds_ago: float


@dataclass(frozen=True, slots=True)
class ClientUsage:
    """How a client of one user used the memory in a project since that was kept last.

    Attributes:
        user_id: whose client.
        client: its name.
        seconds_ago: when it was served last.
        calls: of operations.
        tokens: of what it was served, about.
        project: where it works; empty where it did not say.
        sources: tokens of the stored entries that its answers drew from, whole, about.
        spared: those of them that it did not have to read.
    """

    user_id: int
    client: str
    seconds_ago: float
    calls: int
    tokens: int
    project: str = ""
    sources: int = 0
    spared: int = 0


@dataclass(frozen=True, slots=True)
class PauseChange:
    """That it was paused or resumed: how long ago, and where (`Presence`)."""

    seconds_ago: float
    paused: bool
    place: str


@dataclass(slots=True)
class _Counted:
    at: float
    calls: int = 0
    tokens: int = 0
    sources: int = 0
    spared: int = 0

    def add(self, delivery: "_Uncounted", tokens: int) -> None:
        """Count a delivery of so many tokens."""
        # At as many characters a token as the answer itself has.
        sources = delivery.drawn_from * tokens // max(1, delivery.length)
        self.tokens += tokens
        self.sources += sources
        self.spared += max(0, sources - tokens)


_Place = tuple[int, str, str]
"""Whose client, its name, and its project."""


@dataclass(frozen=True, slots=True)
class _Uncounted:
    """What was given to a client, as far as its tokens are judged by it."""

    place: _Place
    at: float
    beginning: str
    length: int
    drawn_from: int
    count: TokenCount


class _CharactersPerToken:
    """What a token takes of a text, by those that were counted."""

    def __init__(self) -> None:
        self._characters, self._tokens = 4, 1

    def learn(self, characters: int, tokens: int) -> None:
        self._characters += characters
        self._tokens += tokens

    def estimate(self, characters: int) -> int:
        return characters * self._tokens // self._characters


class PausedError(BigMindError):
    """Refused, because nothing may change the memory at present."""


class Activity:
    """Kept in memory only: a restart resumes, and has seen nobody yet. May be used from any thread.

    What is counted of clients' use is kept by others (usage/keeper.py), who say when they have it.
    """

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._is_paused = False
        self._clock = clock
        self._lock = threading.Lock()
        self._called: dict[tuple[int, str], float] = {}
        self._heard: dict[tuple[int, str], dict[str, datetime]] = {}
        self._used: dict[_Place, _Counted] = {}
        self._uncounted: deque[_Uncounted] = deque()
        self._rate = _CharactersPerToken()
        self._pauses: deque[tuple[float, bool, str]] = deque(maxlen=MOST_PAUSES)
        self._tried: Counter[tuple[int, str]] = Counter()
        self._long: list[str] = []
        self._deliveries = DeliveryLog()
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

    def pause(self, *, paused: bool, place: Presence = Presence.PROGRAM) -> None:
        """Pause, or resume; `place` is where that was asked for."""
        with self._lock:
            if paused != self._is_paused:
                self._pauses.append((self._clock(), paused, place.value))
            self._is_paused = paused
        self.tell()

    def pauses(self) -> list[PauseChange]:
        """The pauses and resumptions that are not kept yet, the oldest first."""
        now = self._clock()
        with self._lock:
            return [PauseChange(now - at, paused, place) for at, paused, place in self._pauses]

    def kept_pauses(self, number: int) -> None:
        """Tell the oldest so many no more: they are in the store."""
        with self._lock:
            for _ in range(min(number, len(self._pauses))):
                self._pauses.popleft()

    @property
    def is_busy(self) -> bool:
        """Whether something that takes long is under way: an import, a backup."""
        return bool(self._long)

    @property
    def long_work(self) -> str:
        """What takes long and is under way, by its title; empty when nothing is."""
        return next(iter(self._long), "")

    @contextmanager
    def long(self, title: str) -> Generator[None]:
        """For the length of a block, something of that title, which takes long, is under way."""
        with self._lock:
            self._long.append(title)
        self.tell()
        try:
            yield
        finally:
            with self._lock:
                self._long.remove(title)
            self.tell()

    def tell(self) -> None:
        """Have the listeners look again: also when something beside this changed that they show."""
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

    @contextmanager
    def trying(self, user_id: int, client: str) -> Generator[None]:
        """For the length of a block, BigMind itself tries a client's connection: what comes by that is no use of it."""
        with self._lock:
            self._tried[user_id, client] += 1
        try:
            yield
        finally:
            with self._lock:
                self._tried[user_id, client] -= 1

    def note(self, caller: Caller) -> None:
        """Note that a client called; people, who look at their own memory, are no clients."""
        self._count_use(caller, calls=1)

    def hear(self, caller: Caller, at: datetime) -> None:
        """Note when somebody called last, whatever for; `at` by the store's clock, as leases are.

        Of each token the latest names are kept: who calls under ever new ones has no other token's forgotten.
        """
        with self._lock:
            names = self._heard.setdefault((caller.user_id, token_name(caller.client)), {})
            names.pop(caller.client, None)
            names[caller.client] = at
            if len(names) > MOST_NAMES:
                del names[next(iter(names))]

    def heard(self, user_id: int, client: str) -> datetime | None:
        """When a client of that whole name called last; None where it did not since the start."""
        return self._heard.get((user_id, token_name(client)), {}).get(client)

    def note_served(self, caller: Caller, tokens: int) -> None:
        """Note that a client was served so many tokens."""
        self._count_use(caller, tokens=tokens)

    def note_delivery(
        self,
        caller: Caller,
        source: str,
        text: str,
        count: TokenCount,
        *,
        is_error: bool = False,
        drawn_from: int = 0,
    ) -> None:
        """Note what a client was given, word for word. Whoever reads what it cost counts it, not who is answered.

        Args:
            caller: the client; people read their own memory, and are given nothing.
            source: what it answered: the name of a tool, a hook, a prompt or a resource.
            text: as the client gets it.
            count: tells the tokens of a text.
            is_error: whether it says what was wrong with the request.
            drawn_from: characters of the stored entries that it draws from, whole; 0 where it draws from none.
        """
        now, length = self._clock(), len(text)
        uncounted = _Uncounted(_place_of(caller), now, text[:SAMPLE], length, drawn_from, count)
        if self._count_use(caller, uncounted=uncounted):
            kept = Delivery(source, text[:LONGEST_TEXT], length, count, now, caller.project, is_error=is_error)
            self._deliveries.add((caller.user_id, caller.agent), kept)

    def deliveries(self, user_id: int, client: str) -> list[tuple[float, Delivery]]:
        """What a user's client was given last, the newest first, each with how many seconds ago."""
        now = self._clock()
        return [(now - each.at, each) for each in self._deliveries.of((user_id, client))]

    def forget_deliveries(self) -> None:
        """Drop all that clients were given: something of it may be stored no more."""
        self._count_all()
        self._deliveries.clear()

    def _count_use(
        self, caller: Caller, *, calls: int = 0, tokens: int = 0, uncounted: _Uncounted | None = None
    ) -> bool:
        """Count what a client did or was given; False where it is a person's, or a trial."""
        if caller.is_person:
            return False
        who, now, place = (caller.user_id, caller.agent), self._clock(), _place_of(caller)
        with self._lock:
            if self._tried[who]:
                return False
            self._called.pop(who, None)  # the latest stands last
            self._called[who] = now
            counted = self._used.pop(place, None) or _Counted(now)
            counted.at = now
            counted.calls, counted.tokens = counted.calls + calls, counted.tokens + tokens
            self._used[place] = counted
            if uncounted is not None and len(self._uncounted) < MOST_UNCOUNTED:
                self._uncounted.append(uncounted)
            elif uncounted is not None:
                counted.add(uncounted, self._rate.estimate(uncounted.length))
            self._bound()
        return True

    def _bound(self) -> None:
        while len(self._called) > MOST_CLIENTS:
            del self._called[next(iter(self._called))]
        while len(self._used) > MOST_CLIENTS:
            del self._used[next(iter(self._used))]

    def _count_all(self) -> None:
        """Count the tokens of what was given: a tenth of a millisecond for 1,000 characters, so it is not held up."""
        with self._lock:
            uncounted, self._uncounted = self._uncounted, deque()
        for each in uncounted:
            tokens = each.count(each.beginning, each.length)
            with self._lock:
                self._rate.learn(each.length, tokens)
                self._used.setdefault(each.place, _Counted(each.at)).add(each, tokens)
                self._bound()

    def clients(self) -> list[str]:
        """The names of those that called within the last five minutes, the latest last."""
        since = self._clock() - LATELY_SECONDS
        with self._lock:
            return list(dict.fromkeys(name for (_, name), at in self._called.items() if at > since))

    def called(self, user_id: int) -> list[ClientCall]:
        """The clients of a user that called since the start, the latest first."""
        now = self._clock()
        with self._lock:
            mine = [(name, at) for (user, name), at in self._called.items() if user == user_id]
        return [ClientCall(name, now - at) for name, at in reversed(mine)]

    def uses(self) -> list[ClientUsage]:
        """What was counted and is not kept yet, of every user's clients, by project."""
        self._count_all()
        now = self._clock()
        with self._lock:
            return [
                ClientUsage(user, name, now - each.at, each.calls, each.tokens, project, each.sources, each.spared)
                for (user, name, project), each in self._used.items()
            ]

    def kept(self, uses: Iterable[ClientUsage]) -> None:
        """Count these no more: they are in the store."""
        with self._lock:
            for each in uses:
                place = each.user_id, each.client, each.project
                counted = self._used.get(place)
                if counted is None:
                    continue
                counted.calls, counted.tokens = counted.calls - each.calls, counted.tokens - each.tokens
                counted.sources, counted.spared = counted.sources - each.sources, counted.spared - each.spared
                if counted.calls <= 0 and counted.tokens <= 0:
                    del self._used[place]


def _place_of(caller: Caller) -> _Place:
    return caller.user_id, caller.agent, caller.project or ""
