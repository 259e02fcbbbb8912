"""The tools that look after the memory, through the official client; what is for people, by the command line."""

import json

import pytest
from mcp import Client

from bigmind.core.ids import new_id
from bigmind.store.sqlite.seals import seal_all
from tests.mcp.clients import MODES, bad, good, new_word, over_http
from tests.mcp.manifest import shows
from tests.memory.test_indexed import INDEXES
from tests.memory.traces import traces
from tests.nursery import Done
from tests.store.using import raw_connection
from tests.support import Server, completed
from tests.thorough import turn

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("shared_server")]


def command_line(server: Server, *arguments: str) -> Done:
    """Run a `bigmind` command of the server's home."""
    return completed(server.home, *arguments)


@shows("memory_health_check.finds")
@pytest.mark.parametrize("mode", turn(MODES, 0))
async def test_a_finding_names_its_remedy_and_is_gone_after_it(server: Server, mode: str):
    async with over_http(server, mode) as client:
        _, opened = await good(client, "memory_start_session")
        await good(client, "memory_end_session", one_liner="Brass", topics=["wheels"], outcome="ok")
        text, health = await good(client, "memory_health_check")
        [finding] = [each for each in health["findings"] if each["code"] == "sessions_without_detail"]
        assert finding["examples"] == [opened["session_id"]]
        assert "memory_end_session" in finding["remedy"]
        assert "**sessions_without_detail** 1: Closed sessions of which only a line is known." in text
        assert f"({opened['session_id'][:8]}) → memory_end_session" in text
        told = {"one_liner": "Brass", "topics": ["wheels"], "outcome": "ok", "summary": "All of it"}
        await good(client, "memory_end_session", session_id=finding["examples"][0], **told)
        _, health = await good(client, "memory_health_check")
        assert "sessions_without_detail" not in {each["code"] for each in health["findings"]}
        assert "the full-text indexes" in health["checked"]


@shows("memory_vacuum.prunes", "memory_vacuum.dry_run")
@pytest.mark.parametrize("mode", turn(MODES, 1))
async def test_only_what_is_old_enough_is_pruned(server: Server, mode: str):
    old, young = new_word(), new_word()
    async with over_http(server, mode) as client:
        _, opened = await good(client, "memory_start_session")
        for word in (old, young):
            await good(client, "memory_flag_important", content=f"about {word}", flag_reason="r")
        made_older(server, old)
        text, pruned = await good(client, "memory_vacuum", days=30, dry_run=True)
        assert (pruned["moments"], pruned["sessions"], pruned["dry_run"]) == (1, 1, True)
        assert text.startswith("Would prune 1 moment older than 30 days")
        assert await hits(client, old) == 1
        text, pruned = await good(client, "memory_vacuum", days=30)
        assert (pruned["moments"], pruned["dry_run"]) == (1, False)
        assert text.startswith("Pruned 1 moment older than 30 days, of 1 session")
        assert [await hits(client, word) for word in (old, young)] == [0, 1]
        _, detail = await good(client, "memory_get_session_detail", session_id=opened["session_id"])
        assert detail["session"]["chunks"] == 1


def made_older(server: Server, word: str) -> None:
    """Date a moment back, as no client can."""
    connection = raw_connection(server.home)
    connection.execute("PRAGMA busy_timeout=5000")
    changed = connection.execute(
        "UPDATE chunk SET created_at = '2020-01-01 00:00:00.000000' WHERE content = ?", (f"about {word}",)
    )
    assert changed.rowcount == 1
    seal_all(connection)  # else it is damage
    connection.close()


async def hits(client: Client, word: str) -> int:
    """How many of the moments that are found hold the word: what stands beside one in its session may come with it."""
    _, found = await good(client, "memory_search_chunks", query=word)
    return [hit["excerpt"] for hit in found["hits"]].count(f"about **{word}**")


@shows("memory_get_stats.counts")
async def test_statistics_count_every_tier_and_the_backups(server: Server):
    async with over_http(server) as client:
        await good(client, "memory_promote_to_global", category="decision", title="Brass", content="Wheels")
        _, stats = await good(client, "memory_get_stats")
        assert (stats["knowledge"], stats["backups"], stats["newest_backup_at"]) == (1, 0, None)
        assert stats["bytes_on_disk"] > stats["bytes_of_log"] > 0
        size = server.call("backup_create")["bytes"]
        text, stats = await good(client, "memory_get_stats")
        assert (stats["backups"], stats["bytes_of_backups"]) == (1, size)
        assert stats["newest_backup_at"]
        assert "Tier G: 1 entry of company knowledge (0 pending)" in text


async def test_forgetting_is_no_tool_but_a_command(server: Server):
    word = new_word()
    async with over_http(server) as client:
        _, stored = await good(client, "memory_store_fact", category="decision", fact=f"about {word}")
        uid = stored["fact"]["fact_id"]
        server.call("backup_create")
        _, error = await bad(client, "memory_forget", id=uid)
        assert error["code"] == "not_found"
        assert traces(server.home, {word.encode()})
        done = command_line(server, "memory", "forget", uid[:8], "--yes")
        assert done.returncode == 0, done.stderr
        assert f"Removed for good: fact {uid[:8]}" in done.stdout
        assert traces(server.home, {word.encode()}) == {}
        _, listed = await good(client, "memory_list_facts")
        assert listed["total"] == 0
    again = command_line(server, "memory", "forget", uid[:8])
    assert again.returncode == 1
    assert "There is no memory" in again.stderr


async def test_indexes_are_made_anew_by_a_command(server: Server):
    server.call("memory_store_fact", category="decision", fact="Brass wheels")
    done = command_line(server, "memory", "reindex", "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["indexes"] == INDEXES
    assert answer["queued"] > 0
    assert (answer["problems"], answer["changed"]) == ([], 0)
    pruned = command_line(server, "memory", "vacuum", "30", "--dry-run")
    assert "Would prune 0 moments older than 30 days" in pruned.stdout
    assert "Checked: the store's file" in command_line(server, "memory", "health-check").stdout


async def test_an_unknown_id_and_a_mistyped_kind_are_named(server: Server):
    unknown = command_line(server, "memory", "forget", new_id())
    assert (unknown.returncode, "There is no memory" in unknown.stderr) == (1, True)
    mistyped = command_line(server, "memory", "forget", new_id(), "--kind", "thing")
    assert mistyped.returncode == 2
    assert (
        "'session', 'chunk', 'fact', 'hypothesis', 'knowledge', 'profile', 'thought', 'brain_query', 'work_item' or "
        "'protocol_run'" in mistyped.stderr
    )
