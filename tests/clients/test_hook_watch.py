"""Hooks that were altered are written down when they are first seen so, and again when they are whole."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from bigmind.clients import hook_state
from bigmind.clients.files.ledger import Ledger
from bigmind.clients.files.locations import Places, System
from bigmind.clients.hook_state import note_hooks
from bigmind.clients.hook_watch import HookWatch
from bigmind.core.operation import Caller
from bigmind.people.service import person
from bigmind.store.sqlite.driver import sound_driver
from bigmind.usage.tables import UsageEvent
from bigmind.wiring import Mind, open_mind
from tests.clients.machine import machine_in

SETTINGS = ".claude/settings.json"


@pytest.fixture(scope="module")
def connected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Claude Code and Zed, which has no hooks, are connected."""
    folder = tmp_path_factory.mktemp("hooks")
    with machine_in(folder) as machine:
        machine.file(".config/zed/settings.json", "{}")
        for client in ("claude-code", "zed"):
            assert machine.install(client)["connected"]
    return folder


@pytest.fixture
def memory(connected: Path) -> Iterator[tuple[Mind, Caller]]:
    mind = open_mind(connected / "data", "ada")
    kept = (connected / "ada" / SETTINGS).read_bytes()
    with mind.store.write(person(mind.store, "ada"), "test") as work:
        for each in work.session.exec(select(UsageEvent)):
            work.session.delete(each)
    yield mind, person(mind.store, "ada")
    (connected / "ada" / SETTINGS).write_bytes(kept)
    mind.close()


def places(connected: Path) -> Places:
    return Places(System.LINUX, connected / "ada")


def events(mind: Mind, caller: Caller) -> list[tuple[str, str]]:
    with mind.store.read(caller, "test") as work:
        return [(each.kind, each.client) for each in work.session.exec(select(UsageEvent))]


def test_whole_hooks_are_no_news_whatever_else_is_in_the_file(connected: Path, memory: tuple[Mind, Caller]) -> None:
    file = connected / "ada" / SETTINGS
    file.write_text(json.dumps({**json.loads(file.read_text()), "theme": "dark"}, indent=2))
    assert note_hooks(memory[0].store, memory[1], places(connected)) == []
    assert events(*memory) == []


@pytest.mark.parametrize("change", ["gone", "another command", "not JSON", "no file"])
def test_altered_hooks_are_written_down_once_and_their_return_too(
    connected: Path, memory: tuple[Mind, Caller], change: str
) -> None:
    file, (mind, caller) = connected / "ada" / SETTINGS, memory
    whole = file.read_text()
    told = json.loads(whole)
    match change:
        case "gone":
            del told["hooks"]["SessionStart"]
            file.write_text(json.dumps(told))
        case "another command":
            told["hooks"]["SessionStart"][0]["hooks"][0]["command"] += " # and exit 0"
            file.write_text(json.dumps(told))
        case "not JSON":
            file.write_text(whole[:-5])
        case _:
            file.unlink()
    for _ in range(2):
        assert note_hooks(mind.store, caller, places(connected)) == ["claude-code"]
    assert events(mind, caller) == [("hooks_altered", "claude-code")]
    file.write_text(whole)
    assert note_hooks(mind.store, caller, places(connected)) == []
    assert events(mind, caller) == [("hooks_altered", "claude-code"), ("hooks_whole", "claude-code")]


@pytest.mark.parametrize("kind", [OSError, sound_driver().OperationalError])
def test_it_is_looked_at_now_and_then_and_a_failure_ends_nothing(
    memory: tuple[Mind, Caller],
    kind: type[Exception],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    looked = threading.Semaphore(0)

    def fail(*_: object) -> list[str]:
        looked.release()
        raise kind("the disk is gone")

    monkeypatch.setattr(hook_state, "note_hooks", fail)
    watch = HookWatch(memory[0].store, memory[1], first=0.0, apart=0.01)
    watch.start()
    assert all(looked.acquire(timeout=30) for _ in range(2))
    watch.stop()
    assert "looked at later" in caplog.text


def test_where_nothing_is_connected_nothing_is_looked_at(
    home: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    mind, looked = open_mind(home, "ada"), threading.Semaphore(0)

    def owners(_: object) -> list[object]:
        looked.release()
        return []

    monkeypatch.setattr(Ledger, "owners", owners)
    monkeypatch.setattr(hook_state, "note_hooks", object())
    watch = HookWatch(mind.store, person(mind.store, "ada"), first=0.0, apart=0.01)
    watch.start()
    try:
        assert all(looked.acquire(timeout=30) for _ in range(2)), "it looked once more, so the first look ended"
    finally:
        watch.stop()
        mind.close()
    assert caplog.text == ""
