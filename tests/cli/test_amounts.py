"""One size is told by one figure, wherever it is told."""

import pytest

from bigmind.cli.progress_line import amount
from bigmind.core.progress import BYTES
from bigmind.maintenance.answers import Pruned
from bigmind.text.phrasing import megabytes

FILE = 4_644_402


@pytest.mark.parametrize(
    ("number", "told"),
    [
        (0, "0.0 MB"),
        (1, "less than 0.1 MB"),
        (FILE, "4.6 MB"),
        (1_048_576, "1.0 MB"),
        (12_345_678_901, "12,345.7 MB"),
    ],
)
def test_bytes_are_told_in_megabytes_as_systems_show_them(number: int, told: str) -> None:
    assert megabytes(number) == told


def test_what_is_read_and_what_was_pruned_say_the_same_of_it() -> None:
    pruned = Pruned(days=30, dry_run=False, moments=1, sessions=1, bytes_of_text=FILE, bytes_freed=FILE)
    assert amount(1_200_000, FILE, BYTES) == "1.2 MB of 4.6 MB"
    assert "(4.6 MB of text)" in pruned.as_text()
    assert "shrank by 4.6 MB." in pruned.as_text()
