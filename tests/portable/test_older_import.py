"""A file of the older BigMind is imported like an export: with a dry run, once, and with every row accounted for."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tests.memory.living import Memory
from tests.portable.files import everything, exported
from tests.portable.older_files import BOB, FIRST, GONE, older_file
from tests.thorough import crossed, spread


@pytest.mark.parametrize(("version", "is_person"), crossed([1, 2, 3], [True, False]))
def test_each_version_is_imported_once(ada: Memory, tmp_path: Path, version: int, is_person: bool):
    path = older_file(tmp_path / "memory.db", version)
    importer = replace(ada, caller=replace(ada.caller, is_person=is_person))
    before = everything(ada.mind.store)
    dry = importer("memory_import", path=str(path), dry_run=True)
    assert everything(ada.mind.store) == before
    done = importer("memory_import", path=str(path))
    assert dry.sections == done.sections
    new = {each.section: each.new for each in done.sections}
    hypotheses = {"hypotheses": 2} if version == 3 else {}
    assert new == {"profiles": 1, "sessions": 4, "chunks": 6, "facts": 3, **hypotheses, "knowledge": 3}
    assert [line.split(":")[0] for line in done.not_taken] == ["conversation_chunks 6", "facts 4"]
    assert done.not_taken[0] in done.as_text()
    document = exported(ada, tmp_path / "now.json")
    assert {name: len(document[name]) for name in new} == new
    before = everything(ada.mind.store)
    assert not importer("memory_import", path=str(path)).changed
    assert everything(ada.mind.store) == before
    assert ada.mind.store.integrity() == []


@pytest.mark.parametrize("is_person", [True, False])
def test_other_users_of_the_file_come_with_an_admin_in_person(ada: Memory, tmp_path: Path, is_person: bool):
    bob = f"INSERT INTO users VALUES ('{BOB}', 'bob', NULL, 'curator', '2025-01-01 00:00:00', NULL);"
    bob += "UPDATE users SET username = 'ada' WHERE username = 'ada.old';"
    bob += f"INSERT INTO facts(user_id, category, fact) VALUES ('{BOB}', 'identity', 'Is Bob.')"
    path = older_file(tmp_path / "memory.db", 3, more=bob)
    importer = replace(ada, caller=replace(ada.caller, is_person=is_person))
    done = importer("memory_import", path=str(path))
    left = {each.section: each.left_out for each in done.sections if each.left_out}
    assert left == ({} if is_person else {"users": 1, "facts": 1})
    listed = ada.of("bob")("memory_list_facts").facts
    assert [row.fact for row in listed] == (["Is Bob."] if is_person else [])


OUT_OF_BOUNDS: dict[str, tuple[str, object, str]] = {
    "a long reason": ("UPDATE conversation_chunks SET flag_reason = ?", "x" * 100_001, "conversation_chunks 1"),
    "many pinned facts": ("UPDATE identity_profile SET pinned_facts = ?", "- a\n" * 1_001, "identity_profile p1"),
    "a long pinned fact": ("UPDATE identity_profile SET pinned_facts = ?", "- " + "x" * 100_001, ""),
    "a long role": ("UPDATE identity_profile SET role = ?", "x" * 100_001, "identity_profile p1"),
    "a high number": ("UPDATE conversation_chunks SET seq = ?", 2**31, ""),
    "the highest number": ("UPDATE conversation_chunks SET seq = ?", 2**63 - 1, ""),
    "a user without a name": ("INSERT INTO users(id, username) VALUES ('q', ?)", " ", ""),
    "a long key fact": ("UPDATE session_summaries SET key_facts = ?", "- " + "x" * 100_001, ""),
    "many key facts": ("UPDATE session_summaries SET key_facts = ?", "- a\n" * 1_001, f"session_summaries {FIRST}"),
    "a long headline": ("UPDATE sessions SET one_liner = ?", "x" * 100_001, f"sessions {FIRST}"),
    "a long fact": ("UPDATE facts SET fact = ?", "x" * 100_001, "facts 1"),
}


@pytest.mark.parametrize("name", spread(OUT_OF_BOUNDS, 3))
def test_a_value_out_of_bounds_keeps_nothing_else_out(ada: Memory, tmp_path: Path, name: str):
    statement, value, said = OUT_OF_BOUNDS[name]
    path = older_file(tmp_path / "memory.db", 3, more="UPDATE users SET username = 'ada'")
    connection = sqlite3.connect(path)
    connection.execute(statement, (value,))
    connection.commit()
    connection.close()
    done = ada("memory_import", path=str(path))
    new = {each.section: each.new for each in done.sections}
    facts = 4 if name == "a long fact" else 3
    users = {"users": 1} if name == "a user without a name" else {}
    rows = {"profiles": 1, "sessions": 4, "chunks": 6, "facts": facts, "hypotheses": 2, "knowledge": 3}
    assert new == users | rows
    assert any(line.startswith(f"{said}: only the first") for line in done.not_taken) == bool(said)
    assert not ada("memory_import", path=str(path)).changed


@pytest.mark.parametrize("is_person", [True, False])
def test_what_names_a_session_of_somebody_else_comes_without_it(ada: Memory, tmp_path: Path, is_person: bool):
    """The sessions are another user's; so knowledge has none, and a moment gets one that stands for it."""
    bob = f"INSERT INTO users VALUES ('{BOB}', 'ada', NULL, 'member', '2025-01-01 00:00:00', NULL);"
    for session in (FIRST, GONE):
        bob += "INSERT INTO conversation_chunks(session_id, user_id, role, content, seq)"
        bob += f" VALUES ('{session}', '{BOB}', 'user', 'Mine.', 1);"
    path = older_file(tmp_path / "memory.db", 3, more=bob)
    importer = replace(ada, caller=replace(ada.caller, is_person=is_person))
    done = importer("memory_import", path=str(path))
    new = {each.section: each.new for each in done.sections if each.new}
    others = {"users": 1, "profiles": 1, "sessions": 6, "chunks": 8, "facts": 3, "hypotheses": 2, "knowledge": 3}
    assert new == (others if is_person else {"sessions": 2, "chunks": 2, "knowledge": 3})
    assert not importer("memory_import", path=str(path)).changed
