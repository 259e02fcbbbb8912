"""A restore leaves what persons said as it is now, brings back no confirmation, and stands in the ledger."""

import json
from pathlib import Path

import pytest

from tests.memory.living import living
from tests.work.office import Office
from tests.work.test_verification import SLUG, changed, told

ROLES = "SELECT agent, roles FROM agent_work_roles ORDER BY agent"
PROCESSES = "SELECT name, version FROM work_process"


def newest(office: Office) -> tuple[int, str, dict[str, object]]:
    [(number, digest, body)] = office.rows("SELECT number, digest, body FROM work_ledger ORDER BY number DESC LIMIT 1")
    return number, digest, json.loads(body)


def said(office: Office, agent: str, version: int) -> None:
    """What a person said of an agent and a process."""
    office.run(
        "INSERT INTO agent_work_roles VALUES (1, :agent, '[\"dev\"]')",
        "INSERT INTO work_process (name, version, digest, text, taken_at, user_id) "
        "VALUES ('content', :version, 'x', 'y', '2026-03-01 12:00:00.000000', 1)",
        agent=agent,
        version=version,
    )


def test_it_is_in_the_ledger_with_the_head_that_stood_before(office: Office):
    slug = office.task()
    backup = office.person("backup_create").name
    office.agent().claim(slug)
    number, digest, _ = newest(office)
    office.forward(minutes=1)
    office.person("backup_restore", backup=backup)
    row = newest(office)
    assert (row[0], row[2]["kind"], row[2]["item"]) == (2, "restored", "")
    assert row[2]["stood"] == {"number": number, "digest": digest}
    assert (row[2]["surface"], row[2]["operation"]) == ("window", "backup_restore")
    assert office.rows("SELECT name, text FROM work_ledger_text WHERE number = 2") == [("backup", backup)]
    assert told(office) == []
    assert office.state(slug) == "pending"
    office.agent().claim(slug)
    assert told(office) == []


def test_backups_of_what_was_put_aside_are_no_fault_and_others_are(office: Office):
    office.task()
    first = office.person("backup_create").name
    office.task("Another one about walruses")
    office.person("backup_create")
    office.forward(minutes=1)
    office.person("backup_restore", backup=first)
    assert told(office) == []
    office.task("A third one about seals")
    office.forward(minutes=1)
    office.person("backup_create")
    assert told(office) == []
    assert (
        changed(
            office,
            lambda raw: (
                raw("DELETE FROM work_ledger WHERE number = 3"),
                raw("DELETE FROM work_ledger_text WHERE number = 3"),
            ),
        )
        != []
    )


def test_a_store_without_work_has_no_row_of_it(office: Office):
    backup = office.person("backup_create").name
    office.forward(minutes=1)
    office.person("backup_restore", backup=backup)
    assert office.rows("SELECT * FROM work_ledger") == []


def test_confirmations_are_taken_back(office: Office):
    slug = office.task()
    insert = (
        "INSERT INTO work_confirmation (item_id, user_id, revision, at, place, note, ledger_number) "
        "VALUES (1, 1, 1, '2026-03-01 12:00:00.000000', 'window', '', 1)"
    )
    office.run(insert)
    backup = office.person("backup_create").name
    office.forward(minutes=1)
    office.person("backup_restore", backup=backup)
    assert office.rows("SELECT count(*) FROM work_confirmation WHERE withdrawn_at IS NULL") == [(0,)]
    assert office.state(slug) == "pending"


def test_roles_and_processes_stay_as_they_are_now(office: Office):
    said(office, "cursor", 1)
    backup = office.person("backup_create").name
    office.run("DELETE FROM agent_work_roles", "DELETE FROM work_process")
    said(office, "codex", 2)
    office.forward(minutes=1)
    office.person("backup_restore", backup=backup)
    assert office.rows(ROLES) == [("codex", '["dev"]')]
    assert office.rows(PROCESSES) == [("content", 2)]


def test_what_was_forgotten_since_stays_so_and_the_ledger_says_so(office: Office):
    slug = office.task()
    other = office.task("Another one about walruses")
    backup = office.person("backup_create").name
    office.forward(minutes=1)
    uid = office.item(slug).uid
    office.person("memory_forget", id=uid, confirm=True)
    office.person("backup_restore", backup=backup)
    assert office.rows("SELECT slug FROM work_item") == [(other,)]
    assert newest(office)[2]["forgotten"] == [uid]
    assert told(office) == []


def test_what_a_gate_rested_on_stays_used_when_it_was_forgotten(office: Office):
    agent, slug = office.agent(), office.task()
    agent.claim(slug)
    thought = agent.learn()
    agent.moves(slug, "review")
    backup = office.person("backup_create").name
    office.forward(minutes=1)
    office.person("memory_forget", id=thought, confirm=True)
    office.person("backup_restore", backup=backup)
    assert (thought,) in office.rows("SELECT uid FROM work_evidence")
    assert told(office) == []
    assert slug == SLUG


@pytest.mark.parametrize("is_forgotten_after", [True, False])
def test_a_backup_without_what_was_forgotten_agrees_elsewhere_too(
    office: Office, tmp_path: Path, is_forgotten_after: bool
):
    """Forgotten after the backup was taken, its rows were scrubbed out of it; forgotten before, it never had them."""
    slug, other = office.task(), office.task("Another one about walruses")
    backup = office.person("backup_create").name if is_forgotten_after else ""
    office.forward(minutes=1)
    answer = office.person("memory_forget", id=office.item(slug).uid, confirm=True)
    assert answer.backups_cleaned == [backup] * is_forgotten_after
    backup = backup or office.person("backup_create").name
    with living(tmp_path / "elsewhere") as memory:
        elsewhere = Office(memory)
        elsewhere.person("backup_restore", backup=str(office.memory.mind.store.safekeeping.folder / backup))
        assert elsewhere.rows("SELECT slug FROM work_item") == [(other,)]
        assert told(elsewhere) == []
        again = elsewhere.person("backup_create").name
        elsewhere.forward(minutes=1)
        elsewhere.person("backup_restore", backup=again)
        assert told(elsewhere) == []


def test_a_second_restore_puts_aside_no_less_than_the_first_did(office: Office):
    """The copies of both times stand beside it: the longer chain of the first, and the shorter one of the second."""
    slug = office.task()
    backup = office.person("backup_create").name
    office.agent().claim(slug)
    for number in range(3):
        office.task(f"Another one about walruses {number}")
    for _ in range(3):
        office.forward(minutes=1)
        office.person("backup_restore", backup=backup)
        assert told(office) == []
    stood = newest(office)[2]
    assert (stood["stood"]["number"], stood["up_to"]) == (2, 5)
    office.forward(minutes=1)
    office.task("One more about seals")
    office.person("backup_create")
    rows = ("work_ledger", "work_ledger_text")
    assert changed(office, lambda raw: [raw(f"DELETE FROM {each} WHERE number = 3") for each in rows]) != []
