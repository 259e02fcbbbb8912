"""What is forgotten while an index is made anew leaves no byte, in the old index and in the new one."""

import shutil
from pathlib import Path

import pytest
from sqlmodel import col, delete, select

from bigmind.core.ids import new_id
from bigmind.memory.tables import Chunk
from bigmind.people.service import NOBODY
from bigmind.store.tables import StoreProperty
from tests.memory.index_renewal import MANY, beside, steps
from tests.memory.living import Memory, living
from tests.memory.traces import patterns_of, traces

SECRET = "Zanzibarquokka keeps the harbourmasterkey."


def moments(memory: Memory) -> None:
    uid = memory("memory_start_session", topics=["jam"]).session_id
    memory("memory_flag_important", content=SECRET, flag_reason="r", session_id=uid)
    with memory.mind.store.write(NOBODY, "test") as work:
        first = work.session.exec(select(Chunk)).one()
        given = first.model_dump(exclude={"id", "uid", "content", "terms", "seq"})
        for number in range(MANY):
            content = f"What stays has the number {number}."
            work.session.add(Chunk(**given, uid=new_id(), content=content, terms="", seq=number + 2))


@pytest.mark.parametrize("index", ["chunk_fts", "chunk_grams"])
@pytest.mark.parametrize("at", [1, 3, MANY, MANY + 12, None])
def test_what_is_forgotten_meanwhile_leaves_no_byte(
    memory: Memory, home: Path, tmp_path: Path, index: str, at: int | None
):
    """When it is not yet in the new index, when it is, while that is merged, and right after it took the name."""
    person = memory.as_person()
    moments(memory)
    wanted = patterns_of(SECRET)
    assert traces(home, wanted)
    with memory.mind.store.read(NOBODY, "test") as work:
        uid = work.session.exec(select(Chunk.uid).where(Chunk.content == SECRET)).one()
    for number, _ in enumerate(steps(memory, index), 1):
        if number == at:
            assert person("memory_forget", id=uid, confirm=True).overwritten
            assert beside(memory) == [f"{index}_new"]
            assert traces(home, wanted) == {}
            shutil.copytree(home, tmp_path / "left")
    if at is None:
        assert person("memory_forget", id=uid, confirm=True).overwritten
        shutil.copytree(home, tmp_path / "left")
    assert traces(home, wanted) == {}
    assert memory.mind.store.integrity() == []
    with living(tmp_path / "left") as again:  # of a process that was killed right then
        assert (beside(again), again.mind.store.integrity()) == ([], [])
    assert traces(tmp_path / "left", wanted) == {}


def test_a_process_killed_between_forgetting_and_overwriting_leaves_nothing_after_the_next_start(
    memory: Memory, home: Path, tmp_path: Path
):
    moments(memory)
    units = steps(memory, "chunk_fts")
    for _ in range(20):
        next(units)
    with memory.mind.store.alone() as connection:
        memory.mind.store.backend.maintenance.put_off_words(connection, ["chunk"])
    with memory.mind.store.write(NOBODY, "test") as work:
        work.session.merge(StoreProperty(name="forgetting", value="pending"))
        work.session.exec(delete(Chunk).where(col(Chunk.content) == SECRET))
    left = tmp_path / "left"
    shutil.copytree(home, left)
    units.close()
    assert traces(left, patterns_of(SECRET))
    with living(left) as again:
        assert (beside(again), again.mind.store.integrity()) == ([], [])
        assert traces(left, patterns_of(SECRET)) == {}
