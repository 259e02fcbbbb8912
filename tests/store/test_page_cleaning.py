"""Unused bytes of pages are overwritten, and no other: every row and every check says the same afterwards."""

import random
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.page_cleaning import PageFile
from tests.thorough import crossed

ROWS = 600
MARK = b"mark"


def filled(path: Path, page_size: int, auto_vacuum: str, seed: int) -> None:
    """A database in which rows of many lengths came, changed and went, with traces of them wherever they were moved."""
    draw = random.Random(seed)
    with closing(sound_driver().connect(str(path), isolation_level=None)) as database:
        for pragma in (
            f"page_size={page_size}",
            f"auto_vacuum={auto_vacuum}",
            "secure_delete=OFF",
            "cell_size_check=ON",
        ):
            database.execute(f"PRAGMA {pragma}").fetchall()
        database.execute("CREATE TABLE text(id INTEGER PRIMARY KEY, said TEXT, number INTEGER)")
        database.execute("CREATE INDEX by_said ON text(said)")
        database.execute("CREATE TABLE word(word TEXT PRIMARY KEY, id INTEGER) WITHOUT ROWID")
        database.execute("BEGIN")
        for number in range(ROWS):
            said = f"{MARK.decode()}{draw.randrange(10**6):06} " * draw.choice((1, 2, 8, 40, 400))
            database.execute("INSERT OR REPLACE INTO text VALUES (?, ?, ?)", (draw.randrange(ROWS), said, number))
            database.execute("INSERT OR REPLACE INTO word VALUES (?, ?)", (said[:200], number))
            if number % 3 == 0:
                database.execute("DELETE FROM text WHERE id = ?", (draw.randrange(ROWS),))
                database.execute("DELETE FROM word WHERE id = ?", (draw.randrange(ROWS),))
        database.execute("COMMIT")


def told(path: Path) -> list[Any]:
    with closing(sound_driver().connect(str(path))) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [database.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in ("text", "word")]


def cleaned(path: Path) -> None:
    with closing(PageFile(path)) as pages:
        following = 1
        while following:
            following = pages.clean(following)
        pages.synchronize()


@pytest.mark.parametrize(
    ("page_size", "auto_vacuum", "seed"), crossed((512, 1024, 4096, 65536), ("NONE", "INCREMENTAL", "FULL"), range(3))
)
def test_every_row_stays_as_it_was(tmp_path: Path, page_size: int, auto_vacuum: str, seed: int) -> None:
    path = tmp_path / "some.db"
    filled(path, page_size, auto_vacuum, seed)
    before, bytes_before = told(path), path.read_bytes()
    cleaned(path)
    assert told(path) == before
    after = path.read_bytes()
    assert after.count(MARK) < bytes_before.count(MARK)
    cleaned(path)
    assert path.read_bytes() == after
    with closing(sound_driver().connect(str(path))) as database:  # and it goes on as a database
        database.execute("DELETE FROM text WHERE id % 2")
        database.execute("INSERT INTO text SELECT id + 100000, said || said, number FROM text")
        database.commit()
    assert told(path)


def test_no_trace_is_left_of_what_went(tmp_path: Path) -> None:
    path = tmp_path / "some.db"
    filled(path, 4096, "NONE", 1)
    with closing(sound_driver().connect(str(path))) as database:
        database.execute("DELETE FROM text")
        database.execute("DELETE FROM word")
        database.commit()
    assert MARK in path.read_bytes()
    cleaned(path)
    assert MARK not in path.read_bytes()
    assert told(path) == [[], []]


@pytest.mark.parametrize("place", [100, 3 * 4096 + 5], ids=["the header", "a page"])
def test_what_is_not_as_it_should_be_is_left_alone(tmp_path: Path, place: int) -> None:
    path = tmp_path / "some.db"
    filled(path, 4096, "NONE", 2)
    if place == 100:
        path.write_bytes(b"some other file" * 1000)
    else:
        content = bytearray(path.read_bytes())
        number = next(each for each in range(1, len(content) // 4096) if content[each * 4096] == 0x0D)
        content[number * 4096 + 5 : number * 4096 + 7] = b"\xff\xff"
        path.write_bytes(content)
    before = path.read_bytes()
    with pytest.raises(sound_driver().Error):
        cleaned(path)
    if place == 100:
        assert path.read_bytes() == before
