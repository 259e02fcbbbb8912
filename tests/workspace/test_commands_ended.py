"""A command is ended with all that it started, on every system: by a guard, or by a job.

What lives holds a connection open: it is gone when that is closed.
"""

import socket
import subprocess
import sys
import threading
from collections.abc import Generator
from pathlib import Path

import psutil
import pytest

from bigmind.workspace.approved_commands import CANCELLED, TIMED_OUT, ApprovedCommand, CommandResult, run_command
from tests.workspace.checks import LONG, Checks

LIVES = """
import os, socket, subprocess, sys
def live():
    held = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
    held.sendall(b"x")
    held.recv(1)
def start(**more):
    return subprocess.Popen([sys.executable, "-S", __file__, sys.argv[1], "child"], **more)
if sys.argv[2:] == ["child"]:
    live()
    os._exit(0)
"""
ALONE = "{'creationflags': 0x208} if sys.platform == 'win32' else {'start_new_session': True}"
"""In a group of its own, without a console; in a session of its own."""
QUIET = "{'stdin': -3, 'stdout': -3, 'stderr': -3, 'close_fds': True}"


LIMIT = 1.0 if sys.platform != "win32" else 5.0
"""Seconds: enough for two programs to begin."""


class Living:
    """Who lives."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(LONG)
        self.port = str(self._listener.getsockname()[1])
        self._seen = list[socket.socket]()

    def wait_for(self, count: int) -> None:
        """Wait until so many have come to life."""
        while len(self._seen) < count:
            connection, _ = self._listener.accept()
            connection.settimeout(LONG)
            assert connection.recv(1) == b"x"
            self._seen.append(connection)

    def are_gone(self) -> bool:
        """Wait until all of them are gone."""
        return not any(map(_read, self._seen))

    def close(self) -> None:
        for each in (*self._seen, self._listener):
            each.close()


def _read(connection: socket.socket) -> bytes:
    try:
        return connection.recv(1)
    except ConnectionError:
        return b""


@pytest.fixture
def living() -> Generator[Living]:
    found = Living()
    yield found
    found.close()


def command(checks: Checks, living: Living, text: str) -> ApprovedCommand:
    path = checks.root / "check.py"
    path.write_text(LIVES + text, encoding="utf-8")
    return checks.approve(sys.executable, "-S", str(path), living.port)


def ended_when(count: int, approved: ApprovedCommand, checks: Checks, living: Living) -> CommandResult:
    """Run it until so many live, and cancel it then."""
    there = threading.Event()
    found = list[CommandResult]()
    thread = threading.Thread(
        target=lambda: found.append(run_command(approved, checks.root, LONG, is_cancelled=there.is_set))
    )
    thread.start()
    living.wait_for(count)
    there.set()
    thread.join()
    return found[0]


@pytest.mark.parametrize("more", ["{}", ALONE, QUIET, f"{{**{QUIET}, **({ALONE})}}"])
def test_all_of_it_ends_when_it_is_cancelled(checks: Checks, living: Living, more: str):
    result = ended_when(2, command(checks, living, f"start(**({more}))\nlive()"), checks, living)
    assert (result.exit_code, result.fault) == (None, CANCELLED)
    assert living.are_gone()


def test_what_it_left_behind_ends_with_it(checks: Checks, living: Living):
    text = f"start(**({ALONE}))\nother = start()\nother.wait()"
    assert ended_when(2, command(checks, living, text), checks, living).fault == CANCELLED
    assert living.are_gone()
    text = "print(os.getpid(), flush=True)\nstart()\nsys.exit(7)"
    result = run_command(command(checks, living, text), checks.root, LONG)
    assert (result.exit_code, result.fault, result.output.strip().isdecimal()) == (7, "", True)


def test_all_of_it_ends_at_the_limit(checks: Checks, living: Living):
    result = run_command(command(checks, living, "start()\nlive()"), checks.root, LIMIT)
    assert (result.exit_code, result.fault) == (None, TIMED_OUT)
    living.wait_for(2)
    assert living.are_gone()


def test_all_of_it_ends_with_bigmind(checks: Checks, living: Living):
    approved = command(checks, living, f"start(**({ALONE}))\nlive()")
    text = """
import sys
from pathlib import Path
from bigmind.workspace.approved_commands import command_for, run_command
root = Path(sys.argv[1])
run_command(command_for("check", sys.argv[2:], (), root), root, 120)
"""
    words = [sys.executable, "-c", text, str(checks.root), *approved.arguments]
    server = subprocess.Popen(words, cwd=Path(__file__).parents[2])
    living.wait_for(2)
    server.kill()
    server.wait()
    assert living.are_gone()


def test_nothing_stays_behind_here(checks: Checks, living: Living):
    approved = command(checks, living, "print('x')")
    run_command(approved, checks.root, LONG)
    process = psutil.Process()
    held, threads = open_handles(process), set(threading.enumerate())
    for _ in range(4):
        assert run_command(approved, checks.root, LONG).output.strip() == "x"
        (checks.root / "nothing.exe").write_text("none")
        (checks.root / "nothing.exe").chmod(0o755)
        assert checks.run("./nothing.exe").fault
    assert open_handles(process) <= held
    assert set(threading.enumerate()) <= threads


def open_handles(process: psutil.Process) -> int:
    return process.num_handles() if sys.platform == "win32" else process.num_fds()
