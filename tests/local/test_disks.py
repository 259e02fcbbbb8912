"""A disk of another machine is told from one of this machine, by what each system says of its mounts."""

from pathlib import Path, PurePosixPath, PureWindowsPath

import pytest

from bigmind.local.disks import REMOTE_DRIVE, network_file_system, on_linux, on_macos, on_windows

LINUX = """\
22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda1 rw
30 22 0:26 / /home rw,relatime shared:2 - nfs4 server:/home rw,vers=4.2
31 30 254:3 / /home/ada/local rw - xfs /dev/sdb1 rw
32 22 0:40 / /mnt/my\\040share rw - cifs //nas/share rw
33 22 0:41 / /mnt/ssh rw - fuse.sshfs ada@host: rw
34 22 0:42 / /mnt/secret rw - fuse.gocryptfs /home/x rw
35 22 0:43 / /mnt/c rw - 9p C:\\134 rw
36 22 0:44 / /mnt/twice rw - nfs server:/a rw
37 22 0:45 / /mnt/twice rw - tmpfs tmpfs rw
a line that is none
"""
MACOS = """\
/dev/disk3s1s1 on / (apfs, sealed, local, read-only, journaled)
/dev/disk3s5 on /System/Volumes/Data (apfs, local, journaled)
//ada@nas/share on /Volumes/my share (smbfs, nodev, nosuid, mounted by ada)
server:/export on /Volumes/nfs (nfs)
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/var/lib/bigmind.db", ""),
        ("/home/ada/bigmind.db", "nfs4"),
        ("/homes/bigmind.db", ""),
        ("/home/ada/local/bigmind.db", ""),
        ("/mnt/my share/x/bigmind.db", "cifs"),
        ("/mnt/ssh/bigmind.db", "fuse.sshfs"),
        ("/mnt/secret/bigmind.db", ""),
        ("/mnt/c/Users/ada/bigmind.db", "9p"),
        ("/mnt/twice/bigmind.db", ""),
    ],
)
def test_linux_is_asked_by_its_mounts(path: str, kind: str) -> None:
    assert on_linux(PurePosixPath(path), LINUX) == kind
    assert on_linux(PurePosixPath(path), "") == ""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/Users/ada/bigmind.db", ""),
        ("/Volumes/my share/bigmind.db", "smbfs"),
        ("/Volumes/nfs/bigmind.db", "nfs"),
        ("/Volumes/nfs2/bigmind.db", ""),
    ],
)
def test_macos_is_asked_by_its_mounts(path: str, kind: str) -> None:
    assert on_macos(PurePosixPath(path), MACOS) == kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("C:\\Users\\ada\\bigmind.db", ""),
        ("Z:\\bigmind.db", "a network drive"),
        ("\\\\nas\\share\\bigmind.db", "a shared folder"),
        ("\\\\?\\C:\\bigmind.db", ""),
        ("\\\\?\\UNC\\nas\\share\\bigmind.db", "a shared folder"),
    ],
)
def test_windows_is_asked_for_the_type_of_the_drive(path: str, kind: str) -> None:
    assert on_windows(PureWindowsPath(path), lambda drive: REMOTE_DRIVE if drive == "Z:\\" else 3) == kind


def test_this_machine_says_something_of_a_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    assert network_file_system(tmp_path / "not" / "there") == ""
