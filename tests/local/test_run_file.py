"""A run file that is lost or spoilt: BigMind is found, and is told apart from one that hangs."""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from typer.testing import CliRunner

from app import stopping
from app.process_commands import cli
from bigmind.local import launch
from bigmind.local.connection import PROBE_SECONDS, NotRunningError, ServerConnection, UnresponsiveError
from bigmind.local.launch import MISSED_SECONDS, connected, reached
from bigmind.local.runfile import RunFileKeeper, RunningServer, publish, published
from bigmind.local.store_owner import Holder, holder, is_locked, noted
from bigmind.paths import lock_file, owner_file, run_file, token_file
from bigmind.store.ownership import Ownership
from tests.local.spoiling import SPOILINGS
from tests.local.wire import bridge
from tests.support import Server, completed, process_wait, running_server, start_server
from tests.thorough import spread

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes and links in place of files")

SERVER = RunningServer(1, 7700, "k" * 64, "1.0.0", "ada", "/somewhere/bigmind.db")
SAID_SECONDS = 2.0
"""Within which it is said that nothing answers."""
LONGEST_SECONDS = 60.0
"""Until something is given up that comes in a moment, on a busy machine later."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("kept") / "home") as running:
        yield running


@pytest.fixture
def mute(home: Path) -> Iterator[Server]:
    """A server that has the store, and answers nothing."""
    server = start_server(home)
    suspend(server)
    yield server
    with suppress(ProcessLookupError):
        os.kill(server.process.pid, signal.SIGCONT)
        server.kill()
    server.process.stderr.close()


def suspend(server: Server) -> None:
    """Have it stand still; a signal takes a moment to reach all of a process's threads."""
    process = psutil.Process(server.process.pid)
    process.suspend()
    threads = Path(f"/proc/{process.pid}/task")
    deadline = time.monotonic() + LONGEST_SECONDS
    while any(" T " not in (each / "stat").read_text().rpartition(")")[2][:3] for each in threads.iterdir()):
        assert time.monotonic() < deadline
        process_wait(server.process, 0.01)


def is_mended(server: Server) -> bool:
    """Whether the run file is as it was, or becomes so within the time that everybody waits for it."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while (said := published(server.home)) is None or said.pid != server.process.pid or said.port != server.port:
        if time.monotonic() > deadline:
            return False
        process_wait(server.process, 0.02)
    return run_file(server.home).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", [each for each in SPOILINGS if not each.startswith("another")])
def test_what_is_no_run_file_is_none_and_nothing_to_wait_for(kind: str, home: Path) -> None:
    publish(home, SERVER)
    SPOILINGS[kind](run_file(home))
    assert published(home) is None


@pytest.mark.parametrize("kind", SPOILINGS)
def test_a_keeper_writes_it_again_whatever_stands_there(kind: str, home: Path) -> None:
    keeper = RunFileKeeper(home, SERVER, looks_apart=0.01)
    SPOILINGS[kind](run_file(home))
    deadline = time.monotonic() + LONGEST_SECONDS
    while published(home) != SERVER and time.monotonic() < deadline:
        os.sched_yield()
    assert published(home) == SERVER
    keeper.stop()
    assert not run_file(home).exists()


def test_whoever_finds_the_file_finds_its_owner_ready_until_it_ends(home: Path) -> None:
    told: list[tuple[str, bool]] = []
    keeper = RunFileKeeper(home, SERVER, say=lambda state: told.append((state, run_file(home).exists())))
    assert told == [("ready", False)]
    assert published(home) == SERVER
    keeper.stop()
    assert told == [("ready", False), ("ending", True)]
    assert not run_file(home).exists()


@pytest.mark.parametrize("kind", spread(SPOILINGS, 3))
@pytest.mark.parametrize("reach", [reached, connected])
def test_a_running_server_is_reached(reach: Callable[[Path, str], ServerConnection], kind: str, server: Server) -> None:
    SPOILINGS[kind](run_file(server.home))
    with reach(server.home, "cli") as found:
        assert found.server.port == server.port
    assert is_mended(server)


@pytest.mark.parametrize("kind", spread(["gone", "a pipe", "another port"], 1))
def test_commands_and_the_bridge_go_on(kind: str, server: Server) -> None:
    for arguments in (("status",), ("memory", "get-stats")):
        SPOILINGS[kind](run_file(server.home))
        done = completed(server.home, *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        assert is_mended(server)
    SPOILINGS[kind](run_file(server.home))
    with bridge(server.home) as client:
        assert client.ask("ping")["result"] == {}
    assert is_mended(server)


@pytest.mark.parametrize("kind", spread(["gone", "a folder", "another process"], 2))
def test_it_is_stopped_all_the_same(kind: str, home: Path) -> None:
    server = start_server(home)
    SPOILINGS[kind](run_file(home))
    done = completed(home, "stop")
    assert (done.returncode, done.stdout) == (0, f"BigMind (process {server.process.pid}) has stopped.\n")
    assert server.process.wait(10) == 0
    server.process.stderr.close()
    assert completed(home, "stop").stdout == f"Nothing to stop: no BigMind runs for the memory in {home}.\n"


def test_one_that_hangs_is_told_within_two_seconds(mute: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """By how often it is asked, and how long each answer is waited for: a busy machine takes longer to tell."""
    asked: list[Path] = []

    def counted(home: Path, client: str) -> ServerConnection:
        asked.append(home)
        return ServerConnection(home, client)

    monkeypatch.setattr(launch, "ServerConnection", counted)
    with pytest.raises(UnresponsiveError) as told:
        reached(mute.home, "cli")
    assert 0 < len(asked) * PROBE_SECONDS <= SAID_SECONDS
    assert told.value.holder.pid == mute.process.pid
    assert stopping.absence_code(mute.home, told.value) == "unresponsive"
    for arguments in (("status",), ("memory", "get-stats")):
        done = completed(mute.home, *arguments)
        assert done.returncode == 1
        said = done.stdout + done.stderr
        assert f"BigMind runs and does not answer: `bigmind serve --background` (process {mute.process.pid}" in said
        assert "bigmind stop" in said


def test_one_that_hangs_and_lost_its_file_is_told_too(mute: Server) -> None:
    run_file(mute.home).unlink()
    done = completed(mute.home, "status")
    assert done.returncode == 1
    assert "does not answer" in done.stdout


def test_one_that_lost_its_file_and_its_note_is_known_to_the_system(mute: Server) -> None:
    run_file(mute.home).unlink()
    owner_file(mute.home).write_text("{")
    found = holder(mute.home)
    assert found is not None
    assert (found.pid, found.is_certain) in ((mute.process.pid, True), (0, False))


def test_one_that_takes_no_requests_is_ended_as_by_ctrl_c(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner says that it should answer; nothing listens. The system names the process, so it may be ended."""
    server = start_server(home)
    suspend(server)
    monkeypatch.setenv("BIGMIND_HOME", str(home))
    monkeypatch.setattr(stopping, "ENDING_SECONDS", 0.5)  # of ten
    done = CliRunner().invoke(cli, ["stop"])
    assert done.exit_code == 1
    assert f"BigMind does not end: `bigmind serve --background` (process {server.process.pid}" in done.stdout
    os.kill(server.process.pid, signal.SIGCONT)  # what it was told while it stood still, it does now
    assert server.process.wait(20) == 0
    server.process.stderr.close()
    assert not is_locked(home)


def test_nobody_is_ended_whom_only_a_note_names(home: Path) -> None:
    """A note may be wrong, or made up; the lock is held by this process."""
    ownership = Ownership(home, "bigmind serve")
    owner_file(home).write_text(json.dumps({"pid": 1, "purpose": "init", "since": "", "state": "ready"}))
    found = holder(home)
    assert found is not None
    assert found in (Holder(os.getpid(), is_certain=True), Holder(1, "`init`", "", "ready", is_certain=False))
    ownership.release()


@pytest.mark.parametrize("state", ["starting", "ending"])
def test_one_that_starts_or_ends_is_said_to_and_waited_for(state: str, home: Path) -> None:
    ownership = Ownership(home, "bigmind serve")
    ownership.say(state)
    begun = time.monotonic()
    with pytest.raises(UnresponsiveError, match=f"is still {state}") as told:
        reached(home, "cli", patience=0.0)
    assert stopping.absence_code(home, told.value) == state
    assert time.monotonic() - begun < MISSED_SECONDS
    ownership.release()
    with pytest.raises(NotRunningError, match="BigMind is not running"):
        reached(home, "cli")


@pytest.mark.parametrize("kind", [each for each in SPOILINGS if not each.startswith("another")])
def test_a_note_of_the_owner_that_is_none_hides_nobody(kind: str, home: Path) -> None:
    ownership = Ownership(home, "bigmind serve")
    SPOILINGS[kind](owner_file(home))
    assert holder(home) is not None
    with suppress(OSError):
        ownership.release()


def test_who_only_asks_keeps_nobody_from_starting(home: Path) -> None:
    Ownership(home, "bigmind serve").release()
    assert lock_file(home).is_file()
    for _ in range(50):
        assert not is_locked(home)
        Ownership(home, "bigmind serve").release()
    assert noted(home) is None


def test_a_token_that_is_a_pipe_is_no_hang(server: Server) -> None:
    path = token_file(server.home, "cli")
    kept = path.read_text()
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(Exception, match="its token cannot be read"):
        ServerConnection(server.home, "cli")
    path.unlink()
    path.write_text(kept)
    path.chmod(0o600)
