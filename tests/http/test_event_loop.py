"""The loop that the server runs on: who connects and hangs up at once takes nothing from those who ask."""

import asyncio
import itertools
import socket
import struct
import sys
from collections.abc import Awaitable
from http.client import HTTPConnection
from importlib.abc import InspectLoader
from importlib.util import find_spec
from pathlib import Path
from types import CodeType
from typing import cast

import pytest

from bigmind.http import event_loop
from bigmind.http.event_loop import loop_of, next_connection
from tests.http.inside import server_inside

HANG_UPS = 50
AT_ONCE = struct.pack("HH" if sys.platform == "win32" else "ii", 1, 0)


def test_only_windows_has_a_loop_of_our_own() -> None:
    assert loop_of("win32") == "bigmind.http.event_loop:listening_loop"
    assert loop_of("linux") == loop_of("darwin") == "auto"


class WindowsError(OSError):
    """What Windows' Python raises, with the system's own number."""

    def __init__(self, winerror: int, words: str) -> None:
        super().__init__(22, words)
        self.winerror = winerror


def waits_of(outcomes: list[OSError | str], monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long was waited until a connection came, which is the last of the outcomes."""
    waits: list[float] = []

    async def wait(seconds: float) -> None:
        waits.append(seconds)

    async def outcome() -> str:
        if isinstance(each := outcomes.pop(0), OSError):
            raise each
        return each

    monkeypatch.setattr(event_loop.asyncio, "sleep", wait)
    assert asyncio.run(next_connection(outcome, lambda: True)) == "whole"
    return waits


@pytest.mark.parametrize("number", [64, 1236, 10_053, 10_054, 10_057])
def test_who_hangs_up_keeps_nobody_waiting(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert waits_of([WindowsError(number, "gone"), "whole"], monkeypatch) == []


def test_what_is_no_connections_fault_is_told_and_tried_again_after_a_while(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    down = WindowsError(10_050, "A socket operation encountered a dead network")
    waits = waits_of([*[down] * 12, "whole"], monkeypatch)
    assert waits[0] == event_loop.FIRST_SECONDS
    assert all(later == min(2 * one, event_loop.CROWDED_SECONDS) for one, later in itertools.pairwise(waits))
    assert waits[-1] == event_loop.CROWDED_SECONDS
    assert [each.levelname for each in caplog.records] == ["WARNING"] * 12
    assert "dead network" in caplog.text


def test_a_connection_that_breaks_before_it_is_taken_is_passed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(event_loop, "FIRST_SECONDS", 0)
    broken = WindowsError(64, "The specified network name is no longer available")
    outcomes: list[OSError | str] = [broken, broken, "whole"]

    async def outcome() -> str:
        if isinstance(each := outcomes.pop(0), OSError):
            raise each
        return each

    refused = [OSError(24, "Too many open files")]

    def begin() -> Awaitable[str]:
        if refused:
            raise refused.pop()
        return outcome()

    assert asyncio.run(next_connection(begin, lambda: True)) == "whole"
    outcomes = [broken]
    with pytest.raises(OSError, match="network name"):
        asyncio.run(next_connection(begin, lambda: False))


def test_who_resets_what_was_just_opened_ends_no_listening(tmp_path: Path) -> None:
    with server_inside(tmp_path / "home") as inside:
        for _ in range(HANG_UPS):
            with socket.create_connection(("127.0.0.1", inside.port), timeout=60) as hung_up:
                hung_up.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, AT_ONCE)  # a reset in place of an end
        asked = HTTPConnection("127.0.0.1", inside.port, timeout=60)
        asked.request("GET", "/sign-in")
        assert asked.getresponse().status == 200
        asked.close()


SEAMS = {
    ("windows_events", "IocpProactor.accept"): {"_get_accept_socket", "accept_coro", "listener"},
    ("windows_events", "IocpProactor._get_accept_socket"): {"self", "family"},
    ("windows_events", "ProactorEventLoop.__init__"): {"self", "proactor"},
    ("proactor_events", "BaseProactorEventLoop._start_serving"): {"_proactor", "accept", "result"},
}
"""What our loop rests on of asyncio's: names that stand in these methods of its own."""


def names_in(code: CodeType, method: str) -> set[str]:
    """The names in a method and in what is defined in it; none where it is gone."""
    inside = [each for each in code.co_consts if isinstance(each, CodeType)]
    is_it = code.co_qualname == method or code.co_qualname.startswith(f"{method}.<locals>")
    own = {code.co_name, *code.co_names, *code.co_varnames, *code.co_cellvars} if is_it else set[str]()
    return own.union(*(names_in(each, method) for each in inside))


@pytest.mark.parametrize("place", SEAMS, ids=lambda place: place[1])
def test_this_pythons_asyncio_has_what_our_loop_rests_on(place: tuple[str, str]) -> None:
    """One that has not serves, too, and with its first connection that is reset answers nobody any more."""
    module, method = f"asyncio.{place[0]}", place[1]
    spec = find_spec(module)
    assert spec is not None
    code = cast("InspectLoader", spec.loader).get_code(module)  # it is imported on Windows alone
    assert code is not None
    assert SEAMS[place] - names_in(code, method) == set()
