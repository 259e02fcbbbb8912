"""Whole vectors held in memory, and measured there: in half the time that SQLite takes to read and measure them.

For a process that has numpy anyway and only searches. A row of a vector is never changed, only deleted: what is held
under an id is what stands in the file, if the id does. Whether it does is for the caller to look up.
"""

import json
from collections.abc import Iterable, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from bigmind.core.past_mapper import Snapshot
from bigmind.store.sqlite.statements import rows

Array = Any
"""An array of numpy's, whose own types are too narrow to help."""

_VECTORS = """
SELECT id, item, start, stop, vector FROM embedding WHERE id IN (SELECT value FROM json_each(:ids)) ORDER BY id
"""
ROOM, ROOM_BYTES = 65_536, 65_536 * 384
"""Vectors that are held, and their bytes: so many of the built-in model's, fewer of a longer one's. Beside them each
takes 40 bytes, and each row that there ever was four. Where there is no more room, those go that were read first. A
question looks at 800 of 100,000, and reading one takes 5 µs."""
HIGHEST_ID = 20_000_000
"""Where rows have higher ids nothing is held: there is a number for each id."""
MOST_AT_ONCE = 8_192
NOT_HELD = -1
LONGEST = 1_024
"""Dimensions up to which every sum is exact in float32, which SQLite's functions add in: 1,024 times 128 squared is
2 to the power of 24."""

MeasuredThing = tuple[int, float, int, int, int]
"""A thing by its nearest piece, as `VectorMatch` has it, and how many pieces of it were measured."""


class VectorCache:
    """Vectors of one model."""

    def __init__(self) -> None:
        """Without any."""
        self._places = np.full(0, NOT_HELD, np.int32)
        self._length: int | None = None
        self._room, self._next = 0, 0

    def measured(self, session: Snapshot, vector: bytes, ids: Sequence[int]) -> list[MeasuredThing] | None:
        """How near the things are that those vectors are of, in no order.

        Args:
            session: an open transaction.
            vector: of the question.
            ids: of rows that are there.

        Returns:
            What `vec_distance_cosine` would give, to the last bit; None where only that can tell.
        """
        wanted = np.fromiter(ids, np.int64, len(ids))
        wanted.sort()
        if not self._can_hold(vector, wanted) or not self._read(session, len(vector), wanted):
            return None
        places = self._places[wanted]
        told = self._told[places].T.tolist()
        found = zip(told[0], self._similarities(vector, places).tolist(), *told[1:], repeat(1))
        return list(found) if len(set(told[0])) == len(ids) else _nearest_pieces(found)

    def _similarities(self, vector: bytes, places: Array) -> Array:
        """The cosines, in the steps that sqlite-vec computes them in: products in float32, the rest in float64."""
        question = np.frombuffer(vector, np.int8).astype(np.float32)
        products = (self._vectors[places].astype(np.float32) @ question).astype(np.float64)
        size = np.sqrt(np.float64(question @ question))
        with np.errstate(divide="ignore", invalid="ignore"):
            distances = (1.0 - products / (self._sizes[places] * size)).astype(np.float32).astype(np.float64)
        return np.where(np.isnan(distances), 0.0, 1.0 - distances)

    @staticmethod
    def _can_hold(vector: bytes, wanted: Array) -> bool:
        return len(vector) <= LONGEST and len(wanted) <= MOST_AT_ONCE and wanted.max(initial=0) <= HIGHEST_ID

    def _read(self, session: Snapshot, length: int, wanted: Array) -> bool:
        """Hold all of them; whether they are of that length."""
        if self._length is None:
            self._make_room(length)
        if self._length != length:
            return False
        if not (missing := self._with_room(wanted)):
            return True
        found = rows(session, _VECTORS, {"ids": json.dumps(missing)})
        return len(found) == len(missing) and self._take(length, found)

    def _make_room(self, length: int) -> None:
        self._length, self._room = length, (room := min(ROOM, ROOM_BYTES // max(length, 1)))
        self._ids, self._told = np.zeros(room, np.int64), np.zeros((room, 3), np.int64)
        self._vectors, self._sizes = np.zeros((room, length), np.int8), np.zeros(room, np.float64)

    def _with_room(self, wanted: Array) -> list[int]:
        """Which of them are not held, with room for them: the oldest go, and are missing too if they are asked for."""
        if (more := wanted.max(initial=0) + 1 - len(self._places)) > 0:
            self._places = np.pad(self._places, (0, more + len(self._places) // 4), constant_values=NOT_HELD)
        missing, known = wanted[self._places[wanted] == NOT_HELD], 0
        while known != len(missing):
            known = len(missing)
            self._next = self._next if self._next + known <= self._room else 0
            self._places[self._ids[self._next : self._next + known]] = NOT_HELD
            missing = wanted[self._places[wanted] == NOT_HELD]
        return missing.tolist()

    def _take(self, length: int, found: Sequence[Any]) -> bool:
        if any(len(vector) != length for *_, vector in found):
            return False
        first, self._next = self._next, self._next + len(found)
        places = slice(first, self._next)
        ids, items, starts, stops, vectors = zip(*found, strict=True)
        self._ids[places] = ids
        self._told[places] = np.asarray((items, starts, stops), np.int64).T
        self._vectors[places] = np.frombuffer(b"".join(vectors), np.int8).reshape(len(found), length)
        wide = self._vectors[places].astype(np.float32)
        self._sizes[places] = np.sqrt(np.einsum("ij,ij->i", wide, wide).astype(np.float64))
        self._places[self._ids[places]] = np.arange(first, self._next, dtype=np.int32)
        return True


def _nearest_pieces(pieces: Iterable[MeasuredThing]) -> list[MeasuredThing]:
    """Each thing by its nearest piece, of equally near ones the first."""
    found: dict[int, MeasuredThing] = {}
    for piece in pieces:
        known = found.get(piece[0])
        nearest = piece if known is None or piece[1] > known[1] else known
        found[piece[0]] = (*nearest[:-1], 1 if known is None else known[-1] + 1)
    return list(found.values())
