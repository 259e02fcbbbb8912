"""What a command prints: the beginning and the end of it, however much there is."""

import re

FIRST, LAST = 16_000, 48_000
"""Characters that are kept of its beginning and of its end."""
_LONGEST_CHARACTER = 4
_FIRST_BYTES, _LAST_BYTES = FIRST * _LONGEST_CHARACTER, (LAST + 1) * _LONGEST_CHARACTER
_NO_TEXT = re.compile("[\0\udc80-\udcff]")


class CommandOutput:
    """Takes output in pieces. Its memory is bounded; so is what a piece costs."""

    def __init__(self) -> None:
        self._first = bytearray()
        self._last = bytearray()
        self._left_out = 0

    def take(self, piece: bytes) -> None:
        """Take the next piece, of whatever size."""
        room = max(_FIRST_BYTES - len(self._first), 0)
        self._first += piece[:room]
        self._last += piece[room:]
        if len(self._last) > 2 * _LAST_BYTES:
            self._left_out += len(self._last) - _LAST_BYTES
            del self._last[:-_LAST_BYTES]

    @property
    def is_cut(self) -> bool:
        """Whether something is left out."""
        return self._parts()[1] > 0

    @property
    def text(self) -> str:
        """UTF-8, with a line that tells how much is left out. What is none, and NUL (no store takes it), is U+FFFD."""
        first, left_out, last = self._parts()
        middle = f"\n… {left_out:,} bytes are left out here …\n" if left_out else ""
        return _NO_TEXT.sub("\N{REPLACEMENT CHARACTER}", f"{first}{middle}{last}")

    def _parts(self) -> tuple[str, int, str]:
        """The beginning, how many bytes are left out, and the end."""
        if not self._left_out:
            whole = _decoded(self._first + self._last)
            if len(whole) <= FIRST + LAST:
                return whole, 0, ""
            return whole[:FIRST], len(_encoded(whole[FIRST:-LAST])), whole[-LAST:]
        first, last = _decoded(self._first), _decoded(self._last)
        beginning, end = first[:FIRST], last[-LAST:]
        left_out = len(_encoded(first[FIRST:])) + self._left_out + len(_encoded(last[:-LAST]))
        return beginning, left_out, end


def _decoded(data: bytearray) -> str:
    return data.decode("utf-8", "surrogateescape")  # goes back into just as many bytes


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
