"""Whether two facts exclude each other for certain: the same sentence but for one negation, or for one value.

What cannot be told by words alone is not certain, and is asked: who reviews Python may review Go too, a job may run
twice a day, two audits found what they found. `tests/memory/engineering_pairs.py` holds what it must get right.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from bigmind.text.antonyms import (
    ADJACENT_PREDICATES,
    DENYING,
    FUNCTION_WORDS,
    INCLUSIVE_VERBS,
    MEASURING_PREDICATES,
    NUMBERED_THINGS,
    REJECTING,
    SINGLE_CHOICES,
    UNIQUE_ROLES,
    UNITS,
)
from bigmind.text.similarity import (
    LAST_READ,
    Judgement,
    Relation,
    compared,
    exclude_each_other,
    number_of,
    root,
    roots,
    tokens_of,
)

_TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}")
_MEASURING, _ADJACENT, _INCLUSIVE = roots(MEASURING_PREDICATES), roots(ADJACENT_PREDICATES), roots(INCLUSIVE_VERBS)
_NUMBERED, _UNITS, _ROLES, _CHOICES = roots(NUMBERED_THINGS), roots(UNITS), roots(UNIQUE_ROLES), roots(SINGLE_CHOICES)
_IS, _RUN, _CALLED, _LIVE, _USE = (root(word) for word in ("is", "run", "called", "live", "use"))
_PAST = frozenset(("was", "were", "had", "did", "war", "waren", "hatte", "etait"))
"""What was, may have been more than once."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A fact's words in order, as roots, without its negations; `numbers` holds those of them that are numbers."""

    words: tuple[str, ...]
    numbers: frozenset[str]
    denials: int
    is_plain: bool


def judged(new: str, old: str, *, same_scope: bool = True) -> Judgement:
    """How a new fact stands to an old one; facts of different scopes, a person's and a project's, never exclude."""
    judgement = compared(new, old)
    if is_certain(new, old):
        return Judgement(Relation.CONTRADICTS if same_scope else Relation.MAY_CONTRADICT, judgement.similarity)
    return judgement


def is_certain(new: str, old: str) -> bool:
    """Whether two facts of the same scope cannot both hold, as far as their words alone can show it."""
    one, other = _sentence(new), _sentence(old)
    if not (one.is_plain and other.is_plain):
        return False
    if one.words == other.words:
        return abs(one.denials - other.denials) == 1 and len(one.words) > 1
    return one.denials == other.denials and _is_one_value(one, other)


@lru_cache(LAST_READ)
def _sentence(text: str) -> Sentence:
    words: list[str] = []
    numbers: set[str] = set()
    denials = 0
    is_plain = True
    for token in tokens_of(re.sub(r"(?<=[^\W\d]): ", " is ", text)):
        if token in DENYING or token.endswith("n't"):
            denials += 1
        elif (number := number_of(token)) is not None:
            words.append(number)
            numbers.add(number)
        elif token not in FUNCTION_WORDS:
            words.append(root(token))
        is_plain = is_plain and token not in REJECTING and token not in _PAST
    return Sentence(tuple(words), frozenset(numbers), denials, is_plain)


def _is_one_value(one: Sentence, other: Sentence) -> bool:
    """Whether one stretch differs, and what stands before it takes one value at a time."""
    places = SequenceMatcher(None, one.words, other.words, autojunk=False).get_opcodes()
    changes = [each for each in places if each[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace":
        return False
    _, begin, end, other_begin, other_end = changes[0]
    before, value, against = one.words[:begin], one.words[begin:end], other.words[other_begin:other_end]
    if not before or set(before) & _INCLUSIVE:
        return False
    if _is_amount(value, one.numbers) and _is_amount(against, other.numbers):
        return _takes_one_amount(before, value[0], against[0])
    if len(value) != 1 or len(against) != 1 or {*value, *against} & (one.numbers | other.numbers):
        return False
    return _takes_one_word(before, value[0], against[0])


def _is_amount(stretch: Sequence[str], numbers: frozenset[str]) -> bool:
    """A number, alone or with its unit: "30", "2 weeks"."""
    return stretch[0] in numbers and (len(stretch) == 1 or (len(stretch) == 2 and stretch[1] in _UNITS))  # noqa: PLR2004


def _takes_one_amount(before: Sequence[str], *numbers: str) -> bool:
    """Whether what stands before an amount measures one thing by it, and does not name a thing by its number."""
    if before[-1] in _NUMBERED:
        return False
    predicates = set(before[1:]) & _MEASURING or set(before[:1]) & _MEASURING - {_IS}
    if predicates == {_RUN}:  # a job may run at several times of the day
        return not any(_TIME_OF_DAY.fullmatch(number) for number in numbers)
    return bool(predicates)


def _takes_one_word(before: Sequence[str], value: str, against: str) -> bool:
    """Whether the word that directly precedes takes one such word at a time."""
    predicate, subject = before[-1], set(before[:-1])
    if predicate == _CALLED or (predicate == _LIVE and "user" in subject):
        return bool(subject)
    if predicate == _IS and subject & _ROLES:
        return True
    if not exclude_each_other(value, against):
        return False
    if predicate == _USE:
        return {value, against} <= _CHOICES
    return predicate in _ADJACENT
