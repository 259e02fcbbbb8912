"""A hundred times kill -9 while several clients write: whatever was acknowledged is there afterwards."""

import os
import random
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.runfile import published
from bigmind.paths import log_file
from tests.killing import KILL, KILLED
from tests.store.judge import Promises, judged
from tests.store.traffic import Traffic
from tests.store.using import keep, opened, raw_connection
from tests.support import READY_SECONDS, environment, process_wait, running_server
from tests.thorough import often

ROUNDS = often(100, 3)
MOST_WRITES = 40
EARLY = 0.08
"""The share of servers that are killed while they start."""

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow


class Nursery:
    """Real servers of one home, one after the other."""

    def __init__(self, home: Path, kind: str) -> None:
        self.home = home
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.store.nursery", kind],
            env=environment(home),
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def ask(self, what: str) -> int:
        self._process.stdin.write(f"{what}\n")
        self._process.stdin.flush()
        return int(self._process.stdout.readline())

    def moment(self, seconds: float) -> None:
        process_wait(self._process, seconds)

    def wait_until_ready(self, pid: int) -> int:
        """The port of the server `pid`, once it has proved itself."""
        deadline = time.monotonic() + READY_SECONDS
        while time.monotonic() < deadline:
            said = published(self.home)
            if said is not None and said.pid == pid:
                try:
                    ServerConnection(self.home, "cli").close()
                except NotRunningError:
                    pass
                else:
                    return said.port
            self.moment(0.002)
        raise AssertionError(f"the server did not start: {log_file(self.home).read_text(encoding='utf-8')[-2_000:]}")

    def kill(self, pid: int) -> None:
        os.kill(pid, KILL)
        assert self.ask("wait") == KILLED, "the server had ended before it was killed"

    def close(self) -> None:
        self._process.stdin.close()
        assert self._process.wait(30) == 0
        self._process.stdout.close()


@contextmanager
def nursery(home: Path, kind: str) -> Generator[Nursery]:
    opened = Nursery(home, kind)
    try:
        yield opened
    finally:
        opened.close()


def killed_round(servers: Nursery, session_id: str, number: int, dice: random.Random) -> Promises:
    """Start a server, write, kill it in the middle; returns what it acknowledged."""
    pid = servers.ask("start")
    if dice.random() < EARLY:
        servers.moment(dice.random() * 0.1)
        servers.kill(pid)
        return Promises()
    traffic = Traffic(servers.home, servers.wait_until_ready(pid), session_id, f"round{number}")
    traffic.wait_for(dice.randint(1, MOST_WRITES))
    servers.moment(dice.random() * 0.004)
    servers.kill(pid)
    return traffic.end()


def session_in(home: Path) -> str:
    with running_server(home) as server:
        return server.call("memory_start_session")["session_id"]


def test_kills_lose_nothing_that_was_acknowledged(home: Path, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    session_id = session_in(home)
    promises = Promises()
    with nursery(home, "careful") as servers:
        for number in range(ROUNDS):
            latest = killed_round(servers, session_id, number, dice)
            promises.add(latest)
            problems = judged(home, tmp_path / "copy", promises, latest)
            assert problems == [], f"seed {seed}, round {number}, {len(promises)} acknowledged: {problems[:5]}"
    assert len(promises) > ROUNDS
    with running_server(home) as server, server.http() as http:
        for text in dice.sample(promises.made["chunk"], min(50, len(promises.made["chunk"]))):
            answer = http.post("/api/v1/memory_search_chunks", json={"query": text, "limit": 3}).json()
            assert answer["hits"][0]["excerpt"].replace("**", "") == text, f"seed {seed}"


def test_a_server_that_answers_before_it_commits_is_caught(home: Path, tmp_path: Path) -> None:
    seed = random.randrange(2**32)
    dice = random.Random(seed)
    session_id = session_in(home)
    problems: list[str] = []
    with nursery(home, "careless") as servers:
        for number in range(20):
            latest = killed_round(servers, session_id, number, dice)
            problems = judged(home, tmp_path / "copy", latest, latest)
            if problems:
                break
    assert [each for each in problems if " lost: round" in each], f"seed {seed}"
    assert [each for each in problems if "integrity" in each or "malformed" in each] == []


def test_a_write_that_was_taken_back_is_not_kept(home: Path, tmp_path: Path) -> None:
    with opened(home) as run:
        keep(run, "The first card.")
    connection = raw_connection(home)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE chunk SET content = 'The second card.'")
    connection.execute("ROLLBACK")
    connection.close()
    promises = Promises({"fact": [], "chunk": ["The second card."], "hypothesis": []})
    assert judged(home, tmp_path / "copy", promises, promises) == [
        "chunk lost: The second card.",
        "not found: The second card.",
    ]


def test_an_index_that_lost_a_row_is_caught(home: Path, tmp_path: Path) -> None:
    with opened(home) as run:
        keep(run, "The first card.")
    connection = raw_connection(home)
    connection.execute("INSERT INTO chunk_fts(chunk_fts) VALUES ('delete-all')")
    connection.close()
    promises = Promises({"fact": [], "chunk": ["The first card."], "hypothesis": []})
    problems = judged(home, tmp_path / "copy", promises, promises)
    assert "not found: The first card." in problems
    assert len(problems) == 2  # the other is what FTS5's own check says


def test_a_text_that_stands_twice_is_caught(home: Path, tmp_path: Path) -> None:
    with opened(home) as run:
        keep(run, "The first card.")
        keep(run, "The first card.")
    assert judged(home, tmp_path / "copy", Promises(), Promises()) == ["chunk 2 times: The first card."]
