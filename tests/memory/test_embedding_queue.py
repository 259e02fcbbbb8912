"""The queue of what lacks vectors: nothing is lost, nothing is done twice, nothing stands in the way of others."""

import logging
import os
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest
from sqlmodel import func, select

from bigmind.backup.service import backup_now
from bigmind.embedding.embedder import EmbeddingError
from bigmind.embedding.meaning import Meaning
from bigmind.embedding.models import DEFAULT
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.registry import KINDS
from bigmind.search.indexer import BATCH, BATCH_CHARACTERS, MOST_CHARACTERS, Indexer
from bigmind.search.model_answers import Models, begun
from bigmind.search.model_state import change_model, progress
from bigmind.store.tables import Embedding, EmbeddingQueue
from tests.memory.living import Memory
from tests.memory.queueing import Queue, change_to, facts, models, one_of_each, properties
from tests.memory.rows import START, entry, fact
from tests.memory.tiny_embedder import digest, tiny

SEARCHED = [each.name for each in KINDS.searched]

OTHER = "tiny-other"


def test_every_kind_gets_its_vectors(queue: Queue):
    one_of_each(queue.memory)
    assert {kind for kind, _ in queue.waiting()} == set(SEARCHED)
    queue.empty()
    assert queue.is_complete()
    assert {kind for kind, _ in queue.vectors_of(DEFAULT)} == set(SEARCHED)


def test_the_newest_come_first_and_no_request_is_large(queue: Queue):
    facts(queue.memory, *(f"fact {number}" for number in range(BATCH + 4)))
    queue.empty()
    assert queue.tiny.asked() == [
        [f"fact {number}" for number in range(BATCH + 3, 3, -1)],
        ["fact 3", "fact 2", "fact 1", "fact 0"],
    ]


def test_long_texts_go_in_small_batches_and_the_longest_alone(queue: Queue):
    long = BATCH_CHARACTERS // 2
    texts = ["a" * long, "b" * long, "c" * long, "d" * 2_000_000, "e"]
    for text in texts:
        queue.memory.insert(entry(START, "T", text))
    queue.empty()
    asked = [[text[2] for text in request] for request in queue.tiny.asked()]
    assert asked == [["e"], ["d"], ["c"], ["b"], ["a"]]
    with queue.store.read(NOBODY, "test") as work:
        assert work.session.exec(select(func.max(Embedding.stop))).one() == MOST_CHARACTERS
    assert not queue.waiting()


@pytest.mark.parametrize("word", ["POISON", "CRASH"])
@pytest.mark.parametrize("after", [0, BATCH])
def test_what_the_model_chokes_on_does_not_keep_the_others(queue: Queue, word: str, after: int):
    facts(queue.memory, "first", f"this is {word}", f"and {word}", *(f"fact {number}" for number in range(after)))
    queue.empty()
    assert queue.waiting() == [("fact", 3), ("fact", 2)]
    assert all(queue.failures())
    there = queue.vectors_of(DEFAULT)
    assert there.items() <= queue.right_vectors().items()
    assert len(there) == after + 1
    with queue.store.read(queue.memory.caller, "test") as work:
        assert (progress(work).waiting, progress(work).failed) == (0, 2)
    # They have another chance when they change.
    with queue.store.write(queue.memory.caller, "test") as work:
        for number in (2, 3):
            work.session.get_one(Fact, number).text = "this is fine"
    queue.empty()
    assert queue.is_complete()


def test_what_could_not_be_embedded_is_tried_again_after_the_next_start(queue: Queue, tmp_path: Path):
    facts(queue.memory, f"HOLD {tmp_path / 'nothing'} ")  # there is no such file, so the process ends
    queue.empty()
    assert queue.failures()
    (tmp_path / "nothing").write_text("by now there is one")
    started(queue.indexer)
    until(queue.indexer, queue.is_complete)
    ended(queue)


def test_a_model_that_does_not_work_is_no_fault_of_the_texts(queue: Queue):
    facts(queue.memory, "one", "two")
    with queue.store.write(queue.memory.caller, "test") as work:
        change_model(work, "broken-model")
    with pytest.raises(EmbeddingError, match="it chokes"):
        queue.indexer.step()
    assert queue.failures() == []
    assert len(queue.waiting()) == 2


def test_what_changes_while_it_is_embedded_gets_the_vectors_of_what_it_says_then(queue: Queue, tmp_path: Path):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    facts(queue.memory, "stays", f"HOLD {gate} before", "goes", "is deprecated")
    thread = Thread(target=queue.indexer.step)
    thread.start()
    with gate.open("w") as opened:  # the model has it in hand from here on
        with queue.store.write(queue.memory.caller, "test") as work:
            work.session.get_one(Fact, 2).text = "after"
            work.session.delete(work.session.get_one(Fact, 3))
            work.session.get_one(Fact, 4).deprecated_at = START
        opened.write("go on")
    thread.join(30)
    assert queue.vectors_of(DEFAULT) == {("fact", 1): digest("stays")}
    assert queue.waiting() == [("fact", 4), ("fact", 2)]
    queue.empty()
    assert queue.vectors_of(DEFAULT) == {("fact", 1): digest("stays"), ("fact", 2): digest("after")}


def test_what_has_vectors_and_is_queued_again_has_them_once(queue: Queue):
    facts(queue.memory, "one")
    queue.empty()
    queue.memory.insert(EmbeddingQueue(kind="fact", item=1, owner=1))
    queue.empty()
    assert queue.is_complete()


def test_another_model_takes_over_when_everything_has_its_vectors(queue: Queue):
    one_of_each(queue.memory)
    queue.empty()
    before = queue.vectors_of(DEFAULT)
    facts(queue.memory, *(f"fact {number}" for number in range(BATCH)))
    queue.empty()
    change_to(queue, OTHER)
    assert set(queue.waiting()) == set(queue.right_vectors())
    queue.indexer.step()
    assert models(queue) == (DEFAULT, OTHER)
    assert before.items() <= queue.vectors_of(DEFAULT).items()
    assert len(queue.vectors_of(OTHER)) == BATCH
    queue.empty()
    assert models(queue) == (OTHER, OTHER)
    assert queue.is_complete(OTHER)
    assert queue.vectors_of(DEFAULT) == {}
    assert properties(queue) == {"embedding_model": OTHER}


def test_going_back_to_the_active_model_cancels_the_change(queue: Queue):
    facts(queue.memory, *(f"fact {number}" for number in range(BATCH + 2)))
    queue.empty()
    change_to(queue, OTHER)
    facts(queue.memory, "stored meanwhile")
    queue.indexer.step()
    assert ("fact", BATCH + 3) in queue.vectors_of(OTHER)
    change_to(queue, DEFAULT)
    assert queue.waiting() == [("fact", BATCH + 3)]
    queue.empty()
    assert models(queue) == (DEFAULT, DEFAULT)
    assert queue.is_complete()
    assert queue.vectors_of(OTHER) == {}
    assert properties(queue) == {"embedding_model": DEFAULT}


def test_a_model_that_is_chosen_again_keeps_the_vectors_it_has(queue: Queue):
    facts(queue.memory, *(f"fact {number}" for number in range(BATCH + 2)))
    queue.empty()
    change_to(queue, OTHER)
    queue.indexer.step()
    change_to(queue, DEFAULT)
    change_to(queue, OTHER)
    assert len(queue.waiting()) == 2
    queue.empty()
    assert queue.is_complete(OTHER)


def test_something_that_cannot_be_embedded_does_not_keep_a_change_from_its_end(queue: Queue):
    facts(queue.memory, "fine", "POISON")
    queue.empty()
    change_to(queue, OTHER)
    queue.empty()
    assert models(queue) == (OTHER, OTHER)
    assert queue.vectors_of(OTHER) == {("fact", 1): digest("fine")}


def test_what_waits_for_the_next_start_is_not_tried_in_this_one(queue: Queue):
    facts(queue.memory, "POISON")
    queue.empty()
    many = len(queue.tiny.asked())
    facts(queue.memory, "fine")
    queue.empty()
    assert queue.tiny.asked()[many:] == [["fine"]]


def test_another_model_under_the_same_name_begins_anew(queue: Queue, tmp_path: Path):
    facts(queue.memory, *(f"fact {number}" for number in range(BATCH)))
    queue.empty()
    facts(queue.memory, "one more")
    with tiny(tmp_path, dimension=64) as other:
        indexer = queue.with_embedder(other)
        while indexer.step():
            pass
    assert not queue.waiting()
    there = queue.vectors_of(DEFAULT)
    assert len(there) == BATCH + 1
    assert {len(vector) for vector in there.values()} == {64}


# The thread


def started(indexer: Indexer) -> None:
    indexer.start()


def until(indexer: Indexer, is_so) -> None:
    """Wait for the thread to bring something about."""
    for _ in range(3_000):
        if is_so():
            return
        indexer._thread.join(0.01)
        assert indexer._thread.is_alive()
    raise AssertionError("it never came about")


def ended(queue: Queue) -> None:
    queue.indexer.stop()
    assert not queue.indexer._thread.is_alive()


def test_the_thread_embeds_what_was_there_and_what_comes(queue: Queue):
    facts(queue.memory, "before the start")
    started(queue.indexer)
    until(queue.indexer, queue.is_complete)
    queue.memory("memory_store_fact", category="decision", fact="After the start.")
    until(queue.indexer, lambda: len(queue.vectors_of(DEFAULT)) == 2 and queue.is_complete())
    ended(queue)


def test_it_ends_at_once_while_a_batch_is_embedded_and_says_nothing(
    queue: Queue, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    gate = tmp_path / "gate"
    os.mkfifo(gate)
    facts(queue.memory, f"HOLD {gate} forever")
    with caplog.at_level(logging.WARNING):
        started(queue.indexer)
        with gate.open("w"):  # the model has it in hand
            ended(queue)
    assert caplog.records == []
    assert queue.waiting() == [("fact", 1)]
    assert queue.failures() == []


def test_a_model_that_does_not_work_is_tried_again_and_again(queue: Queue, caplog: pytest.LogCaptureFixture):
    facts(queue.memory, "one")
    change_to(queue, "broken-model")
    with caplog.at_level(logging.WARNING):
        started(queue.indexer)
        until(queue.indexer, lambda: len(queue.tiny.asked()) > 4)
    assert "it chokes" in caplog.text
    change_to(queue, DEFAULT)
    until(queue.indexer, queue.is_complete)
    ended(queue)


def test_a_full_disk_puts_it_off(queue: Queue, caplog: pytest.LogCaptureFixture):
    facts(queue.memory, *(f"fact {number} " + "x" * 1_500 for number in range(200)))
    room(queue, 2)
    with caplog.at_level(logging.WARNING):
        started(queue.indexer)
        until(queue.indexer, lambda: "The disk is full" in caplog.text)
    assert queue.is_sound()
    room(queue, None)
    until(queue.indexer, queue.is_complete)
    ended(queue)


def room(queue: Queue, pages: int | None) -> None:
    with queue.store.alone() as connection:
        [[now]] = connection.execute("PRAGMA page_count").fetchall()
        connection.execute(f"PRAGMA max_page_count={4_294_967_294 if pages is None else now + pages}").fetchall()


def test_after_a_restore_the_queue_of_the_backup_is_emptied(queue: Queue):
    facts(queue.memory, *(f"fact {number}" for number in range(20)))
    name = backup_now(queue.store, "manual").name
    queue.memory.insert(*(fact(START, f"newer {number}") for number in range(30)))
    started(queue.indexer)
    until(queue.indexer, queue.is_complete)
    with queue.store.read(NOBODY, "test") as work:
        assert queue.vectors.nearest(work.session, DEFAULT, digest("newer 1"), among(), 1)
    queue.memory.as_person()("backup_restore", backup=name)
    until(queue.indexer, queue.is_complete)
    with queue.store.read(NOBODY, "test") as work:
        [nearest] = queue.vectors.nearest(work.session, DEFAULT, digest("fact 7"), among(), 1)
    assert (nearest.item, nearest.similarity) == (8, pytest.approx(1.0))
    ended(queue)


def among():
    from bigmind.embedding.vector_index import VectorFilter  # noqa: PLC0415

    return VectorFilter("fact", 1)


# What the user is told


def with_meaning(queue: Queue) -> None:
    meaning = Meaning(queue.tiny.embedder, queue.vectors)
    queue.store.host = replace(queue.store.host, meaning=meaning)


def test_statistics_say_how_far_it_is(queue: Queue):
    with_meaning(queue)
    facts(queue.memory, *(f"fact {number}" for number in range(1_234)))
    stats = queue.memory("memory_get_stats")
    assert (stats.embedded, stats.waiting) == (0, 1_234)
    assert stats.meaning == f"{DEFAULT}; 1,234 items wait to be embedded"
    assert f"Search by meaning: {stats.meaning}" in stats.as_text()
    queue.indexer.step()
    stats = queue.memory("memory_get_stats")
    assert (stats.embedded, stats.waiting) == (BATCH, 1_234 - BATCH)


def test_what_everybody_finds_is_counted_as_waiting_and_as_embedded(queue: Queue):
    with_meaning(queue)
    one_of_each(queue.memory)
    queue.memory.insert(*(entry(START, f"Rule {number}") for number in range(BATCH)))
    everything = len(SEARCHED) + BATCH
    stats = queue.memory("memory_get_stats")
    assert (stats.embedded, stats.waiting) == (0, everything)
    queue.indexer.step()
    stats = queue.memory("memory_get_stats")
    assert (stats.embedded, stats.waiting) == (BATCH, everything - BATCH)
    assert queue.memory.as_person()("memory_reindex").queued == everything
    change_to(queue, OTHER)
    with queue.store.read(queue.memory.caller, "test") as work:
        assert progress(work).waiting == everything
    queue.empty()
    stats = queue.memory("memory_get_stats")
    assert (stats.embedded, stats.waiting) == (everything, 0)


def test_statistics_say_what_is_changed_and_what_does_not_work(queue: Queue):
    with_meaning(queue)
    facts(queue.memory, "fine", "POISON")
    queue.empty()
    stats = queue.memory("memory_get_stats")
    assert (stats.embedded, stats.waiting) == (1, 0)
    assert "1 item could not be embedded" in stats.meaning
    change_to(queue, "broken-model")
    with pytest.raises(EmbeddingError):
        queue.indexer.step()
    assert queue.memory("memory_get_stats").meaning == (
        f"{DEFAULT}; changing to broken-model; 2 items wait to be embedded; it does not work: ValueError: it chokes"
    )


def test_statistics_without_a_model_say_why(memory: Memory):
    facts(memory, "one")
    stats = memory("memory_get_stats")
    assert (stats.embedded, stats.waiting) == (0, 0)
    assert stats.meaning.startswith("not searched: ")


def test_nobody_is_told_how_much_others_have_waiting(queue: Queue):
    with_meaning(queue)
    bob = queue.memory.of("bob")
    before = bob("memory_get_stats").meaning
    facts(queue.memory, "one", "two")
    assert bob("memory_get_stats").meaning == before
    bob.insert(replace_owner(fact(START, "bob's"), bob))
    assert bob("memory_get_stats").waiting == 1


def replace_owner(row: Fact, memory: Memory) -> Fact:
    row.user_id = memory.caller.user_id
    return row


def test_a_change_of_the_model_is_told_as_one_that_goes_on():
    assert begun(OTHER, DEFAULT, 5_000).as_text() == (
        f"The change to {OTHER} has begun: 5,000 items wait to be embedded with it. Until that is done, "
        f"{DEFAULT} is searched."
    )
    assert "1 item waits" in begun(OTHER, "", 1).as_text()
    models = Models(active=DEFAULT, next=OTHER, waiting=5_000, state="ready", models=[])
    assert f"Changing to {OTHER}: 5,000 items wait" in models.as_text()
