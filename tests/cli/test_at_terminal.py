"""A command asks only where somebody can answer."""

import os
import subprocess
from pathlib import Path

import pytest

from bigmind.cli.at_terminal import is_terminal
from bigmind.local.program import again
from tests.support import environment


class Stream:
    """Standard input, as the C library sees it."""

    def __init__(self, *, terminal: bool) -> None:
        self._is_terminal = terminal

    def isatty(self) -> bool:
        return self._is_terminal

    def fileno(self) -> int:
        return 0


@pytest.mark.parametrize(
    ("system", "console", "asks"), [("linux", False, True), ("win32", True, True), ("win32", False, False)]
)
def test_what_the_c_library_takes_for_a_terminal_is_one_on_windows_where_there_is_a_console(
    system: str, console: bool, asks: bool
) -> None:
    assert is_terminal(Stream(terminal=True), system, lambda _: console) is asks
    assert not is_terminal(Stream(terminal=False), system, lambda _: True)
    assert not is_terminal(None, system, lambda _: True)


def test_a_passphrase_is_not_asked_for_where_standard_input_is_the_null_device(tmp_path: Path) -> None:
    with Path(os.devnull).open("rb") as nothing:
        done = subprocess.run(
            again("passphrase", "set"),
            env=environment(tmp_path / "home"),
            stdin=nothing,
            capture_output=True,
            check=False,
            timeout=120,
        )
    assert done.returncode != 0
    assert b"standard input is none" in done.stderr
