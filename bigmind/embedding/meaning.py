"""What a question means, as a vector; or why only words are looked for."""

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from dataclasses import dataclass, field

from bigmind.embedding.downloads import Downloads
from bigmind.embedding.embedder import Embedder, EmbeddingError
from bigmind.embedding.models import MULTILINGUAL, model_named
from bigmind.embedding.vector_index import VectorIndex

PATIENCE_SECONDS = 3.0
"""How long a search waits for the model, which takes about a second to load, before it goes by words alone."""
LITTLE_PATIENCE_SECONDS = 0.1
"""The same after a question that was not answered in time, until an answer comes: who waits holds a connection."""


class QuestionPatience:
    """How long a question may take to be embedded; shared by all questions."""

    def __init__(self) -> None:
        """At first, as long as a model takes to be loaded."""
        self._is_late = threading.Event()

    @property
    def seconds(self) -> float:
        """How long is waited now."""
        return LITTLE_PATIENCE_SECONDS if self._is_late.is_set() else PATIENCE_SECONDS

    def lose(self, coming: "Future[bytes]") -> None:
        """Wait only a little from now on, until this answer comes, or any other.

        The first that is late tells of that; those after it are not even asked, if they were not yet.
        """
        if self._is_late.is_set() and coming.cancel():
            return
        self._is_late.set()
        coming.add_done_callback(self.regain)

    def regain(self, _answered: "Future[bytes]") -> None:
        """Wait for long again: there was an answer, if only that the model does not work."""
        self._is_late.clear()


@dataclass(frozen=True, slots=True)
class QuestionEmbedding:
    """A question that is being embedded while its words are looked up."""

    model: str
    coming: "Future[bytes] | None"
    why_not: str = ""
    patience: QuestionPatience = field(default_factory=QuestionPatience)

    def vector(self) -> tuple[bytes | None, str]:
        """Its vector; or None, and why there is none."""
        if self.coming is None:
            return None, self.why_not
        try:
            return self.coming.result(self.patience.seconds), ""
        except EmbeddingError as error:
            return None, f"the embedding model does not work ({error})"
        except NotInTime:
            self.patience.lose(self.coming)
            return None, "the embedding model is still being loaded"


class Meaning:
    """Search by meaning: the embedder, the index, and which model is used."""

    def __init__(
        self,
        embedder: Embedder | None,
        vectors: VectorIndex | None,
        why_not: str = "",
        downloads: Downloads | None = None,
        has_stopped: Callable[[], bool] = lambda: False,
    ) -> None:
        """Put it together; without an embedder or an index it answers why there is none.

        Args:
            embedder: makes vectors.
            vectors: finds by them.
            why_not: why one of them is missing.
            downloads: of models.
            has_stopped: whether what should embed new things has ended by a fault.
        """
        self.embedder = embedder
        self.vectors = vectors
        self.why_not = why_not
        self.downloads = downloads
        self.has_stopped = has_stopped
        self._patience = QuestionPatience()

    def ask(self, model: str, query: str) -> QuestionEmbedding:
        """Begin to embed a question."""
        if self.embedder is None or self.vectors is None:
            return QuestionEmbedding(model, None, self.why_not)
        if not model:
            return QuestionEmbedding(model, None, "no embedding model is chosen")
        if not model_named(model).reads(query):
            return QuestionEmbedding(model, None, f"{model} does not read this script, {MULTILINGUAL.name} does")
        return QuestionEmbedding(model, self.embedder.query(model, query), patience=self._patience)


WORDS_ONLY = Meaning(None, None, "BigMind's server does not run here")
