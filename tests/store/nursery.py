"""Starts real servers fast: imports the server once, and forks one for each `start` that it reads.

Usage: python -m tests.store.nursery careful|careless. Answers `start` with the process id, `wait` when that process is
gone. A careless server answers before it commits: the control that shows that a loss is noticed.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager

from sqlmodel import Session

import bigmind.people.sign_in_codes
import bigmind.wiring
from app.headless import serve_in_background
from bigmind.core.operation import Caller
from bigmind.store.store import Store
from bigmind.store.work import Work

GROUP = 10
PUT_OFF = frozenset({"memory_store_fact", "memory_append_chunk", "memory_add_hypothesis"})


class CarelessStore(Store):
    """Commits only every tenth write, with those before it."""

    _open: Session | None = None
    _writes = 0

    @contextmanager
    def write(self, caller: Caller, operation: str, *, beside: bool = False) -> Generator[Work]:
        """A unit of work that is answered before it is on disk."""
        if operation not in PUT_OFF:
            with super().write(caller, operation, beside=beside) as work:
                yield work
            return
        with self._writing:
            self._open = self._open or Session(self._writer, expire_on_commit=False)
            host, told = self.host, self.kinds
            work = Work(self._open, caller, self.clock(), operation, self, host, self.backend, self.mode, kinds=told)
            yield work
            self._open.flush()
            self._writes += 1
            if self._writes % GROUP == 0:
                self._open.commit()


def main() -> None:
    """Serve the harness until it closes its end."""
    if sys.argv[1] == "careless":
        bigmind.wiring.Store = CarelessStore
    child = 0
    for line in sys.stdin:
        if line.strip() == "start":
            child = os.fork()
            if child == 0:
                nothing = os.open(os.devnull, os.O_RDWR)
                for stream in (0, 1):
                    os.dup2(nothing, stream)
                os._exit(serve_in_background())
            print(child, flush=True)
        else:
            print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
