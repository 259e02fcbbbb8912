"""No variable of BigMind's is ignored in silence: what cannot be honored stops the start, with a word."""

import os
import stat
import subprocess
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode, Role
from bigmind.database_file import local_file, wanted_database
from bigmind.local.connection import ServerConnection
from bigmind.paths import run_file
from bigmind.people.service import NOBODY, ensure_user, person
from bigmind.settings.precedence import read_settings
from bigmind.settings.rows import ROWS
from bigmind.settings.variables import check_variables
from bigmind.store.ownership import Ownership
from bigmind.store.sqlite.driver import sound_driver
from bigmind.wiring import open_mind
from tests.hooks.running import hook_command
from tests.local.wire import bridge
from tests.memory.living import Clock, Memory
from tests.memory.traces import traces
from tests.support import Server, completed, environment, running_server

INITIALIZE = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "vim", "version": "1"}}


@pytest.mark.parametrize(
    ("variable", "text", "words"),
    [
        ("BIGMIND_DB_URL", "postgresql://ada:hunter2@db/mind", "cannot use PostgreSQL yet"),
        ("BIGMIND_MODE", "enterprize", "must be personal or team"),
        ("BIGMIND_MODE", "Enterprise", "needs PostgreSQL"),
        ("BIGMIND_DB_PATH", "mind.db", "whole path of a file"),
        ("BIGMIND_DB_PATH", "/", "this is a folder"),
        ("BIGMIND_DB_PATH", "/nowhere/", "this is a folder"),
        ("BIGMIND_DB_PATH", "~nobody-has-this-name/x.db", "must be a path"),
        ("BIGMIND_POTR", "7701", "Did you mean BIGMIND_PORT?"),
        ("BIGMIND_DB_PTAH", "/x.db", "Did you mean BIGMIND_DB_PATH?"),
        ("BIGMIND_TOOLSET", "all", "Did you mean BIGMIND_TOOLSETS?"),
    ],
)
def test_what_cannot_be_honored_stops_the_start(tmp_path: Path, variable: str, text: str, words: str) -> None:
    given = {"BIGMIND_HOME": str(tmp_path / "home"), variable: text}
    for refusing in (read_settings, check_variables):
        with pytest.raises(BigMindError, match=variable) as refusal:
            refusing(given)
        assert refusal.value.code is Code.INVALID_INPUT
        assert words in str(refusal.value)
        assert "hunter2" not in str(refusal.value)
    assert not (tmp_path / "home").exists()


def test_a_mode_that_is_not_there_yet_is_refused_in_the_file_too(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('mode = "enterprise"\n')
    with pytest.raises(BigMindError, match=r"settings\.toml, line 1.*\n.*PostgreSQL"):
        read_settings({"BIGMIND_HOME": str(tmp_path)})


def test_a_network_folder_is_refused_with_what_would_be_right(tmp_path: Path) -> None:
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "share")

    def network(path: Path) -> str:
        return "nfs4" if path.is_relative_to(tmp_path / "share") else ""

    assert wanted_database("BIGMIND_DB_PATH", str(tmp_path / "x.db"), network) == tmp_path / "x.db"
    for refusing in (
        lambda: wanted_database("BIGMIND_DB_PATH", str(link / "x.db"), network),
        lambda: local_file("BIGMIND_DB_PATH", tmp_path / "share" / "x.db", network),
    ):
        with pytest.raises(BigMindError, match=r"BIGMIND_DB_PATH is .*share.*\(nfs4\)") as refusal:
            refusing()
        assert "local disk" in refusal.value.hint


def test_a_variable_of_somebodys_own_is_named_and_stops_nothing(tmp_path: Path) -> None:
    given = {"BIGMIND_HOME": str(tmp_path), "BIGMIND_TOKEN": "x", "BIGMIND_EMPTY": "", "BIGMIND_PORT": "7701"}
    assert check_variables(given) == ["BIGMIND_TOKEN"]
    assert read_settings(given).mode is Mode.PERSONAL


def test_no_two_names_are_so_alike_that_one_is_taken_for_the_other() -> None:
    for row in ROWS:
        if row.variable:
            with pytest.raises(BigMindError, match=f"Did you mean {row.variable}"):
                check_variables({f"{row.variable}S": "x"})


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Path]]:
    """Bob's server, a member of the store, whose database is a file in a folder of other things."""
    folder = tmp_path_factory.mktemp("elsewhere")
    home, database = folder / "home", folder / "disk" / "mind.db"
    database.parent.mkdir(0o755)
    with closing(open_mind(home, "ada", file=database)) as mind, mind.store.write(NOBODY, "test") as work:
        assert ensure_user(work, "bob").role is Role.MEMBER
    own = {"BIGMIND_DB_PATH": str(database), "BIGMIND_USER": "bob", "BIGMIND_TOKEN": "x"}
    with running_server(home, **own) as server:
        yield server, database


def test_the_memory_is_in_the_file_that_was_named(elsewhere: tuple[Server, Path]) -> None:
    server, database = elsewhere
    server.call("memory_store_fact", category="decision", fact="Brass, not tin")
    assert not list(server.home.glob("*.db*"))
    assert stat.S_IMODE(database.parent.stat().st_mode) == 0o755  # others' things may be in there
    files = {each.name: stat.S_IMODE(each.stat().st_mode) for each in database.parent.iterdir()}
    assert files == dict.fromkeys(("mind.db", "mind.db-shm", "mind.db-wal", "mind.db.lock"), 0o600)
    with closing(sound_driver().connect(f"{database.as_uri()}?mode=ro", uri=True)) as connection:
        assert connection.execute("SELECT text FROM fact").fetchall() == [("Brass, not tin",)]
    fact = server.call("memory_list_facts")["facts"][0]["fact_id"]
    server.call("memory_forget", id=fact)
    assert traces(database.parent, {b"Brass, not tin"}) == {}
    finding = server.call("memory_health_check")["findings"]
    assert not [each for each in finding if each["severity"] == "problem"]


def test_it_is_backed_up_and_restored_like_any_other(home: Path, tmp_path: Path) -> None:
    database = tmp_path / "disk" / "mind.db"
    database.parent.mkdir()
    with closing(open_mind(home, "ada", file=database)) as mind:
        run = Memory(mind, Clock(datetime.now(UTC)), person(mind.store, "ada"))
        run("memory_store_fact", category="decision", fact="Brass, not tin")
        backup = run("backup_create")
        assert list((home / "backups").iterdir())
        run("memory_deprecate_fact", fact_id=run("memory_list_facts").facts[0].fact_id, reason="Tin after all")
        run("backup_restore", backup=backup.name)
        assert [each.fact for each in run("memory_list_facts").facts] == ["Brass, not tin"]
    with closing(open_mind(home, "ada", file=database)) as mind:
        assert mind.store.integrity() == []
    assert {each.name for each in database.parent.iterdir()} == {"mind.db", "mind.db.lock"}
    assert not list(home.glob("*.db*"))


def test_where_things_are_and_what_is_ignored_is_said(elsewhere: tuple[Server, Path]) -> None:
    server, database = elsewhere
    done = completed(server.home, "status", BIGMIND_USER="bob")
    assert done.returncode == 0
    assert f"Memory of bob: 0.5 MB in {database}" in done.stdout or f"MB in {database}" in done.stdout
    assert "Set, and ignored: BIGMIND_TOKEN in the environment" in done.stdout


def test_a_second_data_folder_cannot_open_the_same_file(elsewhere: tuple[Server, Path], tmp_path: Path) -> None:
    _, database = elsewhere
    done = completed(tmp_path / "second", "serve", BIGMIND_DB_PATH=str(database))
    assert done.returncode == 1
    assert f"The memory in {database} is already open" in done.stderr
    assert not run_file(tmp_path / "second").exists()


def test_a_folder_that_is_not_there_is_not_made_for_a_new_memory(home: Path, tmp_path: Path) -> None:
    database = tmp_path / "mistyped" / "deep" / "mind.db"
    with pytest.raises(BigMindError, match=f"there is no folder {database.parent}") as refusal:
        Ownership(home, "first", database)
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "BIGMIND_DB_PATH" in refusal.value.hint
    assert not (tmp_path / "mistyped").exists()
    Ownership(home, "second").release()


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="a folder in which nobody makes files")
def test_a_folder_that_takes_no_file_is_not_said_to_be_in_use(home: Path) -> None:
    with pytest.raises(BigMindError, match="No file can be made in the folder /proc:") as refusal:
        Ownership(home, "first", Path("/proc/mind.db"))
    assert refusal.value.code is Code.STORE_UNUSABLE


@pytest.mark.parametrize(("variable", "text"), [("BIGMIND_USER", "ada"), ("BIGMIND_DB_PATH", "/nowhere/other.db")])
def test_who_asks_for_another_memory_is_refused_and_served_none(
    elsewhere: tuple[Server, Path], variable: str, text: str
) -> None:
    server, database = elsewhere
    own = {"BIGMIND_USER": "bob", variable: text}
    has = "bob" if variable == "BIGMIND_USER" else str(database)
    words = f"{variable} asks for the memory of {text}; the BigMind that runs has that of {has}."
    for command in (("status",), ("memory", "list-facts"), ("open",), ("stop",), ("app",)):
        done = completed(server.home, *command, **own)
        assert (done.returncode, done.stdout) == (1, ""), command
        assert words in done.stderr
    with bridge(server.home, **own) as wire:
        assert words in wire.ask("initialize", **INITIALIZE)["error"]["message"]
        assert words in wire.ask("tools/call", name="memory_list_facts", arguments={})["error"]["message"]
    hook = subprocess.run(
        hook_command("session-start", "claude-code"),
        input=b'{"hook_event_name": "SessionStart", "source": "startup", "session_id": "c-1"}',
        env=environment(server.home, BIGMIND_HOOK_MILLISECONDS="20000", **own),
        capture_output=True,
        check=False,
    )
    assert (hook.returncode, hook.stdout, hook.stderr) == (0, b"", b"")
    assert server.process.poll() is None


def test_a_server_too_old_to_say_whose_memory_it_has_is_not_trusted(
    elsewhere: tuple[Server, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    server, _ = elsewhere
    said = run_file(server.home).read_text()
    monkeypatch.setenv("BIGMIND_USER", "bob")
    ServerConnection(server.home, "bridge").close()
    run_file(server.home).write_text(said.replace('"user": "bob"', '"user": ""'))
    try:
        with pytest.raises(BigMindError, match="too old to say"):
            ServerConnection(server.home, "bridge")
    finally:
        run_file(server.home).write_text(said)


def test_the_bridge_names_what_it_ignores_and_refuses_what_is_misspelt(elsewhere: tuple[Server, Path]) -> None:
    server, _ = elsewhere
    own = {"BIGMIND_USER": "bob"}
    told = completed(server.home, "mcp", **own, BIGMIND_TOKEN="x")
    assert (told.returncode, told.stdout) == (0, "")
    assert "no setting BIGMIND_TOKEN" in told.stderr
    refused = completed(server.home, "mcp", **own, BIGMIND_MEANIN="off")
    assert refused.returncode == 2
    assert "Did you mean BIGMIND_MEANING?" in refused.stderr


def test_an_older_memory_is_not_opened_but_said_how_to_take_over(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    with closing(sound_driver().connect(str(file))) as connection:
        for name in ("users", "identity_profile", "session_summaries", "conversation_chunks"):
            connection.execute(f"CREATE TABLE {name} (id INTEGER)")
    before = file.read_bytes()
    done = completed(home, "serve", BIGMIND_DB_PATH=str(file))
    assert done.returncode == 1
    assert "bigmind memory import" in done.stderr
    assert file.read_bytes() == before


def test_a_member_stops_the_server_that_runs_for_them(elsewhere: tuple[Server, Path]) -> None:
    server, _ = elsewhere
    done = completed(server.home, "stop", BIGMIND_USER="bob")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"process {server.process.pid}" in done.stdout
    assert not os.path.lexists(run_file(server.home))
