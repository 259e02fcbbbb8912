"""The server says where it is, takes a free port, and ends clean however it is told to."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import psutil
import pytest
from filelock import FileLock

from bigmind.local.runfile import published
from bigmind.paths import lock_file, owner_file, run_file
from bigmind.settings.parsers import DEFAULT_PORT
from tests.app.conftest import Bigmind
from tests.app.terminal import ENDPOINT, serve_command, serving
from tests.local.wire import servers_of
from tests.support import environment, process_wait, running_server
from tests.thorough import often, turn

STARTS = often(200, 2)
SIGNALS = (signal.SIGTERM, signal.SIGINT)
signals_only = pytest.mark.skipif(sys.platform == "win32", reason="a program of Windows sends another no such signal")


def is_clean(home: Path) -> None:
    """Nothing is left of a server but the store."""
    assert not run_file(home).exists()
    assert not owner_file(home).exists()
    assert not list(home.glob("bigmind.db-*"))
    lock = FileLock(lock_file(home))
    lock.acquire(timeout=0)
    lock.release()
    names = {each.relative_to(home).as_posix() for each in home.rglob("*") if each.suffix != ".template"}
    assert names <= {
        "bigmind.db",
        "store.lock",
        "tokens",
        "tokens/cli",
        "tokens/bridge",
        "logs",
        "logs/server.log",
        "logs/start.log",
        "compiled",
        "bin",
        "bin/bigmind.cmd"
        if sys.platform == "win32"
        else "bin/bigmind",  # what clients start, also while no server runs
    }


def test_it_prints_the_page_and_the_endpoint(home: Path) -> None:
    with serving(home) as terminal:
        assert "BigMind" in terminal.said.splitlines()[0]
        assert "is ready" in terminal.said.splitlines()[0]
        assert int(ENDPOINT.search(terminal.said)[1]) == terminal.port == published(home).port
        with httpx.Client(trust_env=False, follow_redirects=True) as browser:
            assert browser.get(f"http://127.0.0.1:{terminal.port}/livez").json() == {"status": "ok"}
            page = browser.get(terminal.link)
            assert page.status_code == 200
        assert "bigmind mcp" in terminal.said
        assert "bigmind token create my-ide`" in terminal.said
        assert "bigmind clients list" in terminal.said
        assert "<" not in terminal.said, "a shell would read what stands between < and >"


@signals_only
@pytest.mark.parametrize("how", turn(SIGNALS, 0), ids=lambda how: how.name)
def test_a_signal_ends_it_clean(home: Path, how: signal.Signals) -> None:
    with serving(home) as terminal:
        assert (home / "bigmind.db-wal").stat().st_size > 0
        terminal.process.send_signal(how)
        assert terminal.process.wait(60) == 0
        assert b"Traceback" not in terminal.process.stderr.read()
    is_clean(home)


@signals_only
@pytest.mark.parametrize("how", turn(SIGNALS, 1), ids=lambda how: how.name)
def test_a_signal_while_it_starts_ends_it_and_the_next_one_starts(home: Path, how: signal.Signals) -> None:
    with subprocess.Popen(
        serve_command(), env=environment(home), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        while not owner_file(home).exists():  # then it has the lock, and has only begun to import
            process_wait(process, 0.002)
            assert process.poll() is None
        process.send_signal(how)
        assert process.wait(60) == 0
        assert "Traceback" not in process.stderr.read()
    assert not run_file(home).exists()
    with serving(home):
        pass
    is_clean(home)


def test_stop_ends_it_clean_and_waits_until_it_has(home: Path, bigmind: Bigmind) -> None:
    with serving(home) as terminal:
        done = bigmind("stop")
        is_clean(home)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout == f"BigMind (process {terminal.process.pid}) has stopped.\n"
        assert terminal.process.wait(60) == 0


def test_another_can_start_as_soon_as_stop_has_said_so(home: Path, bigmind: Bigmind) -> None:
    with serving(home):
        assert bigmind("stop").returncode == 0
        with serving(home) as second:
            assert published(home).pid == second.process.pid


def test_it_ends_while_clients_keep_their_connections(home: Path) -> None:
    with serving(home) as terminal, httpx.Client(trust_env=False) as idle:
        idle.get(f"http://127.0.0.1:{terminal.port}/livez")
        terminal.process.terminate()
        assert terminal.process.wait(60) == 0
    is_clean(home)


def test_a_taken_default_port_gives_the_next_free_one(home: Path) -> None:
    with taken(DEFAULT_PORT), serving(home, BIGMIND_PORT="") as terminal:
        assert terminal.port > DEFAULT_PORT
        assert ENDPOINT.search(terminal.said)[1] == str(terminal.port)


def taken(port: int) -> socket.socket:
    """A listener on the port, unless something else has it already; what a connection left behind does not count."""
    try:
        return socket.create_server(("127.0.0.1", port))
    except OSError:
        return socket.socket()


def test_a_chosen_port_that_is_taken_is_told(home: Path, bigmind: Bigmind) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        done = bigmind("serve", BIGMIND_PORT=str(port))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"Port {port} is taken" in done.stderr
    assert "BIGMIND_PORT" in done.stderr
    assert "Traceback" not in done.stderr
    assert not owner_file(home).exists()


@pytest.mark.parametrize("arguments", [(), ("--background",)], ids=["terminal", "background"])
def test_a_bad_port_is_told(bigmind: Bigmind, arguments: tuple[str, ...]) -> None:
    done = bigmind("serve", *arguments, BIGMIND_PORT="seven")
    assert (done.returncode, done.stdout) == (2, "")
    words = "BIGMIND_PORT is 'seven'. It must be a number from 0 to 65535; 0 takes any free port."
    assert " ".join(done.stderr.split()) == words


@pytest.mark.parametrize("arguments", [(), ("--background",)], ids=["terminal", "background"])
def test_a_home_that_cannot_be_is_told(tmp_path: Path, bigmind: Bigmind, arguments: tuple[str, ...]) -> None:
    (tmp_path / "file").write_text("")
    done = bigmind("serve", *arguments, BIGMIND_HOME=str(tmp_path / "file" / "home"))
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{tmp_path / 'file'} is a file." in done.stderr
    assert "BIGMIND_HOME" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux has file names that are no text")
@pytest.mark.parametrize("arguments", [(), ("--background",)], ids=["terminal", "background"])
def test_a_home_whose_name_is_no_text_is_told(tmp_path: Path, bigmind: Bigmind, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "file\udcff"
    file.write_text("")
    done = bigmind("serve", *arguments, BIGMIND_HOME=str(file))
    assert (done.returncode, done.stdout) == (1, "")
    assert "is a file." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_restart_keeps_everything(home: Path) -> None:
    with running_server(home) as first:
        session = first.call("memory_start_session", project="engine")["session_id"]
        first.call("memory_store_fact", category="decision", fact="Fifty digits.")
        first.call("memory_update_profile", role="Analyst")
        token = first.token()
    with running_server(home) as second:
        context = second.call("memory_get_context")["context"]
        assert "Fifty digits." in context
        assert "Analyst" in context
        assert second.call("memory_list_sessions")["sessions"][0]["session_id"] == session
        assert second.token() == token


@pytest.mark.slow
def test_starts_and_stops_leave_nothing_behind(home: Path, tmp_path: Path) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    children = {each.pid for each in psutil.Process().children(recursive=True)}
    for _ in range(STARTS):
        with running_server(home, TMPDIR=str(scratch)) as server:
            assert server.stop() == 0
            assert server.process.stderr.read() == b""
        is_clean(home)
    assert servers_of(home) == []
    assert {each.pid for each in psutil.Process().children(recursive=True)} <= children
    assert list(scratch.iterdir()) == []
