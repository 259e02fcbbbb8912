"""The full-text index follows the rows, and damage to it or to the file is found."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlmodel import col, delete, insert, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.ids import new_id
from bigmind.core.operation import Caller
from bigmind.memory.kinds import MOMENT
from bigmind.memory.lookup import key_of
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.people.service import NOBODY, ensure_user
from bigmind.search.scope import index_of
from bigmind.store.descriptions import QuestionTerms, RowCondition
from bigmind.store.sqlite import fulltext
from bigmind.store.sqlite.fulltext import question_terms, search, term_counter
from bigmind.store.store import Store
from bigmind.wiring import Mind, open_mind
from tests.memory.rows import START, session
from tests.store.using import Run, caller_of, found, keep, opened, raw_connection, runner

MOMENTS = index_of(MOMENT)


def test_an_insert_is_found_at_once(mind: Mind, run: Run) -> None:
    kept = keep(run, "The loop repeats cards 13 to 23.")
    assert found(run, "cards") == [kept]
    assert mind.store.integrity() == []


def test_a_change_is_found_by_its_new_words_only(mind: Mind, run: Run, caller: Caller) -> None:
    kept = keep(run, "The loop repeats cards.")
    with mind.store.write(caller, "edit") as work:
        chunk = work.session.exec(select(Chunk)).one()
        chunk.content, chunk.terms = "Levers and wheels.", ""
        work.session.add(chunk)
    assert found(run, "levers") == [kept]
    assert found(run, "cards") == []
    assert mind.store.integrity() == []


def test_a_deleted_row_is_found_no_more(mind: Mind, run: Run, caller: Caller) -> None:
    keep(run, "The loop repeats cards.")
    kept = keep(run, "Cards of another kind.")
    with mind.store.write(caller, "forget") as work:
        work.session.exec(delete(Chunk).where(col(Chunk.uid) != kept))
    assert found(run, "cards") == [kept]
    assert mind.store.integrity() == []


def test_the_words_of_a_deleted_row_leave_the_file(home: Path) -> None:
    mind = open_mind(home, "ada")
    caller = caller_of(mind, home)
    keep(runner(mind, caller), "xylographically")
    with mind.store.write(caller, "forget") as work:
        work.session.exec(delete(Chunk))
    mind.close()
    assert b"xylograph" not in (home / "bigmind.db").read_bytes()
    assert not list(home.glob("bigmind.db-*"))


def test_a_row_taken_from_the_index_is_noticed(mind: Mind, run: Run, raw: Callable[[], Any]) -> None:
    keep(run, "The loop repeats cards.")
    other = raw()
    other.execute("INSERT INTO chunk_fts(chunk_fts) VALUES ('delete-all')")
    other.close()
    assert [line for line in mind.store.integrity() if "chunk_fts" in line]


def test_a_row_changed_behind_the_index_is_noticed(mind: Mind, run: Run, raw: Callable[[], Any]) -> None:
    keep(run, "The loop repeats cards.")
    other = raw()
    other.executescript("DROP TRIGGER chunk_fts_update; UPDATE chunk SET content = 'Levers and wheels.'")
    other.close()
    assert [line for line in mind.store.integrity() if "chunk_fts" in line]


def test_a_reference_to_nothing_is_noticed(mind: Mind, run: Run, raw: Callable[[], Any]) -> None:
    keep(run, "The loop repeats cards.")
    other = raw()
    other.execute("UPDATE chunk SET session_id = 999")  # a connection that does not enforce foreign keys
    other.close()
    assert "chunk 1 session 1" in mind.store.integrity()


def test_a_damaged_page_is_noticed(home: Path) -> None:
    with opened(home) as run:
        for number in range(200):
            keep(run, f"The loop repeats card {number}. " * 20)
    other = raw_connection(home)
    [page] = other.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chunk'").fetchone()
    [size] = other.execute("PRAGMA page_size").fetchone()
    other.close()
    overwrite(home, (page - 1) * size + 8, 64)  # the child pointers of the table's root
    damaged = Store(home)
    assert damaged.integrity()
    damaged.close()


def test_a_damaged_schema_is_told_at_the_start_and_left_alone(home: Path) -> None:
    with opened(home) as run:
        keep(run, "The loop repeats cards.")
    overwrite(home, 100, 200)  # the root of the schema itself
    before = (home / "bigmind.db").read_bytes()
    with pytest.raises(BigMindError) as refusal:
        Store(home)
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "Restore a backup" in refusal.value.hint
    assert (home / "bigmind.db").read_bytes() == before


def overwrite(home: Path, offset: int, length: int) -> None:
    with (home / "bigmind.db").open("r+b") as file:
        file.seek(offset)
        file.write(b"\xff" * length)


def moments(mind: Mind, texts: list[str], **more: object) -> None:
    """Put moments into the store as they are."""
    rows = [
        {
            "uid": new_id(), "user_id": 1, "session_id": 1, "client": "tester", "role": "user", "content": content,
            "flag_reason": "kept", "terms": "", "seq": number, "created_at": START, "caution": "", **more,
        }
        for number, content in enumerate(texts, 1)
    ]  # fmt: skip
    with mind.store.write(NOBODY, "test") as work:
        if work.session.get(MemorySession, rows[0]["session_id"]) is None:
            work.session.add(session(START, id=rows[0]["session_id"]))
            work.session.flush()
        work.session.connection().execute(insert(Chunk), rows)


def ranked(
    mind: Mind, terms: list[str], most: int, *conditions: RowCondition, preferred: str | None = None
) -> list[int]:
    with mind.store.read(NOBODY, "test") as work:
        found = search(work.session, MOMENTS, terms, conditions, most, preferred)
    return [key for key, _ in found]


def wordy(seed: int, many: int) -> list[str]:
    random = Random(seed)
    return [
        " ".join(random.choices(("loom", "weft", "warp", "yarn", "heddle"), k=random.randint(3, 40)))
        for _ in range(many)
    ]


MINE = RowCondition("user_id", 1)


@pytest.mark.parametrize("preferred", [None, "mill"])
def test_the_best_of_many_are_the_best_of_all(mind: Mind, preferred: str | None) -> None:
    moments(mind, wordy(1, 600))
    moments(mind, wordy(2, 60), session_id=2, project="mill")
    everything = ranked(mind, ["loom", "heddle"], 10_000, MINE, preferred=preferred)
    assert len(everything) > 500
    for most in (1, 8, 50):
        assert ranked(mind, ["loom", "heddle"], most, MINE, preferred=preferred) == everything[:most]


def test_what_matches_better_and_may_not_be_found_takes_nobodys_place(mind: Mind) -> None:
    with mind.store.write(NOBODY, "test") as work:
        bob = key_of(ensure_user(work, "bob"))
    moments(mind, ["loom " * 5] * 300, user_id=bob)
    moments(mind, [f"a loom and {'many other words ' * 9} {number}" for number in range(3)], session_id=2)
    assert sorted(ranked(mind, ["loom"], 5, MINE)) == [301, 302, 303]
    assert ranked(mind, ["loom"], 5, RowCondition("user_id", bob), RowCondition("project", "none")) == []


def test_a_narrow_condition_is_looked_at_before_the_ranking(mind: Mind) -> None:
    moments(mind, ["loom " * 5] * 300)
    moments(
        mind, [f"a loom and {'many other words ' * 9} {number}" for number in range(3)], session_id=2, project="mill"
    )
    assert sorted(ranked(mind, ["loom"], 5, MINE, RowCondition("project", "mill"))) == [301, 302, 303]
    assert sorted(ranked(mind, ["loom"], 5, MINE, RowCondition("session_id", 2))) == [301, 302, 303]


def test_the_commonest_words_are_left_out_where_rarer_ones_find_something(mind: Mind) -> None:
    moments(
        mind, [f"the loom {'weft' if number % 2 else 'warp'} {'heddle' if number < 5 else ''}" for number in range(40)]
    )

    def telling_of(*terms: str, most_rows: int) -> list[str]:
        with mind.store.read(NOBODY, "test") as work:
            return question_terms(work.session, MOMENTS, terms, most_rows).telling

    assert telling_of("loom", "weft", "heddle", most_rows=100) == ["loom", "weft", "heddle"]
    assert telling_of("loom", "weft", "heddle", most_rows=30) == ["weft", "heddle"]
    assert telling_of("loom", "weft", "heddle", most_rows=20) == ["heddle"]
    assert telling_of("loom", "weft", "unheard", most_rows=10) == ["weft", "unheard"]
    assert telling_of("looms", most_rows=10) == ["looms"]
    assert telling_of(most_rows=10) == []


def test_words_that_are_too_common_to_be_looked_for_count(mind: Mind) -> None:
    moments(mind, [f"loom {'weft ' * (each < 20)}{'heddle ' * (each < 6)}" for each in range(40)])
    with mind.store.read(NOBODY, "test") as work:
        words = ["loom", "weft", "heddle"]
        of_24 = question_terms(work.session, MOMENTS, words, 24)
        of_35 = question_terms(work.session, MOMENTS, words, 35)
        of_40 = question_terms(work.session, MOMENTS, words, 40)
    assert of_24 == QuestionTerms(["weft", "heddle"], ["heddle"])
    assert of_35 == QuestionTerms(words, ["weft", "heddle"])
    assert of_40 == QuestionTerms(words, words)


def test_only_what_has_a_telling_word_is_ranked_and_all_its_words_count(mind: Mind) -> None:
    moments(mind, ["a loom here"] * 5 + ["a heddle here", "a heddle and loom", "a treadle"])
    moments(mind, ["a loom there", "a heddle there"], session_id=2, project="mill")
    words, narrow = ["loom", "heddle", "treadle"], RowCondition("project", "mill")
    asked = QuestionTerms(words, ["heddle"])
    with mind.store.read(NOBODY, "test") as work:
        every = dict(search(work.session, MOMENTS, words, [MINE], 20))
        telling = search(work.session, MOMENTS, asked, [MINE], 20)
        narrowed = search(work.session, MOMENTS, asked, [MINE, narrow], 20)
    assert dict(telling) == {key: every[key] for key in (6, 7, 10)}
    assert narrowed == [(10, every[10])]


def test_words_of_few_rows_are_counted_as_those_of_many(mind: Mind, monkeypatch: pytest.MonkeyPatch) -> None:
    moments(mind, wordy(5, 60))
    asked: tuple[Any, ...] = (MOMENTS, 60, ["loom", "weft", "unheard"])
    keys = [3, 9, 12, 60]
    with mind.store.read(NOBODY, "test") as work:
        few = term_counter(work.session, *asked)(keys)
        monkeypatch.setattr(fulltext, "FEW_ROWS", 59)
        assert term_counter(work.session, *asked)(keys) == few
    assert 0 < len(few.terms) <= 4
