"""Looks once more where nothing answers well: with the nearest words in place of those that stand in no text.

Only what the asker may find says whether a word stands nowhere, and which others are near to it: nobody is told of a
word that another person's texts alone have. Near words are read from the asker's newest rows, and not out of an index
that is everybody's, so that the time it takes tells nothing of others' words either; whether a word stands anywhere is
looked up as any search does it, which takes longer the more rows of everybody have the word. A question that is
answered well, or whose words all stand somewhere, costs nothing more than looking up those words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple
from unicodedata import normalize

from sqlalchemy import func, select

from bigmind.core.kind import Kind
from bigmind.search.engine import SearchResult
from bigmind.search.finding import find, source_of
from bigmind.search.references import is_nothing_else
from bigmind.search.scope import SearchQuery, SearchSource, conditions
from bigmind.search.spelling.edits import LONGEST_WORD, edits_between, most_edits
from bigmind.store.work import Work
from bigmind.text.everyday_words import everyday_words
from bigmind.text.related_words import related_words
from bigmind.text.words import UNSPACED, folded, query_terms

MOST_UNHEARD = 4
"""Words of a question that stand nowhere and for which near ones are looked for."""
MOST_ASKED = 8
"""Words of a question of which it is looked up whether they stand anywhere."""
MOST_NEAR = 2
"""Words that one is looked for by, where several are as near."""
MOST_ROWS = 1_000
"""Rows of each kind whose words are read, the newest that may be found."""
MOST_READ = 5_000
"""Characters of each of their texts."""
MOST_READ_IN_ALL = 200_000
"""Characters of all texts of a kind."""
MOST_SECONDS = 0.1
"""For all words of a question; what was found until then is what is looked for."""
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


def near_words(
    work: Work, wanted: SearchQuery, kinds: Sequence[str], seconds: float = MOST_SECONDS
) -> dict[str, list[str]]:
    """The words of a question that stand in nothing that may be found, each with the nearest that do."""
    if is_nothing_else(wanted.query):
        return {}
    until = monotonic() + seconds
    source = source_of(work)
    newest = source.text.newest_rows(source.snapshot, kinds)
    some = [work.kinds[each] for each in kinds if newest[each]]
    unheard = list(islice(_unheard(source, wanted, some, until), MOST_UNHEARD))
    near = _nearest(unheard, (_words(work, source, wanted, kind, until) for kind in some))
    return {word: near[word] for word in unheard if near[word]}


def _unheard(source: SearchSource, wanted: SearchQuery, kinds: Sequence[Kind], until: float) -> Iterator[str]:
    """The words that may have been typed wrongly: which stand nowhere, and are no known English ones."""
    terms = query_terms(wanted.query)
    passed = everyday_words(wanted.query, terms)
    words = (each for each in terms if _may_be_mistyped(each) and each not in passed and not related_words(each))
    for word in islice(words, MOST_ASKED):
        if monotonic() >= until:
            return
        looked = (
            source.text.search(
                source.snapshot, source.kinds[each.name].index, [word], conditions(source, wanted, each.name), 1
            )
            for each in kinds
        )
        if not any(looked):
            yield word


def _may_be_mistyped(word: str) -> bool:
    is_long_enough = bool(most_edits(word)) and len(word) <= LONGEST_WORD
    return is_long_enough and _WORD.fullmatch(word) is not None and not UNSPACED.search(word)


def _nearest(asked: Sequence[str], kinds: Iterator[set[str]]) -> dict[str, list[str]]:
    """Of each word those that differ least; a kind that has one with one wrong letter is the last that is asked."""
    near: dict[str, dict[str, int]] = {each: {} for each in asked}
    while left := [each for each in asked if 1 not in near[each].values()]:
        words = next(kinds, None)
        if words is None:
            break
        # Of the same first letter alone: hardly any word is, and the others need not be compared.
        beginnings = {folded(word)[:1] for word in left}
        alike = [(other, bare) for other in words if (bare := folded(other))[:1] in beginnings]
        for word in left:
            looked_for = folded(word)
            for other, compared in alike:
                if (edits := edits_between(looked_for, compared)) is not None:
                    near[word][other] = edits
    return {word: _least(found) for word, found in near.items()}


def _least(near: dict[str, int]) -> list[str]:
    least = min(near.values(), default=0)
    return sorted(each for each, edits in near.items() if edits == least)[:MOST_NEAR]


def _words(work: Work, source: SearchSource, wanted: SearchQuery, kind: Kind, until: float) -> set[str]:
    """The words of what may be found, as they are written but for capitals."""
    held = [each.over(kind.table) for each in conditions(source, wanted, kind.name)]
    found, left = set[str](), MOST_READ_IN_ALL
    for text in _texts(work, kind, held):
        if left <= 0 or monotonic() >= until:
            break
        left -= len(text)
        # A mark that stands by itself behind its letter would split the word in two.
        found.update((text if text.isascii() else normalize("NFC", text)).lower().split())
    # Most of a text is said again and again: its words are looked for once, in what stands between blanks.
    return set(_WORD.findall(" ".join(found)))


def _texts(work: Work, kind: Kind, held: Sequence[Any]) -> Iterator[str]:
    """What stands in the newest rows that may be found, without what waits for a person."""
    table = kind.table
    texts = [func.substr(getattr(table, each), 1, MOST_READ) for each in kind.searched]
    shown = (table.caution == "") | table.accepted_at.is_not(None)
    found = select(*texts).where(*held, shown).order_by(table.id.desc()).limit(MOST_ROWS)
    return (text for row in work.connection().execute(found) for text in row if text)


def _respelled(query: str, instead: dict[str, list[str]]) -> str:
    """The question with those words in place of its own."""
    return _WORD.sub(lambda match: " ".join(instead.get(match[0].lower(), [match[0]])), normalize("NFC", query))
