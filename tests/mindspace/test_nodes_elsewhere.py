"""What the rest of BigMind does with nodes: exports, backups, the scan for secrets, the chain."""

import json
from pathlib import Path

from tests.mindspace.grove import CODE, Grove, grove_in

KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"


def test_an_export_of_the_memory_brings_whole_nodes_in_person_and_none_else(grove: Grove, tmp_path: Path):
    node = grove.make("Round refunds to the cent")
    grove.complete(node)
    file = tmp_path / "all.json"
    grove.person("memory_export", output_path=str(file))
    assert [each["slug"] for each in json.loads(file.read_text())["work_items"]] == [node]
    with grove_in(tmp_path / "other") as other:
        answer = other.dev("memory_import", path=str(file))
        assert other.office.rows("SELECT count(*) FROM work_item") == [(0,)]
        assert any("mindspace export" in each for each in answer.notes)
        other.person("memory_import", path=str(file))
        assert other.state(node) == "complete"
        assert other.person("mindspace_export").text == grove.person("mindspace_export").text
    grove.person("memory_import", path=str(file))
    assert grove.state(node) == "complete"


def test_a_restore_brings_the_tree_back_whole(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.hand_over(node)
    before = grove.person("mindspace_export").text
    made = grove.person("backup_create").name
    grove.judge(node)
    grove.person("backup_restore", backup=made)
    assert grove.person("mindspace_export").text == before


def test_secrets_that_are_stored_already_are_found_and_masked_in_every_part(grove: Grove):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    grove.submit(node, CODE)
    parts = (
        ("work_node", "context"),
        ("work_node", "acceptance"),
        ("work_node_output", "note"),
        ("work_node_gate", "evidence"),
        ("work_item", "description"),
    )
    for table, column in parts:
        grove.office.run(f"UPDATE {table} SET {column} = :text", text=f"It is {KEY} here.")
    found = grove.person("secrets_scan", mask=True)
    assert found.total >= len(parts)
    for table, column in parts:
        [(told,)] = grove.office.rows(f"SELECT {column} FROM {table}")
        assert KEY not in told, (table, column)


def test_what_waits_for_a_node_that_is_forgotten_waits_again_or_goes_on(grove: Grove):
    node, other = grove.make("Round refunds to the cent"), grove.make("Plan the ledger")
    grove.complete(other)
    after = grove.make("Tell the customers of rounding", other)
    grove.claim(node)
    child = grove.make("Fix the clock of the tests", parent_id=node, by=grove.dev)
    assert (grove.state(after), grove.state(node)) == ("ready", "paused")
    for each in (other, child):
        uid = grove.office.rows("SELECT uid FROM work_item WHERE slug = :slug", slug=each)[0][0]
        grove.person("memory_forget", id=uid, kind="work_item")
    assert (grove.state(after), grove.state(node)) == ("pending", "active")
    assert grove.person("work_verify").faults == []


def test_deleting_and_importing_leave_a_ledger_that_holds(grove: Grove):
    root = grove.make("Refunds")
    grove.make("Round refunds to the cent", parent_id=root)
    exported = grove.person("mindspace_export").text
    grove.delete(root)
    assert grove.person("work_verify").as_text()
    grove.person("mindspace_import", text=exported)
    told = grove.person("work_verify")
    assert told.faults == [], told
    grove.office.run("UPDATE work_item SET state = 'complete' WHERE slug = :slug", slug=root)
    assert grove.person("work_verify").faults
