"""Vectors that an earlier version made of what the model does not read go by themselves, once, in small units."""

import pytest
from sqlmodel import col, delete, select, update

from bigmind.embedding.models import DEFAULT
from bigmind.maintenance.reindexing import PROPERTY, bring_up_to_date
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.search import reembedding
from bigmind.search.model_state import UNREAD
from bigmind.store.tables import Embedding, StoreProperty
from tests.memory.queueing import Queue, change_to, facts
from tests.memory.rows import START
from tests.memory.tiny_embedder import digest

SIGNS = "\u2705 \U0001f680 \u2705"
JAPANESE = "機織り機は花を織る"
WORDS = "The loom weaves flowers"
MIXED = f"{WORDS}. {JAPANESE}"


def of_earlier_version(queue: Queue, *texts: str, cut: int = 0) -> None:
    """Facts with vectors as an earlier version made them, and derived by it; `cut`: where a text's pieces part."""
    facts(queue.memory, *texts)
    queue.empty()
    with queue.store.write(NOBODY, "test") as work:
        work.session.exec(delete(Embedding).where(col(Embedding.model) == DEFAULT))
        for row in work.session.exec(select(Fact)).all():
            pieces = [(0, cut), (cut, len(row.text))] if cut else [(0, len(row.text))]
            for number, (start, stop) in enumerate(pieces):
                work.session.add(
                    Embedding(
                        kind="fact", item=row.id or 0, piece=number, start=start, stop=stop, owner=row.user_id,
                        at=START, model=DEFAULT, vector=digest(row.text[start:stop]),
                    )
                )  # fmt: skip
        work.session.exec(update(StoreProperty).where(col(StoreProperty.name) == PROPERTY).values(value="6"))


def stretches(queue: Queue, model: str = DEFAULT) -> list[tuple[str, int]]:
    """The texts that have vectors of a model, with the number of each piece."""
    with queue.store.read(NOBODY, "test") as work:
        found = select(Fact.text, Embedding.piece).where(Embedding.item == Fact.id, Embedding.model == model)
        return [tuple(each) for each in work.session.exec(found.order_by(col(Fact.id), col(Embedding.piece)))]


def note(queue: Queue) -> str | None:
    with queue.store.read(NOBODY, "test") as work:
        found = work.session.get(StoreProperty, UNREAD)
        return None if found is None else found.value


def test_they_go_after_an_update_and_the_others_stay(queue: Queue) -> None:
    of_earlier_version(queue, SIGNS, WORDS, JAPANESE)
    assert stretches(queue) == [(SIGNS, 0), (WORDS, 0), (JAPANESE, 0)]
    bring_up_to_date(queue.store)
    assert note(queue) == ""
    queue.empty()
    assert stretches(queue) == [(WORDS, 0)]
    assert note(queue) is None
    bring_up_to_date(queue.store)
    assert note(queue) is None  # once
    assert not queue.indexer.step()


def test_it_goes_on_where_a_process_was_ended(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reembedding, "AT_ONCE", 2)
    of_earlier_version(queue, *(f"{SIGNS}{number * chr(0x2705)}" for number in range(5)))
    bring_up_to_date(queue.store)
    assert queue.indexer.step()
    assert len(stretches(queue)) == 3
    assert note(queue) == "fact 2"
    queue.indexer = queue.with_embedder(queue.tiny)
    queue.empty()
    assert stretches(queue) == []
    assert note(queue) is None


def test_what_is_read_in_part_is_embedded_anew(queue: Queue) -> None:
    of_earlier_version(queue, MIXED, WORDS + WORDS, cut=len(WORDS) + 2)
    assert stretches(queue) == [(MIXED, 0), (MIXED, 1), (WORDS + WORDS, 0), (WORDS + WORDS, 1)]
    bring_up_to_date(queue.store)
    assert queue.indexer.step()
    assert queue.waiting() == [("fact", 1)]
    assert (MIXED, 1) in stretches(queue)  # searched until then
    queue.empty()
    assert stretches(queue) == [(MIXED, 0), (WORDS + WORDS, 0), (WORDS + WORDS, 1)]
    assert note(queue) is None


def test_what_has_no_vectors_is_not_looked_at(queue: Queue) -> None:
    facts(queue.memory, SIGNS)
    queue.empty()
    with queue.store.write(NOBODY, "test") as work:
        work.session.exec(update(StoreProperty).where(col(StoreProperty.name) == PROPERTY).values(value="6"))
    bring_up_to_date(queue.store)
    assert note(queue) is None


def test_a_model_that_reads_everything_keeps_its_vectors(queue: Queue) -> None:
    change_to(queue, "another-model")
    of_earlier_version(queue, SIGNS, WORDS)
    bring_up_to_date(queue.store)
    queue.empty()
    assert stretches(queue, "another-model") == [(SIGNS, 0), (WORDS, 0)]
    assert note(queue) is None
