"""A large import of thoughts writes in short units too: nobody sees a part of it, and none of it is lost."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import and_, col, func, select

from bigmind.brain.tables import Thought, ThoughtLink, ThoughtReader, ThoughtTag, ThoughtUse
from bigmind.core.operation import Mode
from bigmind.core.progress import Cancellation, CancelledError
from bigmind.embedding.vector_index import EVERYBODY
from bigmind.people.service import NOBODY
from bigmind.portable.importer import WRITTEN_AT_ONCE
from bigmind.portable.writing.finishing import HANDED_ON
from bigmind.portable.writing.hidden_rows import TO_BE_SHARED
from bigmind.store.tables import Embedding, EmbeddingQueue
from tests.killing import KILLED
from tests.memory.living import Memory, living
from tests.portable.files import changed, contents, exported, in_person, written
from tests.portable.generator import Sizes, fill
from tests.portable.test_import_in_units import CHILD, SETTLING, SHOWING, WRITING, begin, left_over
from tests.thorough import spread

THOUGHTS = HANDED_ON + WRITTEN_AT_ONCE
EARLIER, LATER = "2020-01-01T00:00:00Z", "2026-03-01T11:59:00Z"


@pytest.fixture(scope="module")
def thoughts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An export of thoughts alone, half of them shared, linked with those before them."""
    folder = tmp_path_factory.mktemp("thoughts")
    fill(folder / "home", Sizes(0, 0, 0, 0, 0, THOUGHTS, 200))
    with living(folder / "home") as memory:
        exported(memory, folder / "all.json")
    return folder / "all.json"


def count(memory: Memory, *conditions: Any) -> int:
    with memory.mind.store.read(NOBODY, "test") as work:
        return work.session.exec(select(func.count()).select_from(Thought).where(*conditions)).one()


def others_see(memory: Memory) -> int:
    """How many thoughts somebody sees who imports nothing."""
    return count(memory, Thought.space == "shared")


def left(memory: Memory) -> list[str]:
    """What of an import is there beside whole thoughts of hers."""
    strays = [
        table.__name__
        for table in (ThoughtLink, ThoughtReader, ThoughtTag, ThoughtUse)
        if memory_count(memory, table, col(table.thought_id).not_in(select(Thought.id)))
    ]
    hidden = count(memory, (Thought.space == TO_BE_SHARED) | (Thought.user_id != memory.caller.user_id))
    return [*left_over(memory), *strays, *["hidden"] * bool(hidden)]


def memory_count(memory: Memory, table: Any, *conditions: Any) -> int:
    with memory.mind.store.read(NOBODY, "test") as work:
        return work.session.exec(select(func.count()).select_from(table).where(*conditions)).one()


def test_nobody_sees_any_before_all_of_them_are_there(tmp_path: Path, thoughts: Path) -> None:
    with living(tmp_path / "team" / "home", Mode.TEAM) as ada:
        bob, seen = ada.of("bob"), list[int]()

        def look(_done: int, _total: int, what: str, _unit: str = "") -> None:
            if what in {WRITING, SETTLING}:
                seen.append(others_see(ada) + count(ada, Thought.user_id == ada.caller.user_id))
                seen.extend(len(each("brain_list_domains").domains) for each in (ada, bob))

        begin(in_person(ada), thoughts, look)
        assert set(seen) == {0}
        assert len(seen) > 10
        assert others_see(ada) == THOUGHTS // 2
        assert bob("brain_list_domains").domains


def test_in_units_they_become_what_they_become_in_one(tmp_path: Path, thoughts: Path) -> None:
    """Some are here already: the same, older or newer ones, with links between them and those that are new."""
    document = json.loads(thoughts.read_text(encoding="utf-8"))
    ids = [each["id"] for each in document["thoughts"][:30]]

    def some(told: dict[str, Any]) -> None:
        told["thoughts"] = [each for each in told["thoughts"] if each["id"] in ids]
        for number, each in enumerate(told["thoughts"]):
            each["updated_at"] = (EARLIER, each["updated_at"], LATER)[number % 3]
            each["created_at"] = min(each["created_at"], each["updated_at"])

    def turned(told: dict[str, Any]) -> None:
        """One that is here, and changes, leads to one that is new."""
        first, last = told["thoughts"][0], told["thoughts"][-1]
        first["links"], last["links"] = [{"relation": "supersedes", "id": last["id"]}], []

    before = changed(thoughts, tmp_path / "before.json", some)
    whole = changed(thoughts, tmp_path / "whole.json", turned)
    found = []
    for name, at_once in (("units", WRITTEN_AT_ONCE), ("once", 1_000_000)):
        with living(tmp_path / name) as memory, pytest.MonkeyPatch.context() as patched:
            patched.setattr("bigmind.portable.importer.WRITTEN_AT_ONCE", at_once)
            in_person(memory)("memory_import", path=before)
            told = in_person(memory)("memory_import", path=whole)
            exported(memory, tmp_path / f"{name}.json")
            assert left(memory) == []
            assert count(memory) == THOUGHTS
            assert memory.mind.store.integrity() == []
            found.append((told.model_dump(exclude={"backup"}), contents(tmp_path / f"{name}.json")))
    assert found[0] == found[1]


def test_links_between_what_two_users_of_the_file_contributed_are_there(tmp_path: Path, thoughts: Path) -> None:
    """Bob's thoughts are written when the import is settled, and Ada's before: hers rest on his, and his on hers."""
    with living(tmp_path / "team" / "home", Mode.TEAM) as ada:
        ada.of("bob")
        document = exported(ada, tmp_path / "empty.json")
        told = json.loads(thoughts.read_text(encoding="utf-8"))["thoughts"]
        basis = {**told[1], "user": document["users"][0]["id"], "links": [], "space": "shared"}
        resting = [{**each, "links": [{"relation": "refines", "id": basis["id"]}]} for each in told[2:]]
        on_hers = [{"relation": "refines", "id": resting[0]["id"]}]
        his = {**told[0], "user": basis["user"], "links": on_hers, "space": "shared"}
        resting[0]["space"] = "shared"
        document["thoughts"] = [*resting, basis, his]
        in_person(ada)("memory_import", path=written(tmp_path / "both.json", document))
        bobs = select(Thought.id).where(Thought.user_id != ada.caller.user_id)
        assert memory_count(ada, ThoughtLink, col(ThoughtLink.other_id).in_(bobs)) == len(resting)
        assert memory_count(ada, ThoughtLink, col(ThoughtLink.thought_id).in_(bobs)) == 1


def test_shared_ones_keep_the_vectors_that_they_got_meanwhile(ada: Memory, thoughts: Path) -> None:
    def embed(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == SHOWING and not done:
            with ada.mind.store.write(NOBODY, "test") as work:
                for each in work.session.exec(select(EmbeddingQueue).order_by(col(EmbeddingQueue.id)).limit(60)).all():
                    told = {"model": "a model", "at": ada.clock(), "vector": bytes([1] * 8), "start": 0, "stop": 1}
                    work.session.add(Embedding(kind=each.kind, item=each.item, owner=each.owner, piece=0, **told))
                    work.session.delete(each)

    begin(in_person(ada), thoughts, embed)
    assert memory_count(ada, Embedding) == 60
    for table in (Embedding, EmbeddingQueue):
        is_shared = col(table.item).in_(select(Thought.id).where(Thought.space == "shared"))
        of_shared = and_(col(table.kind) == "thought", is_shared)  # the profile has a vector, too
        assert memory_count(ada, table, of_shared)
        assert memory_count(ada, table, of_shared, table.owner != EVERYBODY) == 0
        assert memory_count(ada, table, ~of_shared, table.owner != ada.caller.user_id) == 0
    have = select(Embedding.item).where(Embedding.kind == "thought")
    waiting = and_(col(EmbeddingQueue.kind) == "thought", col(EmbeddingQueue.item).in_(have))
    assert memory_count(ada, EmbeddingQueue, waiting) == 0


def test_cancelled_it_leaves_nothing(ada: Memory, thoughts: Path) -> None:
    stop = Cancellation()

    def told(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == WRITING and done > THOUGHTS // 2:
            stop.cancel("It was told to stop.")

    with pytest.raises(CancelledError):
        begin(in_person(ada), thoughts, told, stop)
    assert (count(ada), left(ada)) == (0, [])
    begin(in_person(ada), thoughts, lambda *_: None)
    assert (count(ada), left(ada)) == (THOUGHTS, [])


@pytest.mark.parametrize(
    ("phase", "number", "there"),
    spread([(WRITING, 9, 0), (WRITING, 20, 0), (SETTLING, 1, 0), (SHOWING, 1, THOUGHTS), (SHOWING, 2, THOUGHTS)], 3),
)
def test_killed_they_are_there_whole_or_not_at_all(
    tmp_path: Path, thoughts: Path, phase: str, number: int, there: int
) -> None:
    home = tmp_path / "home"
    with living(home):
        pass
    child = subprocess.run([sys.executable, "-c", CHILD, home, thoughts, phase, str(number)], check=False)
    assert child.returncode == KILLED
    with living(home) as memory:
        assert (count(memory), left(memory)) == (there, [])
        assert memory.mind.store.integrity() == []
        begin(in_person(memory), thoughts, lambda *_: None)
        exported(memory, tmp_path / "again.json")
        assert contents(tmp_path / "again.json") == contents(thoughts)
