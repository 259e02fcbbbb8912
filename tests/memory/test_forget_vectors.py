"""Of what was forgotten no vector is left either: from a vector, much of its text can be guessed."""

from contextlib import closing
from pathlib import Path

import pytest

from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from tests.memory.forgettable import Thing, fill
from tests.memory.traces import traces
from tests.support import Server, process_wait, running_server

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("embedding")]

LONGEST_SECONDS = 240
VECTORS = """
SELECT vector, signs FROM embedding JOIN {kind} AS thing ON thing.id = embedding.item
WHERE embedding.kind = '{kind}' AND thing.{column} = ?
"""


def looked_up(home: Path, query: str, *values: object) -> list[tuple]:
    with closing(sound_driver().connect(f"{store_file(home).as_uri()}?mode=ro", uri=True)) as connection:
        return connection.execute(query, values).fetchall()


def all_is_embedded(server: Server) -> None:
    for _ in range(LONGEST_SECONDS * 10):
        if looked_up(server.home, "SELECT count(*) FROM embedding_queue") == [(0,)]:
            return
        process_wait(server.process, 0.1)
        assert server.process.poll() is None
    raise AssertionError("not everything was embedded")


def vectors_of(home: Path, thing: Thing) -> set[bytes]:
    """Those of the thing, and of a session's moments, with their signs."""
    found = looked_up(home, VECTORS.format(kind=thing.kind, column="uid"), thing.id)
    if thing.kind == "session":
        [(key,)] = looked_up(home, "SELECT id FROM session WHERE uid = ?", thing.id)
        found += looked_up(home, VECTORS.format(kind="chunk", column="session_id"), key)
    return {bytes(each) for row in found for each in row}


def test_no_byte_of_a_vector_stays_in_the_store_or_its_backups(home: Path):
    with running_server(home, BIGMIND_MEANING="on") as server:
        things = fill(server.call, 2)
        all_is_embedded(server)
        server.call("backup_create")
        fill(server.call, 1, seed=2)  # so that the log holds something too
        all_is_embedded(server)
        gone, stay = things[:5], things[5:]
        kept = set().union(*(vectors_of(home, thing) for thing in stay))
        for thing in gone:
            vectors = vectors_of(home, thing)
            assert vectors
            assert {len(vector) for vector in vectors} == {384, 384 // 8}
            before = traces(home, vectors)
            assert any(name.startswith("backups/") for name in before), thing
            assert any(name.startswith("bigmind.db") for name in before), thing
            server.call("memory_forget", id=thing.id, confirm=True)
            assert traces(home, vectors | thing.patterns) == {}
        assert all(set(found) == kept for name, found in traces(home, kept).items() if name.startswith("backups/"))
        assert server.call("memory_health_check")["ok"]
