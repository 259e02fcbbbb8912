"""A disk that takes nothing is told before somebody's words are refused."""

from pathlib import Path

import pytest

from bigmind.disk.trouble import FULL, LEAST_ROOM, TAKES_NOTHING, disk_trouble

HERE = Path("here")


def gone(_folder: Path) -> int:
    raise FileNotFoundError


@pytest.mark.parametrize(
    ("room", "is_writable", "told"),
    [
        (LEAST_ROOM, True, ""),
        (LEAST_ROOM - 1, True, FULL),
        (0, False, TAKES_NOTHING),
        (LEAST_ROOM, False, TAKES_NOTHING),
    ],
)
def test_it_is_told_by_its_room_and_whether_it_may_be_written_to(room: int, is_writable: bool, told: str) -> None:
    assert disk_trouble(HERE, lambda _: room, lambda _: is_writable) == told


def test_of_a_folder_that_is_gone_others_tell(tmp_path: Path) -> None:
    assert disk_trouble(HERE, gone, lambda _: False) == ""
    assert disk_trouble(tmp_path / "nowhere") == ""


def test_a_disk_with_room_is_no_trouble(tmp_path: Path) -> None:
    assert disk_trouble(tmp_path) == ""
