"""A profile that an older BigMind stored is found after the upgrade."""

from pathlib import Path

import pytest

from tests.memory.living import living
from tests.store.past import past_store
from tests.store.using import raw_connection


@pytest.mark.parametrize("revision", ["0001", "0017"])
def test_a_profile_of_before_is_found_and_waits_for_its_vector(revision: str, tmp_path: Path) -> None:
    past_store(tmp_path, revision)
    connection = raw_connection(tmp_path)
    connection.execute("""UPDATE profile SET pinned_facts = '["Keeps a falcon", "Wrote getUserById"]'""")
    connection.close()
    with living(tmp_path) as memory:
        for query, excerpt in (("falcon", "Keeps a **falcon**"), ("user", "Wrote get**User**ById")):
            [hit] = memory("memory_semantic_search", query=query, kinds=["profile"]).hits
            assert (hit.field, hit.excerpt) == ("pinned fact", excerpt)
        assert memory.mind.store.integrity() == []
    connection = raw_connection(tmp_path)
    waiting = connection.execute("SELECT item, owner FROM embedding_queue WHERE kind = 'profile'").fetchall()
    connection.close()
    assert waiting == [(1, 1)]
