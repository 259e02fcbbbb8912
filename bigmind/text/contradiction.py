"""Whether two facts exclude each other for certain: the same sentence but for one negation, or for one value.

What cannot be told by words alone is not certain, and is asked: who reviews Python may review Go too, a job may run
twice a day, two audits found what they found. `tests/memory/engineering_pairs.py` holds what it must get right.

Nor is it certain, and is asked, where a fact says that something changed ("psycopg instead of asyncpg"), or names
another holder or other amounts of the same: `tests/memory/changed_pairs.py`.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache

from bigmind.text.antonyms import (
    ADJACENT_PREDICATES,
    CHANGING,
    CHOOSING,
    DENYING,
    FUNCTION_WORDS,
    INCLUSIVE_VERBS,
    LEADING_TO,
    LIMITING,
    MEASURING_PREDICATES,
    MONTHS,
    NUMBERED_THINGS,
    ONE_OF_A_KIND,
    REJECTING,
    SINCE_WHEN,
    SINGLE_CHOICES,
    SUBJECTS_OF_ALL,
    TAKING_OVER,
    UNIQUE_ROLES,
    UNITS,
)
from bigmind.text.comparison.correction import has_another_address, has_another_version, without_beginning
from bigmind.text.comparison.holder import has_another_holder
from bigmind.text.comparison.two_things import speak_of_two
from bigmind.text.comparison.whole_project import is_of_all, of_all
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.similarity import (
    LAST_READ,
    Judgement,
    Relation,
    both_hold,
    compared,
    exclude_each_other,
    number_of,
    root,
    roots,
    statement_of,
    tokens_of,
)

LONGEST_LEFT = 5
"""Words and numbers of what was left, at most: more is no name of a thing."""

LEAST_COMMON = 2
"""Words beside what was left that tell that two facts are about one subject, where they are not half of the older."""

LEAST_SUBJECT = 3
"""Words before the first amount, its verb with them, that name one thing: "service 1 on port 9001" is another."""

_ONE_OF_A_KIND, _CHOOSING = roots(ONE_OF_A_KIND), roots(CHOOSING)
_OF_MANY = roots(INCLUSIVE_VERBS - {"test"})
"""What says that there may be several; tests are mostly those that use something."""
_VERSION = lazy_pattern(
    rf"\b({'|'.join(sorted(ONE_OF_A_KIND | {'postgres'}))})(?: licen[cs]e)?"
    r"(?:[ -]?v?\d[\d.]*(?:-clause|-only|-or-later|\+)?)?(?: licen[cs]e)?(?=[\s,;.!?)]|$)"
)
"""One of a kind, with its version and "licence" behind it."""
_TIME_OF_DAY = re.compile(r"\d{1,2}:\d{2}")
_MEASURING, _ADJACENT, _INCLUSIVE = roots(MEASURING_PREDICATES), roots(ADJACENT_PREDICATES), roots(INCLUSIVE_VERBS)
_NUMBERED, _UNITS, _ROLES, _CHOICES = roots(NUMBERED_THINGS), roots(UNITS), roots(UNIQUE_ROLES), roots(SINGLE_CHOICES)
_IS, _RUN, _CALLED, _LIVE, _USE = (root(word) for word in ("is", "run", "called", "live", "use"))
_OF_ALL = roots(SUBJECTS_OF_ALL)
_UNTOLD = roots(CHANGING | MONTHS | SINCE_WHEN) | {_IS}
_LIMITING = roots(LIMITING)
_PLACING = roots(("is", "run", "live", "use", "host", "stored", "go", "based", "kept"))
_BESIDE = roots(LEADING_TO | TAKING_OVER | {"is", "live", "run"})
_CLAUSE_END = lazy_pattern(r"[;.!?](?:\s|$)|,\s|\)|\b(?:but|because|since|so|which|while|aber|weil|mais)\s")
_AND = lazy_pattern(r"\b(?:and|und|et)\s")
_LEAVING = lazy_pattern(
    r"\b(?:instead of|rather than|in place of|no longer|not any ?more|replac(?:e|es|ed|ing)|stopped using|got rid of|"
    r"retired?|dropped|abandoned|decommissioned|nicht mehr|statt|anstatt|anstelle von|ersetzt|au lieu de|"
    r"(?:a )?remplac(?:e|é)|wir sind von|succède à|a succédé à)\s"
    r"|(?:^|\()(?:not|nicht|pas)\s(?:to\s)?|\((?:was|war|previously|formerly|früher|bisher|auparavant)\s"
)
_GONE = lazy_pattern(
    r"\b(?:is gone|are gone|(?:is|are|was|were|been) (?:retired|dropped|abandoned|decommissioned|removed|replaced))\b"
)
_MOVING = lazy_pattern(
    r"\b(?:moved|moving|migrat(?:ed|ing|ion)|switch(?:ed|ing)|changed|upgraded|took|taken|takes? over|inherited)\s"
)
_MOVES = lazy_pattern(r"\b(?:moves?|migrates?|switch(?:es)?|changes?|upgrades?|takes?|inherits?)\s")
"""What does so once, or each night: it needs a "now", or a "we"."""
_THIS_TIME = lazy_pattern(r"\b(?:now\b|we (?:move|migrate|switch|change|upgrade)\s)")
_REJECTED = lazy_pattern(
    r"(?<!\bas )\b(?:consider(?:ed|ing)?|evaluat(?:ed|ing)|discuss(?:ed|ing)|proposed|suggested|reject(?:s|ed|ing)?|"
    r"(?:decided?|voted?|argued?|spoke|is|are|was|were) against)\b"
)
"""What says that something else was looked at, and not taken."""
_TAKEN = lazy_pattern(r"\band (?:we )?(?:now )?(?:use|uses|used|chose|choose|took|picked|went)\s")
_ANY_MORE = (" any more", " anymore", " any longer")
_MOVED_TO = lazy_pattern(r"\s(?:has |have |was |were )?(?:moved|migrated|switched|changed) (?:over )?to\s")
_WE_MOVED = lazy_pattern(r"we (?:have )?(?:moved|migrated|switched) (?P<what>(?:(?!from )\S+ ){1,4}?)(?:over )?to\s")
_NOW = lazy_pattern(r"\bnow\b")
_LEFT_ENDS = lazy_pattern(r"\b(?:to|(?<!^)(?:auf|zu)|with|by|in favou?r of|als|durch|comme|par|chez)\s")
_TAKEN_OVER = lazy_pattern(r"\b(?:übernommen|geerbt|übernimmt|a repris|reprend|a hérité|hérite)\b")
"""Who had it stands behind a "von" or "de", the last one: "hat die Abrechnung von Maria übernommen"."""
_OF_WHOM = lazy_pattern(r"\s(?:(?:von|vom|de|des|du)\s|d')")
_MONTH = "|".join(sorted(MONTHS | {"märz"}))
_WE_LEFT = lazy_pattern(
    rf"(?:we (?:have )?(?:moved|migrated|switched) from \S+ to \S+(?: in (?:{_MONTH}|may))?(?: (?:19|20)\d\d)?"
    r"|wir sind von \S+ (?:auf|zu) \S+ (?:umgestiegen|gewechselt))\.?$"
)
"""All of the project left it: nothing else is named that did."""
_DATE = lazy_pattern(
    r"(?P<since>\b(?:since|seit|depuis)\s)?\b(?:"
    rf"(?:\d{{1,2}}(?:st|nd|rd|th|\.)?\s)?(?:{_MONTH}|(?:(?<=in )|(?<=of )|(?<=\d ))may|may(?=\s\d))\b"
    r"(?:\s\d{1,2}(?:st|nd|rd|th)?\b)?,?(?:\s(?:19|20)\d\d\b)?"
    r"|(?<=in )(?:19|20)\d\d\b|(?:19|20)\d\d-\d\d(?:-\d\d)?\b)"
)
_SINCE_DAY = lazy_pattern(
    r"(?:^|,?\s)(?:since|seit|depuis)\s(?:the |dem |le )?(?:"
    rf"\d{{1,2}}(?:st|nd|rd|th|\.)?\s(?:{_MONTH}|may)\b(?:,?\s(?:19|20)\d\d\b)?"
    rf"|(?:{_MONTH}|may)\s\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s(?:19|20)\d\d\b)?"
    r"|(?:19|20)\d\d-\d\d(?:-\d\d)?\b),?",
    re.IGNORECASE,
)
"""Since which day something is so: its numbers are none of what is said."""
_OF_NUMBERED = lazy_pattern(rf"\b(?:for|of|by|für|von|pour) (?:the |our )?(?!(?:{_MONTH}|may)\b)[a-z]+[ -]?#?\d+\b")
"""Of which of several: what holds for service 3 says nothing of service 5."""
_ORDINAL = lazy_pattern(r"(?<= )(\d{1,2})(?:st|nd|rd|th)\b")
_TO_AMOUNT = lazy_pattern(r"\bto \d")
"""What was raised to 250 in May is no more, where it was raised to 300 in June."""
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
    new, old = (_SINCE_DAY.sub("", without_beginning(text)) for text in (new, old))
    judgement = compared(new, old)
    if is_series(new, old):
        return Judgement(None, judgement.similarity)
    if is_certain(new, old):
        return Judgement(Relation.CONTRADICTS if same_scope else Relation.MAY_CONTRADICT, judgement.similarity)
    is_asked = judgement.relation is Relation.MAY_CONTRADICT
    if is_asked and (both_hold(new, old) or speak_of_two(new, old)):
        return Judgement(None, judgement.similarity)
    is_other = judgement.relation is Relation.REPEATS and has_another_address(new, old)
    if not is_asked and (is_other or says_otherwise(new, old)):
        return Judgement(Relation.MAY_CONTRADICT, judgement.similarity)
    return judgement


def says_otherwise(one: str, other: str) -> bool:
    """Whether a fact says that the other's is no more, or both name two holders, or other amounts, of the same."""
    leaves = _leaves(one, other) or _leaves(other, one)
    moved = _has_another_place(one, other) or _has_another_place(other, one)
    moved = moved or has_another_version(one, other) or has_another_version(other, one)
    are_two = _OF_NUMBERED.findall(one.casefold()) != _OF_NUMBERED.findall(other.casefold())
    of_one = not are_two and (has_another_holder(one, other) or _has_other_amounts(one, other))
    return leaves or moved or of_one or _has_another_choice(one, other) or is_of_all(one, other)


def is_series(one: str, other: str) -> bool:
    """Whether two facts tell amounts of two times: 3 percent in May, and 5 percent in June."""
    (when, amounts), (then, others) = _dated(one), _dated(other)
    return bool(when and then and amounts and others) and when != then and amounts != others


@lru_cache(LAST_READ)
def _dated(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The dates of a text at which something was so, and its amounts beside them; what is so since then has none."""
    bare = text.casefold()
    if _TO_AMOUNT.search(bare):
        return frozenset(), frozenset()
    dates = frozenset(each[0] for each in _DATE.finditer(bare) if each["since"] is None)
    return dates, _sentence(_DATE.sub(" ", bare)).numbers


def _leaves(one: str, other: str) -> bool:
    """Whether a fact says of something that it is no more, and another one of the same subject that it is."""
    phrases = left_behind(one)
    if not phrases:
        return False
    told, said = statement_of(other), statement_of(one)
    words = {*told.words, *told.numbers}
    found = [phrase for phrase in phrases if phrase <= words]
    if found and not told.denies and _WE_LEFT.match(one.casefold()):
        return True
    if not found or told.denies or any(phrase & left for phrase in found for left in left_behind(other)):
        return False
    return any(_is_one_subject(phrase, words - phrase - _BESIDE, {*said.words, *said.numbers}) for phrase in found)


def _is_one_subject(phrase: frozenset[str], rest: set[str], said: set[str]) -> bool:
    common = len(rest & said)
    return len(phrase) > 1 or common >= LEAST_COMMON or (common > 0 and 2 * common >= len(rest))


@lru_cache(LAST_READ)
def left_behind(text: str) -> tuple[frozenset[str], ...]:
    """What a text says is no more, each as the roots of its words: "asyncpg" of "psycopg instead of asyncpg"."""
    found = [phrase for clause in _CLAUSE_END.split(f"{text.casefold()} ") for phrase in _left_of(clause)]
    return tuple(phrase for phrase in found if 0 < len(phrase) <= LONGEST_LEFT)


def comparable_by(text: str) -> tuple[frozenset[str], ...]:
    """What another fact has to name to exclude this one, however little else they share; each as roots."""
    return (*left_behind(text), *of_all(text), *filter(None, (frozenset(_moved_subject(text)[0]),)))


def _left_of(clause: str) -> list[frozenset[str]]:
    """What a clause leaves, with what is joined to it by an "and" and without."""
    phrase = _phrase_left(clause)
    return [_named(phrase), *(_named(each) for each in _AND.split(phrase, maxsplit=1)[:1] if each != phrase)]


def _phrase_left(clause: str) -> str:
    if _REJECTED.search(clause) and not _TAKEN.search(clause):
        return ""
    gone = _GONE.search(clause)
    if gone is not None:
        return _AND.split(clause[: gone.start()])[-1]
    left = _LEAVING.search(clause)
    if left is not None:
        return _LEFT_ENDS.split(clause[left.end() :], maxsplit=1)[0]
    if any(ending in clause for ending in _ANY_MORE):
        return clause.partition("not ")[2].partition(" any")[0]
    if _TAKEN_OVER.search(clause):
        whom = _TAKEN_OVER.split(_OF_WHOM.split(clause)[-1])[0]
        return whom if _OF_WHOM.search(clause) else ""
    moving = _MOVING.search(clause) or (_MOVES.search(clause) if _THIS_TIME.search(clause) else None)
    start = -1 if moving is None else clause.find(" from ", moving.end() - 1)
    return "" if start < 0 else _LEFT_ENDS.split(clause[start + 6 :], maxsplit=1)[0]


def _named(phrase: str) -> frozenset[str]:
    told = statement_of(phrase)
    return frozenset((*told.words, *told.numbers)) - _BESIDE


def _has_another_place(new: str, old: str) -> bool:
    """Whether "the build switched to Vite", or "now uses Vite", stands against "the build uses webpack"."""
    subject, verb = _moved_subject(new)
    words = _sentence(old).words
    end = len(subject)
    if not subject or words[:end] != subject or not set(subject) - _OF_ALL or len(words) < end + 2:
        return False
    place = {*words[end + 1 :]}
    is_placed = words[end] == verb if verb else words[end] in _PLACING
    return is_placed and len(place) <= LONGEST_LEFT and not place <= {*_sentence(new).words[end:]}


@lru_cache(LAST_READ)
def _moved_subject(text: str) -> tuple[tuple[str, ...], str]:
    """Of what a text says that it is somewhere else now; with the verb, where an older fact has to have the same."""
    bare = text.casefold()
    if by_us := _WE_MOVED.match(bare):
        return _sentence(by_us["what"]).words, ""
    parts = _MOVED_TO.split(bare, maxsplit=1)
    if len(parts) > 1:
        return _sentence(parts[0]).words, ""
    words: tuple[str, ...] = _sentence(bare).words if _NOW.search(bare) else ()
    place = next((place for place, word in enumerate(words) if word in _PLACING), 0)
    # What is "now scanned" may be built as before.
    return (words[:place], words[place]) if place and words[place] != _IS else ((), "")


def _has_another_choice(one: str, other: str) -> bool:
    """Whether two facts are one sentence but for the thing of which a project has one, whatever its version."""
    words, others = (_sentence(_VERSION.sub(r"\1", text.casefold())) for text in (one, other))
    places = SequenceMatcher(None, words.words, others.words, autojunk=False).get_opcodes()
    changes = [each for each in places if each[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace" or words.denials != others.denials:
        return False
    _, begin, end, other_begin, other_end = changes[0]
    if end - begin != 1 or other_end - other_begin != 1 or not begin or {*words.words[:begin]} & _OF_MANY:
        return False
    choices = {words.words[begin], others.words[other_begin]}
    return choices <= _ONE_OF_A_KIND and exclude_each_other(*choices) and words.words[begin - 1] in _CHOOSING


def _has_other_amounts(new: str, old: str) -> bool:
    """Whether two facts say the same of one thing, each with amounts of its own, in whatever order and since when."""
    clauses = (_CLAUSE_END.split(text.casefold(), maxsplit=1)[0] for text in (new, old))
    one, other = (_sentence(_ORDINAL.sub(r"\1", clause)) for clause in clauses)
    amounts, others = _amounts(one), _amounts(other)
    if len(amounts) != len(others) or not amounts or any(a == b for a, b in zip(amounts, others, strict=True)):
        return False
    return one.denials == other.denials and _told(one) == _told(other) and _measures(one) and _measures(other)


def _amounts(sentence: Sentence) -> list[str]:
    return [word for word in sentence.words if word in sentence.numbers]


def _told(sentence: Sentence) -> set[str]:
    return {*sentence.words} - sentence.numbers - _UNTOLD - _LIMITING


def _measures(sentence: Sentence) -> bool:
    """Whether so much stands before the first amount that it names one thing, and says of it that it is or does."""
    first = next(place for place, word in enumerate(sentence.words) if word in sentence.numbers)
    before = [*sentence.words[:first]]
    if len(before) > 1 and before[-1] in _MEASURING:
        return True
    if before and before[-1] in _ONE_OF_A_KIND and {*before} & _CHOOSING and not {*before} & _OF_MANY:  # its version
        return True
    return len(before) >= LEAST_SUBJECT and bool({*before} & (_MEASURING | _UNTOLD)) and before[-1] not in _NUMBERED


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
