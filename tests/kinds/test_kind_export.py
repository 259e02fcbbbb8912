"""A declared kind goes out with an export and comes back, by the columns of its table alone."""

from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from bigmind.core.errors import BigMindError
from bigmind.core.ids import new_id
from bigmind.core.kind import Kinds
from bigmind.portable.format.document import export_schema
from bigmind.portable.format.kind_records import sections_of
from tests.kinds.note import NOTE, WITH_NOTES, Note, make_table
from tests.kinds.noting import INSTRUCTION, SECRET, WORDS, found, noted
from tests.memory.living import Memory, living
from tests.portable.files import contents, exported, written


def test_its_export_comes_back_word_for_word(memory: Memory, tmp_path: Path):
    noted(memory, WORDS)
    memory.clock.forward(minutes=1)
    flagged = noted(memory, INSTRUCTION)
    person = memory.as_person()
    person("memory_accept", id=flagged)
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    document = exported(memory, one)
    assert list(Draft202012Validator(export_schema(WITH_NOTES)).iter_errors(document)) == []
    with living(tmp_path / "other", is_copy=True) as new:
        clock = new.clock
    make_table(tmp_path / "other", clock)
    with living(tmp_path / "other", kinds=WITH_NOTES) as other:
        other.clock.forward(minutes=2)
        answer = other.as_person()("memory_import", path=str(one), mode="replace")
        assert [(each.section, each.new) for each in answer.sections] == [("notes", 2)]
        exported(other, two)
        assert contents(two) == contents(one)
        assert found(other, "walrus") == [("note", document["notes"][0]["id"], "note")]
        assert other.as_person()("memory_list_flagged").total == 0


def test_an_import_takes_the_newer_of_two_and_replaces_when_told(memory: Memory, tmp_path: Path):
    noted(memory, WORDS)
    person = memory.as_person()
    document = exported(memory, tmp_path / "one.json")
    document["notes"][0] |= {"text": "The walrus moved out", "updated_at": "2026-03-01T13:00:00Z"}
    changed = written(tmp_path / "changed.json", document)
    noted(memory, "Another one")
    for mode, counts in (("merge", (1, 0, 0)), ("merge", (0, 1, 0)), ("replace", (0, 0, 2))):
        (answer,) = person("memory_import", path=changed, mode=mode).sections
        assert (answer.newer, answer.unchanged, answer.removed) == counts
    assert [each["text"] for each in exported(memory, tmp_path / "two.json")["notes"]] == ["The walrus moved out"]


def test_what_an_agent_imports_of_it_waits_and_holds_no_secret(memory: Memory, tmp_path: Path):
    noted(memory, WORDS)
    document = exported(memory, tmp_path / "one.json")
    document["notes"][0] |= {"id": new_id(), "text": f"the token is {SECRET}", "accepted_at": "2026-03-01T12:00:00Z"}
    answer = memory("memory_import", path=written(tmp_path / "changed.json", document))
    assert (answer.waiting, sum(answer.secrets.values())) == (1, 1)
    (item,) = memory.as_person()("memory_list_flagged").items
    assert item.kind == "note"
    with memory.mind.store.read(memory.caller, "test") as work:
        row = work.session.get_one(Note, 2)
        assert SECRET not in row.text
        assert row.client == "import by tester/tester"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"text": None}, "notes[1].text"),
        ({"more": "x"}, "notes[1].more"),
        ({"created_at": "yesterday"}, "notes[1].created_at"),
        ({"updated_at": "2126-03-01T12:00:00Z"}, "notes[1].updated_at"),
    ],
)
def test_an_export_of_it_that_is_not_right_changes_nothing(
    change: dict[str, object], named: str, memory: Memory, tmp_path: Path
):
    noted(memory, WORDS)
    document = exported(memory, tmp_path / "one.json")
    document["notes"][0] |= change
    with pytest.raises(BigMindError) as told:
        memory.as_person()("memory_import", path=written(tmp_path / "bad.json", document), mode="replace")
    assert [each.field for each in told.value.problems] == [named]
    assert len(found(memory, "walrus")) == 1


def test_a_kind_that_its_columns_cannot_tell_needs_a_record_of_its_own():
    with pytest.raises(TypeError, match="needs a record of its own"):
        sections_of(Kinds(replace(NOTE, is_single=True)))
