"""Commands of today on a server of before an upgrade, which still runs: they say so, and what ends it."""

import json
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from bigmind import VERSION
from bigmind.local.proof import new_key, proof_of
from bigmind.local.runfile import RunningServer, publish
from bigmind.paths import make_private_folder, token_file, write_private_file
from bigmind.people.token_format import new_secret
from tests.app.conftest import Bigmind
from tests.support import environment

STILL_RUNS = "An older version of BigMind, or another one, still runs"
UNKNOWN = f"{STILL_RUNS}: it does not know this command."
UNREAD = f"{STILL_RUNS}: this command cannot read its answer."
ENDED_BY = "`bigmind stop` ends it, and the next command starts this version."
PERHAPS = "What you asked for may have been done"
PAGES = "http://127.0.0.1:1/profile"
CLIENT = {"client": "cursor", "title": "Cursor", "state": "connected", "detail": "", "workspaces": []}
PLAN = {"client": "cursor", "title": "Cursor", "plan": "p", "changes": [], "connected": True, "warnings": []}
ANSWERS: dict[str, dict[str, Any]] = {
    "server_status": {"version": "0.0.9", "pid": 7, "profile_url": PAGES, "bytes_on_disk": 9, "backups": "none"},
    "clients_list": {"clients": [CLIENT]},
    "clients_show": PLAN,
    "clients_doctor": {"checks": [{"client": "cursor"}]},
    "memory_semantic_search": {"hits": []},
    "memory_store_fact": {"stored": True},
    "memory_forget": {"would_forget": 3},
}
"""What the server of then knew, and said."""
GONE = {"status": 404, "code": "not_found", "title": "There is no fact '0000'."}


class Older(ThreadingHTTPServer):
    """A server that proves who it is, and knows only ANSWERS."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), OlderAnswer)
        self.key = new_key()


class OlderAnswer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Older

    def do_GET(self) -> None:
        [challenge] = parse_qs(urlsplit(self.path).query)["challenge"]
        self._say(200, {"proof": proof_of(self.server.key, challenge, self.server.server_port)})

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        name = self.path.rpartition("/")[2]
        if name == "memory_deprecate_fact":
            self._say(404, GONE)
        elif name in ANSWERS:
            self._say(200, ANSWERS[name])
        else:
            title = f"POST {self.path}: There is no such route."
            self._say(404, {"status": 404, "code": "not_found", "title": title})

    def _say(self, status: int, said: dict[str, Any]) -> None:
        body = json.dumps(said).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json" if status == 200 else "application/problem+json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture(autouse=True)
def older(home: Path) -> Generator[None]:
    make_private_folder(home)
    with Older() as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        publish(home, RunningServer(1, server.server_port, server.key, VERSION, environment(home)["BIGMIND_USER"]))
        make_private_folder(token_file(home, "cli").parent)
        write_private_file(token_file(home, "cli"), new_secret())
        yield
        server.shutdown()


def test_status_says_that_it_runs_and_that_it_is_another_version(bigmind: Bigmind) -> None:
    done = bigmind("status")
    assert (done.returncode, done.stderr) == (0, "")
    told = f"BigMind 0.0.9 runs as process 7.\n\n- Pages: {PAGES}\n- {UNREAD} {ENDED_BY}\n"
    assert done.stdout == told
    asked = bigmind("status", "--json")
    assert json.loads(asked.stdout) == {"running": True, **ANSWERS["server_status"]}


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("clients list", 1),
        ("clients list --json", 1),
        ("clients install cursor", 1),
        ("clients doctor", 1),
        ("memory forget 0000", 1),
        ("search pool size", 2),
        ("open", 1),
        ("app", 1),
    ],
)
def test_an_answer_that_lacks_what_is_shown_today(bigmind: Bigmind, command: str, code: int) -> None:
    done = bigmind(*command.split())
    assert (done.returncode, done.stdout, done.stderr) == (code, "", f"{UNREAD}\n{ENDED_BY}\n")


def test_after_what_changes_something_it_may_have_been_done(bigmind: Bigmind) -> None:
    done = bigmind("memory", "store-fact", "decision", "The pool has nine.")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"{UNREAD}\n{PERHAPS}: look before you do it again. {ENDED_BY}\n"


@pytest.mark.parametrize("command", ["brain query pool", "usage", "memory health-check"])
def test_a_command_that_it_does_not_know(bigmind: Bigmind, command: str) -> None:
    done = bigmind(*command.split())
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"{UNKNOWN}\n{ENDED_BY}\n")


def test_a_thing_that_is_not_there_is_told_by_its_own_words(bigmind: Bigmind) -> None:
    done = bigmind("memory", "deprecate-fact", "0000", "wrong")
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "There is no fact '0000'.\n")
