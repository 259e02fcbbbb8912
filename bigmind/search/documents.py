"""What of each thing is embedded, and who may find it. The one place that knows it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bigmind.embedding.vector_index import EVERYBODY
from bigmind.memory.lookup import key_of
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class EmbeddingDocument:
    """A thing as it is embedded: every piece of its text behind the head.

    Attributes:
        head: what stands before each piece: when it was, who said it.
        text: its words; what a hit points into.
        owner: the user who may find it, or `EVERYBODY`.
        project: its project, or nothing.
        at: its time.
    """

    head: str
    text: str
    owner: int
    project: str
    at: datetime


def _lines(*texts: str) -> str:
    return "\n".join(each for each in texts if each)


TEXTS: dict[str, Callable[[Any], str]] = {
    "chunk": lambda row: _lines(row.content, row.flag_reason),
    "session": lambda row: _lines(row.one_liner, row.told),
    "fact": lambda row: row.text,
    "hypothesis": lambda row: _lines(row.text, row.resolution),
    "knowledge": lambda row: _lines(row.title, row.content),
}
"""The words of a thing of each kind: what is embedded, and what an excerpt is taken from."""


def _chunk(row: Chunk) -> EmbeddingDocument:
    text = TEXTS["chunk"](row)
    return EmbeddingDocument(f"{row.created_at:%d %B %Y} ", text, row.user_id, row.project or "", row.created_at)


def _session(row: MemorySession) -> EmbeddingDocument:
    text = TEXTS["session"](row)
    return EmbeddingDocument(f"{row.started_at:%d %B %Y} ", text, row.user_id, row.project or "", row.started_at)


def _fact(row: Fact) -> EmbeddingDocument | None:
    if row.deprecated_at is not None:
        return None
    return EmbeddingDocument("", TEXTS["fact"](row), row.user_id, row.project or "", row.created_at)


def _hypothesis(row: Hypothesis) -> EmbeddingDocument:
    text = TEXTS["hypothesis"](row)
    return EmbeddingDocument("", text, row.user_id, row.project or "", row.created_at)


def _knowledge(row: Knowledge) -> EmbeddingDocument | None:
    if row.status != "approved":
        return None
    return EmbeddingDocument("", TEXTS["knowledge"](row), EVERYBODY, row.project or "", row.updated_at)


KINDS: dict[str, tuple[Any, Callable[[Any], EmbeddingDocument | None]]] = {
    "chunk": (Chunk, _chunk),
    "session": (MemorySession, _session),
    "fact": (Fact, _fact),
    "hypothesis": (Hypothesis, _hypothesis),
    "knowledge": (Knowledge, _knowledge),
}
"""The kinds that are embedded: their tables' names, the tables, and what is embedded of a row; None is not found."""


def embedded(work: Work, kind: str, items: Sequence[int]) -> dict[int, EmbeddingDocument]:
    """What is embedded of those things, by key; what says nothing, or may not be found, is left out."""
    table, told = KINDS[kind]
    rows = work.session.exec(select(table).where(col(table.id).in_(items)))
    found = {key_of(row): told(row) for row in rows}
    return {key: each for key, each in found.items() if each is not None and each.text.strip()}
