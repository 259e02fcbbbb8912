"""Searches by words in the process that searches: what `SqliteTextSearch` finds, of words that are held in memory."""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

import numpy as np

from bigmind.core.past_mapper import Snapshot
from bigmind.store.descriptions import (
    MOST_TERMS,
    TELLING_ROWS,
    FullTextIndex,
    Predicate,
    QuestionTerms,
    TermCounter,
    TermCounts,
)
from bigmind.store.search_process.postings import Postings, TablePostings
from bigmind.store.search_process.tokenizer import Tokenizer
from bigmind.store.search_process.vector_cache import Array
from bigmind.store.sqlite import fulltext, trigrams
from bigmind.store.sqlite.connection import SNAPSHOT
from bigmind.store.sqlite.fulltext import MOST_RANKED, PREFERRED, WIDER, restricted
from bigmind.store.sqlite.statements import rows

MOST_BYTES = 16_000_000
"""What is held of all words; where it is more, all go, and are read again when they are asked for."""
_CHANGES = "SELECT name, value FROM store_property WHERE name LIKE '%!_text_changes' ESCAPE '!'"
"""How often texts of each table were changed or deleted (migration 0017)."""
_FINDABLE = """
SELECT {table}.id, {preference} FROM json_each(:keys) AS found CROSS JOIN {table} ON {table}.id = found.value
WHERE true{conditions}
"""


class WordIndex:
    """As `bigmind.store.backend.TextSearch` has it, of a store's file that this process only reads.

    A table is searched in memory where none of its texts was changed or deleted since the question before: rows that
    are added are followed one by one, what else changed is read anew. Else, and where it is asked in a snapshot whose
    `newest_rows` nobody asked for first, SQLite searches. So it does for what is looked for as a phrase or a beginning.
    """

    common_terms = staticmethod(fulltext.common_terms)
    containing = staticmethod(trigrams.containing)
    unheard = staticmethod(trigrams.unheard)

    def __init__(self) -> None:
        """Hold no words; they are read with the first searches."""
        self._tokenizer = Tokenizer()
        self._tables: dict[str, TablePostings] = {}
        self._held: set[str] = set()
        self._changes: dict[str, str] = {}
        self._schema = -1
        self._at: tuple[Any, int, int] | None = None

    def newest_rows(self, session: Snapshot, tables: Sequence[str]) -> dict[str, int]:
        """The highest key of each table; and take in what was written up to that snapshot."""
        newest = fulltext.newest_rows(session, tables)
        opened = session.connection()
        if SNAPSHOT in opened.info:
            self._held = self._unchanged(session, opened).intersection(tables)
            if sum(each.size for each in self._tables.values()) > MOST_BYTES:
                for each in self._tables.values():
                    each.forget_words()
            for table in [*self._held]:
                if not self._tables[table].follow(session, newest[table], self._tokenizer):
                    self._held.remove(table)
                    del self._tables[table]
        return newest

    def question_terms(
        self,
        session: Snapshot,
        index: FullTextIndex,
        terms: Sequence[str],
        most_rows: int = TELLING_ROWS,
        newest: int | None = None,
    ) -> QuestionTerms:
        """As `fulltext.question_terms`."""
        held, tokens = self._table(session, index), self._tokenizer.words(terms)
        if held is None or tokens is None or len(terms) <= 1 or held.newest <= most_rows:
            return fulltext.question_terms(session, index, terms, most_rows, newest)
        counts = {term: held.count(session, term, token) for term, token in tokens.items()}
        return fulltext.telling_terms(terms, counts, most_rows)

    def search(
        self,
        session: Snapshot,
        index: FullTextIndex,
        terms: Sequence[str] | QuestionTerms,
        conditions: Sequence[Predicate],
        most: int,
        preferred: str | None = None,
    ) -> list[tuple[int, float]]:
        """As `fulltext.search`."""
        asked = terms if isinstance(terms, QuestionTerms) else QuestionTerms(list(terms), list(terms))
        words = self._words(session, index, asked.counted) if fulltext.hold_mostly(conditions) else None
        if words:
            telling = (
                list(words.values()) if asked.telling == asked.counted else [words[each] for each in asked.telling]
            )
            found = self._tables[index.table].scores(list(words.values()), telling)
            best = _best_findable(session, index, found, conditions, most, preferred)
            if best is not None:
                return best
        return fulltext.search(session, index, asked, conditions, most, preferred)

    def term_counter(self, session: Snapshot, index: FullTextIndex, newest: int, terms: Sequence[str]) -> TermCounter:
        """As `fulltext.term_counter`."""
        words = self._words(session, index, terms[:MOST_TERMS])
        if words is None:
            return fulltext.term_counter(session, index, newest, terms)

        def counted(keys: Collection[int]) -> TermCounts:
            found, wanted = TermCounts(newest, {}, {}), np.asarray(sorted(keys), np.int32)
            for term, word in words.items():
                found.counts[term] = len(word)
                for key in word.among(wanted):
                    found.terms.setdefault(key, set()).add(term)
            return found

        return counted

    def _unchanged(self, session: Snapshot, opened: Any) -> set[str]:
        """The tables that are held of which no text was changed or deleted since the question before."""
        ((version,),) = rows(session, "PRAGMA data_version")
        last, self._at = self._at, (opened, opened.info[SNAPSHOT], version)
        if last is not None and last[0] is opened and last[2] == version:
            return {*self._tables}
        ((schema,),) = rows(session, "PRAGMA schema_version")
        changes: dict[str, str] = dict(rows(session, _CHANGES))
        if schema != self._schema:
            self._tables = {}  # another file was put in place of that one, or an index of that one
        self._tables = {
            table: held
            for table, held in self._tables.items()
            if changes.get(name := f"{table}_text_changes") == self._changes.get(name)
        }
        self._schema, self._changes = schema, changes
        return {*self._tables}

    def _table(self, session: Snapshot, index: FullTextIndex) -> TablePostings | None:
        """What is held of a table, where it can be searched in memory."""
        opened = session.connection()
        if self._at is None or opened is not self._at[0] or opened.info[SNAPSHOT] != self._at[1]:
            return None
        if index.table not in self._tables:
            self._tables[index.table] = TablePostings(index)  # for the next question, if nothing changes until then
        return self._tables[index.table] if index.table in self._held else None

    def _words(self, session: Snapshot, index: FullTextIndex, terms: Sequence[str]) -> dict[str, Postings] | None:
        """Where each of the words stands; None where SQLite has to look for them."""
        held, tokens = self._table(session, index), self._tokenizer.words(terms)
        if held is None or tokens is None:
            return None
        return {term: held.word(session, token) for term, token in tokens.items()}


def _best_findable(
    session: Snapshot,
    index: FullTextIndex,
    found: tuple[Array, Array],
    conditions: Sequence[Predicate],
    most: int,
    preferred: str | None,
) -> list[tuple[int, float]] | None:
    """The best of those rows for which the conditions hold; None where they are not among those that were looked at."""
    keys, scores = found
    keys, scores = keys[-MOST_RANKED:], scores[-MOST_RANKED:]
    preference = "0" if preferred is None else f"{index.table}.project = :preferred"
    wheres, values = restricted(index.table, conditions)
    statement = _FINDABLE.format(table=index.table, preference=preference, conditions=wheres)
    for some, scored, beyond in _wider(keys, scores, most, has_preference=preferred is not None):
        told = rows(session, statement, {**values, "keys": f"[{','.join(map(str, some))}]", "preferred": preferred})
        score = dict(zip(some, scored, strict=True))
        best = [(key, score[key] * PREFERRED if is_preferred else score[key]) for key, is_preferred in told]
        best.sort(key=_by_score_and_key, reverse=True)
        if beyond is None or (len(best) >= most and best[most - 1][1] > beyond):
            return best[:most]
    return None


def _wider(
    keys: Array, scores: Array, most: int, *, has_preference: bool
) -> Iterator[tuple[list[int], list[float], float | None]]:
    """The best so many of the rows, then more; and the most that one beyond them may count, if there is any."""
    preference = PREFERRED if has_preference else 1.0
    for number, wider in enumerate(times * most for times in WIDER):
        some, scored = _best(keys, scores, wider + 1)
        if number == 0:  # most questions need no more than what may pass the last of those that are wanted
            enough = sum(score * preference >= scored[most - 1] for score in scored[:wider]) if len(some) > most else 0
            if most <= enough < len(some):
                yield some[:enough], scored[:enough], scored[enough] * preference
        if len(some) <= wider:
            yield some, scored, None
            return
        yield some[:wider], scored[:wider], scored[wider] * preference


def _best(keys: Array, scores: Array, most: int) -> tuple[list[int], list[float]]:
    """The best, of equal ones the newest first."""
    if len(keys) > most:
        least = np.partition(scores, len(scores) - most)[len(scores) - most]
        kept = scores >= least
        keys, scores = keys[kept], scores[kept]
    order = np.lexsort((-keys, -scores))[:most]
    return keys[order].tolist(), scores[order].tolist()


def _by_score_and_key(found: tuple[int, float]) -> tuple[float, int]:
    key, score = found
    return score, key
