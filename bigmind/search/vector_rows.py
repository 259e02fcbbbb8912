"""Vectors as rows, written in few statements: whoever stores meanwhile waits for them."""

import logging
from collections.abc import Sequence
from typing import Any

from sqlalchemy import case, insert, literal
from sqlmodel import col, delete, select, update

from bigmind.core.kind import Kind
from bigmind.embedding.embedder import EmbeddedPiece, EmbeddingError
from bigmind.embedding.models import model_named
from bigmind.embedding.vector_index import EVERYBODY, signs
from bigmind.search.documents import EmbeddingDocument, document, embedded
from bigmind.store.tables import Embedding, EmbeddingQueue, table_of
from bigmind.store.work import Work

log = logging.getLogger(__name__)

MOST_FAILURE = 200


def told_of(work: Work, places: Sequence[EmbeddingQueue]) -> list[EmbeddingDocument | None]:
    """What is embedded of each."""
    kinds = {each.kind for each in places}
    found = {kind: embedded(work, kind, [each.item for each in places if each.kind == kind]) for kind in kinds}
    return [found[each.kind].get(each.item) for each in places]


def rows_of(
    model: str, place: EmbeddingQueue, told: EmbeddingDocument, pieces: Sequence[EmbeddedPiece]
) -> list[dict[str, Any]]:
    """Its vectors, as rows: of the pieces that the model reads, for all others are near to each other.

    Where pieces are cut otherwise than the text was looked at, none may be read; then all stay, so that it has some.
    """
    read = [each for each in pieces if model_named(model).reads(told.text[each.start : each.stop])]
    return [
        {
            "kind": place.kind,
            "item": place.item,
            "piece": number,
            "start": piece.start,
            "stop": piece.stop,
            "owner": told.owner,
            "project": told.project,
            "at": told.at,
            "model": model,
            "vector": piece.vector,
            "signs": signs(piece.vector),
        }
        for number, piece in enumerate(read or pieces)
    ]


def queue(work: Work, kind: Kind, *conditions: Any) -> None:
    """Let the things of a kind that meet the conditions wait for vectors; none of them may wait already."""
    table = kind.table
    owner: Any = literal(EVERYBODY) if kind.is_everybodys else col(getattr(table, kind.owner))
    if kind.shared_when is not None:
        owner = case((kind.shared_when.over(table), EVERYBODY), else_=owner)
    things = select(literal(kind.name), col(table.id), owner).where(*conditions).order_by(col(table.id))
    work.session.exec(insert(EmbeddingQueue).from_select(["kind", "item", "owner"], things))


def give_up(work: Work, place: EmbeddingQueue, error: EmbeddingError) -> None:
    """Note why something could not be embedded; it leaves the queue to the others."""
    log.warning("%s %d cannot be embedded: %s", place.kind, place.item, error)
    failure = str(error)[:MOST_FAILURE] or "it cannot be embedded"
    mine = col(EmbeddingQueue.id) == place.id
    work.session.connection().execute(update(EmbeddingQueue).where(mine).values(failure=failure))


def replace(work: Work, model: str, places: Sequence[EmbeddingQueue], rows: Sequence[dict[str, Any]]) -> None:
    """Let these be the vectors of those things, whatever there was before."""
    connection = work.session.connection()
    for kind in {each.kind for each in places}:
        items = [each.item for each in places if each.kind == kind]
        conditions = (col(Embedding.kind) == kind, col(Embedding.item).in_(items), col(Embedding.model) == model)
        connection.execute(delete(Embedding).where(*conditions))
    if rows:
        connection.execute(insert(Embedding), rows)


def keep(work: Work, kind: Kind, row: Any, model: str, pieces: Sequence[EmbeddedPiece]) -> None:
    """Give a row that was just written the vectors that were made before; it waits in the queue no longer."""
    told = document(kind, row)
    mine = (EmbeddingQueue.kind == kind.name, EmbeddingQueue.item == row.id)
    place = work.session.exec(select(EmbeddingQueue).where(*mine)).first()
    if told is None or place is None:
        return
    replace(work, model, [place], rows_of(model, place, told, pieces))
    work.session.exec(delete(EmbeddingQueue).where(col(EmbeddingQueue.id) == place.id))


def fitting(told: Sequence[EmbeddingDocument | None], characters: int, most: int) -> int:
    """How many go into one batch of so many characters, at most `most` of each text: at least one."""
    counted = 0
    for number, each in enumerate(told):
        counted += min(len(each.text), most) if each is not None else 0
        if number and counted > characters:
            return number
    return len(told)


def hand_over(work: Work, kind: Kind, items: Sequence[int], owner: int, change: Any) -> None:
    """Carry out a statement that makes things another user's, and let them be found, and wait for vectors, as theirs.

    Their texts stay the same, so that those which had vectors keep them, whatever the statement lets wait anew.
    """
    connection = work.session.connection()
    in_queue = (col(EmbeddingQueue.kind) == kind.name, col(EmbeddingQueue.item).in_(items))
    waiting = connection.execute(select(EmbeddingQueue.item).where(*in_queue)).scalars().all()
    # A vector is never changed: whoever holds signs in memory knows them by their ids (`search_process/sign_index.py`).
    columns = [each for each in table_of(Embedding).c if each.name != "id"]
    of_these = (col(Embedding.kind) == kind.name, col(Embedding.item).in_(items))
    known = connection.execute(select(*columns).where(*of_these)).mappings().all()
    connection.execute(change)
    connection.execute(delete(EmbeddingQueue).where(*in_queue, col(EmbeddingQueue.item).not_in(waiting)))
    connection.execute(update(EmbeddingQueue).where(*in_queue).values(owner=owner))
    if known:
        connection.execute(delete(Embedding).where(*of_these))
        connection.execute(insert(Embedding), [dict(each) | {"owner": owner} for each in known])
