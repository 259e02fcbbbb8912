"""Looks once more where nothing answers well: with the nearest words in place of those that stand in no text.

Only what the asker may find says whether a word stands nowhere, and which others are near to it: nobody is told of a
word that another person's texts alone have, nor can tell that they have it. A question that is answered well, or whose
words all stand somewhere, costs nothing more than looking up those words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain, islice
from typing import Any, NamedTuple

from sqlalchemy import func, select

from bigmind.core.kind import Kind
from bigmind.search.engine import SearchResult
from bigmind.search.finding import find, source_of
from bigmind.search.references import is_nothing_else
from bigmind.search.scope import SearchQuery, SearchSource, conditions
from bigmind.search.spelling.edits import edits_between, most_edits, untouched
from bigmind.store.work import Work
from bigmind.text.everyday_words import everyday_words
from bigmind.text.related_words import related_words
from bigmind.text.words import UNSPACED, folded, query_terms

MOST_UNHEARD = 4
"""Words of a question that stand nowhere and for which near ones are looked for: each takes a tenth of a second among
40,000 rows."""
MOST_ASKED = 8
"""Words of a question of which it is looked up whether they stand anywhere."""
MOST_NEAR = 2
"""Words that one is looked for by, where several are as near."""
MOST_ROWS = 100
"""Rows that are read for each way a word may be wrong, newest first."""
MOST_READ = 5_000
"""Characters of each of their texts."""
_WORD = re.compile(r"[^\W\d_]+")


class Respelled(NamedTuple):
    """What was found, and the words that were looked for in place of words of the question."""

    result: SearchResult
    instead: dict[str, list[str]]


def find_respelled(
    work: Work, wanted: SearchQuery, kinds: Sequence[str], *, every: bool = False, groups: int = 0
) -> Respelled:
    """As `finding.find`; where nothing answers well, of what is near to words that stand nowhere."""
    found = find(work, wanted, kinds, every=every, groups=groups)
    if found.answers_well or not (instead := near_words(work, wanted, kinds)):
        return Respelled(found, {})
    otherwise = replace(wanted, query=_respelled(wanted.query, instead))
    return Respelled(find(work, otherwise, kinds, every=every, groups=groups), instead)


def near_words(work: Work, wanted: SearchQuery, kinds: Sequence[str]) -> dict[str, list[str]]:
    """The words of a question that stand in nothing that may be found, each with the nearest that do."""
    if is_nothing_else(wanted.query):
        return {}
    source = source_of(work)
    newest = source.text.newest_rows(source.snapshot, kinds)
    some = [work.kinds[each] for each in kinds if newest[each]]
    unheard = islice(_unheard(source, wanted, some), MOST_UNHEARD)
    return {word: near for word in unheard if (near := _nearest(work, source, wanted, some, word))}


def _unheard(source: SearchSource, wanted: SearchQuery, kinds: Sequence[Kind]) -> Iterator[str]:
    """The words that may have been typed wrongly: which stand nowhere, and are no known English ones."""
    terms = query_terms(wanted.query)
    passed = everyday_words(wanted.query, terms)
    words = (each for each in terms if most_edits(each) and _WORD.fullmatch(each) and not UNSPACED.search(each))
    for word in islice((each for each in words if each not in passed and not related_words(each)), MOST_ASKED):
        looked = (
            source.text.search(
                source.snapshot, source.kinds[each.name].index, [word], conditions(source, wanted, each.name), 1
            )
            for each in kinds
        )
        if not any(looked):
            yield word


def _nearest(work: Work, source: SearchSource, wanted: SearchQuery, kinds: Sequence[Kind], word: str) -> list[str]:
    """The words of what may be found that differ least; the first kind that has one with one wrong letter is enough."""
    asked, near = folded(word), dict[str, int]()
    alike = _as_long_as(asked)
    for kind in kinds:
        held = [each.over(kind.table) for each in conditions(source, wanted, kind.name)]
        for text in chain.from_iterable(_texts(work, kind, held, parts) for parts in untouched(asked)):
            for other in {*alike.findall(folded(text))} - near.keys():
                if (edits := edits_between(asked, other)) is not None:
                    near[other] = edits
        if 1 in near.values():
            break
    least = min(near.values(), default=0)
    return sorted(each for each, edits in near.items() if edits == least)[:MOST_NEAR]


def _as_long_as(word: str) -> re.Pattern[str]:
    """Finds the words that begin as one does and are about as long: others need not be compared."""
    least, most = len(word) - 1 - most_edits(word), len(word) - 1 + most_edits(word)
    return re.compile(rf"(?<![^\W\d_]){word[0]}[^\W\d_]{{{least},{most}}}(?![^\W\d_])")


def _texts(work: Work, kind: Kind, held: Sequence[Any], parts: Sequence[str]) -> Iterator[str]:
    """What stands in the newest rows that hold all parts of a word, without what waits for a person."""
    table = kind.table
    texts = [func.substr(getattr(table, each), 1, MOST_READ) for each in kind.searched]
    typed = work.backend.full_text.typed_filter(kind.name, kind.searched, " ".join(parts))
    shown = (table.caution == "") | table.accepted_at.is_not(None)
    found = select(*texts).where(*held, shown, *typed).order_by(table.id.desc()).limit(MOST_ROWS)
    return (text for row in work.session.connection().execute(found) for text in row if text)


def _respelled(query: str, instead: dict[str, list[str]]) -> str:
    """The question with those words in place of its own."""
    return _WORD.sub(lambda match: " ".join(instead.get(match[0].lower(), [match[0]])), query)
