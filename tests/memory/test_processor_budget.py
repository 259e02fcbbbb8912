"""What a store and a search may cost of the processor, beside raw SQLite and a little Python, in turns."""

from tests.bench.baseline import RawSqlite
from tests.bench.filling import fill
from tests.bench.stages import dearer
from tests.memory_disk import on_disk

MOST_TIMES = {"memory_flag_important": 9.0, "memory_search_chunks": 9.0}
"""How many times the processor's time of the yardstick (`dearer`) a store and a search may take at 200 moments."""


def test_a_store_and_a_search_cost_no_more_of_the_processor_than_they_may():
    with on_disk() as folder:
        raw = RawSqlite(folder / "raw.db")
        for text in fill(folder / "home", 200):
            raw.store(text)
        costs = dearer(folder / "home", raw, times=20, rounds=5)
        raw.close()
    assert {name: times for name, times in costs.items() if times > MOST_TIMES[name]} == {}, costs
