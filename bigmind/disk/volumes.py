"""What Windows says of the disk under a path: whether it keeps access control lists, and stays in this computer."""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

FIXED_DRIVE = 3
"""DRIVE_FIXED of GetDriveType; it says so of disks behind a cable, too."""
KEEPS_LISTS = 0x8
"""FILE_PERSISTENT_ACLS of GetVolumeInformation: on FAT a list is accepted, and kept nowhere."""
OUTSIDE = frozenset({4, 7})
"""BusType1394 and BusTypeUsb."""

_LONGEST = 32_768
_SHARED_BY_ALL, _OPEN_EXISTING, _ASK_FOR_PROPERTY = 7, 3, 0x2D1400
_DESCRIPTOR_BYTES, _BUS_TYPE = 1_024, 28
"""A STORAGE_DEVICE_DESCRIPTOR, and where in it the bus stands."""


@cache
def volumes_here() -> "Volumes":
    """Those of this machine; raises OSError on another system than Windows."""
    if sys.platform != "win32":
        raise OSError("only Windows has them")
    return Volumes(ctypes.WinDLL("kernel32", use_last_error=True))


class Volumes:
    """The calls of Windows for them."""

    def __init__(self, kernel: Any) -> None:
        """`kernel` is kernel32."""
        self._kernel = kernel
        handle, text, number = ctypes.c_void_p, ctypes.c_wchar_p, ctypes.c_uint32
        kernel.GetVolumePathNameW.argtypes = (text, handle, number)
        kernel.GetDriveTypeW.argtypes = (text,)
        kernel.GetVolumeInformationW.argtypes = (text, handle, number, handle, handle, handle, handle, number)
        kernel.GetVolumeNameForVolumeMountPointW.argtypes = (text, handle, number)
        kernel.CreateFileW.argtypes = (text, number, number, handle, number, number, handle)
        kernel.CreateFileW.restype = handle
        kernel.DeviceIoControl.argtypes = (handle, number, handle, number, handle, number, handle, handle)
        kernel.CloseHandle.argtypes = (handle,)

    def root_of(self, path: Path) -> str:
        r"""Where the volume under a path begins (`C:\`, or the folder that it is mounted in); raises OSError.

        Args:
            path: whole, and with no link in it: Windows asks what a link stands on, and not what it leads to.
        """
        name = ctypes.create_unicode_buffer(_LONGEST)
        if not self._kernel.GetVolumePathNameW(str(path), name, _LONGEST):
            _fail()
        return name.value

    def keeps_lists(self, root: str) -> bool:
        """Whether a volume is of this machine, and keeps access control lists. No other machine is asked."""
        if self._kernel.GetDriveTypeW(root) != FIXED_DRIVE:
            return False
        flags = ctypes.c_uint32()
        asked = self._kernel.GetVolumeInformationW(root, None, 0, None, None, ctypes.byref(flags), None, 0)
        return bool(asked and flags.value & KEEPS_LISTS)

    def is_outside(self, root: str) -> bool:
        """Whether a volume's disk hangs on a cable that is pulled, as far as Windows says so."""
        name = ctypes.create_unicode_buffer(_LONGEST)
        if not self._kernel.GetVolumeNameForVolumeMountPointW(root, name, _LONGEST):
            return False
        opened = self._kernel.CreateFileW(name.value.rstrip("\\"), 0, _SHARED_BY_ALL, None, _OPEN_EXISTING, 0, None)
        if opened is None or opened == ctypes.c_void_p(-1).value:
            return False
        try:
            return self._bus(opened) in OUTSIDE
        finally:
            self._kernel.CloseHandle(opened)

    def _bus(self, volume: int) -> int | None:
        question = ctypes.create_string_buffer(12)  # a STORAGE_PROPERTY_QUERY of zeros: the device's standard answer
        answer, size = ctypes.create_string_buffer(_DESCRIPTOR_BYTES), ctypes.c_uint32()
        call = self._kernel.DeviceIoControl
        about = (question, len(question), answer, len(answer), ctypes.byref(size), None)
        if not call(volume, _ASK_FOR_PROPERTY, *about) or size.value < _BUS_TYPE + 4:
            return None
        return int.from_bytes(answer.raw[_BUS_TYPE : _BUS_TYPE + 4], sys.byteorder)


def _fail() -> None:
    if sys.platform == "win32":
        raise ctypes.WinError(ctypes.get_last_error())
    raise OSError(os.name)
