"""The process that stands between BigMind and a command on POSIX: it starts the command and ends all that came of it.

It is a process of its own because only so everything is found. On Linux it is the one to whom orphans fall
(PR_SET_CHILD_SUBREAPER): whatever forks twice, opens a session of its own or empties its environment stays its
descendant; BigMind itself could not tell whose orphans they are. On macOS there is no such thing: descendants are noted
while the command runs, twenty times a second, and what loses its parent between two looks is lost.
When BigMind itself dies, its end of the socket closes, and the command is ended too.

Runs as a script without `site` and by itself: imports nothing but the standard library.

The order comes on standard input, a socket: its length in 8 bytes, then, each ended by NUL, how many arguments there
are, the folder, the arguments, the first of which is the program's path, and `NAME=value` for the environment. Answers
are lines: `started PID`, told before the command can do anything; then `running 0` or `failed ERRNO`; then
`ended STATUS` (negative: the signal), and `left NUMBER` of processes that could not be ended. A line `end`, or the
closed socket, asks to end it all.
"""

import ctypes
import errno
import os
import select
import signal
import socket
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import NoReturn

GRACE_SECONDS = 2.0
"""Between the request to end and the kill."""
KILL_SECONDS = 5.0
"""So long it is tried to kill what forks on."""
LOOK_SECONDS = 0.05
NICENESS = 10
_SUBREAPER, _DEATH_SIGNAL = 36, 1
"""PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG of Linux's prctl."""
_BSD_INFO, _BSD_INFO_SIZE, _START = 3, 136, slice(120, 136)
"""PROC_PIDTBSDINFO of macOS' proc_pidinfo, the size of its struct, and the moment of the start in it."""
_MOST_ROUNDS = 100
_DEAF_TO = tuple(
    getattr(signal, name)
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGPIPE", "SIGUSR1", "SIGUSR2")
    if hasattr(signal, name)
)
"""Windows has few of them: the guard never runs there, yet what chooses between the systems imports both."""

Descendants = Callable[[], set[int]]


def descendants_of(guard: int, system: str = sys.platform) -> Descendants:
    """How the living descendants of a process are found on that system (as `sys.platform` says it)."""
    return LinuxDescendants(guard) if system.startswith("linux") else MacDescendants(guard, ctypes.CDLL(None))


class LinuxDescendants:
    """All below a process to which orphans fall, by `/proc`, without those that ended and only wait to be seen."""

    def __init__(self, guard: int) -> None:
        """`guard` is that process."""
        self._guard = guard

    def __call__(self) -> set[int]:
        children, zombies = defaultdict[int, list[int]](list), set[int]()
        for name in os.listdir("/proc"):  # noqa: PTH208 - no Path for each process
            if not name.isdigit():
                continue
            with suppress(OSError), open(f"/proc/{name}/stat", "rb", buffering=0) as file:  # noqa: PTH123 - as above
                state, parent = file.read(4096).rpartition(b")")[2].split()[:2]
                children[int(parent)].append(int(name))
                if state in {b"Z", b"X"}:
                    zombies.add(int(name))
        found, waiting = set[int](), [self._guard]
        while waiting:
            below = children.get(waiting.pop(), [])
            waiting.extend(each for each in below if each not in found)
            found.update(below)
        return found - zombies


class MacDescendants:
    """All that was below a process at any look, by libproc, as long as it is the same process still."""

    def __init__(self, guard: int, library: ctypes.CDLL) -> None:
        """`library` has `proc_listchildpids` and `proc_pidinfo`."""
        self._guard = guard
        self._library = library
        self._starts: dict[int, bytes] = {}

    def __call__(self) -> set[int]:
        self._starts = {pid: start for pid, start in self._starts.items() if self._start(pid) == start}
        seen, waiting = set[int](), [self._guard, *self._starts]
        while waiting:
            for child in self._children(waiting.pop()):
                if child not in seen and (start := self._start(child)):
                    seen.add(child)
                    self._starts.setdefault(child, start)
                    waiting.append(child)
        return set(self._starts)

    def _children(self, parent: int) -> list[int]:
        room = (ctypes.c_int * 4096)()
        count = int(self._library.proc_listchildpids(parent, room, ctypes.sizeof(room)))
        return list(room[: max(count, 0)])

    def _start(self, pid: int) -> bytes:
        room = ctypes.create_string_buffer(_BSD_INFO_SIZE)
        size = int(self._library.proc_pidinfo(pid, _BSD_INFO, ctypes.c_uint64(0), room, _BSD_INFO_SIZE))
        return room.raw[_START] if size == _BSD_INFO_SIZE else b""


def end_all(
    descendants: Descendants,
    grace: float = GRACE_SECONDS,
    pause: Callable[[], None] = lambda: time.sleep(LOOK_SECONDS),
    is_over: Callable[[], bool] | None = None,
) -> int:
    """End all descendants: asked first, then stopped, so that none forks on, and killed.

    Args:
        descendants: finds them.
        grace: seconds until the kill.
        pause: waits a moment, and takes up who has ended.
        is_over: whether none is left; who forks on may be overlooked at a look. None: when none is found.

    Returns:
        How many live on all the same, at least: those of another user, what the system itself holds fast, and who forks
        on faster than is looked.
    """
    ends = is_over or (lambda: not descendants())
    until, asked = time.monotonic() + grace, set[int]()
    while time.monotonic() < until and not ends():
        living = descendants()
        for pid in living - asked:
            _send(pid, signal.SIGTERM)
            _send(pid, signal.SIGCONT)
        asked |= living
        pause()
    until = time.monotonic() + KILL_SECONDS
    while time.monotonic() < until and not ends():
        for pid in _stop(descendants):
            _send(pid, signal.SIGKILL)
        pause()
    return 0 if ends() else max(1, len(descendants()))


def _stop(descendants: Descendants) -> set[int]:
    stopped = set[int]()
    for _ in range(_MOST_ROUNDS):
        if not (others := descendants() - stopped):
            break
        for pid in others:
            _send(pid, signal.SIGSTOP)
        stopped |= others
    return stopped


def _send(pid: int, number: int) -> None:
    with suppress(OSError):
        os.kill(pid, number)


def main() -> int:
    """Be the guard of the command whose order comes on standard input."""
    control = socket.socket(fileno=os.dup(0))
    for number in _DEAF_TO:
        signal.signal(number, signal.SIG_IGN)
    _prctl(_SUBREAPER, 1)
    wake, woken = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken, warn_on_full_buffer=False)
    signal.signal(signal.SIGCHLD, _wake_up)
    folder, arguments, environment = _order(control)
    pid, failure = _start(control, folder, arguments, environment)
    _tell(control, b"failed %d\n" % failure if failure else b"running 0\n")
    return 0 if failure else Guard(control, wake, pid).watch()


class Guard:
    """Watches over a command that runs."""

    def __init__(self, control: socket.socket, wake: int, pid: int) -> None:
        """`wake` is readable when a child has ended, `pid` the command's."""
        self._control = control
        self._wake = wake
        self._pid = pid
        self._has_ended = False
        self._has_children = True
        self._find = descendants_of(os.getpid())

    def watch(self) -> int:
        """Until the command ends, or its end is asked for; then end what is left of it."""
        patience = None if sys.platform.startswith("linux") else LOOK_SECONDS
        while not self._has_ended:
            ready, _, _ = select.select([self._control, self._wake], [], [], patience)
            self._take_up()
            if patience is not None:
                self._find()
            if self._control in ready:
                break
        left = end_all(self._find, pause=self._pause, is_over=self._is_over)
        self._take_up()
        if not self._has_ended:
            _tell(self._control, b"ended %d\n" % -signal.SIGKILL)
        _tell(self._control, b"left %d\n" % left)
        return 0

    def _is_over(self) -> bool:
        """Where orphans fall to this process, none is left when it has no child."""
        self._take_up()
        return not (self._has_children if sys.platform.startswith("linux") else self._find())

    def _pause(self) -> None:
        select.select([self._wake], [], [], LOOK_SECONDS)
        self._take_up()

    def _take_up(self) -> None:
        """Take up all children that have ended: the command, and orphans that fell to this process."""
        with suppress(BlockingIOError):
            os.read(self._wake, 4096)
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                self._has_children = False
                return
            if pid == 0:
                return
            if pid == self._pid:
                self._has_ended = True
                _tell(self._control, b"ended %d\n" % os.waitstatus_to_exitcode(status))


def _wake_up(_number: int, _frame: FrameType | None) -> None:
    """Do nothing: it is the pipe of `set_wakeup_fd` that tells."""


def _tell(control: socket.socket, line: bytes) -> None:
    with suppress(OSError):  # nobody listens any more: all is ended without a word
        control.sendall(line)


def _order(control: socket.socket) -> tuple[bytes, list[bytes], dict[bytes, bytes]]:
    size = int.from_bytes(_exactly(control, 8), "big")
    count, folder, *rest = _exactly(control, size).split(b"\0")[:-1]
    variables = [each.partition(b"=") for each in rest[int(count) :]]
    return folder, rest[: int(count)], {name: value for name, _, value in variables}


def _exactly(control: socket.socket, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        piece = control.recv(size - len(data))
        if not piece:
            sys.exit(1)
        data += piece
    return bytes(data)


def _start(
    control: socket.socket, folder: bytes, arguments: list[bytes], environment: dict[bytes, bytes]
) -> tuple[int, int]:
    """Start the command, and keep nothing of its output open here; its id, and the number of the error, 0 for none."""
    heard, told = os.pipe()
    held, released = os.pipe()
    nothing = os.open(os.devnull, os.O_RDWR)
    pid = os.fork()
    if pid == 0:
        os.close(released)
        os.read(held, 1)
        _become(told, nothing, folder, arguments, environment)
    os.close(told)
    os.close(held)
    _tell(control, b"started %d\n" % pid)
    os.close(released)
    for handle in (0, 1, 2):
        os.dup2(nothing, handle, inheritable=False)
    failure = os.read(heard, 32)
    os.close(heard)
    if failure:
        os.waitpid(pid, 0)
    return pid, int(failure or 0)


def _become(
    told: int, nothing: int, folder: bytes, arguments: list[bytes], environment: dict[bytes, bytes]
) -> NoReturn:
    """The child becomes the command; returns never."""
    try:
        os.setsid()
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)
        os.dup2(nothing, 0)
        for number in {*_DEAF_TO, signal.SIGCHLD, *_of_python()}:
            signal.signal(number, signal.SIG_DFL)
        with suppress(OSError):
            os.nice(NICENESS)
        os.chdir(folder)
        os.execve(arguments[0], arguments, environment)  # noqa: S606 - that no shell reads it is the point
    except (OSError, ValueError) as error:
        os.write(told, b"%d" % (getattr(error, "errno", 0) or errno.EINVAL))
    finally:
        os._exit(127)


def _of_python() -> set[signal.Signals]:
    """Signals that Python ignores, and a command does not."""
    return {signal.SIGXFSZ} if hasattr(signal, "SIGXFSZ") else set()


def _prctl(option: int, value: int) -> None:
    if sys.platform.startswith("linux"):
        ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


if __name__ == "__main__":
    sys.exit(main())
