"""The command as it is told: it can be copied into a terminal."""

import os
import subprocess
from pathlib import Path

import pytest

from bigmind.local.command_line import plainer_path, typed_program


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("bigmind", "bigmind"),
        (r"C:\Users\ada\bigmind.exe", r"C:\Users\ada\bigmind.exe"),
        (r"C:\Users\José\bigmind.exe", r"C:\Users\José\bigmind.exe"),
        (r"C:\Users\Ada Lovelace\App Data\bigmind.exe", r'C:\Users\"Ada Lovelace"\"App Data"\bigmind.exe'),
        (r"C:\Users\R&D (old)\bigmind.exe", r'C:\Users\"R&D (old)"\bigmind.exe'),
        (r"C:\a & $(calc)%TEMP%\bigmind.exe", r"""C:\"a & "'$'"(calc)"'%'"TEMP"'%'\bigmind.exe"""),
        (r"\\server\our share\bigmind.exe", r'\\server\"our share"\bigmind.exe'),
    ],
)
def test_on_windows_each_folder_with_a_blank_is_quoted(path: str, told: str) -> None:
    assert typed_program(path, "nt") == told


@pytest.mark.parametrize(
    ("path", "short", "told"),
    [
        (r"C:\Users\Ada Lovelace\bigmind.exe", r"C:\Users\ADALOV~1\bigmind.exe", r"C:\Users\ADALOV~1\bigmind.exe"),
        (r"D:\Big Mind\bigmind.exe", r"D:\Big Mind\bigmind.exe", r"D:\Big Mind\bigmind.exe"),
        (r"D:\Big Mind\bigmind.exe", "", r"D:\Big Mind\bigmind.exe"),
        (r"C:\Users\ada\bigmind.exe", r"C:\Users\ADA~1\bigmind.exe", r"C:\Users\ada\bigmind.exe"),
        (r"D:\R&D (old)\bigmind.exe", r"D:\R&D(O~1\bigmind.exe", r"D:\R&D(O~1\bigmind.exe"),
        (r"D:\tools,old\bigmind.exe", r"D:\TOOLS_~1\bigmind.exe", r"D:\TOOLS_~1\bigmind.exe"),
        (r"D:\$tools\bigmind.exe", r"D:\$TOOLS\bigmind.exe", r"D:\$tools\bigmind.exe"),
    ],
)
def test_on_windows_a_path_that_is_not_plain_is_told_by_a_plainer_short_one(path: str, short: str, told: str) -> None:
    assert plainer_path(path, "nt", lambda _: short) == told
    assert plainer_path(path, "posix", lambda _: short) == path


def test_the_short_name_leads_to_the_same_file(tmp_path: Path) -> None:
    # Windows alone can fail here: elsewhere a path is its own short name.
    file = tmp_path / "Big Mind" / "bigmind.exe"
    file.parent.mkdir()
    file.touch()
    assert file.samefile(plainer_path(str(file)))


def test_elsewhere_it_is_quoted_as_a_whole() -> None:
    assert typed_program("/opt/ada's tools/bigmind", "posix") == "'/opt/ada'\"'\"'s tools/bigmind'"
    assert typed_program("/usr/bin/bigmind", "posix") == "/usr/bin/bigmind"


def test_the_shell_of_this_system_runs_what_is_told(tmp_path: Path) -> None:
    program = tmp_path / "ada's own tools" / ("tell.cmd" if os.name == "nt" else "tell")
    program.parent.mkdir()
    program.write_text("@echo told\n" if os.name == "nt" else "#!/bin/sh\necho told\n")
    program.chmod(0o700)
    done = subprocess.run(typed_program(str(program)), shell=True, capture_output=True, text=True, check=True)  # noqa: S602 - it is about the shell
    assert done.stdout.strip() == "told"
