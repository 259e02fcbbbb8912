"""Vectors in SQLite: one bit per dimension, in an index beside owner, kind, project and time, says where to look.

Measuring 100,000 whole vectors takes some 90 ms, comparing their signs some 10 (docs/performance.md). So the signs of
all that may be found are compared, and what is nearest by them is measured by the whole vectors. Index and vectors are
rows like any other: a search sees what its transaction sees, and nothing is to be built, told or locked.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any

from bigmind.core.past_mapper import Snapshot, made_of
from bigmind.embedding.vector_index import VectorFilter, VectorMatch, signs
from bigmind.store.sqlite.connection import WHY_NO_VECTORS, load_vectors
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.statements import rows

WIDER = 3
"""So many times as many signs are looked at as things are wanted: signs are a coarse measure."""
LEAST_LOOKED_AT = 64
MOST_TIMES, WIDER_AGAIN = 4, 4
"""How often, and how much wider, is looked again where the pieces of few things crowd out all others."""

# A model that makes vectors of another length than the stored ones finds nothing; comparing them would be an error.
_SAME_LENGTH = (
    "length(:signs) = (SELECT length(signs) FROM embedding INDEXED BY ix_embedding_signs WHERE model = :model LIMIT 1)"
)
MEASURED = """
SELECT item, max(ifnull(1.0 - vec_distance_cosine(vec_int8(vector), vec_int8(:vector)), 0.0)) AS similarity,
    start, stop"""
_NEAREST = """
WITH close AS MATERIALIZED (
    SELECT id AS place FROM embedding INDEXED BY ix_embedding_signs
    WHERE model = :model AND owner IN ({owners}) AND kind = :kind{restricted} AND {same_length}
    ORDER BY vec_distance_hamming(vec_bit(signs), vec_bit(:signs)), id DESC LIMIT :wider + 0
)
{measured}, count(*) FROM close CROSS JOIN embedding ON id = place
GROUP BY item ORDER BY similarity DESC, item DESC
"""
_SIMILAR = f"""
{MEASURED} FROM embedding
WHERE kind = :kind AND item IN (SELECT value FROM json_each(:items)) AND model = :model AND {_SAME_LENGTH}
GROUP BY item
"""  # noqa: S608 - of our own words only

MATCH = made_of(VectorMatch)


class SqliteVectors:
    """The vectors of a store, as `bigmind.store.backend.Vectors` has it."""

    def why_none(self) -> str:
        """Why there can be no search by meaning here; empty when there can."""
        return why_no_vectors()

    def why_not(self, session: Snapshot) -> str:
        """Why this session's connection cannot compare vectors; empty when it can."""
        return session.connection().info.get(WHY_NO_VECTORS, "only connections that read load sqlite-vec")

    def nearest(
        self, session: Snapshot, model: str, vector: bytes, among: VectorFilter, most: int
    ) -> list[VectorMatch]:
        """The things nearest to a vector, the nearest first."""
        values: dict[str, object] = {"kind": among.kind}
        values |= {f"owner{number}": owner for number, owner in enumerate(among.owners)}
        if among.project is not None:
            values["project"] = among.project
        if among.since is not None:
            values["since"] = among.since
        statement = _nearest(len(among.owners), has_project="project" in values, has_since="since" in values)
        given = {**values, **_asked(model, vector)}
        return found_among(most, ((each, rows(session, statement, {**given, "wider": each})) for each in widths(most)))

    def similar(
        self, session: Snapshot, model: str, vector: bytes, kind: str, items: Sequence[int]
    ) -> list[VectorMatch]:
        """How near those things are, by their nearest pieces."""
        given = {"kind": kind, "items": json.dumps(list(items)), **_asked(model, vector)}
        return list(map(MATCH, rows(session, _SIMILAR, given)))


def widths(most: int) -> Iterator[int]:
    """How many signs are looked at, from look to look."""
    first = max(LEAST_LOOKED_AT, WIDER * most)
    return (first * WIDER_AGAIN**number for number in range(MOST_TIMES))


def found_among(most: int, looks: Iterable[tuple[int, Sequence[Any]]]) -> list[VectorMatch]:
    """The nearest things of the first look that shows enough; of each, how wide it was, and what was measured.

    A long text's many pieces may stand before other things; not so where all that there is was looked at.
    """
    found: Sequence[Any] = ()
    for wider, found in looks:
        if len(found) >= most or sum(pieces for *_, pieces in found) < wider:
            break
    return [MATCH(row[:-1]) for row in found[:most]]


@cache
def _nearest(owners: int, *, has_project: bool, has_since: bool) -> str:
    restricted = " AND project = :project" if has_project else ""
    restricted += " AND at >= :since" if has_since else ""
    told = ", ".join(f":owner{number}" for number in range(owners))
    return _NEAREST.format(owners=told, restricted=restricted, same_length=_SAME_LENGTH, measured=MEASURED)


def _asked(model: str, vector: bytes) -> dict[str, object]:
    return {"model": model, "vector": vector, "signs": signs(vector)}


def why_no_vectors() -> str:
    """Why there can be no search by meaning here; empty when there can."""
    connection: Any = sound_driver().connect(":memory:")
    try:
        return load_vectors(connection)
    finally:
        connection.close()
