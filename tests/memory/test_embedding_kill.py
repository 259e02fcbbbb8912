"""Kill -9 in the middle of the embedding, with the real model: all get their vectors, none twice; and nothing waits."""

import os
import random
import subprocess
from contextlib import closing
from pathlib import Path

import psutil
import pytest

from bigmind.core.ids import new_id
from bigmind.embedding.models import DEFAULT
from bigmind.memory.tables import Chunk
from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from bigmind.text.words import index_terms
from tests.memory.living import living
from tests.memory.rows import START, session
from tests.support import (
    Server,
    bridge_command,
    environment,
    have_ended,
    process_wait,
    running_server,
    start_server,
)
from tests.thorough import often

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("embedding")]

WORDS = "brass wheel loom card engine thread pattern lever crank spindle".split()  # noqa: SIM905
ENDING_SECONDS = 10
MANY = int(os.environ.get("BIGMIND_TEST_MOMENTS", str(often(300, 100))))
"""Moments that are embedded between the kills; 10,000 take a minute or two on a quiet machine."""
SOME = often(300, 100)
LONGEST_SECONDS = 1_200


def fill(home: Path, many: int) -> None:
    """Moments of one session, of two words each."""
    with living(home) as memory:
        memory.insert(session(START, id=1, one_liner="Wheels", has_detail=True))
        memory.insert(*(moment(number) for number in range(many)))


def moment(number: int) -> Chunk:
    content = f"{WORDS[number % 10]} {number}"
    return Chunk(
        uid=new_id(), user_id=1, session_id=1, client="tester", role="user", content=content, flag_reason="r",
        terms=index_terms(content), seq=number + 1, created_at=START,
    )  # fmt: skip


def looked_up(home: Path, query: str) -> int:
    with closing(sound_driver().connect(f"{store_file(home).as_uri()}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchone()[0]


def embedded(home: Path) -> int:
    return looked_up(home, "SELECT count(*) FROM embedding")


def children(server: Server) -> list[psutil.Process]:
    return psutil.Process(server.process.pid).children()


def embedding_goes_on(server: Server, until: int) -> None:
    """Wait until so many have vectors."""
    for _ in range(int(LONGEST_SECONDS / 0.02)):
        if embedded(server.home) >= until:
            return
        process_wait(server.process, 0.02)
        assert server.process.poll() is None
    raise AssertionError(f"{embedded(server.home)} of {until} are embedded")


def is_done(home: Path, many: int) -> bool:
    """Every moment and the session have one vector, and nothing waits."""
    assert looked_up(home, "SELECT count(*) FROM embedding_queue") == 0
    assert looked_up(home, "SELECT count(*) FROM embedding WHERE kind = 'chunk'") == many
    assert looked_up(home, "SELECT count(DISTINCT item) FROM embedding WHERE kind = 'chunk'") == many
    assert (
        looked_up(home, "SELECT count(*) FROM embedding WHERE kind = 'chunk' AND item NOT IN (SELECT id FROM chunk)")
        == 0
    )
    assert embedded(home) == many + 1
    return True


def killed_in_the_middle(home: Path, many: int, kills: int, seed: int) -> None:
    fill(home, many)
    draw = random.Random(seed)
    for number in range(kills):
        server = start_server(home, BIGMIND_MEANING="on")
        embedding_goes_on(server, until=max(1, many * number // (kills + 1)))
        process_wait(server.process, draw.random() / 3)
        embedders = children(server)
        server.kill()
        server.process.stderr.close()
        # Its end of the pipe is gone, and so it ends by itself.
        assert have_ended(embedders, ENDING_SECONDS)
        there = embedded(home)
        assert looked_up(home, "SELECT count(*) FROM embedding_queue") == many + 1 - there
    with running_server(home, BIGMIND_MEANING="on") as server:
        embedding_goes_on(server, until=many + 1)
        assert is_done(home, many)
        # The one that is asked for is found by meaning, by its vector.
        hits = server.call("memory_semantic_search", query="loom 2", limit=3)
        assert "words_only" not in {name for name, value in hits.items() if value}
        stats = server.call("memory_get_stats")
        assert (stats["embedded"], stats["waiting"]) == (many + 1, 0)


def test_a_server_that_is_killed_while_it_embeds_loses_nothing_and_does_nothing_twice(home: Path):
    killed_in_the_middle(home, MANY, kills=often(3, 1) + MANY // 2_000, seed=4)


def test_a_killed_embedder_is_started_again(home: Path):
    fill(home, SOME)
    with running_server(home, BIGMIND_MEANING="on") as server:
        embedding_goes_on(server, until=SOME // 3)
        for each in children(server):
            each.kill()
        embedding_goes_on(server, until=SOME + 1)
        assert is_done(home, SOME)


def test_what_was_just_stored_is_found_by_its_words_and_status_says_how_it_is(home: Path):
    fill(home, often(200, 50))
    with running_server(home, BIGMIND_MEANING="on") as server:
        server.call("memory_start_session", topics=["zeppelin"])
        for number in range(5):
            word = f"zwetschgenmus{number}"
            server.call("memory_flag_important", content=f"We keep the {word} cool.", flag_reason="r")
            for search in ("memory_search_chunks", "memory_semantic_search"):
                assert word in str(server.call(search, query=word)["hits"][0])
        told = server.call("server_status")["meaning"]
        assert told.startswith(DEFAULT)
        command = [*bridge_command()[:1], "status"]
        said = subprocess.run(command, env=environment(home), capture_output=True, text=True, check=True).stdout
        assert f"Search by meaning: {DEFAULT}" in said
