"""What tests share: a real server in a throw-away home, and clients of it."""

import os
import select
import socket
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx
import psutil

from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.program import again, server_command
from bigmind.local.runfile import published
from bigmind.paths import token_file
from tests.nursery import Born, Done, Nursery

ROOT = Path(__file__).parents[1]
READY_SECONDS = 180 if sys.platform == "win32" else 60
COMMAND_SECONDS = 120
HOMES = ("HOME", "USERPROFILE")
MOVED = (
    *("XDG_CONFIG_HOME", "APPDATA", "LOCALAPPDATA", "OneDrive"),
    *("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "GEMINI_CLI_HOME"),
    *("CLINE_DIR", "CLINE_DATA_DIR", "CLINE_MCP_SETTINGS_PATH"),
)
"""Variables that move a client's folder elsewhere; none of this machine's may reach a test."""
DOCUMENTS = "WIN_PD_OVERRIDE_PERSONAL"
"""Where a person's documents are, which Windows tells of the account, whatever the variables of its home say."""
READ_LATE = ("PATH", "COLUMNS", "TERM", "BROWSER", "HF_ENDPOINT", "HF_TOKEN", DOCUMENTS)
"""Others that a command, or what it starts, reads when it needs them, and not when it is imported."""


@dataclass
class Server:
    """A server process of our own."""

    home: Path
    process: subprocess.Popen[bytes] | Born
    port: int

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def token(self, client: str = "cli") -> str:
        return token_file(self.home, client).read_text().strip()

    def http(self, client: str = "cli") -> httpx.Client:
        """A plain HTTP client with the token of `client`."""
        return httpx.Client(
            base_url=self.address,
            headers={"Authorization": f"Bearer {self.token(client)}"},
            timeout=60,
            trust_env=False,
        )

    def call(self, operation: str, **arguments: object) -> dict[str, Any]:
        """Run an operation over the JSON API."""
        with self.http() as http:
            response = http.post(f"/api/v1/{operation}", json=arguments)
        assert response.status_code == 200, response.text
        return response.json()

    def kill(self) -> None:
        """Pull the plug."""
        self.process.kill()
        self.process.wait(30)

    def stop(self) -> int:
        """Ask it to end, and wait."""
        if sys.platform == "win32":  # no signal ends a process in order there
            self.call("server_stop")
        else:
            self.process.terminate()
        return self.process.wait(60)


def own_environment(home: Path) -> dict[str, str]:
    """What makes a process take `home` for the person's home, on every system, beside having none of MOVED."""
    return {**dict.fromkeys(HOMES, str(home)), DOCUMENTS: str(home / "Documents")}


def persons_home(home: Path) -> Path:
    """The home folder of the person whose BigMind has its data in `home`: beside it, and thrown away with it."""
    return home.absolute().with_name(f"{home.name}-of-a-person")


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a BigMind process that knows only this home, and whose person has a home of their own.

    By words alone, unless BIGMIND_MEANING="on" is passed: loading the model costs each server half a second.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BIGMIND_") and name not in MOVED}
    person = persons_home(home)
    if home.is_absolute():
        person.mkdir(parents=True, exist_ok=True)
    kept.pop("DISPLAY", None)
    kept.pop("PYTHONDONTWRITEBYTECODE", None)  # who sets it compiles all of BigMind anew at each start
    return {
        **kept,
        **own_environment(person),
        "BIGMIND_HOME": str(home),
        "BIGMIND_PORT": "0",
        "BIGMIND_USER": "ada",
        "BIGMIND_MEANING": "off",
        **more,
    }


nurseries: list[Nursery] = []
"""Where the servers of tests come from, while there is one; tests/conftest.py opens it."""


def start_server(home: Path, *, by_command: bool = False, **more: str) -> Server:
    """Start a server and wait until it proved itself.

    With `by_command`, by its own command, as the bridge starts it; else from the nursery, which knows no environment
    but BigMind's own variables, and where the person's home is.
    """
    before = published(home)
    process = _process(home, more, by_command or not all(map(_is_known, more)))
    deadline = time.monotonic() + READY_SECONDS
    while time.monotonic() < deadline:
        if process.poll() is not None:
            os.set_blocking(process.stderr.fileno(), False)  # what it started may still hold the other end
            told = process.stderr.read() or b""
            process.stderr.close()
            raise AssertionError(f"the server ended with {process.returncode}: {told.decode()}")
        said = published(home)
        if said is not None and said != before and said.pid == process.pid:
            try:
                ServerConnection(home, "cli").close()
            except NotRunningError:
                pass
            else:
                return Server(home, process, said.port)
        process_wait(process, 0.02)
    process.kill()
    raise AssertionError("the server did not become ready")


def completed(home: Path, *arguments: str, folder: Path | None = None, **more: str) -> Done:
    """The `bigmind` command with these arguments, run to its end; like start_server, from the nursery where it can be.

    Raises:
        subprocess.TimeoutExpired: after two minutes.
    """
    whole, here = environment(home, **more), folder or Path.cwd()
    if is_born(more):
        return nurseries[-1].run(list(arguments), whole, COMMAND_SECONDS, here)
    return subprocess.run(
        [bridge_command()[0], *arguments],
        env=whole,
        cwd=here,
        stdin=subprocess.DEVNULL,
        check=False,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=COMMAND_SECONDS,
    )


def begun(home: Path, *arguments: str, **more: str) -> subprocess.Popen[bytes] | Born:
    """The same command, which goes on running: its output and errors are pipes to read from."""
    whole = environment(home, **more)
    if is_born(more):
        return nurseries[-1].start(list(arguments), whole)
    pipe = subprocess.PIPE
    return subprocess.Popen(lasting_command(*arguments), env=whole, stdin=subprocess.DEVNULL, stdout=pipe, stderr=pipe)


def is_born(variables: Iterable[str]) -> bool:
    """Whether a process that is told these variables comes from a nursery."""
    return bool(nurseries) and all(map(_is_known, variables))


def _is_known(variable: str) -> bool:
    """Whether a process of the nursery heeds it as one that is started does: nothing reads it on import."""
    return variable.startswith("BIGMIND_") or variable in {*HOMES, *MOVED, *READ_LATE}


def _process(home: Path, more: dict[str, str], by_command: bool) -> subprocess.Popen[bytes] | Born:
    if nurseries and not by_command:
        return nurseries[-1].start_server(environment(home, **more))
    return subprocess.Popen(
        server_command(), env=environment(home, **more), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    )


def process_wait(process: subprocess.Popen[bytes] | Born, seconds: float) -> None:
    """Give a process a moment: returns at once when it ends."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(seconds)


class Watched:
    """Processes that are about to end, whoever their parent is by then.

    One that has ended and waits to be reaped counts as ended: psutil waits for that too, and some init processes take
    two seconds for it.
    """

    def __init__(self, processes: Iterable[psutil.Process]) -> None:
        self._watches: list[int] = []
        for each in processes:
            with suppress(ProcessLookupError):
                self._watches.append(os.pidfd_open(each.pid))

    @property
    def is_empty(self) -> bool:
        """Whether none of them was there any more."""
        return not self._watches

    def have_ended(self, seconds: float = 60) -> bool:
        """Wait for each of them, together for so long at most; False when there was none."""
        until = time.monotonic() + seconds
        ended = [bool(select.select([each], [], [], max(0.0, until - time.monotonic()))[0]) for each in self._watches]
        for each in self._watches:
            os.close(each)
        return bool(ended) and all(ended)


class WatchedByHandle:
    """The same for a system without descriptors of processes."""

    def __init__(self, processes: Iterable[psutil.Process]) -> None:
        self._there = [each for each in processes if each.is_running()]

    @property
    def is_empty(self) -> bool:
        return not self._there

    def have_ended(self, seconds: float = 60) -> bool:
        return bool(self._there) and not psutil.wait_procs(self._there, seconds)[1]


def watched_of(processes: Iterable[psutil.Process]) -> Watched | WatchedByHandle:
    """Processes that are about to end, as this system lets them be watched."""
    return Watched(processes) if hasattr(os, "pidfd_open") else WatchedByHandle(processes)


def have_ended(processes: Iterable[psutil.Process], seconds: float) -> bool:
    """Whether all of them end in time, or had ended before."""
    watched = watched_of(processes)
    return watched.is_empty or watched.have_ended(seconds)


def lasting_port() -> int:
    """A free port for a server that is to come back on it: meanwhile no connection is given it by chance.

    Systems give those from 32,768 on, or higher ones; who tries again and again may even be connected to itself.
    """
    for port in Random().sample(range(20_000, 32_000), 100):
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port
    raise AssertionError("no port is free")


@contextmanager
def running_server(home: Path, *, by_command: bool = False, **more: str):
    """A server for the length of a block; see start_server."""
    server = start_server(home, by_command=by_command, **more)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        server.process.stderr.close()


def lasting_command(*arguments: str) -> list[str]:
    """The `bigmind` command of what runs on: on Windows `bigmind.exe` would start it as another process."""
    return again(*arguments) if sys.platform == "win32" else [bridge_command()[0], *arguments]


def bridge_command(*arguments: str) -> list[str]:
    """The stdio bridge, as an IDE starts it."""
    return [str(Path(sys.executable).with_name("bigmind")), "mcp", *arguments]
