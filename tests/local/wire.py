"""A client of the bridge that speaks JSON-RPC line by line, so that it can also send what no good client would."""

import json
import subprocess
import threading
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from queue import Queue
from typing import Any

import psutil

from bigmind.local.runfile import published
from bigmind.store.sqlite.driver import sound_driver
from tests.nursery import CODE, Born
from tests.support import bridge_command, environment, have_ended, is_born, nurseries

SECONDS = 60
HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "wire", "version": "1"},
}


class Bridge:
    """One `bigmind mcp` process of our own: from the nursery, or `by_command`, as start_server of tests/support.py."""

    def __init__(
        self, home: Path, *arguments: str, folder: Path | None = None, by_command: bool = False, **more: str
    ) -> None:
        self.process = _process(home, list(arguments), folder or Path.cwd(), by_command, more)
        self._ids = count(1)
        self._answers: Queue[dict[str, Any] | None] = Queue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.process.stdout:
            self._answers.put(json.loads(line))
        self._answers.put(None)

    def line(self, raw: bytes) -> None:
        """Send one line as it is."""
        self.process.stdin.write(raw + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, **params: Any) -> int:
        """Send a request; returns its id."""
        number = next(self._ids)
        self.line(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())
        return number

    def tool(self, name: str, **arguments: Any) -> int:
        """Send a tool call; returns its id."""
        return self.send("tools/call", name=name, arguments=arguments)

    def next_answer(self) -> dict[str, Any]:
        """The next line that the bridge says."""
        answer = self._answers.get(timeout=SECONDS)
        assert answer is not None, self.process.stderr.read().decode()
        return answer

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        """Send a request and wait for its answer; nothing else may be in flight."""
        number = self.send(method, **params)
        answer = self.next_answer()
        assert answer["id"] == number
        return answer

    def ask_tool(self, name: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool that must succeed; returns its data."""
        answer = self.ask("tools/call", name=name, arguments=arguments)
        assert "result" in answer, answer
        assert not answer["result"].get("isError"), answer
        return answer["result"]["structuredContent"]

    def initialize(self, **capabilities: object) -> None:
        """The handshake of the protocol's versions up to 2025-11-25."""
        handshake = {**HANDSHAKE, "capabilities": capabilities}
        assert self.ask("initialize", **handshake)["result"]["protocolVersion"] == HANDSHAKE["protocolVersion"]
        self.line(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def close(self) -> int:
        """End as a client does: close the bridge's input. Returns its exit code."""
        self.process.stdin.close()
        code = self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


def _process(
    home: Path, arguments: list[str], folder: Path, by_command: bool, more: dict[str, str]
) -> subprocess.Popen[bytes] | Born:
    whole = environment(home, **{"BIGMIND_STRUCTURED": "1"} | more)
    if is_born(more) and not by_command:
        return nurseries[-1].start(["mcp", *arguments], whole, folder, is_asked=True)
    pipe = subprocess.PIPE
    return subprocess.Popen(bridge_command(*arguments), cwd=folder, env=whole, stdin=pipe, stdout=pipe, stderr=pipe)


@contextmanager
def bridge(
    home: Path, *arguments: str, folder: Path | None = None, by_command: bool = False, **more: str
) -> Generator[Bridge]:
    """A bridge for the length of a block, ended at its end; started in `folder`."""
    opened = Bridge(home, *arguments, folder=folder, by_command=by_command, **more)
    try:
        yield opened
    finally:
        if opened.process.poll() is None:
            opened.close()


def servers_of(home: Path) -> list[psutil.Process]:
    """The server processes of this home that a bridge or a command started."""
    found = []
    for process in psutil.process_iter():
        try:
            command = process.cmdline()
            is_started = "serve" in command and process.environ().get("BIGMIND_HOME") == str(home)
            is_forked = CODE in command and process.cwd() == str(home)  # where no other fork of the nursery stands
            if is_started or is_forked:
                found.append(process)
        except psutil.Error:  # it has ended, or is another user's
            continue
    return found


@contextmanager
def home_in(folder: Path) -> Generator[Path]:
    """A home of our own; the servers that bridges and commands started for it are ended afterwards."""
    home = folder / "home"
    yield home
    left = servers_of(home)
    for server in left:
        server.terminate()
    assert have_ended(left, SECONDS), left


def running_pid(home: Path) -> int:
    """The process that the run file names."""
    said = published(home)
    assert said is not None
    return said.pid


def texts_in(home: Path, query: str) -> list[str]:
    """The first column of a query, read from the file as another program would."""
    connection = sound_driver().connect(f"file:{home / 'bigmind.db'}?mode=ro", uri=True)
    rows = [row[0] for row in connection.execute(query)]
    connection.close()
    return rows
