"""What an import brings, keeps, replaces and refuses to bring."""

import codecs
import json
import uuid
from pathlib import Path
from typing import Any

import pytest

from bigmind.backup.files import backups_in
from bigmind.core.errors import Code
from bigmind.core.events import Action, Change, Kind
from bigmind.core.operation import Mode
from bigmind.people.tables import User
from bigmind.portable.verdicts import NUMEROUS
from bigmind.portable.writing.hidden_rows import KINDS as HIDDEN_KINDS
from bigmind.store.tables import Forgotten
from tests.memory.living import Memory, living
from tests.portable.files import (
    agent_of,
    changed,
    contents,
    counts,
    everything,
    exported,
    in_person,
    in_units,
    left_behind,
    whole,
)
from tests.portable.generator import fill

LATER = "2026-03-02T00:00:00Z"


def test_everything_comes_back_as_it_was(ada: Memory, small_export: Path, tmp_path: Path):
    answer = ada("memory_import", path=str(small_export))
    assert counts(answer, "new") == whole(small_export)
    exported(ada, tmp_path / "again.json")
    assert contents(tmp_path / "again.json") == contents(small_export)
    assert ada.mind.store.integrity() == []


def test_a_file_that_an_editor_of_windows_saved_is_the_same_export(ada: Memory, small_export: Path, tmp_path: Path):
    saved = tmp_path / "saved.json"
    saved.write_bytes(codecs.BOM_UTF8 + small_export.read_bytes().replace(b"\n", b"\r\n"))
    assert counts(ada("memory_import", path=str(saved)), "new") == whole(small_export)
    exported(ada, tmp_path / "again.json")
    assert contents(tmp_path / "again.json") == contents(small_export)
    saved.write_bytes(small_export.read_bytes().decode().encode("utf-16"))
    assert "is UTF-16; save it as UTF-8 first" in ada.refuses("memory_import", path=str(saved)).message


def test_an_import_of_the_same_again_changes_nothing(ada: Memory, small_export: Path):
    ada("memory_import", path=str(small_export))
    before, backups = everything(ada.mind.store), backups_in(ada.mind.store.safekeeping.folder)
    for dry_run in (True, False):
        answer = ada("memory_import", path=str(small_export), dry_run=dry_run)
        assert not answer.changed
        assert answer.backup is None
        assert counts(answer, "unchanged") == whole(small_export)
    assert everything(ada.mind.store) == before
    assert len(backups_in(ada.mind.store.safekeeping.folder)) == len(backups) == 1


def test_a_dry_run_says_what_the_import_then_does(ada: Memory, small_export: Path):
    before = everything(ada.mind.store)
    dry = ada("memory_import", path=str(small_export), dry_run=True)
    assert everything(ada.mind.store) == before
    assert left_behind(ada.mind.store.home) == []
    done = ada("memory_import", path=str(small_export))
    assert dry.sections == done.sections
    assert dry.changed
    assert (dry.backup, bool(done.backup)) == (None, True)
    assert "would change this" in dry.as_text()
    assert f"in the backup {done.backup}" in done.as_text()


def test_what_was_imported_is_found_by_search(ada: Memory, small_export: Path, tmp_path: Path):
    def rename(document: dict[str, Any]) -> None:
        document["chunks"][0]["content"] = "The parseHttpHeader function"

    ada("memory_import", path=changed(small_export, tmp_path / "new.json", rename))
    [uid] = [hit.chunk_id for hit in ada("memory_search_chunks", query="http").hits if "http" in hit.why]
    assert uid == json.loads(small_export.read_text(encoding="utf-8"))["chunks"][0]["id"]


def test_the_newer_wins_and_the_older_is_kept(ada: Memory, small_export: Path, tmp_path: Path):
    def rewrite(document: dict[str, Any]) -> None:
        document["profiles"][0] |= {"role": "Countess", "updated_at": LATER}
        for section, field in (
            ("sessions", "outcome"),
            ("facts", "text"),
            ("hypotheses", "text"),
            ("knowledge", "content"),
        ):
            document[section][0] |= {field: "written later", "updated_at": LATER}
        document["sessions"][0]["topics"] = ["later"]
        document["sessions"][0]["summary"] = None

    newer = changed(small_export, tmp_path / "newer.json", rewrite)
    every_kind = dict.fromkeys(("profiles", "sessions", "facts", "hypotheses", "knowledge"), 1)
    ada("memory_import", path=str(small_export))
    first = exported(ada, tmp_path / "before.json")["facts"][0]
    answer = ada("memory_import", path=newer)
    assert counts(answer, "newer") == every_kind
    assert counts(answer, "new") == {}
    exported(ada, tmp_path / "after.json")
    now, told = (json.loads(Path(path).read_text(encoding="utf-8")) for path in (tmp_path / "after.json", newer))
    *_, kept = now["facts"][0].pop("history")
    assert (kept["action"], kept["reason"]) == ("edited", f"fact was: {first['text']}")
    told["facts"][0].pop("history")
    assert now | {"header": None} == told | {"header": None}
    before = everything(ada.mind.store)
    answer = ada("memory_import", path=str(small_export))
    assert counts(answer, "older") == every_kind
    assert not answer.changed
    assert everything(ada.mind.store) == before
    assert ada.mind.store.integrity() == []


def test_the_history_of_a_fact_is_only_added_to(filled: Memory, small_export: Path, tmp_path: Path):
    event = {"at": LATER, "client": "other", "action": "contradicted", "other": None, "reason": "x", "confidence": 0.5}

    def rewrite(document: dict[str, Any]) -> None:
        document["facts"][0] |= {"history": [event], "updated_at": LATER}

    before = exported(filled, tmp_path / "before.json")["facts"][0]["history"]
    filled("memory_import", path=changed(small_export, tmp_path / "x.json", rewrite))
    after = exported(filled, tmp_path / "after.json")["facts"][0]["history"]
    assert after == [*before, event]


@pytest.mark.parametrize("way", ["at once", "in units"])
def test_what_a_fact_said_before_is_kept_in_its_history_once(
    ada: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: str
):
    if way == "in units":
        in_units(monkeypatch)
    fact = ada("memory_store_fact", category="decision", fact="The brass wheel stays").fact.fact_id
    exported(ada, tmp_path / "old.json")

    def rewrite(document: dict[str, Any]) -> None:
        document["facts"][0] |= {"text": "The steel wheel stays", "updated_at": LATER}

    ada.clock.forward(days=1)
    ada("memory_import", path=changed(tmp_path / "old.json", tmp_path / "new.json", rewrite))
    told = [(each.action, each.reason) for each in ada("memory_get_fact_history", fact_id=fact).events]
    assert told[-1] == ("edited", "fact was: The brass wheel stays")
    exported(ada, tmp_path / "after.json")
    with living(tmp_path / "other" / "home") as other:
        other.clock.forward(days=1)
        for name in ("old.json", "after.json"):  # the file's own history has it
            other.as_person()("memory_import", path=str(tmp_path / name))
        events = other("memory_get_fact_history", fact_id=fact).events
        assert [(each.action, each.reason) for each in events] == told


def test_replace_takes_away_what_the_caller_has_and_nothing_else(filled: Memory, small_export: Path, tmp_path: Path):
    bob = filled.of("bob")
    bob("memory_store_fact", category="decision", fact="Bob's own")
    filled("memory_store_fact", category="decision", fact="Not in the export")
    tokens = everything(filled.mind.store)["token"]
    answer = filled("memory_import", path=str(small_export), mode="replace")
    many = {section: count for section, count in whole(small_export).items() if section in NUMEROUS}
    few = {section: count for section, count in whole(small_export).items() if section not in NUMEROUS}
    assert counts(answer, "removed") == few | {"facts": 1}
    assert counts(answer, "new") == few
    assert counts(answer, "unchanged") == many, "what the document tells as it is stays, with its vectors"
    exported(filled, tmp_path / "after.json")
    assert contents(tmp_path / "after.json") == contents(small_export)
    assert [row.fact for row in bob("memory_list_facts").facts] == ["Bob's own"]
    assert everything(filled.mind.store)["token"] == tokens
    assert answer.backup is not None
    assert filled.mind.store.integrity() == []


def test_a_dry_run_of_replace_says_what_goes_and_what_comes(filled: Memory, small_export: Path):
    before = everything(filled.mind.store)
    dry = filled("memory_import", path=str(small_export), mode="replace", dry_run=True)
    assert everything(filled.mind.store) == before
    assert dry.sections == filled("memory_import", path=str(small_export), mode="replace").sections


def test_replace_needs_its_sessions_in_the_file(filled: Memory, small_export: Path, tmp_path: Path):
    path = changed(small_export, tmp_path / "x.json", lambda document: document.pop("sessions"))
    before = everything(filled.mind.store)
    refusal = filled.refuses("memory_import", path=path, mode="replace")
    assert "is of a session that is neither in it nor here" in refusal.message
    assert everything(filled.mind.store) == before
    assert not filled("memory_import", path=path).changed, "merged, the sessions are those of the store"


def test_what_was_forgotten_is_not_brought_back(ada: Memory, small_export: Path, tmp_path: Path):
    document = json.loads(small_export.read_text(encoding="utf-8"))
    session, fact = document["sessions"][0]["id"], document["facts"][1]["id"]
    within = [chunk["id"] for chunk in document["chunks"] if chunk["session"] == session]
    ada.insert(*(Forgotten(uid=uid, kind="x", at=ada.clock()) for uid in (session, fact)))
    answer = ada("memory_import", path=str(small_export))
    assert counts(answer, "forgotten") == {"sessions": 1, "chunks": len(within), "facts": 1}
    after = exported(ada, tmp_path / "after.json")
    assert not {session, fact, *within} & {
        record["id"] for name in ("sessions", "chunks", "facts") for record in after[name]
    }
    assert [fact["session"] for fact in after["facts"]].count(None) > [
        fact["session"] for fact in document["facts"]
    ].count(None), "what came from the forgotten session stands without it"


def test_a_moment_whose_number_is_taken_gets_the_next_one(ada: Memory, small_export: Path, tmp_path: Path):
    chunks = json.loads(small_export.read_text(encoding="utf-8"))["chunks"]
    session = chunks[0]["session"]
    seqs = [chunk["seq"] for chunk in chunks if chunk["session"] == session]

    def others(document: dict[str, Any]) -> None:
        document["chunks"] = [chunk | {"id": str(uuid.uuid4())} for chunk in chunks if chunk["session"] == session]

    ada("memory_import", path=str(small_export))
    path = changed(small_export, tmp_path / "x.json", others)
    assert counts(ada("memory_import", path=path), "new") == {"chunks": len(seqs)}
    after = [each["seq"] for each in exported(ada, tmp_path / "a.json")["chunks"] if each["session"] == session]
    assert sorted(after) == [*sorted(seqs), *range(max(seqs) + 1, max(seqs) + len(seqs) + 1)]
    assert not ada("memory_import", path=path).changed


def test_ids_of_somebody_else_are_not_touched_and_not_told(filled: Memory, small_export: Path, tmp_path: Path):
    bob = in_person(filled.of("bob"))
    adas = exported(filled, tmp_path / "before.json")
    answer = bob("memory_import", path=str(small_export))
    own = whole(small_export)
    assert counts(answer, "new") == own | {"knowledge": 6}, "but for what is approved, which he sees"
    after = exported(filled, tmp_path / "after.json")
    after["knowledge"] = [each for each in after["knowledge"] if each["promoted_by"] != "bob"]
    assert after | {"header": None} == adas | {"header": None}
    before = everything(filled.mind.store)
    assert not bob("memory_import", path=str(small_export)).changed, "the derived ids are the same each time"
    assert everything(filled.mind.store) == before
    theirs = exported(bob, tmp_path / "bob.json")
    assert len(theirs["chunks"]) == own["chunks"]
    assert {each["session"] for each in theirs["chunks"]} <= {each["id"] for each in theirs["sessions"]}
    assert filled.mind.store.integrity() == []


def test_derived_ids_that_somebody_took_before_do_no_harm(filled: Memory, small_export: Path, tmp_path: Path):
    document = json.loads(small_export.read_text(encoding="utf-8"))
    bob, eve = in_person(filled.of("bob")), in_person(filled.of("eve"))
    with filled.mind.store.read(bob.caller, "test") as work:
        bobs = uuid.UUID(work.session.get_one(User, bob.caller.user_id).uid)

    def squat(copy: dict[str, Any]) -> None:
        copy["facts"] = [
            each | {"id": str(uuid.uuid5(bobs, each["id"])), "session": None} for each in document["facts"]
        ]
        copy["knowledge"] = []

    eve("memory_import", path=changed(small_export, tmp_path / "squat.json", squat))
    assert counts(bob("memory_import", path=str(small_export)), "new")["facts"] == len(document["facts"])
    assert len(exported(bob, tmp_path / "bob.json")["facts"]) == len(document["facts"])


@pytest.mark.parametrize("is_person", [True, False])
def test_in_a_team_only_an_admin_in_person_brings_in_what_is_of_others(ada: Memory, tmp_path: Path, is_person: bool):
    fill(tmp_path / "team")
    source = tmp_path / "all.json"
    _export_of_team(tmp_path / "team", source)
    importer = ada if is_person else agent_of(ada)
    answer = importer("memory_import", path=str(source))
    if not is_person:
        assert counts(answer, "left_out") == {"users": 1, "facts": 1, "project_names": 3}
        return
    assert counts(answer, "left_out") == {}
    with ada.mind.store.read(ada.caller, "test") as work:
        users = work.session.connection().exec_driver_sql("SELECT username, role FROM user ORDER BY username").all()
    assert [tuple(each) for each in users] == [("ada", "admin"), ("bob", "member")]
    assert [row.fact for row in ada.of("bob")("memory_list_facts").facts] == ["Bob's own"]
    ada.mind.store.mode = Mode.TEAM
    exported(ada, tmp_path / "again.json")
    assert contents(tmp_path / "again.json") == contents(source)
    assert not ada("memory_import", path=str(source)).changed


def _export_of_team(home: Path, to: Path) -> None:
    from tests.memory.living import living  # noqa: PLC0415 - the fixture's store is open besides

    with living(home) as memory:
        memory.of("bob")("memory_store_fact", category="decision", fact="Bob's own")
        memory.mind.store.mode = Mode.TEAM
        exported(memory, to)


def test_one_change_of_each_kind_is_told_and_another_once_all_is_shown(ada: Memory, small_export: Path):
    heard: list[Change] = []
    ada.mind.store.events.subscribe(heard.append)
    ada("memory_import", path=str(small_export))
    assert {(change.kind, change.action) for change in heard} == {
        (kind, Action.IMPORTED)
        for kind in (Kind.PROFILE, Kind.SESSION, Kind.CHUNK, Kind.FACT, Kind.HYPOTHESIS, Kind.KNOWLEDGE, Kind.THOUGHT)
    } | {(Kind.THOUGHT, Action.SHARED)}
    assert len(heard) == 7 + len(HIDDEN_KINDS) + 1


def test_sections_may_stand_in_any_order_and_be_left_out(ada: Memory, small_export: Path, tmp_path: Path):
    document = json.loads(small_export.read_text(encoding="utf-8"))
    turned = tmp_path / "turned.json"
    turned.write_text(json.dumps({name: document[name] for name in reversed(document)}), encoding="utf-8")
    assert counts(ada("memory_import", path=str(turned)), "new") == whole(small_export)
    exported(ada, tmp_path / "again.json")
    assert contents(tmp_path / "again.json") == contents(small_export)
    only = changed(small_export, tmp_path / "only.json", lambda each: [each.pop(name) for name in ("facts", "chunks")])
    assert not ada("memory_import", path=only).changed


def test_what_a_killed_import_left_is_swept_away(ada: Memory, small_export: Path):
    left = ada.mind.store.home / ".import-0123456789abcdef.db"
    left.write_bytes(b"SQLite format 3\x00 what was prepared")
    ada("memory_import", path=str(small_export), dry_run=True)
    assert left_behind(ada.mind.store.home) == []


def test_an_import_that_cannot_be_backed_up_changes_nothing(ada: Memory, small_export: Path):
    folder = ada.mind.store.safekeeping.folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_bytes(b"no folder") if not folder.exists() else pytest.fail("there was a backup before")
    before = everything(ada.mind.store)
    assert ada.refuses("memory_import", path=str(small_export)).code in {Code.UNAVAILABLE, Code.STORE_UNUSABLE}
    assert everything(ada.mind.store) == before
    assert left_behind(ada.mind.store.home) == []
