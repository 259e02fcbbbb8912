"""Rows by their ids; and where things that were found stand, when they were, and how they begin."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from bigmind.core.past_mapper import Snapshot
from bigmind.store.descriptions import Predicate
from bigmind.store.sqlite.fulltext import restricted
from bigmind.store.sqlite.statements import rows

# As in `ids.of_prefix`: left to itself SQLite reads all of a person's rows where a sample alone of them was measured.
_OF_ID = """
SELECT id FROM {table} WHERE likelihood(uid >= :lowest, 0.0001) AND uid < :beyond{conditions}
ORDER BY id DESC LIMIT :most + 0
"""
_FINDABLE = "SELECT id FROM {table} WHERE {among}{conditions} LIMIT :most + 0"
_THINGS = """
SELECT id, 0, 0, {time}, substr({text}, 1, :characters) FROM {table}
WHERE id IN (SELECT value FROM json_each(:keys)){conditions}
"""
# Two steps: who stands there is read in the index of session and place, and each row once. A text of few bytes is not
# counted, character by character, by `substr`.
_MOMENTS = """
SELECT id, session_id, seq, created_at,
    iif(octet_length(content) <= :characters, content, substr(content, 1, :characters)) FROM chunk
WHERE id IN (
    SELECT beside.id FROM chunk AS found CROSS JOIN chunk AS beside
    ON beside.session_id = found.session_id AND beside.seq BETWEEN found.seq + :before AND found.seq + :after
    WHERE found.id IN (SELECT value FROM json_each(:beside))
    UNION ALL SELECT value FROM json_each(:keys)
){conditions}
"""


def with_id(
    session: Snapshot, table: str, lowest: str, beyond: str, conditions: Sequence[Predicate], most: int
) -> list[int]:
    """Keys of at most so many rows whose id is from `lowest` on and before `beyond`, the newest first."""
    wheres, values = restricted(table, conditions)
    values |= {"lowest": lowest, "beyond": beyond, "most": most}
    return [key for (key,) in rows(session, _OF_ID.format(table=table, conditions=wheres), values)]


def findable(
    session: Snapshot,
    table: str,
    conditions: Sequence[Predicate],
    among: Collection[int] | None = None,
    most: int | None = None,
) -> list[int]:
    """The keys of the rows for which all conditions hold, of `among` or of all; at most so many."""
    wheres, values = restricted(table, conditions)
    values["most"] = -1 if most is None else most  # which is no bound
    told = "true"
    if among is not None:
        told, values["among"] = "id IN (SELECT value FROM json_each(:among))", json.dumps(list(among))
    return [key for (key,) in rows(session, _FINDABLE.format(table=table, among=told, conditions=wheres), values)]


def places(
    session: Snapshot,
    table: str,
    columns: tuple[str, str],
    keys: Collection[int],
    characters: int,
    conditions: Sequence[Predicate],
) -> Sequence[Any]:
    """Of each of the things its key, 0, 0, its time as it is stored, and so many characters of it.

    Args:
        session: an open transaction.
        table: of the things.
        columns: of their time and their text.
        keys: of the things.
        characters: how many.
        conditions: all of them hold for what is told.
    """
    wheres, values = restricted(table, conditions)
    statement = _THINGS.format(table=table, time=columns[0], text=columns[1], conditions=wheres)
    return rows(session, statement, {**values, "keys": json.dumps(list(keys)), "characters": characters})


def places_of_moments(
    session: Snapshot,
    keys: Collection[int],
    beside: Collection[int],
    reach: tuple[int, int],
    characters: int,
    conditions: Sequence[Predicate],
) -> Sequence[Any]:
    """Of the moments, and of those that stand beside some of them: key, session, place, time, and how they begin.

    Args:
        session: an open transaction.
        keys: of the moments.
        beside: of those whose neighbours are told too.
        reach: the first and the last place beside a moment that is looked at, relative to its own.
        characters: how many.
        conditions: all of them hold for what is told.
    """
    wheres, values = restricted("chunk", conditions)
    values |= {"keys": json.dumps(list(keys)), "beside": json.dumps(list(beside)), "characters": characters}
    before, after = reach
    return rows(session, _MOMENTS.format(conditions=wheres), {**values, "before": before, "after": after})
