"""What a bundle does otherwise than an installed package: its environment, the programs that it names, its words."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.bundled import called, leave_bootloader
from app.desktop.start_at_login import own_entry
from bigmind.clients.launcher import command_of
from bigmind.local.program import WINDOWED, again, how_to_add, own_command
from bigmind.named_environment import core_environment, window_environment

BOOTLOADER = {"_PYI_ARCHIVE_FILE": "/x/bigmind", "_PYI_APPLICATION_HOME_DIR": "/x/lib"}
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="its programs end in .exe there")


@pytest.fixture
def started_as(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """Makes this process one that a program of a bundle started; returns the bundle's folder."""

    def start(name: str, *programs: str, system: str = "linux") -> Path:
        for each in programs:
            (tmp_path / each).touch()
        monkeypatch.setattr(sys, "frozen", True, raising=False)
        monkeypatch.setattr(sys, "executable", str(tmp_path / name))
        monkeypatch.setattr(sys, "platform", system)
        return tmp_path

    return start


@pytest.mark.parametrize("own", ["", "/opt/person/lib"])
def test_the_environment_is_the_persons_again(own: str) -> None:
    given = {**BOOTLOADER, "LD_LIBRARY_PATH": "/x/lib", "PATH": "/bin"}
    if own:
        given["LD_LIBRARY_PATH_ORIG"] = own
    leave_bootloader(given)
    assert given == ({"PATH": "/bin", "LD_LIBRARY_PATH": own} if own else {"PATH": "/bin"})


@pytest.mark.parametrize("program", [r"C:\Programs\bigmind", r"C:\Programs\bigmind.exe", r"C:\Programs\bigmind.EXE"])
def test_it_is_called_without_the_ending_of_programs(program: str) -> None:
    assert called(program) == r"C:\Programs\bigmind"


@posix_only
def test_what_a_bundle_starts_gets_no_path_of_libraries(started_as: Callable[..., Path]) -> None:
    started_as("bigmind", "bigmind")
    around = {**BOOTLOADER, "LD_LIBRARY_PATH": "/opt/person/lib", "PATH": "/bin"}
    for made in (core_environment, window_environment):
        assert made(around, "linux") == {"PATH": "/bin"}


@posix_only
@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_ides_and_terminals_are_told_the_program_with_standard_streams(
    started_as: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, system: str
) -> None:
    bundle = started_as(WINDOWED, "bigmind", WINDOWED, system=system)
    monkeypatch.delenv("BIGMIND_HOME", raising=False)
    monkeypatch.delenv("BIGMIND_DB_PATH", raising=False)
    assert own_command() == str(bundle / "bigmind")
    assert again("window") == [str(bundle / WINDOWED), "window"]


@posix_only
@pytest.mark.parametrize(("system", "name"), [("darwin", WINDOWED), ("linux", "bigmind")])
def test_login_starts_the_program_without_a_terminal_where_that_is_another(
    started_as: Callable[..., Path], system: str, name: str
) -> None:
    bundle = started_as("bigmind", "bigmind", WINDOWED, system=system)
    assert own_entry().command == (str(bundle / name), "app", "--hidden")


@posix_only
def test_a_client_of_another_data_folder_is_given_no_windowed_program_either(
    started_as: Callable[..., Path], tmp_path: Path
) -> None:
    started_as(WINDOWED, "bigmind", WINDOWED)
    home = tmp_path / "home"
    assert command_of(home) == str(home / "bin" / "bigmind")


def test_nobody_is_told_to_install_something_into_a_bundle(started_as: Callable[..., Path]) -> None:
    assert how_to_add("bigmind[desktop]") == 'pip install "bigmind[desktop]"'
    started_as("bigmind")
    assert "pip" not in how_to_add("bigmind[desktop]")


def test_words_that_name_the_installer_of_packages_stand_in_one_place() -> None:
    root = Path(__file__).parents[2]
    found = {
        str(file.relative_to(root).as_posix())
        for top in ("app", "ui", "bigmind")
        for file in (root / top).rglob("*")
        if file.suffix in {".py", ".html", ".js"} and "pip install" in file.read_text(encoding="utf-8")
    }
    # The second is for a machine of its own: the workflow of a repository.
    assert found == {"bigmind/local/program.py", "bigmind/protocol/offline/git_hook.py"}
