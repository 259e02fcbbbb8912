"""The index of vectors, as every database offers it: what is nearest to a question among what may be found."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, Protocol

from bigmind.core.past_mapper import Snapshot

EVERYBODY = 0
"""The owner of what every user may find."""


@dataclass(frozen=True, slots=True)
class VectorFilter:
    """What is looked at; nothing else takes a place among the nearest. None does not restrict.

    Attributes:
        kind: of the things.
        owner: a user's key, or `EVERYBODY`.
        project: the name of one.
        since: not older than this.
        and_everybodys: whether what every user may find is looked at beside the owner's.
    """

    kind: str
    owner: int
    project: str | None = None
    since: datetime | None = None
    and_everybodys: bool = False

    @property
    def owners(self) -> tuple[int, ...]:
        """Whose things are looked at."""
        return (self.owner, EVERYBODY) if self.and_everybodys else (self.owner,)


class VectorMatch(NamedTuple):
    """A thing that is near to a question, by its nearest piece.

    Attributes:
        item: its key.
        similarity: the cosine, from -1 to 1.
        start: where in the embedded text the nearest piece begins.
        stop: and where it ends.
    """

    item: int
    similarity: float
    start: int
    stop: int


_IS_POSITIVE = bytes(ord("1") if value in range(1, 128) else ord("0") for value in range(256))


def signs(vector: bytes) -> bytes:
    """One bit per dimension of a vector of signed bytes: whether it is above zero."""
    return int(vector.translate(_IS_POSITIVE), 2).to_bytes((len(vector) + 7) // 8, "big")


class VectorIndex(Protocol):
    """Vectors of one model, kept beside the rows they are of."""

    def why_not(self, session: Snapshot) -> str:
        """Why nothing can be compared in this session; empty when it can."""
        ...

    def nearest(
        self, session: Snapshot, model: str, vector: bytes, among: VectorFilter, most: int
    ) -> list[VectorMatch]:
        """The things nearest to a vector, the nearest first; fewer when there are fewer."""
        ...

    def similar(
        self, session: Snapshot, model: str, vector: bytes, kind: str, items: Sequence[int]
    ) -> list[VectorMatch]:
        """How near those things are, in no order; those without a vector are left out."""
        ...
