"""The command line of a hook: one that the client's shell starts our program with, whatever its path."""

import os
import subprocess
from pathlib import Path

import pytest

from bigmind.clients.files.locations import Places, System
from bigmind.clients.targets.shared import Shell, hook_command, hook_mark, shell
from tests.clients.shells_of_windows import cmd_word, powershell_word

PLAIN = r"C:\Users\ada\AppData\Local\BigMind\bigmind.exe"
BATCH = r"D:\Jürgen Groß\bin\bigmind.cmd"
SHORT = r"C:\PROGRA~1\BigMind\bigmind.exe"
BLANKS = r"C:\Program Files\BigMind\bigmind.exe"

ODD = [
    *("plain", "Big Mind", "Jürgen Groß", "R&D", "a & calc", "a^b", "a;calc", "Big (old)", "a,b=c"),
    *("@ada", "~ada", "-a+b", "!TEMP!", "{a}[b]#", "$HOME", "a$(calc) b", "$x & calc", "a`b"),
    *("%TEMP%", "a%temp%%PATH%b", "50% of %TEMP% & calc", "100%", "'$HOME'", "’$’`“%TEMP%“"),
    *("o'neill", "o’neill", "’; calc; ‘", "‚a‛ b", "“a” b", "“; calc; ”", "„a“"),
]
"""Names of a folder, each of which some shell obeys."""
OBEYED_BY_CMD_OR_POWERSHELL_IN_QUOTES = set("$`%“”„")
odd = pytest.mark.parametrize("folder", ODD)


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


@pytest.mark.skipif(os.name != "posix", reason="the shell of Git for Windows is bash, which is here")
@odd
@pytest.mark.parametrize("program", ["/bin/sh", "/bin/bash"])
def test_git_bash_starts_the_program_whatever_its_folder_is_called(folder: str, program: str, tmp_path: Path) -> None:
    command = tmp_path / folder / "our own" / "bigmind"
    command.parent.mkdir(parents=True)
    command.write_text('#!/bin/sh\nprintf "%s\\n" "$0" "$@"\n')
    command.chmod(0o755)

    line = hook_command(str(command).replace("/", "\\"), "stop", "goose", Shell.GIT_BASH)
    done = subprocess.run([program, "-c", line], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [str(command), "hook", "stop", "--client", "goose"]
    assert done.stderr == ""


@odd
def test_powershell_starts_the_program_whatever_its_folder_is_called(folder: str) -> None:
    command = rf"C:\{folder}\our own\bigmind.exe"
    lines = {of: hook_command(command, "stop", "codex", of) for of in Shell}
    assert powershell_word(lines[Shell.POWERSHELL]) == powershell_word(lines[Shell.SESSION]) == command
    assert powershell_word(lines[Shell.GIT_BASH]) == command.replace("\\", "/")


@odd
@pytest.mark.parametrize("last", ["bin", "our own", "%TEMP%"])
def test_cmd_starts_the_program_whatever_its_folder_is_called_and_obeys_nothing(folder: str, last: str) -> None:
    command = rf"C:\{folder}\{last}\bigmind.exe"
    assert cmd_word(hook_command(command, "stop", "cursor", Shell.CMD)) == command
    found = cmd_word(hook_command(command, "stop", "codex", Shell.SESSION))
    assert (found == command) is not bool(OBEYED_BY_CMD_OR_POWERSHELL_IN_QUOTES & set(command))


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
