"""A large import of what several users have: in short units like one's own, those who come with it and those here."""

import json
import subprocess
import sys
import uuid
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, func, select

from bigmind.brain.tables import Thought, ThoughtReader
from bigmind.core.events import Change
from bigmind.core.operation import Mode
from bigmind.core.progress import Cancellation, CancelledError
from bigmind.memory.tables import Chunk, Fact, Hypothesis, MemorySession
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable import importer
from bigmind.portable.importer import WRITTEN_AT_ONCE
from bigmind.store.tables import IMPORTING, StoreProperty
from tests.killing import KILLED
from tests.memory.living import Memory, living
from tests.portable.files import Document, contents, exported, in_person, written
from tests.portable.generator import Sizes, fill
from tests.portable.test_import_in_units import CHILD, SETTLING, SHOWING, WRITING, begin
from tests.portable.test_import_of_changes import CHANGES, LATER, notes
from tests.thorough import spread

SIZES = Sizes(sessions=15, chunks=60, facts=40, hypotheses=10, knowledge=0, thoughts=40, longest=500, accepts=False)
OWNED = ("sessions", "chunks", "facts", "hypotheses", "thoughts")
TABLES = (MemorySession, Chunk, Fact, Hypothesis, Thought)
EACH = SIZES.sessions + SIZES.chunks + SIZES.facts + SIZES.hypotheses + SIZES.thoughts
TEAM = ("ada", "bob", "eve")
WHEN = "2026-02-01T00:00:00Z"


def of_user(document: Document, username: str) -> Document:
    """All of it once more, with other ids, as a user's."""
    user = str(uuid.uuid5(uuid.NAMESPACE_DNS, username))

    def other(uid: str) -> str:
        return str(uuid.uuid5(uuid.UUID(user), uid))

    told: Document = {}
    for section in OWNED:
        told[section] = [each | {"id": other(each["id"]), "user": user} for each in deepcopy(document[section])]
        for each in told[section]:
            each.update({"session": other(each["session"])} if each.get("session") else {})
            each.update(
                {"links": [link | {"id": other(link["id"])} for link in each["links"]]} if "links" in each else {}
            )
            each.update({"history": []} if "history" in each else {})
    name = {
        "id": user,
        "username": username,
        "display_name": "",
        "role": "member",
        "created_at": WHEN,
        "last_seen_at": WHEN,
    }
    return {"users": [name], **told}


@pytest.fixture(scope="module")
def team(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of three users; Ada imports it, Eve is here, and Bob comes with it."""
    folder = tmp_path_factory.mktemp("team")
    fill(folder / "home", SIZES)
    with living(folder / "home") as memory:
        document = exported(memory, folder / "ada.json")
    parts = [document, *(of_user(document, name) for name in TEAM[1:])]
    told = {section: [each for part in parts for each in part.get(section, [])] for section in ("users", *OWNED)}
    written(folder / "team.json", {"header": document["header"], **told})
    return folder / "team.json"


@pytest.fixture
def ada(tmp_path: Path) -> Any:
    with living(tmp_path / "home", Mode.TEAM) as memory:
        memory.of("eve")
        yield in_person(memory)


def rows_of(memory: Memory) -> dict[str, int]:
    """How many rows the people have, by name."""
    with memory.mind.store.read(NOBODY, "test") as work:
        names = dict(work.session.exec(select(User.id, User.username)).all())
        counts = dict.fromkeys((name for name in names.values() if not name.startswith("import ")), 0)
        for table in TABLES:
            for user, many in work.session.exec(select(table.user_id, func.count()).group_by(col(table.user_id))):
                if names[user] in counts:
                    counts[names[user]] += many
    return counts


def left_over(memory: Memory) -> list[str]:
    """What of an import is there beside its rows."""
    with memory.mind.store.read(NOBODY, "test") as work:
        users = [each for each in work.session.exec(select(User.username)) if each not in TEAM]
        noted = [IMPORTING] if work.session.get(StoreProperty, IMPORTING) else []
        readers = select(ThoughtReader.user_id).join(User, col(User.id) == ThoughtReader.user_id)
        strays = list(work.session.exec(readers.where(col(User.username).not_in(TEAM))))
    return [*users, *noted, *notes(memory), *map(str, strays)]


def test_nothing_of_anybody_is_seen_before_all_of_it_is_there(ada: Memory, team: Path) -> None:
    seen, at_the_switch = list[int](), list[str]()

    def look(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what in {WRITING, SETTLING}:
            seen.extend(rows_of(ada).values())
        if what == SETTLING:
            with ada.mind.store.read(NOBODY, "test") as work:
                at_the_switch.extend(each for each in work.session.exec(select(User.username)) if each not in TEAM)

    told: set[tuple[int, str]] = set()
    ada.mind.store.events.subscribe(lambda change: told.add(_heard(change)))
    begin(ada, team, look)
    assert set(seen) == {0}
    assert len(at_the_switch) == len(TEAM)  # each user's rows stand under another one
    assert rows_of(ada) == dict.fromkeys(TEAM, EACH)
    assert left_over(ada) == []
    assert ada.mind.store.integrity() == []
    for name in TEAM:
        assert {(ada.of(name).caller.user_id, kind) for kind in ("session", "chunk", "fact", "thought")} <= told


def _heard(change: Change) -> tuple[int, str]:
    return change.user_id, str(change.kind)


def test_the_switch_writes_no_row_that_there_are_many_of(
    ada: Memory, team: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sections: list[tuple[str, int]] = []
    write = importer.Writer.write

    def noted(self: Any, decisions: Any) -> Any:
        if not self._about.hides and self._about.hidden:
            sections.extend((each.staged.section, each.staged.key) for each in decisions)
        return write(self, decisions)

    monkeypatch.setattr(importer.Writer, "write", noted)
    begin(ada, team, lambda *_: None)
    assert [section for section, _ in sections] == ["users"]


def test_in_units_it_becomes_what_it_becomes_in_one(tmp_path: Path, team: Path) -> None:
    found = []
    for name, at_once in (("units", WRITTEN_AT_ONCE), ("once", 1_000_000)):
        with living(tmp_path / name, Mode.TEAM) as memory, pytest.MonkeyPatch.context() as patched:
            patched.setattr("bigmind.portable.importer.WRITTEN_AT_ONCE", at_once)
            memory.of("eve")
            told = in_person(memory)("memory_import", path=str(team))
            exported(memory, tmp_path / f"{name}.json")
            ours = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
            [eve] = [each["id"] for each in ours["users"] if each["username"] == "eve"]
            assert any(each["readers"] for each in ours["thoughts"] if each.get("user") == eve)
            # Eve, who was here, has an id of this store, and when she was made and seen.
            same = contents(tmp_path / f"{name}.json").replace(eve.encode(), b"eve")
            found.append((told.model_dump(exclude={"backup"}), same))
            assert not in_person(memory)("memory_import", path=str(team)).changed
    assert found[0] == found[1]


@pytest.mark.parametrize("phase", [WRITING, SETTLING])
def test_cancelled_it_leaves_nothing_of_anybody(ada: Memory, team: Path, phase: str) -> None:
    stop = Cancellation()

    def told(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == phase and (done > EACH or what == SETTLING):
            stop.cancel("It was told to stop.")

    with pytest.raises(CancelledError):
        begin(ada, team, told, stop)
    assert rows_of(ada) == {"ada": 0, "eve": 0}
    assert left_over(ada) == []


@pytest.mark.parametrize(
    ("phase", "number", "is_there"),
    spread([(WRITING, 1, False), (WRITING, 9, False), (SETTLING, 1, False), (SHOWING, 1, True), (SHOWING, 3, True)], 3),
)
def test_killed_it_is_there_whole_or_not_at_all(
    tmp_path: Path, team: Path, phase: str, number: int, *, is_there: bool
) -> None:
    home = tmp_path / "home"
    with living(home) as memory:
        memory.of("eve")
        memory.mind.store.mode = Mode.TEAM
    child = CHILD.replace("living(home)", "living(home, Mode.TEAM)").replace(
        "from tests.memory", "from bigmind.core.operation import Mode\nfrom tests.memory", 1
    )
    ended = subprocess.run([sys.executable, "-c", child, home, team, phase, str(number)], check=False)
    assert ended.returncode == KILLED
    with living(home, Mode.TEAM) as memory:
        assert rows_of(memory) == (dict.fromkeys(TEAM, EACH) if is_there else {"ada": 0, "eve": 0})
        assert left_over(memory) == []
        assert memory.mind.store.integrity() == []


def later(document: Document) -> None:
    for section in ("sessions", "facts", "hypotheses"):
        for each in document[section]:
            each["updated_at"] = LATER
            each.update({"text": f"Later: {each['text'][:50]}"} if "text" in each else {"one_liner": "Later."})


def test_what_others_have_is_changed_after_the_switch(ada: Memory, team: Path, tmp_path: Path) -> None:
    begin(ada, team, lambda *_: None)
    document = json.loads(team.read_text(encoding="utf-8"))
    later(document)
    noted: list[int] = []

    def look(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == SETTLING or (what == CHANGES and not done):
            noted.append(len(notes(ada)))
            assert changed(ada) == {}

    begin(ada, Path(written(tmp_path / "later.json", document)), look)
    assert set(noted) == {len(TEAM) * (SIZES.sessions + SIZES.facts + SIZES.hypotheses)}
    assert changed(ada) == dict.fromkeys(TEAM, SIZES.facts)
    assert left_over(ada) == []
    assert ada.mind.store.integrity() == []


def changed(memory: Memory) -> dict[str, int]:
    """How many facts of each user are as the later file tells them."""
    with memory.mind.store.read(NOBODY, "test") as work:
        query = select(User.username, func.count()).join(Fact, col(Fact.user_id) == User.id)
        return dict(work.session.exec(query.where(col(Fact.text).startswith("Later:")).group_by(User.username)).all())
