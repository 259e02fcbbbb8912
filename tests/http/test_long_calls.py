"""What takes long tells how far it is over the API, and stops when who asked for it is gone, or says so."""

import asyncio
import json
import os
import re
import signal
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from bigmind.backup.files import backups_in
from bigmind.cli.progress_line import INTERRUPTED
from bigmind.http.asgi import Message
from bigmind.http.long_calls import JSON_LINES, ProgressLines
from bigmind.local.connection import ServerConnection
from bigmind.operations.catalogue import Answer
from bigmind.paths import store_file
from bigmind.store.sqlite.snapshots import connected
from tests.bench.long_work import fill_with_text, write_facts
from tests.support import Server, begun, running_server

FACTS = 5_000
# There test_interruptible.py says that Ctrl+C is heard, and the client that ends its side below what comes then.
ctrl_c = pytest.mark.skipif(os.name != "posix", reason="Windows tells Ctrl+C to all of a console, to the tests too")
STREAMED = {"Accept": JSON_LINES}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("long") / "home") as running:
        yield running


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("facts") / "facts.json"
    write_facts(file, FACTS)
    return file


def rows(server: Server) -> tuple[int, int, int]:
    """Facts, users, and notes of an import, as they stand in the file."""
    queries = (
        "SELECT count(*) FROM fact",
        "SELECT count(*) FROM user",
        "SELECT count(*) FROM store_property WHERE name = 'import'",
    )
    with closing(connected(store_file(server.home), read_only=True)) as database:
        return tuple(database.execute(each).fetchone()[0] for each in queries)  # pyright: ignore[reportReturnType]


def answered(server: Server, operation: str, **arguments: object) -> list[dict[str, object]]:
    with server.http() as http, http.stream("POST", f"/api/v1/{operation}", json=arguments, headers=STREAMED) as lines:
        assert lines.headers["content-type"].startswith(JSON_LINES)
        return [json.loads(line) for line in lines.iter_lines()]


def the_turn_is_free(server: Server) -> None:
    """Wait until nothing long is under way: the next one is asked for, and has its turn."""
    server.call("memory_health_check")


def test_the_last_line_is_the_answer(server: Server) -> None:
    *told, last = answered(server, "memory_health_check")
    assert all(set(each) == {"progress"} for each in told)
    assert last["status"] == 200
    assert last["answer"]["checked"]


def test_the_last_line_is_what_was_wrong(server: Server) -> None:
    [last] = answered(server, "memory_import", path=str(Path("/nowhere/at/all.json").absolute()))
    assert last["status"] == last["problem"]["status"] == 404
    assert last["problem"]["code"] == "not_found"


def test_without_asking_for_lines_it_is_one_answer(server: Server) -> None:
    assert server.call("memory_health_check")["checked"]


@pytest.mark.parametrize("headers", [STREAMED, {}], ids=["lines", "one answer"])
def test_it_stops_when_who_asked_is_gone(server: Server, facts: Path, headers: dict[str, str]) -> None:
    before = rows(server)
    with server.http() as http:
        if headers:
            body = {"path": str(facts)}
            with http.stream("POST", "/api/v1/memory_import", json=body, headers=headers) as lines:
                next(lines.iter_lines())
        else:
            with pytest.raises(httpx.ReadTimeout):
                http.post("/api/v1/memory_import", json={"path": str(facts)}, timeout=0.5)
    the_turn_is_free(server)
    assert rows(server) == before


def test_what_waits_says_for_what(server: Server, facts: Path) -> None:
    with server.http() as http:
        body = {"path": str(facts)}
        with http.stream("POST", "/api/v1/memory_import", json=body, headers=STREAMED) as first:
            lines = first.iter_lines()  # kept: one that is let go ends the response
            next(lines)
            with http.stream("POST", "/api/v1/memory_health_check", json={}, headers=STREAMED) as second:
                said = json.loads(next(second.iter_lines()))
    assert said["progress"]["what"] == "Waiting until something else is done: Import a memory"
    the_turn_is_free(server)


@ctrl_c
def test_ctrl_c_ends_it(server: Server, facts: Path) -> None:
    before = rows(server)
    command = begun(server.home, "memory", "import", str(facts), "--yes")
    with command.stdout, command.stderr:
        while not is_importing(server):
            assert command.poll() is None
        command.send_signal(signal.SIGINT)
        assert command.wait(60) == INTERRUPTED
        assert b"Stopped. Nothing was changed." in command.stderr.read()
    the_turn_is_free(server)
    assert rows(server) == before


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with much old text."""
    home = tmp_path_factory.mktemp("full") / "home"
    fill_with_text(home, 4)
    return home


def moments(home: Path) -> int:
    with closing(connected(store_file(home), read_only=True)) as database:
        return database.execute("SELECT count(*) FROM chunk").fetchone()[0]


@ctrl_c
def test_ctrl_c_tells_what_was_done_by_then(full: Path) -> None:
    before = moments(full)
    with running_server(full):
        command = begun(full, "memory", "vacuum", "30", "--yes")
        with command.stdout, command.stderr:
            while moments(full) == before:
                assert command.poll() is None
            command.send_signal(signal.SIGINT)
            assert command.wait(60) == INTERRUPTED
            said = command.stderr.read().decode()
    told = re.search(
        r"Stopped\. ([\d,]+) of ([\d,]+) old moments were removed\. They are still in the backup (\S+),", said
    )
    assert told, said
    assert 0 < int(told[1].replace(",", "")) == before - moments(full) < int(told[2].replace(",", "")) <= before
    assert told[3] in {each.path.name for each in backups_in(full / "backups")}


def test_a_client_that_ends_its_side_hears_what_became_of_it(server: Server, facts: Path) -> None:
    before = rows(server)
    with ServerConnection(server.home, "cli") as connection:
        body = json.dumps({"path": str(facts)}).encode()
        lines = connection.stream("POST", "/api/v1/memory_import", body, STREAMED).lines()
        next(lines)
        connection.end_requests()
        *_, last = lines
    assert json.loads(last)["problem"]["title"] == "Stopped. Nothing was changed."
    assert rows(server) == before


def is_importing(server: Server) -> bool:
    """Whether what is asked for now has to wait for an import."""
    with server.http() as http, http.stream("POST", "/api/v1/memory_health_check", json={}, headers=STREAMED) as lines:
        return "Import a memory" in next(lines.iter_lines())


def test_a_fault_of_ours_is_the_last_line_and_the_log_has_it(caplog: pytest.LogCaptureFixture) -> None:
    async def fail(*_: object) -> Answer:
        raise ZeroDivisionError("what nobody thought of")

    async def quiet() -> Message:
        return await asyncio.get_running_loop().create_future()

    async def told() -> list[bytes]:
        return [line async for line in ProgressLines(fail, quiet, lambda _: 200).lines()]

    [last] = map(json.loads, asyncio.run(told()))
    assert last["status"] == 500
    assert last["problem"]["code"] == "internal"
    assert "nobody thought" not in json.dumps(last)
    assert "what nobody thought of" in caplog.text
