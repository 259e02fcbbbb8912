"""Whether two facts name another home, or another name, of one person: "lives in Berlin" and "moved to Hamburg"."""

import re
from functools import lru_cache

from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import LAST_READ, statement_of

_WHO = r"(?P<who>(?:(?:[Tt]he |[Dd]er |[Dd]ie )?[^\W\d_]+(?: [A-Z][\w-]*){0,2} ?)?)"
_PLACE = r"(?P<told>[A-ZÄÖÜ][\w-]*(?: [A-ZÄÖÜ][\w-]*){0,2})\b[^,;]{0,40}$"
_HOME = lazy_pattern(rf"{_WHO}\b(?i:lives in|is based in|works from|wohnt in|lebt in|habite à) {_PLACE}")
_NEW_HOME = lazy_pattern(
    rf"{_WHO}(?i:\b(?:has |have )?(?:now )?(?:moved|relocated) to|\bnow lives in|\bist nach|\bwohnt jetzt in) {_PLACE}"
)
_NAMED = lazy_pattern(rf"{_WHO}(?i:(?:'s|’s)? ?\bname is|is called|is named|heißt) {_PLACE}")
_TOOLS = lazy_pattern(r"\b(?:vim|neovim|emacs|linux|windows|macos|python|rust|go|java|typescript|postgresql|docker)\b")
"""What a person moves to, and is no place."""


def has_another_home_or_name(one: str, other: str) -> bool:
    """Whether both say where one person lives, or how they are called, and not the same."""
    return any(
        _differ(_read(pattern, one), _read(against, other))
        for pattern, against in ((_NEW_HOME, _HOME), (_HOME, _NEW_HOME), (_NAMED, _NAMED))
    )


def _differ(one: tuple[frozenset[str], frozenset[str]], other: tuple[frozenset[str], frozenset[str]]) -> bool:
    (who, told), (same, said) = one, other
    # "Ada" is called "Ada Weber" too.
    return bool(told and said) and who == same and not (told <= said or said <= told)


@lru_cache(LAST_READ)
def _read(pattern: "re.Pattern[str]", text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Of whom a text says it, and what; nothing where it does not say it so."""
    found = pattern.match(text.strip(" ."))
    if found is None or statement_of(text).denies or _TOOLS.search(found["told"].casefold()):
        return frozenset(), frozenset()
    return frozenset(statement_of(found["who"]).words), frozenset(statement_of(found["told"]).words)
