"""Two imports at once: one waits for the other, and each user has what is theirs."""

import threading
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, func, select

from bigmind.core.operation import Mode
from bigmind.core.progress import Cancellation, CancelledError
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.writing.hidden_rows import nobodys_uids
from tests.bench.long_work import write_facts
from tests.memory.living import Memory, living
from tests.portable.files import in_person
from tests.portable.test_import_in_units import SETTLING, SHOWING, WRITING, begin

ADAS, BOBS = 240, 150
WAITS = "Waiting for another import to end"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    write_facts(tmp_path / "adas.json", ADAS)
    write_facts(tmp_path / "bobs.json", BOBS, seed=6)
    return tmp_path


@pytest.fixture
def ada(tmp_path: Path) -> Any:
    with living(tmp_path / "home", Mode.TEAM) as memory:
        memory.of("bob")
        yield in_person(memory)


def facts_of(memory: Memory) -> dict[str, int]:
    with memory.mind.store.read(NOBODY, "test") as work:
        assert nobodys_uids(work.session) == []
        query = select(User.username, func.count()).join(Fact, col(Fact.user_id) == User.id)
        return dict(work.session.exec(query.group_by(User.username)).all())


@pytest.mark.parametrize("phase", [WRITING, SETTLING, SHOWING])
def test_another_one_waits_and_says_so(ada: Memory, files: Path, phase: str) -> None:
    bob, waited, ended = in_person(ada.of("bob")), threading.Event(), list[object]()

    def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == WAITS:
            waited.set()

    other = threading.Thread(target=lambda: ended.append(begin(bob, files / "bobs.json", told)))

    def start(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == phase and other.ident is None:
            other.start()
            assert waited.wait(20)
            assert ended == []

    begin(ada, files / "adas.json", start)
    other.join(20)
    assert len(ended) == 1
    assert facts_of(ada) == {"ada": ADAS, "bob": BOBS}
    assert ada.mind.store.integrity() == []


def test_one_that_waits_can_be_cancelled(ada: Memory, files: Path) -> None:
    stop = Cancellation()

    def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == WAITS:
            stop.cancel("It was told to stop.")

    with ada.mind.store.importing:
        failures = list[BaseException]()

        def bring() -> None:
            try:
                begin(in_person(ada.of("bob")), files / "bobs.json", told, stop)
            except CancelledError as error:
                failures.append(error)

        other = threading.Thread(target=bring)
        other.start()
        other.join(20)
    assert len(failures) == 1
    assert facts_of(ada) == {}
