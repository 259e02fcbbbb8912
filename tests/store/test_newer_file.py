"""A file that is not ours to open is refused, and not a byte of it is another one afterwards."""

import shutil
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.store.store import Store
from tests.store.using import found, keep, opened, raw_connection

NEWER = "UPDATE alembic_version SET version_num = '9999'"
NEWER_BY_ITSELF = "CREATE TABLE alembic_version (version_num TEXT); INSERT INTO alembic_version VALUES ('9999')"


def bytes_in(home: Path) -> dict[str, tuple[bytes, int]]:
    """Contents and modes of the store's files; the index of the log is no part of it, SQLite makes it anew."""
    files = (each for each in home.glob("bigmind.db*") if not each.name.endswith("-shm"))
    return {each.name: (each.read_bytes(), each.stat().st_mode) for each in files}


def refused(home: Path, said: str) -> None:
    before = bytes_in(home)
    for _ in range(2):
        with pytest.raises(BigMindError, match=said) as refusal:
            Store(home)
        assert refusal.value.code is Code.STORE_UNUSABLE
        assert bytes_in(home) == before


def left_by_a_kill(home: Path, scratch: Path) -> Path:
    """A copy of the home as a kill leaves it now: the last changes stand in the log only."""
    scratch.mkdir(0o700)
    for file in home.glob("bigmind.db*"):
        if not file.name.endswith("-shm"):
            shutil.copy(file, scratch)
    assert (scratch / "bigmind.db-wal").stat().st_size
    return scratch


def test_a_newer_file_whose_last_words_stand_in_its_log_keeps_file_and_log(home: Path, tmp_path: Path) -> None:
    with opened(home) as run:
        keep(run, "The first card.")
    connection = raw_connection(home)
    connection.execute(NEWER)
    left = left_by_a_kill(home, tmp_path / "left")
    connection.close()
    refused(left, "newer BigMind")


def test_a_newer_file_without_a_log_is_given_none(home: Path) -> None:
    home.mkdir(0o700)
    connection = raw_connection(home)
    connection.executescript(NEWER_BY_ITSELF)
    connection.close()
    assert connection_mode(home) == "delete"
    refused(home, "newer BigMind")
    assert connection_mode(home) == "delete"


def test_a_file_of_another_program_keeps_its_way_of_writing(home: Path) -> None:
    home.mkdir(0o700)
    connection = raw_connection(home)
    connection.executescript("CREATE TABLE recipe (name TEXT)")
    connection.close()
    (home / "bigmind.db").chmod(0o644)
    refused(home, "another program")


def test_a_store_of_ours_is_opened_with_what_stands_in_its_log(home: Path, tmp_path: Path) -> None:
    with opened(home) as run:
        kept = keep(run, "The first card.")
        left = left_by_a_kill(home, tmp_path / "left")
    with opened(left) as run:
        assert found(run, "card") == [kept]


def connection_mode(home: Path) -> str:
    connection = raw_connection(home)
    [mode] = connection.execute("PRAGMA journal_mode").fetchone()
    connection.close()
    return mode
