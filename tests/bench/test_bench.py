"""The bench itself: its figures come from real work, and what it looks for it can find."""

from itertools import islice
from pathlib import Path

from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from tests.bench.baseline import RawSqlite
from tests.bench.corpus import LONGEST, SHORTEST, questions, texts
from tests.bench.filling import fill
from tests.bench.latency import STEP, measured
from tests.bench.load import lost_and_doubled
from tests.bench.load_client import PROJECT
from tests.bench.report import percentile, verdict
from tests.bench.stages import STAGES, found
from tests.bench.stages import measured as told_apart


def test_texts_and_questions_are_the_same_in_every_run():
    assert list(islice(texts(1), 50)) == list(islice(texts(1), 50))
    assert list(islice(questions(1), 50)) == list(islice(questions(1), 50))
    assert list(islice(texts(1), 50)) != list(islice(texts(2), 50))
    assert all(SHORTEST <= len(text) <= LONGEST for text in islice(texts(3), 200))


def test_a_percentile_is_one_of_the_measured_values():
    assert percentile([5.0, 1.0, 3.0], 0.5) == 3.0
    assert percentile([float(number) for number in range(1, 101)], 0.95) == 95.0
    assert percentile([2.0], 0.95) == 2.0


def test_a_missed_target_is_said_plainly():
    assert verdict(4.0, 5) == "≤ 5: met"
    assert verdict(5.1, 5) == "≤ 5: MISSED"


def test_a_lost_and_a_doubled_chunk_are_counted(home: Path):
    fill(home, 3)
    with sound_driver().connect(str(store_file(home))) as database:
        kept = [uid for (uid,) in database.execute("SELECT uid FROM chunk")]
    assert lost_and_doubled(store_file(home), kept) == (0, 0)
    with sound_driver().connect(str(store_file(home))) as database:
        database.execute("UPDATE chunk SET project = ?, content = 'the same'", (PROJECT,))
    assert lost_and_doubled(store_file(home), [*kept, "an-id-that-was-never-stored"]) == (1, 2)


def test_raw_sqlite_finds_what_it_stored(tmp_path: Path):
    raw = RawSqlite(tmp_path / "raw.db")
    for text in ("the pool holds forty connections", "the cache is cold after a restart"):
        raw.store(text)
    assert [content for _, content, _ in raw.search("how many connections are pooled?")] == [
        "the pool holds forty connections"
    ]
    raw.close()


def test_every_way_to_the_store_is_measured(tmp_path: Path):
    ways = measured(tmp_path / "run", 30, rounds=1)
    assert [way.name for way in ways] == ["raw SQLite", "HTTP, 2025-11-25", "HTTP, 2026-07-28", "bridge, 2025-11-25"]
    for way in ways:
        assert {kind: len(taken) for kind, taken in way.seconds.items()} == {"store": STEP, "search": STEP}


def test_each_stage_is_told_apart_and_together_they_are_less_than_the_whole(tmp_path: Path):
    raw = RawSqlite(tmp_path / "raw.db")
    fill(tmp_path / "home", 30)
    assert [stage for stage, _ in found()] == [stage for stage, _ in STAGES]
    before = [getattr(*place) for _, place in found()]
    costs = told_apart(tmp_path / "home", raw, times=5)
    raw.close()
    assert [getattr(*place) for _, place in found()] == before
    for stages, whole, bare in costs.values():
        assert 0 < sum(stages.values()) < whole
        assert bare > 0
    assert {"row", "change", "commit", "caution"} <= costs["store"][0].keys()
    assert {"candidates and fusion", "rows of the hits", "excerpts"} <= costs["search"][0].keys()
