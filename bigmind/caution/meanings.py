"""Orders to a later reader in many languages, by what words of one sentence mean together.

Grammar is left out: whoever forgets, earlier and instructions are in one sentence of one language, it is flagged. Words
are found by their beginnings, in `vocabulary.py`; where a language sets no blanks, anywhere in a sentence.
Every step is linear in the length of the text.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from enum import IntFlag
from functools import cache, lru_cache

from bigmind.caution.disguises import unmasked
from bigmind.caution.vocabulary import SPACED, UNSPACED
from bigmind.text.lazy_pattern import lazy_pattern


class Meaning(IntFlag):
    """What a word means to an order."""

    DISREGARD = 1
    INSTRUCTIONS = 2
    PRIOR = 4
    FOLLOW = 8
    THIS_TEXT = 16
    ONLY = 32
    NOT = 64
    SAY = 128
    USER = 256
    HIDE = 512
    ACCEPT = 1024
    EVERYTHING = 2048
    WITHOUT = 4096
    ASKING = 8192
    SEND = 16384
    SECRET = 32768
    CALL = 65536


_LETTERS: Mapping[str, Meaning] = dict(zip("DIPFTONSUHAEWQXKC", Meaning, strict=True))
_M = Meaning
_TOGETHER = (
    ("override", int(_M.DISREGARD | _M.INSTRUCTIONS | _M.PRIOR)),
    ("override", int(_M.DISREGARD | _M.INSTRUCTIONS | _M.FOLLOW | _M.THIS_TEXT)),
    ("override", int(_M.DISREGARD | _M.FOLLOW | _M.ONLY | _M.THIS_TEXT)),
    ("secrecy", int(_M.NOT | _M.SAY | _M.USER | _M.THIS_TEXT)),
    ("secrecy", int(_M.HIDE | _M.USER | _M.THIS_TEXT)),
    ("authority", int(_M.ACCEPT | _M.EVERYTHING | _M.WITHOUT | _M.ASKING)),
)
_PLACE = lazy_pattern(r"https?://|\b[\w-]{1,63}\.(?:com|net|org|io|ru|cn|tk|xyz|info|example)\b|\w@\w")
_TOOL = lazy_pattern(r"\b(?:memory|work)_[a-z]")
_SECRET = lazy_pattern(r"\.env\b|\b(?:tokens?|api|password|id_rsa|ssh)\b")

_SENTENCE = lazy_pattern(r"[.!?;\u061f\u037e](?=\s|$)|[\n\u3002\uff01\uff1f\u0964\u06d4\u0589\u1362\u104b\u17d4]")
_WORD = lazy_pattern(
    r"[^\s.,;:!?()\[\]{}<>\"'`\u2018\u2019\u201c-\u201e\u00ab\u00bb\u2026/\u3001-\u3002\u060c\u0964\u06d4\u055d_*#"
    r"|+=-]{1,40}"
)
_POINTS = lazy_pattern("[\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_AFFIXED = lazy_pattern("[\u0590-\u06ff]")
"""Scripts whose languages write article and conjunction before the word, without a blank."""

LONGEST_AFFIX = 3
_MARKED = lazy_pattern("[\u0590-\u06ff\u0900-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
"""Scripts whose words are cut elsewhere by `disguises.words_of`."""

LONGEST_WHOLE = 3
"""Letters of a word that counts as a whole only; more would be the beginning of too many."""

_ALPHABETIC = lazy_pattern("[a-z\u0370-\u052f]")
_CONTINUOUS = lazy_pattern("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_CALL, _SEND, _SECRETS = int(_M.CALL), int(_M.SEND), int(_M.SECRET)
_VERB = int(_M.DISREGARD | _M.FOLLOW | _M.SAY | _M.HIDE | _M.ACCEPT | _M.SEND | _M.CALL)


def meant(plain: str, words: AbstractSet[str]) -> Iterator[str]:
    """The names of what is found.

    Args:
        plain: a text as `disguises.unmasked` leaves it.
        words: those of the text.
    """
    has_marks = not plain.isascii() and _MARKED.search(plain) is not None
    verbs = _verbs(plain, _parted(words))
    if not (has_marks or verbs):
        return
    if has_marks:
        plain = _POINTS.sub("", plain)
    for sentence in _SENTENCE.split(plain):
        is_marked = has_marks and not sentence.isascii() and _MARKED.search(sentence) is not None
        if is_marked or any(verb in sentence for verb in verbs):
            yield from _names(sentence, _together(_WORD.findall(sentence)))
        if is_marked and _CONTINUOUS.search(sentence):
            yield from _names(sentence, _parts(sentence))


def _verbs(plain: str, words: AbstractSet[str]) -> list[str]:
    """The words that a sentence must hold to be an order, in languages of which the text holds all that makes one."""
    spoken = {
        language
        for language, held in _together(words).items()
        if next(_names(plain, {language: held}), None) is not None
    }
    if not spoken:
        return []
    return [word for word in words if any(each in spoken and held & _VERB for each, held in _of_word(word))]


def _parted(words: AbstractSet[str]) -> AbstractSet[str]:
    """The words, with those apart that an apostrophe joins: "l'utilisateur"."""
    return words | {part for word in words if "'" in word for part in word.split("'")}


def _together(words: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        for language, meaning in _of_word(word):
            found[language] = found.get(language, 0) | meaning
    return found


def _names(sentence: str, meanings: Mapping[str, int]) -> Iterator[str]:
    for held in meanings.values():
        yield from (name for name, together in _TOGETHER if held & together == together)
        if held & _CALL and _TOOL.search(sentence):
            yield "tool_call"
        if held & _SEND and (held & _SECRETS or _SECRET.search(sentence)) and _PLACE.search(sentence):
            yield "exfiltration"


@lru_cache(maxsize=1 << 13)
def _of_word(word: str) -> tuple[tuple[str, int], ...]:
    """What a word means, by language."""
    beginnings = _beginnings()
    found: dict[str, int] = {}
    is_alphabetic = _ALPHABETIC.match(word) is not None
    offsets = range(LONGEST_AFFIX + 1) if _AFFIXED.match(word) else range(1)
    for offset in offsets:
        for end in range(offset + 1, len(word) + 1):
            if end <= LONGEST_WHOLE and end < len(word) and is_alphabetic:
                continue
            for language, meaning in beginnings.get(word[offset:end], ()):
                found[language] = found.get(language, 0) | meaning
    return tuple(found.items())


@cache
def _beginnings() -> dict[str, tuple[tuple[str, int], ...]]:
    found: dict[str, tuple[tuple[str, int], ...]] = {}
    for language, meaning, word in _entries(SPACED):
        found[word] = (*found.get(word, ()), (language, meaning))
    return found


def _parts(sentence: str) -> dict[str, int]:
    found: dict[str, int] = {}
    for language, meaning, pattern in _patterns():
        if pattern.search(sentence):
            found[language] = found.get(language, 0) | meaning
    return found


@cache
def _patterns() -> tuple[tuple[str, int, re.Pattern[str]], ...]:
    words: dict[tuple[str, int], list[str]] = {}
    for language, meaning, word in _entries(UNSPACED):
        words.setdefault((language, meaning), []).append(re.escape(word))
    return tuple((*key, re.compile("|".join(each))) for key, each in words.items())


def _entries(table: str) -> Iterator[tuple[str, int, str]]:
    for line in table.strip().replace("\n  ", " ").splitlines():
        language, _, rest = line.partition(" ")
        meaning = _M(0)
        for piece in rest.split():
            letter, colon, word = piece.partition(":")
            if colon:
                meaning = _LETTERS[letter]
            yield language, int(meaning), _POINTS.sub("", unmasked(word if colon else piece))
