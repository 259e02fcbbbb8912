r"""The command of a check: split as POSIX does, but on Windows for the `\` of its paths."""

import sys

import pytest

from bigmind.protocol.document.document_faults import RuleFault
from bigmind.protocol.document.value_rules import command_of

ON_WINDOWS = {
    r"cmd /c .\build.cmd": ["cmd", "/c", r".\build.cmd"],
    r"cmd /c '.\build.cmd' x": ["cmd", "/c", r".\build.cmd", "x"],
    r'cmd /c ".\Meine Prüfung\x.cmd"': ["cmd", "/c", r".\Meine Prüfung\x.cmd"],
    r"python tools\.hidden\_check.py": ["python", r"tools\.hidden\_check.py"],
    r"python C:\Prüfung\übung.py": ["python", r"C:\Prüfung\übung.py"],
    r".\tools\check.exe a\b": ["./tools/check.exe", r"a\b"],
    r"find . -name \*.py": ["find", ".", "-name", "*.py"],
    r"echo a\ b \\ \'c \"": ["echo", "a b", "\\", "'c", '"'],
    r'echo "a\"b\c" x\y': ["echo", r'a"b\c', r"x\y"],
}
ELSEWHERE = {
    r"tool\.sh x": ["tool.sh", "x"],
    r"tools/my\ tool x": ["tools/my tool", "x"],
    r"grep -E \bword a\.txt": ["grep", "-E", "bword", "a.txt"],
    r"grep -E '\bword' a.txt": ["grep", "-E", r"\bword", "a.txt"],
    r"find . -name \*.py": ["find", ".", "-name", "*.py"],
}


@pytest.mark.parametrize(("told", "words"), ON_WINDOWS.items())
def test_a_command_of_windows_keeps_the_backslashes_of_its_paths(told: str, words: list[str]) -> None:
    assert command_of(told, "win32") == tuple(words)


@pytest.mark.parametrize("system", ["linux", "darwin"])
@pytest.mark.parametrize(("told", "words"), ELSEWHERE.items())
def test_elsewhere_a_command_is_split_as_a_shell_does(told: str, words: list[str], system: str) -> None:
    assert command_of(told, system) == tuple(words)
    assert sys.platform == "win32" or command_of(told) == tuple(words)


@pytest.mark.parametrize("told", [r"..\tools\check.exe", r"\tools\check", r"C:\tools\check.exe", r"'\\server\x' y"])
def test_a_program_outside_of_the_workspace_is_refused_by_either_mark(told: str) -> None:
    with pytest.raises(RuleFault, match="lies outside"):
        command_of(told, "win32")


@pytest.mark.parametrize("told", [r"'tools\check' y", r"'\\server\x' y", "../check", "/bin/check"])
def test_elsewhere_a_program_with_a_backslash_of_its_own_is_refused(told: str) -> None:
    with pytest.raises(RuleFault, match="lies outside"):
        command_of(told, "linux")
