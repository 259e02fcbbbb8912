"""The default model of earlier versions gives way to today's, behind the writes, where nobody chose it."""

from pathlib import Path

import pytest
from sqlmodel import col, select, update

from bigmind.embedding.models import DEFAULT, MINILM_FLOAT
from bigmind.people.service import NOBODY
from bigmind.search import indexer as indexer_module
from bigmind.search.model_state import LEFT_OVER, NEXT, OUTDATED
from bigmind.store.store import Store
from bigmind.store.tables import Embedding, StoreProperty
from tests.memory.queueing import Queue, facts
from tests.memory.test_embedding_queue import change_to, models, properties, with_meaning
from tests.memory.test_health import health
from tests.store.past import past_store
from tests.store.using import raw_connection

FORMER = MINILM_FLOAT.name
OTHER = "another-model"
SOME = 20


def of_former_default(queue: Queue) -> None:
    """Bring the queue's memory to where the migration leaves one whose vectors are the former default's."""
    facts(queue.memory, *(f"fact {number}" for number in range(SOME)))
    queue.empty()
    with queue.store.write(NOBODY, "test") as work:
        work.session.exec(update(Embedding).values(model=FORMER))
        work.session.add(StoreProperty(name="embedding_model", value=FORMER))
        work.session.add(StoreProperty(name=OUTDATED, value="yes"))


def is_marked(queue: Queue) -> bool:
    with queue.store.read(NOBODY, "test") as work:
        return work.session.get(StoreProperty, OUTDATED) is not None


def test_todays_default_takes_over_and_is_named_no_more_than_in_a_new_store(queue: Queue) -> None:
    of_former_default(queue)
    assert queue.indexer.step()
    assert models(queue) == (FORMER, DEFAULT)
    assert len(queue.waiting()) == len(queue.vectors_of(FORMER)) == SOME
    queue.empty()
    assert models(queue) == (DEFAULT, DEFAULT)
    assert queue.is_complete()
    assert queue.vectors_of(FORMER) == {}
    assert properties(queue) == {}
    assert not is_marked(queue)


def test_a_process_that_ends_in_the_middle_is_gone_on_with(queue: Queue) -> None:
    of_former_default(queue)
    queue.indexer.step()
    queue.indexer.step()
    assert 0 < len(queue.vectors_of(DEFAULT)) < SOME
    queue.indexer = queue.with_embedder(queue.tiny)
    queue.empty()
    assert properties(queue) == {}
    assert queue.is_complete()


@pytest.mark.parametrize("steps", [0, 1, 2])
def test_a_person_keeps_the_former_by_choosing_it(queue: Queue, steps: int) -> None:
    of_former_default(queue)
    for _ in range(steps):
        queue.indexer.step()
    change_to(queue, FORMER)
    queue.empty()
    assert models(queue) == (FORMER, FORMER)
    assert properties(queue) == {"embedding_model": FORMER}
    assert not is_marked(queue)
    assert queue.is_complete(FORMER)
    assert queue.vectors_of(DEFAULT) == {}


def test_after_the_change_the_former_can_be_had_again(queue: Queue) -> None:
    of_former_default(queue)
    queue.empty()
    change_to(queue, FORMER)
    queue.empty()
    assert properties(queue) == {"embedding_model": FORMER}
    assert queue.is_complete(FORMER)


def test_a_default_that_does_not_work_leaves_the_former_in_its_place(
    queue: Queue, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(indexer_module, "DEFAULT", "broken-default")
    of_former_default(queue)
    queue.empty()
    assert "broken-default does not work" in caplog.text
    facts(queue.memory, "stored afterwards")
    queue.empty()
    assert models(queue) == (FORMER, FORMER)
    assert queue.is_complete(FORMER)
    monkeypatch.undo()
    queue.indexer = queue.with_embedder(queue.tiny)  # the next start
    queue.empty()
    assert queue.is_complete(DEFAULT)


def test_a_default_that_somebody_chose_is_named(queue: Queue) -> None:
    change_to(queue, DEFAULT)
    assert properties(queue) == {"embedding_model": DEFAULT}


def test_health_tells_of_the_change_and_how_to_stay(queue: Queue) -> None:
    with_meaning(queue)
    assert "default_model_changes" not in health(queue.memory)
    of_former_default(queue)
    queue.indexer.step()
    told = health(queue.memory)["default_model_changes"]
    assert (told.severity, told.count) == ("note", SOME)
    assert f"Until everything is embedded with it, {FORMER} is searched" in told.meaning
    assert told.remedy == f"`bigmind memory use-model {FORMER}` keeps the former one."
    queue.empty()
    assert "default_model_changes" not in health(queue.memory)


# What an upgrade finds


def upgraded(home: Path, vectors_of: str, **named: str) -> dict[str, str]:
    """What an upgrade says of the models of a store with vectors of that model, if any, and those properties."""
    past_store(home, "0015")
    connection = raw_connection(home)
    for name, value in named.items():
        connection.execute("INSERT INTO store_property (name, value) VALUES (?, ?)", (name, value))
    if vectors_of:
        row = "('fact', 1, 0, 0, 4, 1, '', '2026-03-01 12:00:00.000000', ?, x'01', x'01')"
        columns = "kind, item, piece, start, stop, owner, project, at, model, vector, signs"
        connection.execute(f"INSERT INTO embedding ({columns}) VALUES {row}", (vectors_of,))
    connection.close()
    store = Store(home)
    names = ("embedding_model", NEXT, LEFT_OVER, OUTDATED)
    with store.read(NOBODY, "test") as work:
        found = work.session.exec(select(StoreProperty).where(col(StoreProperty.name).in_(names))).all()
        told = {each.name: each.value for each in found}
    assert not store.look()  # rows that the migration wrote have their checksums
    store.close()
    return told


def test_what_nobody_chose_is_named_and_marked(home: Path) -> None:
    assert upgraded(home, FORMER) == {"embedding_model": FORMER, OUTDATED: "yes"}


@pytest.mark.parametrize("chosen", [FORMER, OTHER, ""])
def test_what_somebody_chose_stays(home: Path, chosen: str) -> None:
    assert upgraded(home, FORMER, embedding_model=chosen) == {"embedding_model": chosen}


def test_a_change_that_somebody_began_goes_on(home: Path) -> None:
    told = upgraded(home, FORMER, embedding_next=OTHER)
    assert told == {"embedding_model": FORMER, NEXT: OTHER}


@pytest.mark.parametrize("vectors_of", ["", OTHER])
def test_where_nothing_has_vectors_of_it_nothing_is_said(home: Path, vectors_of: str) -> None:
    assert upgraded(home, vectors_of) == {}
