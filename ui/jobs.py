"""What takes long: begun by a click, shown with its progress, and finished also when nobody looks any more."""

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.ids import new_id
from bigmind.core.operation import Caller, Operation
from bigmind.core.progress import Cancellation
from bigmind.operations.catalogue import Answer
from bigmind.operations.long_work import TOLD
from bigmind.wiring import Mind

log = logging.getLogger(__name__)

MOST_KEPT = 20
ONCE_SECONDS = 300.0
"""How long an answer that is shown once waits for the page that it is for."""

AT_ONCE_SECONDS = 0.3
"""What is done by then is shown as done, without ever having been seen at work."""


@dataclass(slots=True)
class Job:
    """One long operation.

    Attributes:
        id: names it in addresses.
        user_id: who began it; nobody else sees it.
        operation: what is done.
        given: the input's fields, unchecked, as the form sent them.
        started_at: when.
        told: how far it is: done, of how much (0: not known), with what, in which unit.
        answer: once it is done.
        error: once it has failed.
        download: the name of the file that it makes for a browser to fetch; else empty.
        then: the page that is shown once it is done; empty for the one it was begun on.
        said: what is told then, beside its answer; empty for nothing.
        is_seen: whether the person put its answer away.
        is_told: whether a page was given its error.
        cancellation: ends it.
        is_ending: whether it is to stop, as the person told it.
        was_told_to_stop: whether the person told it to, also when it was too late.
    """

    id: str
    user_id: int
    operation: Operation
    given: Mapping[str, Any]
    started_at: datetime
    told: tuple[int, int, str, str] = (0, 0, "", "")
    answer: Answer | None = None
    error: BigMindError | None = None
    download: str = ""
    then: str = ""
    said: str = ""
    is_seen: bool = False
    is_told: bool = False
    cancellation: Cancellation = field(default_factory=Cancellation)
    is_ending: bool = False
    was_told_to_stop: bool = False
    over: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def is_running(self) -> bool:
        """Whether it is still being done."""
        return not self.over.is_set()

    @property
    def share(self) -> float | None:
        """How much of it is done, from 0 to 1; None when that is not known."""
        done, total, *_ = self.told
        return min(1.0, done / total) if total else None

    def cancel(self) -> None:
        """Have it stop at its next step, if it still can; what it does then is told as its error."""
        self.was_told_to_stop = True
        self.is_ending = self.cancellation.cancel(TOLD)

    def tell(self, done: int, total: int, what: str, unit: str = "") -> None:
        """Note how far it is; from any thread."""
        self.told = (done, total, what, unit)


class JobRunningError(BigMindError):
    """Another one of its kind, which is `job`, is still running."""

    def __init__(self, job: Job) -> None:
        """Nothing was begun because of `job`."""
        super().__init__(Code.CONFLICT, f"“{job.operation.title}” is running already.", "Wait until it is done.")
        self.job = job


class Jobs:
    """The long operations of one server.

    They are begun, followed and waited for on its event loop; pages, which are built on threads of their own, look at
    them with `running`, `latest` and `latest_done`.
    """

    def __init__(self, mind: Mind, once_seconds: float = ONCE_SECONDS) -> None:
        """None yet; an answer that is shown once is dropped after `once_seconds`, also when nobody came for it."""
        self._mind = mind
        self._once_seconds = once_seconds
        self._lock = threading.Lock()
        self._jobs: dict[str, Job] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self, caller: Caller, operation: Operation, given: Mapping[str, Any], download: str = "") -> Job:
        """Begin an operation, and wait a moment: what is quick is done when this returns.

        Raises:
            JobRunningError: while the caller's last one of this kind is still running.
        """
        for each in self.running(caller):
            if each.operation.name == operation.name:
                raise JobRunningError(each)
        job = Job(new_id(), caller.user_id, operation, given, self._mind.store.clock(), download=download)
        self._keep(job)
        task = asyncio.create_task(self._run(caller, job))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.wait({task}, timeout=AT_ONCE_SECONDS)
        return job

    def get(self, caller: Caller, job_id: str) -> Job:
        """A job of the caller.

        Raises:
            BigMindError: `not_found`.
        """
        job = self.find(caller, job_id)
        if job is None:
            raise BigMindError(
                Code.NOT_FOUND,
                "How this ended is not known any more: BigMind was started again meanwhile, or it was long ago.",
                "What was under way was either finished or taken back: the counts on this page show which.",
            )
        return job

    def find(self, caller: Caller, job_id: str) -> Job | None:
        """A job of the caller; None where it is not known, or not any more."""
        with self._lock:
            job = self._jobs.get(job_id)
        return job if job is not None and job.user_id == caller.user_id else None

    def forget(self, job: Job) -> None:
        """Keep nothing of a job whose answer is shown once."""
        with self._lock:
            self._jobs.pop(job.id, None)

    def when_over(self, job: Job, then: Callable[[], object]) -> None:
        """Have something done on the event loop once the job has ended, well or not; at once, when it has."""
        if not job.is_running:
            then()
            return

        async def wait() -> None:
            await job.over.wait()
            then()

        task = asyncio.create_task(wait())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def running(self, caller: Caller) -> list[Job]:
        """What the caller has going on, the oldest first."""
        return [each for each in self._of(caller) if each.is_running]

    def latest(self, caller: Caller, *operations: str) -> Job | None:
        """The newest job of those operations, also when it is over: a page that is opened again shows it."""
        mine = [each for each in self._of(caller) if each.operation.name in operations]
        return mine[-1] if mine else None

    def latest_done(self, caller: Caller, operation: str) -> Job | None:
        """The newest job of that operation that has succeeded."""
        mine = [each for each in self._of(caller) if each.operation.name == operation]
        return next((each for each in reversed(mine) if each.answer is not None), None)

    def _of(self, caller: Caller) -> list[Job]:
        """What the caller began, the oldest first; from any thread."""
        with self._lock:
            kept = list(self._jobs.values())
        return [each for each in kept if each.user_id == caller.user_id]

    async def _run(self, caller: Caller, job: Job) -> None:
        try:
            job.answer = await self._mind.dispatcher.call(
                job.operation, caller, job.given, progress=job.tell, cancellation=job.cancellation
            )
        except BigMindError as error:
            job.error = error
        except Exception:  # the edge of a task that nobody awaits: told to the person, and to the log
            log.exception("%s failed", job.operation.name)
            hint = "BigMind's log has the details, or the terminal that it was started in; please report it."
            job.error = BigMindError(Code.INTERNAL, "Something went wrong inside BigMind.", hint)
        finally:
            job.over.set()
            if job.answer is not None and job.answer.shown_once:
                asyncio.get_running_loop().call_later(self._once_seconds, self.forget, job)

    def _keep(self, job: Job) -> None:
        """Keep it, instead of the oldest of those that are over."""
        with self._lock:
            over = [each.id for each in self._jobs.values() if not each.is_running]
            for each in over[: max(0, len(self._jobs) - MOST_KEPT + 1)]:
                del self._jobs[each]
            self._jobs[job.id] = job
