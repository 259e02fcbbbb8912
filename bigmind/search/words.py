"""Words for the full-text index: parts of identifiers, pieces of scripts without blanks, and safe queries.

The index's tokenizer (FTS5 `unicode61`) splits at anything that is neither a letter nor a digit, so `user_id`, `a.b.c`
and `src/app/main.py` fall apart by themselves. What it leaves whole, `getUserById`, `utf8mb4` or a Chinese sentence, is
split here: into a column of its own when text is stored, and in the same way when it is looked for.
"""

import re
import unicodedata
from collections.abc import Iterator
from itertools import chain, islice, pairwise

MOST_TERMS = 5_000
"""Extra terms kept for one text: a megabyte of base64 must not become a megabyte of terms."""

MOST_QUERY_TERMS = 64
MOST_SCANNED = 20_000
"""Characters of a text that are searched for a good excerpt."""
LONGEST_TERM = 100

_RUN = re.compile(r"[^\W_]+")
# Scripts written without blanks between words: kana, Han, Hangul, Thai, Lao, Khmer, Burmese.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
    "\U00020000-\U0003ffff]+"
)

_ENDINGS = "ations?|ates?|ated|ating|ings?|ions?|edly|ies|ied|ers?|ed|es|ly|s|e|y"
# Letters without their marks, one for one, as the index folds them (`remove_diacritics 2`).
_BARE = {
    code: bare
    for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))
    if (bare := unicodedata.normalize("NFD", chr(code))[0]).isascii()
}

STOP_WORDS = frozenset(
    [
        "a",
        "about",
        "am",
        "an",
        "and",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "me",
        "my",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "should",
        "so",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "who",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)
"""English words that say nothing of what is looked for; dropping them from the query lifted any@5 from 55 to 61 of 100
on LoCoMo (facts/search.md). They stay in the index."""


def index_terms(text: str) -> str:
    """What of `text` the tokenizer would not find by its parts, as words for a column beside it. Empty for prose."""
    found: dict[str, None] = {}
    for term in _extra_terms(text):
        found[term] = None
        if len(found) == MOST_TERMS:  # a megabyte of Chinese has a million pairs
            break
    return " ".join(found)


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
    for unspaced in _UNSPACED.finditer(run):
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


def query_terms(query: str) -> list[str]:
    """The distinct words of a query and the parts of its identifiers; stop words only when there is nothing else."""
    found: dict[str, None] = {}
    for match in _RUN.finditer(query):
        run = match.group()
        for term in (run.lower(), *_parts(run)):
            if len(term) <= LONGEST_TERM:
                found[term] = None
        if len(found) >= MOST_QUERY_TERMS * 2:
            break
    telling = [term for term in found if term not in STOP_WORDS]
    return (telling or list(found))[:MOST_QUERY_TERMS]


def match_expression(terms: list[str]) -> str:
    """An FTS5 expression that finds any of the terms. Each is quoted, so no text can be an operator."""
    return " OR ".join(f'"{term}"*' if _UNSPACED.fullmatch(term) else f'"{term}"' for term in terms)


def excerpt(text: str, terms: list[str], width: int = 240) -> str:
    """The stretch of `text` around its first hits, on one line, hits between `**`.

    Args:
        text: the whole text.
        terms: what was looked for, as from `query_terms`.
        width: about how many characters to return.
    """
    if len(text) > MOST_SCANNED:
        return _excerpt_of_long(text, terms, width)
    plain, pattern = text.translate(_BARE), _marking(terms)
    hits = [match.span() for match in islice(pattern.finditer(plain), 50)] if terms else []
    start = _best_start(hits, width) if hits else 0
    start = max(0, min(start - width // 6, len(text) - width))
    marked = window = text[start : start + width]
    for match in reversed([*pattern.finditer(plain[start : start + width])] if hits else []):
        first, last = match.span()
        marked = f"{marked[:first]}**{window[first:last]}**{marked[last:]}"
    before = "…" if start > 0 else ""
    after = "…" if start + width < len(text) else ""
    return before + " ".join(marked.split()) + after


def _excerpt_of_long(text: str, terms: list[str], width: int) -> str:
    """As `excerpt`, from the part around the first place where a term stands as it is.

    One search may not hold the interpreter while a pattern walks through a megabyte.
    """
    lower = text.lower()
    # Lower-casing may change the length of rare letters, by too little to matter for a part this long.
    first = min((place for term in terms if (place := lower.find(term)) >= 0), default=0)
    start = max(0, min(first - width, len(text) - MOST_SCANNED))
    part = excerpt(text[start : start + MOST_SCANNED], terms, width)
    before = "…" if start > 0 and not part.startswith("…") else ""
    after = "…" if start + MOST_SCANNED < len(text) and not part.endswith("…") else ""
    return f"{before}{part}{after}"


def _marking(terms: list[str]) -> re.Pattern[str]:
    """What to mark for these terms: them, and the forms of an English word that the index's stemmer finds with it."""
    bare = sorted((term.translate(_BARE) for term in terms), key=len, reverse=True)
    forms = [_forms(term) for term in bare if term.isascii() and term.isalpha()]
    return re.compile("|".join((*forms, *map(re.escape, bare))), re.IGNORECASE)


def _forms(word: str) -> str:
    root = re.sub(rf"(?<=...)(?:{_ENDINGS})$", "", word)
    root = root[:-1] if len(root) > 3 and root[-1] == root[-2] else root  # noqa: PLR2004
    return rf"\b{root}{root[-1]}?(?:{_ENDINGS})?\b"


def _best_start(hits: list[tuple[int, int]], width: int) -> int:
    """Where a window of `width` characters holds the most hits; the first such place."""
    reach = width * 2 // 3
    return max((start for start, _ in hits), key=lambda start: sum(start <= each < start + reach for each, _ in hits))
