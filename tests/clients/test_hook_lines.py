"""The command line of a hook: one that the client's shell starts our program with, whatever its path."""

import os
import subprocess
from pathlib import Path

import pytest

from bigmind.clients.files.locations import Places, System
from bigmind.clients.targets.shared import Shell, hook_command, hook_mark, shell

PLAIN = r"C:\Users\ada\AppData\Local\BigMind\bigmind.exe"
BATCH = r"D:\Jürgen Groß\bin\bigmind.cmd"
SHORT = r"C:\PROGRA~1\BigMind\bigmind.exe"
BLANKS = r"C:\Program Files\BigMind\bigmind.exe"


@pytest.mark.skipif(os.name != "posix", reason="shells of POSIX, and letters that no folder has on Windows")
@pytest.mark.parametrize("folder", ["plain", "Big Mind", "it's $HOME", "a;b&c", "größe"])
@pytest.mark.parametrize("program", ["/bin/sh", "/bin/bash"])
def test_a_shell_starts_the_program_with_its_arguments(folder: str, program: str, tmp_path: Path) -> None:
    command = tmp_path / folder / "bigmind"
    command.parent.mkdir()
    command.write_text('#!/bin/sh\nprintf "%s\\n" "$0" "$@"\n')
    command.chmod(0o755)

    line = hook_command(str(command), "session-start", "claude-code", Shell.POSIX)
    done = subprocess.run([program, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(command), "hook", "session-start", "--client", "claude-code"]


@pytest.mark.parametrize(
    ("command", "of", "first"),
    [
        (PLAIN, Shell.CMD, PLAIN),
        (PLAIN, Shell.POWERSHELL, PLAIN),
        (PLAIN, Shell.GIT_BASH, "C:/Users/ada/AppData/Local/BigMind/bigmind.exe"),
        (BLANKS, Shell.CMD, r'"C:\Program Files\BigMind\bigmind.exe"'),
        (BLANKS, Shell.POWERSHELL, r"& 'C:\Program Files\BigMind\bigmind.exe'"),
        (r"C:\Users\o'neill\bigmind.exe", Shell.POWERSHELL, r"& 'C:\Users\o''neill\bigmind.exe'"),
        (r"C:\Users\a&b\bigmind.exe", Shell.CMD, r'"C:\Users\a&b\bigmind.exe"'),
        (BATCH, Shell.CMD, r'"D:\Jürgen Groß\bin\bigmind.cmd"'),
        (BATCH, Shell.SESSION, r'D:\"Jürgen Groß"\bin\bigmind.cmd'),
        (BATCH, Shell.GIT_BASH, 'D:/"Jürgen Groß"/bin/bigmind.cmd'),
        (BLANKS, Shell.SESSION, r'C:\"Program Files"\BigMind\bigmind.exe'),
        (BLANKS, Shell.GIT_BASH, 'C:/"Program Files"/BigMind/bigmind.exe'),
    ],
)
def test_on_windows_the_path_is_written_as_the_shell_reads_it(command: str, of: Shell, first: str) -> None:
    assert hook_command(command, "stop", "cursor", of) == f"{first} hook stop --client cursor"


@pytest.mark.parametrize("of", [Shell.CMD, Shell.SESSION, Shell.POWERSHELL])
def test_a_program_is_named_by_its_short_path_which_every_shell_reads_and_a_batch_file_is_not(of: Shell) -> None:
    assert hook_command(BLANKS, "stop", "cursor", of, lambda _: SHORT) == f"{SHORT} hook stop --client cursor"
    assert SHORT not in hook_command(BATCH, "stop", "cursor", of, lambda _: SHORT)


@pytest.mark.parametrize("of", Shell)
def test_the_line_ends_in_the_mark_by_which_it_is_found_again(of: Shell) -> None:
    assert hook_command(BLANKS, "stop", "cursor", of).endswith(hook_mark("stop", "cursor"))


def test_a_client_takes_its_own_shell_on_windows_alone() -> None:
    for system in System:
        taken = shell(Places(system, Path("/home/ada"), {}), Shell.CMD)
        assert taken is (Shell.CMD if system is System.WINDOWS else Shell.POSIX)
