"""What a command prints: the beginning and the end of it, however much there is."""

import re
import sys

FIRST, LAST = 16_000, 48_000
"""Characters that are kept of its beginning and of its end."""
_LONGEST_CHARACTER = 4
_FIRST_BYTES, _LAST_BYTES = FIRST * _LONGEST_CHARACTER, (LAST + 1) * _LONGEST_CHARACTER
_NO_TEXT = re.compile("\0|[\udc80-\udcff]+")


def page_of(system: str = sys.platform) -> str:
    """The encoding of what is no UTF-8, on that system; empty where there is none.

    Programs of Windows write the letters of their language into a pipe by its code page, Python among them.
    """
    return "mbcs" if system == "win32" else ""


class CommandOutput:
    """Takes output in pieces. Its memory is bounded; so is what a piece costs."""

    def __init__(self, page: str | None = None) -> None:
        """`page` is the encoding of what is no UTF-8; None for this system's."""
        self._page = page_of() if page is None else page
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
        """UTF-8, with a line that tells how much is left out. What is none is read by the system's code page.

        Where there is no page, and for NUL (no store takes it), it is U+FFFD.
        """
        first, left_out, last = self._parts()
        middle = f"\n… {left_out:,} bytes are left out here …\n" if left_out else ""
        return _NO_TEXT.sub(self._read_by_page, f"{first}{middle}{last}")

    def _read_by_page(self, found: re.Match[str]) -> str:
        data = _encoded(found[0])
        if not self._page or data == b"\0":
            return "\N{REPLACEMENT CHARACTER}" * len(data)
        return data.decode(self._page, "replace").replace("\0", "\N{REPLACEMENT CHARACTER}")

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
