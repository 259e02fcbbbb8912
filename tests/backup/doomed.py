"""Makes backups and restores them in processes that are killed: forked where that is, to import nothing twice.

Usage: python -m tests.backup.doomed. Reads lines `seconds what home`, where `what` is `backup`, `encrypted` or the name
of a backup to restore, and answers `killed` or `finished` and the seconds it had, when that process is gone. With `what
home` as its arguments it is that process.
"""

import os
import select
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from time import perf_counter

import alembic.command  # noqa: F401 - this and the next: to have them before the fork
import pyrage  # noqa: F401

from bigmind.backup.encryption import begin
from bigmind.backup.restore import restore
from bigmind.backup.service import backup_now
from bigmind.people.service import person
from bigmind.secrets.masking import mask  # noqa: F401 - as above
from bigmind.store.access import Access
from bigmind.wiring import open_mind
from tests.killing import KILL


def doomed(what: str, home: Path, ready: int) -> None:
    """The work, with a byte into `ready` when it begins."""
    mind = open_mind(home, "ada")
    if what == "encrypted":
        begin(home)
    os.write(ready, b"!")
    if what in {"backup", "encrypted"}:
        backup_now(mind.store, "manual")
    else:
        access = Access(mind.store, person(mind.store, "ada"), "backup_restore")
        restore(access, mind.store.safekeeping.folder / what, [])


def forked(what: str, home: str, seconds: float) -> tuple[int, float]:
    """How it ended, and how long it had."""
    reading, ready = os.pipe()
    child = os.fork()
    if child == 0:
        doomed(what, Path(home), ready)
        os._exit(0)
    os.close(ready)
    os.read(reading, 1)
    begun = perf_counter()
    # The pipe ends when the child does: that, or the time being over, is what is waited for.
    select.select([reading], [], [], seconds)
    os.kill(child, KILL)
    _, status = os.waitpid(child, 0)
    os.close(reading)
    return status, perf_counter() - begun


def spawned(what: str, home: str, seconds: float) -> tuple[int, float]:
    """The same where nothing is forked."""
    with subprocess.Popen([sys.executable, "-m", "tests.backup.doomed", what, home], stdout=subprocess.PIPE) as child:
        child.stdout.read(1)
        begun = perf_counter()
        with suppress(subprocess.TimeoutExpired):
            child.wait(seconds)
        child.kill()
        return child.wait(), perf_counter() - begun


def main() -> None:
    if sys.argv[1:]:
        doomed(sys.argv[1], Path(sys.argv[2]), sys.stdout.fileno())
        return
    run = forked if os.name == "posix" else spawned
    for line in sys.stdin:
        seconds, what, home = line.rstrip("\n").split(" ", 2)
        status, had = run(what, home, float(seconds))
        print("finished" if status == 0 else "killed", had, flush=True)


if __name__ == "__main__":
    main()
