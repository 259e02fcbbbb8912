"""What a large import cannot hide is noted before it is settled, and written behind it: all of it, or nothing."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.orm import aliased
from sqlmodel import col, func, select

from bigmind.brain.tables import Thought, ThoughtLink
from bigmind.core.errors import BigMindError, Code
from bigmind.core.progress import Cancellation, CancelledError
from bigmind.memory.tables import Knowledge
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.importer import FINISHED_LATER
from bigmind.portable.writing import import_writer
from bigmind.portable.writing.finishing import finish_import
from bigmind.store.tables import ADDING, StoreProperty, addition_of
from bigmind.work.tables import WorkDependency, WorkForeignLedgerRow, WorkItem
from tests.killing import KILLED
from tests.memory.living import Memory, living
from tests.mindspace.grove import Grove
from tests.portable.files import Document, exported, in_person, written
from tests.portable.generator import Sizes, fill
from tests.portable.test_import_in_units import CHILD, SETTLING, WRITING, begin
from tests.thorough import spread
from tests.work.office import Office
from tests.work.test_verification import told

REST = "Writing the rest"
SIZES = Sizes(sessions=3, chunks=0, facts=0, hypotheses=0, knowledge=24, thoughts=24, longest=400, accepts=False)
ITEMS = 24
LATER = "2026-03-01T11:59:00Z"
WORD = "zwölfundzwanzig"


@pytest.fixture(scope="module")
def documents(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of two exports: of the thoughts as they were, and of all, where what rests on others comes first."""
    folder = tmp_path_factory.mktemp("late")
    fill(folder / "home", SIZES)
    with living(folder / "home") as memory:
        before = exported(memory, folder / "before.json")
        office = Office(memory)
        for number in range(ITEMS):
            others = [f"pay-{number - 1}"] if number else []
            office.task(f"Round refund {number}", slug=f"pay-{number}", depends_on=others)
        grove = Grove(office)
        root = grove.make("Weigh the heron", definition_of_ready={"context": "By the lake.", "inputs": []})
        grove.make("Feed the heron", root, parent_id=root)
        whole = exported(memory, folder / "whole.json")
    written(folder / "before.json", {name: before[name] for name in ("header", "thoughts")})
    for each in whole["thoughts"]:
        each |= {"updated_at": LATER, "content": f"{each['content'][:80]} {WORD}", "tags": [WORD]}
    whole["work_items"].reverse()
    written(
        folder / "whole.json", {name: rows for name, rows in whole.items() if name != "sessions"} | _no_sessions(whole)
    )
    return folder


def _no_sessions(document: Document) -> Document:
    return {"knowledge": [each | {"session": None} for each in document["knowledge"]]}


@pytest.fixture
def ada(home: Path, documents: Path) -> Any:
    with living(home, is_copy=True) as memory:
        person = in_person(memory)
        person("memory_import", path=str(documents / "before.json"))
        yield person


def there(memory: Memory) -> dict[str, int]:
    """How much of what is late is there."""
    shown = ~col(WorkForeignLedgerRow.fault).startswith("hidden")
    with memory.mind.store.read(NOBODY, "test") as work:
        return {
            "entries": work.session.exec(select(func.count()).select_from(Knowledge)).one(),
            "thoughts": work.session.exec(select(func.count()).where(col(Thought.content).contains(WORD))).one(),
            "items": work.session.exec(select(func.count()).select_from(WorkItem)).one(),
            "links": work.session.exec(select(func.count()).select_from(WorkDependency)).one(),
            "rows": work.session.exec(select(func.count()).select_from(WorkForeignLedgerRow).where(shown)).one(),
        }


NOTHING = {"entries": 0, "thoughts": 0, "items": 0, "links": 0, "rows": 0}
ALL = {
    "entries": SIZES.knowledge,
    "thoughts": SIZES.thoughts,
    "items": ITEMS + 2,
    "links": ITEMS - 1,
    "rows": ITEMS + 3,
}


def notes(memory: Memory) -> list[str]:
    """What the store has noted for later."""
    with memory.mind.store.read(NOBODY, "test") as work:
        names = work.session.exec(select(StoreProperty.name)).all()
    return [each for each in names if each == ADDING or each.startswith(f"{ADDING} ")]


def left_over(memory: Memory) -> list[str]:
    with memory.mind.store.read(NOBODY, "test") as work:
        users = [each for each in work.session.exec(select(User.username)) if each != "ada"]
        hidden = select(func.count()).where(col(WorkForeignLedgerRow.fault).startswith("hidden"))
        return [*users, *notes(memory), *["rows"] * bool(work.session.exec(hidden).one())]


def is_sound(memory: Memory) -> bool:
    return told(Office(memory)) == [] and memory.mind.store.integrity() == []


def test_nothing_of_it_is_seen_before_it_is_settled_and_then_all_is(ada: Memory, documents: Path) -> None:
    seen, noted = list[dict[str, int]](), list[int]()

    def look(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what in {WRITING, SETTLING}:
            seen.append(there(ada))
        if what == SETTLING:
            noted.append(len(notes(ada)))
        if what == REST:
            assert is_whole(ada)

    heard: set[str] = set()
    ada.mind.store.events.subscribe(lambda change: heard.add(str(change.kind)))
    answer: Any = begin(ada, documents / "whole.json", look)
    assert [each for each in seen if each != NOTHING] == []
    assert len(seen) > 3
    assert noted == [1 + SIZES.knowledge + SIZES.thoughts + ITEMS + 2]
    assert there(ada) == ALL
    assert {"knowledge", "thought", "work_item"} <= heard
    assert left_over(ada) == []
    assert is_sound(ada)
    counts = {each.section: (each.new, each.newer) for each in answer.sections if each.new or each.newer}
    assert counts["knowledge"] == (SIZES.knowledge, 0)
    assert counts["thoughts"] == (0, SIZES.thoughts)
    assert counts["work_items"] == (ITEMS + 2, 0)
    assert not ada("memory_import", path=str(documents / "whole.json")).changed


def is_whole(memory: Memory) -> bool:
    """Whether each item that is there has what it depends on, though those stand behind it in the file."""
    with memory.mind.store.read(NOBODY, "test") as work:
        items = set(work.session.exec(select(WorkItem.slug)))
        links = work.session.exec(select(func.count()).select_from(WorkDependency)).one()
    return links == len([each for each in items if each.startswith("pay-") and each != "pay-0"])


def test_the_switch_writes_none_of_it(ada: Memory, documents: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sections = set[str]()
    write = import_writer.Writer.write

    def spied(self: Any, decisions: Any) -> Any:
        if self._about.hidden and not self._about.hides:
            sections.update(each.staged.section for each in decisions)
        return write(self, decisions)

    monkeypatch.setattr(import_writer.Writer, "write", spied)
    begin(ada, documents / "whole.json", lambda *_: None)
    assert sections == {"profiles", "project_names"}


def test_late_it_becomes_what_it_becomes_at_once(tmp_path: Path, documents: Path) -> None:
    found = []
    for name, few in (("late", 20), ("at once", 1_000_000)):
        with living(tmp_path / name) as memory, pytest.MonkeyPatch.context() as patched:
            for module in ("late_notes", "hiding"):
                patched.setattr(f"bigmind.portable.writing.{module}.FEW", few)
            in_person(memory)("memory_import", path=str(documents / "before.json"))
            answer = in_person(memory)("memory_import", path=str(documents / "whole.json"))
            told_there = exported(memory, tmp_path / f"{name}.json")
            assert is_sound(memory)
            for each in told_there["work_items"]:
                del each["revision"], each["updated_at"]
            own = [each for each in told_there.pop("work_ledger") if each["item"] and "imported" not in each["kind"]]
            del told_there["header"]
            found.append((answer.model_dump(exclude={"backup"}), told_there, own))
    assert found[0] == found[1]


@pytest.mark.parametrize("phase", [WRITING, SETTLING])
def test_cancelled_it_leaves_nothing(ada: Memory, documents: Path, phase: str) -> None:
    stop, before = Cancellation(), there(ada)

    def cancel(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == phase and (done > SIZES.knowledge or what == SETTLING):
            stop.cancel("It was told to stop.")

    with pytest.raises(CancelledError):
        begin(ada, documents / "whole.json", cancel, stop)
    assert there(ada) == before
    assert left_over(ada) == []


@pytest.mark.parametrize(
    ("phase", "number", "is_there"),
    spread([(WRITING, 3, False), (SETTLING, 1, False), (REST, 1, True), (REST, 2, True), (REST, 4, True)], 3),
)
def test_killed_it_is_there_whole_or_not_at_all(
    tmp_path: Path, documents: Path, phase: str, number: int, *, is_there: bool
) -> None:
    home = tmp_path / "home"
    with living(home) as memory:
        in_person(memory)("memory_import", path=str(documents / "before.json"))
    slow = "from bigmind.core import progress as apart\napart.APART_SECONDS = 0\n"
    ended = subprocess.run(
        [sys.executable, "-c", slow + CHILD, home, documents / "whole.json", phase, str(number)], check=False
    )
    assert ended.returncode == KILLED
    with living(home) as memory:
        assert there(memory) == (ALL if is_there else NOTHING)
        assert left_over(memory) == []
        assert is_sound(memory)


def settle_alone(ada: Memory, folder: Path) -> None:
    """An import that is settled and could not write the rest, as on a full disk."""

    def full(*_: Any) -> Any:
        raise BigMindError(Code.STORAGE_FULL, "The disk is full.", "Make room.")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bigmind.portable.writing.finishing.LateWriter.write", full)
        begin(ada, folder / "whole.json", lambda *_: None)


def stopped(ada: Memory, folder: Path, meanwhile: Callable[[], object]) -> None:
    """Such an import; then something else; then the rest."""
    settle_alone(ada, folder)
    assert len(notes(ada)) > SIZES.knowledge
    meanwhile()
    finish_import(ada.mind.store)
    assert left_over(ada) == []


def test_what_is_forgotten_meanwhile_does_not_come(ada: Memory, documents: Path) -> None:
    with ada.mind.store.read(NOBODY, "test") as work:
        thought = work.session.exec(select(Thought.uid).order_by(Thought.uid)).first()
    assert thought is not None

    def forget() -> None:
        assert addition_of(thought) in notes(ada)
        ada("memory_forget", id=thought, confirm=True)
        assert addition_of(thought) not in notes(ada)

    stopped(ada, documents, forget)
    assert there(ada) == ALL | {"thoughts": SIZES.thoughts - 1}
    with ada.mind.store.read(NOBODY, "test") as work:
        assert work.session.exec(select(Thought.id).where(Thought.uid == thought)).first() is None


def test_who_changes_it_later_has_the_last_word(ada: Memory, documents: Path) -> None:
    with ada.mind.store.read(NOBODY, "test") as work:
        [thought] = work.session.exec(select(Thought.uid).where(Thought.space == "private").limit(1))

    def share() -> None:
        with ada.mind.store.write(NOBODY, "test") as work:
            row = work.session.exec(select(Thought).where(Thought.uid == thought)).one()
            row.content, row.updated_at = "Said later.", ada.clock()
            work.session.add(row)

    stopped(ada, documents, share)
    assert there(ada) == ALL | {"thoughts": SIZES.thoughts - 1}
    with ada.mind.store.read(NOBODY, "test") as work:
        assert work.session.exec(select(Thought.content).where(Thought.uid == thought)).one() == "Said later."


def test_what_cannot_be_read_is_told_and_holds_nothing_up(
    ada: Memory, documents: Path, caplog: pytest.LogCaptureFixture
) -> None:
    def spoil() -> None:
        with ada.mind.store.write(NOBODY, "test") as work:
            for note in work.session.exec(select(StoreProperty).where(col(StoreProperty.name).in_(notes(ada)))):
                if '"section":"knowledge"' in note.value:
                    note.value = json.dumps(json.loads(note.value) | {"record": {"id": "1"}})
                    break

    stopped(ada, documents, spoil)
    assert there(ada) == ALL | {"entries": SIZES.knowledge - 1}
    assert "cannot be read: record" in caplog.text


def test_what_cannot_be_written_is_told_and_holds_nothing_up(
    ada: Memory, documents: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A row whose words the database does not take, which nothing before it found."""
    with pytest.MonkeyPatch.context() as patched:
        write_entry = import_writer.Writer._write_entry

        def fails(self: Any, decision: Any, *given: Any) -> None:
            if decision.staged.number == 1:
                raise ValueError("No database takes this.")
            write_entry(self, decision, *given)

        patched.setattr(import_writer.Writer, "_write_entry", fails)
        begin(ada, documents / "whole.json", lambda *_: None)
    assert there(ada) == ALL | {"entries": SIZES.knowledge - 1}
    assert left_over(ada) == []
    assert "cannot be written" in caplog.text


def test_an_export_meanwhile_holds_none_of_it(ada: Memory, documents: Path, tmp_path: Path) -> None:
    exports: list[Document] = []

    def look(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == SETTLING:
            exports.append(exported(ada, tmp_path / "meanwhile.json"))
            assert told(Office(ada)) == []

    begin(ada, documents / "whole.json", look)
    assert exports[0]["work_ledger"] == exports[0]["work_items"] == exports[0]["knowledge"] == []


def test_what_is_placed_meanwhile_stays_there(ada: Memory, documents: Path) -> None:
    ada("memory_import", path=_first_entry(documents))
    entry = json.loads((documents / "whole.json").read_text(encoding="utf-8"))["knowledge"][0]["id"]
    stopped(ada, _later_entries(documents), lambda: ada("memory_place", kind="knowledge", id=entry, placement="pinned"))
    with ada.mind.store.read(NOBODY, "test") as work:
        row = work.session.exec(select(Knowledge).where(Knowledge.uid == entry)).one()
        assert (row.placement, row.content) == ("pinned", WORD)


def _first_entry(documents: Path) -> str:
    told = json.loads((documents / "whole.json").read_text(encoding="utf-8"))
    entry = told["knowledge"][0] | {"status": "approved", "placement": None}
    return written(documents / "entry.json", {"header": told["header"], "knowledge": [entry]})


def _later_entries(documents: Path) -> Path:
    """The folder of the same export, in which that entry is changed."""
    told = json.loads((documents / "whole.json").read_text(encoding="utf-8"))
    changed = {"updated_at": LATER, "content": WORD, "status": "approved", "placement": None}
    told["knowledge"][0] |= changed
    folder = documents / "later"
    folder.mkdir(exist_ok=True)
    written(folder / "whole.json", told)
    return folder


def links_of(memory: Memory) -> list[tuple[str, str]]:
    one, other = aliased(Thought), aliased(Thought)
    query = select(one.uid, other.uid).join(ThoughtLink, col(ThoughtLink.thought_id) == one.id)
    with memory.mind.store.read(NOBODY, "test") as work:
        return list(work.session.exec(query.join(other, col(ThoughtLink.other_id) == other.id)).all())


@pytest.mark.parametrize("is_turned", [False, True])
def test_a_link_between_two_that_change_may_turn_round(
    ada: Memory, documents: Path, tmp_path: Path, *, is_turned: bool
) -> None:
    """A related one stands under one of both: that it goes there takes it from the other."""
    told = json.loads((documents / "whole.json").read_text(encoding="utf-8"))
    first, last = told["thoughts"][0]["id"], told["thoughts"][-1]["id"]
    if is_turned:
        first, last = last, first
    before = json.loads((documents / "before.json").read_text(encoding="utf-8"))
    for document, one, other in ((before, last, first), (told, first, last)):
        for each in document["thoughts"]:
            each["links"] = [{"relation": "related", "id": other}] if each["id"] == one else []
            each["updated_at"] = "2026-03-01T11:58:00Z" if document is before else LATER
            each["created_at"] = min(each["created_at"], each["updated_at"])
    ada("memory_import", path=written(tmp_path / "before.json", before))
    assert links_of(ada) == [(last, first)]
    ada("memory_import", path=written(tmp_path / "told.json", told))
    assert links_of(ada) == [(first, last)]


def test_whatever_fails_once_it_is_settled_is_left_to_the_next_start(ada: Memory, documents: Path) -> None:
    def fails(*_: Any) -> Any:
        raise OSError("A scratch file cannot be written.")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("bigmind.portable.writing.late_records.forget_note", fails)
        answer: Any = begin(ada, documents / "whole.json", lambda *_: None)
    assert FINISHED_LATER in answer.notes
    finish_import(ada.mind.store)
    assert there(ada) == ALL
    assert left_over(ada) == []
