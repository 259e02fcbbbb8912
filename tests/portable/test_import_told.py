"""Of what an import brings that every user may find, every user is told; of the rest, whose it is."""

import json
from pathlib import Path

import pytest

from bigmind.core.events import Change
from bigmind.core.operation import Mode
from bigmind.memory.sessions.overview import changes_since, newest_change
from bigmind.people.service import NOBODY
from bigmind.portable.importer import WRITTEN_AT_ONCE
from tests.memory.living import Memory, living
from tests.portable.files import exported, in_person, written
from tests.portable.generator import Sizes, fill

MANY = WRITTEN_AT_ONCE + 20


@pytest.fixture(scope="module")
def thoughts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("thoughts")
    fill(folder / "home", Sizes(0, 0, 0, 0, 0, MANY, 200))
    with living(folder / "home") as memory:
        exported(memory, folder / "all.json")
    return folder / "all.json"


def of_space(thoughts: Path, path: Path, space: str, many: int) -> str:
    """The first thoughts of a document, all of them of one space."""
    document = json.loads(thoughts.read_text(encoding="utf-8"))
    document["thoughts"] = [each | {"space": space} for each in document["thoughts"][:many]]
    return written(path, document)


def told(ada: Memory, path: str) -> tuple[set[str], frozenset[str]]:
    """Of which kinds Bob is told while Ada imports a file, and when his page asks afterwards."""
    bob, store, heard = ada.of("bob"), ada.mind.store, list[Change]()
    with store.read(NOBODY, "test") as work:
        before = newest_change(work)
    unsubscribe = store.events.subscribe(heard.append)
    in_person(ada)("memory_import", path=path)
    unsubscribe()
    with store.read(bob.caller, "test") as work:
        later = changes_since(work, before).kinds
    return {each.kind for each in heard if each.concerns(bob.caller.user_id)} - {"store"}, later - {"store"}


@pytest.mark.parametrize("many", [3, MANY], ids=["at once", "in units"])
@pytest.mark.parametrize(("space", "kinds"), [("shared", {"thought"}), ("private", set[str]())])
def test_others_are_told_of_the_thoughts_that_are_shared_alone(
    tmp_path: Path, thoughts: Path, space: str, kinds: set[str], many: int
) -> None:
    path = of_space(thoughts, tmp_path / "some.json", space, many)
    with living(tmp_path / "team" / "home", Mode.TEAM) as ada:
        assert told(ada, path) == (kinds, kinds)
        # What is here already changes nothing, so that nobody looks again.
        assert told(ada, path) == (set(), set())
