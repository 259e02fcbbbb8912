"""How people and models correct what they said: the words that a correction begins with, and another version now."""

import re
from functools import lru_cache

from bigmind.text.antonyms import (
    ARRIVING,
    CHANGING,
    CHOOSING,
    INCLUSIVE_VERBS,
    LEADING_TO,
    MONTHS,
    NUMBERED_THINGS,
    UNITS,
)
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import LAST_READ, root, roots, statement_of

_BEGINNING = lazy_pattern(
    r"\s*(?:(?:(?:no|nope|nein|non|wait|sorry|well)[,:;!]|(?:correction|korrektur|berichtigung|update|änderung)[:!]"
    r"|(?:actually|tatsächlich),?)\s+)+(?=\S)",
    re.IGNORECASE,
)
_VERSION = lazy_pattern(r"(?<![\w.-])(?P<name>[a-z][a-z+#]*) v?(?P<number>\d+(?:\.\d+)*)(?![\w:%/]|[.,]\d)")
_CHANGED = lazy_pattern(
    r"\b(?:(?:moved|migrated|switched|upgraded|updated|went|bumped)\b.{0,60}\bto\s"
    r"|we (?:move|migrate|switch|upgrade)\s|now\b|jetzt\b|inzwischen\b|umgestiegen\b|désormais\b)"
)
_ADDRESS = lazy_pattern(r"(?<![\w.])(?:[a-z+]{2,10}://|~?/)[\w.~-]+/?[^\s`\"<>|]*", re.IGNORECASE)
_NAMES_OF_PARTS = lazy_pattern(r"[^\W\d]\w*(?:[-_./]\w+)+")
_COUNTED = roots(NUMBERED_THINGS | UNITS | MONTHS) | roots(("to", "limit", "eur", "euro", "usd", "about", "under"))
_OF_MANY = roots(INCLUSIVE_VERBS)
_ARTICLES = ("", "the", "our", "der", "die", "das", "le", "la")
"""What begins with a number's name speaks of one of several: "node 2 of the cluster"."""
_BESIDE = roots(ARRIVING | CHANGING | CHOOSING | LEADING_TO)
"""What says of a version no more than that it is the one in use."""


def without_beginning(text: str) -> str:
    """A fact without the words that a correction begins with: "No, …", "Korrektur: …"; they deny nothing of it."""
    return _BEGINNING.sub("", text, count=1) if _BEGINNING.match(text) else text


def has_another_address(new: str, old: str) -> bool:
    """Whether each names one address or path, and not the same: "…/stage/shop" has the words of "…/shop/stage"."""
    one, other = _addresses(new), _addresses(old)
    return len(one) == len(other) == 1 and one != other


def _addresses(text: str) -> frozenset[str]:
    return frozenset(each.rstrip(".,;:!?)/").casefold() for each in _ADDRESS.findall(text))


def has_another_version(new: str, old: str) -> bool:
    """Whether "we moved the shop to Node 22", or "… is on Node 22 now", stands against "the shop runs on Node 20".

    All that the older one names has to stand in the newer one; of which thing of several it is, is not known else.
    """
    (versions, said, parts), (others, known, known_parts) = _versions(new), _versions(old)
    if _CHANGED.search(new.casefold()) is None or said & _OF_MANY or known & _OF_MANY:
        return False
    changed = [name for name, number in others.items() if versions.get(name, number) != number]
    subject = known - {*others}
    return len(changed) == 1 and bool(subject) and subject <= said and known_parts <= parts


@lru_cache(LAST_READ)
def _versions(text: str) -> tuple[dict[str, str], frozenset[str], frozenset[str]]:
    """The things that a text names with a version, what else it speaks of, and the names in it that are of parts."""
    bare = text.casefold().replace(".js ", " ")
    found = [each for each in _VERSION.finditer(bare) if bare[: each.start()].strip() not in _ARTICLES]
    named = {root(each["name"]): each["number"] for each in found}
    versions = {name: number for name, number in named.items() if name not in _COUNTED}
    words = frozenset(statement_of(bare).words) - _BESIDE
    return versions, words, frozenset(_NAMES_OF_PARTS.findall(bare))
