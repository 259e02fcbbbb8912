"""A database that is gone beside its backups: the terminal says it, and brings the memory back."""

from pathlib import Path

from bigmind.paths import store_file
from bigmind.store.backup_keeping import MISSING
from tests.app.conftest import Bigmind
from tests.app.terminal import serving

FACT = {"category": "decision", "fact": "The lantern burns oil."}


def test_the_start_and_status_say_it_and_a_command_restores_it(home: Path, bigmind: Bigmind) -> None:
    with serving(home) as terminal:
        assert MISSING not in terminal.said
        stored = bigmind("memory", "store-fact", FACT["category"], FACT["fact"])
        assert stored.returncode == 0, stored.stderr
        assert bigmind("backup", "create").returncode == 0
    store_file(home).unlink()
    [backup] = (each.name for each in (home / "backups").glob("*.db"))
    with serving(home) as terminal:
        assert MISSING in terminal.said
        assert f"backup restore {backup}" in terminal.said
        said = bigmind("status").stdout
        assert MISSING in said
        assert backup in said
        assert "Backups: the last verified one is of" in said
        refused = bigmind("memory", "store-fact", "decision", "The wick is new.")
        assert refused.returncode == 1
        assert MISSING in refused.stderr
        searched = bigmind("search", "lantern", "--json")
        assert (searched.returncode, searched.stdout) == (2, "")
        assert f"{MISSING} The newest backup holds 1 fact" in searched.stderr
        assert f"backup restore {backup}" in searched.stderr
        restored = bigmind("backup", "restore", backup, "--yes")
        assert restored.returncode == 0, restored.stderr
        assert "valid again" in restored.stdout
        assert MISSING not in bigmind("status").stdout
        assert FACT["fact"] in bigmind("memory", "list-facts").stdout
    with serving(home) as terminal:
        assert MISSING not in terminal.said


def test_a_person_begins_anew_with_a_command(home: Path, bigmind: Bigmind) -> None:
    with serving(home):
        bigmind("memory", "store-fact", FACT["category"], FACT["fact"])
        bigmind("backup", "create")
    store_file(home).write_bytes(b"")
    with serving(home) as terminal:
        assert MISSING in terminal.said
        assert "A new memory is begun" in bigmind("backup", "start-empty").stdout
        assert bigmind("memory", "store-fact", "decision", "The wick is new.").returncode == 0
    with serving(home) as terminal:
        assert MISSING not in terminal.said
