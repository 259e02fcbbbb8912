"""No vector outlives what it was made of, whichever way that changes; and what is new or says something else waits."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import col, select

from bigmind.backup.service import backup_now
from bigmind.embedding.models import DEFAULT
from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.people.service import NOBODY
from bigmind.registry import KINDS
from bigmind.store.tables import Embedding
from tests.memory.queueing import Queue, facts, one_of_each
from tests.memory.rows import START

SEARCHED = [each.name for each in KINDS.searched]

SECRET = "ghp_" + "R7mQ2xV9bT4kW8zL1nC6yH3dF5sJ0pAeGuXi"  # made up, in two pieces for scanners of the code

CHANGES = {
    "chunk": [{"content": "other"}, {"flag_reason": "other"}, {"project": "other"}],
    "session": [{"one_liner": "other"}, {"told": "other"}, {"project": "other"}],
    "fact": [{"text": "other"}, {"project": "other"}, {"deprecated_at": START}],
    "hypothesis": [{"text": "other"}, {"resolution": "other"}, {"project": "other"}],
    "knowledge": [{"title": "other"}, {"content": "other"}, {"project": "other"}, {"status": "pending"}],
    "profile": [{"role": "other"}, {"preferences": "other"}, {"pinned_text": "other"}],
}


@pytest.fixture
def filled(queue: Queue) -> Queue:
    """One of each kind, with its vector; ordinary ones beside it."""
    one_of_each(queue.memory)
    facts(queue.memory, "left alone")
    queue.empty()
    assert queue.is_complete()
    return queue


@pytest.mark.parametrize(("kind", "change"), [(kind, each) for kind, some in CHANGES.items() for each in some])
def test_a_row_that_changes_loses_its_vector_and_waits(filled: Queue, kind: str, change: dict):
    before = filled.vectors_of(DEFAULT)
    with filled.store.write(filled.memory.caller, "test") as work:
        row = work.session.get_one(KINDS[kind].table, 1)
        for name, value in change.items():
            setattr(row, name, value)
    assert filled.vectors_of(DEFAULT) == {key: vector for key, vector in before.items() if key != (kind, 1)}
    assert filled.waiting() == [(kind, 1)]
    filled.empty()
    assert filled.is_complete()
    with filled.store.read(NOBODY, "test") as work:
        for row in work.session.exec(select(Embedding).where(col(Embedding.item) == 1, Embedding.kind == kind)):
            assert row.project == change.get("project", row.project)


@pytest.mark.parametrize("kind", SEARCHED)
def test_a_row_that_is_deleted_loses_its_vector(filled: Queue, kind: str):
    delete_row(filled, kind)
    assert (kind, 1) not in {*filled.vectors_of(DEFAULT), *filled.waiting()}
    assert filled.is_sound()


@pytest.mark.parametrize("kind", SEARCHED)
def test_a_row_that_is_deleted_while_it_waits_loses_its_place(queue: Queue, kind: str):
    one_of_each(queue.memory)
    delete_row(queue, kind)
    assert (kind, 1) not in queue.waiting()
    queue.empty()
    assert queue.is_complete()


def delete_row(queue: Queue, kind: str) -> None:
    with queue.store.write(queue.memory.caller, "test") as work:
        work.session.delete(work.session.get_one(KINDS[kind].table, 1))


def uid(queue: Queue, kind: str) -> str:
    with queue.store.read(NOBODY, "test") as work:
        return work.session.get_one(KINDS[kind].table, 1).uid


def deprecated(queue: Queue, _: Path) -> set[tuple[str, int]]:
    queue.memory("memory_deprecate_fact", fact_id=uid(queue, "fact"), reason="old")
    return {("fact", 1)}


def resolved(queue: Queue, _: Path) -> set[tuple[str, int]]:
    queue.memory("memory_resolve_hypothesis", id=uid(queue, "hypothesis"), status="confirmed", resolution="It is so.")
    return {("hypothesis", 1)}


def pruned(queue: Queue, _: Path) -> set[tuple[str, int]]:
    queue.memory.clock.forward(days=500)
    queue.memory("memory_vacuum", days=30)
    return {("chunk", 1)}


def masked(queue: Queue, _: Path) -> set[tuple[str, int]]:
    with queue.store.write(queue.memory.caller, "test") as work:
        for kind, column in (("chunk", "content"), ("fact", "text"), ("hypothesis", "text"), ("session", "one_liner")):
            setattr(work.session.get_one(KINDS[kind].table, 1), column, f"the token is {SECRET}")
    queue.empty()
    assert queue.is_complete()
    queue.memory.as_person()("secrets_scan", mask=True)
    return {("chunk", 1), ("fact", 1), ("hypothesis", 1), ("session", 1)}


def imported(queue: Queue, folder: Path) -> set[tuple[str, int]]:
    file = folder / "export.json"
    person = queue.memory.as_person()
    person("memory_export", output_path=str(file))
    with queue.store.write(queue.memory.caller, "test") as work:
        work.session.get_one(Fact, 1).text = "said otherwise here, and older"
        work.session.get_one(Hypothesis, 1).text = "also said otherwise"
    queue.empty()
    document = json.loads(file.read_text(encoding="utf-8"))
    later = (START + timedelta(days=3)).isoformat().replace("+00:00", "Z")
    for section in ("facts", "hypotheses"):
        for row in document[section]:
            row["updated_at"] = later
    changed = folder / "changed.json"
    changed.write_text(json.dumps(document), encoding="utf-8")
    person("memory_import", path=str(changed))
    return {("fact", 1), ("hypothesis", 1)}


def replaced(queue: Queue, folder: Path) -> set[tuple[str, int]]:
    file = folder / "export.json"
    person = queue.memory.as_person()
    person("memory_export", output_path=str(file))
    facts(queue.memory, "goes with the import")
    queue.empty()
    person("memory_import", path=str(file), mode="replace")
    return {("fact", 3)}


WAYS: list[Callable[[Queue, Path], set[tuple[str, int]]]] = [deprecated, resolved, pruned, masked, imported, replaced]


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
def test_whichever_way_it_changes_its_vector_goes_at_once(filled: Queue, tmp_path: Path, way):
    gone = way(filled, tmp_path)
    assert not gone & filled.vectors_of(DEFAULT).keys()
    assert filled.is_sound()
    filled.empty()
    assert filled.is_complete()


def test_what_a_replacing_import_leaves_as_it_is_keeps_its_vector(filled: Queue, tmp_path: Path):
    before = filled.vectors_of(DEFAULT)
    replaced(filled, tmp_path)
    stay = {("fact", 1), ("fact", 2), ("hypothesis", 1), ("session", 1), ("chunk", 1)}
    assert stay <= before.keys()
    after = filled.vectors_of(DEFAULT)
    assert {each: after.get(each) for each in stay} == {each: before[each] for each in stay}


@pytest.mark.parametrize("kind", SEARCHED)
def test_what_is_forgotten_has_no_vector_and_waits_for_none(filled: Queue, kind: str):
    filled.memory.as_person()("memory_forget", id=uid(filled, kind), kind=kind, confirm=True)
    assert (kind, 1) not in {*filled.vectors_of(DEFAULT), *filled.waiting()}
    assert filled.is_sound()
    filled.empty()
    assert filled.is_complete()


def test_a_restore_brings_the_vectors_of_what_it_brings(filled: Queue):
    name = backup_now(filled.store, "manual").name
    before = filled.vectors_of(DEFAULT)
    with filled.store.write(filled.memory.caller, "test") as work:
        work.session.get_one(Fact, 1).text = "since then"
        work.session.delete(work.session.get_one(Knowledge, 1))
    facts(filled.memory, "new since then")
    filled.empty()
    filled.memory.as_person()("backup_restore", backup=name)
    assert filled.vectors_of(DEFAULT) == before
    assert filled.is_complete()


def test_a_restored_vector_belongs_to_whoever_its_text_belongs_to(filled: Queue):
    """Where users have other numbers now, their vectors follow: nobody finds what is somebody else's."""
    bob = filled.memory.of("bob")
    bob.insert(Fact(**{**plain_fact(), "user_id": bob.caller.user_id}))
    filled.empty()
    name = backup_now(filled.store, "manual").name
    with filled.store.alone() as connection:  # the same people, under each other's numbers
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("BEGIN")
        for one_number, other in ((1, 99), (bob.caller.user_id, 1), (99, bob.caller.user_id)):
            connection.execute("UPDATE user SET id = ? WHERE id = ?", (other, one_number))
        connection.execute("UPDATE token SET user_id = 3 - user_id")
        connection.execute("COMMIT")
        connection.execute("PRAGMA foreign_keys=ON")
    ada = replace(filled.memory, caller=replace(filled.memory.caller, user_id=bob.caller.user_id, is_person=True))
    ada("backup_restore", backup=name)
    with filled.store.read(NOBODY, "test") as work:
        for kind, table in (("fact", Fact), ("chunk", Chunk), ("session", MemorySession)):
            owners = select(table.id, table.user_id, Embedding.owner).join(
                Embedding, (col(Embedding.item) == table.id) & (col(Embedding.kind) == kind)
            )
            found = work.session.exec(owners).all()
            assert found
            assert all(owner == user for _, user, owner in found)


def plain_fact() -> dict:
    return {
        "uid": "00000000-0000-4000-8000-00000000000b",
        "client": "t",
        "category": "c",
        "text": "bob's own",
        "confidence": 1,
        "created_at": START,
        "updated_at": START,
    }
