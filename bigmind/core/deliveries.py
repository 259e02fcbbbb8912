"""The last answers that each client was given, word for word, so that a person can read what their assistant read.

Kept in memory only, within bounds, and never longer than what they quote is stored: whoever removes something for good
clears them.
"""

import threading
from collections import OrderedDict, deque
from dataclasses import dataclass, replace
from itertools import count
from typing import Protocol

MOST_PER_CLIENT = 12
LONGEST_TEXT = 20_000
"""Characters of an answer that are kept; the longest context has a third of them."""

MOST_CHARACTERS = 1_000_000
"""Of all clients together; then those that were given something longest ago are dropped."""


SAMPLE = 2_000
"""Characters of an answer by which its tokens are judged."""


class TokenCount(Protocol):
    """Counts tokens, as text/tokens.py does: nothing of this room knows how."""

    def __call__(self, text: str, length: int, /) -> int:
        """About the tokens of a text of so many characters that begins with `text`, of which `SAMPLE` are enough."""
        ...


@dataclass(frozen=True, slots=True)
class Delivery:
    """One answer to a client.

    Attributes:
        source: what it answered: a tool, a hook, a prompt or a resource, by its name.
        text: as the client got it; its first `LONGEST_TEXT` characters.
        length: characters of the whole.
        count: tells its tokens.
        at: on the clock of whoever keeps it, in seconds.
        project: where the client works, when it said so.
        number: tells deliveries of one start of the server apart; grows.
        is_error: whether it said what was wrong with the request.
    """

    source: str
    text: str
    length: int
    count: TokenCount
    at: float
    project: str | None = None
    is_error: bool = False
    number: int = 0

    @property
    def tokens(self) -> int:
        """Those of the whole, about; counted when it is asked for."""
        return self.count(self.text[:SAMPLE], self.length)

    @property
    def is_whole(self) -> bool:
        """Whether `text` is all of it."""
        return self.length == len(self.text)


Client = tuple[int, str]
"""A client of one user, by the user's id and its name."""


class DeliveryLog:
    """The newest deliveries of each client. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Client, deque[Delivery]] = OrderedDict()
        self._characters = 0
        self._numbers = count(1)

    def add(self, client: Client, delivery: Delivery) -> None:
        """Keep a delivery, and drop the oldest of that client beyond the bound."""
        with self._lock:
            mine = self._kept.setdefault(client, deque())
            self._kept.move_to_end(client)
            mine.append(replace(delivery, number=next(self._numbers)))
            self._characters += len(delivery.text)
            while len(mine) > MOST_PER_CLIENT:
                self._characters -= len(mine.popleft().text)
            while self._characters > MOST_CHARACTERS and len(self._kept) > 1:
                _, oldest = self._kept.popitem(last=False)
                self._characters -= sum(len(each.text) for each in oldest)

    def of(self, client: Client) -> list[Delivery]:
        """A client's deliveries, the newest first."""
        with self._lock:
            return list(reversed(self._kept.get(client, ())))

    def clients(self, user_id: int) -> list[str]:
        """The names of a user's clients that were given something, the latest first."""
        with self._lock:
            return [name for user, name in reversed(self._kept) if user == user_id]

    def clear(self, user_id: int | None = None) -> None:
        """Drop the deliveries of a user; of everybody, when none is named."""
        with self._lock:
            gone = [client for client in self._kept if user_id is None or client[0] == user_id]
            for client in gone:
                self._characters -= sum(len(each.text) for each in self._kept.pop(client))
