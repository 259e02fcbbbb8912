"""What is wrong with a protocol document: all of it at once, each with file, line and column."""

from collections.abc import Callable, Sequence
from typing import NamedTuple, NoReturn, TypeVar

from bigmind.core.errors import BigMindError, Code

MOST_FAULTS = 10
HINT = "docs/protocol.md shows how a protocol document is written."

T = TypeVar("T")


class Mark(NamedTuple):
    """A place in a document: line and column, from 1."""

    line: int
    column: int


class RuleFault(Exception):  # noqa: N818 - as the trade says of a rule that is not kept
    """Why a value may not stand in a protocol, and what would be right; as words without the full stop."""


class FaultList:
    """The faults of one document, as they are found.

    Args:
        file: what they call it.
    """

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[tuple[Mark, str]] = []

    def add(self, mark: Mark, message: str) -> None:
        """Note a fault: what was wrong, and what would be right."""
        self._found.append((mark, message))

    def taken(self, read: Callable[[str], T], text: str, mark: Mark, otherwise: T) -> T:
        """What a rule makes of a text; where the rule refuses it, that is noted, and `otherwise` stands for it."""
        try:
            return read(text)
        except RuleFault as fault:
            self.add(mark, str(fault))
            return otherwise

    def refuse_any(self) -> None:
        """Go on where nothing was noted.

        Raises:
            BigMindError: `invalid_input`, with the first ten in the order of the document.
        """
        if self._found:
            refuse(self._file, sorted(self._found))


def refuse(file: str, faults: Sequence[tuple[Mark, str]]) -> NoReturn:
    """Say what is wrong with a document.

    Raises:
        BigMindError: `invalid_input`, always.
    """
    lines = [f"{file}, line {mark.line}, column {mark.column}: {message}." for mark, message in faults]
    more = f"\nand {len(lines) - MOST_FAULTS} more." if len(lines) > MOST_FAULTS else ""
    raise BigMindError(Code.INVALID_INPUT, "\n".join(lines[:MOST_FAULTS]) + more, HINT)
