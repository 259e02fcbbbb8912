"""Words for the full-text index: parts of identifiers, pieces of scripts without blanks, and safe queries.

The index's tokenizer (FTS5 `unicode61`) splits at anything that is neither a letter nor a digit, so `user_id`, `a.b.c`
and `src/app/main.py` fall apart by themselves. What it leaves whole, `getUserById`, `utf8mb4` or a Chinese sentence, is
split here: into a column of its own when text is stored, and in the same way when it is looked for.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain, islice, pairwise

from bigmind.text.stop_words import stop_words

MOST_TERMS = 5_000
"""Extra terms kept for one text: a megabyte of base64 must not become a megabyte of terms."""

MOST_QUERY_TERMS = 64
LONGEST_TERM = 100

_RUN = re.compile(r"[^\W_]+")
# Scripts written without blanks between words: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)

_CONTRACTED = re.compile("(?<=[^\\W_]['\u2019])(?:s|t|d|m|ll|re|ve)\\b", re.IGNORECASE)

_SIGN_CATEGORIES = frozenset({"So", "Sm"})
_REPLACED = "\ufffd"
"""What stands where a text held no character."""
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_SIGN = "zsign"
_SIGN_TERM = re.compile(rf"{_SIGN}((?:[0-9a-f]{{5}}){{1,2}})")

# Letters without their marks, one for one, as the index folds them (`remove_diacritics 2`).
BARE = {
    code: bare
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    if (bare := unicodedata.normalize("NFD", chr(code))[0]).isascii()
}
_NO_MARKS = {**BARE, **dict.fromkeys(range(0x300, 0x370))}


def index_terms(text: str) -> str:
    """What of `text` the tokenizer would not find by its parts, as words for a column beside it. Empty for prose."""
    return _joined(chain(_extra_terms(text), sign_terms(text)))


def part_terms(text: str) -> str:
    """The same without its signs: the parts of its words."""
    return _joined(_extra_terms(text))


def _joined(terms: Iterator[str]) -> str:
    found: dict[str, None] = {}
    for term in terms:
        found[term] = None
        if len(found) == MOST_TERMS:  # a megabyte of Chinese has a million pairs
            break
    return " ".join(found)


def sign_terms(text: str) -> Iterator[str]:
    """The distinct signs of a text as words, for the tokenizer leaves them out: `🚀` as `zsign1f680`; a flag is one."""
    if text.isascii():
        return
    flags = dict.fromkeys(_FLAG.findall(text))
    for sign in (*flags, *dict.fromkeys(_FLAG.sub("", text) if flags else text)):
        if sign in flags or is_sign(sign):
            yield _SIGN + "".join(f"{ord(each):05x}" for each in sign)


def is_sign(character: str) -> bool:
    """Whether it is neither letter, digit nor punctuation: an emoji, a tick, an arrow, a sign of mathematics."""
    return not character.isascii() and character != _REPLACED and unicodedata.category(character) in _SIGN_CATEGORIES


def as_written(term: str) -> str:
    """A term as it stands in texts: a sign's as the sign, any other as it is."""
    if not term.startswith(_SIGN) or (match := _SIGN_TERM.fullmatch(term)) is None:
        return term
    return "".join(chr(int(match[1][at : at + 5], 16)) for at in range(0, len(match[1]), 5))


def _extra_terms(text: str) -> Iterator[str]:
    for match in _RUN.finditer(text):
        run = match.group()
        # Prose, the usual case, costs one test: lower or capitalised ASCII letters have no parts.
        if run.isascii() and run.isalpha() and (run.islower() or run[1:].islower() or run.isupper()):
            continue
        yield from _parts(run)


def _parts(run: str) -> Iterator[str]:
    """The parts of one run of letters and digits; nothing when it has only one."""
    pieces = _pieces(run)
    first = list(islice(pieces, 2))
    if len(first) > 1:
        yield from (piece.lower() for piece in chain(first, pieces) if len(piece) <= LONGEST_TERM)


def _pieces(run: str) -> Iterator[str]:
    rest_start = 0
    for unspaced in UNSPACED.finditer(run):
        yield from _word_parts(run[rest_start : unspaced.start()])
        rest_start = unspaced.end()
        characters = unspaced.group()
        yield from (first + second for first, second in pairwise(characters))
        # The last character alone, so that each character begins some term and a prefix finds it.
        yield characters[-1]
    yield from _word_parts(run[rest_start:]) if rest_start else _cased_parts(run)


def _word_parts(word: str) -> Iterator[str]:
    """A word that stands between characters of such a script, and its parts: to the tokenizer it is no word."""
    if word:
        yield from dict.fromkeys((word, *_cased_parts(word)))


def _cased_parts(run: str) -> Iterator[str]:
    """`HTTPServerError2` as HTTP, Server, Error, 2.

    Split where the case rises, before the last capital of a row, and between letters and digits.
    """
    start = 0
    for here in range(1, len(run)):
        before, after = run[here - 1], run[here]
        rises = after.isupper() and (before.islower() or (before.isupper() and run[here + 1 : here + 2].islower()))
        if rises or before.isdigit() != after.isdigit():
            yield run[start:here]
            start = here
    if run:
        yield run[start:]


def folded(text: str) -> str:
    """`text` without case and without marks on its letters, as the indexes see it."""
    return text.lower() if text.isascii() else text.lower().translate(_NO_MARKS)


def query_terms(query: str) -> list[str]:
    """The distinct words of a query and the parts of its identifiers; stop words only when there is nothing else.

    Parts of a single character, as of `S3` and `0xcafe`, are not looked for: they stand everywhere. Nor is the `s` of
    `Ada's`. Signs are only where there are no words: beside them they adorn, and what lacks them answers as well.
    """
    found: dict[str, None] = {}
    # A mark that stands by itself behind its letter (macOS writes so) would split the word in two.
    for match in _RUN.finditer(_CONTRACTED.sub(" ", unicodedata.normalize("NFC", query))):
        run = match.group()
        for term in (run.lower(), *(part for part in _parts(run) if len(part) > 1 or not run.isascii())):
            if len(term) <= LONGEST_TERM:
                found[term] = None
        if len(found) >= MOST_QUERY_TERMS * 2:
            break
    useless = stop_words(found)
    telling = [term for term in found if term not in useless]
    return (telling or list(found) or list(islice(sign_terms(query), MOST_QUERY_TERMS)))[:MOST_QUERY_TERMS]


def match_expression(terms: Sequence[str]) -> str:
    """An FTS5 expression that finds any of the terms. Each is quoted, so no text can be an operator."""
    return " OR ".join(f'"{term}"*' if UNSPACED.fullmatch(term) else f'"{term}"' for term in terms)
