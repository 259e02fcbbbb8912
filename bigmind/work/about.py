"""Whether a text is about an item: it holds the title, shares a telling word, or is alike. Pure.

How often the rule is right was measured on `tests/work/pairs.py`; docs/work.md says what came of it.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from bigmind.text.antonyms import FILLERS
from bigmind.text.everyday_words import ENGLISH, FRENCH, GERMAN, SPANISH
from bigmind.text.similarity import root
from bigmind.text.words import UNSPACED, folded, part_terms
from bigmind.work.everyday_work import GENERIC

DESCRIPTION_READ = 500
"""Characters of a description that are read (work.md)."""
TELLING_DESCRIPTION = 100
"""Characters from which on a description says by itself what an item is about; not measured."""
TEXT_READ = 20_000
"""Characters of a text that are read: twice the longest thought."""
DNA_READ = 20_000
SHORTEST_WORD = 3
WHOLE_BEGINNING, COMMON_BEGINNING = 4, 5
"""A word of so many letters stands for those that it begins, `cert` for `certificate`; two words with so many first
letters in common are forms of one, also of another language's: `Physik`, `physics`."""

TELLING, EVERYDAY = 0.5, 0.3
"""What a telling word that both have adds to their nearness, and an everyday one of engineers, where *alike* is 1.

These and the numbers below were chosen on the 200 and 200 pairs of tests/work/pairs.py: 8 refused, 3 passing. None of
16,800 settings tried had fewer than 6 refused and at most 10 passing. On pairs that are new to them they do worse:
docs/work.md."""
MOST_COUNTED = 3
"""Words of either sort that add to it: a long text shares many by chance."""
LEAST_NEARNESS = 1.0
"""The nearness from which on a text that shares no telling word is about an item."""
LEAST_GENERIC = 2
"""Everyday words of engineers that make a title telling too: `Fix the bug`; `Fix it` has one, and stands anywhere."""
_NUMBERED = re.compile(r"[^\W\d_]\W*\d|[^\W\d_]{2,} [A-Z](?!\w)")
"""A word with a number or letter behind it, which tells it from its likes: `Task 1`, `Node A`."""
MARGIN = 0.3
"""By how much another item of the project may be nearer: who is at work on one mentions its neighbours too."""
LEAST_NEARNESS_BY_WORDS, MARGIN_BY_WORDS = 0.4, 0.2
"""The same two where no model says what is near: two everyday words are enough then."""


class Ground(StrEnum):
    """Why a text is about an item."""

    TITLE = "title"
    WORD = "word"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class Subject:
    """An item, as far as it is read to tell whether a text is about it.

    Attributes:
        title: of the item.
        topic: of the item.
        description: of which the first 500 characters are read.
        dna_text: its fields as text, where a contribution is judged; empty for a question.
    """

    title: str
    topic: str = ""
    description: str = ""
    dna_text: str = ""

    @property
    def meaning(self) -> str:
        """What of it is embedded: the description, which says more of this item alone than its title; fields are names.

        A title has the project's words. Embedded with it, of 82 texts about a neighbour 5 % had a cosine above
        0.40; without it, above 0.31.
        """
        told = self.description[:DESCRIPTION_READ].strip()
        return told if len(told) >= TELLING_DESCRIPTION else f"{self.title}\n{told}".strip()

    @property
    def text(self) -> str:
        """All of it whose words are read."""
        read = self.description[:DESCRIPTION_READ], self.dna_text[:DNA_READ]
        return "\n".join((self.title, self.topic, *read))


class Other(NamedTuple):
    """Another item of the same project, and how similar the text is to it."""

    subject: Subject
    similarity: float | None = None


class _Shared(NamedTuple):
    """How many words two texts share."""

    telling: int
    everyday: int

    @property
    def nearness(self) -> float:
        return TELLING * min(self.telling, MOST_COUNTED) + EVERYDAY * min(self.everyday, MOST_COUNTED)


def how_about(
    subject: Subject, text: str, similarity: float | None, alike: float, others: Sequence[Other] = ()
) -> Ground | None:
    """Why a text is about an item; None where it is not.

    Args:
        subject: the item.
        text: a question or a contribution, of which the first 20,000 characters are read.
        similarity: of the text and `subject.meaning`; None without a model: words decide.
        alike: the similarity from which on two texts are alike, above 0.
        others: other items of its project. A text that is clearly nearer to one of them is about that one. Without
            them, far more texts about another item pass: docs/work.md.
    """
    text = text[:TEXT_READ]
    if is_telling(subject.title) and _holds(text, subject.title):
        return Ground.TITLE
    words = _words(text)
    shared = _shared(words, subject)
    meant = similarity is not None
    near = shared.nearness + (similarity or 0.0) / alike
    if not shared.telling and near < (LEAST_NEARNESS if meant else LEAST_NEARNESS_BY_WORDS):
        return None
    rivals = (_shared(words, each).nearness + ((found or 0.0) / alike if meant else 0.0) for each, found in others)
    nearest = max(rivals, default=0.0)
    if near < nearest - (MARGIN if meant else MARGIN_BY_WORDS):
        return None
    return Ground.WORD if shared.telling or not meant else Ground.MEANING


def is_telling(title: str) -> bool:
    """Whether a title says what an item is about: by a telling word, two everyday ones of engineers, or its number.

    One that does not stands in any text: `the`, `Fix it`, `Do the test`.
    """
    words = _item_words(title).words
    return bool(words - _GENERIC) or len(words) >= LEAST_GENERIC or bool(_NUMBERED.search(title))


def nearest_by_words(text: str, subjects: Sequence[Subject], most: int) -> list[Subject]:
    """Those of the items, at most so many, that share most words with a text; what shares none comes last."""
    words = _words(text[:TEXT_READ])
    return sorted(subjects, key=lambda each: _shared(words, each).nearness, reverse=True)[:most]


def _holds(text: str, title: str) -> bool:
    """Whether a title stands in a text, as whole words; case, blanks, marks and punctuation aside."""
    sought, within = _plain(title), _plain(text)
    if not sought:
        return False
    return sought in within if UNSPACED.search(sought) else f" {sought} " in f" {within} "


_BETWEEN = re.compile(r"[\W_]+")
_MARKS = "\u0591-\u05bd\u064b-\u0655\u0670\u0900-\u0963\u0971-\u0dff\u200c\u200d"
"""Vowel signs and other marks within words, which Python takes for an end: letters were left of a Hindi word."""
_RUN = re.compile(rf"[^\W_](?:[^\W_]|[{_MARKS}])*")


def _plain(text: str) -> str:
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return _BETWEEN.sub(" ", bare.casefold()).strip()


def _words(text: str) -> frozenset[str]:
    """The roots of a text's words and of the parts of its identifiers, without numbers and the words of every day."""
    return frozenset(_roots(unicodedata.normalize("NFC", text)))


def _roots(text: str) -> Iterator[str]:
    for word in {*_RUN.findall(folded(text)), *folded(part_terms(text)).split()}:
        long_enough = len(word) >= SHORTEST_WORD or UNSPACED.match(word)
        if long_enough and not word.isdigit() and word not in _EVERYDAY and (found := root(word)) not in _EVERYDAY:
            yield found


def _shared(words: frozenset[str], subject: Subject) -> _Shared:
    """The words that a text shares with an item, in whatever forms."""
    own = _item_words(subject.text)
    found = [(word, same) for word in words if (same := own.same(word))]
    everyday = sum(word in _GENERIC or same in _GENERIC for word, same in found)
    return _Shared(len(found) - everyday, everyday)


class _ItemWords(NamedTuple):
    """An item's words, and by their first letters."""

    words: frozenset[str]
    by_four: dict[str, str]
    by_five: dict[str, str]

    def same(self, word: str) -> str:
        """Which of them is a word, or a form of it; empty where none is."""
        if word in self.words:
            return word
        if len(word) == WHOLE_BEGINNING:
            return self.by_four.get(word, "")
        whole = word[:WHOLE_BEGINNING]
        return self.by_five.get(word[:COMMON_BEGINNING], "") or (whole if whole in self.words else "")


@lru_cache(maxsize=256)
def _item_words(text: str) -> _ItemWords:
    words = _words(text)
    by_four, by_five = (
        {each[:letters]: each for each in sorted(words) if len(each) >= letters}
        for letters in (WHOLE_BEGINNING, COMMON_BEGINNING)
    )
    return _ItemWords(words, by_four, by_five)


_EVERYDAY = frozenset(root(folded(word)) for word in ENGLISH | GERMAN | FRENCH | SPANISH | FILLERS)
_GENERIC = frozenset(map(root, GENERIC))
