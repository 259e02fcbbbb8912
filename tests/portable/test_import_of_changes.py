"""A large import changes rows in short units too: one version of each or the other is there, and nothing half done."""

import json
import subprocess
import sys
import uuid
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, func, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.progress import Cancellation, CancelledError, Phase, nobody_waits
from bigmind.memory.tables import Fact, FactEvent
from bigmind.people.service import NOBODY
from bigmind.portable.importer import CHANGED_AT_ONCE, FINISHED_LATER, WRITTEN_AT_ONCE
from bigmind.portable.writing import row_changes
from bigmind.portable.writing.finishing import finish_import
from bigmind.portable.writing.row_changes import TOGETHER, NotedRows, make_changes
from bigmind.store.tables import CHANGING, StoreProperty
from tests.bench.long_work import write_facts
from tests.killing import KILLED
from tests.memory.living import Memory, living
from tests.portable.files import in_person
from tests.portable.generator import Sizes, fill
from tests.portable.test_import_in_units import CHILD, SETTLING, WRITING, begin, left_over
from tests.thorough import spread

FACTS = CHANGED_AT_ONCE + 2 * TOGETHER + 3
LATER = "2026-03-01T11:59:00+00:00"
SECOND = timedelta(seconds=1)
WORD = "zwölfundzwanzig"
CHANGES = "Changing what is here"
LATER_STEP = {"at": LATER, "client": "bench", "action": "edited", "other": None, "reason": WORD, "confidence": 0.5}


def later(record: dict[str, Any]) -> dict[str, Any]:
    """A later version of a fact, a hypothesis or a session of an export."""
    changed = {**record, "updated_at": LATER}
    if "text" in record:
        changed["text"] = f"{record['text'][:80]} {WORD}"
    if "history" in record:
        changed["history"] = [*record["history"], LATER_STEP]
    if "one_liner" in record:
        changed |= {"one_liner": f"{record['one_liner'][:60]} {WORD}", "topics": [*record["topics"][:2], WORD]}
        summary = {"summary": WORD, "key_facts": [WORD], "code_refs": [], "created_at": record["updated_at"]}
        changed["summary"] = None if record["summary"] else summary
    return changed


@pytest.fixture
def filled(ada: Memory, tmp_path: Path) -> Memory:
    """A memory with the facts, which `later.json` tells otherwise."""
    file = tmp_path / "facts.json"
    write_facts(file, FACTS)
    begin(ada, file, lambda *_: None)
    told = json.loads(file.read_text(encoding="utf-8"))
    (tmp_path / "later.json").write_text(json.dumps(told | {"facts": [later(each) for each in told["facts"]]}))
    return ada


def changed(memory: Memory) -> int:
    """How many facts are as the later file tells them, with their histories."""
    with memory.mind.store.read(memory.caller, "test") as work:
        texts = work.session.exec(select(func.count()).where(col(Fact.text).contains(WORD))).one()
        steps = work.session.exec(select(func.count()).where(FactEvent.reason == WORD)).one()
    assert steps == texts
    return texts


def notes(memory: Memory) -> list[str]:
    """The notes of what changes."""
    with memory.mind.store.read(NOBODY, "test") as work:
        properties = work.session.exec(select(StoreProperty).order_by(StoreProperty.name)).all()
        return [each.value for each in properties if each.name.startswith(f"{CHANGING} ")]


def found(memory: Memory) -> set[str]:
    """The ids of what is found by the word of the later version."""
    return {each.id for each in memory("memory_semantic_search", query=WORD, limit=50).hits}


def test_nothing_is_changed_before_it_is_settled_and_then_all_is(
    filled: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, noted, units = list[int](), list[str](), list[int]()
    # Less than nothing, for Windows tells time by steps of 15 ms: else rows of one step are of one unit.
    monkeypatch.setattr("bigmind.portable.writing.row_changes.UNIT_SECONDS", -1.0)
    monkeypatch.setattr("bigmind.core.progress.APART_SECONDS", 0.0)

    def look(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what in {WRITING, SETTLING}:
            before.append(changed(filled))
        if what == SETTLING:
            noted.extend(notes(filled))
        if what == CHANGES:
            units.append(done)
            assert len(notes(filled)) == FACTS - done

    heard: list[int] = []
    filled.mind.store.events.subscribe(lambda change: heard.append(changed(filled)) if change.kind == "fact" else None)
    answer: Any = begin(filled, tmp_path / "later.json", look)
    assert heard == [0, FACTS]  # that it was settled, and that it is done
    [counted] = answer.sections
    assert (counted.newer, counted.new) == (FACTS, 0)
    assert set(before) == {0}
    assert len(noted) == FACTS
    assert units == list(range(FACTS + 1))  # as each row took longer than a unit may
    assert changed(filled) == FACTS
    assert len(found(filled)) == 50
    assert notes(filled) == left_over(filled) == []
    assert filled.mind.store.integrity() == []
    again: Any = begin(filled, tmp_path / "later.json", lambda *_: None)
    assert not again.changed


def test_changes_come_as_they_do_at_once(tmp_path: Path) -> None:
    """Sessions with their topics and summaries, facts with their histories, and hypotheses, under joined projects."""
    sizes = Sizes(sessions=30, chunks=60, facts=60, hypotheses=30, knowledge=3, thoughts=3, longest=2_000)
    fill(tmp_path / "filled", sizes)
    first, second = tmp_path / "life.json", tmp_path / "later.json"
    with living(tmp_path / "filled") as memory:
        in_person(memory)("memory_export", output_path=str(first))
    told = json.loads(first.read_text(encoding="utf-8"))
    for section in ("sessions", "facts", "hypotheses"):
        told[section] = [later(each) for each in told[section]]
    second.write_text(json.dumps(told))
    exports = []
    for name, at_once in (("units", CHANGED_AT_ONCE), ("once", 1_000_000)):
        with living(tmp_path / name) as memory, pytest.MonkeyPatch.context() as patched:
            in_person(memory)("memory_import", path=str(first))
            patched.setattr("bigmind.portable.importer.CHANGED_AT_ONCE", at_once)
            patched.setattr("bigmind.portable.importer.WRITTEN_AT_ONCE", max(WRITTEN_AT_ONCE, at_once))
            in_person(memory)("memory_import", path=str(second))
            in_person(memory)("memory_export", output_path=str(tmp_path / f"{name}.json"))
            assert notes(memory) == left_over(memory) == []
            assert memory.mind.store.integrity() == []
            exports.append((contents_of(tmp_path / f"{name}.json"), found(memory)))
    assert exports[0] == exports[1]
    assert exports[0][0].count(WORD) > sizes.sessions + sizes.facts + sizes.hypotheses


def contents_of(file: Path) -> str:
    return file.read_text(encoding="utf-8").split("\n", 2)[2]


@pytest.mark.parametrize("phase", ["Comparing with what is here", WRITING])
def test_cancelled_it_changes_nothing(filled: Memory, tmp_path: Path, phase: str) -> None:
    stop = Cancellation()

    def told(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == phase and done:
            stop.cancel("It was told to stop.")

    with pytest.raises(CancelledError):
        begin(filled, tmp_path / "later.json", told, stop)
    assert changed(filled) == 0
    assert notes(filled) == left_over(filled) == []


@pytest.mark.parametrize(
    ("phase", "number", "there"),
    spread([(WRITING, 1, 0), (SETTLING, 1, 0), (CHANGES, 1, FACTS), (CHANGES, 2, FACTS), (CHANGES, 4, FACTS)], 3),
)
def test_killed_it_changes_all_or_nothing(tmp_path: Path, phase: str, number: int, there: int) -> None:
    home, file = tmp_path / "home", tmp_path / "later.json"
    write_facts(tmp_path / "facts.json", FACTS)
    told = json.loads((tmp_path / "facts.json").read_text(encoding="utf-8"))
    file.write_text(json.dumps(told | {"facts": [later(each) for each in told["facts"]]}))
    with living(home) as memory:
        begin(in_person(memory), tmp_path / "facts.json", lambda *_: None)
    told_often = "import bigmind.core.progress as told\ntold.APART_SECONDS = 0\n"
    child = subprocess.run([sys.executable, "-c", told_often + CHILD, home, file, phase, str(number)], check=False)
    assert child.returncode == KILLED
    with living(home) as memory:
        assert changed(memory) == there
        assert notes(memory) == left_over(memory) == []
        assert memory.mind.store.integrity() == []
        begin(in_person(memory), file, lambda *_: None)
        assert changed(memory) == FACTS


def edit(memory: Memory, fact: str) -> None:
    memory.as_person()("memory_edit_fact", fact_id=fact, fact="A person said this meanwhile.")


def forget(memory: Memory, fact: str) -> None:
    assert memory.as_person()("memory_forget", id=fact, confirm=True).overwritten
    assert not any(WORD in each for each in notes(memory) if json.loads(each)["key"] == FACTS)


def place(memory: Memory, fact: str) -> None:
    memory.as_person()("memory_place", kind="fact", id=fact, placement="pinned")


@pytest.mark.parametrize("meanwhile", [edit, forget])
def test_what_others_do_to_a_row_meanwhile_stays(
    filled: Memory, tmp_path: Path, meanwhile: Callable[[Memory, str], None]
) -> None:
    fact = json.loads((tmp_path / "later.json").read_text(encoding="utf-8"))["facts"][-1]["id"]

    def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == SETTLING:
            waiting.append(fact)
        if what == CHANGES and waiting:
            meanwhile(filled, waiting.pop())

    waiting: list[str] = []
    begin(filled, tmp_path / "later.json", told)
    assert changed(filled) == FACTS - 1
    with filled.mind.store.read(filled.caller, "test") as work:
        texts = list(work.session.exec(select(Fact.text).where(Fact.uid == fact)))
    assert texts == (["A person said this meanwhile."] if meanwhile is edit else [])
    assert notes(filled) == []


def test_where_a_person_places_it_meanwhile_it_stays(filled: Memory, tmp_path: Path) -> None:
    later_told = json.loads((tmp_path / "later.json").read_text(encoding="utf-8"))["facts"]
    waiting = [later_told[-1]["id"]]

    def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == CHANGES and waiting:
            place(filled, waiting.pop())

    begin(filled, tmp_path / "later.json", told)
    assert changed(filled) == FACTS
    with filled.mind.store.read(filled.caller, "test") as work:
        pinned = list(work.session.exec(select(Fact.uid).where(Fact.placement == "pinned")))
    assert pinned == [later_told[-1]["id"]]


def test_what_was_changed_is_under_its_projects_name_also_when_that_took_two_starts(
    filled: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "later.json"
    told = json.loads(file.read_text(encoding="utf-8"))
    file.write_text(json.dumps(told | {"facts": [each | {"project": "motor"} for each in told["facts"]]}))
    filled.as_person()("project_join_alias", alias="motor", project="github.com/ada/engine")

    def full(*_: object) -> None:
        raise BigMindError(Code.STORAGE_FULL, "The disk is full.")

    with monkeypatch.context() as patched:
        patched.setattr("bigmind.portable.writing.finishing.bring_together", full)
        answer: Any = begin(filled, file, lambda *_: None)
    assert answer.notes == [FINISHED_LATER]
    assert changed(filled) == FACTS
    finish_import(filled.mind.store)
    with filled.mind.store.read(filled.caller, "test") as work:
        assert set(work.session.exec(select(Fact.project))) == {"github.com/ada/engine"}
    assert notes(filled) == left_over(filled) == []


def test_what_cannot_be_changed_holds_nothing_up(
    filled: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make, made = row_changes._make, list[str]()

    def made_but_one(work: Any, owner: int, uid: str, change: dict[str, Any]) -> None:
        made.append(uid)
        make(work, owner, uid, change | {"then": [["fact_event", "", {"fact_id": 4711}]]} if len(made) == 7 else change)

    monkeypatch.setattr(row_changes, "_make", made_but_one)
    begin(filled, tmp_path / "later.json", lambda *_: None)
    assert changed(filled) == FACTS - 1
    assert made[6] in caplog.text
    assert notes(filled) == left_over(filled) == []
    assert filled.mind.store.integrity() == []


def test_of_two_records_for_one_row_the_later_is_there(ada: Memory, tmp_path: Path) -> None:
    """The one has the id under which this user keeps the other, whose own id is somebody else's."""
    bob, file = ada.of("bob"), tmp_path / "facts.json"
    write_facts(file, FACTS)
    told = json.loads(file.read_text(encoding="utf-8"))
    facts = [each | {"id": str(uuid.UUID(int=number, version=4))} for number, each in enumerate(told["facts"])]
    file.write_text(json.dumps(told | {"facts": facts}))
    begin(bob, file, lambda *_: None)
    begin(ada, file, lambda *_: None)
    with ada.mind.store.read(ada.caller, "test") as work:
        uids = list(work.session.exec(select(Fact.uid).where(Fact.user_id == ada.caller.user_id).order_by(Fact.id)))
    assert not {*uids} & {each["id"] for each in facts}
    earlier = [later(each) | {"updated_at": "2026-03-01T11:00:00+00:00", "text": "An earlier one."} for each in facts]
    both = [
        pair
        for uid, *each in zip(uids, earlier, facts, strict=True)
        for pair in (each[0], later(each[1]) | {"id": uid})
    ]
    file.write_text(json.dumps(told | {"facts": both}))
    begin(ada, file, lambda *_: None)
    with ada.mind.store.read(ada.caller, "test") as work:
        texts = list(work.session.exec(select(Fact.text).where(Fact.user_id == ada.caller.user_id)))
    assert len(texts) == FACTS
    assert all(WORD in each for each in texts)
    assert notes(ada) == []


def test_a_session_that_went_away_is_named_no_more(ada: Memory) -> None:
    fact = ada("memory_store_fact", fact="It was said in a session.", category="decision").fact
    with ada.mind.store.write(NOBODY, "test") as work:
        noted = NotedRows(work)
        row = work.session.exec(select(Fact).where(Fact.uid == fact.fact_id)).one()
        gone = {
            "uid": row.uid,
            "user_id": row.user_id,
            "text": WORD,
            "updated_at": row.updated_at + SECOND,
            "session_id": 4711,
        }
        noted.update(Fact, row.id or 0, gone)
        noted.flush()
    assert len(notes(ada)) == 1
    make_changes(ada.mind.store, ada.caller.user_id, "test", Phase(nobody_waits, "", 1))
    with ada.mind.store.read(NOBODY, "test") as work:
        row = work.session.exec(select(Fact).where(Fact.uid == fact.fact_id)).one()
        assert (row.text, row.session_id, row.user_id) == (WORD, None, ada.caller.user_id)
