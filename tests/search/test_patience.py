"""A search waits for the model, but not every search for a model that does not answer."""

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from bigmind.embedding import meaning as waiting
from bigmind.embedding.embedder import Embedder
from bigmind.embedding.meaning import LITTLE_PATIENCE_SECONDS, Meaning
from bigmind.embedding.models import DEFAULT
from bigmind.store.sqlite.vectors import SqliteVectors

HANGS = "import sys; sys.stdin.read()"
LONG = 2 * LITTLE_PATIENCE_SECONDS


@pytest.fixture
def hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Embedder]:
    """An embedder whose process reads all questions and answers none."""
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", LONG)
    embedder = Embedder([sys.executable, "-c", HANGS], tmp_path)
    yield embedder
    embedder.close()


def test_after_a_question_that_was_not_answered_in_time_others_wait_only_a_little(hung: Embedder) -> None:
    meaning = Meaning(hung, SqliteVectors())
    first = meaning.ask(DEFAULT, "loom")
    assert first.patience.seconds == LONG
    assert first.vector() == (None, "the embedding model is still being loaded")
    assert meaning.ask(DEFAULT, "heddle").patience.seconds == LITTLE_PATIENCE_SECONDS


def test_with_an_answer_patience_returns(hung: Embedder) -> None:
    late = Meaning(hung, SqliteVectors()).ask(DEFAULT, "loom")
    assert late.vector()[0] is None
    assert late.coming is not None
    answered = threading.Event()
    late.coming.add_done_callback(lambda _: answered.set())  # after the one of the question itself
    hung.close()
    assert answered.wait(60)
    assert late.patience.seconds == LONG
