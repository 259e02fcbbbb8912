"""What ends the embedding of new things, or holds it up, is noticed and said."""

import logging
import os
from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.embedding.embedder import Embedder
from bigmind.embedding.limits import Limits
from bigmind.embedding.meaning import Meaning
from bigmind.embedding.models import DEFAULT
from bigmind.search.indexer import Indexer
from bigmind.search.model_choice import STOPPED
from tests.memory.queueing import Queue, facts
from tests.memory.tiny_embedder import digest, tiny

IMPATIENT = Limits(documents=0.5, thousand_characters=0)


def test_a_text_at_which_the_embedder_hangs_does_not_keep_the_others(queue: Queue, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    os.mkfifo(gate)  # which nobody writes to
    (tmp_path / "other").mkdir()
    with tiny(tmp_path / "other", limits=IMPATIENT) as impatient:
        indexer = queue.with_embedder(impatient)
        facts(queue.memory, "first")
        while indexer.step():
            pass
        facts(queue.memory, f"HOLD {gate} forever", "second")
        while indexer.step():
            pass
    assert queue.failures() == ["the embedder's process did not answer"]
    there = queue.vectors_of(DEFAULT)
    assert there == {("fact", 1): digest("first"), ("fact", 3): digest("second")}


class Faulty(Embedder):
    """One with a fault that nobody thought of."""

    def documents(self, *_: object) -> object:
        raise KeyError("a fault")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_statistics_say_that_the_thread_has_ended(
    queue: Queue, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    facts(queue.memory, "one")
    indexer = Indexer(queue.store, Faulty(["nothing"], tmp_path))
    meaning = Meaning(queue.tiny.embedder, queue.vectors, has_stopped=indexer.has_stopped)
    queue.store.host = replace(queue.store.host, meaning=meaning)
    assert STOPPED not in queue.memory("memory_get_stats").meaning
    with caplog.at_level(logging.ERROR):
        indexer.start()
        indexer._thread.join(30)
    assert STOPPED in queue.memory("memory_get_stats").meaning
    assert [each.message for each in caplog.records] == ["embedding has stopped by a fault; restart BigMind"]
    indexer.stop()


def test_a_thread_that_was_told_to_end_has_no_fault(queue: Queue) -> None:
    queue.indexer.start()
    queue.indexer.stop()
    assert not queue.indexer.has_stopped()
