"""Where the store cannot be read or written, nothing moves: the brain is down, and the item stays as it is."""

import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.errors import HTTP_STATUS, BigMindError, Code
from tests.mindspace.grove import Grove
from tests.store.contract.backends import BACKENDS
from tests.work.office import TITLE, Office, Worker

HOLDS = """
import sqlite3, sys
other = sqlite3.connect(sys.argv[1], timeout=0, isolation_level=None)
other.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
other.execute("ROLLBACK")
"""


@contextmanager
def paused(office: Office) -> Generator[None]:
    activity = office.memory.mind.store.host.activity
    activity.pause(paused=True)
    yield
    activity.pause(paused=False)


@contextmanager
def held_by_another_process(office: Office) -> Generator[None]:
    store: Any = office.memory.mind.store
    with store._writer.connect() as connection:
        connection.connection.cursor().execute("PRAGMA busy_timeout=1")  # the product waits for five seconds
    command = [sys.executable, "-c", HOLDS, str(store.path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline().strip() == b"held"  # Windows ends a line its own way
        yield
        other.communicate(timeout=60)


@contextmanager
def full_disk(office: Office) -> Generator[None]:
    store = office.memory.mind.store
    with store.alone() as connection:
        BACKENDS[0].fill(connection)
        connection.execute("CREATE TEMP TABLE before_full AS SELECT 1")
        while connection.execute("PRAGMA freelist_count").fetchone()[0]:
            connection.execute("CREATE TABLE IF NOT EXISTS padding (text)")
            connection.execute("INSERT INTO padding VALUES (zeroblob(2000))")
    yield
    with store.alone() as connection:
        connection.execute("PRAGMA max_page_count=1073741823")


@contextmanager
def full_pages(office: Office) -> Generator[None]:
    """A full disk, with no room left in the ledger's last pages either."""
    filler, slug = office.agent("filler"), office.task("Fill the walrus")
    with full_disk(office):
        with pytest.raises(BigMindError):
            move_in_vain(filler, slug)
        yield


def move_in_vain(worker: Worker, slug: str) -> None:
    """Each time it is written down that it was refused."""
    for _ in range(1_000):
        worker.stays(slug, "review")


@contextmanager
def damaged(office: Office) -> Generator[None]:
    store = office.memory.mind.store
    with store.alone() as connection:
        [[page]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'fact'").fetchall()
        [[size]] = connection.execute("PRAGMA page_size").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = store.path.read_bytes()
    written(store.path, (page - 1) * size, b"\xff" * 64)
    assert store.look()
    yield
    written(store.path, (page - 1) * size, whole[(page - 1) * size :][:64])
    assert not store.look()


def written(path: Path, at: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(at)
        file.write(data)


Trouble = Callable[[Office], AbstractContextManager[None]]


@pytest.fixture
def cursor(office: Office) -> Worker:
    return office.agent("cursor")


@pytest.mark.parametrize("trouble", [paused, held_by_another_process, full_disk, damaged])
def test_a_move_says_that_the_brain_is_down_and_the_item_stays(office: Office, cursor: Worker, trouble: Trouble):
    slug = office.task()
    cursor.ask()
    before = office.rows("SELECT * FROM work_item"), office.rows("SELECT * FROM work_ledger")
    with trouble(office):
        fields = {"found": "x" * 15_000}  # what a full disk has no room for
        refused = cursor.refuses("work_transition", slug=slug, to="active", fields=fields)
    assert (refused.code, HTTP_STATUS[refused.code]) == (Code.BRAIN_UNAVAILABLE, 503)
    assert "Retry after 30 seconds: wait, and never go round it." in refused.hint
    assert (office.rows("SELECT * FROM work_item"), office.rows("SELECT * FROM work_ledger")) == before
    cursor.moves(slug, "active")


@pytest.mark.parametrize("trouble", [paused, held_by_another_process, full_pages, damaged])
def test_a_node_stays_too_and_so_does_what_is_handed_over(office: Office, cursor: Worker, trouble: Trouble):
    grove = Grove(office)
    node, other = grove.make("Weigh the heron"), grove.make("Wash the quartz")
    grove.claim(node)
    assert grove.submit(node).accepted
    grove.learn(node)
    cursor.ask("Wash the quartz")
    with trouble(office):
        before = all_of_it(office)
        for place, target in ((node, "review"), (other, "active")):
            refused = cursor.refuses("mindspace_book_transition", node_id=place, target_state=target)
            assert (refused.code, refused.hint[:23]) == (Code.BRAIN_UNAVAILABLE, "Retry after 30 seconds:")
    assert all_of_it(office) == before
    grove.books(node, "review")
    grove.books(other, "active")


@pytest.mark.parametrize("trouble", [paused, held_by_another_process, full_pages, damaged])
def test_a_persons_yes_is_not_given_either_and_says_why(office: Office, cursor: Worker, trouble: Trouble):
    slug = office.task()
    cursor.claim(slug)
    cursor.learn()
    cursor.moves(slug, "review")
    revision = office.item(slug).revision
    with trouble(office):
        before = all_of_it(office)
        note = "x" * 900  # what a full disk has no room for
        refused = [
            office.person.refuses("work_confirm", slug=slug, revision=revision, note=note),
            office.person.refuses("work_transition", slug=slug, to="complete", revision=revision, reason=note),
        ]
    assert [each.code for each in refused][1] is Code.BRAIN_UNAVAILABLE
    assert refused[0].code in {Code.UNAVAILABLE, Code.STORE_UNUSABLE, Code.STORE_IN_USE, Code.STORAGE_FULL}
    assert all(each.message and each.hint for each in refused)
    assert all_of_it(office) == before
    office.yes(slug)


def all_of_it(office: Office) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of work."""
    tables = office.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'work_*'")
    return {name: office.rows(f'SELECT * FROM "{name}"') for (name,) in tables if "_fts" not in name}


def test_with_the_brains_tools_switched_off_nothing_passes_and_that_is_said(office: Office, cursor: Worker):
    """A person switched them off: who cannot ask starts nothing, and no way round it opens."""
    slug = office.task()
    session = cursor.ask()
    office.forward(minutes=61)
    office.person("tools_serve", tool="brain", served=False)
    assert cursor.refuses("query_brain", prompt=TITLE).code is Code.FORBIDDEN
    for fields in ({}, {"memory_query_session": session}):
        told = cursor.stays(slug, "active", fields=fields)
        assert "it is more than an hour old" in told
    assert office.rows("SELECT state, holder, revision FROM work_item") == [("pending", "", 1)]
    office.person("tools_serve", tool="brain")
    cursor.claim(slug)


def test_without_a_model_the_brain_is_not_down(office: Office, cursor: Worker):
    """This office has none: its brain goes by words."""
    slug = office.task()
    assert cursor("query_brain", prompt=TITLE).trace.retrieval_method == "words"
    cursor.moves(slug, "active")


def test_other_faults_stay_what_they_are(cursor: Worker):
    assert cursor.refuses("work_transition", slug="none-such", to="active").code is Code.NOT_FOUND
    assert cursor.refuses("work_transition", slug="none-such", to="").code is Code.INVALID_INPUT
