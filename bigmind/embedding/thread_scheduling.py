"""How the system lets threads run: while several wait for what is found, the server does not push the searcher aside.

Of two processors the process that searches then needs one. The server's threads, of which Python runs one at a time,
need the other and wander over both: whoever is woken takes the place of what runs there, while the other processor has
nothing to do. Linux's `SCHED_BATCH` gives a thread as much time as ever, but only when what runs has had its turn.

With fewer who wait nothing changes: on a machine whose processors all have other work, each answer would come later.
"""

import logging
import os
import sys
import threading
from contextlib import suppress
from functools import cache
from pathlib import Path

log = logging.getLogger(__name__)

SEVERAL = 3
"""Questions that are not answered: one is being answered, one is there when that ends, and one waits."""
THREADS = Path("/proc/self/task")


class ThreadScheduling:
    """How all threads of this process are let run, and those that they start; on Linux, elsewhere as ever."""

    def __init__(self) -> None:
        """As ever. Who started BigMind in another way than the ordinary one knows why: then it stays so."""
        self._lock = threading.Lock()
        self._gives_way = False
        self._is_possible = _is_ordinary()

    def follow(self, waiting: int) -> None:
        """Note how many questions are not answered: from several on, until there is none, the threads give way."""
        if self._is_possible and (waiting == 0 if self._gives_way else waiting >= SEVERAL):
            self._change(gives_way=waiting > 0)

    def end(self) -> None:
        """Have them run as ever from here on: nobody waits any more."""
        self._change(gives_way=False)
        self._is_possible = False

    def leave_out_this_thread(self) -> None:
        """Have this thread, and the processes that it starts, run as ever, whoever started it."""
        if self._is_possible:
            with suppress(OSError):  # where it is forbidden, nothing else was set either
                _schedule(0, gives_way=False)

    def _change(self, *, gives_way: bool) -> None:
        with self._lock:
            if self._gives_way == gives_way or not self._is_possible:
                return
            self._gives_way = gives_way
            try:
                for thread in THREADS.iterdir():
                    with suppress(ProcessLookupError):  # it has ended meanwhile
                        _schedule(int(thread.name), gives_way=gives_way)
            except OSError as error:
                self._is_possible = False
                log.info("Threads are scheduled as ever: %s", error)


@cache
def _is_ordinary() -> bool:
    """Whether this process was scheduled in the ordinary way when it first asked, on a system that has others."""
    return sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER


def _schedule(thread: int, *, gives_way: bool) -> None:
    """Set it for a thread, 0 for this one; raises OSError where that is forbidden."""
    if sys.platform == "linux":
        os.sched_setscheduler(thread, os.SCHED_BATCH if gives_way else os.SCHED_OTHER, os.sched_param(0))
