"""A server that goes away in the middle: the terminal says so, and what may have become of what it was asked for."""

from collections.abc import Generator
from pathlib import Path

import pytest

from bigmind.cli.remote import LostConnectionError
from tests.bench.long_work import write_facts
from tests.http.test_long_calls import is_importing
from tests.local.wire import SECONDS, home_in
from tests.support import Server, begun, running_server

PERHAPS = "may have been done, in whole or in part, or not at all"


@pytest.fixture
def server(tmp_path: Path) -> Generator[Server]:
    with home_in(tmp_path) as home, running_server(home) as running:
        yield running


def test_a_server_that_is_killed_in_the_middle_of_an_import(server: Server, tmp_path: Path) -> None:
    write_facts(tmp_path / "facts.json", 5_000)
    command = begun(server.home, "memory", "import", str(tmp_path / "facts.json"))
    with command.stdout, command.stderr:
        while not is_importing(server):
            assert command.poll() is None
        server.kill()
        assert command.wait(SECONDS) == 1
        said = command.stderr.read().decode()
    assert said.splitlines()[0] == "BigMind ended, or the connection to it was lost, before it answered."
    assert PERHAPS in said
    assert "Error(" not in said


def test_what_changes_nothing_is_asked_again() -> None:
    assert PERHAPS not in str(LostConnectionError(reads=True))
    assert PERHAPS in str(LostConnectionError(reads=False))
