"""Forgetting a thought takes its words everywhere; forgetting a question takes its words and leaves the row."""

import json
import shutil
from contextlib import closing
from pathlib import Path

from sqlmodel import select

from bigmind.backup.scrubbing import Tombstone, erase
from bigmind.brain.tables import BrainQuery, ThoughtLink, ThoughtTag
from bigmind.registry import KINDS
from bigmind.store.sqlite.snapshots import connected, copy_as_it_is
from tests.memory.living import Memory
from tests.memory.traces import patterns_of, traces

WORDS = "The walrus moved into the lighthouse because the harbour froze in January, says callLighthouseKeeper."
OTHER = "The ferry sails at noon since its captain wants to see the ice first, by order 17."


def test_its_words_vanish_from_the_store_and_its_backups_and_the_question_stays_without_them(memory: Memory) -> None:
    other = memory("contribute_to_brain", prompt=OTHER).trace.thought_id
    uid = memory("contribute_to_brain", prompt=WORDS, context="walrus watching", related=[other], tags=["walrus"])
    uid = uid.trace.thought_id
    memory("query_brain", prompt="Where does that animal live?")
    person = memory.as_person()
    backup = person("backup_create")
    memory.clock.forward(minutes=1)
    answer = person("memory_forget", id=uid, confirm=True)
    assert (answer.kind, answer.overwritten, answer.backups_cleaned) == ("thought", True, [backup.name])
    assert traces(memory.mind.store.home, patterns_of(WORDS)) == {}
    assert traces(memory.mind.store.home, patterns_of("walrus watching")) == {}
    with memory.mind.store.read(memory.caller, "test") as work:
        rows = {row.thought_uid: row for row in work.session.exec(select(BrainQuery))}
        assert (rows[uid].text, rows[uid].context, rows[uid].outcome) == ("", "", "stored")
        assert rows[other].text == OTHER
        assert work.session.exec(select(ThoughtTag).where(ThoughtTag.tag == "walrus")).all() == []
        assert work.session.exec(select(ThoughtLink)).all() == []
    assert memory("query_brain", prompt="walrus lighthouse").result.sources == []
    assert memory.mind.store.integrity() == []


def test_a_question_that_is_forgotten_leaves_its_row_also_in_backups(memory: Memory) -> None:
    memory("query_brain", prompt="Is there a walrus in the lighthouse?", context="for the report on seals")
    person = memory.as_person()
    person("backup_create")
    [uid] = _questions(memory)
    answer = person("memory_forget", id=uid, confirm=True)
    assert (answer.kind, answer.overwritten, answer.backups_left) == ("brain_query", True, [])
    assert traces(memory.mind.store.home, patterns_of("Is there a walrus in the lighthouse?")) == {}
    assert list(_questions(memory).values()) == [""]
    manifest = next(iter(memory.mind.store.safekeeping.folder.glob("*.json")))
    assert json.loads(manifest.read_text(encoding="utf-8"))["tables"]["brain_query"]["rows"] == 1


def _questions(memory: Memory) -> dict[str, str]:
    with memory.mind.store.read(memory.caller, "test") as work:
        return {row.uid: row.text for row in work.session.exec(select(BrainQuery))}


def test_a_shared_thought_of_somebody_else_is_forgotten_by_a_curator_alone(memory: Memory) -> None:
    bob = memory.of("bob")
    uid = bob("contribute_to_brain", prompt=WORDS).trace.thought_id
    own = bob("contribute_to_brain", prompt=OTHER, space="private").trace.thought_id
    carol = memory.of("carol").as_person()
    assert carol.refuses("memory_forget", id=uid, confirm=True).code == "not_found"
    assert memory.as_person().refuses("memory_forget", id=own, confirm=True).code == "not_found"
    assert memory.as_person()("memory_forget", id=uid, confirm=True).kind == "thought"


def test_a_restore_of_a_file_that_still_holds_them_takes_the_words_and_leaves_the_rows(
    memory: Memory, tmp_path: Path
) -> None:
    uid = memory("contribute_to_brain", prompt=WORDS).trace.thought_id
    memory("query_brain", prompt="Is there a walrus in the lighthouse?")
    person = memory.as_person()
    kept = tmp_path / person("backup_create").name
    shutil.copy(memory.mind.store.safekeeping.folder / kept.name, kept)
    memory.clock.forward(minutes=1)
    [question] = [each for each, said in _questions(memory).items() if said != WORDS]
    for gone in (uid, question):
        person("memory_forget", id=gone, confirm=True)
    memory("query_brain", prompt="What came after the backup?")
    answer = person("backup_restore", backup=str(kept))
    assert answer.forgotten == 2
    assert list(_questions(memory).values()) == ["", ""]
    assert traces(memory.mind.store.home, patterns_of("walrus", "lighthouse")) == {}
    assert memory.mind.store.integrity() == []
    assert person("backup_restore", backup=str(kept)).forgotten == 2


def test_backups_of_before_the_brain_are_cleaned_too(memory: Memory, tmp_path: Path) -> None:
    fact = memory("memory_store_fact", category="decision", fact="The walrus eats oil.").fact.fact_id
    copy = tmp_path / "old.db"
    copy_as_it_is(memory.mind.store.path, copy)
    with closing(connected(copy)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        triggers = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name LIKE 'thought%'"
        for (name,) in connection.execute(triggers).fetchall():
            connection.execute(f'DROP TRIGGER "{name}"')
        for table in ("brain_query_source", "brain_query", "brain_session", "thought_tag", "thought_link"):
            connection.execute(f"DROP TABLE {table}")
        for table in ("thought_use", "thought_reader", "thought_fts", "thought_grams", "thought"):
            connection.execute(f"DROP TABLE {table}")
        thing = Tombstone(fact, "fact", memory.clock.now)
        thought = Tombstone("00000000-0000-4000-8000-000000000001", "thought", memory.clock.now)
        assert erase(connection, [thing, thought], KINDS) == 1
        assert connection.execute("SELECT count(*) FROM fact").fetchone() == (0,)


def test_questions_count_for_nothing_where_much_would_be_forgotten(memory: Memory) -> None:
    """Else whoever asks much could lose a session with all its moments by a slip."""
    session = memory("memory_start_session").session_id
    for number in range(12):
        memory("memory_flag_important", content=f"walrus {number}", flag_reason="r", session_id=session)
    for number in range(40):
        memory("query_brain", prompt=f"Where is number {number}?")
    refused = memory.as_person().refuses("memory_forget", id=session)
    assert "13 of the 13 things" in refused.message
