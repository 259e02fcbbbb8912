"""A store's file that was moved away or replaced under a running server: told in words, nothing is made or lost."""

import os
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.backup.files import Reason
from bigmind.backup.service import backup_now
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.paths import store_file
from bigmind.store.store import Store
from bigmind.wiring import Mind
from tests.store.using import Run, found, keep
from tests.support import Server

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows moves no file that is in use")

MANY = 24
"""More than there are connections of readers."""


def refused(use: Callable[[], Any]) -> str:
    """What is said of a use that is refused because of the file."""
    with pytest.raises(BigMindError) as refusal:
        use()
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "end BigMind and start it again" in refusal.value.hint
    return refusal.value.message


@pytest.fixture
def away(home: Path) -> Path:
    return home / "away.db"


def test_a_server_whose_file_is_away_for_a_moment_says_so_and_goes_on_when_it_is_back(server: Server) -> None:
    file, away = store_file(server.home), server.home / "away.db"
    with server.http() as http, ThreadPoolExecutor(MANY) as together:

        def post(operation: str, **arguments: object) -> httpx.Response:
            return http.post(f"/api/v1/{operation}", json=arguments)

        def all_answers() -> list[httpx.Response]:
            asked = [together.submit(post, "memory_semantic_search", query="gate") for _ in range(MANY)]
            told = [each.result() for each in asked]
            told.append(post("memory_store_fact", category="decision", fact="The wall is white"))
            return told + [post(each) for each in ("memory_list_facts", "work_list_tasks", "memory_health_check")]

        assert post("memory_store_fact", category="decision", fact="The gate is green").status_code == 200
        file.rename(away)
        for answer in all_answers():
            assert (answer.status_code, answer.json()["code"]) == (503, "store_unusable"), answer.text
            assert "bigmind.db" in answer.text
        assert not file.exists()
        away.rename(file)
        for answer in all_answers():
            assert answer.status_code == 200, answer.text
        facts = {each["fact"] for each in post("memory_list_facts").json()["facts"]}
        assert facts == {"The gate is green", "The wall is white"}
    assert server.stop() == 0
    store = Store(server.home)
    assert store.integrity() == []
    store.close()


def test_a_server_whose_file_is_away_can_be_ended(server: Server) -> None:
    store_file(server.home).rename(server.home / "away.db")
    with server.http() as http:
        assert http.post("/api/v1/server_stop", json={}).status_code == 200
    server.process.wait(30)
    assert not store_file(server.home).exists()


def test_what_is_written_while_the_file_goes_is_not_stored(
    mind: Mind, caller: Caller, run: Run, home: Path, away: Path
) -> None:
    kept = keep(run, "The first card.")

    def write_while_it_goes() -> None:
        with mind.store.write(caller, "test") as work:
            work.session.connection()
            store_file(home).rename(away)

    assert "gone" in refused(write_while_it_goes)
    assert "gone" in refused(lambda: keep(run, "The second card."))
    away.rename(store_file(home))
    assert found(run, "card") == [kept]
    assert keep(run, "The third card.")
    assert mind.store.integrity() == []


def test_nothing_is_read_from_written_to_or_taken_from_a_file_that_stands_in_its_place(
    mind: Mind, run: Run, home: Path, away: Path
) -> None:
    file, store = store_file(home), mind.store
    kept = keep(run, "The first card.")
    file.rename(away)
    shutil.copyfile(away, file)
    other = file.read_bytes()

    def emptied() -> None:
        with store.alone() as connection:
            connection.execute("DELETE FROM chunk")

    uses: list[Callable[[], Any]] = [
        lambda: found(run, "card"),
        lambda: keep(run, "The second card."),
        lambda: backup_now(store, Reason.MANUAL),
        emptied,
    ]
    for use in uses:
        assert "replaced by another" in refused(use)
    assert store.look() == ()
    assert file.read_bytes() == other
    away.replace(file)
    assert found(run, "card") == [kept]
    assert keep(run, "The second card.")
    assert store.integrity() == []
