"""A large import writes in short units that nobody sees, and is there whole or not at all: cancelled, or killed."""

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlmodel import col, func, select

from bigmind.core.errors import Code
from bigmind.core.progress import Cancellation, CancelledError
from bigmind.embedding.vector_index import EVERYBODY
from bigmind.memory.tables import Chunk, Fact, FactEvent, MemorySession
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.importer import WRITTEN_AT_ONCE
from bigmind.store.tables import Embedding, EmbeddingQueue, StoreProperty
from tests.bench.long_work import write_facts
from tests.killing import KILLED
from tests.memory.living import Memory, living
from tests.portable.files import in_person
from tests.portable.generator import Sizes, fill
from tests.thorough import spread

FACTS = 3 * WRITTEN_AT_ONCE
BEFORE = "What was here before."
WRITING, SHOWING, SETTLING = "Writing", "Showing what was imported", "Bringing it to disk"
CHILD = """
import os, sys
from pathlib import Path
from tests.killing import KILL
from tests.memory.living import living
from tests.portable.files import in_person

home, file, phase, number = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
told = 0

def progress(done, total, what, unit=""):
    global told
    told += what == phase
    if told == number:
        os.kill(os.getpid(), KILL)

with living(home) as memory:
    memory = in_person(memory)
    operation = memory.mind.dispatcher.catalogue.get("memory_import")
    memory.mind.dispatcher.run(operation, memory.caller, {"path": file}, progress=progress)
"""


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("facts") / "facts.json"
    write_facts(file, FACTS)
    return file


def begin(memory: Memory, file: Path, progress: Callable[..., None], stop: Cancellation | None = None) -> object:
    operation = memory.mind.dispatcher.catalogue.get("memory_import")
    assert operation is not None
    arguments = {"path": str(file)}
    return memory.mind.dispatcher.run(operation, memory.caller, arguments, progress=progress, cancellation=stop)


def seen(memory: Memory) -> int:
    """How many facts of hers she sees."""
    with memory.mind.store.read(memory.caller, "test") as work:
        return work.session.exec(select(func.count()).where(Fact.user_id == memory.caller.user_id)).one()


def left_over(memory: Memory) -> list[str]:
    """What of an import is there beside its rows."""
    with memory.mind.store.read(NOBODY, "test") as work:
        users = [each.username for each in work.session.exec(select(User)) if each.username != "ada"]
        notes = [each.name for each in work.session.exec(select(StoreProperty)) if each.name == "import"]
        hers = select(User.id)
        strays = [
            str(table.__name__)
            for table, owner in (
                (Fact, Fact.user_id),
                (Embedding, Embedding.owner),
                (EmbeddingQueue, EmbeddingQueue.owner),
            )
            if work.session.exec(select(func.count()).where(col(owner).not_in(hers), col(owner) != EVERYBODY)).one()
        ]
        events = select(func.count()).where(col(FactEvent.fact_id).not_in(select(Fact.id)))
    return [*users, *notes, *strays, *(["history"] if memory_count(memory, events) else [])]


def memory_count(memory: Memory, query: object) -> int:
    with memory.mind.store.read(NOBODY, "test") as work:
        return work.session.exec(query).one()  # pyright: ignore[reportCallIssue, reportArgumentType]


def test_nothing_is_seen_before_all_of_it_is_there(ada: Memory, facts: Path) -> None:
    ada("memory_store_fact", fact=BEFORE, category="decision")
    counts: list[int] = []

    def look(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == WRITING:
            counts.append(seen(ada))

    begin(ada, facts, look)
    assert set(counts) == {1}
    assert seen(ada) == FACTS + 1
    assert left_over(ada) == []
    assert ada.mind.store.integrity() == []


def test_others_write_between_its_units(ada: Memory, facts: Path) -> None:
    begun, ended, stored = threading.Event(), threading.Event(), 0

    def store() -> None:
        nonlocal stored
        begun.wait()
        while not ended.is_set():
            with ada.mind.store.write(NOBODY, "test") as work:
                work.session.merge(StoreProperty(name="beside", value=str(stored)))
            stored += not ended.is_set()

    def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == WRITING:
            begun.set()
        if what == SETTLING:
            ended.set()

    writer = threading.Thread(target=store)
    writer.start()
    begin(ada, facts, told)
    begun.set()
    ended.set()
    writer.join()
    assert stored >= 3
    assert seen(ada) == FACTS


@pytest.mark.parametrize("phase", ["Reading the file", "Comparing with what is here", "Writing the backup", WRITING])
def test_cancelled_it_leaves_nothing(ada: Memory, facts: Path, phase: str) -> None:
    ada("memory_store_fact", fact=BEFORE, category="decision")
    stop = Cancellation()

    def told(done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == phase and (done or phase != WRITING):
            stop.cancel("It was told to stop.")

    with pytest.raises(CancelledError) as error:
        begin(ada, facts, told, stop)
    assert error.value.code is Code.CANCELLED
    assert "Nothing was changed" in error.value.message
    assert seen(ada) == 1
    assert left_over(ada) == []
    assert list(ada.mind.store.home.glob(".import-*")) == []
    begin(ada, facts, lambda *_: None)
    assert seen(ada) == FACTS + 1
    assert ada.mind.store.integrity() == []


def test_once_it_is_settled_it_is_finished(ada: Memory, facts: Path) -> None:
    stop, taken = Cancellation(), []

    def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == SHOWING:
            taken.append(stop.cancel("It was told to stop."))

    begin(ada, facts, told, stop)
    assert taken
    assert not any(taken)
    assert seen(ada) == FACTS


@pytest.mark.parametrize(
    ("phase", "number", "there"),
    spread([(WRITING, 1, 0), (WRITING, 2, 0), (SETTLING, 1, 0), (SHOWING, 1, FACTS), (SHOWING, 2, FACTS)], 3),
)
def test_killed_it_is_there_whole_or_not_at_all(
    tmp_path: Path, facts: Path, phase: str, number: int, there: int
) -> None:
    home = tmp_path / "home"
    with living(home):
        pass
    child = subprocess.run([sys.executable, "-c", CHILD, home, facts, phase, str(number)], check=False)
    assert child.returncode == KILLED
    with living(home) as memory:
        assert seen(memory) == there
        assert left_over(memory) == []
        assert memory.mind.store.integrity() == []
        begin(in_person(memory), facts, lambda *_: None)
        assert seen(memory) == FACTS


def test_sessions_moments_and_what_is_newer_come_as_they_do_at_once(tmp_path: Path) -> None:
    """A whole life, of which some is here already and older: in units it becomes what it becomes in one transaction."""
    sizes = Sizes(sessions=30, chunks=150, facts=60, hypotheses=20, knowledge=9, thoughts=12, longest=2_000)
    fill(tmp_path / "filled", sizes)
    with living(tmp_path / "filled") as memory:
        in_person(memory)("memory_export", output_path=str(tmp_path / "life.json"))
    exports = []
    for name, at_once in (("units", WRITTEN_AT_ONCE), ("once", 1_000_000)):
        with living(tmp_path / name) as memory, pytest.MonkeyPatch.context() as patched:
            patched.setattr("bigmind.portable.importer.WRITTEN_AT_ONCE", at_once)
            in_person(memory)("memory_import", path=str(tmp_path / "life.json"))
            in_person(memory)("memory_export", output_path=str(tmp_path / f"{name}.json"))
            assert left_over(memory) == []
            assert memory_count(memory, select(func.count()).select_from(Chunk)) == sizes.chunks
            assert memory_count(memory, select(func.count()).select_from(MemorySession)) == sizes.sessions
        exports.append((tmp_path / f"{name}.json").read_text(encoding="utf-8").split("\n", 2)[2])
    assert exports[0] == exports[1]
