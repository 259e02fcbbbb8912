"""One declaration makes a kind: stored, found, embedded, flagged, masked, counted, backed up, forgotten, scrubbed."""

import json
from pathlib import Path

from bigmind.core.events import Action
from bigmind.embedding.models import DEFAULT
from bigmind.kinds import texts_of
from bigmind.memory.growth import written_since
from bigmind.search.finding import source_of
from bigmind.search.scope import SearchQuery, among
from tests.kinds.note import Note
from tests.kinds.noting import INSTRUCTION, SECRET, WORDS, found, noted
from tests.memory.living import Memory
from tests.memory.queueing import Queue
from tests.memory.tiny_embedder import digest, tiny
from tests.memory.traces import patterns_of, traces


def test_it_is_found_by_its_words_by_pieces_of_them_and_by_its_id(memory: Memory):
    uid = noted(memory, f"{WORDS}, says callLighthouseKeeper")
    for words in ("walrus", "lighthouse keeper", "ghthouseKee", uid):
        assert found(memory, words) == [("note", uid, "note")], words


def test_its_change_is_told(memory: Memory):
    heard = []
    memory.mind.store.events.subscribe(heard.append)
    uid = noted(memory, WORDS)
    assert [(each.kind, each.entity, each.action) for each in heard] == [("note", uid, Action.CREATED)]


def test_it_is_embedded_and_found_by_meaning(memory: Memory, tmp_path: Path):
    noted(memory, WORDS)
    with tiny(tmp_path) as embedder:
        queue = Queue(memory, embedder)
        assert queue.waiting() == [("note", 1)]
        queue.empty()
        with memory.mind.store.read(memory.caller, "test") as work:
            which = among(source_of(work), SearchQuery(WORDS, 5), "note")
            near = queue.vectors.nearest(work.session, DEFAULT, digest(WORDS), which, 5)
    assert [each.item for each in near] == [1]


def test_what_instructs_its_reader_waits_for_a_person(memory: Memory):
    uid = noted(memory, INSTRUCTION)
    flagged = memory.as_person()("memory_list_flagged")
    assert [(each.kind, each.id) for each in flagged.items] == [("note", uid)]
    assert memory.as_person()("memory_get_stats").flagged == 1
    assert memory.as_person()("memory_accept", id=uid).kind == "note"
    assert memory.as_person()("memory_list_flagged").total == 0


def test_a_secret_in_it_is_masked(memory: Memory):
    noted(memory, f"the token is {SECRET}")
    scan = memory.as_person()("secrets_scan", mask=True)
    assert [(each.kind, each.field) for each in scan.items] == [("note", "text")]
    with memory.mind.store.read(memory.caller, "test") as work:
        row = work.session.get_one(Note, 1)
        assert SECRET not in " ".join(texts_of(work, row))


def test_it_is_counted_and_its_terms_are_derived_anew(memory: Memory):
    before = memory.clock.now
    memory.clock.forward(hours=1)
    noted(memory, "callLighthouseKeeper")
    with memory.mind.store.write(memory.caller, "test") as work:
        assert written_since(work, before, None).later["notes"] == 1
        work.session.get_one(Note, 1).terms = ""
    assert memory.as_person()("memory_reindex").changed == 1


def test_what_is_forgotten_leaves_no_byte_in_the_store_and_its_backups(memory: Memory):
    uid = noted(memory, WORDS)
    person = memory.as_person()
    backup = person("backup_create")
    manifest = next(iter(memory.mind.store.safekeeping.folder.glob("*.json")))
    assert json.loads(manifest.read_text())["tables"]["note"]["rows"] == 1
    memory.clock.forward(minutes=1)
    answer = person("memory_forget", id=uid, confirm=True)
    assert (answer.kind, answer.overwritten, answer.backups_left) == ("note", True, [])
    assert answer.backups_cleaned == [backup.name]
    assert traces(memory.mind.store.home, patterns_of(WORDS)) == {}
    assert found(memory, "walrus") == []
