"""Starts real servers fast: imports the server once, and forks one for each `start` that it reads.

On Windows nothing is forked: there each is a process of its own from the beginning.

Usage: python -m tests.store.nursery careful|careless. Answers `start` with the process id, `wait` when that process is
gone. A careless server answers before it commits: the control that shows that a loss is noticed.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

import bigmind.people.sign_in_codes
import bigmind.wiring
from app.headless import serve_in_background
from bigmind.core.operation import Caller
from bigmind.store.store import Store
from bigmind.store.transaction import Transaction
from bigmind.store.work import Work

GROUP = 10
PUT_OFF = frozenset({"memory_store_fact", "memory_append_chunk", "memory_add_hypothesis"})


class CarelessStore(Store):
    """Commits only every tenth write, with those before it."""

    _late: Transaction | None = None
    _writes = 0

    @contextmanager
    def write(self, caller: Caller, operation: str, *, beside: bool = False) -> Generator[Work]:
        """A unit of work that is answered before it is on disk."""
        if operation not in PUT_OFF:
            with super().write(caller, operation, beside=beside) as work:
                yield work
            return
        with self._writing:
            self._late = self._late or Transaction(self._writer)
            host, told = self.host, self.kinds
            work = Work(self._late, caller, self.clock(), operation, self, host, self.backend, self.mode, kinds=told)
            yield work
            self._late.flush()
            self._writes += 1
            if self._writes % GROUP == 0:
                self._late.commit()
                self._late.__exit__(None, None, None)
                self._late = None


Started = tuple[int, Callable[[], int]]
"""The process id of a server, and what waits for its end and tells how that was."""


def forked() -> Started:
    child = os.fork()
    if child == 0:
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1):
            os.dup2(nothing, stream)
        os._exit(serve_in_background())
    return child, lambda: os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def spawned() -> Started:
    command = [sys.executable, "-m", "tests.store.nursery", sys.argv[1], "serve"]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return child.pid, child.wait


def main() -> int:
    """Serve the harness until it closes its end; or be one of the servers."""
    if sys.argv[1] == "careless":
        bigmind.wiring.Store = CarelessStore
    if sys.argv[2:]:
        return serve_in_background()
    start, wait = forked if os.name == "posix" else spawned, lambda: 0
    for line in sys.stdin:
        if line.strip() == "start":
            pid, wait = start()
            print(pid, flush=True)
        else:
            print(wait(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
