"""Upgrades stores as the product's start does, each in a process that kills itself at a statement.

Usage: python -m tests.store.upgrades [SCRIPTS]. Reads lines `statement home`, forks for each, and answers with the
status of the process that was forked: 0 when it came to its end before that statement. Nothing is imported twice. With
a folder of migrations of the test's own, only those are run. What SQLite runs for a statement of ours, in triggers and
in full-text indexes, is part of that statement and not counted.
"""

import os
import signal
import sys
import tempfile
from itertools import count
from pathlib import Path

from sqlalchemy import Pool, event

from bigmind.store.migration import migrate
from bigmind.store.sqlite.backend import SQLITE
from bigmind.store.sqlite.engine import writing_engine
from bigmind.wiring import open_mind


def die_at(last: int) -> None:
    """Kill this process when it is about to run its `last` statement, the first is 1, on whichever connection."""
    numbers = count(1)

    def trace(statement: str) -> None:
        if not statement.startswith("-- ") and next(numbers) == last:
            os.kill(os.getpid(), signal.SIGKILL)

    event.listen(Pool, "connect", lambda connection, _: connection.set_trace_callback(trace))


def upgrade(home: Path, scripts: Path | None) -> None:
    if scripts is None:
        open_mind(home, "ada").close()
        return
    engine = writing_engine(home / "bigmind.db")
    migrate(SQLITE.engines, engine, scripts)
    engine.dispose()


def main() -> None:
    scripts = Path(sys.argv[1]) if sys.argv[1:] else None
    with tempfile.TemporaryDirectory() as scratch:  # what is imported and prepared once, before the forks
        upgrade(Path(scratch), scripts)
    for line in sys.stdin:
        statement, home = line.rstrip("\n").split(" ", 1)
        child = os.fork()
        if child == 0:
            die_at(int(statement))
            upgrade(Path(home), scripts)
            os._exit(0)
        print(os.waitpid(child, 0)[1], flush=True)


if __name__ == "__main__":
    main()
