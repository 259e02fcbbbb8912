"""Forgetting an item takes its words, secrets in them are masked, and the chain of the ledger stays whole."""

import json
import shutil
from pathlib import Path
from typing import Any

from sqlalchemy import text

from tests.memory.traces import patterns_of, traces
from tests.work.office import Office, office_in
from tests.work.test_verification import told

TITLE = "Teach the walrus to waltz"
SLUG = "waltzing-pinniped"
DESCRIPTION = "The lighthouse keeper Sigurd promised the harbour a callWaltzTeacher evening."
FIELD = "Accordion, balalaika and castanets were borrowed from Thessaloniki."
REASON = "Zebrafish came instead."
SECRET = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


def filled(office: Office) -> str:
    """An item with words everywhere; its id."""
    slug = office.task(TITLE, slug=SLUG, description=DESCRIPTION, topic="pinnipeds/dance", dna={"plan": FIELD})
    agent = office.agent()
    agent("work_update_dna", slug=slug, fields={"plan": f"{FIELD} Twice."})
    agent.move(slug, "active", reason=REASON)
    uid = office.item(slug).uid
    office.run(
        "INSERT INTO work_confirmation (item_id, user_id, revision, at, place, note, ledger_number) "
        "VALUES (1, 1, 1, '2026-03-01 12:00:00.000000', 'window', :note, 1)",
        f"INSERT INTO work_foreign_ledger (store, number, item_uid, kind, body, before, digest, texts, fault) "
        f"VALUES ('s', 1, '{uid}', 'created', '{{}}', '', '', :note, 'x')",
        note="Sousaphone quite splendid.",
    )
    return uid


def test_its_words_vanish_and_the_chain_stays(office: Office):
    uid = filled(office)
    other = office.task("Round invoices", depends_on=[SLUG])
    backup = office.person("backup_create").name
    kept = office.rows("SELECT number, body, digest FROM work_ledger")
    office.forward(minutes=1)
    answer = office.person("memory_forget", id=uid, confirm=True)
    assert (answer.kind, answer.overwritten, answer.backups_cleaned) == ("work_item", True, [backup])
    home = office.memory.mind.store.home
    words = (TITLE, SLUG, DESCRIPTION, FIELD, REASON, "Sousaphone quite splendid.", "pinnipeds")
    assert traces(home, patterns_of(*words) - patterns_of("the and was were from one")) == {}
    assert office.rows("SELECT number, body, digest FROM work_ledger")[: len(kept)] == kept
    [(kind, item)] = office.rows("SELECT kind, item_uid FROM work_ledger ORDER BY number DESC LIMIT 1")
    assert (kind, item) == ("forgotten", uid)
    assert told(office) == []
    assert [each.slug for each in office.item(other).depends_on] == []
    assert office.rows("SELECT count(*) FROM work_field_value") == [(0,)]


def test_a_restore_of_a_file_that_still_holds_them_takes_them_again(office: Office, tmp_path: Path):
    uid = filled(office)
    backup = office.person("backup_create").name
    aside = tmp_path / backup
    shutil.copy(office.memory.mind.store.safekeeping.folder / backup, aside)
    office.run("DELETE FROM work_confirmation")
    office.forward(minutes=1)
    office.person("memory_forget", id=uid, confirm=True)
    office.person("backup_restore", backup=str(aside))
    assert office.rows("SELECT count(*) FROM work_item") == [(0,)]
    assert office.rows("SELECT DISTINCT text FROM work_ledger_text WHERE item_uid != ''") == [("",)]
    assert (
        traces(office.memory.mind.store.home, patterns_of(FIELD, DESCRIPTION) - patterns_of("and was were from")) == {}
    )
    assert told(office) == []


def test_a_member_forgets_no_item_of_somebody_else(office: Office):
    uid = filled(office)
    bob = office.agent(user="bob").memory.as_person()
    assert bob.refuses("memory_forget", id=uid, confirm=True).code == "not_found"


def test_secrets_in_fields_are_masked_at_the_door(office: Office):
    slug = office.task(dna={"key": SECRET, "more": {"password": "hunter2hunter2Xy"}, "all": [SECRET, 1, None]})
    [(dna,)] = office.rows("SELECT dna FROM work_item")
    read = json.loads(dna)
    assert read["more"] == {"password": "[masked: password]"}
    for table in ("work_item", "work_field_value", "work_ledger_text"):
        assert SECRET not in str(office.rows(f"SELECT * FROM {table}"))
    assert office.item(slug).dna["key"] == "[masked: GitHub token]"


def test_secrets_that_are_stored_are_found_and_masked_in_place(office: Office):
    slug = office.task(description="Plain.", dna={"plan": "plain"})
    office.agent().move(slug, "active", reason="plain reason")
    office.run(
        "UPDATE work_item SET dna = :dna, description = :words",
        "UPDATE work_field_value SET value = :value",
        dna=json.dumps({"plan": f'say "{SECRET}"', "password": "hunter2hunter2Xy"}),
        words=f"Use {SECRET} there.",
        value=json.dumps(f'say "{SECRET}"'),
    )
    reason = _with_secret(office)
    found = office.person("secrets_scan").items
    assert sorted((each.kind, each.field) for each in found) == [
        ("work_item", "description"),
        ("work_item", "dna"),
        ("work_item", f"ledger {reason}"),
        ("work_item", "value"),
    ]
    office.person("secrets_scan", mask=True)
    assert SECRET not in str([office.rows(f"SELECT * FROM {each}") for each in _TABLES])
    assert json.loads(office.rows("SELECT dna FROM work_item")[0][0])["plan"] == 'say "[masked: GitHub token]"'
    assert json.loads(office.rows("SELECT value FROM work_field_value")[0][0]) == 'say "[masked: GitHub token]"'
    assert told(office) == []
    assert office.rows("SELECT kind FROM work_ledger ORDER BY number DESC LIMIT 1") == [("masked",)]
    assert office.person("secrets_scan").items == []
    office.agent().claim(slug)
    assert told(office) == []


_TABLES = ("work_item", "work_item_fts", "work_field_value", "work_ledger_text")


def _with_secret(office: Office) -> int:
    """A row of the ledger whose words hold a secret that no rule knew when it was written; its number."""
    from bigmind.work.items import item_named  # noqa: PLC0415
    from bigmind.work.ledger.ledger_rows import Entry, append  # noqa: PLC0415

    caller: Any = office.memory.caller
    with office.memory.mind.store.write(caller, "test") as work:
        row = item_named(work, "round-refunds-to-the-cent")
        number = append(work, Entry("edited", row.uid, {}, {"reason": f"with {SECRET}"}), row)
        work.session.add(row)
        work.session.execute(text("UPDATE work_item SET ledger_number = :n"), {"n": number})
    return number


def test_secrets_in_the_words_of_another_stores_ledger_are_found_and_masked(office: Office, tmp_path: Path):
    """They were brought in before a rule knew them: what is masked proves nothing, and keeps no salt."""
    with office_in(tmp_path / "other") as other:
        other.task(TITLE, slug=SLUG, description="Plain.")
        other.person("memory_export", output_path=str(tmp_path / "other.json"))
    office.person("memory_import", path=str(tmp_path / "other.json"))
    [(uid, store, texts)] = office.rows("SELECT item_uid, store, texts FROM work_foreign_ledger")
    told_of = json.loads(texts) | {"reason": ["salt", f"with {SECRET}"]}
    office.run("UPDATE work_foreign_ledger SET texts = :texts", texts=json.dumps(told_of))
    [found] = office.person("secrets_scan").items
    assert (found.kind, found.id, found.field) == ("work_item", uid, f"ledger 1 of store {store[:8]}")
    assert SECRET in str(office.rows("SELECT texts FROM work_foreign_ledger"))
    office.person("secrets_scan", mask=True)
    [(left,)] = office.rows("SELECT texts FROM work_foreign_ledger")
    assert json.loads(left) == told_of | {"reason": ["", "with [masked: GitHub token]"]}
    assert office.person("secrets_scan").items == []
    assert told(office) == []


def test_another_users_scan_reads_no_words_of_somebody_elses_items(office: Office, tmp_path: Path):
    with office_in(tmp_path / "other") as other:
        other.task(TITLE, slug=SLUG, description="Plain.")
        other.person("memory_export", output_path=str(tmp_path / "other.json"))
    office.person("memory_import", path=str(tmp_path / "other.json"))
    office.run("UPDATE work_foreign_ledger SET texts = :texts", texts=json.dumps({"title": ["salt", SECRET]}))
    bob = office.agent(user="bob").memory.as_person()
    assert bob("secrets_scan", mask=True).items == []
    assert SECRET in str(office.rows("SELECT texts FROM work_foreign_ledger"))
