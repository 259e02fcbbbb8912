"""Forgetting overwrites in short steps: stopped or killed between any two, the next start does the rest."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import select

from bigmind.core.progress import Cancellation, CancelledError
from bigmind.people.service import NOBODY
from bigmind.store.tables import FORGETTING, StoreProperty
from tests.memory.living import Memory, living
from tests.memory.traces import traces
from tests.thorough import spread

SECRET = "Zanzibarquokka keeps the harbourmasterkey."
PATTERNS = {b"Zanzibarquokka", b"zanzibarquokka", b"harbourmasterkey"}
KILLED = -9 if os.name == "posix" else 15
PHASES = ("Merging the full-text indexes", "Overwriting what was deleted")
CHILD = """
import os, signal, sys
from pathlib import Path
from tests.memory.living import living

home, uid, phase = Path(sys.argv[1]), sys.argv[2], sys.argv[3]

def progress(done, total, what, unit=""):
    if what == phase:
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))  # on Windows every signal ends it at once

with living(home) as memory:
    memory = memory.as_person()
    operation = memory.mind.dispatcher.catalogue.get("memory_forget")
    memory.mind.dispatcher.run(operation, memory.caller, {"id": uid, "confirm": True}, progress=progress)
"""


def forget(memory: Memory, uid: str, progress: Callable[..., None], stop: Cancellation) -> Any:
    operation = memory.mind.dispatcher.catalogue.get("memory_forget")
    assert operation is not None
    arguments = {"id": uid, "confirm": True}
    return memory.mind.dispatcher.run(operation, memory.caller, arguments, progress=progress, cancellation=stop)


def remembered(memory: Memory) -> str:
    uid = memory("memory_store_fact", fact=SECRET, category="decision").fact.fact_id
    memory("backup_create")
    for number in range(20):
        memory("memory_store_fact", fact=f"What stays has the number {number}.", category="decision")
    return uid


def is_pending(memory: Memory) -> bool:
    with memory.mind.store.read(NOBODY, "test") as work:
        return work.session.exec(select(StoreProperty).where(StoreProperty.name == FORGETTING)).first() is not None


def assert_clean(home: Path) -> None:
    assert traces(home, PATTERNS)
    with living(home) as memory:
        assert not is_pending(memory)
        assert traces(home, PATTERNS) == {}
        assert memory.mind.store.integrity() == []
        assert len(memory("memory_list_facts", limit=50).facts) == 20


@pytest.mark.parametrize("phase", PHASES)
def test_stopped_it_is_forgotten_and_overwritten_later(home: Path, phase: str) -> None:
    with living(home) as memory:
        person = memory.as_person()
        uid, stop = remembered(person), Cancellation()

        def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
            if what == phase:
                stop.cancel("It was told to stop.")

        with pytest.raises(CancelledError) as error:
            forget(person, uid, told, stop)
        assert "forgotten already" in error.value.message
        assert is_pending(person)
    assert_clean(home)


def test_stopped_before_it_began_nothing_is_forgotten(home: Path) -> None:
    with living(home) as memory:
        person = memory.as_person()
        uid, stop = remembered(person), Cancellation()
        stop.cancel("It was told to stop.")
        with pytest.raises(CancelledError, match=r"Nothing was changed\."):
            forget(person, uid, lambda *_: None, stop)
        assert not is_pending(person)
        assert len(person("memory_list_facts", limit=50).facts) == 21


@pytest.mark.parametrize("phase", spread(PHASES, 2))
def test_killed_the_next_start_does_the_rest(home: Path, phase: str) -> None:
    with living(home) as memory:
        uid = remembered(memory.as_person())
    child = subprocess.run([sys.executable, "-c", CHILD, home, uid, phase], check=False)
    assert child.returncode == KILLED
    assert_clean(home)


def test_others_write_between_its_steps(home: Path) -> None:
    with living(home) as memory:
        person = memory.as_person()
        uid = remembered(person)
        told: list[str] = []

        def write(_done: int, _total: int, what: str, _unit: str = "") -> None:
            # On the thread that overwrites, where nobody could write in the middle of a step.
            with person.mind.store.write(NOBODY, "test") as work:
                work.session.merge(StoreProperty(name="beside", value=what))
            told.append(what)

        assert forget(person, uid, write, Cancellation()).overwritten
        assert set(PHASES) <= set(told)
        assert traces(home, PATTERNS) == {}
