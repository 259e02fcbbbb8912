"""Facts whose index is made anew unit by unit, and what must be found of them afterwards."""

from collections.abc import Generator
from typing import Any

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.store.sqlite.renewal.filling import FEW_ROWS, renew
from bigmind.store.sqlite.renewal.spares import spares
from tests.memory.living import Memory
from tests.memory.rows import START, fact

MANY = FEW_ROWS + 50
BOTH = pytest.mark.parametrize("index", ["fact_fts", "fact_grams"])
MATCHES = {
    "fact_fts": "SELECT rowid FROM fact_fts WHERE fact_fts MATCH 'copperwheel' ORDER BY rowid",
    "fact_grams": "SELECT rowid FROM fact_grams WHERE fact_grams MATCH 'cop AND opp AND ppe' ORDER BY rowid",
}


def many_facts(memory: Memory) -> None:
    memory.insert(*(fact(START, f"copperwheel {number} turns {'again ' * 20}") for number in range(MANY)))


def steps(memory: Memory, index: str, alone: Any = None, seconds: float = 0.0) -> Generator[int]:
    """The units of making an index anew; without more seconds each takes one row."""
    store = memory.mind.store
    return renew(alone or store.alone, store.undisturbed, index, seconds)


def keys(memory: Memory) -> list[int]:
    with memory.mind.store.read(NOBODY, "test") as work:
        return [key or 0 for key in work.session.exec(select(Fact.id).order_by(col(Fact.id)))]


def matches(memory: Memory, index: str) -> list[int]:
    with memory.mind.store.read(NOBODY, "test") as work:
        return [key for (key,) in work.session.execute(text(MATCHES[index]))]


def beside(memory: Memory) -> list[str]:
    with memory.mind.store.alone() as connection:
        return spares(connection)


def is_whole(memory: Memory, index: str) -> bool:
    """Nothing is left beside the indexes, and all of them agree with their rows."""
    with memory.mind.store.alone() as connection:
        notes = connection.execute("SELECT name FROM store_property WHERE name LIKE '%_new'").fetchall()
    return (beside(memory), notes, memory.mind.store.integrity(), matches(memory, index)) == ([], [], [], keys(memory))
