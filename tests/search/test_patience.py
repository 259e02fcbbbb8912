"""A search waits for the model, but not while its process starts, and not every search for one that does not answer."""

import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bigmind.embedding import meaning as waiting
from bigmind.embedding.embedder import Embedder, State
from bigmind.embedding.meaning import LITTLE_PATIENCE_SECONDS, PATIENCE_SECONDS, START_PATIENCE_SECONDS, Meaning
from bigmind.embedding.models import DEFAULT
from bigmind.local.program import embedder_command
from bigmind.store.sqlite.vectors import SqliteVectors

HANGS = "import sys; sys.stdin.read()"
LONG = 2 * LITTLE_PATIENCE_SECONDS


@pytest.fixture
def hung(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Embedder]:
    """An embedder whose process reads all questions and answers none."""
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", LONG)
    monkeypatch.setattr(waiting, "START_PATIENCE_SECONDS", LONG)
    embedder = Embedder([sys.executable, "-c", HANGS], tmp_path)
    yield embedder
    embedder.close()


def test_the_first_question_waits_a_moment_for_a_process_that_starts_the_next_for_long(tmp_path: Path) -> None:
    with closing(Embedder(embedder_command(), tmp_path)) as embedder:
        meaning = Meaning(embedder, SqliteVectors())
        first = meaning.ask(DEFAULT, "loom")
        assert START_PATIENCE_SECONDS == 0.3
        assert (embedder.state, first.patience.seconds) == (State.STARTING, START_PATIENCE_SECONDS)
        assert first.coming is not None
        first.coming.result(120)
        assert embedder.state is State.READY
        assert meaning.ask(DEFAULT, "heddle").patience.seconds == PATIENCE_SECONDS


def test_a_question_while_the_process_starts_is_answered_by_words_and_says_so(
    hung: Embedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(waiting, "START_PATIENCE_SECONDS", 0.0)
    monkeypatch.setattr(waiting, "PATIENCE_SECONDS", 120.0)
    assert Meaning(hung, SqliteVectors()).ask(DEFAULT, "loom").vector() == (
        None,
        "the embedding model is still being loaded",
    )


def test_with_an_answer_patience_returns(hung: Embedder) -> None:
    late = Meaning(hung, SqliteVectors()).ask(DEFAULT, "loom")
    assert late.vector()[0] is None
    assert late.coming is not None
    answered = threading.Event()
    late.coming.add_done_callback(lambda _: answered.set())  # after the one of the question itself
    hung.close()
    assert answered.wait(60)
    assert late.patience.seconds == LONG


def test_after_a_question_that_was_not_answered_in_time_others_wait_only_a_little(hung: Embedder) -> None:
    meaning = Meaning(hung, SqliteVectors())
    first = meaning.ask(DEFAULT, "loom")
    assert first.patience.seconds == LONG
    assert first.vector() == (None, "the embedding model is still being loaded")
    assert meaning.ask(DEFAULT, "heddle").patience.seconds == LITTLE_PATIENCE_SECONDS
