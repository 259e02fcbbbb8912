"""What waits to be written to the embedder's process, and in which order."""

import json
import threading
from collections import deque
from typing import Any, NamedTuple

from bigmind.embedding.limits import DOCUMENTS

MOST_QUESTIONS = 2
"""Questions that are written and not yet answered: one that is answered, and one that is there when that ends. More
would only wait there, where nobody can take them back."""


class QueuedRequest(NamedTuple):
    """A request, and of a question how it is written: documents are long, and who asks does not wait for that."""

    number: int
    request: dict[str, Any]
    question: str

    @classmethod
    def of(cls, number: int, request: dict[str, Any]) -> "QueuedRequest":
        """A request under its number."""
        is_question = request["task"] != DOCUMENTS
        return cls(number, request, json.dumps({"id": number, **request}) if is_question else "")

    def written(self) -> str:
        """As the process reads it: a line of JSON in ASCII, without its end."""
        return self.question or json.dumps({"id": self.number, **self.request})


class RequestQueue:
    """Questions go before documents, and do not keep them back: the process works on both beside each other."""

    def __init__(self) -> None:
        """Empty."""
        self._changed = threading.Condition()
        self._questions: deque[QueuedRequest] = deque()
        self._documents: deque[QueuedRequest] = deque()
        self._asked: set[int] = set()
        self._is_over = False

    def questions(self) -> int:
        """How many questions are not answered yet, written or not."""
        return len(self._questions) + len(self._asked)

    def put(self, request: QueuedRequest) -> None:
        """Let a request wait; of a question, `question` is asked next."""
        with self._changed:
            if request.request["task"] == DOCUMENTS:
                self._documents.append(request)
                self._changed.notify()
            else:
                self._questions.append(request)

    def end(self) -> None:
        """Nothing more is written."""
        with self._changed:
            self._is_over = True
            self._changed.notify()

    def next(self) -> QueuedRequest | None:
        """What is to be written next, once there is something; None at the end."""
        with self._changed:
            while not self._is_over:
                if self._is_a_questions_turn():
                    return self._taken()
                if self._documents:
                    return self._documents.popleft()
                self._changed.wait()
        return None

    def question(self, most: int) -> QueuedRequest | None:
        """The question whose turn it is, of at most so many characters; for a longer one, whoever waits is woken."""
        with self._changed:
            if self._is_over or not self._is_a_questions_turn():
                return None
            if len(self._questions[0].question) <= most:
                return self._taken()
            self._changed.notify()
            return None

    def answered(self, number: int) -> None:
        """Make room for another question, for which `question` is asked next: that one is answered, or not written."""
        with self._changed:
            self._asked.discard(number)

    def _is_a_questions_turn(self) -> bool:
        return bool(self._questions) and len(self._asked) < MOST_QUESTIONS

    def _taken(self) -> QueuedRequest:
        question = self._questions.popleft()
        self._asked.add(question.number)
        return question
