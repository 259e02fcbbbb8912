"""Which folders are no project's: the system's, drives and homes as a whole, by the names of each system."""

import sys
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

import pytest

from bigmind.workspace.system_folders import (
    A_DRIVE,
    A_HOME,
    MACOS,
    OF_SYSTEM,
    UNIX,
    WINDOWS,
    SystemFolders,
    folders_of,
    what_holds_more,
)

UNIX_FOLDERS = {
    "/": A_DRIVE,
    **dict.fromkeys(("/home", "/home/ada", "/root", "/var/home/ada"), A_HOME),
    **dict.fromkeys(("/etc", "/etc/nginx/sites", "/usr", "/usr/lib/python3", "/var", "/opt", "/dev"), OF_SYSTEM),
    **dict.fromkeys(("/home/ada/app", "/root/app", "/usr/src/app", "/opt/app", "/srv/app", "/app"), ""),
    **dict.fromkeys(("/mnt/data/app", "/run/media/ada/disk/app", "/etcetera", "/ETC"), ""),
    **dict.fromkeys(("/tmp/app", "/dev/shm/tests"), ""),  # noqa: S108 - names only
    **dict.fromkeys(("/mnt/c/Windows", "/mnt/c/windows/System32", "/mnt/c/Program Files (x86)/App"), OF_SYSTEM),
    **dict.fromkeys(("/mnt/c/Users", "/mnt/c/Users/Ada"), A_HOME),
    **dict.fromkeys(("/mnt/c/Users/Ada/app", "/mnt/d/src/Windows", "/mnt/data/Windows", "/mnt/c"), ""),
    "/tmp": OF_SYSTEM,  # noqa: S108 - a name only
}
MACOS_FOLDERS = {
    "/": A_DRIVE,
    **dict.fromkeys(("/Users", "/users/ADA"), A_HOME),
    **dict.fromkeys(("/private/etc", "/system/Library", "/Applications/Some.app", "/private/var"), OF_SYSTEM),
    **dict.fromkeys(("/Users/ada/app", "/private/var/folders/ab/T/app", "/Volumes/Work/app"), ""),
}
WINDOWS_FOLDERS = {
    **dict.fromkeys(("C:\\", "\\\\server\\share\\"), A_DRIVE),
    **dict.fromkeys(("C:\\Users", "C:\\users\\Ada"), A_HOME),
    **dict.fromkeys(("C:\\Windows\\System32", "C:\\Program Files (x86)\\App", "c:\\programdata"), OF_SYSTEM),
    **dict.fromkeys(("C:\\Users\\Ada\\app", "D:\\app", "C:\\src\\Windows"), ""),
}


@pytest.mark.parametrize(
    ("known", "kind_of_path", "folders"),
    [
        (UNIX, PurePosixPath, UNIX_FOLDERS),
        (MACOS, PurePosixPath, MACOS_FOLDERS),
        (WINDOWS, PureWindowsPath, WINDOWS_FOLDERS),
    ],
    ids=["unix", "macos", "windows"],
)
def test_what_is_no_projects_folder_is_known_on_each_system(
    known: SystemFolders, kind_of_path: type[PurePath], folders: dict[str, str]
) -> None:
    assert {each: known.kind(kind_of_path(each)) for each in folders} == folders


def test_a_drive_is_one_where_the_system_puts_drives() -> None:
    assert all(map(UNIX.is_place_of_drive, map(PurePosixPath, ("/mnt/data", "/media/ada/disk"))))
    assert MACOS.is_place_of_drive(PurePosixPath("/Volumes/Work"))
    assert not any(map(UNIX.is_place_of_drive, map(PurePosixPath, ("/workspace", "/mnt/data/app"))))


def test_each_system_has_its_folders() -> None:
    assert [folders_of(each) for each in ("linux", "freebsd14", "darwin", "win32")] == [UNIX, UNIX, MACOS, WINDOWS]


def test_ones_own_home_is_known_by_its_real_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "disk" / "ada" / "app").mkdir(parents=True)
    home = tmp_path / "disk" / "ada"
    if sys.platform != "win32":
        home = tmp_path / "ada"
        home.symlink_to(tmp_path / "disk" / "ada")
    monkeypatch.setenv("USERPROFILE" if sys.platform == "win32" else "HOME", str(home))
    assert [what_holds_more(tmp_path / each) for each in ("disk/ada", "disk")] == [A_HOME, A_HOME]
    assert what_holds_more(tmp_path / "disk" / "ada" / "app") == ""
