"""What is longer than Windows takes is refused in words: it says of it that it is not there."""

import sys
from pathlib import PureWindowsPath
from types import SimpleNamespace

import pytest

from bigmind.disk.long_paths import is_too_long, lets_use_long_paths, takes_long_paths


@pytest.mark.parametrize(
    ("letters", "room", "is_long"), [(259, 0, False), (260, 0, True), (250, 9, False), (250, 10, True)]
)
def test_a_path_is_too_long_where_windows_is_not_set_to_take_it(letters: int, room: int, is_long: bool) -> None:
    path = PureWindowsPath("C:/" + "a" * (letters - 3))
    assert is_too_long(path, room, lambda: False) is is_long
    assert not is_too_long(path, room, lambda: True)
    assert sys.platform == "win32" or takes_long_paths()


def test_a_path_that_windows_takes_as_it_is_is_never_too_long() -> None:
    deep = "a" * 300
    assert not is_too_long(PureWindowsPath("\\\\?\\C:\\" + deep), 0, lambda: False)
    assert not is_too_long(PureWindowsPath("\\\\?\\UNC\\server\\share\\" + deep), 0, lambda: False)
    assert is_too_long(PureWindowsPath("\\\\server\\share\\" + deep), 0, lambda: False)


def test_letters_are_counted_as_windows_does() -> None:
    assert is_too_long(PureWindowsPath("C:/" + "\N{PARTY POPPER}" * 129), 0, lambda: False)
    assert not is_too_long(PureWindowsPath("C:/" + "\N{PARTY POPPER}" * 128), 0, lambda: False)
    assert not is_too_long(PureWindowsPath("C:/" + "é" * 256), 0, lambda: False)


@pytest.mark.parametrize(("answer", "is_let"), [(1, True), (0, False), (0x7F00, False), (0x7F01, True)])
def test_windows_says_it_for_this_process(answer: int, is_let: bool) -> None:
    assert lets_use_long_paths(SimpleNamespace(RtlAreLongPathsEnabled=lambda: answer)) is is_let
    assert not lets_use_long_paths(SimpleNamespace())
