"""Runs the approved checks of runs, a few at once, on threads of its own; who asks waits for a while, and asks again.

How they ended is remembered for the tree that they saw until somebody writes it down.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures import TimeoutError as TooLong
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bigmind.core.lazy_module import LazyModule
from bigmind.protocol.judging.run_record import CheckOutcome

if TYPE_CHECKING:
    from bigmind.workspace import approved_commands
    from bigmind.workspace.approved_commands import ApprovedCommand
else:
    approved_commands = LazyModule("bigmind.workspace.approved_commands")

AT_ONCE = 2
"""Lists of checks that run at once."""
PATIENCE_SECONDS = 45.0
"""So long who asks waits for them: less than the clients that wait least for a tool."""
MOST_KEPT = 50


@dataclass(frozen=True, slots=True)
class CheckOrder:
    """What is to be run: for which run, on which tree, where, and which commands, with their limits in seconds."""

    run: str
    tree: str
    root: Path
    commands: Sequence[tuple["ApprovedCommand", int]]


class CheckRunner:
    """The checks that are being run. May be used from any thread."""

    def __init__(self) -> None:
        """Prepare it; nothing runs yet."""
        self._lock = threading.Lock()
        self._ending = threading.Event()
        self._pool: ThreadPoolExecutor | None = None
        self._jobs: OrderedDict[tuple[str, str], Future[list[CheckOutcome]]] = OrderedDict()

    def outcomes(self, order: CheckOrder, patience: float = PATIENCE_SECONDS) -> list[CheckOutcome] | None:
        """How the checks ended, begun by this where they are not under way; None while they still run.

        Args:
            order: what is to be run; the same run and tree is run once.
            patience: seconds to wait.
        """
        key = order.run, order.tree
        with self._lock:
            if self._ending.is_set():
                return None
            if key not in self._jobs:
                self._pool = self._pool or ThreadPoolExecutor(AT_ONCE, thread_name_prefix="checks")
                self._jobs[key] = self._pool.submit(self._run, order)
                self._forget_oldest()
            job = self._jobs[key]
        try:
            found = job.result(patience)
        except TooLong:
            return None
        with self._lock:
            self._jobs.pop(key, None)
        return found

    def close(self) -> None:
        """End what runs, with all that it started."""
        with self._lock:
            self._ending.set()
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait=True, cancel_futures=True)

    def _forget_oldest(self) -> None:
        done = [key for key, job in self._jobs.items() if job.done()]
        for key in done[: max(0, len(self._jobs) - MOST_KEPT)]:
            del self._jobs[key]

    def _run(self, order: CheckOrder) -> list[CheckOutcome]:
        return [self._one(order, command, seconds) for command, seconds in order.commands]

    def _one(self, order: CheckOrder, command: "ApprovedCommand", seconds: int) -> CheckOutcome:
        changed = tuple(approved_commands.changed_definitions(command, order.root))
        if self._ending.is_set():
            return CheckOutcome(command.name, order.tree, None, "BigMind was stopped")
        result = approved_commands.run_command(command, order.root, seconds, is_cancelled=self._ending.is_set)
        return CheckOutcome(
            command.name, order.tree, result.exit_code, result.fault, result.output, result.seconds, changed
        )


CHECKS = CheckRunner()
"""Of this process; whoever serves ends it (app/running.py)."""
