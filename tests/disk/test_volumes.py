"""What a disk is told by its own answers: they stand in here for Windows, whose disks no test can plug in."""

import ctypes
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bigmind.disk.volumes import Volumes, volumes_here


class Call:
    """A call of Windows; it takes what ctypes is told about one."""

    def __init__(self, answer: Callable[..., int]) -> None:
        self.answer, self.asked = answer, 0

    def __call__(self, *given: Any) -> int:
        self.asked += 1
        return self.answer(*given)


class Disk:
    """The answers of Windows for one disk."""

    def __init__(self, drive: int = 3, flags: int = 0, bus: int | None = None) -> None:
        self._drive, self._flags, self._bus = drive, flags, bus
        self.GetDriveTypeW = Call(self._type)
        self.GetVolumeInformationW = Call(self._about)
        self.GetVolumePathNameW = Call(self._yes)
        self.GetVolumeNameForVolumeMountPointW = Call(self._yes)
        self.CreateFileW = Call(self._yes)
        self.DeviceIoControl = Call(self._property)
        self.CloseHandle = Call(self._yes)

    def _yes(self, *_given: Any) -> int:
        return 1

    def _type(self, *_given: Any) -> int:
        return self._drive

    def _about(self, *given: Any) -> int:
        given[5]._obj.value = self._flags
        return 1

    def _property(self, *given: Any) -> int:
        if self._bus is None:
            return 0
        ctypes.memmove(ctypes.addressof(given[4]) + 28, self._bus.to_bytes(4, sys.byteorder), 4)
        given[6]._obj.value = 32
        return 1


@pytest.mark.parametrize(
    ("drive", "flags", "keeps"), [(3, 0x8, True), (3, 0x6, False), (2, 0x8, False), (4, 0x8, False)]
)
def test_lists_are_kept_by_fixed_disks_whose_file_system_says_so(drive: int, flags: int, keeps: bool):
    disk = Disk(drive, flags)
    assert Volumes(disk).keeps_lists("D:\\") is keeps
    assert disk.GetVolumeInformationW.asked == (drive == 3), "no other machine is asked"


@pytest.mark.parametrize(("bus", "outside"), [(7, True), (4, True), (11, False), (17, False), (None, False)])
def test_a_disk_on_a_cable_is_outside(bus: int | None, outside: bool):
    disk = Disk(bus=bus)
    assert Volumes(disk).is_outside("D:\\") is outside
    assert disk.CloseHandle.asked == 1


def test_the_disk_of_this_folder_is_found(tmp_path: Path):
    if sys.platform != "win32":
        with pytest.raises(OSError, match="only Windows"):
            volumes_here()
        return
    root = volumes_here().root_of(tmp_path)
    assert root == tmp_path.anchor
    assert volumes_here().keeps_lists(root)
    assert not volumes_here().is_outside(root)
