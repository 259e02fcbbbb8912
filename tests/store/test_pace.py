"""What is done in many units does less in each where a unit takes long, and as much as before where it does not."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bigmind.store.sqlite import scrub
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.renewal import pace as paces
from bigmind.store.sqlite.renewal.pace import LEAST_SHARE, UNIT_SECONDS, Pace

MOST = 320
ROWS, WORDS = 4_000, 60


class Stopwatch:
    """A time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def stopwatch(monkeypatch: pytest.MonkeyPatch) -> Stopwatch:
    time = Stopwatch()
    monkeypatch.setattr(paces, "monotonic", time)
    return time


@pytest.fixture
def unit(stopwatch: Stopwatch) -> Callable[[Pace, float], int]:
    """Does a unit that takes so many seconds; how large it was."""

    def done(pace: Pace, seconds: float) -> int:
        with pace.measured() as size:
            stopwatch.now += seconds
        return size

    return done


def test_the_next_unit_is_as_large_as_fits(unit: Callable[[Pace, float], int]) -> None:
    pace = Pace(MOST)
    assert unit(pace, 4 * UNIT_SECONDS) == MOST
    assert unit(pace, UNIT_SECONDS) == MOST // 4
    assert pace.size == MOST // 4


def test_it_grows_again_by_twice_at_most_and_never_beyond_the_first(unit: Callable[[Pace, float], int]) -> None:
    pace = Pace(MOST)
    unit(pace, 8 * UNIT_SECONDS)
    assert [unit(pace, UNIT_SECONDS / 100) for _ in range(5)] == [MOST // 8, MOST // 4, MOST // 2, MOST, MOST]
    assert unit(pace, 0.0) == pace.size == MOST


def test_however_slow_it_is_something_is_done(unit: Callable[[Pace, float], int]) -> None:
    pace, of_one = Pace(MOST), Pace(1)
    unit(pace, 3_600.0)
    unit(of_one, 3_600.0)
    assert pace.size == MOST // LEAST_SHARE
    assert of_one.size == 1


def test_a_unit_that_fails_measures_nothing(stopwatch: Stopwatch) -> None:
    pace = Pace(MOST)

    def on_a_full_disk() -> None:
        with pace.measured():
            stopwatch.now += 3_600.0
            raise OSError("full")

    with pytest.raises(OSError, match="full"):
        on_a_full_disk()
    assert pace.size == MOST


def test_an_index_is_merged_whole_where_every_unit_is_slow(tmp_path: Path, stopwatch: Stopwatch) -> None:
    connection = sound_driver().connect(str(tmp_path / "words.db"), isolation_level=None)
    connection.execute("CREATE VIRTUAL TABLE words USING fts5(said)")
    for first in range(0, ROWS, ROWS // 4):
        connection.execute("BEGIN")
        connection.executemany("INSERT INTO words VALUES (?)", ([said(row)] for row in range(first, first + ROWS // 4)))
        connection.execute("COMMIT")

    @contextmanager
    def alone() -> Generator[Any]:
        yield Slow(connection, stopwatch)

    units = len(list(scrub.merge_all(alone, "words")))
    pages = connection.execute("SELECT count(*) FROM words_idx").fetchone()[0]
    assert units > pages / scrub.MERGED_PAGES * 2
    assert connection.execute("SELECT count(DISTINCT segid) FROM words_idx").fetchone() == (1,)
    assert connection.execute("SELECT count(*) FROM words WHERE words MATCH 'w7'").fetchone() == (1,)
    connection.execute("INSERT INTO words(words) VALUES ('integrity-check')")
    connection.close()


def said(row: int) -> str:
    """Words that no other row has."""
    return " ".join(f"w{row * WORDS + number}" for number in range(WORDS))


class Slow:
    """A connection whose every statement takes a second."""

    def __init__(self, connection: Any, stopwatch: Stopwatch) -> None:
        self._connection, self._stopwatch = connection, stopwatch

    @property
    def total_changes(self) -> int:
        return self._connection.total_changes

    def execute(self, *statement: Any) -> Any:
        self._stopwatch.now += 1.0
        return self._connection.execute(*statement)
