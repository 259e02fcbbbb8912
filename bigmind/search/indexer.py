"""Gives every thing that waits in the queue its vectors, behind the writes; and changes to another model."""

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

from sqlalchemy import func, insert
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, delete, select, update

from bigmind.core.errors import BigMindError
from bigmind.core.events import Change, Kind
from bigmind.embedding.embedder import EmbeddedPiece, Embedder, EmbeddingError, portions
from bigmind.embedding.models import DEFAULT, NO_MODEL, model_named
from bigmind.embedding.token_windows import MOST_CHARACTERS
from bigmind.people.service import NOBODY
from bigmind.search.documents import EmbeddingDocument
from bigmind.search.model_state import (
    LEFT_OVER,
    NEXT,
    OUTDATED,
    PURPOSE,
    UNREAD,
    active_model,
    change_to_default,
    sweep,
    take_over,
    unfinished,
    wanted_model,
)
from bigmind.search.reembedding import drop_unread
from bigmind.search.vector_rows import fitting, give_up, replace, rows_of, told_of
from bigmind.store.store import Store
from bigmind.store.tables import Embedding, EmbeddingQueue

log = logging.getLogger(__name__)

BATCH = 16
BATCH_CHARACTERS = 32_000
"""Of one batch together, unless a single text is longer: some five seconds of work."""
HASTY_CHARACTERS = 8_000
"""The same while somebody writes all the time."""
PORTION = 2_000
"""Characters that are embedded without looking whether somebody writes: one run of the model, of some 50 ms."""
SWEPT = 500
"""Vectors of another model that are deleted at once, while nobody else writes."""
PROBE = ("", "Does the model work?")

TRIED_AGAIN_SECONDS = 60.0
ENDING_SECONDS = 5.0

QUIET_SECONDS = 1.0
"""Since somebody wrote: a burst of writes goes first, and what it wrote is embedded together."""
PATIENCE_SECONDS = 15.0
"""A burst that does not end is interrupted by a small batch after so long."""

SURVIVED = (BigMindError, EmbeddingError, SQLAlchemyError, OSError, RuntimeError)
"""What a store or an embedder that does not work raises, beside the driver's errors; `RuntimeError` when the system
gives no more threads."""

Made = list[EmbeddedPiece] | EmbeddingError


@dataclass(frozen=True, slots=True)
class Batch:
    """Things that are embedded together.

    Attributes:
        model: that they are embedded with.
        dimension: the length of the vectors that are stored of this model; None when there are none.
        places: in the queue.
        told: what is embedded of each; None is nothing.
        unfinished: what `model_state.unfinished` says.
    """

    model: str
    dimension: int | None
    places: list[EmbeddingQueue]
    told: list[EmbeddingDocument | None]
    unfinished: frozenset[str]


class Indexer:
    """The thread that empties the queue, newest first."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        tried_again_seconds: float = TRIED_AGAIN_SECONDS,
    ) -> None:
        """Prepare it; nothing runs yet.

        Args:
            store: what is embedded.
            embedder: makes the vectors.
            tried_again_seconds: how long it rests when the model or the store does not work.
        """
        self._store = store
        self._embedder = embedder
        self._tried_again_seconds = tried_again_seconds
        self._ending = threading.Event()
        self._is_resting = self._has_stopped = self._keeps_former = False
        self._written_at = -QUIET_SECONDS
        self._patient_until = 0.0
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="indexer", daemon=True)

    def start(self) -> None:
        """Begin, with what an earlier process left."""
        self._unsubscribe = self._store.events.subscribe(self._changed)
        self._wake.set()
        self._thread.start()

    def stop(self) -> None:
        """End, and the embedder with it; what waits stays in the queue, and what is being written is written."""
        self._ending.set()
        self._embedder.close()
        if self._thread.is_alive():
            self._unsubscribe()
            self._wake.set()
            self._thread.join(ENDING_SECONDS)

    def has_stopped(self) -> bool:
        """Whether it ended by a fault of its own, after which nothing new is embedded."""
        return self._has_stopped

    def _changed(self, change: Change) -> None:
        self._written_at = monotonic()
        # Where nothing works, writes are no reason to try again; another model, or another store, is.
        if not self._is_resting or change.kind is Kind.STORE:
            self._wake.set()

    def _serve(self) -> None:
        try:
            self._run()
        except Exception:
            self._has_stopped = True
            log.exception("embedding has stopped by a fault; restart BigMind")
            raise

    def _run(self) -> None:
        is_first = True
        while not self._ending.is_set():
            wait = None  # whoever puts something into the queue tells of a change
            try:
                if is_first:
                    self._try_again()
                    is_first = False
                while self._goes_on():
                    pass
            except (*SURVIVED, *self._store.backend.faults.errors) as error:
                if self._ending.is_set():
                    break
                log.warning("embedding goes on in %d seconds: %s", self._tried_again_seconds, error)
                wait = self._tried_again_seconds
                self._is_resting = True
            if not self._ending.is_set():
                self._wake.wait(wait)
            self._is_resting = False

    def _goes_on(self) -> bool:
        self._patient_until = monotonic() + PATIENCE_SECONDS
        characters = BATCH_CHARACTERS if self._is_quiet() else HASTY_CHARACTERS
        self._wake.clear()  # what came until here, this step sees
        return not self._ending.is_set() and self.step(characters)

    def _is_quiet(self) -> bool:
        """Wait until nobody writes, but not for ever; whether nobody does. No write wakes this thread meanwhile."""
        while (left := self._written_at + QUIET_SECONDS - (now := monotonic())) > 0:
            if now >= self._patient_until or self._ending.wait(min(left, self._patient_until - now)):
                return False
        return True

    def _try_again(self) -> None:
        """Give what could not be embedded before this process another chance."""
        failed = col(EmbeddingQueue.failure) != ""
        with self._store.read(NOBODY, PURPOSE) as work:
            if work.session.exec(select(EmbeddingQueue.id).where(failed).limit(1)).first() is None:
                return
        with self._store.write(NOBODY, PURPOSE) as work:
            work.session.exec(update(EmbeddingQueue).where(failed).values(failure=""))

    def step(self, characters: int = BATCH_CHARACTERS) -> bool:
        """Embed one batch of at most so many characters, or one text; whether there was anything to do.

        Raises:
            EmbeddingError: the model does not work.
            BigMindError: the store does not.
        """
        batch = self._next(characters)
        if not batch.places:
            return self._finished(batch.unfinished)
        made = self._made(batch)
        found = {len(piece.vector) for each in made if not isinstance(each, EmbeddingError) for piece in each}
        if len(found) > 1:
            raise EmbeddingError(f"{batch.model} makes vectors of different lengths: {sorted(found)}")
        if batch.dimension is not None and found - {batch.dimension}:
            self._begin_anew(batch.model)
        else:
            self._write(batch, made)
        return True

    def _finished(self, unfinished: frozenset[str]) -> bool:
        """Do what there is to do while nothing waits; whether there was anything."""
        if NEXT in unfinished:
            with self._store.write(NOBODY, PURPOSE) as work:
                take_over(work)
        elif LEFT_OVER in unfinished:
            sweep(self._store, SWEPT)
        elif OUTDATED in unfinished and not self._keeps_former:
            self._leave_former_default()
        elif UNREAD in unfinished:
            drop_unread(self._store)
        else:
            return False
        return True

    def _next(self, characters: int) -> Batch:
        with self._store.read(NOBODY, PURPOSE) as work:
            model = wanted_model(work)
            newest = select(EmbeddingQueue).where(EmbeddingQueue.failure == "").order_by(col(EmbeddingQueue.id).desc())
            places = list(work.session.exec(newest.limit(BATCH)))
            stored = select(func.length(Embedding.vector)).where(Embedding.model == model).limit(1)
            dimension = work.session.exec(stored).first()
            told = told_of(work, places)
            to_do = unfinished(work)
        many = 0 if model == NO_MODEL else fitting(told, characters, MOST_CHARACTERS)
        return Batch(model, dimension, places[:many], told[:many], to_do)

    def _made(self, batch: Batch) -> list[Made]:
        """The pieces of each thing, or why it has none. One that the model chokes on does not keep the others.

        What the model does not read has none: all of that would be near to each other, whatever it says.
        """
        model = model_named(batch.model)
        texts = [(each.head, each.text[:MOST_CHARACTERS]) if each is not None else None for each in batch.told]
        told = [each if each is not None and model.reads_some(each[1]) else None for each in texts]
        read = [each for each in told if each is not None]
        made = iter([each for some in portions(read, PORTION) for each in self._pieces(batch.model, some)])
        return [next(made) if each is not None else [] for each in told]

    def _pieces(self, model: str, texts: Sequence[tuple[str, str]]) -> list[Made]:
        self._is_quiet()
        try:
            return [*self._embedder.documents(model, texts).result()]
        except EmbeddingError:
            self._probe(model)
            return [self._alone(model, text) for text in texts]

    def _alone(self, model: str, text: tuple[str, str]) -> Made:
        try:
            return self._embedder.documents(model, [text]).result()[0]
        except EmbeddingError as error:
            self._probe(model)
            return error

    def _probe(self, model: str) -> None:
        """Raise, when it is the model that does not work and not the text, which may have ended the process."""
        if not self._ending.is_set():
            self._embedder.try_again()
        self._embedder.documents(model, [PROBE]).result()

    def _write(self, batch: Batch, made: Sequence[Made]) -> None:
        """Commit what was made, in few statements: whoever stores meanwhile waits for it."""
        rows = [
            [] if told is None or isinstance(pieces, EmbeddingError) else rows_of(batch.model, place, told, pieces)
            for place, told, pieces in zip(batch.places, batch.told, made, strict=True)
        ]
        with self._store.write(NOBODY, PURPOSE) as work:
            # What changed while it was embedded waits under another number; a restore may have brought that number
            # back for another text.
            same = [now == told for now, told in zip(told_of(work, batch.places), batch.told, strict=True)]
            for place, pieces, is_same in zip(batch.places, made, same, strict=True):
                if isinstance(pieces, EmbeddingError) and is_same:
                    give_up(work, place, pieces)
            done = [
                place.id
                for place, pieces, is_same in zip(batch.places, made, same, strict=True)
                if is_same and not isinstance(pieces, EmbeddingError)
            ]
            places = delete(EmbeddingQueue).where(col(EmbeddingQueue.id).in_(done)).returning(col(EmbeddingQueue.id))
            taken = set(work.session.connection().execute(places).scalars())
            replace(
                work,
                batch.model,
                [p for p in batch.places if p.id in taken],
                [row for place, each in zip(batch.places, rows, strict=True) if place.id in taken for row in each],
            )

    def _begin_anew(self, model: str) -> None:
        """Drop all vectors of a model that makes others now than it did: under its name there is another one.

        What loses its vectors waits for new ones from that commit on. None is made before the last old one is gone, by
        which a process that was ended in the middle knows to go on with it.
        """
        log.warning("%s makes vectors of another length than before; everything is embedded again", model)
        while not self._ending.is_set() and self._queue_again(model):
            pass
        self._try_again()

    def _queue_again(self, model: str) -> bool:
        """Delete some vectors of a model and queue what they are of; whether there may be others."""
        # In the order of an index; what is queued last is embedded first.
        order = (col(Embedding.owner), col(Embedding.kind), col(Embedding.project), col(Embedding.at))
        old = select(Embedding.id).where(Embedding.model == model).order_by(*order).limit(SWEPT)
        with self._store.read(NOBODY, PURPOSE) as work:
            some = col(Embedding.id).in_(work.session.exec(old).all())
        with self._store.write(NOBODY, PURPOSE) as work:
            waits = select(EmbeddingQueue.id).where(
                EmbeddingQueue.kind == Embedding.kind, EmbeddingQueue.item == Embedding.item
            )
            things = select(Embedding.kind, col(Embedding.item), col(Embedding.owner)).where(some, ~waits.exists())
            things = things.distinct().order_by(Embedding.kind, col(Embedding.item))
            work.session.exec(insert(EmbeddingQueue).from_select(["kind", "item", "owner"], things))
            return work.session.exec(delete(Embedding).where(some)).rowcount > 0

    def _leave_former_default(self) -> None:
        """Begin to change to today's default if it works; else go on with the former until the next start."""
        try:
            self._embedder.documents(DEFAULT, [PROBE]).result()
        except EmbeddingError as error:
            log.warning("%s does not work: %s; things are found with the former default", DEFAULT, error)
            self._keeps_former = True
            return
        with self._store.write(NOBODY, PURPOSE) as work:
            former = active_model(work)
            change_to_default(work)
        log.info(
            "%s is the default now, and everything is embedded with it; until that is done, %s is searched. "
            "To keep that one: bigmind memory use-model %s",
            *(DEFAULT, former, former),
        )
