"""Pruning old moments: what goes, what stays, and that it is backed up first when it is much."""

import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import text
from sqlmodel import col, select

from bigmind.backup.files import backups_in
from bigmind.backup.service import backup_now
from bigmind.core.errors import Code
from bigmind.core.ids import new_id
from bigmind.core.operation import Presence, Role
from bigmind.maintenance.pruning import YOUNGEST_FOR_AGENTS, _put_off_words, prune_changes
from bigmind.memory.tables import Chunk
from bigmind.store.tables import ChangeRow
from bigmind.text.words import index_terms
from tests.memory.living import Memory, living
from tests.memory.rows import START, session
from tests.memory.traces import traces

OLD_DAYS = 30


def moments(
    memory: Memory, number: int, *, days_old: int, content: str = "brass wheel {}", has_detail: bool = True
) -> None:
    """Put moments of one closed session into the caller's memory."""
    at = memory.clock.now - timedelta(days=days_old)
    opened = session(at, user_id=memory.caller.user_id, one_liner="Wheels", has_detail=has_detail)
    memory.insert(opened)
    said = [content.format(each) for each in range(number)]
    memory.insert(
        *(
            Chunk(
                uid=new_id(),
                user_id=memory.caller.user_id,
                session_id=opened.id or 0,
                client="tester",
                role="user",
                content=each,
                flag_reason="r",
                terms=index_terms(each),
                seq=place,
                created_at=at,
            )
            for place, each in enumerate(said, 1)
        )
    )


def found(memory: Memory, query: str) -> int:
    return len(memory("memory_search_chunks", query=query, limit=100).hits)


def test_old_moments_go_and_their_sessions_stay(memory: Memory):
    moments(memory, 3, days_old=OLD_DAYS + 1)
    moments(memory, 4, days_old=OLD_DAYS - 1)
    answer = memory("memory_vacuum", days=OLD_DAYS)
    assert (answer.moments, answer.sessions, answer.dry_run) == (3, 1, False)
    assert answer.bytes_of_text == 3 * len("brass wheel 0")
    assert "3 moments older than 30 days, of 1 session (" in answer.as_text()
    assert found(memory, "brass") == 4
    assert memory("memory_list_sessions").total == 2
    assert memory.mind.store.integrity() == []


def test_a_dry_run_says_the_same_and_removes_nothing(memory: Memory):
    moments(memory, 3, days_old=OLD_DAYS + 1)
    answer = memory("memory_vacuum", days=OLD_DAYS, dry_run=True)
    assert (answer.moments, answer.sessions, answer.bytes_freed) == (3, 1, 0)
    assert "Would prune 3 moments" in answer.as_text()
    assert found(memory, "brass") == 3
    assert memory("memory_vacuum", days=OLD_DAYS).moments == 3
    assert memory("memory_vacuum", days=OLD_DAYS).moments == 0


@pytest.mark.parametrize("number", [1, 3, 450])
def test_the_newest_moment_of_a_session_without_a_summary_stays_unless_all_is_given(memory: Memory, number: int):
    backup_now(memory.mind.store, "before-prune")
    moments(memory, number, days_old=OLD_DAYS + 2, has_detail=False)
    moments(memory, 2, days_old=OLD_DAYS + 1, content="zinc {}")
    dry = memory("memory_vacuum", days=OLD_DAYS, dry_run=True)
    counted = (dry.moments, dry.sessions, dry.moments_without_detail, dry.sessions_without_detail, dry.newest_kept)
    assert counted == (number + 1, 1 + (number > 1), number - 1, int(number > 1), 1)
    assert "Kept: the newest moment of 1 session without a summary." in dry.as_text()
    assert dry.in_words().endswith("Pass all=true to remove what is kept, too.")
    assert (f"{number - 1:,} of them belong to 1 session without a summary." in dry.as_text()) is (number > 1)

    assert memory("memory_vacuum", days=OLD_DAYS).moments == number + 1
    [left] = memory("memory_search_chunks", query="brass").hits
    assert f"wheel {number - 1}" in left.excerpt.replace("**", "")
    assert memory("memory_vacuum", days=OLD_DAYS).moments == 0

    dry = memory("memory_vacuum", days=OLD_DAYS, dry_run=True, all=True)
    assert (dry.moments, dry.moments_without_detail, dry.newest_kept) == (1, 1, 0)
    assert memory("memory_vacuum", days=OLD_DAYS, all=True).moments == 1
    assert found(memory, "brass") == 0


def test_an_old_moment_of_a_session_without_a_summary_goes_when_a_newer_one_is_there(memory: Memory):
    moments(memory, 3, days_old=OLD_DAYS + 1, has_detail=False)
    with memory.mind.store.write(memory.caller, "test") as work:
        last = work.session.exec(select(Chunk).where(col(Chunk.seq) == 3)).one()
        last.created_at = memory.clock.now
        work.session.add(last)
    answer = memory("memory_vacuum", days=OLD_DAYS)
    assert (answer.moments, answer.moments_without_detail, answer.newest_kept) == (2, 2, 0)


def test_more_than_a_batch_is_backed_up_first_and_the_file_shrinks(memory: Memory, home: Path):
    moments(memory, 450, days_old=OLD_DAYS + 1, content=f"brass {'wheel ' * 300}{{}}")
    size = memory.mind.store.size_in_bytes()
    answer = memory("memory_vacuum", days=OLD_DAYS)
    assert answer.moments == 450
    assert answer.bytes_freed == size - memory.mind.store.size_in_bytes()
    assert answer.bytes_freed > answer.bytes_of_text / 2
    [backup] = backups_in(home / "backups")
    assert backup.path.name == answer.backup
    assert backup.info is not None
    assert (backup.info.reason, backup.info.tables["chunk"].rows) == ("before-prune", 450)


def test_a_fifth_of_all_is_backed_up_first_too(memory: Memory, home: Path):
    backup_now(memory.mind.store, "before-prune")
    moments(memory, 2, days_old=OLD_DAYS + 1)
    moments(memory, 8, days_old=1)
    assert memory("memory_vacuum", days=OLD_DAYS).backup is None
    assert len(backups_in(home / "backups")) == 1
    moments(memory, 3, days_old=OLD_DAYS + 1)
    assert memory("memory_vacuum", days=OLD_DAYS).backup is not None


def test_what_is_pruned_bit_by_bit_is_in_a_backup_of_each_day(person: Memory, home: Path):
    for days in range(1, 41):
        moments(person, 1, days_old=days)
    first = person("memory_vacuum", days=40 - 1)
    assert (first.moments, first.backup is not None) == (1, True)
    assert [person("memory_vacuum", days=40 - bit).backup for bit in range(2, 8)] == [None] * 6
    [backup] = backups_in(home / "backups")
    assert backup.info is not None
    assert (backup.path.name, backup.info.tables["chunk"].rows) == (first.backup, 40)
    person.clock.forward(days=1)
    assert person("memory_vacuum", days=32).backup is not None
    person.clock.forward(days=-3)  # no backup of the days to come is known by this clock
    assert person("memory_vacuum", days=26).backup is not None


def test_nothing_is_pruned_when_it_cannot_be_backed_up(memory: Memory, home: Path):
    moments(memory, 101, days_old=OLD_DAYS + 1)
    (home / "backups").write_text("a file where the folder should be")
    error = memory.refuses("memory_vacuum", days=OLD_DAYS)
    assert error.code in {Code.STORE_UNUSABLE, Code.UNAVAILABLE}
    assert memory("memory_get_context")
    with memory.mind.store.read(memory.caller, "test") as work:
        assert work.session.execute(text("SELECT count(*) FROM chunk")).scalar_one() == 101


def test_others_moments_stay(person: Memory):
    bob = person.of("bob")
    moments(bob, 2, days_old=OLD_DAYS + 1)
    moments(person, 1, days_old=OLD_DAYS + 1)
    assert person("memory_vacuum", days=1).moments == 1
    assert found(bob, "brass") == 2


YOUNG_DAYS = range(1, YOUNGEST_FOR_AGENTS)


@pytest.mark.parametrize("whole", [False, True])
@pytest.mark.parametrize("dry_run", [False, True])
def test_an_agent_prunes_nothing_that_is_younger_than_thirty_days(memory: Memory, *, dry_run: bool, whole: bool):
    for days in (0, *YOUNG_DAYS):
        moments(memory, 1, days_old=days, has_detail=days % 2 == 0)
    for days in YOUNG_DAYS:
        error = memory.refuses("memory_vacuum", days=days, dry_run=dry_run, all=whole)
        assert (error.code, error.problems[0].field) == (Code.FORBIDDEN, "days")
        assert memory.refuses("memory_vacuum", days=str(days), dry_run=dry_run, all=whole).code
    for days in (YOUNGEST_FOR_AGENTS, 36_500):
        assert memory("memory_vacuum", days=days, dry_run=dry_run, all=whole).moments == 0
    assert found(memory, "brass") == YOUNGEST_FOR_AGENTS


def test_whose_role_is_the_highest_is_an_agent_all_the_same(memory: Memory):
    moments(memory, 1, days_old=2)
    for presence in (each for each in Presence if not each.is_in_person):
        for role in Role:
            agent = replace(memory, caller=replace(memory.caller, presence=presence, role=role))
            assert agent.refuses("memory_vacuum", days=1).code is Code.FORBIDDEN


def test_a_person_prunes_what_is_young(person: Memory):
    for days in YOUNG_DAYS:
        moments(person, 1, days_old=days, has_detail=True)
    assert person("memory_vacuum", days=1).moments == len(YOUNG_DAYS) - 1


def test_what_was_pruned_leaves_no_byte_in_the_store(memory: Memory, home: Path):
    backup_now(memory.mind.store, "before-prune")
    moments(memory, 2, days_old=OLD_DAYS + 1, content="zwetschgenmus {}")
    moments(memory, 20, days_old=1)
    assert memory("memory_vacuum", days=OLD_DAYS).backup is None
    assert traces(home, {b"zwetschgenmus", b"zwetschgenmu"}) == {}


def test_each_session_that_lost_moments_is_told(memory: Memory):
    moments(memory, 2, days_old=OLD_DAYS + 1)
    told = []
    memory.mind.store.events.subscribe(told.append)
    memory("memory_vacuum", days=OLD_DAYS)
    uid = memory("memory_list_sessions").sessions[0].session_id
    assert [(each.kind, each.entity, each.action) for each in told] == [("session", uid, "pruned")]


@pytest.mark.parametrize("days", [0, -1, 36_501, "soon"])
def test_days_are_bounded(memory: Memory, days: object):
    assert memory.refuses("memory_vacuum", days=days).problems[0].field == "days"
    assert memory("memory_vacuum", days=36_500).moments == 0


def test_the_audit_log_keeps_a_year_and_the_newest_entries_and_goes_on_counting(memory: Memory):
    for _ in range(3):
        memory("memory_update_profile", role="x")

    def numbers() -> list[int]:
        with memory.mind.store.read(memory.caller, "test") as work:
            return [key for (key,) in work.session.execute(text("SELECT id FROM change ORDER BY id"))]

    def old(number: int) -> ChangeRow:
        about = {"user_id": 1, "client": "c", "operation": "o", "kind": "fact", "entity": "e", "action": "created"}
        return ChangeRow(id=1_000 + number, at=START - timedelta(days=400), **about)

    memory.insert(*(old(number) for number in range(50)))
    last = numbers()[-1]
    assert prune_changes(memory.mind.store) == 0  # of the newest 100,000
    assert [prune_changes(memory.mind.store, kept=10, at_once=25) for _ in range(3)] == [25, 50 - 25 - 10, 0]
    assert numbers()[-1] == last
    young = [number for number in numbers() if number < 1_000]
    assert len(young) >= 3  # younger than a year, however many are newer
    memory("memory_update_profile", role="y")
    assert numbers()[-1] == last + 1


def test_a_process_killed_while_it_pruned_leaves_an_index_that_is_set_right_at_the_next_start(
    memory: Memory, home: Path, tmp_path: Path
):
    moments(memory, 5, days_old=OLD_DAYS + 1, content="zwetschgenmus {}")
    _put_off_words(memory.mind.store)
    with memory.mind.store.write(memory.caller, "test") as work:
        work.session.execute(text("DELETE FROM chunk"))
    left = tmp_path / "left"
    shutil.copytree(home, left)
    assert traces(left, {b"zwetschgenmu"})
    with living(left) as again:
        with again.mind.store.alone() as connection:
            for index in ("chunk_fts", "chunk_grams"):
                query = f"SELECT v FROM {index}_config WHERE k = 'secure-delete'"
                assert connection.execute(query).fetchone() == (1,)
        assert again.mind.store.integrity() == []
        assert traces(left, {b"zwetschgenmus", b"zwetschgenmu"}) == {}
