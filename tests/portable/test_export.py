"""An export is whole, private, valid against its published schema, ordered, and written over nothing."""

import errno
import json
import os
import stat
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode, Role
from bigmind.portable.exporter import Exporter
from bigmind.portable.format.document import export_schema
from bigmind.portable.format.kind_records import sections_of
from bigmind.portable.transfer_paths import new_file
from bigmind.registry import KINDS
from tests.memory.living import Memory
from tests.portable.files import contents, exported, in_person
from tests.support import DOCUMENTS

ASSETS = Path(__file__).parents[2] / "assets"
OWN_SECTIONS = [name for name in sections_of(KINDS) if name != "users"]


def test_the_published_schema_is_that_of_the_records():
    published = json.loads((ASSETS / "export.schema.json").read_text(encoding="utf-8"))
    assert published == export_schema(KINDS), "run packaging/export_schema.py"
    Draft202012Validator.check_schema(published)


def test_an_export_is_valid_against_its_schema(small_export: Path):
    document = json.loads(small_export.read_text(encoding="utf-8"))
    validator = Draft202012Validator(export_schema(KINDS), format_checker=Draft202012Validator.FORMAT_CHECKER)
    assert list(validator.iter_errors(document)) == []
    assert [name for name in document if name != "header"] == OWN_SECTIONS
    assert [name for name in OWN_SECTIONS if not document[name]] == [
        *("questions", "work_items", "work_ledger", "protocol_runs"),
    ]
    for spoil in (
        lambda d: d["facts"][0].pop("id"),
        lambda d: d["chunks"][0].update(seq="1"),
        lambda d: d.pop("header"),
    ):
        spoiled = json.loads(json.dumps(document))
        spoil(spoiled)
        assert list(validator.iter_errors(spoiled))


def test_an_empty_memory_has_an_export(ada: Memory, tmp_path: Path):
    document = exported(ada, tmp_path / "empty.json")
    assert document.pop("header")["format"] == "bigmind-export"
    assert document == {name: [] for name in OWN_SECTIONS}


def test_one_record_a_line_in_the_order_of_times_and_ids(small_export: Path):
    document = json.loads(small_export.read_text(encoding="utf-8"))
    lines = small_export.read_text(encoding="utf-8").splitlines()
    records = [json.loads(line.rstrip(",")) for line in lines if line.startswith("{") and len(line) > 1]
    assert records == [record for name in OWN_SECTIONS for record in document[name]]
    for name, time in (("sessions", "started_at"), ("chunks", "created_at"), ("facts", "created_at")):
        places = [(record[time], record["id"]) for record in document[name]]
        assert places == sorted(places)
        assert len({time for time, _ in places}) < len(places), "some share a moment, so ids must decide"


def test_two_exports_of_one_memory_differ_in_the_header_alone(filled: Memory, tmp_path: Path):
    exported(filled, tmp_path / "one.json")
    filled.clock.forward(hours=1)
    exported(filled, tmp_path / "two.json")
    assert contents(tmp_path / "one.json") == contents(tmp_path / "two.json")
    assert (tmp_path / "one.json").read_bytes() != (tmp_path / "two.json").read_bytes()


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_the_file_is_private_and_stands_alone(filled: Memory, tmp_path: Path):
    folder = tmp_path / "out"
    folder.mkdir()
    before = os.umask(0)
    try:
        answer = filled("memory_export", output_path=str(folder / "a.json"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "a.json").stat().st_mode) == 0o600
    assert [each.name for each in folder.iterdir()] == ["a.json"]
    assert answer.bytes == (folder / "a.json").stat().st_size
    assert answer.records["sessions"] == 12


@pytest.mark.parametrize("has_documents", [True, False])
def test_without_a_path_it_goes_to_the_documents_or_the_home_folder(
    filled: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, has_documents: bool
):
    person = tmp_path / "person"
    documents = person / "Documents"
    (documents if has_documents else person).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(person))
    monkeypatch.setenv("USERPROFILE", str(person))
    monkeypatch.setenv("XDG_DOCUMENTS_DIR", str(documents))
    monkeypatch.setenv(DOCUMENTS, str(documents))
    expected = (documents if has_documents else person) / "bigmind_export_20260301_120000.json"
    assert filled("memory_export").path == str(expected)
    assert filled.refuses("memory_export").code is Code.CONFLICT
    agent = replace(filled, caller=replace(filled.caller, is_person=False))
    filled.clock.forward(seconds=1)
    assert agent("memory_export").path.endswith("_120001.json")


def _write(place: Path, failure: Exception | None = None, theirs: bytes | None = None) -> None:
    with new_file(place) as file:
        file.write(b"half")
        if theirs is not None:
            place.write_bytes(theirs)
        if failure is not None:
            raise failure


def test_what_fails_half_way_leaves_nothing(tmp_path: Path):
    with pytest.raises(RuntimeError):
        _write(tmp_path / "half.json", RuntimeError())
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_and_leaves_nothing(tmp_path: Path):
    with pytest.raises(BigMindError, match="The disk is full") as refusal:
        _write(tmp_path / "a.json", OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)))
    assert refusal.value.code is Code.STORAGE_FULL
    assert list(tmp_path.iterdir()) == []


def test_what_came_to_stand_there_meanwhile_is_kept(tmp_path: Path):
    with pytest.raises(BigMindError, match="already") as refusal:
        _write(tmp_path / "a.json", theirs=b"theirs")
    assert refusal.value.code is Code.CONFLICT
    assert [(each.name, each.read_bytes()) for each in tmp_path.iterdir()] == [("a.json", b"theirs")]


def test_others_see_nothing_of_it(filled: Memory, tmp_path: Path):
    document = exported(filled.of("bob"), tmp_path / "bob.json")
    assert document["header"]
    assert {name: len(document[name]) for name in OWN_SECTIONS if document[name]} == {"knowledge": 3}
    assert {entry["status"] for entry in document["knowledge"]} == {"approved"}, "in personal mode too"


def test_an_entry_of_others_names_no_session_of_theirs(filled: Memory, tmp_path: Path):
    own = [each for each in exported(filled, tmp_path / "ada.json")["knowledge"] if each["status"] == "approved"]
    others = exported(filled.of("bob"), tmp_path / "bob.json")["knowledge"]
    assert any(entry["session"] for entry in own)
    assert [entry["session"] for entry in others] == [None] * len(own)


def test_in_a_team_an_admin_in_person_exports_everybody_and_leaves_a_trace(filled: Memory, tmp_path: Path):
    filled.of("bob")("memory_store_fact", category="decision", fact="Bob's own")
    filled.mind.store.mode = Mode.TEAM
    document = exported(filled, tmp_path / "all.json")
    assert [user["username"] for user in document["users"]] == ["bob"]
    assert [fact["text"] for fact in document["facts"] if fact.get("user") == document["users"][0]["id"]] == [
        "Bob's own"
    ]
    validator = Draft202012Validator(export_schema(KINDS))
    assert list(validator.iter_errors(document)) == []
    with filled.mind.store.read(filled.caller, "test") as work:
        traces = work.session.connection().exec_driver_sql("SELECT operation FROM change WHERE action = 'exported'")
        assert traces.scalars().all() == ["memory_export"]


@pytest.mark.parametrize(("role", "is_person"), [(Role.ADMIN, False), (Role.CURATOR, True), (Role.MEMBER, True)])
def test_in_a_team_nobody_else_exports_what_is_not_theirs(filled: Memory, tmp_path: Path, role: Role, is_person: bool):
    filled.of("bob")("memory_store_fact", category="decision", fact="Bob's own")
    filled.mind.store.mode = Mode.TEAM
    caller = replace(filled.caller, role=role, is_person=is_person)
    with filled.mind.store.read(caller, "test") as work:
        exporter = Exporter(work)
        assert not exporter.has_others
        with (tmp_path / "own.json").open("wb") as file:
            exporter.write(file)
    assert b"Bob's own" not in (tmp_path / "own.json").read_bytes()


def test_in_a_team_a_member_gets_the_approved_entries_and_their_own(filled: Memory, tmp_path: Path):
    filled.mind.store.mode = Mode.TEAM
    bob = in_person(filled.of("bob"))
    promoted = bob("memory_promote_to_global", category="pattern", title="Bob's", content="It waits.")
    document = exported(bob, tmp_path / "bob.json")
    waiting = [entry["id"] for entry in document["knowledge"] if entry["status"] != "approved"]
    assert waiting == [promoted.entry.entry_id]
    assert sum(entry["status"] == "approved" for entry in document["knowledge"]) == 3
