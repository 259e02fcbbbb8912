"""A file of the older BigMind is imported like an export: with a dry run, once, and with every row accounted for."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.memory.living import Memory
from tests.portable.files import everything, exported
from tests.portable.older_files import BOB, older_file


@pytest.mark.parametrize("version", [1, 2, 3])
@pytest.mark.parametrize("is_person", [True, False])
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
