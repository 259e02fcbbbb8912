"""How long the embedder's process may take, and what it has in hand: who does not answer at all counts as hung."""

import threading
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any

from bigmind.embedding.models import MOST_LOADED

DOCUMENTS = "documents"


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds after which a process that has not answered is taken for hung; many times what a slow machine needs.

    Attributes:
        question: for a question, or the list of models.
        documents: for a request with documents.
        thousand_characters: and for every thousand characters in it.
        loading: added while a model is in hand that has not answered yet; the largest are gigabytes.
    """

    question: float = 15.0
    documents: float = 60.0
    thousand_characters: float = 3.0
    loading: float = 120.0

    def of(self, request: dict[str, Any]) -> float:
        """For one request to a model that is loaded."""
        if request["task"] != DOCUMENTS:
            return self.question
        characters = sum(len(head) + len(text) for head, text in request["texts"])
        return self.documents + self.thousand_characters * characters / 1_000


@dataclass(frozen=True, slots=True)
class PendingRequest:
    """A request that was written to the process.

    Attributes:
        lane: questions and documents are worked on beside each other, each kind in order.
        model: that it asks for.
        seconds: that it may take.
    """

    lane: str
    model: str
    seconds: float


class PendingRequests:
    """What was written to a process and not yet answered.

    Whoever watches is woken when an answer is overdue sooner than it would look by itself, not by every request.
    """

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._given: dict[int, PendingRequest] = {}
        self._since: dict[str, float] = {}
        self._loaded: list[str] = []
        self._changed = threading.Condition()
        self._looks_at = inf
        self._is_over = False

    def give(self, number: int, request: dict[str, Any]) -> None:
        """Note a request that is being written."""
        lane = DOCUMENTS if request["task"] == DOCUMENTS else "query"
        with self._changed:
            if all(each.lane != lane for each in self._given.values()):
                self._since[lane] = monotonic()
            self._given[number] = PendingRequest(lane, request["model"], self._limits.of(request))
            self._wake_in_time()

    def answered(self, number: int, *, is_loaded: bool) -> None:
        """Note an answer; `is_loaded`: its model works."""
        with self._changed:
            given = self._given.pop(number, None)
            if given is None:
                return
            now = monotonic()
            self._since[given.lane] = now
            if given.model not in self._loaded:
                self._since = dict.fromkeys(self._since, now)  # one lane loads at a time, the other waits for it
            if is_loaded:
                others = [each for each in self._loaded if each != given.model]
                self._loaded = [*others, given.model][-MOST_LOADED:]
            self._wake_in_time()

    def end(self) -> None:
        """Nothing more is answered; whoever watches is let go."""
        with self._changed:
            self._is_over = True
            self._changed.notify()

    def is_late(self) -> bool:
        """Wait until an answer is overdue; False when it ended before that."""
        with self._changed:
            while not self._is_over:
                self._looks_at = self._overdue_at()
                left = self._looks_at - monotonic()
                if left <= 0:
                    return True
                self._changed.wait(None if left == inf else left)
        return False

    def _wake_in_time(self) -> None:
        if self._overdue_at() < self._looks_at:
            self._changed.notify()

    def _overdue_at(self) -> float:
        """When the first of a lane is overdue; `inf` when nothing is in hand."""
        firsts: dict[str, PendingRequest] = {}
        for each in self._given.values():
            firsts.setdefault(each.lane, each)
        if not firsts:
            return inf
        more = 0.0 if all(each.model in self._loaded for each in self._given.values()) else self._limits.loading
        return min(self._since[lane] + first.seconds for lane, first in firsts.items()) + more
