"""A name that stands in every fifth thing tells none of them apart: what a question means is asked without it.

Without its names "What did Ada say of the lake?" is about the lake, and what is near to it is not nearest because Ada
says it. The words are looked for with them, and `named` of the ranking counts who says something.
"""

import re
from collections.abc import Collection, Mapping

from bigmind.search.scope import SearchSource
from bigmind.text.stop_words import ENGLISH, stop_words
from bigmind.text.words import query_terms

ROWS_PER_NAME = 5
"""A name is common that stands in more than one of so many rows; the same is found with any share from 20 to 35 %."""
NEWEST_ROWS = 2_000
"""So many of the newest rows are looked at, however many there are: a question waits for it before it is embedded."""
MOST_NAMES = 8
"""Names of a question that are counted: one that has more is a list, or a title."""
LEAST_ROWS = 20
"""Of few things a name soon stands in a fifth: so many of them have it at least."""
MOST_LOOKED_AT = 2_000
"""Characters of a question in which names are looked for."""
_NAME = re.compile(r"(?<![^\W_])([^\W\d_][^\W_]*)(?:['\u2019]s\b)?")


def without_common_names(source: SearchSource, query: str, terms: Collection[str], rows: Mapping[str, int]) -> str:
    """A question without the names in it that are common; as it is where it says nothing else.

    A German or a French question stays as it is: in German every noun has a capital, and neither was measured.

    Args:
        source: where they are counted: in the newest rows of everybody, of the kind that has most.
        query: the question.
        terms: its words, as from `query_terms`.
        rows: about how many each kind has.
    """
    if source.vectors is None or not rows:
        return query
    beginning = query[:MOST_LOOKED_AT]
    words = [match[1] for match in _NAME.finditer(beginning)]
    capitalized = {each.lower() for each in words if each[0].isupper()}
    names = [each for each in terms if each in capitalized][:MOST_NAMES]
    kind = max(rows, key=rows.__getitem__)
    newest = min(rows[kind], NEWEST_ROWS)
    least = max(LEAST_ROWS, newest // ROWS_PER_NAME + 1)
    if not names or least > newest or beginning.isupper() or stop_words(list(map(str.lower, words))) != ENGLISH:
        return query
    index = source.kinds[kind].index
    common = source.text.common_terms(source.snapshot, index, names, least, rows[kind] - newest)
    if not common:
        return query

    def left(name: re.Match[str]) -> str:
        return " " if name[1][0].isupper() and name[1].lower() in common else name[0]

    rest = _NAME.sub(left, beginning) + query[MOST_LOOKED_AT:]
    return rest if not {*terms}.isdisjoint(query_terms(rest)) else query
