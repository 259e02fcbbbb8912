"""Where a Mac has nobody at its screen, as over ssh, no toolkit is asked for anything."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from app.desktop.preflight import NOBODY_AT_SCREEN, is_at_screen, why_no_desktop

ADDRESS = 0x6000_0000_1234


def session(found: int, released: list[int]) -> Callable[[str], Any]:
    """The two libraries of macOS that are asked."""

    def copy() -> int:
        return found

    def release(dictionary: int) -> None:
        released.append(dictionary)

    return lambda path: SimpleNamespace(
        **({"CFRelease": release} if "CoreFoundation" in path else {"CGSessionCopyCurrentDictionary": copy})
    )


@pytest.mark.parametrize(("found", "released"), [(0, []), (ADDRESS, [ADDRESS])])
def test_the_system_says_whether_there_is_a_session_at_its_screen(found: int, released: list[int]) -> None:
    given_back: list[int] = []
    assert is_at_screen(session(found, given_back)) is bool(found)
    assert given_back == released


def test_a_system_that_does_not_say_is_tried() -> None:
    assert is_at_screen() is True  # there are no such libraries here


def test_without_one_the_server_runs_alone() -> None:
    assert why_no_desktop("darwin", lambda: False) == NOBODY_AT_SCREEN
    assert why_no_desktop("darwin", lambda: True) == ""
    assert why_no_desktop("win32", lambda: False) == ""
