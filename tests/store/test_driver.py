"""The SQLite library is chosen by its version, and refused when none is safe."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from types import ModuleType
from urllib.parse import quote

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.store.sqlite.driver import file_uri, is_sound, sound_driver


def library(**versions: str) -> Callable[[str], ModuleType]:
    """An importer that knows only these modules."""

    def load(name: str) -> ModuleType:
        if name not in versions:
            raise ModuleNotFoundError(name)
        module = ModuleType(name)
        module.sqlite_version = versions[name]
        module.sqlite_version_info = tuple(int(part) for part in versions[name].split("."))
        return module

    return load


@pytest.mark.parametrize(
    ("version", "sound"),
    [
        ((3, 51, 3), True),
        ((3, 51, 4), True),
        ((3, 52, 0), True),
        ((4, 0, 0), True),
        ((3, 51, 2), False),
        ((3, 51, 0), False),
        ((3, 50, 7), True),
        ((3, 50, 8), True),
        ((3, 50, 6), False),
        ((3, 49, 9), False),
        ((3, 45, 1), False),
        ((3, 44, 6), True),
        ((3, 44, 7), True),
        ((3, 44, 5), False),
        ((3, 40, 1), False),
        ((3, 6, 99), False),
    ],
)
def test_only_versions_with_the_fix_are_sound(version: tuple[int, ...], sound: bool) -> None:
    assert is_sound(version) is sound


def test_the_library_in_use_is_sound() -> None:
    assert is_sound(sound_driver().sqlite_version_info)


def test_the_brought_library_comes_first() -> None:
    assert sound_driver(library(pysqlite3="3.53.4", sqlite3="3.54.0")).__name__ == "pysqlite3"


def test_pythons_own_is_taken_when_it_is_sound_and_alone() -> None:
    assert sound_driver(library(sqlite3="3.51.3")).__name__ == "sqlite3"


def test_pythons_own_is_taken_when_the_brought_one_is_too_old() -> None:
    assert sound_driver(library(pysqlite3="3.51.2", sqlite3="3.50.7")).__name__ == "sqlite3"


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        ({"pysqlite3": "3.51.1", "sqlite3": "3.40.1"}, ("pysqlite3: SQLite 3.51.1", "sqlite3: SQLite 3.40.1")),
        ({"sqlite3": "3.40.1"}, ("pysqlite3: not installed", "sqlite3: SQLite 3.40.1")),
        ({}, ("pysqlite3: not installed", "sqlite3: not installed")),
    ],
)
def test_no_sound_library_is_refused_with_the_versions_found(versions: dict[str, str], said: tuple[str, ...]) -> None:
    with pytest.raises(BigMindError) as refusal:
        sound_driver(library(**versions))
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert all(each in refusal.value.message for each in said)
    assert "3.51.3 or newer" in refusal.value.hint
    assert "pysqlite3" in refusal.value.hint


NO_UNICODE = "\udcff"
"""Stands for a byte of a name that is no text; on Windows for half a character."""


@pytest.mark.parametrize(
    ("path", "address"),
    [
        (PurePosixPath("/home/ada/a b?.db"), "file:///home/ada/a%20b%3F.db?mode=ro"),
        (PurePosixPath(f"/home/{NO_UNICODE}:ada"), f"file:///home/{quote(os.fsencode(NO_UNICODE))}:ada?mode=ro"),
        (PureWindowsPath(r"C:\Ada\mind.db"), "file:///C:/Ada/mind.db?mode=ro"),
        (PureWindowsPath(r"\\server\share\home\mind 1.db"), "file:////server/share/home/mind%201.db?mode=ro"),
    ],
)
def test_a_file_is_named_as_sqlite_needs_it(path: PurePath, address: str) -> None:
    assert file_uri(path, "mode=ro") == address


@pytest.mark.skipif(os.name != "posix", reason="there two slashes lead to no other machine")
def test_a_file_of_a_shared_folder_is_looked_for_by_its_path(tmp_path: Path) -> None:
    """SQLite reads a path with two slashes at its beginning; a server as the host it refuses, whatever lies there."""
    driver = sound_driver()
    file = tmp_path / "mind.db"
    share = PureWindowsPath("//" + "/".join(file.parts[1:]))
    with closing(driver.connect(file)) as made:
        made.execute("CREATE TABLE note (id)")
    with closing(driver.connect(file_uri(share, "mode=ro"), uri=True)) as found:
        assert found.execute("SELECT name FROM sqlite_schema").fetchall() == [("note",)]
    with pytest.raises(driver.OperationalError, match="invalid uri authority"):
        driver.connect(f"file:{share.as_posix()}?mode=ro", uri=True)  # as Path.as_uri has it


def test_whoever_opens_a_store_says_its_address_so() -> None:
    modules = (Path(__file__).parents[2] / "bigmind").rglob("*.py")
    assert [str(each) for each in modules if ".as_uri()" in each.read_text(encoding="utf-8")] == []
