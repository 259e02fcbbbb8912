"""The server's end of the embedder: starts its process when a vector is wanted, ends it when none was for a while."""

import threading
from base64 import b64decode
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from bigmind.embedding.environment import offline_environment
from bigmind.embedding.limits import Limits
from bigmind.embedding.process import Answer, CannotLoadError, EmbedderProcess, EmbeddingError
from bigmind.embedding.token_windows import MOST_CHARACTERS

__all__ = ["CannotLoadError", "EmbeddedPiece", "Embedder", "EmbeddingError", "State"]

IDLE_SECONDS = 600.0
MOST_QUERY = 2_000
"""Characters of a question that are sent: the model's window holds no more."""
KEPT_QUERIES = 256
PORTION = 50_000
"""Characters of documents in one request, so that a question never waits long until it is written."""
REMEMBERED_SECONDS = 50.0
"""How long a model that could not be loaded is not tried again; the indexer tries once a minute."""
MOST_CRASHES = 3
"""Processes that end one after the other without an answer; a single text may be what ends one."""


@dataclass(frozen=True, slots=True)
class EmbeddedPiece:
    """A stretch of a text and its vector: one signed byte per dimension, as sqlite-vec's int8."""

    start: int
    stop: int
    vector: bytes


class State(StrEnum):
    """How the embedder's process is."""

    OFF = "off"
    STARTING = "starting"
    READY = "ready"
    FAILED = "failed"


Before = TypeVar("Before")
After = TypeVar("After")

Text = tuple[str, str]
"""What stands before each of its pieces, and the text."""


class Embedder:
    """Makes vectors, in a process of its own.

    Attributes:
        state: how that process is.
        failure: why, when the state is `failed`.
    """

    def __init__(
        self,
        command: Sequence[str],
        models: Path,
        idle_seconds: float = IDLE_SECONDS,
        remembered_seconds: float = REMEMBERED_SECONDS,
        limits: Limits | None = None,
    ) -> None:
        """Prepare it; nothing is started.

        Args:
            command: starts `worker.serve`.
            models: the folder of downloaded models.
            idle_seconds: after so long without a request, the process is ended.
            remembered_seconds: so long a model that could not be loaded is not tried again.
            limits: after which a process that does not answer is ended.
        """
        self._command = list(command)
        self._models = models
        self._idle_seconds = idle_seconds
        self._remembered_seconds = remembered_seconds
        self._limits = limits or Limits()
        self._lock = threading.Lock()
        self._process: EmbedderProcess | None = None
        self._resting: EmbedderProcess | None = None
        self._crashed: EmbedderProcess | None = None
        self._crashes = 0
        self._used_at = 0.0
        self._idle: threading.Timer | None = None
        self._queries: dict[tuple[str, str], bytes] = {}
        self._broken: dict[str, tuple[float, str]] = {}
        self._is_closed = False
        self.state = State.OFF
        self.failure = ""

    def query(self, model: str, text: str) -> "Future[bytes]":
        """The vector of a question, to come; `cancel()` it when nobody waits for it, and it may not be asked at all."""
        key = (model, text[:MOST_QUERY])
        if (known := self._queries.get(key)) is not None:
            answer: Future[bytes] = Future()
            answer.set_result(known)
            return answer
        return mapped(self._pieces("query", model, [("", key[1])]), lambda found: self._kept(key, found))

    def search(self, model: str, wanted: str) -> "Future[Answer]":
        """What a search finds, to come, as a process that also searches tells it; `wanted` is for that alone to read.

        As `query` it can be cancelled, and fails with an `EmbeddingError`, also where the process cannot search.
        """
        is_busy = (process := self._process) is not None and process.is_busy
        return self._ask({"task": "search", "model": model, "texts": [], "wanted": wanted, "is_busy": is_busy})

    def documents(self, model: str, texts: Sequence[Text]) -> "Future[list[list[EmbeddedPiece]]]":
        """The pieces of each text, to come; questions that are asked meanwhile are answered first."""
        return together([self._pieces("documents", model, each) for each in portions(texts)])

    def models(self) -> "Future[list[dict[str, Any]]]":
        """The models that can be chosen, to come; see `offered.offered`."""
        return mapped(self._ask({"task": "models", "model": "", "texts": []}), lambda answer: answer["models"])

    def try_again(self) -> None:
        """Forget which models could not be loaded: something was changed about them."""
        with self._lock:
            self._broken.clear()

    def close(self) -> None:
        """End the process; what is waited for fails."""
        with self._lock:
            self._is_closed = True
            ending = [each for each in (self._resting, self._process) if each is not None]
            self.state = State.OFF
            if self._idle is not None:
                self._idle.cancel()
        for process in ending:
            process.end()

    def _kept(self, key: tuple[str, str], found: list[list[EmbeddedPiece]]) -> bytes:
        vector = found[0][0].vector
        with self._lock:
            while len(self._queries) >= KEPT_QUERIES:
                del self._queries[next(iter(self._queries))]
            self._queries[key] = vector
        return vector

    def _pieces(self, task: str, model: str, texts: Sequence[Text]) -> "Future[list[list[EmbeddedPiece]]]":
        return mapped(self._ask({"task": task, "model": model, "texts": list(texts)}), _read)

    def _ask(self, request: Answer) -> "Future[Answer]":
        model = request["model"]
        with self._lock:
            why_not = "the server is ending" if self._is_closed else self._known_to_be_broken(model)
            if why_not:
                refused: Future[Answer] = Future()
                refused.set_exception(CannotLoadError(why_not))
                return refused
            self._stay()
            process = self._running()
            asked = process.ask(request)
        asked.add_done_callback(lambda answer: self._note(process, model, answer))
        return mapped(asked, _sound)

    def _known_to_be_broken(self, model: str) -> str:
        until, why = self._broken.get(model, (0.0, ""))
        return why if monotonic() < until else ""

    def _running(self) -> EmbedderProcess:
        """The process that runs, or a new one. Call it with the lock."""
        if self._process is None or self._process.is_over:
            self.state = State.STARTING
            before = self._process or self._resting
            self._process = EmbedderProcess(self._command, offline_environment(self._models), before, self._limits)
        return self._process

    def _note(self, process: EmbedderProcess, model: str, asked: "Future[Answer]") -> None:
        """Note how it goes, and what does not work at all: not every question shall start a process in vain."""
        if asked.cancelled():
            return
        error = asked.exception()
        answer = {"error": str(error)} if error is not None else asked.result()
        with self._lock:
            if self._is_closed:
                return
            if "error" not in answer:
                self.state, self.failure, self._crashes = State.READY, "", 0
                self._broken.pop(model, None)
                return
            self.state, self.failure = State.FAILED, answer["error"]
            is_unloadable = answer.get("unloadable", False)
            self._crashes += error is not None and process is not self._crashed
            self._crashed = process if error is not None else self._crashed
            if is_unloadable or (error is not None and self._crashes >= MOST_CRASHES):
                self._broken[model] = (monotonic() + self._remembered_seconds, answer["error"])
            if is_unloadable and not process.has_answered and process is self._process and not process.is_busy:
                self._let_go()  # a new one will see what is installed by then

    def _let_go(self) -> None:
        """End the process, behind the back of whoever asks. Call it with the lock."""
        if self._process is not None:
            self._resting, self._process = self._process, None
            threading.Thread(target=self._resting.end, name="embedder-end", daemon=True).start()

    def _stay(self) -> None:
        """Begin to count the idle time anew. Call it with the lock."""
        self._used_at = monotonic()
        if self._idle is None:
            self._set_timer(self._idle_seconds)

    def _set_timer(self, seconds: float) -> None:
        self._idle = threading.Timer(seconds, self._rest)
        self._idle.daemon = True
        self._idle.start()

    def _rest(self) -> None:
        with self._lock:
            self._idle = None
            if self._is_closed or self._process is None:
                return
            left = self._used_at + self._idle_seconds - monotonic()
            if self._process.is_busy or left > 0:
                self._set_timer(max(left, 1.0))
                return
            self.state = State.OFF
            self._let_go()


def portions(texts: Sequence[Text], most: int = PORTION) -> Iterator[list[Text]]:
    """The texts in portions of at most so many characters, or one text; what no model would look at is left out."""
    portion: list[Text] = []
    length = 0
    for head, text in texts:
        sent = (head, text[:MOST_CHARACTERS])
        if portion and length + len(sent[1]) > most:
            yield portion
            portion, length = [], 0
        portion.append(sent)
        length += len(sent[1])
    if portion:
        yield portion


class CancelSignal(Future[After]):
    """What is to come of something else, with which it is cancelled."""

    def __init__(self, before: "Future[Any]") -> None:
        super().__init__()
        self._before = before

    def cancel(self) -> bool:
        """Cancel it, if it was not sent yet."""
        return self._before.cancel()

    def was_cancelled(self) -> None:
        """Note that what it comes of was."""
        super().cancel()
        self.set_running_or_notify_cancel()


def mapped(coming: "Future[Before]", change: Callable[["Before"], "After"]) -> "Future[After]":
    """What is to come, changed when it comes; an answer that makes no sense is an `EmbeddingError`."""
    after: CancelSignal[After] = CancelSignal(coming)

    def arrived(before: "Future[Before]") -> None:
        if before.cancelled():
            after.was_cancelled()
            return
        try:
            after.set_result(change(before.result()))
        except EmbeddingError as error:
            after.set_exception(error)
        except (KeyError, IndexError, TypeError, ValueError) as error:
            after.set_exception(EmbeddingError(f"the embedder's answer makes no sense: {error!r}"))

    coming.add_done_callback(arrived)
    return after


def together(coming: "Sequence[Future[list[Before]]]") -> "Future[list[Before]]":
    """The lists that are to come, as one; it fails when one of them does."""
    answer: Future[list[Before]] = Future()
    lock = threading.Lock()
    missing = len(coming)

    def arrived(part: "Future[list[Before]]") -> None:
        nonlocal missing
        with lock:
            missing -= 1
            if answer.done() or (missing and part.exception() is None):
                return
            if (error := part.exception()) is not None:
                answer.set_exception(error)
                return
        answer.set_result([each for part in coming for each in part.result()])

    for part in coming:
        part.add_done_callback(arrived)
    if not coming:
        answer.set_result([])
    return answer


def _sound(answer: Answer) -> Answer:
    if "error" in answer:
        raise (CannotLoadError if answer.get("unloadable") else EmbeddingError)(answer["error"])
    return answer


def _read(answer: Answer) -> list[list[EmbeddedPiece]]:
    return [
        [EmbeddedPiece(start, stop, b64decode(vector, validate=True)) for start, stop, vector in pieces]
        for pieces in answer["pieces"]
    ]
