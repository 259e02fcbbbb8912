"""The tools that write and read files, through the official client, with an agent's token and a person's."""

import json
from pathlib import Path

import pytest

from bigmind.core.ids import new_id
from tests.mcp.clients import MODES, bad, good, over_http
from tests.mcp.manifest import shows
from tests.support import Server, running_server
from tests.thorough import crossed

pytestmark = pytest.mark.anyio

CLIENTS = ("cli", "bridge")


@shows("memory_export.writes", "memory_import.merges")
@pytest.mark.parametrize(("client", "mode"), crossed(CLIENTS, MODES))
async def test_what_one_memory_exports_another_imports_once(server: Server, tmp_path: Path, mode: str, client: str):
    path = tmp_path / "memory.json"
    async with over_http(server, mode, client) as one:
        await good(one, "memory_start_session", project="engine", topics=["export"])
        await good(one, "memory_flag_important", content="שלום 🚀 word for word", flag_reason="greeting")
        await good(one, "memory_store_fact", category="decision", fact="Uses brass")
        text, answer = await good(one, "memory_export", output_path=str(path))
        assert (answer["path"], answer["bytes"]) == (str(path), path.stat().st_size)
        assert answer["records"]["chunks"] == answer["records"]["facts"] == 1
        assert text.startswith(f"Exported to {path}")
    with running_server(tmp_path / "other") as other:
        async with over_http(other, mode, client) as two:
            text, told = await good(two, "memory_import", path=str(path), dry_run=True)
            assert told["changed"]
            assert "would change this" in text
            _, listed = await good(two, "memory_list_facts")
            assert listed["facts"] == []
            text, done = await good(two, "memory_import", path=str(path))
            assert done["sections"] == told["sections"]
            assert done["backup"] in text
            _, listed = await good(two, "memory_list_facts")
            assert [row["fact"] for row in listed["facts"]] == ["Uses brass"]
            _, found = await good(two, "memory_search_chunks", query="word for word")
            assert [hit["project"] for hit in found["hits"]] == ["engine"]
            text, again = await good(two, "memory_import", path=str(path))
            assert not again["changed"]
            assert "changed nothing" in text


@shows("memory_import.replaces")
async def test_replace_brings_back_what_was_exported(server: Server, tmp_path: Path):
    path = tmp_path / "memory.json"
    async with over_http(server) as client:
        await good(client, "memory_store_fact", category="decision", fact="Before")
        await good(client, "memory_export", output_path=str(path))
        await good(client, "memory_store_fact", category="decision", fact="Steel after all")
        _, done = await good(client, "memory_import", path=str(path), mode="replace")
        told = {each["section"]: (each["removed"], each["unchanged"]) for each in done["sections"]}
        assert told == {"facts": (1, 1)}
        _, listed = await good(client, "memory_list_facts")
        assert [row["fact"] for row in listed["facts"]] == ["Before"]


@shows("memory_export.overwrites_nothing")
async def test_an_export_is_written_over_nothing(server: Server, tmp_path: Path):
    path = tmp_path / "memory.json"
    path.write_text("mine")
    for client in CLIENTS:
        async with over_http(server, client=client) as connected:
            text, error = await bad(connected, "memory_export", output_path=str(path))
            assert error["code"] == "conflict"
            assert "Nothing is overwritten" in text
    assert path.read_text() == "mine"


@shows("memory_import.all_or_nothing")
async def test_a_damaged_export_names_the_record_and_the_field_and_changes_nothing(server: Server, tmp_path: Path):
    path = tmp_path / "memory.json"
    async with over_http(server) as client:
        await good(client, "memory_store_fact", category="decision", fact="Before")
        await good(client, "memory_export", output_path=str(path))
        document = json.loads(path.read_text(encoding="utf-8"))
        document["facts"] += [document["facts"][0] | {"id": new_id(), "confidence": "high"}]
        path.write_text(json.dumps(document))
        text, error = await bad(client, "memory_import", path=str(path), mode="replace")
        assert error["code"] == "invalid_input"
        assert [each["field"] for each in error["fields"]] == ["facts[2].confidence"]
        assert "Record 2 of facts is not valid; nothing was imported." in text
        _, listed = await good(client, "memory_list_facts")
        assert [row["fact"] for row in listed["facts"]] == ["Before"]


@shows("memory_export.keeps_agents_in", "memory_import.keeps_agents_in")
async def test_an_agent_reaches_neither_hidden_folders_nor_other_files(server: Server, tmp_path: Path):
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "secret.toml").write_text("password")
    async with over_http(server, client="bridge") as agent:
        for place in (tmp_path / ".hidden" / "a.json", Path(tmp_path.anchor, "etc", "a.json"), server.home / "a.json"):
            _, error = await bad(agent, "memory_export", output_path=str(place))
            assert error["code"] == "forbidden", place
        for place in (tmp_path / "secret.toml", Path(tmp_path.anchor, "etc", "passwd"), server.home / "tokens" / "cli"):
            text, error = await bad(agent, "memory_import", path=str(place))
            assert error["code"] == "forbidden", place
            assert "password" not in text
    async with over_http(server) as person:
        await good(person, "memory_export", output_path=str(tmp_path / ".hidden" / "a.json"))
