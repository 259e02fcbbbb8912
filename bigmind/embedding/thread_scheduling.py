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
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache

log = logging.getLogger(__name__)

SEVERAL = 3
"""Questions that are not answered: one is being answered, one is there when that ends, and one waits."""


class ThreadScheduling:
    """How the threads of this process but its first one are let run, on Linux; elsewhere as ever.

    Those that are started while they give way do so too, and processes that are.
    """

    def __init__(self, waiting: Callable[[], int]) -> None:
        """As ever. Who started BigMind in another way than the ordinary one knows why: then it stays so.

        Args:
            waiting: how many questions are not answered.
        """
        self._waiting = waiting
        self._lock = threading.Lock()
        self._gives_way = False
        self._is_over = not _is_ordinary()

    def follow(self) -> None:
        """Look how many questions are not answered: from several on, until there is none, the threads give way."""
        if self._is_over or not self._is_to_change():
            return
        with self._lock:
            if not self._is_over and self._is_to_change():
                self._change()

    def end(self) -> None:
        """Have them run as ever from here on: nobody waits any more."""
        with self._lock:
            if self._gives_way:
                self._change()
            self._is_over = True

    def exempt(self, process: int) -> None:
        """Have a process that was just started run as ever, whoever started it."""
        if not self._is_over:
            with suppress(OSError):  # it has ended, or that is forbidden, and then nothing gives way
                _schedule(process, gives_way=False)

    def _is_to_change(self) -> bool:
        waiting = self._waiting()
        return waiting == 0 if self._gives_way else waiting >= SEVERAL

    def _change(self) -> None:
        self._gives_way = not self._gives_way
        try:
            for thread in _others() if self._gives_way else _all():
                with suppress(ProcessLookupError):  # it has ended meanwhile
                    _schedule(thread, gives_way=self._gives_way)
        except OSError as error:
            self._gives_way, self._is_over = False, True
            log.info("The system does not let threads give way: %s", error)


def _others() -> Iterator[int]:
    """The interpreter's threads but its first one."""
    numbers = (each.native_id for each in threading.enumerate() if each is not threading.main_thread())
    return filter(None, numbers)  # one that is being started has none yet


def _all() -> Iterator[int]:
    """All threads: a library may have started some of its own from one that gave way."""
    try:
        return map(int, os.listdir("/proc/self/task"))  # noqa: PTH208 - names alone
    except OSError:  # there may be no file descriptor left
        return _others()


@cache
def _is_ordinary() -> bool:
    """Whether this process was scheduled in the ordinary way when it first asked, on a system that has others."""
    return sys.platform == "linux" and os.sched_getscheduler(0) == os.SCHED_OTHER


def _schedule(thread: int, *, gives_way: bool) -> None:
    """Set it for a thread, or the first one of a process; raises OSError where that is forbidden."""
    if sys.platform == "linux":
        os.sched_setscheduler(thread, os.SCHED_BATCH if gives_way else os.SCHED_OTHER, os.sched_param(0))
