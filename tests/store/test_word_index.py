"""Words held in memory find what SQLite finds by its indexes, to the last bit, whatever was written meanwhile."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlmodel import col, delete, select, update

from bigmind.core.past_mapper import Snapshot
from bigmind.kinds import terms_of_texts
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY, ensure_user
from bigmind.registry import KINDS
from bigmind.search.scope import index_of
from bigmind.store.descriptions import Predicate, RowCondition
from bigmind.store.search_process import postings, word_index
from bigmind.store.search_process.postings import MOST_LATE, TablePostings
from bigmind.store.search_process.search_file import SearchFile
from bigmind.store.search_process.tokenizer import MOST_COLUMNS, Tokenizer
from bigmind.store.search_process.word_index import AFTER_A_CHANGE
from bigmind.store.sqlite import fulltext
from bigmind.store.sqlite.checks import rebuild
from bigmind.store.sqlite.schema import WORDS as TOKENIZED
from bigmind.store.sqlite.statements import rows
from bigmind.store.store import Store
from bigmind.text.words import query_terms
from tests.memory.rows import ADA, START, fact
from tests.store.contract.filling import FACTS, MINE, put, remove

WORDS = ("loom", "looms", "weft", "warp", "yarn", "heddle", "getUserById", "running", "ran", "café", "x86", "ØRE")
BOB = 2
RARE = ("unheard", "spindle", "東京", "a")


class Reader:
    """A store's file, opened to be searched, and how often SQLite searched it in place of what is held."""

    def __init__(self, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.file = SearchFile(path)
        self.by_sqlite = 0
        search = fulltext.search

        def noted(*given: Any, **named: Any) -> list[tuple[int, float]]:
            self.by_sqlite += 1
            return search(*given, **named)

        monkeypatch.setattr(fulltext, "search", noted)
        self._search = search

    @property
    def held(self) -> TablePostings:
        return self.file.text._tables["fact"]

    @contextmanager
    def snapshot(self) -> Iterator[tuple[Snapshot, int]]:
        with self.file.snapshot() as session:
            yield session, self.file.text.newest_rows(session, ["fact"])["fact"]

    def both(self, terms: list[str], of: list[Predicate], most: int, preferred: str | None) -> list[tuple[int, float]]:
        """What is found; it is what SQLite finds, and so is what is counted."""
        with self.snapshot() as (session, newest):
            asked = self.file.text.question_terms(session, FACTS, terms, 60, newest)
            assert asked == fulltext.question_terms(session, FACTS, terms, 60, newest)
            found = self.file.text.search(session, FACTS, asked, of, most, preferred)
            assert found == self._search(session, FACTS, asked, of, most, preferred)
            keys = [key for key, _ in found] + [3, 9, 4_000]
            counted = self.file.text.term_counter(session, FACTS, newest, asked.counted)(keys)
            expected = fulltext.term_counter(session, FACTS, newest, asked.counted)(keys)
            assert counted.counts == expected.counts
            assert {key: terms for key, terms in expected.terms.items() if key in keys} == counted.terms
            return found

    def asked(self, draw: Random) -> list[tuple[int, float]]:
        terms = query_terms(
            " ".join(draw.choices(WORDS, k=draw.randint(1, 4)) + draw.choices(RARE, k=draw.randint(0, 1)))
        )
        of: list[Predicate] = [
            RowCondition("user_id", draw.choice((ADA, ADA, BOB))),
            RowCondition("deprecated_at", None, "IS"),
        ]
        return self.both(
            terms, of[: draw.randint(1, 2)], draw.choice((1, 5, 20)), draw.choice((None, "mill", "nowhere"))
        )


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    made = Store(home)
    with made.write(NOBODY, "test") as work:
        ensure_user(work, "ada")
        ensure_user(work, "bob")
    yield made
    made.close()


@pytest.fixture
def reader(store: Store, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reader]:
    made = Reader(store.path, monkeypatch)
    yield made
    made.file.close()


def fill(store: Store, draw: Random, count: int) -> None:
    for user in (ADA, BOB):
        for project in ("mill", "yard"):
            texts = [" ".join(draw.choices(WORDS, k=draw.randint(1, 40))) for _ in range(count // 4)]
            put(store, *texts, user_id=user, project=project)


def settle(reader: Reader) -> None:
    """Ask until the words are held."""
    for _ in range(1 + AFTER_A_CHANGE):
        reader.both(["loom"], [MINE], 5, None)
    reader.by_sqlite = 0


def test_they_follow_what_is_added(store: Store, reader: Reader) -> None:
    draw = Random(1)
    fill(store, draw, 200)
    settle(reader)
    for _ in range(40):
        assert reader.asked(draw) is not None
        fill(store, draw, draw.choice((0, 4, 4, 12)))
    assert any(reader.asked(draw) for _ in range(20))
    assert reader.by_sqlite < 30  # the questions with a beginning of a word, or where too few rows are Bob's


def test_what_is_changed_or_deleted_is_read_anew(store: Store, reader: Reader) -> None:
    draw = Random(2)
    fill(store, draw, 200)
    settle(reader)
    for turn in range(30):
        with store.write(NOBODY, "test") as work:
            those = draw.sample(list(work.session.exec(select(Fact.id))), 5)
            if turn % 6 == 0:
                work.session.exec(delete(Fact).where(col(Fact.id).in_(those)))
            elif turn % 6 == 3:
                text = draw.choice(WORDS)
                changed = update(Fact).where(col(Fact.id).in_(those)).values(text=text, terms=terms_of_texts([text]))
                work.session.connection().execute(changed)
        reader.asked(draw)
        reader.asked(draw)
    reader.by_sqlite = 0
    assert reader.both(["loom"], [MINE], 5, None)
    assert reader.by_sqlite == 0


def test_after_a_change_sqlite_answers_some_questions(store: Store, reader: Reader) -> None:
    """Else a table that changes now and then is read again for each question that finds it as it was."""
    first, *_ = put(store, *["a loom"] * 20)
    settle(reader)
    remove(store, [first])
    for _ in range(2 * AFTER_A_CHANGE):
        reader.both(["loom"], [MINE], 5, None)
    assert reader.by_sqlite == AFTER_A_CHANGE


def test_what_was_deleted_is_held_no_longer_at_the_next_question(store: Store, reader: Reader) -> None:
    [key, *_] = put(store, "a loom of secretive", *["a loom"] * 20)
    settle(reader)
    reader.both(["secretive"], [MINE], 5, None)
    assert b"secret" in reader.held._words
    remove(store, [key])
    reader.both(["loom"], [MINE], 5, None)
    assert not reader.held._words
    assert reader.both(["secretive"], [MINE], 5, None) == []


@pytest.mark.parametrize("key", [50, 0, -5])
def test_a_row_with_an_older_key_is_noticed(store: Store, reader: Reader, key: int) -> None:
    put(store, *["a loom"] * 100)
    remove(store, [50])
    settle(reader)
    with store.write(NOBODY, "test") as work:
        row = fact(START, "a loom of long ago")
        row.id, row.terms = key, ""
        work.session.add(row)
    assert len(reader.both(["loom"], [MINE], 200, None)) == 100
    assert reader.by_sqlite == 1


@pytest.mark.parametrize("key", [-5, 0, 2**31 + 5, 2**40])
def test_a_table_with_keys_that_are_too_low_or_too_high_is_left_to_sqlite(
    store: Store, reader: Reader, key: int
) -> None:
    put(store, *["a loom"] * 10)
    with store.write(NOBODY, "test") as work:
        row = fact(START, "a loom far away")
        row.id, row.terms = key, ""
        work.session.add(row)
    settle(reader)
    assert len(reader.both(["loom"], [MINE], 20, None)) == 11
    assert reader.by_sqlite == 1


def test_an_index_that_takes_the_place_of_another_is_read_anew(store: Store, reader: Reader) -> None:
    fill(store, Random(3), 80)
    settle(reader)
    with store.alone() as connection:
        connection.execute("CREATE TABLE another (id INTEGER PRIMARY KEY)")
        connection.execute("DROP TABLE another")
    for _ in range(3):
        reader.both(["loom"], [MINE], 5, None)
    assert reader.by_sqlite == 1


def test_an_index_that_is_made_whole_is_read_anew(store: Store, reader: Reader) -> None:
    _, lost, *_ = put(store, "a loom of old", "a loom of gold", *["a loom"] * 10)
    with store.alone() as connection:
        row = connection.execute("SELECT id, text, terms FROM fact WHERE id = ?", (lost,)).fetchone()
        connection.execute("INSERT INTO fact_fts (fact_fts, rowid, text, terms) VALUES ('delete', ?, ?, ?)", row)
    settle(reader)
    assert reader.both(["gold"], [MINE], 5, None) == []
    with store.alone() as connection:
        rebuild(connection, "fact_fts")
    settle(reader)
    assert [key for key, _ in reader.both(["gold"], [MINE], 5, None)] == [lost]
    assert reader.by_sqlite == 0


def test_a_word_of_no_row_is_left_to_sqlite(store: Store, reader: Reader) -> None:
    put(store, *["a loom"] * 10)
    with store.alone() as connection:
        connection.execute("INSERT INTO fact_fts (rowid, text, terms) VALUES (500, 'a ghost', '')")
    settle(reader)
    assert reader.both(["ghost"], [MINE], 5, None) == []
    assert reader.by_sqlite == 1


@pytest.mark.parametrize("bound", ["MOST_NEW_ROWS", "MOST_NEW_TOKENS"])
def test_much_that_is_new_is_not_taken_in_word_by_word(
    store: Store, reader: Reader, monkeypatch: pytest.MonkeyPatch, bound: str
) -> None:
    monkeypatch.setattr(postings, bound, 10)
    draw, taken = Random(4), list[int]()
    tokens = reader.file.text._tokenizer.tokens

    def noted(given: Any) -> Any:
        rows_of = list(given)
        taken.append(sum(len(text or b"") for _, *texts in rows_of for text in texts))
        return tokens(rows_of)

    fill(store, draw, 40)
    settle(reader)
    monkeypatch.setattr(reader.file.text._tokenizer, "tokens", noted)
    for count in (4, 40, 4, 80, 0):
        fill(store, draw, count)
        put(store, "loom " * 20_000)
        assert reader.both(["loom", "weft"], [MINE], 20, "mill")
    assert reader.by_sqlite == 0
    assert bound == "MOST_NEW_ROWS" or max(taken, default=0) < 10_000


def test_what_comes_with_new_rows_counts_too(store: Store, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "MOST_BYTES", 20_000)
    put(store, "a loom and some weft")
    settle(reader)
    reader.both(["weft"], [MINE], 5, None)
    sizes: list[int] = []
    for _ in range(60):
        put(store, *["loom weft"] * 50)
        reader.both(["loom"], [MINE], 5, None)
        sizes.append(reader.held.size)
        assert all(len(each._late) <= MOST_LATE for each in reader.held._words.values())
    assert max(sizes) > 10_000
    assert sizes != sorted(sizes)  # some went at least once
    assert reader.by_sqlite == 0


@pytest.mark.parametrize("preferred", [None, "nowhere"])
def test_of_more_rows_than_are_ranked_the_same_are_looked_at(
    store: Store, reader: Reader, monkeypatch: pytest.MonkeyPatch, preferred: str | None
) -> None:
    monkeypatch.setattr(fulltext, "MOST_RANKED", 60)
    monkeypatch.setattr(word_index, "MOST_RANKED", 60)
    put(store, "loom loom loom", *["a loom with some other words " * 4] * 100, *["loom x"] * 40)
    settle(reader)
    assert reader.both(["loom"], [MINE], 1, preferred)


def test_where_there_is_no_more_room_words_go(store: Store, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(word_index, "MOST_BYTES", 3_000)
    draw, largest = Random(5), 0
    fill(store, draw, 80)
    settle(reader)
    for _ in range(30):
        reader.asked(draw)
        largest = max(largest, len(reader.held._words))
    assert 1 < largest < 10


def test_of_the_words_those_go_that_were_not_asked_for_the_longest(store: Store, reader: Reader) -> None:
    put(store, *["a loom with weft and warp"] * 40)
    settle(reader)
    for each in ("weft", "warp", "loom", "weft"):
        assert reader.both([each], [MINE], 5, None)
    size = reader.held.size
    reader.held.forget_oldest(size * 3 // 4)
    assert [*reader.held._words] == [b"loom", b"weft"]
    assert reader.held.size == size * 2 // 3
    for each in ("warp", "loom", "weft"):
        assert reader.both([each], [MINE], 5, None)
    reader.held.forget_oldest(0)
    assert (reader.held._words, reader.held.size) == ({}, 0)


def test_a_snapshot_whose_newest_rows_nobody_asked_for_is_left_to_sqlite(store: Store, reader: Reader) -> None:
    put(store, *["a loom"] * 10)
    settle(reader)
    [key] = put(store, "loom loom")
    with reader.file.snapshot() as session:
        found = reader.file.text.search(session, FACTS, ["loom"], [MINE], 5)
    assert (found[0][0], reader.by_sqlite) == (key, 1)
    with store.read(NOBODY, "test") as work:
        assert reader.file.text.search(work.session, FACTS, ["loom"], [MINE], 5) == found


def test_what_is_no_sound_text_is_taken_in_all_the_same(store: Store, reader: Reader) -> None:
    put(store, *["a loom"] * 10)
    settle(reader)
    [key] = put(store, "to be damaged")
    with store.alone() as connection:
        connection.execute("DROP TRIGGER fact_text_update")
        connection.execute("UPDATE fact SET text = CAST(x'6c6f6f6d20ff6c' AS TEXT) WHERE id = ?", (key,))
    assert key in [found for found, _ in reader.both(["loom"], [MINE], 20, None)]


def test_words_are_taken_apart_as_the_indexes_do() -> None:
    tokenizer = Tokenizer()
    assert tokenizer.words(["running", "café", "loom"]) == {"running": b"run", "café": b"cafe", "loom": b"loom"}
    assert tokenizer.words(["loom", "東京"]) is None  # a beginning
    assert tokenizer.words(["loom", "a-b"]) is None  # a phrase
    assert tokenizer.words(["-"]) is None
    texts = [(7, b"looms and a loom", None, b"loom"), (9, b"\xff loom")]
    assert [each for each in tokenizer.tokens(texts) if each[0] == b"loom"] == [
        (b"loom", 7, 0),
        (b"loom", 7, 0),
        (b"loom", 7, 2),
        (b"loom", 9, 0),
    ]


def test_every_index_is_one_that_can_be_held(reader: Reader) -> None:
    """Its columns and its tokens are those that are taken apart, and the triggers count each change of a text."""
    searched = list(KINDS.searched)
    assert len(searched) > 6
    with reader.file.snapshot() as session:
        made = dict(rows(session, "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL"))
        for kind in searched:
            index = index_of(kind)
            columns = [*index.columns, "terms"]
            assert [name for _, name, *_ in rows(session, f"PRAGMA table_info({kind.name}_fts)")] == columns
            assert len(columns) <= min(MOST_COLUMNS, len(index.weights))
            assert TOKENIZED in made[f"{kind.name}_fts"]
            [follows] = re.findall(r"UPDATE OF\s+([\w\s,]+?)\s+ON", made[f"{kind.name}_fts_update"])
            [counts] = re.findall(r"UPDATE OF\s+([\w\s,]+?)\s+ON", made[f"{kind.name}_text_update"], re.IGNORECASE)
            assert re.split(r",\s*", counts) == re.split(r",\s*", follows)
            assert f"{kind.name}_text_delete" in made
