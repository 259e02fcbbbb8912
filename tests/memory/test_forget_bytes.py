"""What was forgotten is found nowhere in the data folder, byte for byte; and the scan that says so can find it."""

import random
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bigmind.core.operation import Surface
from bigmind.memory.tables import SessionTopic
from tests.memory.forgettable import KINDS, Call, Thing, fill
from tests.memory.living import Memory
from tests.memory.rows import START, fact, session
from tests.memory.traces import traces
from tests.support import running_server
from tests.thorough import often

FORGETS = often(50, 5)
KEPT = 3
"""Things of each kind that are not forgotten, and must still be whole."""


def within(memory: Memory) -> Call:
    """Runs operations in this process, each write with a key, so that its answer is kept for a retry."""
    operations = {each.name: each for each in memory.mind.dispatcher.catalogue.on(Surface.API)}
    keys = iter(range(1_000_000))

    def call(name: str, **arguments: Any) -> dict[str, Any]:
        run = memory.mind.dispatcher.run
        return run(operations[name], memory.caller, arguments, f"key-{next(keys)}").model_dump(mode="json")

    return call


def forget_at_random(call: Call, home: Path, backups: int = 2) -> list[Thing]:
    """Fill a store with backups in between, forget fifty things in any order, and look for each at once."""
    things: list[Thing] = []
    for number in range(backups):
        things += fill(call, (FORGETS // len(KINDS) + KEPT) // backups + 1, seed=number)
        call("backup_create")
    fill(call, 1, seed=99)  # so that the log holds something too
    draw = random.Random(7)
    draw.shuffle(things)
    gone, stay = things[:FORGETS], things[FORGETS:]
    for thing in gone:
        before = traces(home, thing.patterns)
        assert any(name.startswith("backups/") for name in before), thing
        assert any(name.startswith("bigmind.db") for name in before), thing
        answer = call("memory_forget", id=thing.id, confirm=True)
        assert traces(home, thing.patterns) == {}, (thing, answer)
        assert answer["overwritten"]
        assert answer["backups_cleaned"]
        assert answer["backups_left"] == []
    assert_whole(home, stay)
    return stay


def assert_whole(home: Path, things: list[Thing]) -> None:
    """The control: what was not forgotten is still there, in the store's files and in a backup."""
    for thing in things:
        assert len(traces(home, thing.patterns)) >= 2, thing


def test_random_things_leave_no_byte_behind(person: Memory, home: Path):
    call = within(person)
    stay = forget_at_random(call, home)
    assert len(stay) >= KEPT
    assert person.mind.store.integrity() == []
    backups = call("backup_list", verify=True)["backups"]
    assert len(backups) == 2
    assert [each["problem"] for each in backups] == [""] * 2


@pytest.mark.slow
def test_random_things_leave_no_byte_behind_a_running_server(home: Path):
    with running_server(home) as server:
        forget_at_random(server.call, home)
        assert server.call("memory_health_check")["ok"]
    assert server.process.returncode == 0


def test_deleting_alone_leaves_bytes_in_the_log(person: Memory, home: Path):
    """A control of the scan: this is what forgetting must do more than."""
    [thing] = [each for each in fill(within(person), 1) if each.kind == "fact"]
    delete_fact(person, thing.id)
    assert "bigmind.db-wal" in traces(home, thing.patterns)
    assert person.mind.store.scrub()
    assert traces(home, thing.patterns) == {}


def test_without_secure_delete_bytes_stay_in_the_file(person: Memory, home: Path):
    """Another: the log is emptied, and what was deleted is not overwritten."""
    [thing] = [each for each in fill(within(person), 1) if each.kind == "fact"]
    with person.mind.store.alone() as connection:
        connection.execute("PRAGMA secure_delete=OFF")
    delete_fact(person, thing.id)
    with person.mind.store.alone() as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
        connection.execute("PRAGMA secure_delete=ON")
    assert "bigmind.db" in traces(home, thing.patterns)
    assert person.mind.store.scrub()
    assert traces(home, thing.patterns) == {}


def delete_fact(person: Memory, uid: str) -> None:
    with person.mind.store.write(person.caller, "test") as work:
        work.session.execute(text("DELETE FROM receipt"))
        work.session.execute(text("DELETE FROM fact WHERE uid = :uid"), {"uid": uid})


def test_secure_delete_alone_leaves_words_that_writing_anew_removes(person: Memory, home: Path):
    """FTS5 separates its leaves by words of rows that are gone, and pages that were balanced keep old copies."""
    numbers = list(range(100_000, 109_000))
    random.Random(1).shuffle(numbers)
    rows = [
        (start // 3, " ".join(f"ticket{each}" for each in numbers[start : start + 3])) for start in range(0, 9_000, 3)
    ]
    person.insert(*(fact(START, said, id=key + 1) for key, said in rows))
    gone = random.Random(2).sample(rows, 1_000)
    store = person.mind.store
    with store.write(person.caller, "test") as work:
        for key, _ in gone:
            work.session.execute(text("DELETE FROM fact WHERE id = :key"), {"key": key + 1})
    with store.alone() as connection:
        assert connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone() == (0, 0, 0)
    patterns = {word.encode() for _, said in gone for word in said.split()}
    assert traces(home, patterns)
    assert store.scrub()
    assert traces(home, patterns) == {}
    assert store.integrity() == []


def test_what_the_planner_sampled_is_forgotten_too(person: Memory, home: Path):
    topics = [f"topic{number:05}" for number in range(300)]
    sessions = [session(START, id=number) for number in range(1, 301)]
    person.insert(*sessions)
    person.insert(*(SessionTopic(session_id=number, topic=topic, position=0) for number, topic in enumerate(topics, 1)))
    with person.mind.store.alone() as connection:
        connection.execute("ANALYZE")
        sampled = connection.execute("SELECT sample FROM sqlite_stat4 WHERE idx = 'ix_session_topic_topic'")
        samples = b" ".join(each for (each,) in sampled).decode("latin-1")
    known = next(topic for topic in topics if topic in samples)
    person("memory_forget", id=sessions[topics.index(known)].uid)
    assert traces(home, {known.encode()}) == {}
