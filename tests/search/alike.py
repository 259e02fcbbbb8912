"""Meaning without a model: everything means about the same, so whatever may be found by meaning is found by it."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from hashlib import shake_128
from pathlib import Path
from typing import TypeVar

from bigmind.embedding.embedder import EmbeddedPiece, Embedder
from bigmind.embedding.meaning import WORDS_ONLY, Meaning
from bigmind.search.indexer import Indexer
from bigmind.store.sqlite.vectors import SqliteVectors
from bigmind.store.store import Store
from tests.memory.living import Memory

DIMENSION = 64
Answer = TypeVar("Answer")


def alike(text: str) -> bytes:
    """A vector near to every other one."""
    return bytes(100 + each % 20 for each in shake_128(text.encode()).digest(DIMENSION))


class Alike(Embedder):
    """Gives every text such a vector, at once."""

    def __init__(self) -> None:
        super().__init__([], Path())

    def query(self, model: str, text: str) -> "Future[bytes]":
        del model
        return _done(alike(text))

    def documents(self, model: str, texts: Sequence[tuple[str, str]]) -> "Future[list[list[EmbeddedPiece]]]":
        del model
        return _done([[EmbeddedPiece(0, len(text), alike(head + text))] for head, text in texts])


def _done(answer: Answer) -> "Future[Answer]":
    future: Future[Answer] = Future()
    future.set_result(answer)
    return future


@dataclass
class Indexed:
    """The queue of a memory, emptied when a test says so."""

    store: Store
    indexer: Indexer

    def catch_up(self) -> None:
        while self.indexer.step():
            pass

    @contextmanager
    def switched_off(self) -> Iterator[None]:
        """Let it search by words alone for a while."""
        before, self.store.host = self.store.host, replace(self.store.host, meaning=WORDS_ONLY)
        yield
        self.store.host = before


@contextmanager
def alike_in(memory: Memory) -> Iterator[Indexed]:
    """Let a memory search by meaning."""
    store, embedder, vectors = memory.mind.store, Alike(), SqliteVectors()
    before = store.host
    store.host = replace(before, meaning=Meaning(embedder, vectors))
    try:
        yield Indexed(store, Indexer(store, embedder, vectors))
    finally:
        store.host = before
        embedder.close()
