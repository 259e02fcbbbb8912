"""Texts that stand within a text in another writing: codes, ciphers, turned letters, words without gaps.

Each is read only where something says that it is there, and every step is linear in the length of the text.
"""

import base64
import binascii
import codecs
import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import islice

from bigmind.text.lazy_pattern import lazy_pattern

MOST_CODED = 50
"""Pieces of a text that are tried as base64, or as bytes written in hexadecimal."""

LONGEST_CODED = 4_000
LEAST_READABLE = 0.9
LONGEST_RUN = 1_000
"""Letters without a gap that are taken apart."""

_BASE64 = lazy_pattern(r"[A-Za-z0-9+/_-]{24,}={0,2}")
# What stands before it is looked at behind its first digit: a pattern that begins with a digit skips to the next one.
_HEXADECIMAL = lazy_pattern(r"[2-7](?<![0-9A-Fa-f].)[0-9A-Fa-f][ :,]?(?:[2-7][0-9A-Fa-f][ :,]?){11,}")
_ESCAPE = lazy_pattern(
    r"\\u\{?([0-9A-Fa-f]{2,6})\}?|\\x([0-9A-Fa-f]{2})|U\+([0-9A-Fa-f]{4,6})[ ,;]?"
    r"|0x([0-9A-Fa-f]{2})[ ,;]{1,2}|\\([01][0-7]{2})"
)
LEAST_ESCAPES = 6
_HIGHEST = 0x10FFFF

_TELLTALE = (
    *("ignore", "disregard", "forget", "previous", "earlier", "instructions", "rules", "prompt", "system", "memories"),
    *("everything", "reveal", "delete", "send", "tokens", "without", "asking", "approve", "follow", "user", "note"),
)
_ROTATED = frozenset(codecs.encode(word, "rot13") for word in _TELLTALE)
_REVERSED = frozenset(word[::-1] for word in _TELLTALE)
LEAST_FOREIGN = 2
"""Words of a cipher that are no chance; "resu" and "eton" alone may be names."""

_TURNED = str.maketrans(
    "\u0250\u0254\u01dd\u025f\u0183\u0265\u1d09\u027e\u029e\u026f\u0279\u0287\u028c\u028d\u028e", "acefghijkmrtvwy"
)
_TURNED_LETTER = lazy_pattern(
    "[\u0250\u0254\u01dd\u025f\u0183\u0265\u1d09\u027e\u029e\u026f\u0279\u0287\u028c\u028d\u028e]"
)
_MIRRORED = str.maketrans("bdpqnu", "qpdbun")
LEAST_TURNED = 4

_DOUBLED = lazy_pattern(r"(?:([a-z])\1){4,}$")
_TRIPLED = lazy_pattern(r"(?:([a-z])\1\1){4,}$")
_TAG = lazy_pattern(r"</?[a-z]{1,6}>")
LEAST_TAGS = 6
_CUT = lazy_pattern(r"(?<=[a-z])-\n[ \t]{0,8}(?=[a-z])")
_SIGNED = lazy_pattern(r"(?<![\w@$!.])(?=\w{0,12}[@$!])[\w@$!]{3,24}(?![\w@.])")
_SIGNS = str.maketrans("@$!013457", "asioieast")
SHORTEST_RUN = 8
_RUN = lazy_pattern(r"[a-z]{14,}")
_SHORT = frozenset(
    (
        "a",
        "an",
        "the",
        "to",
        "of",
        "in",
        "is",
        "it",
        "on",
        "at",
        "by",
        "me",
        "my",
        "we",
        "up",
        "and",
        "or",
        "for",
        "be",
        "do",
        "no",
        "if",
        "so",
        "us",
    )
)


def decoded(text: str, plain: str, words: AbstractSet[str], vocabulary: AbstractSet[str]) -> Iterator[str]:
    """What else can be read in a text.

    Args:
        text: as it is stored.
        plain: the same as `disguises.unmasked` leaves it.
        words: those of the plain text.
        vocabulary: the words that are looked for; letters without gaps are taken apart into those.
    """
    yield from _of_bytes(text)
    if ("\\" in text or "U+" in text or "0x" in text) and _ESCAPE.search(text):
        unescaped, count = _ESCAPE.subn(_character, text)
        if count >= LEAST_ESCAPES:
            yield unescaped
    yield from _of_ciphers(text, plain, words)
    yield from _of_letters(plain)
    long = [word for word in words if len(word) >= SHORTEST_RUN]
    if long:
        stretched = [word for word in long if word[0] == word[1]]
        if any(_DOUBLED.match(word) for word in stretched):
            yield re.sub(r"([a-z])\1", r"\1", plain)
        if any(_TRIPLED.match(word) for word in stretched):
            yield re.sub(r"([a-z])\1\1", r"\1", plain)
        yield from _of_runs(plain, vocabulary)


def _of_bytes(text: str) -> Iterator[str]:
    for piece in islice(_BASE64.finditer(text), MOST_CODED):
        coded = piece.group()[:LONGEST_CODED].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            yield from _readable(base64.b64decode(coded + "=" * (-len(coded) % 4), validate=True))
        except (binascii.Error, ValueError):
            continue
    for piece in islice(_HEXADECIMAL.finditer(text), MOST_CODED):
        yield from _readable(bytes.fromhex(re.sub("[^0-9A-Fa-f]", "", piece.group())[:LONGEST_CODED]))


def _readable(coded: bytes) -> Iterator[str]:
    plain = coded.decode("utf-8", "replace")
    if " " in plain and sum(map(str.isprintable, plain)) >= LEAST_READABLE * len(plain):
        yield plain


def _character(found: re.Match[str]) -> str:
    *hexadecimal, octal = found.groups()
    code = int(octal, 8) if octal else int(next(filter(None, hexadecimal)), 16)
    return chr(code) if code <= _HIGHEST else " "


def _of_ciphers(text: str, plain: str, words: AbstractSet[str]) -> Iterator[str]:
    if len(_ROTATED & words) >= LEAST_FOREIGN:
        yield codecs.decode(plain, "rot13")
    if len(_REVERSED & words) >= LEAST_FOREIGN:
        yield plain[::-1]
        yield " ".join(word[::-1] for word in plain.split())
    if not text.isascii() and _are_some(_TURNED_LETTER.finditer(text), LEAST_TURNED):
        turned = text.casefold().translate(_MIRRORED).translate(_TURNED)
        yield turned[::-1]
        yield turned


def _of_letters(plain: str) -> Iterator[str]:
    if "<" in plain and _are_some(_TAG.finditer(plain), LEAST_TAGS):
        yield _TAG.sub("", plain)
    if "-\n" in plain and _CUT.search(plain):
        yield _CUT.sub("", plain)
    if any(sign in plain for sign in "@$!") and _are_some(_SIGNED.finditer(plain), LEAST_FOREIGN):
        yield _SIGNED.sub(lambda found: found.group().translate(_SIGNS), plain)


def _of_runs(plain: str, vocabulary: AbstractSet[str]) -> Iterator[str]:
    for run in islice(_RUN.finditer(plain), MOST_CODED):
        letters = run.group()[:LONGEST_RUN]
        if any(word in letters for word in _TELLTALE) and (words := _taken_apart(letters, vocabulary)):
            yield words


def _taken_apart(letters: str, vocabulary: AbstractSet[str]) -> str:
    """The fewest words that the letters are made of; empty when they are not."""
    longest = 14
    best: list[tuple[int, int] | None] = [(0, 0), *[None] * len(letters)]  # words so far, and where the last began
    for end in range(1, len(letters) + 1):
        for start in range(max(0, end - longest), end):
            reached, word = best[start], letters[start:end]
            if reached is None or not (word in _SHORT or (len(word) > 2 and word in vocabulary)):  # noqa: PLR2004
                continue
            if (now := best[end]) is None or reached[0] + 1 < now[0]:
                best[end] = (reached[0] + 1, start)
    words: list[str] = []
    end = len(letters)
    while end and (reached := best[end]):
        words.append(letters[reached[1] : end])
        end = reached[1]
    return "" if end else " ".join(reversed(words))


def _are_some(found: Iterable[object], least: int) -> bool:
    return sum(1 for _ in islice(found, least)) == least
