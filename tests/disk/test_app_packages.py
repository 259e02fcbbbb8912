"""What is written as a part of an app from the Microsoft Store is kept in that app's folder, and said to be."""

import sys
from pathlib import Path
from typing import Any

import pytest

from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.locations import Places, System
from bigmind.clients.files.unseen import refuse_unseen
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.app_packages import is_kept_by, keeping_package, kept_by_package, package_of
from bigmind.maintenance.storage_findings import memory_of_app

PYTHON = "PythonSoftwareFoundation.Python.3.13_qbz5n2kfra8p0"
KEPT = rf"C:\Users\ada\AppData\Local\Packages\{PYTHON}\LocalCache\Local\BigMind\bigmind.db"


class Kernel:
    """Windows' answers to a process that is a part of a package, or of none."""

    def __init__(self, name: str) -> None:
        self._name = name

    def GetCurrentPackageFamilyName(self, size: Any, name: Any) -> int:  # noqa: N802 - it is Windows' own
        if not self._name:
            return 15_700
        size._obj.value = len(self._name) + 1
        if name is None:
            return 122
        name.value = self._name
        return 0


@pytest.mark.parametrize("name", [PYTHON, ""])
def test_the_package_of_a_process_is_told_by_windows(name: str) -> None:
    assert package_of(Kernel(name)) == name


def test_before_windows_8_there_are_none() -> None:
    assert package_of(object()) == ""


def test_a_file_is_kept_by_a_package_in_whose_folder_it_really_lies(tmp_path: Path) -> None:
    seen = r"C:\Users\ada\AppData\Local\BigMind\bigmind.db"
    assert is_kept_by(PYTHON, seen, lambda _: KEPT)
    assert is_kept_by(PYTHON, seen, lambda _: KEPT.upper())
    assert not is_kept_by(PYTHON, seen, lambda path: path)
    assert not is_kept_by("Claude_pzs8sxrjxfjjc", seen, lambda _: KEPT)
    assert not is_kept_by("", seen, lambda _: KEPT)
    if sys.platform != "win32":
        assert keeping_package() == kept_by_package(tmp_path) == ""


def test_no_client_is_connected_by_a_file_that_it_never_sees(tmp_path: Path) -> None:
    places = Places(System.WINDOWS, tmp_path)
    roaming, local = (
        FileChange(root / "Tool" / "mcp.json", None, b"{}")
        for root in (places.application_data, places.local_application_data)
    )
    other = FileChange(tmp_path / ".tool" / "mcp.json", None, b"{}")
    for change in (roaming, local):
        with pytest.raises(BigMindError, match="where no other program sees it") as refused:
            refuse_unseen([other, change], places, lambda: PYTHON)
        assert refused.value.code is Code.UNAVAILABLE
        assert PYTHON in refused.value.message
        assert str(change.path) in refused.value.message
        assert refuse_unseen([change], places, lambda: "") == [change]
    assert refuse_unseen([other], places, lambda: PYTHON) == [other]
    linux = Places(System.LINUX, tmp_path)
    assert refuse_unseen([roaming], linux, lambda: PYTHON) == [roaming]


def test_a_memory_that_goes_with_an_app_is_found(tmp_path: Path) -> None:
    (found,) = memory_of_app(tmp_path, lambda _: PYTHON)
    assert (found.code, found.severity) == ("memory_of_app", "warning")
    assert f"app {PYTHON}" in found.meaning
    assert list(memory_of_app(tmp_path, lambda _: "")) == []
