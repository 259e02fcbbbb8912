"""Whether two facts name another home, or another name, of one person: "lives in Berlin" and "moved to Hamburg"."""

import re
from functools import lru_cache
from typing import NamedTuple

from bigmind.text.antonyms import FAMILIES
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import LAST_READ, statement_of

Telling = tuple[frozenset[str], frozenset[str]]

_WHO = r"(?P<who>(?:(?:[Tt]he |[Dd]er |[Dd]ie )?[^\W\d_]+(?: [A-Z][\w-]*){0,2} ?)?)"
_PLACE = r"(?P<told>[A-ZÄÖÜ][\w-]*(?: [A-ZÄÖÜ][\w-]*){0,2})\b(?! (?:as|for|team)\b)[^,;]{0,40}$"
_HOME = lazy_pattern(rf"{_WHO}\b(?i:lives in|is based in|works from|wohnt in|lebt in|habite à) {_PLACE}")
_NEW_HOME = lazy_pattern(
    rf"{_WHO}(?i:\b(?:has |have )?(?:now )?(?:moved|relocated) to|\bnow lives in|\bist nach|\bwohnt jetzt in) {_PLACE}"
)
_NAMED = lazy_pattern(rf"{_WHO}(?i:(?:'s|’s)? ?\bname is|is called|is named|heißt) {_PLACE}")
_TOOLS = "asana confluence discord figma jira kubernetes linear notion obsidian sales slack team zed"
_NO_PLACES = frozenset(" ".join((*FAMILIES, _TOOLS)).split())
"""What a person moves to, and is no place."""


class Person(NamedTuple):
    """Where a person lives as a fact tells it, where they moved, and how they are called; each of whom, and what."""

    home: Telling
    new_home: Telling
    name: Telling


def has_another_home_or_name(one: str, other: str) -> bool:
    """Whether both say where one person lives, or how they are called, and not the same."""
    first, second = _person(one), _person(other)
    if first is None or second is None:
        return False
    pairs = ((first.new_home, second.home), (first.home, second.new_home), (first.name, second.name))
    return any(_differ(told, said) for told, said in pairs)


def _differ(one: Telling, other: Telling) -> bool:
    (who, told), (same, said) = one, other
    # "Ada" is called "Ada Weber" too.
    return bool(told and said) and who == same and not (told <= said or said <= told)


@lru_cache(LAST_READ)
def _person(text: str) -> Person | None:
    """What a text says of a person; None where it says nothing of the kind."""
    bare = text.strip(" .")
    found = [_read(pattern.match(bare)) for pattern in (_HOME, _NEW_HOME, _NAMED)]
    return Person(*found) if any(told for _, told in found) and not statement_of(text).denies else None


def _read(found: "re.Match[str] | None") -> Telling:
    """Of whom it is told, and what; nothing of what is no place."""
    if found is None or not _NO_PLACES.isdisjoint(found["told"].casefold().split()):
        return frozenset(), frozenset()
    return frozenset(statement_of(found["who"]).words), frozenset(statement_of(found["told"]).words)
