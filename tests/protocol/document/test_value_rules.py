r"""The command of a check, split the same way on every system: as POSIX does, but for the `\` of paths of Windows."""

import pytest

from bigmind.protocol.document.document_faults import RuleFault
from bigmind.protocol.document.value_rules import command_of

COMMANDS = {
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


@pytest.mark.parametrize(("told", "words"), COMMANDS.items())
def test_a_command_is_split_as_it_was_meant(told: str, words: list[str]) -> None:
    assert command_of(told) == tuple(words)


@pytest.mark.parametrize("told", [r"..\tools\check.exe", r"\tools\check", r"C:\tools\check.exe", r"'\\server\x' y"])
def test_a_program_outside_of_the_workspace_is_refused_by_either_mark(told: str) -> None:
    with pytest.raises(RuleFault, match="lies outside"):
        command_of(told)
