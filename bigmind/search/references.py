"""Ids that a question refers to: whole ones, or at least their first eight characters, in quotes or among words."""

import re
from collections.abc import Sequence
from itertools import islice

from bigmind.core.ids import as_prefix, prefix_range
from bigmind.search.scope import SearchQuery, SearchSource, conditions

MOST_IDS = 8
"""Ids of one question that are looked up."""
MOST_OF_AN_ID = 4
"""Things of one kind that begin with the same characters; of random ids one does."""
MOST_LOOKED_AT = 2_000
"""Characters of a question in which ids are looked for."""
_ID = re.compile(r"(?<![\w-])[0-9a-f]{8}[0-9a-f-]{0,28}(?![\w-])", re.IGNORECASE)
_WORD = re.compile(r"\w")


def ids_in(query: str) -> list[str]:
    """What may be an id in a question, or the beginning of one: distinct, in its order."""
    found = (as_prefix(match.group()) for match in _ID.finditer(query[:MOST_LOOKED_AT]))
    return list(islice(dict.fromkeys(each for each in found if each), MOST_IDS))


def without_ids(query: str) -> str:
    """The rest of a question: what is written beside an id is looked for as if it were not there."""
    return _ID.sub(" ", query[:MOST_LOOKED_AT]) + query[MOST_LOOKED_AT:]


def is_nothing_else(query: str) -> bool:
    """Whether a question is made of ids alone."""
    return not _WORD.search(without_ids(query))


def referred_to(source: SearchSource, wanted: SearchQuery, kinds: Sequence[str]) -> list[tuple[str, int]]:
    """Kind and key of the things with the ids that a question holds, of those that the caller may find."""
    return [
        (kind, key)
        for prefix in ids_in(wanted.query)
        for kind in kinds
        for key in _with_id(source, wanted, kind, prefix)
    ]


def _with_id(source: SearchSource, wanted: SearchQuery, kind: str, prefix: str) -> list[int]:
    table, held = source.kinds[kind].index.table, conditions(source, wanted, kind)
    return source.rows.with_id(source.snapshot, table, *prefix_range(prefix), held, MOST_OF_AN_ID)
