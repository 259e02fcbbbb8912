"""Excerpts: the stretch of a text that answers, on one line, with what was looked for between `**`."""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from bigmind.text.small_letters import small_letters
from bigmind.text.word_edges import is_edge, stands_in, whole
from bigmind.text.word_matches import matches
from bigmind.text.words import UNSPACED, as_written

WIDTH = 240
MOST_SCANNED = 20_000
"""Characters of a text that are searched for a good excerpt."""
MOST_HITS = 50
SHORT = 2_000
"""Up to how many characters a text is looked through as it is, whatever stands in it how often."""
LEAST_OF_NUMBER = 6
"""Characters of a word with digits that means one thing, at least."""
MOST_JOINED = 64
"""Characters that are taken for one sign, at most: letters can carry hundreds of marks."""
LONGEST_SENTENCE = 200
LONGEST_WORD = 24
"""Characters that are left out at an end of an excerpt, at most, so that no part of a word stands there."""

_SENTENCE = re.compile(r"[.!?]\s+|\n|[。！？]")
_JOINER = "\u200d"
# A mark holds no blank at its ends, so that `2 ** 3` in a stored text is none.
_MARK = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
"""What is read as marked, also where the text itself has it in bold."""


@dataclass(frozen=True, slots=True)
class SearchedWords:
    """What was looked for: words as from `query_terms`, and pieces that may stand inside words."""

    terms: Sequence[str]
    inside: Sequence[str] = ()

    @property
    def written(self) -> list[str]:
        """The words, and signs, as they stand in texts."""
        return list(map(as_written, self.terms))


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A stretch of a text on one line, and what of it is marked: distinct, as it is written there, in its order."""

    text: str
    marked: list[str] = field(default_factory=list[str])


def excerpt(text: str, sought: SearchedWords, near: tuple[int, int] | None = None, width: int = WIDTH) -> Excerpt:
    """The stretch of `text` with the most hits; without any, what stands at `near`; else the beginning.

    Args:
        text: the whole text.
        sought: what was looked for.
        near: where that is which means what was asked for, when it is known.
        width: about how many characters to return.
    """
    first, last = _scanned(text, sought, near)
    part = text[first:last]
    hits = _spans(sought, part)
    wanted = first + _best_start(part, hits, width) - width // 6 if hits else _sentence_start(text, near)
    start = _apart(text, max(first, min(wanted, last - width)))
    found = [(a + first, b + first) for a, b in hits]
    start, stop = _completed(found, start, _apart(text, min(start + width, last)), width // 4)
    start, stop = _of_whole_words(text, found, start, stop, min(LONGEST_WORD, width // 6))
    # Of a hit that is longer than the window a part is better than nothing; beside others it would be a false word.
    inner = [(a, b) for a, b in found if start <= a and b <= stop] or [
        (max(a, start), min(b, stop)) for a, b in found if a < stop and b > start
    ]
    told = _marked(text, start, stop, inner)
    marked = list(dict.fromkeys(" ".join(text[a:b].split()).casefold() for a, b in inner))
    return Excerpt(f"{'…' if start > 0 else ''}{told}{'…' if stop < len(text) else ''}", marked)


def _scanned(text: str, sought: SearchedWords, near: tuple[int, int] | None) -> tuple[int, int]:
    """The part of a text that is looked through: one search may not walk through a megabyte with a pattern."""
    if len(text) <= SHORT:
        return 0, len(text)
    lower = small_letters(text)
    anything = (*sought.inside, *sought.written)
    if (number := _place_of_number(lower, sought.written)) is not None:
        start = max(0, number - WIDTH)
        return start, min(start + MOST_SCANNED, len(text))
    if len(text) <= MOST_SCANNED:
        return 0, len(text)
    if near is not None and any(lower.find(each, *near) >= 0 for each in anything):
        first = near[0]
    else:
        places = (place for each in anything if (place := lower.find(each)) >= 0)
        first = min(places, default=near[0] if near else 0)
    start = max(0, min(first - WIDTH, len(text) - MOST_SCANNED))
    return start, start + MOST_SCANNED


def _place_of_number(lower: str, words: Sequence[str]) -> int | None:
    """Where the rarest word with a digit stands first: of the lines of a log, that with the id is meant."""
    numbers = [each for each in words if len(each) >= LEAST_OF_NUMBER and any(map(str.isdigit, each))]
    standing = [each for each in numbers if each in lower]
    return lower.find(min(standing, key=lower.count)) if standing else None


def _spans(sought: SearchedWords, part: str) -> list[tuple[int, int]]:
    """Where something sought stands, in whole words or parts of identifiers; what touches is one."""
    spans: list[tuple[int, int]] = []
    for match in islice(matches(part, sought.written, sought.inside), MOST_HITS):
        start, stop = match.start, _apart(part, match.stop)
        if match.is_piece:
            start, stop = whole(part, start, stop) if stands_in(part, start, stop) else (0, 0)
        elif not (is_edge(part, start) and is_edge(part, stop)):
            continue
        if spans and start <= spans[-1][1]:
            spans[-1] = (spans[-1][0], max(stop, spans[-1][1]))
        elif stop > start:
            spans.append((start, stop))
    return spans


def _best_start(part: str, hits: Sequence[tuple[int, int]], width: int) -> int:
    """Where a window of `width` characters holds the most words, then the most hits; the first such place."""
    reach, first = width * 2 // 3, hits[0][0]
    if hits[-1][0] < first + reach:  # a window from there holds all, as in most texts
        return first
    starts, words = [start for start, _ in hits], [part[start:stop].casefold() for start, stop in hits]

    def held(place: int) -> tuple[int, int]:
        inside = words[place : bisect_left(starts, starts[place] + reach)]
        return len({*inside}), len(inside)

    return starts[max(range(len(starts)), key=held)]


def _completed(hits: Sequence[tuple[int, int]], start: int, stop: int, most: int) -> tuple[int, int]:
    """The window, wider by up to `most` characters at each end where that makes a hit whole."""
    first = next((a for a, b in hits if a < start < b and start - a <= most), start)
    last = next((b for a, b in hits if a < stop < b and b - stop <= most), stop)
    return first, last


def _of_whole_words(text: str, hits: Sequence[tuple[int, int]], start: int, stop: int, most: int) -> tuple[int, int]:
    """The window without the part of a word at either end, where a blank is near; a hit stays as it is."""
    if _is_in_word(text, start):
        kept = min((max(a, start) for a, b in hits if b > start), default=stop)
        blank = next((at for at in range(start, min(start + most, kept, stop)) if text[at].isspace()), None)
        start = start if blank is None else blank + 1
    if _is_in_word(text, stop):
        kept = max((min(b, stop) for a, b in hits if a < stop), default=start)
        blank = next((at for at in range(stop - 1, max(stop - most, kept, start) - 1, -1) if text[at].isspace()), None)
        stop = stop if blank is None else blank
    return start, stop


def _is_in_word(text: str, at: int) -> bool:
    """Whether a place parts what blanks part elsewhere in a text; never in a script that has none."""
    if not 0 < at < len(text) or text[at - 1].isspace() or text[at].isspace():
        return False
    around = text[at - 1 : at + 1]
    return around.isascii() or UNSPACED.search(around) is None


def _sentence_start(text: str, near: tuple[int, int] | None) -> int:
    """Where the sentence begins that a stretch begins in; the stretch itself, when that is far before it."""
    if near is None:
        return 0
    before = max(0, near[0] - LONGEST_SENTENCE)
    ends = [match.end() for match in _SENTENCE.finditer(text, before, near[0])]
    if ends:
        return ends[-1]
    return 0 if before == 0 else near[0]


def _marked(text: str, start: int, stop: int, spans: Iterable[tuple[int, int]]) -> str:
    bold = [each.span() for each in _MARK.finditer(text, start, stop)] if "**" in text else []

    def parts() -> Iterator[str]:
        here = start
        for first, last in spans:
            yield text[here:first]
            # What the text has in bold is read as marked already; marks within it would end it.
            is_marked = any(begin < first and last < end for begin, end in bold)
            yield text[first:last] if is_marked else f"**{text[first:last]}**"
            here = last
        yield text[here:stop]

    return " ".join("".join(parts()).split())


def _apart(text: str, at: int) -> int:
    """The first place from `at` on where two signs meet: no letter is cut from its marks, no emoji in two."""
    if at < len(text) and text[at].isascii():  # as nearly everywhere
        return at
    for place in range(at, min(at + MOST_JOINED, len(text))):
        if place == 0 or not _is_joined(text, place):
            return place
    return min(at, len(text)) if at + MOST_JOINED <= len(text) else len(text)


def _is_joined(text: str, at: int) -> bool:
    """Whether the character there belongs to the one before."""
    before, here = text[at - 1], text[at]
    if here.isascii() or before.isspace():
        return False
    if _JOINER in {here, before} or "\U0001f3fb" <= here <= "\U0001f3ff":
        return True
    if "\U0001f1e6" <= here <= "\U0001f1ff":  # two make a flag
        flags = re.search("[\U0001f1e6-\U0001f1ff]*$", text[max(0, at - MOST_JOINED) : at])
        return flags is not None and len(flags.group()) % 2 == 1
    return unicodedata.category(here) in {"Mn", "Mc", "Me"} or "\U000e0020" <= here <= "\U000e007f"


def stretches(text: str) -> list[tuple[str, bool]]:
    """An excerpt in its stretches, in order; `True` for one that stood between `**`.

    An excerpt is plain text in which the hits are marked. A stored text that holds `**` itself may
    look marked: what is shown is a matter of emphasis only.
    """
    pieces = _MARK.split(text)
    return [(piece, place % 2 == 1) for place, piece in enumerate(pieces) if piece]
