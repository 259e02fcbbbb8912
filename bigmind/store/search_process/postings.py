"""In which rows words stand, held in memory: what a full-text index tells, in less time (docs/performance.md).

The file stays the truth: each word is read from its index when it is first asked for, and what is held follows the rows
within each search's own snapshot.
"""

import json
from collections.abc import Sequence
from math import log
from typing import Any

import numpy as np

from bigmind.core.past_mapper import Snapshot
from bigmind.store.descriptions import FullTextIndex
from bigmind.store.search_process.tokenizer import Tokenizer
from bigmind.store.search_process.vector_cache import Array
from bigmind.store.sqlite.fulltext import MOST_RANKED, numbers, stands_in
from bigmind.store.sqlite.statements import rows

K1, B, LEAST_RARITY = 1.2, 0.75, 1e-6
"""What FTS5's bm25 counts with (https://sqlite.org/src/file/ext/fts5/fts5_aux.c)."""
MOST_FOLLOWED = 500
"""New rows whose words are taken in one by one; where they are more, the words are read from the index again."""
FIRST_ROOM = 1_024
_ITSELF = 400
"""Bytes of a word's own objects."""
_TEXTS = "SELECT id, {columns} FROM {table} WHERE id > :last ORDER BY id"
_LENGTHS = "SELECT id, sz FROM {table}_fts_docsize WHERE id > :last ORDER BY id"
_TOTALS = "SELECT block FROM {table}_fts_data WHERE id = 1"
"""How many rows there are, and how many words in each column
(https://sqlite.org/src/file/ext/fts5/fts5_index.c, "averages record")."""
_INDEXES = "SELECT name FROM sqlite_master WHERE name LIKE '%!_fts' ESCAPE '!' AND sql LIKE 'CREATE VIRTUAL TABLE%'"
_VOCABULARY = "CREATE VIRTUAL TABLE temp.{name}_words USING fts5vocab(main, {name}, instance)"
_STANDS = "SELECT {columns} FROM temp.{table}_fts_words WHERE term = CAST(:token AS TEXT)"
_IN_COLUMN = "json_group_array(doc) FILTER (WHERE col = '{column}')"


def open_vocabularies(connection: Any) -> None:
    """Make the tables that tell where words stand, for this connection of the driver's alone; nothing is written."""
    for (name,) in connection.execute(_INDEXES).fetchall():
        connection.execute(_VOCABULARY.format(name=name))


class Postings:
    """The rows in which one word stands, and what its occurrences in each weigh together."""

    __slots__ = ("_late", "_rows", "_weights")

    def __init__(self, rows: Array, weights: Array) -> None:
        """Hold some, in the order of their keys."""
        self._rows, self._weights = rows, weights
        self._late: dict[int, float] = {}

    def __len__(self) -> int:
        """How many rows."""
        return len(self._rows) + len(self._late)

    def take(self, row: int, weight: float) -> None:
        """Take in an occurrence in a row that is newer than all others, or the newest."""
        self._late[row] = self._late.get(row, 0.0) + weight

    def read(self) -> tuple[Array, Array]:
        """The keys of the rows, in their order, and the weights."""
        if self._late:
            self._rows = np.concatenate((self._rows, np.fromiter(self._late, np.int32, len(self._late))))
            late = np.fromiter(self._late.values(), np.float32, len(self._late))
            self._weights = np.concatenate((self._weights, late))
            self._late = {}
        return self._rows, self._weights

    def among(self, keys: Array) -> list[int]:
        """In which of those rows the word stands; the keys in their order."""
        held, _ = self.read()
        if not len(held):
            return []
        places = np.minimum(held.searchsorted(keys), len(held) - 1)
        return keys[held[places] == keys].tolist()


class TablePostings:
    """The words of one table's index that were asked for, and how long its rows are.

    Attributes:
        newest: the highest key that was taken in.
        size: bytes of what is held of words.
    """

    def __init__(self, index: FullTextIndex) -> None:
        """Without any."""
        self.newest, self.size = 0, 0
        self._index = index
        self._columns = (*index.columns, "terms")
        self._weights = index.weights
        self._lengths = np.zeros(0, np.int32)
        self._rows, self._tokens, self._is_read = 0, 0, False
        self._words: dict[bytes, Postings] = {}
        self._counts: dict[bytes, int] = {}
        columns = ", ".join(_IN_COLUMN.format(column=each) for each in self._columns)
        self._stands = _STANDS.format(columns=columns, table=index.table)

    def follow(self, session: Snapshot, newest: int, tokenizer: Tokenizer) -> bool:
        """Take in the rows that were added since, up to that one; whether all is as the index says that it is."""
        if newest == self.newest and self._is_read:
            return True
        ((record,),) = rows(session, _TOTALS.format(table=self._index.table))
        told, *tokens = [*numbers(record)] or [0]
        if newest - self.newest <= MOST_FOLLOWED and self._is_read:
            self._take(session, newest, tokenizer)
        else:
            self.forget_words()
            self._read_lengths(session)
            self._rows, self._tokens = told, sum(tokens)
        self.newest, self._is_read = newest, True
        return (told, sum(tokens)) == (self._rows, self._tokens)

    def forget_words(self) -> None:
        """Hold none any more."""
        self._words, self._counts, self.size = {}, {}, 0

    def count(self, session: Snapshot, term: str, token: bytes) -> int:
        """In how many rows a word stands, as `fulltext.stands_in` has it."""
        if (held := self._words.get(token)) is not None:
            return min(len(held), MOST_RANKED)
        if (known := self._counts.get(token)) is None:
            known = self._counts[token] = stands_in(session, self._index, term)
            self.size += _ITSELF
        return min(known, MOST_RANKED)

    def word(self, session: Snapshot, token: bytes) -> Postings:
        """Where a word stands."""
        if (held := self._words.get(token)) is None:
            held = self._words[token] = self._read(session, token)
            self.size += sum(each.nbytes for each in held.read()) + _ITSELF
        return held

    def scores(self, counted: Sequence[Postings], telling: Sequence[Postings]) -> tuple[Array, Array]:
        """The rows that have any of the telling words, in the order of their keys, and what the counted ones score.

        As FTS5's bm25, which adds the same in the same order: the numbers are the same to the last bit, except where a
        compiler made one instruction of a multiplication and an addition (ARM).
        """
        average = self._tokens / self._rows if self._rows else 0.0
        scores, is_found = np.zeros(len(self._lengths)), np.zeros(len(self._lengths), np.bool_)
        for each in counted:
            keys, held = each.read()
            rarity, weights = log((self._rows - len(keys) + 0.5) / (len(keys) + 0.5)), held.astype(np.float64)
            sizes = K1 * (1 - B + B * self._lengths[keys] / average)
            scores[keys] += (rarity if rarity > 0 else LEAST_RARITY) * ((weights * (K1 + 1.0)) / (weights + sizes))
        for each in telling:
            is_found[each.read()[0]] = True
        found = np.flatnonzero(is_found)
        return found, scores[found]

    def _read(self, session: Snapshot, token: bytes) -> Postings:
        (told,) = rows(session, self._stands, {"token": token})
        of_columns = [np.asarray(json.loads(each), np.int32) for each in told]
        weights = np.repeat(self._weights, [len(each) for each in of_columns])
        keys, places = np.unique(np.concatenate(of_columns), return_inverse=True)
        self._make_room(int(keys.max(initial=0)))
        return Postings(keys, np.bincount(places, weights, len(keys)).astype(np.float32))

    def _take(self, session: Snapshot, newest: int, tokenizer: Tokenizer) -> None:
        columns = ", ".join(f"CAST({each} AS BLOB)" for each in self._columns)
        new = rows(session, _TEXTS.format(columns=columns, table=self._index.table), {"last": self.newest})
        self._make_room(newest)
        self._rows += len(new)
        last, lengths = (b"", 0), dict[int, int]()
        for token, row, column in tokenizer.tokens(new):
            lengths[row] = lengths.get(row, 0) + 1
            if (held := self._words.get(token)) is not None:
                held.take(row, self._weights[column])
            elif token in self._counts and last != (token, row):
                self._counts[token] += 1
            last = token, row
        self._tokens += sum(lengths.values())
        for row, length in lengths.items():
            self._lengths[row] = length

    def _read_lengths(self, session: Snapshot) -> None:
        columns = len(self._columns)
        if found := rows(session, _LENGTHS.format(table=self._index.table), {"last": self.newest}):
            keys, sizes = zip(*found, strict=True)
            self._make_room(keys[-1])
            # Most columns have less than 128 words, and each a byte.
            self._lengths[[*keys]] = [sum(each if len(each) == columns else numbers(each)) for each in sizes]

    def _make_room(self, newest: int) -> None:
        if newest >= len(self._lengths):
            wider = np.zeros(max(FIRST_ROOM, newest + 1 + newest // 4), np.int32)
            wider[: len(self._lengths)] = self._lengths
            self._lengths = wider
