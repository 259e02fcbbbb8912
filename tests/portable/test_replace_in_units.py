"""A replacing import: what the document tells as it is stays; the rest comes and goes in short units, whole or not."""

import json
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import SQLModel, col, delete, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.ids import new_id
from bigmind.core.operation import Presence
from bigmind.core.progress import Cancellation, CancelledError
from bigmind.memory.sessions.overview import moment_of, moments_of
from bigmind.memory.tables import Chunk, Fact, FactEvent, Hypothesis, MemorySession, SessionSummary, SessionTopic
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.importer import FINISHED_LATER
from bigmind.portable.staging import BATCH
from bigmind.portable.writing.hidden_rows import LEAVING
from bigmind.store.tables import FORGETTING, StoreProperty
from tests.killing import KILLED
from tests.memory.living import Memory, living
from tests.memory.rows import ADA, START, fact, session
from tests.portable.files import contents, counts, everything, exported, in_person, written
from tests.portable.generator import Sizes, fill
from tests.portable.test_import_in_units import CHILD, SETTLING, SHOWING, WRITING, left_over
from tests.thorough import often, spread

LATER = "Removing what is not in the file"
FACTS = 2 * BATCH + 30
UNSAID = "The walrus counts 7431 umbrellas."
Progress = Callable[..., None]
Document = dict[str, Any]


def moment(session: int | None, text: str, seq: int, at: datetime = START) -> Chunk:
    said = {"role": "user", "content": text, "flag_reason": "told", "client": "tester", "created_at": at}
    return Chunk(uid=new_id(), user_id=ADA, session_id=session, seq=seq, **said)


def replaced(memory: Memory, file: Path, progress: Progress | None = None, stop: Cancellation | None = None) -> Any:
    operation = memory.mind.dispatcher.catalogue.get("memory_import")
    assert operation is not None
    arguments = {"path": str(file), "mode": "replace"}
    heard = progress or (lambda *_: None)
    return memory.mind.dispatcher.run(operation, memory.caller, arguments, progress=heard, cancellation=stop)


def rows_of(memory: Memory, table: type[SQLModel]) -> list[Any]:
    with memory.mind.store.read(NOBODY, "test") as work:
        return list(work.session.exec(select(table)).all())


def noted(memory: Memory) -> list[str]:
    """What the store notes of an import, or of words that are still to leave."""
    names = (each.name for each in rows_of(memory, StoreProperty))
    return [each for each in names if each.startswith(LEAVING) or each == FORGETTING]


def texts(memory: Memory) -> set[str]:
    return {each.text for each in rows_of(memory, Fact) if each.user_id == memory.caller.user_id}


def changed_life(memory: Memory, seed: int) -> None:
    """Somebody goes on with a filled memory: writes, changes, and deletes of every kind."""
    draw = random.Random(seed)
    with memory.mind.store.write(memory.caller, "test") as work:
        sessions = list(work.session.exec(select(MemorySession)))
        for each in draw.sample(sessions, 3):
            work.session.delete(each)
        work.session.flush()
        for table, column in ((Chunk, "content"), (Fact, "text"), (Hypothesis, "text"), (MemorySession, "one_liner")):
            for each in draw.sample(list(work.session.exec(select(table))), 3):
                setattr(each, column, f"Said otherwise since, number {draw.random()}.")
        for table in (Chunk, Fact, Hypothesis, SessionTopic, SessionSummary, FactEvent):
            for each in draw.sample(list(work.session.exec(select(table))), 2):
                work.session.delete(each)
        for each in draw.sample(list(work.session.exec(select(Fact))), 2):
            each.accepted_at, each.deprecated_at = START, START
    new = session(START, one_liner="Nobody exported this.")
    memory.insert(new)
    kept = draw.sample(rows_of(memory, MemorySession), 4)
    last = max((each.seq for each in rows_of(memory, Chunk)), default=0)
    memory.insert(*(moment(each.id, UNSAID, last + 1) for each in kept))
    memory.insert(*(fact(START, f"{UNSAID} {number}") for number in range(5)))


@pytest.mark.parametrize("seed", range(often(24, 4)))
def test_whatever_was_there_it_becomes_what_the_document_says(
    filled: Memory, small_export: Path, tmp_path: Path, seed: int
) -> None:
    bob = filled.of("bob")
    bob("memory_store_fact", category="decision", fact="Bob's own")
    changed_life(filled, seed)
    answer = replaced(filled, small_export)
    exported(filled, tmp_path / "after.json")
    assert contents(tmp_path / "after.json") == contents(small_export)
    assert counts(answer, "unchanged")["chunks"] > 10
    assert counts(answer, "removed")["facts"] >= 5
    assert texts(bob) == {"Bob's own"}
    assert filled.mind.store.integrity() == []
    assert noted(filled) == []
    again = counts(replaced(filled, small_export), "unchanged")
    assert again == {name: again[name] for name in ("sessions", "chunks", "facts", "hypotheses")}
    assert again["facts"] == 20


def test_a_life_becomes_another_one_and_bits_of_the_old_one_are_not_in_the_file(filled: Memory, tmp_path: Path) -> None:
    sizes = Sizes(sessions=30, chunks=150, facts=60, hypotheses=20, knowledge=9, thoughts=12, longest=2_000)
    fill(tmp_path / "other", sizes, seed=5)
    with living(tmp_path / "other") as other:
        in_person(other)("memory_export", output_path=str(tmp_path / "other.json"))
    filled.insert(fact(START, UNSAID))
    replaced(filled, tmp_path / "other.json")
    exported(filled, tmp_path / "after.json")
    assert contents(tmp_path / "after.json") == contents(tmp_path / "other.json")
    assert filled.mind.store.integrity() == []
    assert left_over(filled) == []
    file = filled.mind.store.path
    assert b"walrus" not in b"".join(each.read_bytes() for each in file.parent.glob(f"{file.name}*"))


def test_what_stays_keeps_its_place(filled: Memory, small_export: Path) -> None:
    """And with its key its vectors, what hangs on it, and what names it."""
    before = everything(filled.mind.store)
    replaced(filled, small_export)
    after = everything(filled.mind.store)
    for table in ("session", "chunk", "fact", "fact_event", "hypothesis", "session_topic", "session_summary"):
        assert after[table] == before[table]


def test_what_is_known_of_a_text_is_known_anew(filled: Memory, small_export: Path) -> None:
    """An older version may have marked it, or an assistant have brought it in."""
    with filled.mind.store.write(NOBODY, "test") as work:
        one = work.session.exec(select(Fact).where(Fact.caution == "")).first()
        assert one is not None
        one.caution = "instructs"
        uid = one.uid
    answer = replaced(filled, small_export)
    assert counts(answer, "removed")["facts"] == 1
    assert [each.caution for each in rows_of(filled, Fact) if each.uid == uid] == [""]


def test_what_somebody_replaces_who_is_not_there_in_person_is_accepted_by_nobody(ada: Memory, tmp_path: Path) -> None:
    ada.insert(fact(START, "Accepted in person.", accepted_at=START), fact(START, "Of no concern."))
    exported(ada, tmp_path / "life.json")
    away = replace(ada, caller=replace(ada.caller, presence=Presence.PAGE))
    for removed, unchanged in ((1, 1), (0, 2)):
        answer = replaced(away, tmp_path / "life.json")
        [of_facts] = [each for each in answer.sections if each.section == "facts"]
        assert (of_facts.removed, of_facts.unchanged) == (removed, unchanged)
        assert not any(each.accepted_at for each in rows_of(ada, Fact))


def test_moments_come_in_the_order_of_the_document_where_others_stood(ada: Memory, tmp_path: Path) -> None:
    one = session(START, one_liner="A session")
    ada.insert(one)
    ada.insert(*(moment(one.id, f"Moment {number}", number) for number in range(1, 6)))
    document = exported(ada, tmp_path / "life.json")
    with ada.mind.store.write(ada.caller, "test") as work:
        for each in work.session.exec(select(Chunk).where(col(Chunk.seq) > 2)).all():
            work.session.delete(each)
    ada.insert(*(moment(one.id, UNSAID, number) for number in (3, 5, 7)))
    replaced(ada, tmp_path / "life.json")
    assert exported(ada, tmp_path / "after.json")["chunks"] == document["chunks"]


def test_nothing_leaves_and_nothing_comes_before_all_of_it_is_settled(ada: Memory, facts: Path) -> None:
    ada.insert(fact(START, UNSAID))
    seen: list[set[str]] = []

    def look(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what in {WRITING, "Comparing with what is here"}:
            seen.append(texts(ada))

    replaced(ada, facts, look)
    assert len(seen) > 3
    assert all(each == {UNSAID} for each in seen)
    assert len(texts(ada)) == FACTS
    assert left_over(ada) == noted(ada) == []


@pytest.mark.parametrize("phase", ["Reading the file", "Comparing with what is here", "Writing the backup", WRITING])
def test_cancelled_it_takes_nothing_away(ada: Memory, facts: Path, phase: str) -> None:
    ada.insert(fact(START, UNSAID))
    stop = Cancellation()

    def told(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == phase and (done or phase != WRITING):
            stop.cancel("It was told to stop.")

    with pytest.raises(CancelledError):
        replaced(ada, facts, told, stop)
    assert texts(ada) == {UNSAID}
    assert left_over(ada) == []
    replaced(ada, facts)
    assert len(texts(ada)) == FACTS
    assert noted(ada) == []


@pytest.mark.parametrize(
    ("phase", "number"),
    spread([(WRITING, 1), (WRITING, 2), (WRITING, 3), (SETTLING, 1), (SHOWING, 1), (LATER, 1), (LATER, 2)], 4),
)
def test_killed_it_is_the_old_memory_or_the_new_one(tmp_path: Path, facts: Path, phase: str, number: int) -> None:
    home = tmp_path / "home"
    with living(home) as memory:
        memory.insert(*(fact(START, f"{UNSAID} {each}") for each in range(FACTS + 7)))
    child = CHILD.replace('{"path": file}', '{"path": file, "mode": "replace"}')
    ended = subprocess.run([sys.executable, "-c", child, home, facts, phase, str(number)], check=False)
    assert ended.returncode == KILLED
    with living(home) as memory:
        is_old = phase in {WRITING, SETTLING}
        there = texts(memory)
        assert len(there) == (FACTS + 7 if is_old else FACTS)
        assert any(UNSAID in each for each in there) is is_old
        assert left_over(memory) == noted(memory) == []
        assert memory.mind.store.integrity() == []


@pytest.fixture
def in_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """However few rows leave, they do so after the switch."""
    monkeypatch.setattr("bigmind.portable.replacement.MOST_WITH_IT", 0)


@pytest.mark.usefixtures("in_units")
@pytest.mark.parametrize("phase", ["Writing the backup", SHOWING, LATER])
def test_what_is_changed_or_goes_on_meanwhile_stays(ada: Memory, facts: Path, phase: str) -> None:
    names = ("a moment comes", "a fact comes", "is ended", "is over")
    sessions = {name: session(START, one_liner=name) for name in names}
    ada.insert(*sessions.values())
    ada.insert(*(moment(each.id, "Before", 1) for each in sessions.values()))
    ada.insert(fact(START, "Deprecated meanwhile"), fact(START, "Left alone"))
    is_said = False

    def say(_done: int, _total: int, what: str, _unit: str = "") -> None:
        nonlocal is_said
        if what == phase and not is_said:
            is_said = True
            ada.clock.forward(minutes=1)
            now = ada.clock.now
            ada.insert(moment(sessions["a moment comes"].id, "Meanwhile", 2, now))
            ada.insert(fact(now, "Came meanwhile", session_id=sessions["a fact comes"].id))
            with ada.mind.store.write(ada.caller, "test") as work:
                work.session.get_one(MemorySession, sessions["is ended"].id).updated_at = now
                old = work.session.exec(select(Fact).where(Fact.text == "Deprecated meanwhile")).one()
                old.updated_at = old.deprecated_at = now

    replaced(ada, facts, say)
    assert is_said
    assert {each.one_liner for each in rows_of(ada, MemorySession)} == {*names} - {"is over"}
    assert [each.content for each in rows_of(ada, Chunk)] == ["Meanwhile"]
    assert {each for each in texts(ada) if "of the document" not in each} == {"Deprecated meanwhile", "Came meanwhile"}
    assert noted(ada) == left_over(ada) == []
    assert ada.mind.store.integrity() == []


def test_a_key_that_is_anothers_by_now_is_left_alone(ada: Memory, tmp_path: Path) -> None:
    ada.insert(fact(START, "Told otherwise."))
    document = exported(ada, tmp_path / "one.json")
    document["facts"][0]["text"] = "Said so in the file."
    file = written(tmp_path / "two.json", document)
    bob = ada.of("bob")

    def swap(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == "Writing the backup" and not texts(bob):
            with ada.mind.store.write(ada.caller, "test") as work:
                work.session.exec(delete(Fact))
            ada.insert(fact(START, "Bob's own", user_id=bob.caller.user_id))

    replaced(ada, Path(file), swap)
    assert texts(bob) == {"Bob's own"}
    assert texts(ada) == {"Said so in the file."}


@pytest.mark.usefixtures("in_units")
def test_what_cannot_be_finished_is_not_told_as_if_nothing_was_stored(tmp_path: Path, facts: Path) -> None:
    with living(tmp_path / "home") as agent:
        memory = in_person(agent)
        memory.insert(fact(START, UNSAID))

        def full(done: int, _total: int, what: str, _unit: str = "") -> None:
            if what == SHOWING and done:
                raise BigMindError(Code.STORAGE_FULL, "The disk is full; nothing was stored.", "Make room.")

        answer = replaced(memory, facts, full)
        assert answer.notes == [FINISHED_LATER]
        assert len(texts(memory)) > 1
        with memory.mind.store.write(NOBODY, "test") as work:  # restored elsewhere, where she has another id
            work.session.get_one(User, memory.caller.user_id).uid = new_id()
    with living(tmp_path / "home") as memory:
        assert len(texts(memory)) == FACTS
        assert noted(memory) == left_over(memory) == []


def test_two_records_that_are_one_row_here_are_refused(ada: Memory, tmp_path: Path) -> None:
    ada.insert(session(START))
    bob = in_person(ada.of("bob"))
    first = exported(ada, tmp_path / "one.json")["sessions"][0]
    document = exported(bob, tmp_path / "bob.json")
    document["sessions"] = [first]
    replaced(bob, Path(written(tmp_path / "two.json", document)))
    [derived] = exported(bob, tmp_path / "three.json")["sessions"]
    assert derived["id"] != first["id"]
    document["sessions"] = [first, derived]
    before = everything(ada.mind.store)
    with pytest.raises(BigMindError) as error:
        replaced(bob, Path(written(tmp_path / "four.json", document)))
    assert error.value.code is Code.CONFLICT
    assert "Record 2 of sessions" in error.value.message
    assert everything(ada.mind.store) == before


def test_a_moment_that_is_not_settled_is_read_by_nobody(ada: Memory, tmp_path: Path) -> None:
    one = session(START, one_liner="A session")
    ada.insert(one)
    ada.insert(*(moment(one.id, f"Moment {number}", number) for number in range(1, 6)))
    exported(ada, tmp_path / "life.json")
    with ada.mind.store.write(ada.caller, "test") as work:
        work.session.exec(delete(Chunk).where(col(Chunk.seq) > 2))
    seen: list[list[int]] = []

    def look(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what in {WRITING, SETTLING}:
            with ada.mind.store.read(ada.caller, "test") as work:
                seen.append([each.seq for each in moments_of(work, one.uid, after=0, limit=9)])
                with pytest.raises(BigMindError):
                    moment_of(work, one.uid, 4)

    replaced(ada, tmp_path / "life.json", look)
    assert len(seen) >= 2
    assert all(each == [1, 2] for each in seen)
    with ada.mind.store.read(ada.caller, "test") as work:
        assert moment_of(work, one.uid, 4) == "Moment 4"


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document of so many facts that they are noted, written and removed in several units."""
    folder = tmp_path_factory.mktemp("facts")
    with living(folder / "home") as memory:
        document = exported(memory, folder / "empty.json")
        memory.insert(*(fact(START, f"Fact {number} of the document.") for number in range(FACTS)))
        document["facts"] = json.loads(json.dumps(exported(memory, folder / "all.json")["facts"]))
    written(folder / "facts.json", document)
    return folder / "facts.json"
