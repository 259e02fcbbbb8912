"""Whether two facts say the same, or the opposite, judged by their words alone.

Made for statements of one sentence, in English mainly, with the negations of German and French. It knows no meaning:
what is said in wholly other words is found when vectors are (issue 4); `tests/memory/test_fact_pairs.py` holds what it
must get right.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import lru_cache

from bigmind.text.antonyms import (
    ENOUGH_ALONE,
    FAMILIES,
    FILLERS,
    GROUPS,
    INCLUSIVE_VERBS,
    NEGATIONS,
    NUMBERED_THINGS,
    NUMBERS,
    ONLY_NOW,
    OPPOSITES,
    PERSONAL_ROLES,
    QUALITIES,
    REJECTING,
    SAME,
    SINGULAR_VERBS,
    SUBJECTS_OF_ALL,
    USING,
)
from bigmind.text.lazy_pattern import lazy_pattern

ALIKE = 0.7
"""Shared words, of all the words of both, from which a fact that says more than another nearly repeats it."""

ALIKE_APART = 0.8
"""The same, where each says something that the other does not: "dark mode" is not "dark chocolate"."""

COMPARABLE = 0.6
"""Shared words from which a negation or another number makes a contradiction."""

DENIED = 2
"""So many words, when they are all that one fact says, are denied by another that says more: "never on Fridays"."""

CONTAINED = 3
"""So many words of one fact that all stand in the other make it a repetition, when little else is said there."""

BESIDE_SECRETS = 3
"""Words beside a masked secret from which two texts can say the same: two values with the same name look alike."""

MOST_WORDS = 120
"""Words of a fact that are compared; a longer one is no atomic statement."""


LAST_READ = 320
"""Facts whose reading is kept: those that are looked through for contradictions are compared with each other."""

WORDS_KEPT = 8_192
"""Words whose root is kept, some 150 bytes each."""


class Relation(StrEnum):
    """What a new fact does to one that was stored before; `may_contradict`: the words alone do not tell."""

    REPEATS = "repeats"
    CONTRADICTS = "contradicts"
    MAY_CONTRADICT = "may_contradict"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The relation, if there is one, and the share of words that both have, 0 to 1."""

    relation: Relation | None
    similarity: float


@dataclass(frozen=True, slots=True)
class Statement:
    """What is compared of a fact: its telling words in order, its numbers, whether it denies, and what was masked."""

    words: tuple[str, ...]
    numbers: tuple[str, ...]
    denies: bool
    secrets: tuple[str, ...] = ()


_TOKEN = lazy_pattern(r"\d+(?:[.:,/]\d+)*|[^\W\d_]+(?:[_\d]+[^\W_]*)*(?:['\u2019][^\W\d_]+)?")
_BEING = lazy_pattern(r"\s(?:is|are)\s")
_PLACED = lazy_pattern(r"in (?:the )?(?P<place>[\w./-]{1,60})$")
_NAME_OF_PLACE = lazy_pattern(r"[A-Z]|\d|/|^(?:bin|src|docs|tests|scripts|lib|tools)$")
"""A name, not a state: what is "in error", "in trouble" or "in progress" is in no place."""
_HAVING = lazy_pattern(
    r"(?P<who>\S{1,40}(?: \S{1,40}){0,3}) (?:is|ist|est) (?:the|der|die|le|la) (?P<what>\w{1,40}) "
    r"(?:of|for|von|für|de|du)\s"
)
_NAME_OF_PERSON = lazy_pattern(r"@?[^\W\d_][^\W_]*(?:['\u2019-][^\W_]+)*[.,]?$")
_NOT_ONE = lazy_pattern(r"(?:a|an|each|every|any|some|no|jede[rs]?|eine?|chaque|une?)\s", re.IGNORECASE)
_ARTICLE = lazy_pattern(r"(?:the|this|that|our|its|der|die|das|unser|le|la|les|notre|all)\s", re.IGNORECASE)
_JOINS = frozenset(("and", "und", "et", "von", "van", "de", "du", "&"))
_MASK = "[masked: "
_SECRET = lazy_pattern(r"\[masked: [^\]\n]{1,250}\]")
"""What stands where a secret stood (`secrets/masking.py`): its kind, which is no word of the text."""
_ENDINGS = ("ations", "ation", "ments", "ment", "ings", "ing", "ies", "ied", "ers", "er", "ed", "es", "ly", "s", "e")
_SHORTEST_ROOT = 3
_STEM = 4
_PHRASES = (
    (lazy_pattern(r"\b(?:no longer|not any ?more|nicht mehr|ne .{1,20} plus)\b"), " not "),
    (lazy_pattern(r"\b(?:instead of|rather than|plutot que)\b"), " over "),
    (lazy_pattern(r", (?:not|never|nicht|pas) (?:(?:in|on|for|with|by) )?(?=\w+[.]?$)"), " over "),  # "uv, not poetry"
    (lazy_pattern(r"\b(prefers? \w+) to\b"), r"\1 over "),
    (lazy_pattern(r"\b(is|are|be|turned|switched) on\b(?= by default| in |[.!]|$)"), r"\1 enabled"),
    (lazy_pattern(r"\b(is|are|be|turned|switched) off\b"), r"\1 disabled"),
    (lazy_pattern(r"\b(camel|snake|kebab|pascal)[ _-]case\b"), r"\1case"),
    (lazy_pattern(r"\b([nldjcsqm]|qu)'(?=\w{2})"), r"\1 "),  # French: n'utilise
)


def compared(new: str, old: str) -> Judgement:
    """How a new fact stands to an old one by their words; whether they exclude each other is not decided here."""
    first, second = statement_of(new), statement_of(old)
    similarity = _similarity(first, second)
    if _differ_unseen(first, second):
        return Judgement(None, similarity)
    if _may_contradict(first, second):
        return Judgement(Relation.MAY_CONTRADICT, similarity)
    same = set(first.numbers) == set(second.numbers) and similarity >= _enough(set(first.words), set(second.words))
    if first.denies == second.denies and (same or _contained(first, second)):
        return Judgement(Relation.REPEATS, similarity)
    return Judgement(None, similarity)


def may_differ_unseen(new: str, old: str) -> bool:
    """Whether what was masked may be what sets two texts apart: secrets of other kinds, or few words beside them."""
    return (_MASK in new or _MASK in old) and _differ_unseen(statement_of(new), statement_of(old))


def both_hold(one: str, other: str) -> bool:
    """Whether two facts say two things of one subject beside each other: where it is, and how; two roles of a person.

    "The logs are noisy" and "the logs are in JSON"; "Maria is the owner of billing" and "… of checkout". Of anything
    else it is not known: what is in S3 may be gone, and what is in read-only mode is not writable.
    """
    one, other = one.strip(" ."), other.strip(" .")
    roles = [_HAVING.match(text) for text in (one, other)]
    if roles[0] and roles[1]:
        is_one = roles[0].groups() == roles[1].groups() and is_somebody(roles[0]["who"])
        return is_one and roles[0]["what"].casefold() in PERSONAL_ROLES and _are_told_plainly(one, other)
    (subject, *told), (same, *said) = (_BEING.split(text, maxsplit=1) for text in (one, other))
    if not told or not said or statement_of(subject).words != statement_of(same).words:
        return False
    return _place_and_quality(told[0], said[0]) or _place_and_quality(said[0], told[0])


def _are_told_plainly(*texts: str) -> bool:
    """Whether none of them counts, denies, or says since when or that there is no other."""
    told = [statement_of(text) for text in texts]
    return not any(each.numbers or each.denies for each in told) and all(
        ONLY_NOW.isdisjoint(tokens_of(text)) for text in texts
    )


def _place_and_quality(told: str, said: str) -> bool:
    """Whether the one names a place, as of files or people, and the other nothing but what can be so anywhere."""
    place, quality = _PLACED.match(told), statement_of(said)
    if place is None or not _NAME_OF_PLACE.search(place["place"]) or quality.denies or quality.numbers:
        return False
    return len(quality.words) == 1 and quality.words[0] in _ANYWHERE


def is_somebody(holder: str) -> bool:
    """Whether it reads as the name of a person or a team: "Maria Weber", "the platform team"; not "GC", "a timeout"."""
    holder = holder.rpartition(", ")[2].strip()  # "as of June, Jonas"
    if _NOT_ONE.match(holder):
        return False
    if not GROUPS.isdisjoint(tokens_of(holder)):
        return True
    names = [word for word in holder.split() if word not in _JOINS]
    is_named = bool(names) and all(_NAME_OF_PERSON.match(word) for word in names) and _ARTICLE.match(holder) is None
    if len(names) == 1 and names[0].islower():  # "maria", of who writes so
        return is_named
    is_short = any(word.isupper() and not word.endswith(".") for word in names)  # "GC"; "J." is a part of a name
    return is_named and not is_short and not any(word[0].islower() for word in names)


def _differ_unseen(first: Statement, second: Statement) -> bool:
    if first.secrets != second.secrets:
        return True
    return bool(first.secrets) and len({*first.words} & {*second.words}) < BESIDE_SECRETS


@lru_cache(LAST_READ)
def statement_of(text: str) -> Statement:
    """The telling words of a text as roots, without those that it rejects ("tabs over spaces")."""
    secrets = tuple(_SECRET.findall(text)) if _MASK in text else ()
    if secrets:
        text = _SECRET.sub(" ", text)
    words: list[str] = []
    numbers: list[str] = []
    denials = 0
    rejecting = False
    before = ""
    for token in tokens_of(text):
        if token in NEGATIONS or token.endswith("n't"):
            denials += 1
        elif token in REJECTING and words:
            rejecting = True
        elif (number := number_of(token)) is not None:
            if before in NUMBERED_THINGS:  # "issue 12" is another thing than "issue 15", not a contradiction
                words.append(number)
            else:
                numbers.append(number)
        elif token not in FILLERS:
            if not rejecting:
                words.append(root(token))
            rejecting = False
        before = token
    return Statement(tuple(words), tuple(numbers), denials % 2 == 1, secrets)


def tokens_of(text: str) -> list[str]:
    """Lower-case words and numbers, without marks; "no longer" as one denial, French "n'utilise" as two words."""
    bare = text.casefold().replace("\u2019", "'")
    if not bare.isascii():
        decomposed = unicodedata.normalize("NFKD", bare)
        bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    for pattern, plainer in _PHRASES:
        bare = pattern.sub(plainer, bare)
    return _TOKEN.findall(bare)[:MOST_WORDS]


def number_of(token: str) -> str | None:
    if token[0].isdigit():
        return token
    return NUMBERS.get(token)


@lru_cache(WORDS_KEPT)
def root(word: str) -> str:
    """A word without an English ending, so that its forms are one; crude, and the same for both facts."""
    word = word.removesuffix("'s").removesuffix("'")
    word = SAME.get(word, word)
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _SHORTEST_ROOT and not (ending == "s" and word.endswith("ss")):
            word = stem + "y" if ending in {"ies", "ied"} else stem
            break
    if len(word) > _SHORTEST_ROOT and word[-1] == word[-2] and word[-1] not in "sl":
        word = word[:-1]
    return word.removesuffix("e") if len(word) > _SHORTEST_ROOT else word


def _similarity(first: Statement, second: Statement) -> float:
    """Dice's coefficient of their words and numbers."""
    one, other = {*first.words, *first.numbers}, {*second.words, *second.numbers}
    return 2 * len(one & other) / (len(one) + len(other)) if one or other else 0.0


def _enough(one: set[str], other: set[str]) -> float:
    return ALIKE_APART if one - other and other - one else ALIKE


def _contained(first: Statement, second: Statement) -> bool:
    one, other = {*first.words, *first.numbers}, {*second.words, *second.numbers}
    small, large = sorted((one, other), key=len)
    return len(small) >= CONTAINED and small <= large and len(large) <= 2 * len(small)


def _may_contradict(first: Statement, second: Statement) -> bool:
    one, other = set(first.words), set(second.words)
    shared = one & other
    alike = 2 * len(shared) / (len(one) + len(other)) if one or other else 0.0
    apart = bool(one - other and other - one)
    if first.denies != second.denies:
        if apart and not _are_forms(one - other, other - one):
            return False  # the one is denied of this, the other said of that: "on for GET", "not on for POST"
        is_whole = len(shared) >= DENIED and shared in (one, other)
        return (alike >= COMPARABLE or is_whole) and set(first.numbers) == set(second.numbers)
    if _other_numbers(first, second):
        # "Service 1: port 9001" and "service 2: port 9002" are two things, as are unit and integration tests.
        return _is_one_number(first, second) and not apart and alike >= ALIKE
    if first.numbers != second.numbers and set(first.numbers) != set(second.numbers):
        return False
    if _opposed(one - other, other - one):
        return not shared & _INCLUSIVE and len(one ^ other) <= 3 and bool(shared)  # noqa: PLR2004 - the two, and one more
    return _other_object(first, second)


def _other_numbers(first: Statement, second: Statement) -> bool:
    """Whether each has a number that the other lacks."""
    one, other = set(first.numbers), set(second.numbers)
    return bool(one - other and other - one)


def _is_one_number(first: Statement, second: Statement) -> bool:
    one, other = set(first.numbers), set(second.numbers)
    return len(one - other) == len(other - one) == 1


def _are_forms(one: set[str], other: set[str]) -> bool:
    """Whether what differs is forms of the same words, where no ending of theirs is known: "lange", "langen"."""
    return all(any(word[:_STEM] == against[:_STEM] and len(word) >= _STEM for against in other) for word in one)


def _opposed(one: set[str], other: set[str]) -> bool:
    """Whether a word of the one excludes a word of the other."""
    return any(exclude_each_other(word, against) for word in one for against in other)


def exclude_each_other(word: str, against: str) -> bool:
    """Whether two roots are opposites, or alternatives of the same family."""
    return (word, against) in _OPPOSITES or _FAMILY_OF.get(word, 0) == _FAMILY_OF.get(against, -1)


def _other_object(first: Statement, second: Statement) -> bool:
    """Whether they are the same sentence but for what stands after a verb that takes one thing at a time.

    "The staging server is called falcon" and "… heron"; not "the user likes tea" and "… hiking".
    """
    places = SequenceMatcher(None, first.words, second.words, autojunk=False).get_opcodes()
    changes = [each for each in places if each[0] != "equal"]
    if len(changes) != 1 or changes[0][0] != "replace":
        return False
    _, begin, end, other_begin, other_end = changes[0]
    if begin == 0 or end - begin > 2 or other_end - other_begin > 2:  # noqa: PLR2004 - the subject, or another sentence
        return False
    before, after = set(first.words[:begin]), first.words[end:]
    if before & _ENOUGH_ALONE:
        return True
    if before & _SINGULAR:
        return bool(before - _SINGULAR - _OF_ALL)
    return after[:1] == ("for",) and bool(before & _USING)


def roots(words: Iterable[str]) -> frozenset[str]:
    """The roots of all of them."""
    return frozenset(root(word) for word in words)


_SINGULAR, _ENOUGH_ALONE, _INCLUSIVE = roots(SINGULAR_VERBS), roots(ENOUGH_ALONE), roots(INCLUSIVE_VERBS)
_USING, _OF_ALL, _ANYWHERE = roots(USING), roots(SUBJECTS_OF_ALL), roots(QUALITIES)
_OPPOSITES = {pair for one, other in OPPOSITES for pair in ((root(one), root(other)), (root(other), root(one)))}
_FAMILY_OF = {root(word): number for number, family in enumerate(FAMILIES, 1) for word in family.split()}
