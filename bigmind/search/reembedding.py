"""Whether things and their vectors fit together, and having all vectors made anew."""

from typing import Any

from sqlalchemy import and_, func, or_
from sqlmodel import col, delete, select

from bigmind.core.kind import Kind
from bigmind.embedding.models import NO_MODEL, model_named
from bigmind.embedding.token_windows import MOST_CHARACTERS
from bigmind.search.documents import embedded
from bigmind.search.model_state import wanted_model
from bigmind.search.vector_rows import queue
from bigmind.store.access import Access
from bigmind.store.tables import Embedding, EmbeddingQueue
from bigmind.store.work import Work

AT_ONCE = 200
"""Things whose texts are read at once, and vectors that are deleted at once."""
QUEUED_AT_ONCE = 5_000
"""Keys in one unit of work: some 20 ms."""


def without_vectors(work: Work) -> int:
    """How many things have no vector of the model that is worked on, and do not wait for one, of the whole store.

    What the model does not read is to have none.
    """
    model = wanted_model(work)
    return 0 if model == NO_MODEL else sum(_lacking(work, each, model) for each in work.kinds.searched)


def _lacking(work: Work, kind: Kind, model: str) -> int:
    table = kind.table
    there = select(Embedding.item).where(Embedding.kind == kind.name, Embedding.model == model, Embedding.piece == 0)
    waiting = select(EmbeddingQueue.item).where(EmbeddingQueue.kind == kind.name)
    query = select(table.id).where(col(table.id).not_in(there), col(table.id).not_in(waiting))
    keys = list(work.session.exec(query))
    # Most of those are not to have one, because nobody may find them.
    texts = (
        each.text[:MOST_CHARACTERS]
        for start in range(0, len(keys), AT_ONCE)
        for each in embedded(work, kind.name, keys[start : start + AT_ONCE]).values()
    )
    return sum(map(model_named(model).reads_some, texts))


def useless_vectors(work: Work) -> int:
    """How many vectors are of a thing that is not there, or of another length than most of their model's."""
    return work.session.exec(select(func.count()).select_from(Embedding).where(_is_useless(work))).one()


def _is_useless(work: Work) -> Any:
    of_nothing = [
        and_(col(Embedding.kind) == each.name, col(Embedding.item).not_in(select(each.table.id)))
        for each in work.kinds.searched
    ]
    return or_(
        col(Embedding.kind).not_in([each.name for each in work.kinds.searched]), *of_nothing, *_of_odd_length(work)
    )


def _of_odd_length(work: Work) -> list[Any]:
    length, number = func.length(Embedding.vector), func.count()
    counted = select(Embedding.model, length, number).group_by(Embedding.model, length).order_by(number)
    usual = {model: most for model, most, _ in work.session.exec(counted)}
    return [and_(col(Embedding.model) == model, length != most) for model, most in usual.items()]


def embed_anew(access: Access) -> int:
    """Have everything embedded anew, behind the writes, in short units; how many items wait then.

    A vector is searched until its successor is there; one that is of no use goes at once.
    """
    with access.read() as work:
        useless = list(work.session.exec(select(Embedding.id).where(_is_useless(work))))
        newest = {each: work.session.exec(select(func.max(each.keys))).one() or 0 for each in work.kinds.searched}
    with access.write() as work:  # of a kind that is not embedded any more
        work.session.exec(delete(EmbeddingQueue).where(col(EmbeddingQueue.kind).not_in([each.name for each in newest])))
    for start in range(0, len(useless), AT_ONCE):
        with access.write() as work:
            work.session.exec(delete(Embedding).where(col(Embedding.id).in_(useless[start : start + AT_ONCE])))
    for kind, last in newest.items():
        for begin in range(0, last, QUEUED_AT_ONCE):
            access.cancellation.check()
            with access.write() as work:
                _queue_anew(work, kind, begin, begin + QUEUED_AT_ONCE)
    with access.read() as work:
        return work.session.exec(select(func.count()).select_from(EmbeddingQueue)).one()


def _queue_anew(work: Work, kind: Kind, after: int, until: int) -> None:
    """Let the things with keys in that stretch wait, also those that could not be embedded before."""
    waiting = col(EmbeddingQueue.item)
    of_kind = col(EmbeddingQueue.kind) == kind.name
    work.session.exec(delete(EmbeddingQueue).where(of_kind, waiting > after, waiting <= until))
    queue(work, kind, kind.keys > after, kind.keys <= until)
