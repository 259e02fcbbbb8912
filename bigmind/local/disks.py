"""Which paths lie on a disk of another machine: SQLite's log needs shared memory, which does not cross a network."""

import re
import sys
from collections.abc import Callable
from pathlib import Path, PurePosixPath, PureWindowsPath

from bigmind.disk.windows_paths import share_of

NETWORKS = frozenset(
    {"9p", "afpfs", "afs", "beegfs", "ceph", "cifs", "coda", "davfs", "glusterfs", "gpfs", "lustre", "ncpfs", "nfs"}
    | {"nfs3", "nfs4", "orangefs", "pvfs2", "smb2", "smb3", "smbfs", "vboxsf", "webdav"}
)
NETWORKS_OF_FUSE = frozenset(
    {"ceph", "ceph-fuse", "cephfs", "curlftpfs", "davfs", "davfs2", "gcsfuse", "glusterfs", "juicefs", "mfs"}
    | {"moosefs", "rclone", "s3fs", "seaweedfs", "smbnetfs", "sshfs"}
)
"""By what they call themselves behind `fuse.`; other programs of FUSE (encryption, merged folders) are local."""

REMOTE_DRIVE = 4
"""DRIVE_REMOTE of Windows' GetDriveType."""

_OCTAL = re.compile(r"\\([0-7]{3})")
_MACOS_MOUNT = re.compile(r"^.* on (?P<place>/.*) \((?P<kind>\w+)[,)]", re.MULTILINE)


def network_file_system(path: Path) -> str:
    """What kind of network a path lies on, in the system's own word (`nfs4`, `fuse.sshfs`); empty for a local disk.

    Args:
        path: whole, and with no link in it; it need not exist.
    """
    if sys.platform == "win32":
        import ctypes  # noqa: PLC0415 - on this system only

        return on_windows(PureWindowsPath(path), ctypes.WinDLL("kernel32").GetDriveTypeW)
    try:
        posix = PurePosixPath(path)
        if sys.platform == "darwin":
            return on_macos(posix, _mounted_on_macos())
        return on_linux(posix, Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape"))
    except OSError:  # a system that does not say; SQLite still refuses what it can tell
        return ""


def _mounted_on_macos() -> str:
    import subprocess  # noqa: PLC0415 - on this system only

    try:
        done = subprocess.run(["/sbin/mount"], capture_output=True, check=True, timeout=5)
    except subprocess.SubprocessError as error:
        raise OSError("the system does not say what is mounted") from error
    return done.stdout.decode(errors="replace")


def on_linux(path: PurePosixPath, mounts: str) -> str:
    """The same, by the text of /proc/self/mountinfo (see proc_pid_mountinfo(5))."""
    found: list[tuple[PurePosixPath, str]] = []
    for line in mounts.splitlines():
        about, _, kind = line.partition(" - ")
        fields = about.split(" ")
        if len(fields) > 4:  # noqa: PLR2004 - the mount point is the fifth
            place = _OCTAL.sub(lambda code: chr(int(code[1], 8)), fields[4])
            found.append((PurePosixPath(place), kind.partition(" ")[0]))
    return _if_network(_kind_at(path, found))


def on_macos(path: PurePosixPath, mounts: str) -> str:
    """The same, by what /sbin/mount prints."""
    found = [(PurePosixPath(each["place"]), each["kind"]) for each in _MACOS_MOUNT.finditer(mounts)]
    return _if_network(_kind_at(path, found))


def on_windows(path: PureWindowsPath, drive_type: Callable[[str], int]) -> str:
    """The same, by what the system says of a drive."""
    if share_of(str(path)):
        return "a shared folder"
    return "a network drive" if drive_type(path.anchor) == REMOTE_DRIVE else ""


def _kind_at(path: PurePosixPath, mounts: list[tuple[PurePosixPath, str]]) -> str:
    """Of what covers the path the innermost, and of those at one place the last."""
    covering = [(len(place.parts), number) for number, (place, _) in enumerate(mounts) if path.is_relative_to(place)]
    return mounts[max(covering)[1]][1] if covering else ""


def _if_network(kind: str) -> str:
    program = kind.removeprefix("fuse.")
    is_network = program in NETWORKS_OF_FUSE if program != kind else kind in NETWORKS
    return kind if is_network else ""
