"""Starts real BigMind processes fast: a process that imported it once forks one for each test that asks.

Each has its own environment, home, port, streams and signals, and runs what the `bigmind` command runs; only the second
of importing is not spent again. Tests of the start itself, of memory, and of what the kernel says of a process's
environment start the command (`by_command` in tests/support.py).

The process has a socket as standard input. It reads one request a message and answers each:
`{"arguments": [...], "environment": {...}}`, with the files of standard output and error, by the process id;
`{"ended": pid}` by the status it ended with, as os.waitpid tells it, or null.
"""

import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import IO, Any, BinaryIO

ROOT = Path(__file__).parents[1]
LONGEST = 1 << 17
"""Bytes of a request: an environment. A socket takes a little more at once."""
WANTED = (
    "app.process_commands",
    "app.core",
    "app.desktop.control",
    "app.meaning_search",
    "app.headless",
    "app.serving",
    "app.server_host",
    "app.desktop.tray",
    "app.main",
    "app.warming",
    "bigmind.backup.schedule",
    "bigmind.usage.keeper",
    "bigmind.mcp.endpoint",
    "bigmind.mcp.requested_tools",
    "bigmind.people.sign_in_codes",
    "_strptime",
    "anyio._backends._asyncio",
    "httpx2",
    "litestar._kwargs.kwargs_model",
    "litestar.exceptions.responses",
    "litestar.exceptions.responses._debug_response",
    "litestar.middleware._internal.exceptions",
    "litestar.middleware.allowed_hosts",
    "litestar.middleware.csrf",
    "litestar.middleware.response_cache",
    "litestar.plugins.attrs",
    "litestar.plugins.pydantic",
    "platformdirs",
    "rich._emoji_codes",
    "uvicorn.lifespan.on",
    "uvicorn.loops.asyncio",
)
"""What commands and servers import when they need it."""
COVERED = "COVERAGE_PROCESS_CONFIG"
"""Set where coverage is measured, which a fork that is not told of it would not be."""


Done = subprocess.CompletedProcess[str]


class Born:
    """A process that the nursery forked, with what tests use of subprocess.Popen."""

    def __init__(self, nursery: "Nursery", pid: int, stderr: BinaryIO | None = None) -> None:
        self.pid = pid
        self.stderr = stderr
        self.returncode: int | None = None
        self._nursery = nursery

    def poll(self) -> int | None:
        if self.returncode is None:
            status = self._nursery.ask({"ended": self.pid})
            self.returncode = None if status is None else os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired when it has not ended within that many seconds."""
        with suppress(ProcessLookupError):  # it has ended, and the nursery has seen it
            handle = os.pidfd_open(self.pid)
            try:
                waiting = select.poll()
                waiting.register(handle, select.POLLIN)
                waiting.poll(None if timeout is None else timeout * 1000)
            finally:
                os.close(handle)
        if self.poll() is None:
            raise subprocess.TimeoutExpired(f"process {self.pid}", timeout or 0)
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


class Nursery:
    """The process that forks, started when it is first asked for one."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._environment = environment
        self._asking = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._ours, self._theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)

    def start_server(self, environment: dict[str, str]) -> Born:
        """A server with exactly this environment, of which nobody knows yet whether it is ready."""
        reading, writing = os.pipe()
        with os.fdopen(writing, "wb") as theirs, Path(os.devnull).open("wb") as nothing:
            pid = self._fork(["serve", "--background"], environment, nothing, theirs)
        return Born(self, pid, os.fdopen(reading, "rb"))

    def run(self, arguments: list[str], environment: dict[str, str], seconds: float) -> Done:
        """What subprocess.run says of the command. Raises subprocess.TimeoutExpired."""
        with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
            code = Born(self, self._fork(arguments, environment, output, errors)).wait(seconds)
            told = [file.seek(0) or file.read().decode() for file in (output, errors)]
        return subprocess.CompletedProcess(arguments, code, *told)

    def _fork(self, arguments: list[str], environment: dict[str, str], output: IO[bytes], errors: IO[bytes]) -> int:
        request = {"arguments": arguments, "environment": environment}
        return self.ask(request, output.fileno(), errors.fileno())

    def ask(self, request: dict[str, Any], *files: int) -> Any:
        with self._asking:
            if self._process is None:
                self._begin()
            socket.send_fds(self._ours, [json.dumps(request).encode()], list(files))
            return json.loads(self._ours.recv(LONGEST))

    def _begin(self) -> None:
        # Not -m: the command would call itself "python -m".
        command = [sys.executable, "-c", "from tests.nursery import main; main()"]
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=self._environment, stdin=self._theirs, stdout=subprocess.DEVNULL
        )
        self._theirs.close()

    def close(self) -> None:
        """End it; its servers are the business of who started them."""
        self._ours.close()
        self._theirs.close()
        if self._process is not None:
            assert self._process.wait(30) == 0


@contextmanager
def opened(environment: dict[str, str]) -> Generator[Nursery | None]:
    """A nursery for the length of a block; None where the system has no such thing or where coverage is measured."""
    if not hasattr(os, "pidfd_open") or COVERED in os.environ:
        yield None
        return
    nursery = Nursery(environment)
    try:
        yield nursery
    finally:
        nursery.close()


def prepare() -> None:
    """Import and prepare once what every start needs."""
    for name in WANTED:
        import_module(name)
    from bigmind.secrets.masking import warm  # noqa: PLC0415
    from bigmind.wiring import open_mind  # noqa: PLC0415
    from tests.sharing import share_statements  # noqa: PLC0415
    from tests.ticking import tick_fast  # noqa: PLC0415

    warm()
    share_statements()
    tick_fast()
    with tempfile.TemporaryDirectory() as scratch:
        open_mind(Path(scratch) / "home", "ada").close()
    assert threading.active_count() == 1  # a fork has none of the others
    gc.freeze()


def become(arguments: list[str], environment: dict[str, str], output: int, errors: int) -> None:
    """Be the command, as its script is."""
    from app.main import main as command  # noqa: PLC0415 - imported before the fork

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream, file in enumerate((nothing, output, errors)):
        os.dup2(file, stream)
    os.closerange(3, max(nothing, output, errors) + 1)
    os.environ.clear()
    os.environ.update(environment)
    sys.argv = [str(Path(sys.executable).with_name("bigmind")), *arguments]
    command()
    sys.exit()


def main() -> None:
    """Serve the tests until they close their end."""
    ended: dict[int, int] = {}

    def reap(*_: object) -> None:
        with suppress(ChildProcessError):
            while (gone := os.waitpid(-1, os.WNOHANG))[0]:
                ended[gone[0]] = gone[1]

    line = socket.socket(fileno=os.dup(0))
    prepare()
    signal.signal(signal.SIGCHLD, reap)
    while True:
        request, files, *_ = socket.recv_fds(line, LONGEST, 2)
        if not request:
            return
        asked = json.loads(request)
        if "ended" in asked:
            reap()
            line.send(json.dumps(ended.get(asked["ended"])).encode())
            continue
        child = os.fork()
        if child == 0:
            line.close()
            become(**asked, output=files[0], errors=files[1])
        for file in files:
            os.close(file)
        line.send(json.dumps(child).encode())
