"""Forgetting for good: what goes, what stays, who may, and what cannot be brought back."""

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import get_args

import pytest
from sqlmodel import col, select

from bigmind.backup.files import backups_in
from bigmind.backup.service import backup_now
from bigmind.core.errors import Code
from bigmind.core.events import Change
from bigmind.core.operation import Role
from bigmind.maintenance import forgetting
from bigmind.maintenance.answers import CALLED, ForgottenItem
from bigmind.maintenance.forgetting import Forgettable
from bigmind.memory.tables import Chunk, Fact, FactEvent, Hypothesis, MemorySession, SessionSummary, SessionTopic
from bigmind.people.service import NOBODY
from bigmind.store import store
from bigmind.store.sqlite import scrub
from bigmind.store.tables import ChangeRow, Forgotten, Receipt, StoreProperty, addition_of, change_of
from tests.memory.living import Memory, living
from tests.memory.rows import START, fact, session
from tests.memory.traces import patterns_of, traces
from tests.store.past import first_store
from tests.store.using import raw_connection

SECRET = "Zwetschgenmus kraeuterbutter"


def rows(memory: Memory, table: type) -> list:
    with memory.mind.store.read(memory.caller, "test") as work:
        return list(work.session.exec(select(table)))


def ended_session(memory: Memory, moments: int = 2) -> str:
    uid = memory("memory_start_session", topics=["jam"]).session_id
    for number in range(moments):
        memory("memory_flag_important", content=f"moment {number}", flag_reason="r", session_id=uid)
    memory("memory_store_fact", category="decision", fact="Jam is made in autumn")
    memory("memory_add_hypothesis", hypothesis="I believe plums are ripe because it is October")
    memory("memory_end_session", one_liner="Jam", topics=["jam"], outcome="ok", summary="All of it", session_id=uid)
    return uid


def test_a_session_goes_with_its_moments_and_leaves_what_was_learned_in_it(person: Memory):
    uid = ended_session(person)
    answer = person("memory_forget", id=uid[:8], confirm=True)
    assert (answer.id, answer.kind, answer.moments) == (uid, "session", 2)
    assert (answer.facts_kept, answer.hypotheses_kept) == (1, 1)
    assert "2 moments" in answer.as_text()
    assert "1 fact and 1 hypothesis" in answer.as_text()
    assert [rows(person, table) for table in (MemorySession, SessionTopic, SessionSummary, Chunk)] == [[], [], [], []]
    [kept], [belief] = rows(person, Fact), rows(person, Hypothesis)
    assert (kept.session_id, belief.session_id) == (None, None)
    assert person("memory_list_facts").total == 1


def test_each_thing_leaves_a_tombstone_and_an_audit_row_without_content(person: Memory):
    uid = ended_session(person)
    told: list[Change] = []
    person.mind.store.events.subscribe(told.append)
    person("memory_forget", id=uid)
    stones = rows(person, Forgotten)
    assert sorted(each.kind for each in stones) == ["chunk", "chunk", "session"]
    assert uid in {each.uid for each in stones}
    [audit] = [each for each in rows(person, ChangeRow) if each.action == "forgotten"]
    assert (audit.kind, audit.entity, audit.operation) == ("session", uid, "memory_forget")
    assert [(each.kind, each.entity, each.action) for each in told] == [("session", uid, "forgotten")]
    assert rows(person, StoreProperty) != []
    assert "forgetting" not in {each.name for each in rows(person, StoreProperty)}


def test_a_fact_goes_with_its_history(person: Memory):
    uid = person("memory_store_fact", category="decision", fact="Brass").fact.fact_id
    person("memory_deprecate_fact", fact_id=uid, reason="steel now")
    assert rows(person, FactEvent)
    person("memory_forget", id=uid)
    assert (rows(person, Fact), rows(person, FactEvent)) == ([], [])
    assert person.refuses("memory_get_fact_history", fact_id=uid).code is Code.NOT_FOUND
    assert person.refuses("memory_forget", id=uid).code is Code.NOT_FOUND


def test_a_profile_is_forgotten_by_its_name_and_can_be_written_again(person: Memory, home: Path):
    assert person.refuses("memory_forget", id="profile").code is Code.NOT_FOUND
    person("memory_update_profile", role=SECRET, pinned_facts=["likes tea"])
    answer = person("memory_forget", id="profile")
    assert "the profile" in answer.as_text()
    assert person("memory_get_stats").profile is False
    assert traces(home, patterns_of(SECRET)) == {}
    person("memory_update_profile", role="Baker")
    person("memory_forget", id="Profile", kind="profile")
    assert person("memory_get_stats").forgotten == 2


def test_an_id_that_fits_two_kinds_is_told_apart_by_kind(person: Memory):
    person.insert(
        fact(START, "one", uid="aaaaaaaa-0000-4000-8000-000000000001"),
        session(START, uid="aaaaaaaa-0000-4000-8000-000000000002"),
    )
    error = person.refuses("memory_forget", id="aaaaaaaa")
    assert error.code is Code.AMBIGUOUS
    assert "000000000001 (a fact)" in error.hint
    assert "000000000002 (a session)" in error.hint
    assert person("memory_forget", id="aaaaaaaa", kind="fact").kind == "fact"
    assert person("memory_forget", id="aaaaaaaa").kind == "session"


@pytest.mark.parametrize(("reference", "kind"), [("profiles", None), ("zzzzzzzz", "fact"), ("12345678", "profile")])
def test_what_cannot_be_an_id_is_named(person: Memory, reference: str, kind: str | None):
    error = person.refuses("memory_forget", id=reference, **({"kind": kind} if kind else {}))
    assert error.code is Code.INVALID_INPUT
    assert error.problems[0].field == "id"


@pytest.mark.parametrize("reference", ["nosuch", "profil", "aaaaaaa"])
@pytest.mark.parametrize("operation", ["memory_forget", "memory_accept"])
def test_too_short_a_part_of_an_id_is_told_how_long_it_has_to_be(person: Memory, operation: str, reference: str):
    error = person.refuses(operation, id=reference)
    assert error.code is Code.INVALID_INPUT
    assert error.problems[0].expected.startswith("at least 8 characters")


def test_somebody_elses_thing_is_not_found_and_stays(person: Memory):
    uid = person("memory_store_fact", category="decision", fact="Brass").fact.fact_id
    bob = person.of("bob")
    assert bob.refuses("memory_forget", id=uid).code is Code.NOT_FOUND
    assert bob.refuses("memory_forget", id="profile").code is Code.NOT_FOUND
    assert len(rows(person, Fact)) == 1


def test_company_knowledge_is_forgotten_by_who_promoted_it_or_a_curator(person: Memory):
    ada, bob = person, replace(person.of("bob"))
    cleo = replace(person.of("cleo"), caller=replace(person.of("cleo").caller, role=Role.CURATOR))
    entries = [
        bob("memory_promote_to_global", category="decision", title=f"T{number}", content=f"C{number}").entry.entry_id
        for number in range(2)
    ]
    dan = person.of("dan")
    assert dan.refuses("memory_forget", id=entries[0]).code is Code.NOT_FOUND
    assert bob("memory_forget", id=entries[0]).kind == "knowledge"
    assert cleo("memory_forget", id=entries[1]).kind == "knowledge"
    assert ada("memory_list_global").entries == []


def test_much_at_once_needs_a_yes(person: Memory):
    uid = ended_session(person, moments=101)
    ended_session(person, moments=1)
    error = person.refuses("memory_forget", id=uid)
    assert error.code is Code.CONFLICT
    assert "102 of the" in error.message
    assert "confirm=true" in error.hint
    assert (len(rows(person, Chunk)), rows(person, Forgotten)) == (102, [])
    assert person("memory_forget", id=uid, confirm=True).moments == 101


def test_a_fifth_of_everything_is_much_but_a_few_things_never_are(person: Memory):
    few, many = ended_session(person, moments=9), ended_session(person, moments=10)
    assert person.refuses("memory_forget", id=many).code is Code.CONFLICT
    assert person("memory_forget", id=few).moments == 9


def test_answers_kept_for_retries_are_gone(person: Memory, home: Path):
    store_fact = person.mind.dispatcher.catalogue.get("memory_store_fact")
    assert store_fact is not None
    arguments = {"category": "decision", "fact": SECRET}
    said = person.mind.dispatcher.run(store_fact, person.caller, arguments, "once")
    assert SECRET in rows(person, Receipt)[0].answer
    person("memory_forget", id=said.fact.fact_id)
    assert rows(person, Receipt) == []
    assert traces(home, patterns_of(SECRET)) == {}


def test_a_reader_that_holds_the_log_is_waited_for_and_then_left_behind(
    person: Memory, home: Path, monkeypatch: pytest.MonkeyPatch
):
    for each in (store, scrub):
        monkeypatch.setattr(each, "LOG_TRIES", 2)  # a hundred are five seconds
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    with person.mind.store.read(NOBODY, "test") as work:
        work.session.exec(select(Fact)).all()
        answer = person("memory_forget", id=uid)
        assert not answer.overwritten
        assert "not all overwritten yet" in answer.as_text()
        assert "bigmind.db-wal" in traces(home, patterns_of(SECRET))
        assert "forgetting" in {each.name for each in rows(person, StoreProperty)}
    person("memory_store_fact", category="decision", fact="Something else")
    assert traces(home, patterns_of(SECRET)) == {}


def test_what_a_killed_process_left_is_finished_at_the_next_start(person: Memory, home: Path, tmp_path: Path):
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    person("backup_create")
    with person.mind.store.write(person.caller, "memory_forget") as work:
        forgetting._erase(work, forgetting._find(work, uid, None), confirm=False)
    left = tmp_path / "left"
    shutil.copytree(home, left)
    assert {"bigmind.db-wal", *(f"backups/{each.name}" for each in (left / "backups").glob("*.db"))} <= set(
        traces(left, patterns_of(SECRET))
    )
    with living(left) as again:
        assert traces(left, patterns_of(SECRET)) == {}
        assert "forgetting" not in {each.name for each in rows(again, StoreProperty)}


@pytest.mark.parametrize("noted", [change_of, addition_of])
def test_what_an_import_was_about_to_change_of_it_is_gone_too(person: Memory, home: Path, noted: Callable[[str], str]):
    uid = person("memory_store_fact", category="decision", fact="It was said otherwise.").fact.fact_id
    with person.mind.store.write(NOBODY, "test") as work:
        work.session.add(StoreProperty(name=noted(uid), value=json.dumps({"values": {"text": SECRET}})))
    name = person("backup_create").name
    assert f"backups/{name}" in traces(home, patterns_of(SECRET))
    answer = person("memory_forget", id=uid)
    assert answer.backups_cleaned == [name]
    assert answer.overwritten
    assert traces(home, patterns_of(SECRET)) == {}


def test_a_backup_that_a_program_has_open_is_cleaned_or_named_and_stays_verified(person: Memory, home: Path):
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    name = person("backup_create").name
    with (home / "backups" / name).open("rb"):
        answer = person("memory_forget", id=uid)
    is_replaced = os.name == "posix"  # on Windows no file that is open
    assert answer.backups_cleaned == ([name] if is_replaced else [])
    assert (f"{name}: another program has it open" in answer.as_text()) is not is_replaced
    [left] = backups_in(home / "backups")
    assert left.path.name == name
    assert left.problem == ""
    assert list((home / "backups").glob(".*")) == []


def test_a_restored_backup_does_not_bring_it_back(person: Memory, home: Path):
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    name = person("backup_create").name
    original = (home / "backups" / name).read_bytes()
    person("memory_forget", id=uid)
    (home / "elsewhere.db").write_bytes(original)
    person("backup_restore", backup=str(home / "elsewhere.db"))
    (home / "elsewhere.db").unlink()
    assert rows(person, Fact) == []
    assert traces(home, patterns_of(SECRET)) == {}


def test_backups_of_before_another_homes_memory_was_restored_are_cleaned_too(
    person: Memory, home: Path, tmp_path: Path
):
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    before = person("backup_create").name
    person("memory_export", output_path=str(tmp_path / "export.json"))
    with living(tmp_path / "other-home") as other:
        there = replace(other, caller=replace(other.caller, is_person=True))
        there("memory_import", path=str(tmp_path / "export.json"))
        theirs = tmp_path / "other-home" / "backups" / there("backup_create").name
        person("backup_restore", backup=str(theirs))
    assert [each.uid for each in rows(person, Fact)] == [uid]
    assert f"backups/{before}" in traces(home, patterns_of(SECRET))
    answer = person("memory_forget", id=uid)
    assert before in answer.backups_cleaned
    assert answer.backups_left == []
    assert traces(home, patterns_of(SECRET)) == {}


def test_a_backup_of_another_store_is_named_and_left_alone(person: Memory, home: Path, tmp_path: Path):
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    with living(tmp_path / "other-home") as other:
        other.mind.store.safekeeping.folder = home / "backups"
        theirs = backup_now(other.mind.store, "manual")
    content = (home / "backups" / theirs.name).read_bytes()
    [left] = person("memory_forget", id=uid).backups_left
    assert left.startswith(f"{theirs.name}: it is of another store")
    assert (home / "backups" / theirs.name).read_bytes() == content


def test_an_encrypted_backup_is_cleaned_with_this_machines_key(person: Memory, home: Path):
    person("backup_encrypt")
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    name = person("backup_create").name
    answer = person("memory_forget", id=uid)
    assert answer.backups_cleaned == [name]
    [backup] = backups_in(home / "backups")
    assert (backup.problem, backup.info and backup.info.encrypted) == ("", True)
    assert backup.info is not None
    assert backup.info.tables["fact"].rows == 0
    person("backup_restore", backup=name)
    assert rows(person, Fact) == []


def test_a_backup_that_cannot_be_cleaned_is_named(person: Memory, home: Path):
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    path = home / "backups" / person("backup_create").name
    damaged = bytearray(path.read_bytes())
    damaged[5_000] ^= 1
    path.write_bytes(damaged)
    answer = person("memory_forget", id=uid)
    assert answer.backups_cleaned == []
    [left] = answer.backups_left
    assert left.startswith(f"{path.name}: ")
    assert path.read_bytes() == damaged
    assert f"(a restore leaves it out): {path.name}" in answer.as_text()


def test_a_backup_of_the_first_schema_is_cleaned_too(home: Path):
    first_store(home)
    connection = raw_connection(home)
    connection.execute("UPDATE fact SET text = ? WHERE id = 1", (SECRET,))
    [uid] = connection.execute("SELECT uid FROM fact WHERE id = 1").fetchone()
    connection.close()
    with living(home) as memory:
        person = replace(memory, caller=replace(memory.caller, is_person=True))
        [before] = backups_in(home / "backups")
        assert before.info is not None
        assert before.info.schema_revision == "0001"
        answer = person("memory_forget", id=uid)
        assert answer.backups_cleaned == [before.path.name]
        assert traces(home, patterns_of(SECRET)) == {}
        [after] = backups_in(home / "backups")
        assert after.info is not None
        assert after.info.tables["fact"].rows == before.info.tables["fact"].rows - 1
        listed = person("backup_list", verify=True).backups
        assert [each.problem for each in listed] == [""]


def test_a_backup_that_never_held_it_is_left_alone(person: Memory, home: Path):
    before = person("backup_create").name
    content = (home / "backups" / before).read_bytes()
    person.clock.forward(minutes=1)
    uid = person("memory_store_fact", category="decision", fact=SECRET).fact.fact_id
    assert person("memory_forget", id=uid).backups_cleaned == []
    assert (home / "backups" / before).read_bytes() == content


def test_others_facts_and_sessions_are_untouched(person: Memory):
    bob = person.of("bob")
    ended_session(bob)
    uid = ended_session(person)
    person("memory_forget", id=uid, confirm=True)
    with person.mind.store.read(bob.caller, "test") as work:
        bobs = col(Chunk.user_id) == bob.caller.user_id
        assert len(work.session.exec(select(Chunk).where(bobs)).all()) == 2
    assert person.mind.store.integrity() == []


def test_whatever_is_forgotten_is_called_as_people_call_it() -> None:
    kinds = {*get_args(Forgettable)}
    assert kinds <= CALLED.keys()
    told = ForgottenItem(
        id="0123456789",
        kind="chunk",
        moments=0,
        facts_kept=0,
        hypotheses_kept=0,
        overwritten=True,
        backups_cleaned=[],
        backups_left=[],
    )
    assert told.as_text().startswith("- Removed for good: moment 01234567, ")
