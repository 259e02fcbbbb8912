"""Making an index anew fails, is stopped or killed before any of its units; or the old one is damaged."""

import shutil
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.progress import Cancellation, CancelledError
from bigmind.maintenance.reindexing import LEFT, finish_reindexing
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.renewal.spares import spares
from tests.memory.index_renewal import BOTH, MANY, beside, is_whole, keys, many_facts, steps
from tests.memory.living import Memory, living
from tests.memory.rows import START, fact
from tests.memory.test_indexed import INDEXES


class StoppedError(Exception):
    """A unit did not begin."""


def stopping_before(memory: Memory, last: int, *, for_good: bool) -> Callable[[], Any]:
    """A way to the writing connection that fails once so many units began, or from then on."""
    begun = 0

    @contextmanager
    def alone() -> Generator[Any]:
        nonlocal begun
        begun += 1
        if begun == last or (for_good and begun > last):
            raise StoppedError
        with memory.mind.store.alone() as connection:
            yield connection

    return alone


@BOTH
def test_it_may_fail_before_any_unit(memory: Memory, index: str):
    many_facts(memory)
    for last in range(2, 200):
        try:
            list(steps(memory, index, stopping_before(memory, last, for_good=False), seconds=0.05))
        except StoppedError:
            finish_reindexing(memory.mind.store)  # where it failed while it tidied
            assert is_whole(memory, index)
        else:
            break
    assert 10 < last < 199
    assert is_whole(memory, index)


@BOTH
def test_killed_between_any_two_units_it_leaves_what_the_next_start_sets_right(
    memory: Memory, home: Path, tmp_path: Path, index: str
):
    many_facts(memory)
    units = 0

    @contextmanager
    def alone() -> Generator[Any]:
        nonlocal units
        with memory.mind.store.alone() as connection:
            yield connection
        units += 1
        shutil.copytree(home, tmp_path / str(units))

    list(steps(memory, index, alone, seconds=0.05))
    left: set[str] = set()
    for number in range(1, units + 1):
        with sound(tmp_path / str(number)) as connection:
            left |= set(spares(connection))
        with living(tmp_path / str(number)) as again:
            assert is_whole(again, index), number
            assert len(keys(again)) == MANY
    assert left == {f"{index}_new", f"{index}_old"}


@contextmanager
def sound(home: Path) -> Generator[Any]:
    connection = sound_driver().connect(str(home / "bigmind.db"))
    try:
        yield connection
    finally:
        connection.close()


@BOTH
def test_what_is_half_taken_away_trips_nobody(memory: Memory, index: str):
    many_facts(memory)
    for last in range(2, 60):
        with pytest.raises(StoppedError):
            list(steps(memory, index, stopping_before(memory, last, for_good=True), seconds=0.05))
        if beside(memory) == [f"{index}_old"]:
            with memory.mind.store.alone() as connection:
                connection.execute(f"DELETE FROM {index}_old_data WHERE id > 10")
            break
        finish_reindexing(memory.mind.store)
    assert beside(memory) == [f"{index}_old"]
    assert memory.mind.store.integrity() == []
    assert memory.mind.store.look() == ()
    assert memory.mind.store.scrub()
    assert is_whole(memory, index)  # whoever overwrites takes it away first


def reindex(memory: Memory, told: Callable[..., None], stop: Cancellation) -> Any:
    operation = memory.mind.dispatcher.catalogue.get("memory_reindex")
    assert operation is not None
    return memory.mind.dispatcher.run(operation, memory.caller, {}, progress=told, cancellation=stop)


def test_whoever_stops_it_is_told_what_is_left(person: Memory):
    many_facts(person)
    stop = Cancellation()

    def told(done: int, _total: int, _what: str, _unit: str = "") -> None:
        if done:
            stop.cancel("It was told to stop.")

    with pytest.raises(CancelledError) as refused:
        reindex(person, told, stop)
    assert refused.value.message == f"It was told to stop. {LEFT}"
    assert is_whole(person, "fact_fts")


def test_it_tells_how_far_it_is_and_others_write_meanwhile(person: Memory):
    many_facts(person)
    heard: list[tuple[int, int]] = []

    def told(done: int, total: int, what: str, _unit: str = "") -> None:
        if what == "Rebuilding the full-text indexes":
            heard.append((done, total))
            person.insert(fact(START, "copperwheel beside it"))

    answer = reindex(person, told, Cancellation())
    assert (answer.indexes, answer.problems) == (INDEXES, [])
    assert heard[0][0] == 0
    assert MANY < max(done for done, _ in heard) <= heard[0][1]
    assert is_whole(person, "fact_fts")


DAMAGE = {
    "structure": "DELETE FROM fact_fts_data WHERE id = 10",
    "averages": "UPDATE fact_fts_data SET block = x'ff' WHERE id = 1",
    "pages": "UPDATE fact_fts_data SET block = x'0102' WHERE id > 10",
    "sizes": "DELETE FROM fact_fts_docsize",
    "everything": "DELETE FROM fact_fts_data",
}


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_index_is_replaced(person: Memory, how: str, caplog: pytest.LogCaptureFixture):
    many_facts(person)
    with person.mind.store.alone() as connection:
        connection.execute(DAMAGE[how])
    assert person.mind.store.integrity() != []
    assert person("memory_reindex").problems == []
    assert "others wait" not in caplog.text
    assert is_whole(person, "fact_fts")


def test_what_cannot_be_replaced_is_made_anew_at_once(person: Memory, caplog: pytest.LogCaptureFixture):
    many_facts(person)
    with person.mind.store.alone() as connection:
        connection.execute("DROP TRIGGER fact_fts_update")
        connection.execute("INSERT INTO fact_fts(fact_fts) VALUES ('delete-all')")
    assert person("memory_reindex").problems == []
    assert "fact_fts cannot be replaced" in caplog.text
    assert is_whole(person, "fact_fts")
