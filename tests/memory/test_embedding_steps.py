"""What concerns all vectors at once is done in small steps: whoever stores meanwhile waits for one of them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pytest
from sqlalchemy import Engine, event
from sqlmodel import func, select

from bigmind.embedding.models import DEFAULT
from bigmind.people.service import NOBODY
from bigmind.search.indexer import SWEPT
from bigmind.store.tables import Embedding
from tests.memory.queueing import Queue, change_to, facts
from tests.memory.tiny_embedder import tiny

OTHER = "tiny-other"
MANY = 4 * SWEPT + 100

VECTORS = f"""
    INSERT INTO embedding(kind, item, piece, start, stop, owner, project, at, model, vector, signs)
    SELECT 'fact', id, 0, 0, 1, user_id, '', created_at, '{DEFAULT}', randomblob(32), randomblob(4) FROM fact
"""


@pytest.fixture
def full(queue: Queue) -> Queue:
    """Several steps of facts with some vector of the default model."""
    facts(queue.memory, *(f"fact {number}" for number in range(MANY)))
    with queue.store.alone() as connection:
        for statement in ("BEGIN", VECTORS, "DELETE FROM embedding_queue", "COMMIT"):
            connection.execute(statement)
    return queue


def vectors(queue: Queue, model: str = DEFAULT) -> int:
    with queue.store.read(NOBODY, "test") as work:
        return work.session.exec(select(func.count()).where(Embedding.model == model)).one()


@contextmanager
def at_each_commit(see: Callable[[], object]) -> Iterator[None]:
    """Call something while a unit is committed, of which others see nothing yet."""

    def seen(_: object) -> None:
        see()

    event.listen(Engine, "commit", seen)
    yield
    event.remove(Engine, "commit", seen)


def gone_with_each_commit(queue: Queue, act: Callable[[], object]) -> list[int]:
    """How many vectors of the default model went with each unit."""
    counted: list[int] = []
    with at_each_commit(lambda: counted.append(vectors(queue))):
        act()
    counted.append(vectors(queue))
    return [before - after for before, after in pairwise(counted)]


def has_steps(gone: list[int]) -> bool:
    assert sum(gone) == MANY
    assert max(gone) <= SWEPT
    return True


def test_the_vectors_of_a_former_model_go_in_steps(full: Queue):
    change_to(full, OTHER)
    while full.waiting():
        full.indexer.step()
    assert vectors(full) == MANY
    assert has_steps(gone_with_each_commit(full, full.empty))
    assert vectors(full, OTHER) == MANY


def test_the_vectors_of_another_model_of_the_same_name_go_in_steps_and_what_lost_its_own_waits(
    full: Queue, tmp_path: Path
):
    facts(full.memory, "now the model is another one")
    with tiny(tmp_path, dimension=64) as other:
        indexer = full.with_embedder(other)
        assert has_steps(gone_with_each_commit(full, indexer.step))
    assert len(set(full.waiting())) == len(full.waiting()) == MANY + 1


def test_a_process_that_ends_between_those_steps_is_followed_by_one_that_goes_on(full: Queue, tmp_path: Path):
    facts(full.memory, "now the model is another one")
    with tiny(tmp_path, dimension=64) as other:
        indexer = full.with_embedder(other)
        with at_each_commit(indexer.stop):
            indexer.step()
    assert vectors(full) == MANY - SWEPT
    assert len(full.waiting()) == SWEPT + 1
    (tmp_path / "again").mkdir()
    with tiny(tmp_path / "again", dimension=64) as other:
        indexer = full.with_embedder(other)
        while indexer.step():
            pass
    assert full.waiting() == []
    with full.store.read(NOBODY, "test") as work:
        lengths = set(work.session.exec(select(func.length(Embedding.vector))).all())
    assert lengths == {64}
    assert vectors(full) == MANY + 1
