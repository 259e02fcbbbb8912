"""Signs of vectors held in memory: comparing 100,000 takes 2 ms where SQLite takes 24 (docs/performance.md).

For a process that has numpy anyway and only searches. The file stays the truth: the signs follow the rows within each
search's own snapshot, and say only which whole vectors are read from the file and measured. So what is found is, to the
last bit, what `SqliteVectors` finds.
"""

import json
from collections.abc import Sequence
from itertools import chain, filterfalse
from operator import itemgetter
from typing import Any

import numpy as np

from bigmind.core.past_mapper import Snapshot
from bigmind.embedding.vector_index import VectorFilter, VectorMatch, signs
from bigmind.store.search_process.file_mark import mark_of
from bigmind.store.search_process.vector_cache import Array, VectorCache
from bigmind.store.sqlite.statements import opened, rows
from bigmind.store.sqlite.vectors import MATCH, MEASURED, SqliteVectors, found_among, widths

# By the key: left to itself SQLite reads all rows of the model, of which hardly ever one is newer.
_NEWER = """
SELECT id, kind, owner, project, at, signs FROM embedding NOT INDEXED
WHERE id > :last AND model = :model ORDER BY id
"""
_MEASURED = f"""
{MEASURED}, count(*) FROM embedding WHERE id IN (SELECT value FROM json_each(:places))
GROUP BY item ORDER BY similarity DESC, item DESC
"""  # noqa: S608 - of our own words only
_ARE_THERE = "SELECT id FROM embedding WHERE id IN (SELECT value FROM json_each(:places))"
_OF_ITEMS = """
SELECT item, id FROM embedding WHERE kind = :kind AND item IN (SELECT value FROM json_each(:items)) AND model = :model
"""
_ITEM, _SIMILARITY = itemgetter(0), itemgetter(1)
MOST_KNOWN = 20_000
"""Rows and things of which is held that and where they are; where they are more, all are looked up again."""
PORTION = 5_000
"""Rows that are read at a time."""
FIRST_ROOM = 1_024
BLOCK = 32_768
"""Rows that are compared at a time: what is made of them meanwhile stays in the processor's cache."""
FAR = 65_535
"""More than any two signs differ in."""
_WORD = 8
"""Bytes that are compared at once."""


class Signs:
    """The signs of one model's vectors.

    Attributes:
        last: the highest id that was read.
    """

    def __init__(self) -> None:
        """Without any."""
        self.last = 0
        self._length = 0
        self._kinds: dict[str, SignsOfKind] = {}
        self._projects: dict[str, int] = {}

    def read(self, session: Snapshot, model: str) -> None:
        """Take in what was written since."""
        with opened(session, _NEWER, {"last": self.last, "model": model}) as newer:
            while portion := newer.fetchmany(PORTION):
                self._take(portion)

    def nearest(self, question: bytes, among: VectorFilter, most: int) -> list[int]:
        """Ids of at most so many of the nearest, of equally near ones the newest."""
        held = self._kinds.get(among.kind)
        if held is None or len(question) != self._length:
            return []
        words = _words(np.frombuffer(question, np.uint8).reshape(1, -1))
        return held.nearest(words[:, 0], among, self._projects.get(among.project or "", -1), most)

    def leave_out(self, kind: str, ids: Sequence[int]) -> None:
        """Forget rows that are no longer there."""
        self._kinds[kind].leave_out(ids)

    def _take(self, portion: Sequence[Any]) -> None:
        self._length = self._length or len(portion[0][-1])
        of_kinds: dict[str, list[Any]] = {}
        for row in portion:
            of_kinds.setdefault(row[1], []).append(row)
        for kind, some in of_kinds.items():
            ids, _, owners, projects, times, signs_of = zip(*some, strict=True)
            of_length = [each if len(each) == self._length else bytes(self._length) for each in signs_of]
            new = {
                "id": np.asarray(ids, np.int64),
                "owner": np.asarray(owners, np.int64),
                "project": np.asarray([self._number(each) for each in projects], np.int32),
                "at": np.asarray(times, "datetime64[us]"),
                "is_there": np.asarray([len(each) == self._length for each in signs_of], np.bool_),
            }
            words = _words(np.frombuffer(b"".join(of_length), np.uint8).reshape(len(ids), self._length))
            self._kinds.setdefault(kind, SignsOfKind()).take(new, words)
        self.last = portion[-1][0]

    def _number(self, name: str) -> int:
        return self._projects.setdefault(name, len(self._projects))


class SignsOfKind:
    """The signs of one kind, in the order of their ids, with what a search restricts.

    Column by column: those of the first eight bytes of all signs, those of the next eight, and so on. So each is
    compared in one sweep over the memory, in a fifth of the time of row by row.
    """

    def __init__(self) -> None:
        """Without any."""
        self._count = 0
        self._columns: dict[str, Array] = {}
        self._words: list[Array] = []

    def take(self, new: dict[str, Array], words: Array) -> None:
        """Take in rows that are newer than all others, and their signs, a column of words each."""
        begin, end = self._count, self._count + len(new["id"])
        for name, values in new.items():
            self._columns[name] = _with_room(self._columns.get(name), values, end)
            self._columns[name][begin:end] = values
        known = self._words or [None] * len(words)
        self._words = [_with_room(held, values, end) for held, values in zip(known, words, strict=True)]
        for held, values in zip(self._words, words, strict=True):
            held[begin:end] = values
        self._count = end

    def leave_out(self, ids: Sequence[int]) -> None:
        """Forget rows that are no longer there."""
        places = np.searchsorted(self._columns["id"][: self._count], np.asarray(ids, np.int64))
        self._columns["is_there"][places] = False

    def nearest(self, question: Array, among: VectorFilter, project: int, most: int) -> list[int]:
        """As `Signs.nearest`; the question a word of each column, the project as a number."""
        best = _Nearest(most)
        for begin in range(0, self._count, BLOCK):
            those = slice(begin, min(begin + BLOCK, self._count))
            may = self._may(those, among, project)
            if (some := np.count_nonzero(may)) == 0:
                continue
            picked = np.flatnonzero(may) + begin if some < len(may) // 4 else those
            different = np.zeros(some if picked is not those else len(may), np.uint16)
            for column, word in zip(self._words, question, strict=True):
                different += np.bitwise_count(column[picked] ^ word)
            if picked is those and some < len(may):
                different[~may] = FAR
            best.take(different, self._columns["id"][picked])
        return best.ids()

    def _may(self, those: slice, among: VectorFilter, project: int) -> Array:
        """Which of the rows are looked at."""
        held = {name: column[those] for name, column in self._columns.items()}
        owned = held["owner"] == among.owners[0]
        for owner in among.owners[1:]:
            owned |= held["owner"] == owner
        may = held["is_there"] & owned
        if among.project is not None:
            may &= held["project"] == project
        if among.since is not None:
            may &= held["at"] >= np.datetime64(among.since.replace(tzinfo=None), "us")
        return may


class _Nearest:
    """At most so many of the nearest, of equally near ones the newest, out of one block of rows after the other."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._different, self._ids = np.zeros(0, np.uint16), np.zeros(0, np.int64)
        self._farthest = FAR - 1

    def take(self, different: Array, ids: Array) -> None:
        """Take in rows that are newer than those before."""
        near = np.flatnonzero(different <= self._farthest)
        self._different = np.concatenate((self._different, different[near]))
        self._ids = np.concatenate((self._ids, ids[near]))
        if len(self._ids) > self._most:
            order = self._different * (self._ids[-1] + 1) + (self._ids[-1] - self._ids)
            best = np.sort(np.argpartition(order, self._most - 1)[: self._most])
            self._different, self._ids = self._different[best], self._ids[best]
            self._farthest = self._different.max()

    def ids(self) -> list[int]:
        """Theirs."""
        return self._ids.tolist()


class SignIndex(SqliteVectors):
    """The vectors of a store's file, with the signs of the model that was asked for last held in memory."""

    def __init__(self) -> None:
        """Without any; they are read with the first search."""
        super().__init__()
        self._of, self._deletes, self._were_there_at = ("", 0), "", ""
        self._signs, self._cache = Signs(), VectorCache()
        self._known, self._of_things = set[int](), dict[str, dict[int, list[int]]]()

    def nearest(
        self, session: Snapshot, model: str, vector: bytes, among: VectorFilter, most: int
    ) -> list[VectorMatch]:
        """The things nearest to a vector, the nearest first."""
        self._follow(session, model)
        self._signs.read(session, model)
        question = signs(vector)
        return found_among(most, (self._measured(session, vector, question, among, each) for each in widths(most)))

    def similar(
        self, session: Snapshot, model: str, vector: bytes, kind: str, items: Sequence[int]
    ) -> list[VectorMatch]:
        """How near those things are, by their nearest pieces."""
        self._follow(session, model)
        found = self._cache.measured(session, vector, self._places(session, model, kind, items))
        if found is None:
            return super().similar(session, model, vector, kind, items)
        return [MATCH(each[:-1]) for each in found]

    def _follow(self, session: Snapshot, model: str) -> None:
        """Begin anew with another model, or another file; look again at what is there where rows were deleted."""
        mark = mark_of(session)
        deletes = mark.vector_deletes
        if (model, mark.schema) != self._of:
            self._of, self._were_there_at = (model, mark.schema), deletes
            self._signs, self._cache = Signs(), VectorCache()
            self._forget_places()
        elif deletes != self._deletes or len(self._known) + sum(map(len, self._of_things.values())) > MOST_KNOWN:
            self._forget_places()
        self._deletes = deletes

    def _forget_places(self) -> None:
        self._known.clear()
        self._of_things.clear()

    def _places(self, session: Snapshot, model: str, kind: str, items: Sequence[int]) -> list[int]:
        """The rows of those things; what has none yet is looked up each time."""
        known = self._of_things.setdefault(kind, {})
        if unknown := [*filterfalse(known.__contains__, items)]:
            for item, place in rows(session, _OF_ITEMS, {"kind": kind, "items": json.dumps(unknown), "model": model}):
                known.setdefault(item, []).append(place)
        return [*chain.from_iterable(filter(None, map(known.get, items)))]

    def _measured(
        self, session: Snapshot, vector: bytes, question: bytes, among: VectorFilter, wider: int
    ) -> tuple[int, Sequence[Any]]:
        """How many rows were looked at closely, and what they are."""
        while True:
            places = self._signs.nearest(question, among, wider)
            if gone := self._gone(session, places):
                self._signs.leave_out(among.kind, gone)
                continue
            found = self._cache.measured(session, vector, places)
            if found is None:
                return wider, rows(session, _MEASURED, {"places": json.dumps(places), "vector": vector})
            # By the similarity alone, which is quicker to compare; a stable sort leaves equal ones in the items' order.
            found.sort(key=_ITEM, reverse=True)
            found.sort(key=_SIMILARITY, reverse=True)
            return wider, found

    def _gone(self, session: Snapshot, places: Sequence[int]) -> list[int]:
        """Which of the rows are no longer there: none, as long as nobody deletes any; else they are looked up once."""
        if self._deletes == self._were_there_at:
            return []
        unknown = [each for each in places if each not in self._known]
        if unknown:
            there = rows(session, _ARE_THERE, {"places": json.dumps(unknown)})
            self._known.update(place for (place,) in there)
            unknown = [each for each in unknown if each not in self._known]
        return unknown


def _words(codes: Array) -> Array:
    """Rows of bytes as columns of longer words, the last of which is filled up."""
    missing = -codes.shape[1] % _WORD
    filled = np.pad(codes, ((0, 0), (0, missing))) if missing else codes
    return np.ascontiguousarray(np.ascontiguousarray(filled).view(np.uint64).T)


def _with_room(column: Array | None, values: Array, length: int) -> Array:
    """A column that has room for so many rows: it doubles, so that each row is copied a few times at most."""
    if column is not None and len(column) >= length:
        return column
    wider = np.zeros((max(FIRST_ROOM, 2 * length), *values.shape[1:]), values.dtype)
    if column is not None:
        wider[: len(column)] = column
    return wider
