"""Whether things and their vectors fit together, having all made anew, and taking those of what no model reads."""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import and_, func, or_
from sqlmodel import col, delete, select

from bigmind.core.kind import Kind
from bigmind.embedding.models import NO_MODEL, Model, model_named
from bigmind.embedding.token_windows import MOST_CHARACTERS
from bigmind.people.service import NOBODY
from bigmind.search.documents import EmbeddingDocument, embedded
from bigmind.search.model_state import PURPOSE, UNREAD, wanted_model
from bigmind.search.vector_rows import queue
from bigmind.store.access import Access
from bigmind.store.store import Store
from bigmind.store.tables import Embedding, EmbeddingQueue, StoreProperty
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


def note_unread(store: Store) -> None:
    """Note that there may be vectors of what the model does not read, which earlier versions made.

    They are near to one another, whatever they are of. `drop_unread` is called until it has looked at all.
    """
    with store.read(NOBODY, PURPOSE) as work:
        if work.session.exec(select(Embedding.id).limit(1)).first() is None:
            return
    with store.write(NOBODY, PURPOSE) as work:
        work.session.merge(StoreProperty(name=UNREAD, value=""))


def drop_unread(store: Store) -> None:
    """Look at some things that have vectors, and take those that the model would not make; after the last, note that.

    A thing of which it reads a part waits for its vectors anew. Its old ones are searched until then.
    """
    with store.read(NOBODY, PURPOSE) as work:
        name = wanted_model(work)
        note = work.session.get(StoreProperty, UNREAD)
        kind, keys = _following(work, name, note.value if note is not None else "")
        told = embedded(work, kind, keys) if keys else {}
        in_part = _read_in_part(work, kind, model_named(name), told) if told else set[int]()
        unread = [key for key, each in told.items() if not model_named(name).reads_some(each.text[:MOST_CHARACTERS])]
    with store.write(NOBODY, PURPOSE) as work:
        if not keys:
            work.session.exec(delete(StoreProperty).where(col(StoreProperty.name) == UNREAD))
            return
        # One whose text has changed since waits for new vectors, and has lost these.
        these = (col(Embedding.kind) == kind, col(Embedding.item).in_(unread), col(Embedding.model) == name)
        work.session.exec(delete(Embedding).where(*these))
        if in_part:
            waiting = select(EmbeddingQueue.item).where(EmbeddingQueue.kind == kind)
            keys_of = work.kinds[kind].keys
            queue(work, work.kinds[kind], keys_of.in_(in_part), keys_of.not_in(waiting))
        work.session.merge(StoreProperty(name=UNREAD, value=f"{kind} {keys[-1]}"))


def _following(work: Work, model: str, done: str) -> tuple[str, list[int]]:
    """The next things that have vectors of a model: of which kind, and their keys. None where it reads everything."""
    if model == NO_MODEL or not model_named(model).latin_only:
        return "", []
    last_kind, _, last = done.partition(" ")
    names = [each.name for each in work.kinds.searched]
    for name in names[names.index(last_kind) if last_kind in names else 0 :]:
        after = int(last) if name == last_kind else 0
        there = select(Embedding.item).where(Embedding.kind == name, Embedding.model == model, Embedding.item > after)
        if keys := work.session.exec(there.distinct().order_by(col(Embedding.item)).limit(AT_ONCE)).all():
            return name, list(keys)
    return "", []


def _read_in_part(work: Work, kind: str, model: Model, told: Mapping[int, EmbeddingDocument]) -> set[int]:
    """The keys of what has vectors of pieces that the model reads, and of others."""
    columns = select(Embedding.item, Embedding.start, Embedding.stop)
    there = columns.where(Embedding.kind == kind, Embedding.model == model.name, col(Embedding.item).in_([*told]))
    found: dict[int, set[bool]] = {}
    for item, start, stop in work.session.exec(there):
        found.setdefault(item, set()).add(model.reads(told[item].text[start:stop]))
    return {item for item, reads in found.items() if len(reads) > 1}
