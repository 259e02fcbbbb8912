"""What is derived for search is the same whichever way a row came to be, and follows every change of it."""

import json
from pathlib import Path

import pytest
from sqlalchemy import text

from bigmind.maintenance.reindexing import derive, is_up_to_date
from bigmind.memory.tables import Hypothesis, MemorySession
from bigmind.people.service import NOBODY
from bigmind.store.sqlite.checks import FULL_TEXT_TABLES
from tests.memory.living import Memory, living
from tests.memory.test_forget import rows
from tests.store.past import OF_EACH, OWNED, SESSIONS, TAKEN, past_store

INDEXES = sorted(
    f"{table}_{kind}"
    for table in (
        *("chunk", "fact", "hypothesis", "knowledge", "profile", "protocol_run", "session"),
        "thought",
        "work_item",
    )
    for kind in ("fts", "grams")
)


def whole_memory(memory: Memory) -> str:
    """A session that was ended, with a fact and a hypothesis that was resolved; the session's id."""
    uid = memory("memory_start_session", topics=["runGetTrain"]).session_id
    memory("memory_flag_important", content="callGetUserById", flag_reason="aReason", session_id=uid)
    memory("memory_store_fact", category="decision", fact="useBrassWheels everywhere")
    hypothesis = memory("memory_add_hypothesis", hypothesis="maybeTinWheels").hypothesis.hypothesis_id
    memory("memory_resolve_hypothesis", id=hypothesis, status="refuted", resolution="steelWheels hold")
    memory("memory_promote_to_global", category="decision", title="useSteelWheels", content="withOilOnly")
    memory(
        *("memory_end_session",),
        session_id=uid,
        one_liner="madeCopperWheels",
        topics=["wheelHouse"],
        outcome="allTurn",
        summary="theWholeStory",
        key_facts=["keyFactOne"],
        code_refs=["src/wheelHouse.py"],
    )
    return uid


def nothing_differs(memory: Memory) -> bool:
    return derive(memory.mind.store).changed == 0


def found(memory: Memory, table: str, word: str) -> int:
    """How many rows an index finds by a word."""
    with memory.mind.store.read(NOBODY, "test") as work:
        query = text(f"SELECT count(*) FROM {table}_fts WHERE {table}_fts MATCH :word")
        return work.session.execute(query, {"word": f'"{word}"'}).scalar_one()


def test_a_session_is_found_by_all_that_is_told_of_it(memory: Memory):
    whole_memory(memory)
    [session] = rows(memory, MemorySession)
    assert session.told == "allTurn\nwheelhouse\ntheWholeStory\nkeyFactOne\nsrc/wheelHouse.py"
    for word in ("copper", "turn", "house", "story", "key", "src"):
        assert found(memory, "session", word) == 1, word
    assert found(memory, "session", "train") == 0  # a topic that it no longer has


def test_a_hypothesis_is_found_by_its_words_and_by_how_it_ended(memory: Memory):
    whole_memory(memory)
    for word in ("tin", "steel"):
        assert found(memory, "hypothesis", word) == 1
    assert rows(memory, Hypothesis)[0].terms == "maybe tin wheels steel"


def test_use_cases_derive_what_deriving_anew_would(memory: Memory):
    whole_memory(memory)
    memory("memory_start_session", topics=["leftOpen"])
    memory.clock.forward(hours=25)
    memory("memory_start_session")  # closes the one before
    assert nothing_differs(memory)


def test_an_import_derives_what_deriving_anew_would(memory: Memory, tmp_path: Path):
    whole_memory(memory)
    memory.as_person()("memory_export", output_path=str(tmp_path / "all.json"))
    with living(tmp_path / "other") as other:
        other.as_person()("memory_import", path=str(tmp_path / "all.json"))
        assert rows(other, MemorySession)[0].told == rows(memory, MemorySession)[0].told
        assert nothing_differs(other)
        assert other.mind.store.integrity() == []


def test_an_import_that_changes_a_session_derives_it_anew(memory: Memory, tmp_path: Path):
    whole_memory(memory)
    path = tmp_path / "all.json"
    memory.as_person()("memory_export", output_path=str(path))
    document = json.loads(path.read_text(encoding="utf-8"))
    [session] = document["sessions"]
    session |= {"outcome": "noneTurns", "summary": None, "topics": ["another"], "updated_at": "2026-04-01T00:00:00Z"}
    path.write_text(json.dumps(document))
    memory.clock.forward(days=60)
    memory.as_person()("memory_import", path=str(path))
    assert rows(memory, MemorySession)[0].told == "noneTurns\nanother"
    assert (found(memory, "session", "none"), found(memory, "session", "story")) == (1, 0)
    assert nothing_differs(memory)


def test_an_export_says_nothing_that_is_derived(memory: Memory, tmp_path: Path):
    whole_memory(memory)
    memory.as_person()("memory_export", output_path=str(tmp_path / "all.json"))
    written = (tmp_path / "all.json").read_text(encoding="utf-8")
    for name in ("told", "terms", "vector", "embedding"):
        assert f'"{name}"' not in written


@pytest.mark.parametrize("revision", ["0001", "0002"])
def test_an_upgraded_store_is_indexed_and_waits_to_be_embedded(home: Path, revision: str):
    past_store(home, revision)
    with living(home) as memory:
        assert is_up_to_date(memory.mind.store)
        assert nothing_differs(memory)
        for session in rows(memory, MemorySession):
            assert session.told.startswith("done\ncards\ncards cards")
        facts = OF_EACH + len(OWNED) + (2 * len(TAKEN) if revision == "0002" else 0)
        for table, number in (("chunk", OF_EACH), ("fact", facts), ("hypothesis", OF_EACH), ("session", SESSIONS)):
            assert found(memory, table, "cards" if table == "session" else "past") == number
        with memory.mind.store.read(NOBODY, "test") as work:
            waiting = work.session.execute(text("SELECT kind, count(*), min(owner) FROM embedding_queue GROUP BY kind"))
            queued = {kind: (number, owner) for kind, number, owner in waiting}
        expected = {"chunk": (OF_EACH, 1), "fact": (facts, 1), "hypothesis": (OF_EACH, 1), "session": (SESSIONS, 1)}
        expected["profile"] = (1, 1)
        assert queued == expected | ({"knowledge": (OF_EACH, 0)} if revision == "0002" else {})
        hits = memory("memory_semantic_search", query="past hypothesis 7", kinds=["hypothesis"]).hits
        assert hits[0].excerpt.replace("**", "") == "past hypothesis 7"
        assert memory.mind.store.integrity() == []


def test_every_index_is_known_to_the_checks(memory: Memory):
    with memory.mind.store.alone() as connection:
        assert [name for (name,) in connection.execute(FULL_TEXT_TABLES)] == INDEXES
