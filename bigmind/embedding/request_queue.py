"""What waits to be written to the embedder's process, and in which order."""

import threading
from collections import deque
from typing import Any

from bigmind.embedding.limits import DOCUMENTS

MOST_QUESTIONS = 2
"""Questions that are written and not yet answered: one that is answered, and one that is there when that ends. More
would only wait there, where nobody can take them back."""

Request = dict[str, Any]


class RequestQueue:
    """Questions go before documents, and do not keep them back: the process works on both beside each other."""

    def __init__(self) -> None:
        """Empty."""
        self._changed = threading.Condition()
        self._questions: deque[Request] = deque()
        self._documents: deque[Request] = deque()
        self._asked: set[int] = set()
        self._is_over = False

    def put(self, request: Request) -> None:
        """Let a request wait."""
        with self._changed:
            (self._documents if request["task"] == DOCUMENTS else self._questions).append(request)
            self._wake_for_work()

    def end(self) -> None:
        """Nothing more is written."""
        with self._changed:
            self._is_over = True
            self._changed.notify()

    def next(self) -> Request | None:
        """What is to be written next, once there is something; None at the end."""
        with self._changed:
            while not self._is_over:
                if self._questions and len(self._asked) < MOST_QUESTIONS:
                    request = self._questions.popleft()
                    self._asked.add(request["id"])
                    return request
                if self._documents:
                    return self._documents.popleft()
                self._changed.wait()
        return None

    def answered(self, number: int) -> None:
        """Make room for another question: the one of that number is answered, or was not written."""
        with self._changed:
            self._asked.discard(number)
            self._wake_for_work()

    def _wake_for_work(self) -> None:
        if self._documents or (self._questions and len(self._asked) < MOST_QUESTIONS):
            self._changed.notify()
