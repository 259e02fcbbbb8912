"""What a start says that failed for a reason that nobody expected."""

import json
import subprocess
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from app.logs import in_one_sentence
from bigmind import wiring
from bigmind.local import launch
from bigmind.local.connection import NotRunningError
from bigmind.local.launch import connected, start_log, start_server
from bigmind.paths import log_file
from bigmind.people.service import NOBODY, OWN_KINDS, active_tokens, ensure_user
from bigmind.settings.file import settings_file
from bigmind.store.sqlite.engine import writing_engine
from bigmind.wiring import open_mind
from tests.store.using import raw_connection
from tests.support import completed, environment


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            OperationalError("SELECT session.told\nFROM session", {}, Exception("no such column: session.told")),
            "Exception: no such column: session.told.",
        ),
        (ValueError("first\nsecond"), "ValueError: first."),
        (KeyError(), "KeyError."),
    ],
)
def test_an_error_is_told_in_one_sentence_without_its_statement(
    error: Exception, said: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BIGMIND_HOME", str(home))
    assert in_one_sentence(error) == f"{said} See {log_file(home)}."
    error.add_note("The backup is from before.")
    assert in_one_sentence(error) == f"{said} The backup is from before. See {log_file(home)}."


def test_a_command_that_cannot_start_it_shows_no_traceback(home: Path) -> None:
    """A real start: what it writes and what the command reads are two processes' ends of one file."""
    open_mind(home, "ada").close()
    engine = writing_engine(home / "bigmind.db")
    with engine.begin() as connection:
        connection.exec_driver_sql("ALTER TABLE user RENAME COLUMN username TO name")
    engine.dispose()
    done = completed(home, "memory", "get-stats")
    assert done.returncode == 1
    assert done.stderr.startswith("BigMind could not start: OperationalError: no such column: user.username. See ")
    assert done.stderr.strip().endswith(f"{log_file(home)}.")
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" in log_file(home).read_text()
    assert "Traceback" not in start_log(home).read_text()


def test_what_fails_after_an_upgrade_names_the_backup_from_before(home: Path) -> None:
    mind = open_mind(home, "ada")
    mind.store.safekeeping.given.add("bigmind-20260101-000000-before-migration.db")
    with pytest.raises(ValueError, match="unexpected") as told, wiring.upgrade_noted(mind.store):
        raise ValueError("unexpected")
    assert "bigmind-20260101-000000-before-migration.db" in told.value.__notes__[0]
    mind.close()


def test_the_status_names_what_keeps_it_from_starting(home: Path) -> None:
    home.mkdir(0o700, exist_ok=True)
    settings_file(home).write_text("port = \nfoo[[")
    done = completed(home, "status")
    fault = f"The settings file {settings_file(home)} cannot be used: line 1, column 8: Invalid value."
    assert done.stdout.startswith(f"BigMind is not running, and cannot start: {fault}\n")
    assert "`bigmind serve` starts it" not in done.stdout
    assert json.loads(completed(home, "status", "--json").stdout)["code"] == "cannot_start"
    assert done.returncode == 1
    assert f"BigMind could not start: {fault}" in completed(home, "memory", "get-stats").stderr


def test_a_file_that_another_program_holds_all_the_while_is_said_to_be_held(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_mind(home, "ada").close()
    for name, value in environment(home).items():
        monkeypatch.setenv(name, value)  # a client hands its own on to the server that it starts
    monkeypatch.setattr(launch, "READY_SECONDS", 0.1)
    monkeypatch.setattr(launch, "start_server", started_and_ended)
    other = raw_connection(home)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(NotRunningError) as told:
        connected(home, "cli")
    other.close()
    assert str(told.value) == (
        "BigMind did not become ready: Another program holds the store's file.\nClose it and try again."
    )


def started_and_ended(home: Path) -> "subprocess.Popen[bytes]":
    """One that is waited for: the patience of a command is over by then."""
    child = start_server(home)
    child.wait(60)
    return child


def test_as_who_is_disabled_nothing_starts_and_it_is_said_as_whom_to(home: Path) -> None:
    mind = open_mind(home, "ada")
    with mind.store.write(NOBODY, "test") as work:
        ensure_user(work, "bob").disabled_at = work.now
    mind.close()
    done = completed(home, "memory", "get-stats", BIGMIND_USER="bob")
    assert done.returncode == 1
    assert "BigMind is to run for bob, who is disabled in this memory since" in done.stderr
    assert "BIGMIND_USER=ada" in done.stderr
    assert "`bigmind user enable bob`" in done.stderr
    mind = open_mind(home, "ada")
    with mind.store.read(NOBODY, "test") as work:
        assert {token.client for token in active_tokens(work)} == {"cli", "bridge"}
        assert len(active_tokens(work)) == len(OWN_KINDS), "none was made for bob"
    mind.close()
