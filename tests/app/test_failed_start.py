"""What a start says that failed for a reason that nobody expected."""

import json
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from app.logs import in_one_sentence
from bigmind import wiring
from bigmind.local.launch import start_log
from bigmind.paths import log_file
from bigmind.settings.file import settings_file
from bigmind.store.sqlite.engine import writing_engine
from bigmind.wiring import open_mind
from tests.support import completed


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
