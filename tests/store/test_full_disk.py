"""A disk that is full: nothing that was acknowledged is lost, what is refused is told why, and it goes on by itself.

On a small disk of its own where mounting is allowed, and everywhere with files that the system lets grow no further.
"""

import json
import os
import random
import subprocess
import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import RawIOBase
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.local.connection import NotRunningError
from bigmind.local.launch import FULL, connected
from tests.store.judge import Promises, judged
from tests.store.past import past_store
from tests.store.using import keep, opened, raw_connection
from tests.support import Server, environment, running_server
from tests.thorough import spread

resource = pytest.importorskip("resource", reason="Windows limits no files of a process")

CLIENTS = 4
REFUSALS = 6
"""So many times each client is told that the disk is full."""
FURTHER = 5
BALLAST = 1_500_000
LARGEST_FILE = 3_000_000

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits another process, and mounts, as Linux does")


class SmallDisk:
    """A file system of a few megabytes, with a file on it that can be taken away."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"
        self._ballast = folder / "ballast"
        self._ballast.write_bytes(bytes(BALLAST))

    def fill(self, server: Server) -> None:
        del server  # it is small: what is written fills it

    def make_room(self, server: Server) -> None:
        del server
        self._ballast.unlink()


class BoundedFiles:
    """A folder in which a server can make no file larger than a limit."""

    def __init__(self, folder: Path) -> None:
        self.home = folder / "home"

    def fill(self, server: Server) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (LARGEST_FILE, resource.RLIM_INFINITY))

    def make_room(self, server: Server) -> None:
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextmanager
def mounted(folder: Path) -> Generator[Path]:
    """A file system of six megabytes in memory; skips where mounting is not allowed (then BoundedFiles still run)."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=6m,mode=700", "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode:
        pytest.skip(f"mounting is not allowed here: {done.stderr.decode()}")
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.fixture(params=["small disk", "bounded files"])
def disk(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[SmallDisk | BoundedFiles]:
    if request.param == "bounded files":
        yield BoundedFiles(tmp_path)
        return
    with mounted(tmp_path / "disk") as folder:
        yield SmallDisk(folder)


@pytest.fixture
def small_disk(tmp_path: Path) -> Generator[SmallDisk]:
    with mounted(tmp_path / "disk") as folder:
        yield SmallDisk(folder)


@contextmanager
def heard_server(home: Path) -> Generator[Server]:
    """A server whose complaints are read as they come: it would wait for a full pipe."""
    with running_server(home) as server:
        complaints = os.dup(server.process.stderr.fileno())
        reader = threading.Thread(target=lambda: [None for _ in iter(lambda: os.read(complaints, 65_536), b"")])
        reader.start()
        try:
            yield server
        finally:
            assert server.stop() == 0
            reader.join()
            os.close(complaints)


@dataclass
class Client:
    """Writes what it is told to, and notes what the server said to it."""

    server: Server
    number: int
    session_id: str
    promises: Promises = field(default_factory=Promises)
    refused: list[str] = field(default_factory=list)
    answers: list[httpx.Response] = field(default_factory=list)
    _written: int = 0

    def write(self, http: httpx.Client, size: int) -> None:
        kind = ("chunk", "fact", "hypothesis")[self._written % 3]
        text = f"client{self.number}write{self._written}"
        self._written += 1
        operation, arguments = {
            "fact": ("memory_store_fact", {"category": "decision", "fact": text}),
            "hypothesis": ("memory_add_hypothesis", {"hypothesis": text}),
        }.get(kind, ("memory_append_chunk", {}))
        if kind == "chunk":
            text += " loop" * size
            arguments = {"session_id": self.session_id, "role": "user", "flag_reason": "a reason", "content": text}
        answer = http.post(f"/api/v1/{operation}", json=arguments)
        if answer.status_code == 200:
            self.promises.made[kind].append(text)
        else:
            self.refused.append(text)
            self.answers.append(answer)

    def write_until_refused(self) -> None:
        dice = random.Random(self.number)
        with self.server.http() as http:
            while len(self.refused) < REFUSALS:
                self.write(http, dice.choice((10, 2_000, 10_000)))

    def write_further(self) -> None:
        with self.server.http() as http:
            for _ in range(FURTHER):
                self.write(http, 1)


def at_once(jobs: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=job) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def read_everything(server: Server, clients: list[Client]) -> None:
    """What was acknowledged is listed and found while nothing can be written."""
    facts = server.call("memory_list_facts", limit=500)["facts"]
    assert {each["fact"] for each in facts} == {text for client in clients for text in client.promises.made["fact"]}
    for client in clients:
        name = client.promises.made["chunk"][0].split()[0]
        hits = server.call("memory_search_chunks", query=name)["hits"]
        assert [each for each in hits if each["excerpt"].replace("**", "").startswith(f"{name} ")]
    assert server.call("memory_get_context")["context"]


def test_four_clients_fill_the_disk_and_lose_nothing(disk: SmallDisk | BoundedFiles, tmp_path: Path) -> None:
    with heard_server(disk.home) as server:
        session_id = server.call("memory_start_session")["session_id"]
        disk.fill(server)
        clients = [Client(server, number, session_id) for number in range(CLIENTS)]
        at_once([client.write_until_refused for client in clients])
        for answer in (answer for client in clients for answer in client.answers):
            assert answer.status_code == 507
            assert answer.json()["code"] == "storage_full"
            assert "nothing of" in answer.json()["title"]
            assert "room" in answer.json()["hint"]
        read_everything(server, clients)
        disk.make_room(server)
        at_once([client.write_further for client in clients])
        read_everything(server, clients)
    assert [len(client.refused) for client in clients] == [REFUSALS] * CLIENTS  # none of the later ones
    promises = Promises()
    for client in clients:
        promises.add(client.promises)
    assert len(promises) > CLIENTS * (FURTHER + 5)
    assert judged(disk.home, tmp_path / "copy", promises, Promises()) == []
    refused = {text for client in clients for text in client.refused}
    assert refused & stored(disk.home) == set()


def stored(home: Path) -> set[str]:
    connection: Any = raw_connection(home)
    texts = connection.execute(
        "SELECT content FROM chunk UNION SELECT text FROM fact UNION SELECT text FROM hypothesis"
    )
    found = {text for (text,) in texts}
    connection.close()
    return found


def test_a_server_ends_properly_on_a_full_disk_and_says_why_it_cannot_start_there(
    small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with heard_server(small_disk.home) as server:
        session_id = server.call("memory_start_session")["session_id"]
        client = Client(server, 1, session_id)
        client.write_until_refused()
        (small_disk.home / "logs" / "start.log").write_bytes(b"")  # as one that was started by a client has it
        fill_up(small_disk.home)
    assert not (small_disk.home / "run.json").exists()
    fill_up(small_disk.home)
    for name, value in environment(small_disk.home).items():
        monkeypatch.setenv(name, value)  # a client hands its own on to the server that it starts
    with pytest.raises(NotRunningError, match="has no room"):
        connected(small_disk.home, "cli")
    assert not list(small_disk.home.glob(".*"))  # nothing half written
    small_disk.make_room(server)
    with heard_server(small_disk.home) as again:
        facts = again.call("memory_list_facts", limit=500)["facts"]
        assert {each["fact"] for each in facts} == set(client.promises.made["fact"])
        again.call("memory_store_fact", category="decision", fact="There is room again.")


def test_an_upgrade_that_has_no_room_for_its_backup_says_so_and_how_much_it_needs(
    small_disk: SmallDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    past_store(small_disk.home, "0011")
    before = (small_disk.home / "bigmind.db").read_bytes()
    for name, value in environment(small_disk.home).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(NotRunningError) as told:
        connected(small_disk.home, "cli")
    assert str(told.value).startswith("BigMind could not start: The memory was not upgraded, because no backup of it")
    assert f"MB in {small_disk.home / 'backups'}, of which " in str(told.value)
    assert "set BIGMIND_BACKUP_FOLDER to a folder on another disk" in str(told.value)
    assert (small_disk.home / "bigmind.db").read_bytes() == before


@pytest.mark.parametrize("writes", spread([40, 3], 1))
def test_after_a_kill_on_a_full_disk_it_starts_there_and_reads(small_disk: SmallDisk, writes: int) -> None:
    """What the killed one left behind is room enough: its notes, its log, and the index of that."""
    home = small_disk.home
    with running_server(home) as server:
        client = Client(server, 1, server.call("memory_start_session")["session_id"])
        with server.http() as http:
            for _ in range(writes):
                client.write(http, 10)
        fill_up(home)
        with server.http() as http:
            client.write(http, 10_000)
        server.kill()
    fill_up(home)
    for _ in range(2):
        with running_server(home) as again:
            read_everything(again, [client])
            assert json.loads((home / "run.json").read_text())["pid"] == again.process.pid
            with again.http() as http:
                answer = http.post("/api/v1/memory_add_hypothesis", json={"hypothesis": "there is room " * 100})
            assert (answer.status_code, answer.json()["code"]) == (507, "storage_full")
            again.kill()
        fill_up(home)
    small_disk.make_room(again)
    with heard_server(home) as last:
        read_everything(last, [client])
        last.call("memory_store_fact", category="decision", fact="There is room again.")


def fill_up(home: Path) -> None:
    """Take every byte that the end of a server gave free."""
    with (home / "filler").open("ab", buffering=0) as file, pytest.raises(OSError, match="No space left"):
        write_for_ever(file)


def write_for_ever(file: RawIOBase) -> None:
    while True:
        file.write(bytes(4_096))


NO_FILE_GROWS = """
import resource, sys
from app.headless import serve_in_background
resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
sys.exit(serve_in_background())
"""


def test_a_server_that_can_write_nothing_says_so_and_leaves_the_store_as_it_was(home: Path) -> None:
    with opened(home) as run:
        keep(run, "The first card.")
    before = (home / "bigmind.db").read_bytes()
    command = [sys.executable, "-c", NO_FILE_GROWS]
    done = subprocess.run(command, env=environment(home), capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == FULL, done.stderr
    assert "cannot be written: File too large.\nMake room" in done.stderr
    assert (home / "bigmind.db").read_bytes() == before
