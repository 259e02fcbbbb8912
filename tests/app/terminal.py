"""A terminal: a server in the foreground, as `make run` starts it, and commands that somebody answers."""

import os
import re
import subprocess
from collections.abc import Generator, Iterable
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.nursery import Born
from tests.support import ROOT, begun, bridge_command, environment, lasting_command, nurseries

LINK = re.compile(r"(http://127\.0\.0\.1:(\d+))/sign-in\?code=\S+")
ENDPOINT = re.compile(r"http://127\.0\.0\.1:(\d+)/mcp\b")
SECONDS = 120
LAST_LINE = "Ctrl+C stops it."


@dataclass
class Terminal:
    """A `bigmind serve` of our own."""

    process: subprocess.Popen[bytes] | Born
    said: str

    @property
    def link(self) -> str:
        return LINK.search(self.said)[0]

    @property
    def port(self) -> int:
        return int(LINK.search(self.said)[2])


def serve_command(*arguments: str) -> list[str]:
    return lasting_command("serve", *arguments)


@contextmanager
def serving(home: Path, *arguments: str, **more: str) -> Generator[Terminal]:
    """Start, wait for the last line of the greeting, end at the end of the block."""
    process = begun(home, "serve", *arguments, **more)
    with closing(process.stdout), closing(process.stderr):
        try:
            said = ""
            for line in process.stdout:
                said += line.decode()
                if line.decode().strip() == LAST_LINE:
                    break
            else:
                raise AssertionError(process.stderr.read().decode())
            yield Terminal(process, said)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)


def typed(home: Path, words: str, *arguments: str, folder: Path = ROOT) -> tuple[int, str]:
    """A `bigmind` command on a terminal where somebody types `words`: its exit code, and what it said."""
    ours, theirs = opened_terminal()
    process = _at_terminal(home, list(arguments), theirs, folder)
    os.close(theirs)
    os.write(ours, words.encode())
    said = b"".join(iter(lambda: _read(ours), b""))
    code = process.wait(SECONDS)
    os.close(ours)
    return code, said.decode().replace("\r\n", "\n")


def asked(home: Path, answers: Iterable[tuple[str, str]], *arguments: str) -> tuple[int, str]:
    """The same, where each question is waited for before it is answered: what is typed before it would be shown."""
    ours, theirs = opened_terminal()
    process = _at_terminal(home, list(arguments), theirs, ROOT)
    os.close(theirs)
    told, said = b"", b""
    for question, answer in answers:
        while question.encode() not in said:
            if not (more := _read(ours)):
                raise AssertionError((told + said).decode())
            said += more
        told, said = told + said, b""
        os.write(ours, f"{answer}\n".encode())
    told += said + b"".join(iter(lambda: _read(ours), b""))
    code = process.wait(SECONDS)
    os.close(ours)
    return code, told.decode().replace("\r\n", "\n")


def opened_terminal() -> tuple[int, int]:
    """Both ends of a terminal: ours, and a command's."""
    if os.name != "posix":
        pytest.skip("a terminal that a program can hold is opened by POSIX's call")
    import pty  # noqa: PLC0415 - of POSIX

    return pty.openpty()


def _at_terminal(home: Path, arguments: list[str], screen: int, folder: Path) -> subprocess.Popen[bytes] | Born:
    whole = environment(home, TERM="dumb", COLUMNS="200")
    if nurseries:
        return Born(nurseries[-1], nurseries[-1].fork(arguments, whole, (screen, screen, screen), folder))
    command = [bridge_command()[0], *arguments]
    # A session of its own: a secret is asked for at the terminal of the session, and that one is of whoever tests.
    return subprocess.Popen(
        command, env=whole, cwd=folder, stdin=screen, stdout=screen, stderr=screen, start_new_session=True
    )


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65_536)
    except OSError:  # the other end is closed: Linux's word for the end
        return b""
