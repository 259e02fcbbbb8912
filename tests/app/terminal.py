"""A server in the foreground, as `make run` starts it, and what it prints."""

import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support import environment

LINK = re.compile(r"(http://127\.0\.0\.1:(\d+))/sign-in\?code=\S+")
ENDPOINT = re.compile(r"http://127\.0\.0\.1:(\d+)/mcp\b")
LAST_LINE = "Ctrl+C stops it."


@dataclass
class Terminal:
    """A `bigmind serve` of our own."""

    process: subprocess.Popen[str]
    said: str

    @property
    def link(self) -> str:
        return LINK.search(self.said)[0]

    @property
    def port(self) -> int:
        return int(LINK.search(self.said)[2])


def serve_command(*arguments: str) -> list[str]:
    return [str(Path(sys.executable).with_name("bigmind")), "serve", *arguments]


@contextmanager
def serving(home: Path, *arguments: str, **more: str) -> Generator[Terminal]:
    """Start, wait for the last line of the greeting, end at the end of the block."""
    with subprocess.Popen(
        serve_command(*arguments),
        env=environment(home, **more),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            said = ""
            for line in process.stdout:
                said += line
                if line.strip() == LAST_LINE:
                    break
            else:
                raise AssertionError(process.stderr.read())
            yield Terminal(process, said)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait(60)
