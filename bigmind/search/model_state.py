"""Which model's vectors are searched, which one is being changed to, and how one takes over from another."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, or_
from sqlmodel import col, delete, select

from bigmind.core.events import Action, Kind
from bigmind.embedding.models import DEFAULT, NO_MODEL
from bigmind.embedding.vector_index import EVERYBODY
from bigmind.people.service import NOBODY
from bigmind.search.vector_rows import queue
from bigmind.store.driver_statements import all_rows, first_row
from bigmind.store.store import Store
from bigmind.store.tables import Embedding, EmbeddingQueue, StoreProperty
from bigmind.store.work import Work

ACTIVE, NEXT = "embedding_model", "embedding_next"
"""Properties of the store: the model whose vectors are searched, absent where that is the default and nobody chose it;
and the one that takes over when all things have its vectors."""
LEFT_OVER = "embedding_left_over"
"""There may be vectors of other models, which are to go."""
OUTDATED = "embedding_outdated"
"""The active model was the default of an earlier version, and nobody chose it: today's default is to take over."""
UNREAD = "embedding_unread"
"""An earlier version may have made vectors of what the model does not read, which are to go; how far that is done."""

PURPOSE = "embed"
_NAMED = col(StoreProperty.name)
_PROPERTY = select(StoreProperty.value).where(bindparam("name") == _NAMED)
_MODELS = select(StoreProperty.name, StoreProperty.value).where(or_(_NAMED == ACTIVE, _NAMED == NEXT))
_QUEUED = select(func.count(), func.count().filter(col(EmbeddingQueue.failure) != "")).where(
    or_(col(EmbeddingQueue.owner) == bindparam("owner"), col(EmbeddingQueue.owner) == EVERYBODY)
)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the embedding of what one user finds is: of their own items, and of everybody's.

    Attributes:
        model: whose vectors are searched.
        next: the model that is being changed to; empty when none is.
        waiting: items that wait for their vectors, of the model that is worked on.
        failed: items that this model could not embed; they are tried again after the next start.
    """

    model: str
    next: str
    waiting: int
    failed: int


def active_model(work: Work) -> str:
    """The model whose vectors are searched."""
    return _property(work, ACTIVE, DEFAULT)


def wanted_model(work: Work) -> str:
    """The model that things are embedded with: the one that is being changed to, else the active one."""
    return _property(work, NEXT, active_model(work))


def is_outdated(work: Work) -> bool:
    """Whether the active model is a former default that nobody chose."""
    return bool(_property(work, OUTDATED, ""))


def _property(work: Work, name: str, otherwise: str) -> str:
    known = first_row(work, _PROPERTY, {"name": name})
    return otherwise if known is None else known.value  # which is empty for `NO_MODEL`


def unfinished(work: Work) -> frozenset[str]:
    """Of `NEXT`, `LEFT_OVER`, `OUTDATED` and `UNREAD` those that hold: something is to do that no queue says."""
    names = select(StoreProperty.name).where(col(StoreProperty.name).in_((NEXT, LEFT_OVER, OUTDATED, UNREAD)))
    return frozenset(work.session.exec(names))


def progress(work: Work) -> Progress:
    """How far the embedding of what the caller finds is. Reads the queue only, which is empty most of the time."""
    known = {each.name: each.value for each in all_rows(work, _MODELS, {})}
    active = known.get(ACTIVE, DEFAULT)
    wanted = known.get(NEXT, active)
    queued, given_up = first_row(work, _QUEUED, {"owner": work.caller.user_id})
    waiting = 0 if wanted == NO_MODEL else queued - given_up
    return Progress(active, "" if wanted == active else wanted, waiting, given_up)


def change_model(work: Work, name: str) -> None:
    """Embed everything with a model that a person chose, behind the writes; the active one is searched until then.

    Naming the active model cancels a change. What already has vectors of that model keeps them. What was chosen stays,
    whatever the default of a later version is.

    Args:
        work: a writing one.
        name: as `models.model_named` knows it; whether it can be loaded is not looked at. `NO_MODEL`: words alone,
            at once.
    """
    active, wanted = active_model(work), wanted_model(work)
    _drop(work, OUTDATED)
    is_at_once = name in (NO_MODEL, active)
    if is_at_once:
        work.session.merge(StoreProperty(name=ACTIVE, value=name))
    if name != wanted:
        _begin(work, name, is_at_once=is_at_once)
        work.changed(Kind.STORE, "", Action.UPDATED)


def change_to_default(work: Work) -> None:
    """Do the same with the default, where a former one is active that nobody chose; as nobody, so no change is told."""
    if not is_outdated(work):
        return
    if active_model(work) == DEFAULT:
        _drop(work, OUTDATED, ACTIVE)
    elif wanted_model(work) != DEFAULT:
        _begin(work, DEFAULT, is_at_once=False)


def _begin(work: Work, name: str, *, is_at_once: bool) -> None:
    if is_at_once:
        _drop(work, NEXT)
    else:
        work.session.merge(StoreProperty(name=NEXT, value=name))
    work.session.merge(StoreProperty(name=LEFT_OVER, value="yes"))
    work.session.exec(delete(EmbeddingQueue))
    if name != NO_MODEL:
        _queue_what_lacks(work, name)


def _queue_what_lacks(work: Work, model: str) -> None:
    """Queue everything without vectors of that model. Moments first: the few things of other kinds are done before."""
    for kind in work.kinds.searched:
        there = select(Embedding.id).where(
            Embedding.kind == kind.name, Embedding.item == kind.table.id, Embedding.model == model, Embedding.piece == 0
        )
        queue(work, kind, ~there.exists())


def take_over(work: Work) -> None:
    """Let the next model be the active one, if still nothing waits for its vectors."""
    following = work.session.get(StoreProperty, NEXT)
    waiting = select(EmbeddingQueue.id).where(EmbeddingQueue.failure == "").limit(1)
    if following is None or work.session.exec(waiting).first() is not None:
        return
    if is_outdated(work):  # the default, which no new store names either
        _drop(work, OUTDATED, ACTIVE)
    else:
        work.session.merge(StoreProperty(name=ACTIVE, value=following.value))
    work.session.merge(StoreProperty(name=LEFT_OVER, value="yes"))
    work.session.delete(following)


def sweep(store: Store, most: int) -> None:
    """Delete some of the vectors that no model uses any more; after the last, note that there are none."""
    with store.read(NOBODY, PURPOSE) as work:
        useless = work.session.exec(select(Embedding.id).where(_is_useless(work)).limit(most)).all()
    with store.write(NOBODY, PURPOSE) as work:
        work.session.exec(delete(Embedding).where(col(Embedding.id).in_(useless), _is_useless(work)))
        if not useless:
            _drop(work, LEFT_OVER)


def _is_useless(work: Work) -> Any:
    return col(Embedding.model).not_in((active_model(work), wanted_model(work)))


def _drop(work: Work, *names: str) -> None:
    work.session.exec(delete(StoreProperty).where(col(StoreProperty.name).in_(names)))
