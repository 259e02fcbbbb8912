"""Takes the vectors of what the model does not read, which earlier versions made: they are near to one another.

It is done once, behind the writes, in small units.
"""

from collections.abc import Mapping

from sqlmodel import col, delete, select

from bigmind.embedding.models import NO_MODEL, Model, model_named
from bigmind.embedding.token_windows import MOST_CHARACTERS
from bigmind.people.service import NOBODY
from bigmind.search.documents import EmbeddingDocument, embedded
from bigmind.search.model_state import PURPOSE, UNREAD, wanted_model
from bigmind.search.vector_rows import queue
from bigmind.store.store import Store
from bigmind.store.tables import Embedding, EmbeddingQueue, StoreProperty
from bigmind.store.work import Work

AT_ONCE = 200
"""Things whose texts are read in one unit."""


def note_unread(store: Store) -> None:
    """Note that there may be such vectors, where there are any; `drop_unread` is called until it has looked at all."""
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
