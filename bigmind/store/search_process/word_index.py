"""Searches by words in the process that searches: what `SqliteTextSearch` finds, of words that are held in memory."""

from collections.abc import Collection, Iterator, Sequence

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
from bigmind.store.search_process.file_mark import FileMark, mark_of
from bigmind.store.search_process.postings import Postings, TablePostings
from bigmind.store.search_process.tokenizer import Tokenizer
from bigmind.store.search_process.vector_cache import Array
from bigmind.store.sqlite import fulltext, trigrams
from bigmind.store.sqlite.connection import SNAPSHOT
from bigmind.store.sqlite.fulltext import MOST_RANKED, PREFERRED, WIDER, restricted
from bigmind.store.sqlite.statements import rows

MOST_BYTES = 10_000_000
"""What is held of all words; where it is more, a quarter of each table's goes: the words that were not asked for the
longest."""
AT_FIRST, AFTER_A_CHANGE, AFTER_A_FAULT = 0, 3, 1_000
"""Questions that SQLite answers before a table is held, behind the first one about it: reading the lengths of its rows
costs as much as some questions do."""
_FINDABLE = """
SELECT {table}.id, {preference} FROM json_each(:keys) AS found CROSS JOIN {table} ON {table}.id = found.value
WHERE true{conditions}
"""


class WordIndex:
    """As `bigmind.store.backend.TextSearch` has it, of a store's file that this process only reads.

    A table is searched in memory where none of its texts was changed or deleted for some questions: rows that are added
    are followed one by one, what else changed is read anew. Else, and where it is asked in a snapshot whose
    `newest_rows` nobody asked for first, SQLite searches. So it does for what is looked for as a phrase or a beginning.
    """

    common_terms = staticmethod(fulltext.common_terms)
    containing = staticmethod(trigrams.containing)
    unheard = staticmethod(trigrams.unheard)

    def __init__(self) -> None:
        """Hold no words; they are read with the first searches."""
        self._tokenizer = Tokenizer()
        self._mark: FileMark | None = None
        self._tables: dict[str, TablePostings] = {}
        self._snapshot: object = None
        self._current: dict[str, TablePostings] = {}

    def newest_rows(self, session: Snapshot, tables: Sequence[str]) -> dict[str, int]:
        """The highest key of each table; and take in what was written up to that snapshot."""
        newest = fulltext.newest_rows(session, tables)
        self._snapshot, self._current = session.connection().info.get(SNAPSHOT), {}
        if self._snapshot is not None:
            mark = mark_of(session)
            self._leave_out_changed(mark)
            for held in [self._tables[each] for each in tables if each in self._tables]:
                table = held.index.table
                if held.waits > 0:
                    held.waits -= 1
                elif held.follow(session, mark, newest[table], self._tokenizer):
                    self._current[table] = held
                else:
                    self._tables[table] = TablePostings(held.index, AFTER_A_FAULT)
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
        held = self._table(session, index)
        tokens = self._tokenizer.words(terms) if held is not None and len(terms) > 1 else None
        if held is None or tokens is None or held.newest <= most_rows:
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
            counted, telling = ([words[each] for each in some] for some in (asked.counted, asked.telling))
            found = self._current[index.table].scores(counted, telling)
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

    def _leave_out_changed(self, mark: FileMark) -> None:
        """Hold nothing any more of the tables of which texts were changed or deleted; nor where it is too much."""
        if self._mark is None or mark.schema != self._mark.schema:
            self._tables = {}  # another file was put in place of that one, or an index of that one
        elif mark is not self._mark:
            for table, held in self._tables.items():
                if mark.text_changes(table) != self._mark.text_changes(table):
                    self._tables[table] = TablePostings(held.index, max(held.waits, AFTER_A_CHANGE))
        self._mark = mark
        if sum(each.size for each in self._tables.values()) > MOST_BYTES:
            for each in self._tables.values():
                each.forget_oldest(each.size * 3 // 4)

    def _table(self, session: Snapshot, index: FullTextIndex) -> TablePostings | None:
        """What is held of a table, where it can be searched in memory."""
        if self._snapshot is None or session.connection().info.get(SNAPSHOT) is not self._snapshot:
            return None
        if index.table not in self._tables:
            self._tables[index.table] = TablePostings(index, AT_FIRST)
        return self._current.get(index.table)

    def _words(self, session: Snapshot, index: FullTextIndex, terms: Sequence[str]) -> dict[str, Postings] | None:
        """Where each of the words stands; None where SQLite has to look for them."""
        held = self._table(session, index)
        tokens = self._tokenizer.words(terms) if held is not None else None
        if held is None or tokens is None:
            return None
        found: dict[str, Postings] = {}
        for term, token in tokens.items():
            if (word := held.word(session, token)) is None:
                return None
            found[term] = word
        return found


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
    if len(keys) > MOST_RANKED:
        return None
    preference = "0" if preferred is None else f"{index.table}.project = :preferred"
    wheres, values = restricted(index.table, conditions)
    statement = _FINDABLE.format(table=index.table, preference=preference, conditions=wheres)
    for some, scored, beyond in _wider(keys, scores, most, 1.0 if preferred is None else PREFERRED):
        told = rows(session, statement, {**values, "keys": f"[{','.join(map(str, some))}]", "preferred": preferred})
        score = dict(zip(some, scored, strict=True))
        best = [(key, score[key] * PREFERRED if is_preferred else score[key]) for key, is_preferred in told]
        best.sort(key=_by_score_and_key, reverse=True)
        if beyond is None or (len(best) >= most and _is_behind(best[most - 1][1], beyond, preferred)):
            return best[:most]
    return None


def _is_behind(last: float, beyond: float, preferred: str | None) -> bool:
    """Whether what was not looked at stands behind the last; of equal ones the older do, where none is preferred."""
    return last > beyond or (preferred is None and last == beyond)


def _wider(
    keys: Array, scores: Array, most: int, preference: float
) -> Iterator[tuple[list[int], list[float], float | None]]:
    """The best of the rows, more each time; and the most that one beyond them may count, if there is any.

    First those alone that may pass the last of as many as are wanted: most questions need no more.
    """
    looked_at = 0
    for wider in (times * most for times in WIDER):
        some, scored = _best(keys, scores, wider + 1)
        enough = wider
        if looked_at == 0 and len(some) > most:
            enough = min(wider, sum(score * preference >= scored[most - 1] for score in scored))
        for looked_at in dict.fromkeys((enough, wider)):
            if looked_at >= len(some):
                yield some, scored, None
                return
            yield some[:looked_at], scored[:looked_at], scored[looked_at] * preference


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
