"""The bridge tells the server which project its client works in: from its roots, else from where it was started."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.local.wire import Bridge, bridge
from tests.support import Server

pytestmark = pytest.mark.xdist_group("shared_server")

ROOTS = {"listChanged": True}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {"roots": {}},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace without a remote."""
    made = tmp_path / "Über uns"
    made.mkdir()
    return made


@pytest.fixture
def client(shared_server: Server, folder: Path) -> Iterator[Bridge]:
    with bridge(shared_server.home, folder=folder) as opened:
        yield opened


def root(tmp_path: Path, name: str, remote: str) -> str:
    """The address of a repository's folder."""
    git = tmp_path / name / ".git"
    git.mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text(f'[remote "origin"]\n\turl = {remote}\n')
    return git.parent.as_uri()


def answer(client: Bridge, question: dict[str, Any], *uris: str) -> None:
    result = {"roots": [{"uri": uri, "name": "a root"} for uri in uris]}
    client.line(json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": result}).encode())


def project(client: Bridge, **given: str) -> str | None:
    return client.ask_tool("memory_start_session", **given)["project"]


def test_without_roots_it_is_where_the_bridge_was_started(client: Bridge, folder: Path) -> None:
    client.initialize()
    assert project(client) == folder.name


def test_what_the_model_says_counts_more(client: Bridge) -> None:
    client.initialize()
    assert project(client, project="engine") == "engine"


def test_the_roots_of_the_client_count_more_than_the_folder(client: Bridge, tmp_path: Path) -> None:
    client.initialize(roots=ROOTS)
    question = client.next_answer()
    assert (question["jsonrpc"], question["method"]) == ("2.0", "roots/list")
    answer(
        client,
        question,
        "https://example.org/not/a/folder",
        root(tmp_path, "app", "https://ada:secret@github.com/acme/app.git"),
        root(tmp_path, "other", "https://github.com/acme/other"),
    )
    assert project(client) == "github.com/acme/app"


def test_roots_are_asked_for_again_when_they_changed(client: Bridge, tmp_path: Path) -> None:
    client.initialize(roots=ROOTS)
    first = client.next_answer()
    client.line(b'{"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}')
    second = client.next_answer()
    answer(client, second, root(tmp_path, "new", "git@github.com:acme/new"))
    answer(client, first, root(tmp_path, "old", "git@github.com:acme/old"))  # too late to count
    assert project(client) == "github.com/acme/new"


@pytest.mark.parametrize(
    "words",
    [
        {"error": {"code": -32601, "message": "no"}},
        {"result": None},
        {"result": {"roots": []}},
        {"result": {"roots": "none"}},
        {"result": {"roots": [7, {"uri": 7}, {"uri": "file://"}, {"uri": "file:///%00"}, {"uri": "file:///"}]}},
        {"result": {"roots": [{"uri": "file:///tmp/\ud800"}, {"uri": "file:///tmp/\udc80"}]}},
    ],
)
def test_an_answer_without_a_folder_leaves_the_bridges_own(
    client: Bridge, folder: Path, words: dict[str, object]
) -> None:
    client.initialize(roots=ROOTS)
    client.line(json.dumps({"jsonrpc": "2.0", "id": client.next_answer()["id"], **words}).encode())
    assert project(client) == folder.name


def test_a_client_that_never_answers_is_not_waited_for(client: Bridge, folder: Path) -> None:
    client.initialize(roots=ROOTS)
    assert client.next_answer()["method"] == "roots/list"
    assert client.ask("ping")["result"] == {}
    assert project(client) == folder.name


def test_the_era_without_sessions_is_not_asked(client: Bridge, folder: Path) -> None:
    opened = client.ask("tools/call", name="memory_start_session", arguments={}, _meta=MODERN)
    assert opened["result"]["structuredContent"]["project"] == folder.name


def test_a_bridge_that_was_started_at_home_has_no_project(shared_server: Server, folder: Path) -> None:
    with bridge(shared_server.home, folder=folder, HOME=str(folder)) as client:
        client.initialize()
        assert project(client) is None
