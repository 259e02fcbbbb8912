"""What the server and the process that searches tell each other."""

import pickle
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from bigmind.embedding.vector_index import VectorMatch
from bigmind.search.engine import Hit, SearchResult
from bigmind.search.ranking import Weights
from bigmind.search.scope import SearchableKind, SearchQuery
from bigmind.text.excerpts import SearchedWords

Answer = dict[str, Any]


class SearchRequest(NamedTuple):
    """A search, with all that a process has to know that has nothing but the store's file.

    Attributes:
        file: the store's.
        measurings: how often its tables were measured since it was opened.
        user_id: of who asks.
        now: when.
        wanted: what is looked for.
        kinds: where, as `written_kinds` has them.
        weights: of the parts of a score.
        every: as `engine.find` has it.
        groups: of how many of the first groups hits are told, and of the first that answers well; 0: of all.
    """

    file: str
    measurings: int
    user_id: int
    now: datetime
    wanted: SearchQuery
    kinds: str
    weights: Weights
    every: bool
    groups: int = 0

    def written(self) -> str:
        """As text: of plain values, which are read in half the time of what has a class."""
        return _written((*self._replace(wanted=_QUERY(self.wanted), weights=tuple(self.weights)),))

    def searchable(self) -> Mapping[str, SearchableKind]:
        """The kinds, by name."""
        return _kinds_of(self.kinds)


_QUERY = attrgetter(*(each.name for each in fields(SearchQuery)))
"""All values of one."""
KNOWN_KINDS = 64
"""Sets of kinds that are read once: a store has few kinds, and hardly any two searches are of different ones."""


def written_kinds(kinds: Mapping[str, SearchableKind]) -> str:
    """Kinds by name, as text: written once for many searches, for it is most of a request."""
    return _written(dict(kinds))


@lru_cache(KNOWN_KINDS)
def _kinds_of(written: str) -> Mapping[str, SearchableKind]:
    return _read(written)


def _written(told: object) -> str:
    return b64encode(pickle.dumps(told)).decode("ascii")


def _read(written: str) -> Any:
    return pickle.loads(b64decode(written))  # noqa: S301 - see `request_of`


def request_of(written: str) -> SearchRequest:
    """A search as the server wrote it: nobody else holds the other end of this process's input."""
    file, measurings, user_id, now, query, kinds, weights, every, groups = _read(written)
    wanted = SearchQuery(*query)
    return SearchRequest(file, measurings, user_id, now, wanted, kinds, Weights(*weights), every, groups)


def answer_of(found: SearchResult) -> Answer:
    """What was found, as JSON holds it. The server reads no pickle of a process that has read what is stored."""
    return {
        "hits": found.hits,
        "sought": [list(found.sought.terms), list(found.sought.inside)],
        "words_only": found.words_only,
    }


def result_of(answer: Answer) -> SearchResult:
    """What the process found.

    Raises:
        ValueError, KeyError, TypeError: the answer makes no sense.
    """
    terms, inside = answer["sought"]
    return SearchResult([_hit(each) for each in answer["hits"]], SearchedWords(terms, inside), answer["words_only"])


def _hit(values: Sequence[Any]) -> Hit:
    kind, key, score, has_words, near, *others = values
    return Hit(kind, key, score, has_words, None if near is None else VectorMatch(*near), *others)
