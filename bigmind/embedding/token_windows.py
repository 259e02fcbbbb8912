"""Cuts a text into pieces that a model's window holds, each beginning a little before the end of the one before."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

OVERLAP = 32
"""Tokens that a piece shares with the one before."""
LEAST_ROOM = 64
"""Tokens of a text that stand in each piece, however long the head is."""
LOOKED_AT = 4_000
"""Characters that are looked at for one piece; what is longer in tokens than the window ends the piece before."""
MOST_PIECES = 256
"""Pieces of one text that are embedded, some 200,000 characters of English; what follows is found by words."""
MOST_CHARACTERS = MOST_PIECES * 1_000
"""Characters of one text that are worth sending: so many pieces hold no more of any language."""


@dataclass(frozen=True, slots=True)
class TokenWindow:
    """A stretch of a text, by its characters, and how many tokens it takes with all that stands before it."""

    start: int
    stop: int
    tokens: int


Offsets = Callable[[str], list[tuple[int, int]]]
"""Where the tokens of a text start and end."""
Count = Callable[[str], int]
"""How many tokens a text has."""


def cut_by_offsets(text: str, window: int, before: int, offsets: Offsets) -> Iterator[TokenWindow]:
    """Cut a text where its tokens end.

    Args:
        text: to cut.
        window: tokens in one piece.
        before: tokens that stand before each piece, with those that mark its beginning and its end.
        offsets: where tokens start and end.
    """
    room = max(LEAST_ROOM, window - before)

    def ends(part: str) -> tuple[int, int, int]:
        places = offsets(part)
        if len(places) <= room:
            return len(part), len(part), len(places)
        return places[room - 1][1], places[room - OVERLAP][0], room

    return _cut(text, before, ends)


def cut_by_count(text: str, window: int, before: int, count: Count) -> Iterator[TokenWindow]:
    """Cut a text where a tokenizer only counts: at the last space before the window's end. Arguments as above."""
    room = max(LEAST_ROOM, window - before)

    def ends(part: str) -> tuple[int, int, int]:
        if (tokens := count(part)) <= room:
            return len(part), len(part), tokens
        low, high = 1, len(part)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if count(part[:middle]) <= room else (low, middle)
        space = part.rfind(" ", low // 2, low)
        stop = space if space > 0 else low
        back = part.rfind(" ", 0, stop - stop * OVERLAP // room)
        return stop, back if back > stop // 2 else stop - stop * OVERLAP // room, count(part[:stop])

    return _cut(text, before, ends)


def _cut(text: str, before: int, ends: Callable[[str], tuple[int, int, int]]) -> Iterator[TokenWindow]:
    """Piece after piece: `ends` says of what follows where the piece ends, where the next begins, and its tokens."""

    def pieces() -> Iterator[TokenWindow]:
        start = 0
        while True:
            part = text[start : start + LOOKED_AT]
            stop, following, tokens = ends(part)
            yield TokenWindow(start, start + stop, before + tokens)
            if start + stop >= len(text):
                return
            start += max(1, following)

    return islice(pieces(), MOST_PIECES)


class TokenCutter:
    """Cuts texts for a model whose tokenizer is one of `tokenizers`, and neither truncates nor pads."""

    def __init__(self, tokenizer: Any, window: int) -> None:
        """Prepare it for a window of so many tokens."""
        self._tokenizer = tokenizer
        self._window = window

    def head(self, head: str) -> str:
        """As much of a head as leaves room for the text behind it."""
        return head[: next(cut_by_offsets(head, self._window - LEAST_ROOM, 2, self.offsets)).stop]

    def cut(self, before: str, text: str) -> Iterator[TokenWindow]:
        """The pieces of a text, each with the same before it."""
        taken = len(self._tokenizer.encode(before).ids)  # with the marks of both ends
        return cut_by_offsets(text, self._window, taken, self.offsets)

    def offsets(self, text: str) -> list[tuple[int, int]]:
        """Where the tokens of a text start and end."""
        return self._tokenizer.encode(text, add_special_tokens=False).offsets
