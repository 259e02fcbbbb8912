"""What an older file holds becomes records of today, and every row is accounted for."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.portable.bounds import MOST_USERS
from bigmind.portable.format.records import RECORDS, Record
from bigmind.portable.older.conversion import OlderFile
from bigmind.portable.older.location import is_sqlite, old_file
from bigmind.portable.older.source import OlderSource
from tests.portable.older_files import ADA, BOB, FIRST, GONE, HEADLINE, OPEN, SECOND, older_file

VERSIONS = (1, 2, 3)


def read(path: Path, username: str = "ada") -> tuple[dict[str, list[Record]], OlderFile]:
    """All records of a file by section, as the importer reads them: each checked once more."""
    older = OlderFile(path, username)
    found = {each.section: [record for _, record in older.records(each.section)] for each in RECORDS}
    for records in found.values():
        for record in records:
            type(record).model_validate_json(record.model_dump_json())
    older.close()
    return found, older


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("stated", ["user_version", "schema_version", "nowhere"])
def test_the_version_is_told_by_number_or_by_columns(tmp_path: Path, version: int, stated: str) -> None:
    older = OlderFile(older_file(tmp_path / "memory.db", version, stated=stated), "ada")
    assert older.version == version
    older.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_every_row_becomes_a_record_or_is_named(tmp_path: Path, version: int) -> None:
    path = older_file(tmp_path / "memory.db", version)
    found, older = read(path)
    again = OlderFile(path, "ada")
    counts = again.counts()
    again.close()
    left = {table: sum(each.table == table for each in older.left_out) for table in counts}
    # One session more than the file has: the moment of a session that is gone got one. One moment more: a long text.
    assert len(found["sessions"]) == counts["sessions"] + 1
    assert len(found["chunks"]) == counts["conversation_chunks"] - left["conversation_chunks"] + 1
    assert len(found["facts"]) == counts["facts"] - left["facts"]
    assert len(found["hypotheses"]) == counts.get("hypotheses", 0)
    assert len(found["knowledge"]) == counts["global_knowledge"]
    assert len(found["profiles"]) == counts["identity_profile"]
    assert sum(record.summary is not None for record in found["sessions"]) == counts["session_summaries"] + 1
    assert found["users"] == []
    assert {(each.table, each.row) for each in older.left_out} == {("conversation_chunks", "6"), ("facts", "4")}


def test_texts_times_and_lists_are_what_they_were(tmp_path: Path) -> None:
    found, _ = read(older_file(tmp_path / "memory.db", 3))
    first, second, still_open, gone = found["sessions"]
    assert (first.id, second.id, still_open.id) == (FIRST, SECOND, OPEN)
    assert first.topics == ["db", "pool"]
    assert first.summary.key_facts == ["20 is enough", "see #12"]
    assert second.started_at.isoformat() == "2025-04-01T07:00:00+00:00"
    assert len(second.one_liner) <= 120
    assert second.summary.summary.startswith(HEADLINE.strip())
    assert still_open.ended_at is None
    assert still_open.importance == 10
    assert "missing" in gone.one_liner
    (profile,) = found["profiles"]
    assert profile.preferences == "Short answers.\nNo emoji 🙃."
    assert profile.pinned_facts == ["Lives in Köln", "שלום"]
    contents = [chunk.content for chunk in found["chunks"]]
    assert contents[1] == "Noted: שלום 🚀 日本語"
    assert "".join(contents[4:6]) == "x" * 1_000_500
    assert {chunk.session for chunk in found["chunks"]} == {FIRST, SECOND, gone.id}


def test_facts_keep_their_confidence_and_their_end(tmp_path: Path) -> None:
    tabs, importer, thursdays = read(older_file(tmp_path / "memory.db", 2))[0]["facts"]
    assert (tabs.confidence, tabs.session, tabs.deprecated_at) == (0.9, FIRST, None)
    assert (importer.category, importer.confidence, importer.session) == ("codebase", 1.0, None)
    assert (thursdays.confidence, thursdays.deprecation_reason) == (1.0, "changed our mind")
    assert thursdays.deprecated_at is not None
    assert read(older_file(tmp_path / "v1.db", 1))[0]["facts"][2].deprecated_at is None


def test_knowledge_names_people_and_keeps_a_long_title(tmp_path: Path) -> None:
    reviews, habit, old = read(older_file(tmp_path / "memory.db", 1))[0]["knowledge"]
    assert (reviews.status, reviews.promoted_by, reviews.approved_by) == ("approved", "ada.old", "ada.old")
    assert (habit.category, habit.promoted_by, habit.importance) == ("pattern", "someone", 1)
    assert habit.content.startswith("T" * 100)
    assert "'habit'" in habit.review_notes
    assert old.status == "deprecated"


def test_ids_are_the_same_at_every_reading_and_differ_between_files(tmp_path: Path) -> None:
    path = older_file(tmp_path / "memory.db", 3)
    once, again = read(path)[0], read(path)[0]
    assert once == again
    ids = [
        record.id for section in ("sessions", "chunks", "facts", "hypotheses", "knowledge") for record in once[section]
    ]
    assert len(set(ids)) == len(ids)
    other = read(older_file(tmp_path / "other.db", 3, more="UPDATE facts SET fact = 'Another one.' WHERE id = 1"))[0]
    assert other["facts"][0].id != once["facts"][0].id
    assert other["facts"][1].id == once["facts"][1].id


def test_of_several_users_the_one_of_that_name_imports_their_own_rows(tmp_path: Path) -> None:
    bob = f"INSERT INTO users VALUES ('{BOB}', 'bob', NULL, 'curator', '2025-01-01 00:00:00', NULL);"
    bob += f"INSERT INTO facts(user_id, category, fact) VALUES ('{BOB}', 'identity', 'Is Bob.')"
    path = older_file(tmp_path / "memory.db", 3, more=bob)
    found, _ = read(path, "bob")
    assert [user.username for user in found["users"]] == ["ada.old"]
    assert [(fact.text, fact.user) for fact in found["facts"]][-1] == ("Is Bob.", None)
    assert {fact.user for fact in found["facts"][:-1]} == {ADA}


def test_reading_changes_nothing_and_leaves_nothing_beside_the_file(tmp_path: Path) -> None:
    path = older_file(tmp_path / "old" / "memory.db", 3)
    before = path.read_bytes()
    read(path)
    assert path.read_bytes() == before
    assert [each.name for each in path.parent.iterdir()] == ["memory.db"]


def test_what_is_still_in_the_log_is_read_too(tmp_path: Path) -> None:
    path = older_file(tmp_path / "memory.db", 2)
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("UPDATE facts SET fact = 'Only in the log.' WHERE id = 1")
    writer.commit()
    assert read(path)[0]["facts"][0].text == "Only in the log."
    writer.close()


REFUSED = {
    "a newer version": "PRAGMA user_version = 4",
    "a newer version in its table": "CREATE TABLE schema_version(version); INSERT INTO schema_version VALUES (9)",
    "no facts": "DROP TABLE facts",
    "a column that is computed": "ALTER TABLE facts ADD COLUMN more AS (hex(zeroblob(300000000)))",
    "a computed column elsewhere": "CREATE TABLE other(a, b AS (hex(zeroblob(300000000))))",
    "facts of a module": "DROP TABLE facts; CREATE VIRTUAL TABLE facts USING fts5(id, fact)",
    "facts that are computed": "DROP TABLE facts; CREATE VIEW facts AS SELECT 1 AS id",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_such_memory_is_refused(tmp_path: Path, name: str) -> None:
    path = older_file(tmp_path / "memory.db", 3, more=REFUSED[name])
    with pytest.raises(BigMindError, match="not a memory of the older BigMind") as refusal:
        OlderFile(path, "ada")
    assert refusal.value.code is Code.INVALID_INPUT


@pytest.mark.parametrize(
    ("table", "column"),
    [("users", "username"), ("sessions", "id"), ("facts", "fact"), ("conversation_chunks", "seq")],
)
def test_a_table_that_lacks_a_column_is_refused_by_both_names(tmp_path: Path, table: str, column: str) -> None:
    file = older_file(tmp_path / "memory.db", 3, more=f"ALTER TABLE {table} RENAME COLUMN {column} TO lost_{column}")
    with pytest.raises(BigMindError) as caught:
        read(file)
    assert caught.value.code is Code.INVALID_INPUT
    assert caught.value.message.endswith(f": its table {table} has no column {column}.")


def test_a_condition_of_a_table_is_not_computed(tmp_path: Path) -> None:
    """It could be anything; a check that does not hold shows that it is not looked at."""
    path = older_file(tmp_path / "memory.db", 3)
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.executescript("CREATE TABLE other(a CHECK (a = 1)); INSERT INTO other VALUES (2)")
    connection.close()
    assert read(path)[0]["facts"]


def test_two_spellings_of_one_id_are_two_sessions(tmp_path: Path) -> None:
    bare = SECOND.replace("-", "")
    more = f"INSERT INTO sessions(id, user_id, started_at, one_liner) VALUES ('{bare}', '{ADA}', '2025-01-01', 'Bare');"
    more += f"UPDATE conversation_chunks SET session_id = '{bare}' WHERE session_id = '{GONE}'"
    found, older = read(older_file(tmp_path / "memory.db", 3, more=more))
    ids = {session.one_liner: session.id for session in found["sessions"]}
    assert len(set(ids.values())) == len(found["sessions"]) == 4
    assert {chunk.session for chunk in found["chunks"]} == {FIRST, SECOND, ids["Bare"]}
    assert not [each for each in older.left_out if each.table == "sessions"]


def test_of_two_profiles_of_one_user_the_second_is_named(tmp_path: Path) -> None:
    nobody = "INSERT INTO identity_profile VALUES ('p2', 'nobody', 'r', 'p', '', NULL)"
    found, older = read(older_file(tmp_path / "memory.db", 3, more=nobody))
    assert [profile.role for profile in found["profiles"]] == ["Backend engineer"]
    assert [each.row for each in older.left_out if each.table == "identity_profile"] == ["p2"]


def test_moments_with_one_number_get_the_next_ones(tmp_path: Path) -> None:
    path = older_file(tmp_path / "memory.db", 3, more=f"UPDATE conversation_chunks SET seq = {2**31 - 2}")
    older = OlderFile(path, "ada")
    chunks = [record for section, _, record in OlderSource(older).records() if section == "chunks"]
    older.close()
    seqs = [chunk.seq for chunk in chunks if chunk.session == FIRST]
    assert seqs == [2**31 - 2, 2**31 - 1, 1]


def test_a_cut_or_damaged_file_is_refused(tmp_path: Path) -> None:
    whole = older_file(tmp_path / "memory.db", 3).read_bytes()
    for number, content in enumerate((b"", b"{}", whole[:20_000], whole[:4096] + b"\xff" * (len(whole) - 4096))):
        path = tmp_path / f"{number}.db"
        path.write_bytes(content)
        with pytest.raises(BigMindError, match="not a memory of the older BigMind"):
            OlderFile(path, "ada")


def test_the_old_place_is_below_the_home_folder(tmp_path: Path) -> None:
    assert old_file(tmp_path) is None
    path = older_file(tmp_path / ".mcp" / "bigmind" / "memory.db", 1)
    assert old_file(tmp_path) == path
    with path.open("rb") as file:
        assert is_sqlite(file)
    with Path(__file__).open("rb") as file:
        assert not is_sqlite(file)


def test_a_file_with_more_users_than_any_team_has_is_refused(tmp_path: Path) -> None:
    numbers = f"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MOST_USERS})"
    many = f"{numbers} INSERT INTO users SELECT 'id-' || i, 'user ' || i, NULL, 'member', '2025-01-01', NULL FROM n;"
    path = older_file(tmp_path / "memory.db", 3, more=many)
    with pytest.raises(BigMindError, match=r"more than 10,000 users"):
        read(path)


def test_of_a_user_no_more_is_kept_than_a_name(tmp_path: Path) -> None:
    long = "x" * 3_000_000
    bob = f"INSERT INTO users VALUES ('{long}', '{long}', '{long}', 'curator', '2025-01-01 00:00:00', NULL);"
    bob += f"INSERT INTO facts(user_id, category, fact) VALUES ('{long}', 'identity', 'Is Bob.')"
    path = older_file(tmp_path / "memory.db", 3, more=bob)
    with closing(OlderFile(path, "ada.old")) as older:
        assert max(len(text) for pair in older._users.items() for text in pair) <= 1_000
    found, _ = read(path, "ada.old")
    [user] = found["users"]
    assert [fact.user for fact in found["facts"] if fact.text == "Is Bob."] == [user.id]
