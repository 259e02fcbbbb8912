"""Finds text that tries to instruct a later reader. A hint and no wall: it waits until a person accepts it.

Detectors do not stop memory poisoning (the best one that was tried finds none of eight plausible false decisions,
facts/safety.md), so the defence is provenance and labels; this keeps the crude cases out of the automatic context. What
it finds and what it leaves alone is counted in `tests/memory/test_caution.py`.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime
from functools import lru_cache
from typing import Protocol

from bigmind.caution.claims import CLAIMS
from bigmind.caution.disguises import has_unspaced, is_hiding, unmasked, words_of
from bigmind.caution.encodings import decoded
from bigmind.caution.errands import errands
from bigmind.caution.harms import HARMS
from bigmind.caution.languages import LANGUAGES, UNSPACED
from bigmind.caution.markers import marked
from bigmind.caution.meanings import meant
from bigmind.caution.permits import PERMITS
from bigmind.caution.rules import ENGLISH, FORBIDDING, FREE, Rule
from bigmind.caution.voices import voiced
from bigmind.text.import_marks import as_imported, is_imported

WINDOW = 24
"""Words that are looked at from the one that a rule begins with."""

BEFORE = 6
"""Words of its sentence before it in which a denial makes an order of it: "do not …tell"."""

JUST_BEFORE = 2
"""Words before it in which a denial takes the order back; further away it would be a way around."""

MOST_WINDOWS = 20_000
"""A text that begins so many orders and ends none is no text; it is flagged without being read to its end."""

SHORT, MOST_KNOWN = 80, 4_096
"""Up to how many characters what was found in a text is known again, and of how many texts."""

RULES = (*ENGLISH, *CLAIMS, *PERMITS, *HARMS, *LANGUAGES)
_DENIALS = frozenset(
    ("not", "never", "don't", "dont", "no", "nobody", "mustn't", "shouldn't", "nicht", "nie", "without")
)
_TELLERS = frozenset(
    (
        *("we", "i", "they", "he", "she", "it", "who", "which", "to", "hook", "hooks", "wrapper", "script", "scripts"),
        *("tests", "may", "can", "could", "might", "would", "did"),
    )
)
"""Who does something, or how: a story and no order."""

_STOPS = frozenset(("stop", "quit", "cease"))


def _by_start() -> dict[str, tuple[Rule, ...]]:
    found: dict[str, tuple[Rule, ...]] = {}
    for rule in RULES:
        for start in rule.starts:
            found[start] = (*found.get(start, ()), rule)
    return found


_BY_START = _by_start()
_VOCABULARY = frozenset(word for rule in RULES for word in re.findall("[a-z]{2,}", rule.follows)) | {*_BY_START}


def cautions(*texts: str) -> str:
    """The names of what was found in any of the texts, in a stable order, separated by commas; empty when nothing."""
    return ",".join(sorted({name for text in texts for name in (_found(text) if len(text) > SHORT else _known(text))}))


def cautions_anew(caution: str, texts: Iterable[str]) -> str:
    """What a row with a caution has by these texts; that it was imported is said by none of them, and stays."""
    found = cautions(*texts)
    return as_imported(found) if is_imported(caution) else found


@lru_cache(MOST_KNOWN)
def _known(text: str) -> frozenset[str]:
    """What was found in a short text: categories, names and reasons come over and over."""
    return frozenset(_found(text))


def _found(text: str) -> set[str]:
    plain = unmasked(text)
    words = words_of(plain, _VOCABULARY)
    held = {*words}
    found = _told(text, plain, words, held)
    if is_hiding(text):
        found.add("hidden")
    for hidden in decoded(text, plain, held, _VOCABULARY):
        revealed = unmasked(hidden)
        words = words_of(revealed, _VOCABULARY)
        found |= _told(hidden, revealed, words, {*words})
    return found


def _told(text: str, plain: str, words: Sequence[str], held: AbstractSet[str]) -> set[str]:
    found = {*marked(text, plain), *voiced(plain, held), *meant(plain, held), *errands(plain, held), *_ordered(words)}
    if has_unspaced(text):
        found.update(name for name, pattern in UNSPACED if pattern.search(text))
    return found


def _ordered(words: Sequence[str]) -> set[str]:
    found: set[str] = set()
    looked_at = 0
    for place, word in enumerate(words):
        if word not in _BY_START:
            continue
        rules = [rule for rule in _BY_START[word] if rule.name not in found]
        if rules:
            looked_at += 1
            found.update(_matching(rules, words, place))
        if looked_at > MOST_WINDOWS:
            return found | {"unread"}
    return found


def _matching(rules: Sequence[Rule], words: Sequence[str], place: int) -> Iterator[str]:
    window = f"{' '.join(words[place : place + WINDOW])} "
    matching = [rule for rule in rules if rule.pattern.match(window)]
    if matching:  # hardly ever: what stands before is looked at then alone
        before = words[max(0, place - BEFORE) : place]
        yield from (rule.name for rule in matching if _applies(rule, words[place], before))


def _applies(rule: Rule, word: str, before: Sequence[str]) -> bool:
    """Whether what stands before makes an order of it: the same sentence denies what may not be denied, or must be."""
    sentence = before[len(before) - before[::-1].index(".") :] if "." in before else before
    if word in FREE:
        return not _STOPS.isdisjoint(sentence)
    if word in FORBIDDING and rule.name in {"secrecy", "override"}:
        return not _DENIALS.isdisjoint(sentence)
    if rule.unless_told and not _TELLERS.isdisjoint(sentence[-1:]):
        return False
    return not rule.unless_denied or _DENIALS.isdisjoint(sentence[-JUST_BEFORE:])


class CautionedRow(Protocol):
    """A row with the names of what was found in its text, and when a person accepted it."""

    caution: str
    accepted_at: datetime | None


def pending(row: CautionedRow) -> str:
    """What of a row still waits for a person; empty when nothing was found, or it was accepted."""
    return row.caution if row.accepted_at is None else ""


def judge(row: CautionedRow, texts: Sequence[str], before: Sequence[str] | None = None) -> None:
    """Flag a row by its texts, which are about to be written.

    What a person accepted holds for those words only: with other ones than `before`, the row waits again. That it was
    imported stays said until it is accepted; what is written over that since is no import.
    """
    is_other = before is not None and [*texts] != [*before]
    if is_other and row.accepted_at is not None:
        row.caution = ""
    row.caution = cautions_anew(row.caution, texts)
    if not row.caution or is_other:
        row.accepted_at = None
