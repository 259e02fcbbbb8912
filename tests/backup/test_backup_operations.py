"""Backups over the API and the command line, with a real server; and who may not."""

import os
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.backup.files import backups_in
from bigmind.core.errors import Code
from bigmind.core.operation import Role
from tests.backup.keeping import backup, facts, folder_of
from tests.memory.living import Memory
from tests.nursery import Done
from tests.privacy import is_alone
from tests.support import Server, completed, running_server

OPERATIONS = {
    "backup_create": {},
    "backup_list": {},
    "backup_restore": {"backup": "bigmind-20260301-120000-manual.db"},
    "backup_encrypt": {},
    "backup_stop_encrypting": {},
}


def bigmind(home: Path, *arguments: str) -> Done:
    return completed(home, *arguments, COLUMNS="200")


def said_facts(server: Server) -> list[str]:
    return [each["fact"] for each in server.call("memory_list_facts")["facts"]]


def test_the_command_line_makes_lists_restores_and_encrypts(server: Server) -> None:
    home = server.home
    server.call("memory_store_fact", category="decision", fact="The first.")
    made = bigmind(home, "backup", "create")
    assert made.returncode == 0
    assert "verified by restoring it" in made.stdout
    server.call("memory_store_fact", category="preference", fact="Another thing entirely.")
    listed = bigmind(home, "backup", "list", "--verify")
    assert "manual.db" in listed.stdout
    assert "verified" in listed.stdout
    assert "Do not rely" not in listed.stdout
    [kept] = backups_in(home / "backups")
    restored = bigmind(home, "backup", "restore", kept.path.name, "--yes")
    assert restored.returncode == 0, restored.stderr
    assert "before-restore" in restored.stdout
    assert said_facts(server) == ["The first."]  # with the same token as before
    key = bigmind(home, "backup", "encrypt")
    assert "AGE-SECRET-KEY-1" in key.stdout
    assert "2 earlier backups" in key.stdout
    assert bigmind(home, "backup", "create").returncode == 0
    assert "encrypted, verified" in bigmind(home, "backup", "list").stdout
    again = bigmind(home, "backup", "encrypt")
    assert again.returncode == 1
    assert "new_key" in again.stderr
    assert bigmind(home, "backup", "stop-encrypting").returncode == 0
    assert bigmind(home, "backup", "restore", "nothing.db", "--yes").returncode == 1


def test_the_recovery_key_is_shown_once_and_kept_nowhere(server: Server) -> None:
    key = server.call("backup_encrypt")["recovery_key"]
    server.call("backup_create")
    assert server.stop() == 0
    for file in server.home.rglob("*"):
        if file.is_file():
            assert key.encode() not in file.read_bytes(), file
    assert is_alone(server.home / "backup.key")


def test_the_status_says_how_backups_are(server: Server) -> None:
    assert "none is verified yet" in bigmind(server.home, "status").stdout
    server.call("backup_create")
    assert "the last verified one is of" in bigmind(server.home, "status").stdout
    for each in (server.home / "backups").iterdir():
        each.unlink()
    (server.home / "backups").rmdir()
    (server.home / "backups").write_text("a file where the folder should be")
    with server.http() as http:
        assert http.post("/api/v1/backup_create", json={}).status_code == 503
    assert "FAILED" in server.call("server_status")["backups"]


def test_the_folder_is_a_setting(home: Path, tmp_path: Path) -> None:
    with running_server(home, BIGMIND_BACKUP_FOLDER=str(tmp_path / "drive")) as server:
        made = server.call("backup_create")
        assert Path(made["path"]).parent == tmp_path / "drive"
        assert Path(made["path"]).is_file()
        assert os.name == "nt" or is_alone(tmp_path / "drive")  # there it is as its disk has it (CHOSEN_FOLDER)


def test_a_server_with_a_schedule_ends_at_once(home: Path) -> None:
    with running_server(home, BIGMIND_BACKUP_HOURS="1") as server:
        assert server.stop() == 0


def test_requests_are_answered_while_a_backup_is_restored(server: Server) -> None:
    """Reads that run meanwhile see the old memory or the new one, and every write is answered."""
    server.call("memory_store_fact", category="decision", fact="The first.")
    name = server.call("backup_create")["name"]
    stop, answers, faults = threading.Event(), list[tuple[str, ...]](), list[BaseException]()

    def ask() -> None:
        try:
            while not stop.is_set():
                answers.append(tuple(said_facts(server)))
        except BaseException as fault:
            faults.append(fault)
            raise

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        for number in range(3):
            server.call("memory_store_fact", category=f"kind {number}", fact=f"A thing of number {number}.")
            server.call("backup_restore", backup=name)
    finally:
        stop.set()
        thread.join(60)
    assert not faults
    assert said_facts(server) == ["The first."]
    assert all("The first." in each for each in answers)
    assert answers


@pytest.mark.parametrize("operation", OPERATIONS)
def test_an_agent_and_a_member_may_not(memory: Memory, operation: str) -> None:
    backup(memory)
    before = sorted(each.name for each in folder_of(memory).iterdir())
    given = OPERATIONS[operation]
    agent = replace(memory, caller=replace(memory.caller, client="an-agent", is_person=False))
    assert agent.refuses(operation, **given).code is Code.FORBIDDEN
    member = memory.of("bob", Role.MEMBER)
    assert member.refuses(operation, **given).code is Code.FORBIDDEN
    assert memory.of("carol", Role.CURATOR).refuses(operation, **given).code is Code.FORBIDDEN
    assert sorted(each.name for each in folder_of(memory).iterdir()) == before
    assert facts(memory) == {"The lantern burns oil."}
