"""Starts real BigMind processes fast: a process that imported it once forks one for each test that asks.

Each has its own environment, home, port, streams and signals, and runs what the `bigmind` command runs; only the second
of importing is not spent again. So is the server that such a command starts when there is none. Tests of the start
itself, of memory, and of what the kernel says of a process's environment start the command (`by_command` in
tests/support.py).

The process has a socket as standard input. It reads one request a message and answers each:
`{"arguments": [...], "environment": {...}, "folder": ...}`, with the files of standard input, output and error, by the
process id; `{"ended": pid}` by the status it ended with, as os.waitpid tells it, or null.
"""

import atexit
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
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

ROOT = Path(__file__).parents[1]
LONGEST = 1 << 17
"""Bytes of a request: an environment. A socket takes a little more at once."""
WANTED = (
    "app.process_commands",
    "app.core",
    "app.desktop.control",
    "app.meaning_search",
    "app.headless",
    "app.web_server.serving",
    "app.server_host",
    "app.desktop.tray",
    "app.main",
    "app.warming",
    "bigmind.backup.schedule",
    "bigmind.usage.keeper",
    "bigmind.mcp.endpoint",
    "bigmind.mcp.sessions",
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
CODE = "from tests.nursery import main; main()"
"""What the nursery runs; of all that it forks, too, the system says that this is their command."""
COVERED = "COVERAGE_PROCESS_CONFIG"
"""Set where coverage is measured, which a fork that is not told of it would not be."""


Done = subprocess.CompletedProcess[str]

former: list[Any] = []
"""Streams of a process before it became a command, which a thread that is not there any more may have locked."""


class Born:
    """A process that the nursery forked, with what tests use of subprocess.Popen."""

    def __init__(
        self,
        nursery: "Nursery",
        pid: int,
        stderr: BinaryIO | None = None,
        stdout: BinaryIO | None = None,
        stdin: BinaryIO | None = None,
    ) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stderr = stderr
        self.stdout = stdout
        self.returncode: int | None = None
        self._nursery = nursery

    def poll(self) -> int | None:
        if self.returncode is None:
            status = self._nursery.ask({"ended": self.pid})
            self.returncode = None if status is None else os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Raises subprocess.TimeoutExpired when it has not ended within that many seconds."""
        if self.poll() is not None:  # its number may be another's by now
            return self.returncode
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

    def start(
        self, arguments: list[str], environment: dict[str, str], folder: Path = ROOT, *, is_asked: bool = False
    ) -> Born:
        """The command with exactly this environment, of whose output and errors each is a pipe to read from.

        Its input is empty, or, when it `is_asked`, a pipe to write to.
        """
        said, told = os.pipe(), os.pipe()
        asked, asking = os.pipe() if is_asked else (os.open(os.devnull, os.O_RDONLY), None)
        try:
            pid = self.fork(arguments, environment, (asked, said[1], told[1]), folder)
        finally:
            for each in (asked, said[1], told[1]):
                os.close(each)
        stdin = None if asking is None else os.fdopen(asking, "wb")
        return Born(self, pid, os.fdopen(told[0], "rb"), os.fdopen(said[0], "rb"), stdin)

    def start_server(self, environment: dict[str, str]) -> Born:
        """A server with exactly this environment, of which nobody knows yet whether it is ready."""
        reading, writing = os.pipe()
        nothing = os.open(os.devnull, os.O_RDWR)
        try:
            pid = self.fork(["serve", "--background"], environment, (nothing, nothing, writing))
        finally:
            for each in (nothing, writing):
                os.close(each)
        return Born(self, pid, os.fdopen(reading, "rb"))

    def run(self, arguments: list[str], environment: dict[str, str], seconds: float, folder: Path = ROOT) -> Done:
        """What subprocess.run says of the command. Raises subprocess.TimeoutExpired."""
        with (
            tempfile.TemporaryFile() as output,
            tempfile.TemporaryFile() as errors,
            Path(os.devnull).open("rb") as nothing,
        ):
            files = nothing.fileno(), output.fileno(), errors.fileno()
            code = Born(self, self.fork(arguments, environment, files, folder)).wait(seconds)
            told = [file.seek(0) or file.read().decode() for file in (output, errors)]
        return subprocess.CompletedProcess(arguments, code, *told)

    def fork(
        self, arguments: list[str], environment: dict[str, str], files: tuple[int, int, int], folder: Path = ROOT
    ) -> int:
        """The process id of the command with these standard files."""
        return self.ask({"arguments": arguments, "environment": environment, "folder": str(folder)}, *files)

    def ask(self, request: dict[str, Any], *files: int) -> Any:
        with self._asking:
            if self._process is None:
                self._begin()
            socket.send_fds(self._ours, [json.dumps(request).encode()], list(files))
            return json.loads(self._ours.recv(LONGEST))

    def _begin(self) -> None:
        # Not -m: the command would call itself "python -m".
        command = [sys.executable, "-c", CODE]
        self._process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=self._environment,
            stdin=self._theirs,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # what a command asks at its session's terminal is no question to whoever tests
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
    from bigmind.operations.catalogue import input_schema  # noqa: PLC0415
    from bigmind.search import indexer  # noqa: PLC0415
    from bigmind.secrets.masking import warm  # noqa: PLC0415
    from bigmind.wiring import catalogue  # noqa: PLC0415
    from bigmind.work.processes import SHIPPED, shipped  # noqa: PLC0415
    from tests import sharing  # noqa: PLC0415
    from tests.first_requests import live  # noqa: PLC0415
    from tests.ticking import tick_fast  # noqa: PLC0415

    warm()
    sharing.share_statements()
    sharing.share_schema()
    sharing.share_signatures()
    sharing.share_routes()
    sharing.leave_system_log()
    for operation in catalogue():
        input_schema(operation)
    start_by_forking()
    tick_fast()
    indexer.QUIET_SECONDS = 0.1  # a test has written what it waits for
    for name in SHIPPED:
        shipped(name)
    with tempfile.TemporaryDirectory() as scratch:
        live(Path(scratch) / "home")
    assert threading.active_count() == 1  # a fork has none of the others
    gc.freeze()


class Started:
    """A server that a command started: a fork of that command, in place of what subprocess.Popen would start."""

    def __init__(
        self, command: list[str], *, stdout: int, stderr: int, cwd: Path, env: dict[str, str], **_: object
    ) -> None:
        self.returncode: int | None = None
        self._asking = threading.Lock()
        arguments = command[command.index("serve") :]
        self.pid = os.fork()
        if self.pid == 0:
            gc.freeze()  # what only the other threads knew closes no file any more
            os.setsid()
            end_as(lambda: become(arguments, env, str(cwd), [os.open(os.devnull, os.O_RDONLY), stdout, stderr]))

    def poll(self) -> int | None:
        with self._asking:
            if self.returncode is None and (ended := os.waitpid(self.pid, os.WNOHANG))[0]:
                self.returncode = os.waitstatus_to_exitcode(ended[1])
            return self.returncode

    def wait(self) -> int | None:
        with suppress(ChildProcessError):  # somebody else was told of its end
            os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOWAIT)
        return self.poll()


def start_by_forking() -> None:
    """Have each command that starts a server fork itself: it has imported what a server needs."""
    from bigmind.local import launch  # noqa: PLC0415

    launch.subprocess = SimpleNamespace(Popen=Started, DEVNULL=subprocess.DEVNULL)


def end_as(run: Callable[[], object]) -> None:
    """Run what ends by SystemExit, and end this process as Python would: a thread that forked cannot leave by it.

    But for what was imported: taking it all down again takes longer than most commands.
    """
    code = 1
    try:
        run()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 - it is told as Python tells it, and nothing comes after it
        traceback.print_exc()
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


def become(arguments: list[str], environment: dict[str, str], folder: str, files: list[int]) -> None:
    """Be the command, as its script is."""
    from app.main import main as command  # noqa: PLC0415 - imported before the fork

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for stream, file in enumerate(files):
        os.dup2(file, stream)
    os.closerange(len(files), max(int(each.name) for each in Path("/proc/self/fd").iterdir()) + 1)
    former.extend((sys.stdin, sys.stdout, sys.stderr))
    # Streams know from their beginning what they are of: a pipe has no place in it, and a terminal wants whole lines.
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # noqa: SIM115 - as Python does
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # noqa: SIM115
    sys.stderr = sys.__stderr__ = open(2, "w", buffering=1, errors="backslashreplace", closefd=False)  # noqa: SIM115
    os.chdir(folder)
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
        request, files, *_ = socket.recv_fds(line, LONGEST, 3)
        if not request:
            return
        asked = json.loads(request)
        if "ended" in asked:
            reap()
            line.send(json.dumps(ended.get(asked["ended"])).encode())
            continue
        # The system gives numbers anew: what is known of the one that had this before is not said of this one.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGCHLD})
        child = os.fork()
        ended.pop(child, None)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGCHLD})
        if child == 0:
            line.close()
            end_as(lambda asked=asked, files=files: become(**asked, files=files))
        for file in files:
            os.close(file)
        line.send(json.dumps(child).encode())
