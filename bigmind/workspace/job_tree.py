"""A command and all that it starts, on Windows: a job object, which nothing in it can leave."""

import ctypes
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import IO, Any

from bigmind.local.apart import NO_WINDOW

PIECE = 65_536
ENDING_SECONDS = 3.0
SUSPENDED = 0x4
_NEW_GROUP, _BELOW_NORMAL = 0x200, 0x4000
FLAGS = SUSPENDED | NO_WINDOW | _NEW_GROUP | _BELOW_NORMAL
"""It begins to run only when it is in the job, so that nothing is started outside of it."""
_EXTENDED_LIMITS, _KILL_ON_CLOSE = 9, 0x2000
_ENDED = 1
"""Exit code of all that is in a job that is ended."""


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("PerProcessUserTimeLimit", ctypes.c_int64),
        ("PerJobUserTimeLimit", ctypes.c_int64),
        ("LimitFlags", ctypes.c_uint32),
        ("MinimumWorkingSetSize", ctypes.c_size_t),
        ("MaximumWorkingSetSize", ctypes.c_size_t),
        ("ActiveProcessLimit", ctypes.c_uint32),
        ("Affinity", ctypes.c_size_t),
        ("PriorityClass", ctypes.c_uint32),
        ("SchedulingClass", ctypes.c_uint32),
    )


class ExtendedLimits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION."""

    _fields_ = (
        ("BasicLimitInformation", _BasicLimits),
        ("IoInfo", ctypes.c_uint64 * 6),
        ("ProcessMemoryLimit", ctypes.c_size_t),
        ("JobMemoryLimit", ctypes.c_size_t),
        ("PeakProcessMemoryUsed", ctypes.c_size_t),
        ("PeakJobMemoryUsed", ctypes.c_size_t),
    )


class Jobs:
    """The calls of Windows for job objects."""

    def __init__(self, kernel: Any, native: Any) -> None:
        """`kernel` is kernel32, `native` ntdll."""
        self._kernel = kernel
        self._native = native
        handle = ctypes.c_void_p
        kernel.CreateJobObjectW.argtypes, kernel.CreateJobObjectW.restype = (handle, ctypes.c_wchar_p), handle
        kernel.SetInformationJobObject.argtypes = (handle, ctypes.c_int, handle, ctypes.c_uint32)
        kernel.AssignProcessToJobObject.argtypes = (handle, handle)
        kernel.TerminateJobObject.argtypes = (handle, ctypes.c_uint)
        kernel.CloseHandle.argtypes = (handle,)
        native.NtResumeProcess.argtypes = (handle,)

    def create(self) -> int:
        """A new job, whose processes end with it; raises OSError."""
        job = self._kernel.CreateJobObjectW(None, None)
        limits = ExtendedLimits()
        limits.BasicLimitInformation.LimitFlags = _KILL_ON_CLOSE
        _succeed(job)
        size = ctypes.sizeof(limits)
        if not self._kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size):
            self.close(job)
            _succeed(0)
        return int(job)

    def run_in(self, job: int, process: int) -> None:
        """Put a process that does not run yet into a job, and let it run; raises OSError."""
        _succeed(self._kernel.AssignProcessToJobObject(job, process))
        _succeed(self._native.NtResumeProcess(process) == 0)

    def end(self, job: int) -> None:
        """End all that is in a job."""
        self._kernel.TerminateJobObject(job, _ENDED)

    def close(self, job: int) -> None:
        """Give the job back; what were still in it would end."""
        self._kernel.CloseHandle(job)


def _succeed(value: Any) -> None:
    if not value:
        number = int(getattr(ctypes, "get_last_error", lambda: 0)())
        raise OSError(number, f"Windows makes no job (error {number})")


@cache
def windows_jobs() -> Jobs:
    """Those of this Windows."""
    load: Any = getattr(ctypes, "WinDLL")  # noqa: B009 - there on Windows alone
    return Jobs(load("kernel32", use_last_error=True), load("ntdll", use_last_error=True))


def windows_process(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> Any:
    """A process that does not run yet; raises OSError, ValueError."""
    return subprocess.Popen(
        list(arguments),
        executable=arguments[0],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        bufsize=0,
        cwd=folder,
        env=dict(environment),
        creationflags=FLAGS,
    )


class JobTree:
    """A running command, and what it started; a `ProcessTree`. Windows knows no request to end: it is ended at once."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        take: Callable[[bytes], None],
        jobs: Callable[[], Jobs] = windows_jobs,
        start: Callable[[Sequence[str], Path, Mapping[str, str]], Any] = windows_process,
    ) -> None:
        """Start it; raises OSError, ValueError. `take` gets what it prints, on a thread of its own."""
        self.exit_code: int | None = None
        self.fault = ""
        self._has_ended = False
        self._jobs = jobs()
        self._job = self._jobs.create()
        try:
            self._process = start(arguments, folder, environment)
        except (OSError, ValueError):
            self._jobs.close(self._job)
            raise
        try:
            self._jobs.run_in(self._job, int(self._process._handle))  # noqa: SLF001 - Popen gives no other
        except OSError:
            self._process.kill()
            self._process.wait()
            self._process.stdout.close()
            self._jobs.close(self._job)
            raise
        self._reader = threading.Thread(target=_read, args=(self._process.stdout, take), daemon=True)
        self._reader.start()

    def wait(self, seconds: float) -> bool:
        """Whether the command itself has ended within so many seconds."""
        try:
            self.exit_code = int(self._process.wait(max(seconds, 0)))
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> None:
        """End all of it, and close what was open for it; may be called again."""
        if self._has_ended:
            return
        self._has_ended = True
        self._jobs.end(self._job)
        if not self.wait(ENDING_SECONDS):
            self.fault = "it could not be ended"
        self._jobs.close(self._job)
        self._reader.join(ENDING_SECONDS)
        if not self._reader.is_alive():  # else somebody outside the job writes on: closing would wait for them
            self._process.stdout.close()


def _read(stream: IO[bytes], take: Callable[[bytes], None]) -> None:
    with suppress(OSError, ValueError):
        while piece := stream.read(PIECE):
            take(piece)
