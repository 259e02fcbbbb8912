"""Where a file may be written and read: by whom, over what, and through what."""

import ctypes
import os
import stat
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.portable import transfer_paths
from bigmind.portable.older.conversion import OlderFile
from bigmind.portable.older.location import is_sqlite
from bigmind.portable.transfer_paths import fit_name, is_foreign_share
from bigmind.store.access import Access
from tests.memory.living import Memory
from tests.portable.older_files import older_file

POSIX = pytest.mark.skipif(os.name != "posix", reason="links, pipes and devices are POSIX's")


@pytest.fixture
def person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder of our own, and a temporary folder that holds nothing of this test."""
    home, temporary = tmp_path / "person", tmp_path / "temporary"
    for folder in (home, temporary, tmp_path / "elsewhere"):
        folder.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("USERPROFILE", str(home))
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    return home


@pytest.fixture
def agent(ada: Memory, person: Path) -> Memory:
    del person
    return replace(ada, caller=replace(ada.caller, is_person=False))


@pytest.mark.parametrize(
    ("name", "elsewhere", "on_windows"),
    [
        ("memory.json", "", ""),
        ("memory.txt", "ends in .json", "ends in .json"),
        ("nul.json", "", "keeps this one for a device"),
        ("Com1 .x.json", "", "keeps this one for a device"),
        ("memory:2.json", "", "without a colon"),
    ],
)
def test_a_name_that_windows_keeps_for_something_else_is_refused_for_that(name: str, elsewhere: str, on_windows: str):
    for system, said in (("linux", elsewhere), ("win32", on_windows)):
        expected = fit_name(name, ".json", system)
        assert said in expected
        assert bool(said) == bool(expected)


BAD_PATHS: dict[str, str] = {
    "relative": "export.json",
    "relative with dots": "../export.json",
    "no json": "/{tmp}/elsewhere/export.txt",
    "a database": "/{tmp}/elsewhere/export.db",
    "two endings": "/{tmp}/elsewhere/export.json.sh",
    "a folder": "/{tmp}/elsewhere",
    "upper case": "/{tmp}/elsewhere/export.JSON",
    "a home that nobody has": "~nobody-of-this-name/a.json",
    "an address": "file:///{tmp}/elsewhere/a.json",
    "a share": "\\\\host\\share\\a.json",
    "blank": " ",
}


@POSIX
@pytest.mark.parametrize("name", BAD_PATHS)
def test_a_path_that_is_none_for_an_export_is_refused(ada: Memory, person: Path, name: str):
    given = BAD_PATHS[name].format(tmp=person.parent).replace("//", "/")
    refusal = ada.refuses("memory_export", output_path=given)
    assert refusal.code is Code.INVALID_INPUT
    assert [problem.field for problem in refusal.problems] == ["output_path"]
    assert list((person.parent / "elsewhere").iterdir()) == []


@pytest.mark.parametrize("name", ["a\x00.json", "\ud800.json"])
def test_a_name_that_no_file_can_have_is_refused(ada: Memory, person: Path, name: str):
    access = Access(ada.mind.store, ada.caller, "test")
    with pytest.raises(BigMindError, match="The input is not valid"):
        transfer_paths.place_for_export(access, f"{person}/{name}")
    with pytest.raises(BigMindError, match="The input is not valid"):
        transfer_paths.opened_for_import(access, f"{person}/{name}").__enter__()


@POSIX
@pytest.mark.parametrize("too_long", ["a" * 5_000, "/" + "a" * 300 + ".json", "/" + "a/" * 2_000 + "x.json"])
def test_a_path_that_is_too_long_is_refused(ada: Memory, too_long: str):
    assert ada.refuses("memory_export", output_path=too_long).code in {
        Code.INVALID_INPUT,
        Code.NOT_FOUND,
        Code.FORBIDDEN,
    }
    assert ada.refuses("memory_import", path=too_long).code in {Code.INVALID_INPUT, Code.NOT_FOUND}


def test_a_folder_that_is_not_there_is_not_made(ada: Memory, person: Path):
    assert ada.refuses("memory_export", output_path=str(person / "none" / "a.json")).code is Code.NOT_FOUND
    assert list(person.iterdir()) == []


def _standing(person: Path, kind: str) -> Path:
    place = person / "a.json"
    match kind:
        case "a file":
            place.write_bytes(b"theirs")
        case "a folder":
            place.mkdir()
        case "a link to a file":
            (person / "b.json").write_bytes(b"theirs")
            place.symlink_to(person / "b.json")
        case "a link to nothing":
            place.symlink_to(person / "b.json")
        case "a pipe":
            os.mkfifo(place)
    return place


@POSIX
@pytest.mark.parametrize("kind", ["a file", "a folder", "a link to a file", "a link to nothing", "a pipe"])
def test_nothing_that_stands_there_is_written_over_or_through(ada: Memory, person: Path, kind: str):
    place = _standing(person, kind)
    before = sorted((each.name, each.lstat().st_mode, each.lstat().st_size) for each in person.iterdir())
    assert ada.refuses("memory_export", output_path=str(place)).code is Code.CONFLICT
    assert sorted((each.name, each.lstat().st_mode, each.lstat().st_size) for each in person.iterdir()) == before


@POSIX
def test_a_person_may_use_any_folder_and_a_tilde(ada: Memory, person: Path):
    elsewhere = person.parent / "elsewhere"
    assert ada("memory_export", output_path=str(elsewhere / "a.json")).path == str(elsewhere / "a.json")
    assert ada("memory_export", output_path="~/a.json").path == str(person / "a.json")
    (person / ".hidden").mkdir()
    ada("memory_export", output_path="~/.hidden/a.json")
    ada("memory_import", path="~/.hidden/a.json", dry_run=True)


def test_an_agent_writes_below_the_home_and_the_temporary_folder(agent: Memory, person: Path):
    (person / "deep" / "er").mkdir(parents=True)
    for folder in (person, person / "deep" / "er", Path(tempfile.gettempdir())):
        assert Path(agent("memory_export", output_path=str(folder / "a.json")).path).is_file()
        agent("memory_import", path=str(folder / "a.json"), dry_run=True)


def _out_of_bounds(person: Path, home: Path) -> Iterator[str]:
    outside = person.parent / "elsewhere"
    yield str(outside / "a.json")
    yield str(person / ".." / "elsewhere" / "a.json")
    yield "~/../elsewhere/a.json"
    yield str(person / ".config" / "a.json")
    yield str(person / "deep" / ".vscode" / "settings.json")
    yield str(person / ".a.json")
    yield "/etc/a.json"
    yield "/proc/self/cwd/a.json"
    yield str(home / "a.json")
    yield str(person / "link" / "a.json")
    yield str(person / "hidden-link" / "a.json")


@POSIX
def test_an_agent_writes_nowhere_else(agent: Memory, person: Path, home: Path):
    (person / ".config").mkdir()
    (person / "deep" / ".vscode").mkdir(parents=True)
    (person / "link").symlink_to(person.parent / "elsewhere")
    (person / "hidden-link").symlink_to(person / ".config")
    (person.parent / "elsewhere" / "there.json").write_bytes(b"x")
    for given in _out_of_bounds(person, home):
        assert agent.refuses("memory_export", output_path=given).code is Code.FORBIDDEN, given
    there = agent.refuses("memory_export", output_path=str(person.parent / "elsewhere" / "there.json"))
    assert there.code is Code.FORBIDDEN, "whether something stands there is not told"
    assert not list(person.rglob("a.json"))


def _hidden(folder: Path) -> Path:
    """A folder that its system does not show to a person."""
    hidden = folder if sys.platform == "win32" else folder.with_name(f".{folder.name}")
    (hidden / "deep").mkdir(parents=True)
    if sys.platform == "win32":
        assert ctypes.windll.kernel32.SetFileAttributesW(str(hidden), stat.FILE_ATTRIBUTE_HIDDEN)
    return hidden


def test_an_agent_writes_into_no_folder_that_the_system_hides(agent: Memory, ada: Memory, person: Path):
    folder = _hidden(person / "programs")
    for place in (folder / "a.json", folder / "deep" / "a.json"):
        assert agent.refuses("memory_export", output_path=str(place)).code is Code.FORBIDDEN, place
        ada("memory_export", output_path=str(place))
        agent("memory_import", path=str(place), dry_run=True)


def test_an_agent_has_no_other_machine_called_by_a_path(agent: Memory):
    """Windows signs in to whatever machine a path names; elsewhere that is no whole path."""
    code = Code.FORBIDDEN if os.name == "nt" else Code.INVALID_INPUT
    for place in ("\\\\host.invalid\\share\\a.json", "\\\\?\\UNC\\host.invalid\\share\\a.json"):
        assert agent.refuses("memory_export", output_path=place).code is code
        assert agent.refuses("memory_import", path=place).code is code


def test_what_is_a_share_of_another_machine_is_known_by_its_path_alone(person: Path):
    del person
    shares = ("\\\\host\\share\\a.json", "//host/share/a.json", "\\\\?\\UNC\\host\\share\\a.json")
    assert all(is_foreign_share(PureWindowsPath(each)) for each in shares)
    local = (
        *map(PureWindowsPath, ("C:\\a.json", "a.json", "\\\\?\\C:\\Users\\ada\\a.json", "//./d:/a.json")),
        PurePosixPath("//host/share/a.json"),
    )
    assert not any(is_foreign_share(each) for each in local)


@POSIX
def test_an_agent_reads_nothing_else(agent: Memory, ada: Memory, person: Path, home: Path):
    outside = person.parent / "elsewhere" / "a.json"
    ada("memory_export", output_path=str(outside))
    (person / "link.json").symlink_to(outside)
    (person / "settings.toml").write_bytes(outside.read_bytes())
    (person / "masked.json").symlink_to(person / "settings.toml")
    refused = (str(outside), "~/link.json", "~/settings.toml", "~/masked.json", "/etc/passwd", "/proc/self/environ")
    for given in (*refused, str(home / "bigmind.db"), str(home / "tokens" / "cli"), "~/../elsewhere/none.json"):
        assert agent.refuses("memory_import", path=given).code is Code.FORBIDDEN, given


def test_a_folder_is_no_file_to_import_on_any_system(ada: Memory, person: Path):
    [problem] = ada.refuses("memory_import", path=str(person)).problems
    assert problem.expected == "an ordinary file: no folder, pipe or device"


@POSIX
def test_only_ordinary_files_are_read_and_nobody_waits_for_a_pipe(ada: Memory, person: Path):
    os.mkfifo(person / "pipe.json")
    (person / "folder.json").mkdir()
    (person / "loop.json").symlink_to(person / "loop.json")
    made = ("~/pipe.json", "~/folder.json", "~/loop.json")
    for given in (*made, "/dev/zero", "/dev/stdin", "/proc/self/environ", "/proc/self/mem"):
        assert ada.refuses("memory_import", path=given).code is Code.INVALID_INPUT, given
    assert ada.refuses("memory_import", path="~/none.json").code is Code.NOT_FOUND
    assert ada.refuses("memory_import", path="none.json").code is Code.INVALID_INPUT


@POSIX
@pytest.mark.parametrize("ending", ["", "-journal", "-wal"])
def test_nobody_waits_for_a_pipe_that_takes_a_place_later(ada: Memory, person: Path, ending: str):
    path = older_file(person / "memory.db", 3)
    with transfer_paths.opened_for_import(Access(ada.mind.store, ada.caller, "test"), str(path)) as (place, file):
        assert is_sqlite(file)
        (person / f"memory.db{ending}").unlink(missing_ok=True)
        os.mkfifo(person / f"memory.db{ending}")
        with pytest.raises(BigMindError, match="is no ordinary file"):
            OlderFile(place, "ada", os.fstat(file.fileno()))


def test_another_file_that_takes_the_place_later_is_refused(ada: Memory, person: Path):
    path, other = older_file(person / "memory.db", 3), older_file(person / "other.db", 3)
    with transfer_paths.opened_for_import(Access(ada.mind.store, ada.caller, "test"), str(path)) as (place, file):
        checked = os.fstat(file.fileno())
    other.replace(path)
    with pytest.raises(BigMindError, match="another file took its place"):
        OlderFile(place, "ada", checked)


def test_a_file_that_is_too_large_is_refused_before_it_is_read(
    ada: Memory, person: Path, monkeypatch: pytest.MonkeyPatch
):
    ada("memory_export", output_path="~/a.json")
    monkeypatch.setattr(transfer_paths, "MOST_BYTES", (person / "a.json").stat().st_size)
    ada("memory_import", path="~/a.json", dry_run=True)
    monkeypatch.setattr(transfer_paths, "MOST_BYTES", (person / "a.json").stat().st_size - 1)
    assert ada.refuses("memory_import", path="~/a.json").code is Code.TOO_LARGE


@pytest.mark.parametrize("problem", [PermissionError(1, "no links here"), NotImplementedError()])
def test_where_there_are_no_links_nothing_is_overwritten_either(
    ada: Memory, person: Path, monkeypatch: pytest.MonkeyPatch, problem: Exception
):
    def refuse(*_: Any, **__: Any) -> None:
        raise problem

    monkeypatch.setattr(os, "link", refuse)
    ada("memory_export", output_path="~/a.json")
    before = (person / "a.json").read_bytes()
    assert ada.refuses("memory_export", output_path="~/a.json").code is Code.CONFLICT
    assert (person / "a.json").read_bytes() == before
    assert [each.name for each in person.iterdir()] == ["a.json"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_not_be_written_to_is_said(ada: Memory, person: Path):
    person.chmod(0o500)
    try:
        assert ada.refuses("memory_export", output_path="~/a.json").code is Code.FORBIDDEN
    finally:
        person.chmod(0o700)
