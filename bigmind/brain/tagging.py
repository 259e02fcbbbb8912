"""The tags of a thought: those that are given, or words of its topic, its project and its text. Pure."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from bigmind.brain.rules import LONGEST_TAG, LONGEST_THOUGHT, MOST_TAGS, TAG_WORD
from bigmind.text.everyday_words import everyday_words
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import root
from bigmind.text.words import UNSPACED, folded

LONGEST_WEIGHED = 12
"""Letters from which on a longer word is not worth more: it is a hash, or German."""
NAME_WEIGHS = 2
"""How much more a name or an identifier is worth."""

_ADDRESS = lazy_pattern(r"\b[a-z]{2,10}://\S+|[\w.+-]{1,64}@[\w.-]+", re.IGNORECASE)
_WORD = lazy_pattern(r"[^\W\d_](?:[\w-]*\w)?")
_NAMED = lazy_pattern(r"[a-z][A-Z]|\w_\w|\d")
_UNTELLING = frozenset(
    """
    decision decided learned outcome source alternatives reason evidence next open update updated note cannot called
    monday tuesday wednesday thursday friday saturday sunday thursdays fridays january february march april june july
    august september october november december montag dienstag mittwoch donnerstag freitag samstag sonntag januar
    februar märz juni juli oktober dezember lundi mardi mercredi jeudi vendredi samedi dimanche janvier février avril
    juin juillet août septembre octobre novembre décembre
    """.split()  # noqa: SIM905 - in quotes each, the words could not be read
)
"""Words that stand in every thought of a kind, and dates: what they are about is said by others."""
_SEPARATORS = lazy_pattern(r"[/\\]+")


def tags_of(given: Sequence[str], topic: str, project: str | None, text: str) -> list[str]:
    """The tags that a thought gets, at most eight, each in lower case and without blanks.

    Args:
        given: by whoever contributes; where there are some, only these count.
        topic: its parts are tags, as `pay` and `refunds` of `pay/refunds`.
        project: a name or a path; its last part is a tag.
        text: its own telling words fill up what is left.
    """
    found = _distinct(map(_cleaned, given))
    if found:
        return found
    named = _distinct(map(_cleaned, _named(topic, project)))
    return _distinct([*named, *_telling(text[:LONGEST_THOUGHT], {_root(each) for each in named})])


def _distinct(tags: Iterable[str]) -> list[str]:
    return [tag for tag in dict.fromkeys(tags) if tag][:MOST_TAGS]


def _cleaned(tag: str) -> str:
    shown = "".join(each for each in unicodedata.normalize("NFC", tag) if each.isprintable() or each.isspace())
    return "-".join(shown.lower().strip(" #").split())[:LONGEST_TAG].strip("-")


def _named(topic: str, project: str | None) -> Iterator[str]:
    yield from _SEPARATORS.split(topic)
    yield _SEPARATORS.split((project or "").rstrip("/\\"))[-1].removesuffix(".git")


def _telling(text: str, taken: AbstractSet[str]) -> list[str]:
    """The words that tell most of what a text is about, the best first; of the forms of a word the commonest.

    Nothing in scripts without blanks: a clause is no tag.
    """
    plain = UNSPACED.sub(" ", _ADDRESS.sub(" ", unicodedata.normalize("NFC", text)))
    forms: dict[str, Counter[str]] = {}
    weights: Counter[str] = Counter()
    found = [(match.group().lower(), _weight(plain, match)) for match in _WORD.finditer(plain)]
    useless = everyday_words(plain, {word for word, _ in found}) | _UNTELLING
    for word, weight in found:
        if word not in useless and sum(each.isalpha() for each in word) >= TAG_WORD:
            forms.setdefault(_root(word), Counter())[word] += 1
            weights[_root(word)] += weight
    order = sorted(forms, key=lambda each: -weights[each])  # the first of equals is the one that stands first
    return [_cleaned(forms[each].most_common(1)[0][0]) for each in order if each not in taken]


def _weight(text: str, match: re.Match[str]) -> int:
    """A long word tells more than a short one, and a name more than a word of the language."""
    word, start = match.group(), match.start()
    is_inside = start > 1 and text[start - 1] == " " and (text[start - 2].isalnum() or text[start - 2] in ",;)")
    is_name = _NAMED.search(word) is not None or (is_inside and word[0].isupper())
    return min(len(word), LONGEST_WEIGHED) * (NAME_WEIGHS if is_name else 1)


def _root(word: str) -> str:
    return root(folded(word))
