"""What is written is on the disk: on macOS by an order of its own, for `fsync` leaves it in the drive's memory."""

import os
from pathlib import Path

import pytest

from bigmind.disk.flushing import to_disk

fcntl = pytest.importorskip("fcntl")

FULL_SYNC = 51


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the system is asked for."""
    heard: list[str] = []

    def control(_file: int, order: int) -> int:
        heard.append(f"order {order}")
        return 0

    def flush(_file: int) -> None:
        heard.append("fsync")

    monkeypatch.setattr(fcntl, "fcntl", control)
    monkeypatch.setattr(os, "fsync", flush)
    return heard


@pytest.mark.parametrize(("system", "is_asked_for"), [("darwin", f"order {FULL_SYNC}"), ("linux", "fsync")])
def test_each_system_has_an_order_of_its_own(system: str, is_asked_for: str, asked: list[str]) -> None:
    to_disk(0, system)
    assert asked == [is_asked_for]


def test_a_file_system_without_that_order_is_asked_for_what_it_has(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[int] = []
    monkeypatch.setattr(os, "fsync", heard.append)
    with (tmp_path / "file").open("w") as file:
        to_disk(file.fileno(), "darwin")  # Linux has none
        assert heard == [file.fileno()]
