"""What a question means, as a vector; or why only words are looked for."""

from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotInTime
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bigmind.embedding.downloads import Downloads
from bigmind.embedding.embedder import Embedder, EmbeddingError, State
from bigmind.embedding.models import MULTILINGUAL, has_other_script, model_named
from bigmind.embedding.process import Answer
from bigmind.embedding.vector_index import VectorIndex

Answered = TypeVar("Answered")

PATIENCE_SECONDS = 3.0
"""How long a search waits for the model's process, however busy the machine is, before it goes by words alone."""
START_PATIENCE_SECONDS = 0.3
"""The same while that process is being started, which takes about a second: the first question after a rest."""
LITTLE_PATIENCE_SECONDS = 0.1
"""The same after a question that was not answered in time, until an answer comes: who waits holds a connection."""


class QuestionPatience:
    """How long a question may take to be embedded; shared by all questions."""

    def __init__(self, is_starting: Callable[[], bool] = lambda: False) -> None:
        """Wait for long; not where the process that answers is being started, as `is_starting` tells."""
        self._is_late = False
        self._is_starting = is_starting

    @property
    def seconds(self) -> float:
        """How long is waited now."""
        if self._is_late:
            return LITTLE_PATIENCE_SECONDS
        return START_PATIENCE_SECONDS if self._is_starting() else PATIENCE_SECONDS

    def wait(self, coming: "Future[Answered]") -> tuple[Answered | None, str]:
        """The answer; or None, and why there is none."""
        try:
            return coming.result(self.seconds), ""
        except EmbeddingError as error:
            return None, f"the embedding model does not work ({error})"
        except NotInTime:
            self.lose(coming)
            return None, "the embedding model is still being loaded"

    def lose(self, coming: "Future[Any]") -> None:
        """Wait only a little from now on, until this answer comes, or any other.

        The first that is late tells of that; those after it are not even asked, if they were not yet.
        """
        if self._is_late and coming.cancel():
            return
        self._is_late = True
        coming.add_done_callback(self.regain)

    def regain(self, _answered: "Future[Any]") -> None:
        """Wait for long again: there was an answer, if only that the model does not work."""
        self._is_late = False


@dataclass(frozen=True, slots=True)
class QuestionEmbedding:
    """A question that is being embedded while its words are looked up."""

    model: str
    coming: "Future[bytes] | None"
    why_not: str = ""
    patience: QuestionPatience = field(default_factory=QuestionPatience)

    def vector(self) -> tuple[bytes | None, str]:
        """Its vector; or None, and why there is none."""
        return (None, self.why_not) if self.coming is None else self.patience.wait(self.coming)


@dataclass(frozen=True, slots=True)
class ProcessSearch:
    """A search that the embedder's process makes, from the question's words and vector to the hits."""

    coming: "Future[Answer]"
    patience: QuestionPatience

    def answer(self) -> tuple[Answer | None, str]:
        """What it tells; or None, and why it tells nothing."""
        return self.patience.wait(self.coming)


class Meaning:
    """Search by meaning: the embedder, the index, and which model is used."""

    def __init__(
        self,
        embedder: Embedder | None,
        vectors: VectorIndex | None,
        why_not: str = "",
        downloads: Downloads | None = None,
        has_stopped: Callable[[], bool] = lambda: False,
        *,
        process_searches: bool = False,
    ) -> None:
        """Put it together; without an embedder or an index it answers why there is none.

        Args:
            embedder: makes vectors.
            vectors: finds by them.
            why_not: why one of them is missing.
            downloads: of models.
            has_stopped: whether what should embed new things has ended by a fault.
            process_searches: whether the embedder's process also searches the store.
        """
        self.embedder = embedder
        self.vectors = vectors
        self.why_not = why_not
        self.downloads = downloads
        self.has_stopped = has_stopped
        self._process_searches = process_searches
        self._patience = QuestionPatience(lambda: embedder is not None and embedder.state is State.STARTING)

    def ask(self, model: str, query: str) -> QuestionEmbedding:
        """Begin to embed a question."""
        if (why_not := self._why_not(model, query)) or self.embedder is None:
            return QuestionEmbedding(model, None, why_not)
        return QuestionEmbedding(model, self.embedder.query(model, query), patience=self._patience)

    def search(self, model: str, query: str, wanted: Callable[[], str]) -> ProcessSearch | None:
        """Begin a search in the embedder's process; None where that does not search, or meaning has no part.

        Args:
            model: whose vectors are compared.
            query: what is looked for.
            wanted: all that the process has to know of the search.
        """
        if self.embedder is None or not self._process_searches or self._why_not(model, query):
            return None
        return ProcessSearch(self.embedder.search(model, wanted()), self._patience)

    def _why_not(self, model: str, query: str) -> str:
        """Why a question is not embedded; empty where it is."""
        if self.embedder is None or self.vectors is None:
            return self.why_not or "search by meaning is off"
        if not model:
            return "no embedding model is chosen"
        if model_named(model).reads(query):
            return ""
        if has_other_script(query):
            return f"{model} does not read this script, {MULTILINGUAL.name} does"
        return f"the question has no word that {model} reads"


WORDS_ONLY = Meaning(None, None, "BigMind's server does not run here")
