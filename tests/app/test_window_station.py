"""On Windows a service and a session over SSH have no desktop that anybody sees: nothing is shown there."""

import os
import subprocess
import sys
from typing import Any

import pytest

from app.desktop.window_station import is_seen

PROGRAM = """
import ctypes
import sys

from app.desktop.browser import can_open
from app.desktop.preflight import NOT_SEEN, why_no_desktop

user32 = ctypes.WinDLL("user32", use_last_error=True)
user32.CreateWindowStationW.restype = ctypes.c_void_p
if sys.argv[1:]:
    station = ctypes.c_void_p(user32.CreateWindowStationW(sys.argv[1], 0, 0x37F, None))
    assert user32.SetProcessWindowStation(station), ctypes.get_last_error()
print(can_open(), why_no_desktop() == NOT_SEEN)
"""


class Station:
    """Stands for Windows' library, in a process on a station that has these flags; None: it does not say."""

    def __init__(self, flags: int | None) -> None:
        self.flags = flags
        self.GetProcessWindowStation = Process()

    def GetUserObjectInformationW(  # noqa: N802 - as Windows calls it
        self, station: Any, what: int, told: Any, size: int, _needed: Any
    ) -> int:
        assert (station.value, what, size) == (136, 1, 12)
        if self.flags is None:
            return 0
        told._obj.flags = self.flags
        return 1


class Process:
    restype: Any = None

    def __call__(self) -> int:
        return 136


@pytest.mark.parametrize(("flags", "seen"), [(1, True), (3, True), (0, False), (2, False), (None, True)])
def test_by_the_flag_that_windows_calls_visible(flags: int | None, seen: bool) -> None:
    assert is_seen(Station(flags)) is seen


if os.name == "nt":

    @pytest.mark.parametrize(("station", "said"), [([], "True False"), (["BigMindUnseen"], "False True")])
    def test_nothing_is_shown_on_a_station_that_nobody_sees(station: list[str], said: str) -> None:
        command = [sys.executable, "-c", PROGRAM, *station]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.stdout.strip() == said, done.stderr
