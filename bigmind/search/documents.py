"""What of each thing is embedded, and who may find it. The one place that knows it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bigmind.core.kind import Kind
from bigmind.embedding.vector_index import EVERYBODY
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


def document(kind: Kind, row: Any) -> EmbeddingDocument | None:
    """A row as it is embedded; None where it is not to be found."""
    if not kind.is_found(row):
        return None
    text = "\n".join(each for column in kind.embedded if (each := getattr(row, column)))
    head = f"{getattr(row, kind.time):%d %B %Y} " if kind.is_dated else ""
    owner = EVERYBODY if kind.is_shared(row) else getattr(row, kind.owner)
    return EmbeddingDocument(head, text, owner, row.project or "", getattr(row, kind.vector_time or kind.time))


def embedded(work: Work, name: str, items: Sequence[int]) -> dict[int, EmbeddingDocument]:
    """What is embedded of those things, by key; what says nothing, or may not be found, is left out."""
    kind = work.kinds[name]
    rows = work.session.exec(select(kind.table).where(col(kind.table.id).in_(items)))
    found: dict[int, EmbeddingDocument | None] = {row.id: document(kind, row) for row in rows}
    return {key: each for key, each in found.items() if each is not None and each.text.strip()}
