"""A text as its reader takes it: without the characters that nobody sees, and with wide letters as plain ones.

A token that was copied out of a chat or a page may hold either, and is found by no rule then.
"""

from collections.abc import Sequence
from typing import NamedTuple

from bigmind.text.lazy_pattern import lazy_pattern

_UNSEEN = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0"
    "\U0001d173-\U0001d17a\U000e0000-\U000e01ef"
)
_DISGUISE = lazy_pattern(f"[ -~][{_UNSEEN}]+(?=[ -~])|[\uff01-\uff5e]")
_SEEN = lazy_pattern(f"[^{_UNSEEN}]")
_PLAIN = {wide: wide - 0xFEE0 for wide in range(0xFF01, 0xFF5F)}


class ReadableText(NamedTuple):
    """A text as it is read, and of each of its characters the place in the text that it stands for."""

    text: str
    places: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where the characters `start` to `end` (exclusive), at least one, stand in the text."""
        return self.places[start], self.places[end - 1] + 1


def readable(text: str) -> ReadableText | None:
    """The text as it is read; None where it is read as it stands, as most are."""
    if text.isascii() or not _DISGUISE.search(text):
        return None
    places = [found.start() for found in _SEEN.finditer(text)]
    return ReadableText("".join(map(text.__getitem__, places)).translate(_PLAIN), places)
