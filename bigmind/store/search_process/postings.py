"""In which rows words stand, held in memory: what a full-text index tells, in less time (docs/performance.md).

The file stays the truth: each word is read from its index when it is first asked for, and what is held follows the rows
within each search's own snapshot.
"""

from collections.abc import Iterator, Sequence
from math import log
from typing import Any

import numpy as np

from bigmind.core.past_mapper import Snapshot
from bigmind.store.descriptions import FullTextIndex
from bigmind.store.search_process.file_mark import FileMark
from bigmind.store.search_process.tokenizer import MOST_COLUMNS, Tokenizer
from bigmind.store.search_process.vector_cache import Array
from bigmind.store.sqlite.fulltext import MOST_RANKED, numbers, stands_in
from bigmind.store.sqlite.statements import opened, rows

K1, B, LEAST_RARITY = 1.2, 0.75, 1e-6
"""What FTS5's bm25 counts with (https://sqlite.org/src/file/ext/fts5/fts5_aux.c)."""
MOST_NEW_TOKENS = 5_000
"""What comes with new rows is taken in word by word, in some 5 ms; where it is more, the words are read again."""
MOST_NEW_ROWS = 500
HIGHEST_KEY = 20_000_000
"""Of a table with higher keys nothing is held: there is a number for each key."""
MOST_LATE = 32
"""New rows of a word that stand apart until they are put to the others: adding to an array copies it."""
FIRST_ROOM = 1_024
_BYTES_OF_ONE, _BYTES_OF_A_WORD = 8, 400
"""What a row of a word takes, and what a word takes beside its rows."""
_TEXTS = "SELECT id, {columns} FROM {table} WHERE id > :last ORDER BY id"
# As two texts: a tuple for each of 100,000 rows takes ten times as long.
_LENGTHS = """
SELECT group_concat(id), group_concat(hex(sz), '') FROM {table}_fts_docsize
WHERE id > :last AND length(sz) = :columns
"""
_LONGER = "SELECT id, sz FROM {table}_fts_docsize WHERE id > :last AND length(sz) != :columns"
_TOTALS = "SELECT block FROM {table}_fts_data WHERE id = 1"
"""How many rows there are, and how many tokens in each column
(https://sqlite.org/src/file/ext/fts5/fts5_index.c, "averages record")."""
_INDEXES = "SELECT name FROM sqlite_master WHERE name LIKE '%!_fts' ESCAPE '!' AND sql LIKE 'CREATE VIRTUAL TABLE%'"
_VOCABULARY = "CREATE VIRTUAL TABLE temp.{name}_words USING fts5vocab(main, {name}, instance)"
# Row and column as one number, and all of them as one text: a list for each column takes twice as long.
_STANDS = """
SELECT group_concat(doc * {most_columns} + CASE col {columns} END) FROM temp.{table}_fts_words
WHERE term = CAST(:token AS TEXT)
"""
_COLUMN = "WHEN '{column}' THEN {number}"


def open_vocabularies(connection: Any) -> None:
    """Make the tables that tell where words stand, for this connection of the driver's alone; nothing is written."""
    for (name,) in connection.execute(_INDEXES).fetchall():
        connection.execute(_VOCABULARY.format(name=name))


class Postings:
    """The rows in which one word stands, and what its occurrences in each weigh together."""

    __slots__ = ("_keys", "_late", "_weights")

    def __init__(self, keys: Array, weights: Array) -> None:
        """Hold some, in the order of their keys."""
        self._keys, self._weights = keys, weights
        self._late: dict[int, float] = {}

    def __len__(self) -> int:
        """How many rows."""
        return len(self._keys) + len(self._late)

    def take(self, key: int, weight: float) -> None:
        """Take in an occurrence in a row that is newer than all others, or the newest."""
        if len(self._late) == MOST_LATE and key not in self._late:
            self.read()
        self._late[key] = self._late.get(key, 0.0) + weight

    def read(self) -> tuple[Array, Array]:
        """The keys of the rows, in their order, and the weights."""
        if self._late:
            self._keys = np.concatenate((self._keys, np.fromiter(self._late, np.int32, len(self._late))))
            late = np.fromiter(self._late.values(), np.float32, len(self._late))
            self._weights = np.concatenate((self._weights, late))
            self._late = {}
        return self._keys, self._weights

    def among(self, keys: Array) -> list[int]:
        """In which of those rows the word stands; the keys in their order."""
        held, _ = self.read()
        if not len(held):
            return []
        places = np.minimum(held.searchsorted(keys), len(held) - 1)
        return keys[held[places] == keys].tolist()


def _size(word: Postings) -> int:
    return len(word) * _BYTES_OF_ONE + _BYTES_OF_A_WORD


class TablePostings:
    """The words of one table's index that were asked for, and how long its rows are.

    Attributes:
        index: of the table.
        waits: questions without a change that are to come before any of it is read.
        newest: the highest key that was taken in.
        size: bytes of what is held of words, but for the four of each row's length.
    """

    def __init__(self, index: FullTextIndex, waits: int) -> None:
        """Without any."""
        self.index, self.waits = index, waits
        self.newest, self.size = 0, 0
        self._columns = (*index.columns, "terms")
        self._lengths = np.zeros(0, np.int32)
        self._row_count, self._token_count = 0, 0
        self._mark: FileMark | None = None
        self._words: dict[bytes, Postings] = {}
        self._counts: dict[bytes, int] = {}
        self._weights = np.asarray(index.weights, np.float64)
        columns = " ".join(_COLUMN.format(column=each, number=number) for number, each in enumerate(self._columns))
        self._stands = _STANDS.format(most_columns=MOST_COLUMNS, columns=columns, table=index.table)

    def follow(self, session: Snapshot, mark: FileMark, newest: int, tokenizer: Tokenizer) -> bool:
        """Take in the rows that were added since, up to that one; whether there are as many as the index tells.

        If not, a row went into it, or out of it, in another way, and nothing of this holds.
        """
        if mark is self._mark:
            return True
        ((record,),) = rows(session, _TOTALS.format(table=self.index.table))
        row_count, *token_counts = [*numbers(record)] or [0]
        token_count = sum(token_counts)
        is_little = newest - self.newest <= MOST_NEW_ROWS and token_count - self._token_count <= MOST_NEW_TOKENS
        if newest > HIGHEST_KEY:
            return False
        if newest > self.newest and is_little and self._mark is not None:
            self._take(session, newest, tokenizer)
        elif newest > self.newest:
            self.forget_words()
            self._read_lengths(session, newest)
        self.newest, self._mark = newest, mark
        return (row_count, token_count) == (self._row_count, self._token_count)

    def forget_words(self) -> None:
        """Hold none any more."""
        self._words, self._counts, self.size = {}, {}, 0

    def forget_oldest(self, size: int) -> None:
        """Hold no more than so many bytes: those words go that were not asked for the longest."""
        self._counts, self.size = {}, sum(map(_size, self._words.values()))
        for token in [*self._words]:
            if self.size <= size:
                return
            self.size -= _size(self._words.pop(token))

    def count(self, session: Snapshot, term: str, token: bytes) -> int:
        """In how many rows a word stands, as `fulltext.stands_in` has it."""
        if (held := self._words.get(token)) is not None:
            return min(len(held), MOST_RANKED)
        if (known := self._counts.get(token)) is None:
            known = self._counts[token] = stands_in(session, self.index, term)
            self.size += _BYTES_OF_A_WORD
        return min(known, MOST_RANKED)

    def word(self, session: Snapshot, token: bytes) -> Postings | None:
        """Where a word stands; None where it stands in what is no row of the table."""
        if (held := self._words.pop(token, None)) is None:
            keys, weights = self._stands_in(session, token)
            if len(keys) and not 0 < keys[0] <= keys[-1] <= self.newest:
                return None
            held = Postings(keys.astype(np.int32), weights)
            self.size += _size(held)
        self._words[token] = held  # behind the others, as the one that was asked for last
        return held

    def scores(self, counted: Sequence[Postings], telling: Sequence[Postings]) -> tuple[Array, Array]:
        """The rows that have any of the telling words, in the order of their keys, and what the counted ones score.

        As FTS5's bm25, which adds the same in the same order: the numbers are the same to the last bit, except where a
        compiler made one instruction of a multiplication and an addition (ARM).
        """
        average = self._token_count / self._row_count if self._row_count else 0.0
        scores, is_found = np.zeros(len(self._lengths)), np.zeros(len(self._lengths), np.bool_)
        for each in counted:
            keys, held = each.read()
            rarity, weights = log((self._row_count - len(keys) + 0.5) / (len(keys) + 0.5)), held.astype(np.float64)
            sizes = K1 * (1 - B + B * self._lengths[keys] / average)
            scores[keys] += (rarity if rarity > 0 else LEAST_RARITY) * ((weights * (K1 + 1.0)) / (weights + sizes))
        for each in telling:
            is_found[each.read()[0]] = True
        found = np.flatnonzero(is_found)
        return found, scores[found]

    def _stands_in(self, session: Snapshot, token: bytes) -> tuple[Array, Array]:
        ((told,),) = rows(session, self._stands, {"token": token})
        places = np.fromstring(told or "", np.int64, sep=",")
        places.sort(kind="stable")  # as they come; what a row's occurrences weigh is added up in this order
        of_rows, columns = places // MOST_COLUMNS, places % MOST_COLUMNS
        is_first = np.append(True, of_rows[1:] != of_rows[:-1])[: len(places)]
        keys = of_rows[is_first]
        weights = np.bincount(np.cumsum(is_first) - 1, self._weights[columns], len(keys))
        return keys, weights.astype(np.float32)

    def _take(self, session: Snapshot, newest: int, tokenizer: Tokenizer) -> None:
        columns = ", ".join(f"CAST({each} AS BLOB)" for each in self._columns)
        statement, lengths = _TEXTS.format(columns=columns, table=self.index.table), dict[int, int]()

        def texts() -> Iterator[Any]:
            with opened(session, statement, {"last": self.newest}) as new:
                for row in new:
                    lengths[row[0]] = 0
                    yield row

        last = (b"", 0)
        for token, key, column in tokenizer.tokens(texts()):
            lengths[key] += 1
            if (held := self._words.get(token)) is not None:
                held.take(key, self.index.weights[column])
                self.size += _BYTES_OF_ONE
            elif token in self._counts and last != (token, key):
                self._counts[token] += 1
            last = token, key
        self._row_count += len(lengths)
        self._token_count += sum(lengths.values())
        self._make_room(newest)
        self._lengths[[*lengths]] = [*lengths.values()]

    def _read_lengths(self, session: Snapshot, newest: int) -> None:
        columns, table = len(self._columns), self.index.table
        asked = {"last": self.newest, "columns": columns}
        self._make_room(newest)
        ((told, sizes),) = rows(session, _LENGTHS.format(table=table), asked)
        short = np.frombuffer(bytes.fromhex(sizes or ""), np.uint8).reshape(-1, columns).sum(axis=1)
        long = {key: sum(numbers(size)) for key, size in rows(session, _LONGER.format(table=table), asked)}
        keys = np.fromstring(told or "", np.int64, sep=",")
        if max(keys.max(initial=0), *long, 0) > newest:
            return  # it has what the table has not: then its totals are others than what is counted here
        self._lengths[keys], self._lengths[[*long]] = short, [*long.values()]
        self._row_count += len(keys) + len(long)
        self._token_count += int(short.sum()) + sum(long.values())

    def _make_room(self, newest: int) -> None:
        if newest >= len(self._lengths):
            wider = np.zeros(max(FIRST_ROOM, newest + 1 + newest // 4), np.int32)
            wider[: len(self._lengths)] = self._lengths
            self._lengths = wider
