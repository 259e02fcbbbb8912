"""What Windows takes for a device is no name of a file, and a path of another machine is known by its words."""

import os
import stat
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace
from typing import cast

import pytest

from bigmind.disk.windows_paths import (
    is_device,
    is_link,
    is_taken_for_another,
    leads_away,
    leads_to_another_machine,
    names_another_machine,
    of_any_length,
    share_of,
)

DRIVE, SHARE = PureWindowsPath("C:/work"), PureWindowsPath("//Server/projects/one")


@pytest.mark.parametrize("name", ["con", "NUL.json", "Com1.tar.gz", "lpt9", "aux .txt", "COM².json", "nul:stream"])
def test_a_device_is_told_whatever_its_ending(name: str) -> None:
    assert is_device(name)


@pytest.mark.parametrize("name", ["console.json", "com.json", "com10.json", "null", "a.con", "export.json", ""])
def test_other_names_are_files(name: str) -> None:
    assert not is_device(name)


@pytest.mark.parametrize(
    ("mode", "tag", "leads_on"),
    [(stat.S_IFDIR, 0xA000_0003, True), (stat.S_IFDIR, 0x9000_001A, False), (stat.S_IFDIR, 0, False)],
    ids=["a junction", "a folder of OneDrive", "a folder"],
)
def test_a_junction_is_a_link(mode: int, tag: int, leads_on: bool, tmp_path: Path) -> None:
    seen = SimpleNamespace(st_mode=mode, st_reparse_tag=tag)
    assert is_link(tmp_path, lambda _: cast("os.stat_result", seen)) is leads_on


def test_what_is_not_there_is_no_link(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert not any(map(is_link, (tmp_path, tmp_path / "file", tmp_path / "none", tmp_path / "file" / "none")))


@pytest.mark.parametrize("name", ["con.json", "x.json ", "x.json.", "x:y.json", "x\\y.json", "... "])
def test_a_name_by_which_windows_opens_another_file_is_told_there_alone(name: str) -> None:
    assert is_taken_for_another(name, "win32")
    assert not is_taken_for_another(name, "linux")


@pytest.mark.parametrize(
    "path",
    [
        *("//evil/share/x", r"\\evil\share", r"/\evil\share", "//evil", r" \\evil\share", "//?/UNC/evil/share"),
        *(r"\\.\pipe\x", r"\??\UNC\evil\share", "//server.evil/projects", "//server/projects2/x", "//?/unc"),
        *(r"\\?\GLOBALROOT\Device\Mup\evil\share", r"\\.\UNC\evil\share", "//", r"\\?\unc\\evil\share"),
    ],
)
def test_a_path_of_another_machine_is_known_by_its_words(path: str) -> None:
    for near in ((), (DRIVE,), (SHARE,), (DRIVE, SHARE)):
        assert names_another_machine(path, near, "win32")
    assert not names_another_machine(path, (DRIVE,), "linux")


@pytest.mark.parametrize(
    "path",
    [
        *("C:/x", "../x", "/x", r"\x", "", ".git", "x//y", "https://host/x", r"\\?\C:\x", r"\??\c:\x"),
        r"\\?\Volume{4c1b02c1-d990-11dc-99ae-806e6f6e6963}\x",
    ],
)
def test_other_paths_are_of_this_machine(path: str) -> None:
    assert not names_another_machine(path, (), "win32")


@pytest.mark.parametrize(
    "path", ["//server/projects/one", r"\\SERVER\Projects", "//server/projects/two/x", r"\\?\UNC\server\projects\x"]
)
def test_what_lies_on_the_same_share_is_on_no_other_machine(path: str) -> None:
    assert not names_another_machine(path, (DRIVE, SHARE), "win32")
    assert names_another_machine(path, (DRIVE,), "win32")
    assert share_of(path) == r"\\server\projects"


def test_links_are_judged_one_after_the_other_by_what_they_say(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "evil").symlink_to("//127.0.0.1/share")
    (tmp_path / "folder" / "far").symlink_to(Path("..", "near", "..", "evil", "x"))
    (tmp_path / "near").symlink_to(tmp_path / "folder")
    (tmp_path / "loop").symlink_to("loop")
    for way in ("evil", "evil/x", "near/far", "near/far/x", "loop", "gone/../evil/x"):
        assert leads_to_another_machine(tmp_path / way, (), "win32"), way
        assert not leads_to_another_machine(tmp_path / way, (), "linux")
    for way in ("", "near", "near/x", "near/../folder", "gone/x"):
        assert not leads_to_another_machine(tmp_path / way, (), "win32"), way


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_a_link_that_cannot_be_read_may_lead_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "link").symlink_to("x")
    (tmp_path / "file").touch()

    def refused(path: Path) -> str:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(os, "readlink", refused)
    assert leads_to_another_machine(tmp_path / "link", (), "win32")
    assert not leads_to_another_machine(tmp_path / "file", (), "win32")


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_what_a_file_tells_is_judged_by_its_words_and_by_links(tmp_path: Path) -> None:
    (tmp_path / "evil").symlink_to("//127.0.0.1/share")
    for told in ("evil", "evil/x", "//127.0.0.1/share", r" \\127.0.0.1\share"):
        assert leads_away(tmp_path, told, (), "win32")
        assert not leads_away(tmp_path, told, (), "linux")
    assert not leads_away(tmp_path, "../x", (), "win32")


def test_a_path_of_any_length_is_the_path_that_the_system_reads(tmp_path: Path) -> None:
    (tmp_path / "folder" / "inner").mkdir(parents=True)
    (tmp_path / "file").touch()
    assert of_any_length(tmp_path / "folder" / "inner" / ".." / ".." / "file").exists()
    assert of_any_length(tmp_path / "a" / ".." / "x", "linux") == tmp_path / "a" / ".." / "x"
