"""Why nothing can be written into a folder is told as it is, where Windows says that a folder is missing."""

from pathlib import Path

from bigmind.disk.refused_writes import GUARDED, TOO_LONG, why_refused

MISSING = FileNotFoundError(2, "No such file or directory")


def test_a_folder_that_is_there_is_not_said_to_be_missing_on_windows(tmp_path: Path) -> None:
    assert why_refused(MISSING, tmp_path, 80, "win32", lambda: True) == GUARDED
    assert why_refused(MISSING, tmp_path, 300, "win32", lambda: False) == TOO_LONG


def test_all_else_is_told_in_the_systems_words(tmp_path: Path) -> None:
    assert why_refused(MISSING, tmp_path / "none", 0, "win32") == "No such file or directory"
    assert why_refused(MISSING, tmp_path, 0, "linux") == "No such file or directory"
    assert why_refused(PermissionError(13, "Permission denied"), tmp_path, 0, "win32") == "Permission denied"
    assert why_refused(OSError("it is over"), tmp_path) == "it is over"
