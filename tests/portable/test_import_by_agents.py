"""What an assistant imports says so beside every row, and is in no context before a person accepted it."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from bigmind.core.client_names import IMPORTED as BY
from bigmind.core.client_names import LONGEST
from bigmind.core.errors import Code
from bigmind.maintenance.reindexing import derive
from bigmind.people.service import NOBODY
from bigmind.portable.verdicts import HERE_STAYS, PROFILE_STAYS
from bigmind.text.import_marks import is_imported
from tests.memory.living import Memory
from tests.portable.files import agent_of, changed, counts, everything, exported, written
from tests.thorough import spread

TABLES = ("session", "chunk", "fact", "hypothesis", "knowledge", "thought")
SECTIONS = ("sessions", "chunks", "facts", "hypotheses", "knowledge", "thoughts")
CLAIMS = [
    "claude-code",
    "claude-code/reviewer",
    "/claude-code",
    "the user, in person",
    "bridge/cursor",
    "import by claude-code/x",
    "a + b",
    "／claude-code",
    "\u202eedoc-edualc",
    "2026-03-01 · claude-code · apollo",
    "y" * 1_000,
    "///",
    "",
]


def rows(memory: Memory, table: str) -> list[Any]:
    with memory.mind.store.read(NOBODY, "test") as work:
        return list(work.session.connection().exec_driver_sql(f"SELECT * FROM {table}").mappings())


def texts(value: Any) -> Iterator[str]:
    """The words in a record; neither ids nor times nor the names of kinds."""
    match value:
        case str() if " " in value and len(value) > 12:
            yield value
        case dict():
            for each in value.values():
                yield from texts(each)
        case list():
            for each in value:
                yield from texts(each)
        case _:
            pass


def automatic(memory: Memory) -> Iterator[str]:
    """Everything that a conversation is given without asking."""
    yield memory("memory_get_context", sessions=50).context
    yield memory("hook_session_start", conversation="c").context
    yield memory("hook_session_start", conversation="c", source="compact").context
    yield memory("memory_start_session", project="apollo").context


def test_every_row_says_who_imported_it_and_waits(ada: Memory, small_export: Any):
    answer = agent_of(ada)("memory_import", path=str(small_export))
    for table in (*TABLES, "profile"):
        found = rows(ada, table)
        assert found, table
        for row in found:
            assert is_imported(row["caution"]), table
            assert row["accepted_at"] is None
    for table in TABLES:
        assert {row["client"].partition("/")[0] for row in rows(ada, table)} == {f"{BY}tester"}
    assert {row["client"].partition("/")[0] for row in rows(ada, "fact_event")} == {f"{BY}tester"}
    assert answer.waiting == sum(each.new for each in answer.sections)
    assert "until a person accepts each in BigMind's window" in answer.as_text()
    assert all(row["ended_at"] for row in rows(ada, "session"))


def test_nothing_of_it_is_given_unasked_before_a_person_accepted_it(ada: Memory, small_export: Any):
    document = exported_document(small_export)
    agent = agent_of(ada)
    agent("memory_import", path=str(small_export))
    words = {each for section in (*SECTIONS, "profiles") for each in texts(document[section])}
    assert len(words) > 10
    for context in automatic(agent):
        assert [each for each in words if each in context] == []
        assert "[held back]" not in context
    ada("memory_reindex")
    derive(ada.mind.store)
    for context in automatic(agent):
        assert [each for each in words if each in context] == []
    for item in ada("memory_list_flagged", limit=500).items:
        ada("memory_accept", id=item.id)
    assert any(each in context for each in words for context in automatic(agent))
    assert {row["client"].partition("/")[0] for row in rows(ada, "fact")} == {f"{BY}tester"}


def exported_document(path: Any) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def test_search_finds_it_and_says_that_it_was_imported(ada: Memory, small_export: Any):
    agent = agent_of(ada)
    agent("memory_import", path=str(small_export))
    [chunk, *_] = rows(ada, "chunk")
    word = max(chunk["content"].split(), key=len)
    [hit, *_] = agent("memory_search_chunks", query=word).hits
    assert (is_imported(hit.caution), hit.client.partition("/")[0]) == (True, f"{BY}tester")
    assert "was imported by an assistant" in agent("memory_search_chunks", query=word).as_text()
    facts = agent("memory_list_facts", limit=100)
    assert facts.facts
    assert all(is_imported(each.caution) for each in facts.facts)
    assert f"{BY}tester" in facts.as_text()


@pytest.mark.parametrize("claimed", spread(CLAIMS, 5))
def test_what_the_file_calls_its_source_stands_behind_the_assistants_name(
    ada: Memory, small_export: Any, tmp_path: Any, claimed: str
):
    def rename(document: dict[str, Any]) -> None:
        for section in SECTIONS:
            for record in document[section]:
                record["client"] = claimed
                for event in record.get("history", ()):
                    event["client"] = claimed

    agent_of(ada)("memory_import", path=changed(small_export, tmp_path / "x.json", rename))
    for table in (*TABLES, "fact_event"):
        for row in rows(ada, table):
            name, *behind = row["client"].split("/")
            assert name == f"{BY}tester"
            assert len(behind) <= 1
            assert len(row["client"]) <= LONGEST


@pytest.mark.parametrize("dry_run", [False, True])
def test_only_a_person_replaces(ada: Memory, small_export: Any, tmp_path: Any, *, dry_run: bool):
    ada("memory_store_fact", category="decision", fact="The brass wheel stays")
    before = exported(ada, tmp_path / "before.json")
    error = agent_of(ada).refuses("memory_import", path=str(small_export), mode="replace", dry_run=dry_run)
    assert error.code is Code.FORBIDDEN
    after = exported(ada, tmp_path / "after.json")
    assert [before[each] for each in SECTIONS] == [after[each] for each in SECTIONS]
    assert ada("memory_import", path=str(small_export), mode="replace", dry_run=dry_run).changed


def test_an_assistant_joins_no_projects_by_a_file(ada: Memory, small_export: Any, tmp_path: Any):
    def join(document: dict[str, Any]) -> None:
        document["project_names"] = [
            {"name": "apollo", "project": "github.com/eve/apollo", "updated_at": "2026-03-01T00:00:00Z"}
        ]

    path = changed(small_export, tmp_path / "x.json", join)
    agent_of(ada)("memory_import", path=path)
    assert rows(ada, "project_alias") == []
    ada("memory_import", path=path)
    assert len(rows(ada, "project_alias")) == 1


def test_what_a_person_imports_waits_for_nobody(ada: Memory, small_export: Any):
    answer = ada("memory_import", path=str(small_export))
    assert answer.waiting == 0
    for table in (*TABLES, "profile"):
        assert not any(is_imported(row["caution"]) for row in rows(ada, table))


def test_an_imported_profile_waits_until_it_is_accepted_whoever_writes_more(ada: Memory, small_export: Any):
    agent = agent_of(ada)
    agent("memory_import", path=str(small_export))
    agent("memory_update_profile", role="Navigator of brass ships")
    assert is_imported(agent("memory_update_profile", role="Navigator of ships").caution)
    ada("memory_accept", id="profile")
    assert agent("memory_get_context").context.count("Navigator of ships") == 1
    agent("memory_update_profile", role="Navigator")
    [profile] = rows(ada, "profile")
    assert (profile["caution"], profile["accepted_at"]) == ("", None)


REPLACEABLE = ("sessions", "facts", "hypotheses", "knowledge", "thoughts")


def told_otherwise(document: dict[str, Any]) -> None:
    """Each record that can change says something else, later, and that a person pinned it."""
    for section, field in zip(REPLACEABLE, ("one_liner", "text", "text", "content", "content"), strict=True):
        placed = {"placement": "pinned"} if section != "thoughts" else {}
        for record in document[section]:
            record.update({field: "Nothing happened here", "updated_at": "2026-03-01T11:00:00Z"} | placed)


def test_what_is_here_stays_where_an_assistants_file_has_it_newer(ada: Memory, small_export: Any, tmp_path: Any):
    ada.as_person()("memory_import", path=str(small_export))
    path = changed(small_export, tmp_path / "x.json", told_otherwise)
    every = {section: len(exported_document(small_export)[section]) for section in REPLACEABLE}
    before, context = everything(ada.mind.store), ada("memory_get_context").context
    for dry_run in (True, False):
        answer = agent_of(ada)("memory_import", path=path, dry_run=dry_run)
        assert (answer.changed, answer.waiting, counts(answer, "kept")) == (False, 0, every)
        assert HERE_STAYS in answer.as_text()
        assert f"{every['facts']} kept (though newer in the file)" in answer.as_text()
    assert everything(ada.mind.store) == before
    assert ada("memory_get_context").context == context
    answer = ada.as_person()("memory_import", path=path)
    assert (counts(answer, "newer"), counts(answer, "kept")) == (every, {})


def test_a_fact_of_the_same_words_stays_in_the_context(ada: Memory, tmp_path: Any):
    ada("memory_store_fact", category="decision", fact="The brass wheel stays")
    document = exported(ada, tmp_path / "before.json")
    [fact] = document["facts"]
    fact |= {"updated_at": "2026-03-01T13:00:00Z", "placement": "hidden"}
    new = {**fact, "id": str(uuid.uuid4()), "text": "The steel wheel goes"}
    document["facts"].append(new)
    answer = agent_of(ada)("memory_import", path=written(tmp_path / "x.json", document))
    assert (counts(answer, "kept"), counts(answer, "new"), answer.waiting) == ({"facts": 1}, {"facts": 1}, 1)
    assert "The brass wheel stays" in ada("memory_get_context").context
    assert [is_imported(row["caution"]) for row in rows(ada, "fact")] == [False, True]


def test_a_file_hides_no_id_behind_others_that_begin_alike(ada: Memory, tmp_path: Any):
    """The candidates are two; what a file names so comes behind what is here."""
    stored = ada("memory_store_fact", category="decision", fact="The brass wheel stays").fact.fact_id
    document = exported(ada, tmp_path / "before.json")
    [fact] = document["facts"]
    ids = [f"{stored[:8]}-0000-0000-0000-{number:012}" for number in range(3)]
    document["facts"] = [fact | {"id": each, "text": f"Forged: {each}"} for each in ids]
    agent = agent_of(ada)
    agent("memory_import", path=written(tmp_path / "x.json", document))
    error = agent.refuses("memory_get_fact_history", fact_id=stored[:8])
    assert (error.code, error.hint) == (Code.AMBIGUOUS, f"Give more of the id: {stored} or {ids[0]} (imported)?")
    assert agent("memory_get_fact_history", fact_id=stored).fact.fact == "The brass wheel stays"


def test_the_profile_that_a_person_has_stays(ada: Memory, small_export: Any):
    """It would wait until a person accepts it, and what is accepted here would be gone with it."""
    told = {"role": "Backend engineer", "preferences": "Tests first.", "pinned_facts": ["Never deploy on Friday"]}
    ada("memory_update_profile", **told)
    ada.clock.forward(days=1)

    def later(document: dict[str, Any]) -> None:
        for each in document["profiles"]:
            each["updated_at"] = ada.clock.now.isoformat()

    file = changed(small_export, small_export.with_name("later-profile.json"), later)
    answer = agent_of(ada)("memory_import", path=file)
    assert PROFILE_STAYS in answer.as_text()
    assert counts(answer, "kept") == {"profiles": 1}
    [row] = rows(ada, "profile")
    assert (row["role"], row["caution"]) == ("Backend engineer", "")
    assert "Never deploy on Friday" in ada("memory_get_context").context
    ada.as_person()("memory_import", path=file)
    assert rows(ada, "profile")[0]["role"] != "Backend engineer"


@pytest.mark.parametrize(("is_person", "reason"), [(False, "before-import-by-assistant"), (True, "before-import")])
def test_the_backup_before_an_assistants_import_takes_no_place_of_a_persons(
    ada: Memory, small_export: Any, *, is_person: bool, reason: str
):
    memory = ada if is_person else agent_of(ada)
    memory("memory_import", path=str(small_export))
    assert [each.reason for each in ada("backup_list").backups] == [reason]
