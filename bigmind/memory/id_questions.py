"""Questions that are nothing but an id, and what is answered where nothing has it."""

from collections.abc import Mapping

from bigmind.core.ids import as_prefix
from bigmind.memory.search_filters import NOTHING, otherwise
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.phrasing import noted

NO_SUCH_ID = "Nothing that is searched has this id; what is archived, deleted or not yours to read is not searched."
_BEFORE_AN_ID = lazy_pattern(
    r"(?:(?:[a-z]+_)?id\s?[=:]|(?:what is|what was|the|fact|session|moment|hypothesis|thought|entry|id)\b)"
)
_BESIDE_AN_ID = " \t\r\n\"'“”()[]?!.,:;"


def asks_for_id(query: str) -> bool:
    """Whether a question is nothing but an id, or its beginning: what has it would have been found."""
    asked = query.strip(_BESIDE_AN_ID).lower()
    while named := _BEFORE_AN_ID.match(asked):
        asked = asked[named.end() :].strip(_BESIDE_AN_ID)
    return as_prefix(asked) is not None


def nothing_with_id(query: str, filters: Mapping[str, str] = NOTHING, unmatched: str = "") -> str:
    """What is said where a question is nothing but an id, and nothing has it; empty where it is something else."""
    return noted(NO_SUCH_ID, unmatched or otherwise(filters)) if asks_for_id(query) else ""
