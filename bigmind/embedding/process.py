"""One run of the embedder's process, from its start to its end, as the server sees it."""

import json
import logging
import select
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from itertools import count
from typing import Any

from bigmind.embedding.limits import Limits, PendingRequests
from bigmind.embedding.request_queue import QueuedRequest, RequestQueue
from bigmind.embedding.thread_scheduling import ThreadScheduling

log = logging.getLogger(__name__)

ENDING_SECONDS = 2.0
LONGEST_END = 15.0
"""How long the end of an earlier process is waited for; one that the system itself holds fast may never end."""

Answer = dict[str, Any]


class EmbeddingError(Exception):
    """A text was not embedded, and why."""


class CannotLoadError(EmbeddingError):
    """The model, or the process that runs it, does not work at all here, and why."""


class EmbedderProcess:
    """A process that answers requests. Whoever asks waits for no pipe: threads of its own read, and write what is long.

    A short question is written by who asks, or by who reads the answer before it, where the pipe has room: that is one
    thread less to be woken.

    Attributes:
        has_answered: whether it has done anything that was asked of it.
        gone: set once it has ended, and everybody who waited was told.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        after: "EmbedderProcess | None",
        limits: Limits,
    ) -> None:
        """Start it, behind the back of the caller.

        Args:
            command: to start.
            environment: all of its environment variables.
            after: an earlier one, whose end is waited for: there are never two.
            limits: after which it is taken for hung, and killed.
        """
        self._command = list(command)
        self._environment = dict(environment)
        self._lock = threading.Lock()
        self._numbers = count(1)
        self._requests = RequestQueue()
        self._writing = threading.Lock()
        self._scheduling = ThreadScheduling(self._requests.questions)
        self._waiting: dict[int, Future[Answer]] = {}
        self._in_hand = PendingRequests(limits)
        self._process: subprocess.Popen[str] | None = None
        self._over = ""
        self.has_answered = False
        self.gone = threading.Event()
        threading.Thread(target=self._run, args=(after,), name="embedder", daemon=True).start()

    @property
    def is_over(self) -> bool:
        """Whether it has ended, and was noticed to."""
        return bool(self._over)

    @property
    def is_busy(self) -> bool:
        """Whether anybody waits for an answer."""
        return bool(self._waiting)

    def ask(self, request: Answer) -> "Future[Answer]":
        """Send a request; its answer is to come, or an `EmbeddingError` when the process ends, or hangs, before it.

        Every answer comes in a bounded time. One that is cancelled is not sent, if it was not yet.
        """
        answer: Future[Answer] = Future()
        queued = QueuedRequest.of(next(self._numbers), request)
        with self._lock:
            if self._over:
                answer.set_exception(EmbeddingError(self._over))
                return answer
            self._waiting[queued.number] = answer
        self._requests.put(queued)
        self._pass_on()
        self._scheduling.follow()
        return answer

    def end(self) -> None:
        """Close its input, which is how it is told; what does not listen is killed."""
        self._requests.end()
        if not self.gone.wait(ENDING_SECONDS):
            with self._lock:
                process = self._process
            if process is not None:
                process.kill()
            self.gone.wait(ENDING_SECONDS)

    def _run(self, after: "EmbedderProcess | None") -> None:
        if after is not None and not after.gone.wait(LONGEST_END):
            self._fail("an earlier process of the embedder does not end")
            self.gone.set()
            return
        try:
            process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="utf-8",
                env=self._environment,
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            self._fail(f"the embedder's process cannot be started: {error}")
            self.gone.set()
            return
        self._scheduling.exempt(process.pid)
        with self._lock:
            self._process = process
        writer = threading.Thread(target=self._write, args=(process,), name="embedder-input", daemon=True)
        writer.start()
        threading.Thread(target=self._watch, args=(process,), name="embedder-watch", daemon=True).start()
        said = self._listen(process)
        process.kill()  # it closed its output, or speaks nonsense
        process.wait()
        self._requests.end()
        writer.join()
        self._in_hand.end()
        self._fail(said or _in_words(process.returncode))
        self.gone.set()

    def _watch(self, process: "subprocess.Popen[str]") -> None:
        """Kill it when it does not answer; who waits is told before it is gone, which the system may delay."""
        if self._in_hand.is_late():
            log.warning("The embedder's process does not answer, and is ended")
            self._fail("the embedder's process did not answer")
            process.kill()

    def _write(self, process: "subprocess.Popen[str]") -> None:
        """Write what is not passed on by others, until the end."""
        assert process.stdin is not None  # noqa: S101 - a pipe, as asked for
        with suppress(OSError):  # one that has ended is noticed where its answers are read
            try:
                while (request := self._requests.next()) is not None:
                    with self._writing:
                        self._send(process, request)
            finally:
                with self._writing:
                    process.stdin.close()

    def _pass_on(self) -> None:
        """Write the questions whose turn it is, if that needs no waiting; else who writes is woken."""
        process = self._process
        if process is None or not self._writing.acquire(blocking=False):
            self._requests.question(0)
            return
        try:
            while (request := self._requests.question(_room(process))) is not None:
                self._send(process, request)
        except OSError as error:  # its end is noticed where its answers are read
            log.info("The embedder's process takes no question: %s", error)
        finally:
            self._writing.release()

    def _send(self, process: "subprocess.Popen[str]", request: QueuedRequest) -> None:
        """Write a request that somebody still waits for. Call it with the lock."""
        assert process.stdin is not None  # noqa: S101 - a pipe, as asked for
        if not self._is_wanted(request.number):
            self._requests.answered(request.number)
            self._scheduling.follow()
            return
        self._in_hand.give(request.number, request.request)
        process.stdin.write(request.written() + "\n")
        process.stdin.flush()

    def _is_wanted(self, number: int) -> bool:
        """Whether anybody still waits for an answer; from here on nobody can cancel it."""
        with self._lock:
            if (asked := self._waiting.get(number)) is None:
                return False
            if is_wanted := asked.set_running_or_notify_cancel():
                return is_wanted
            del self._waiting[number]
            return False

    def _listen(self, process: "subprocess.Popen[str]") -> str:
        """Take every answer until the output ends; what was wrong, if anything was."""
        assert process.stdout is not None  # noqa: S101 - a pipe, as asked for
        with process.stdout as pipe:
            for line in pipe:
                try:
                    answer: Answer = json.loads(line)
                    number = answer["id"]
                except (ValueError, KeyError, TypeError):
                    log.warning("The embedder said %r", line[:100])
                    return "the embedder's process said something that is no answer"
                with self._lock:
                    waiting = self._waiting.pop(number, None)
                self._requests.answered(number)
                self._pass_on()
                self._scheduling.follow()
                self._in_hand.answered(number, is_loaded="unloadable" not in answer)
                if waiting is not None:
                    self.has_answered = self.has_answered or "error" not in answer
                    waiting.set_result(answer)
        return ""

    def _fail(self, why: str) -> None:
        """Tell everybody who waits why there is no answer; nothing is asked of it any more."""
        with self._lock:
            self._over = self._over or why
            lost = [each for each in self._waiting.values() if each.running() or each.set_running_or_notify_cancel()]
            self._waiting = {}
        self._scheduling.end()
        for each in lost:
            each.set_exception(EmbeddingError(why))


def _room(process: "subprocess.Popen[str]") -> int:
    """How many characters of a line its input takes now without waiting; 0 on Windows, which does not tell."""
    if process.stdin is None or process.stdin.closed or sys.platform == "win32":
        return 0
    room = select.poll()
    room.register(process.stdin, select.POLLOUT)
    return select.PIPE_BUF - 1 if room.poll(0) == [(process.stdin.fileno(), select.POLLOUT)] else 0


def _in_words(code: int) -> str:
    if code < 0:
        return f"the embedder's process was ended by signal {-code}"
    return f"the embedder's process ended (exit code {code})"
