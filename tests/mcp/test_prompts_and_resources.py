"""Instructions, prompts, resources and completions through the official client."""

import re
from pathlib import Path

import pytest
from mcp import Client, MCPError
from mcp_types import PromptReference, ResourceTemplateReference

from bigmind.core.ids import new_id
from bigmind.core.toolsets import DEFAULT_TOOLS
from bigmind.memory.context.instructions import rules
from tests.mcp.clients import MODES, end_server_of, good, new_word, over_http, over_stdio
from tests.memory.oracle import o200k
from tests.support import Server
from tests.thorough import turn

RULES = rules(None)

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("shared_server")]


async def read(client: Client, uri: str) -> str:
    (content,) = (await client.read_resource(uri)).contents
    assert content.mime_type == "text/markdown"
    assert str(content.uri) == uri
    return content.text


async def prompt(client: Client, name: str, **arguments: str) -> str:
    (message,) = (await client.get_prompt(name, arguments)).messages
    assert message.role == "user"
    return message.content.text


@pytest.mark.parametrize("mode", turn(MODES, 0))
async def test_the_server_tells_the_rules_before_anything_is_called(shared_server: Server, mode: str):
    async with over_http(shared_server, mode) as client:
        assert client.server_info.name == "bigmind"
        assert client.instructions == RULES
        for step in ("FIRST", "memory_start_session", "WHILE", "memory_flag_important", "LAST", "memory_end_session"):
            assert step in client.instructions
        assert "call memory_get_context" in client.instructions
        assert o200k(rules(frozenset(DEFAULT_TOOLS))) < 300
        assert o200k(client.instructions) < 450  # with all toolsets, which few are offered
        capabilities = client.server_capabilities
        for offered in ("tools", "prompts", "resources", "completions"):
            assert getattr(capabilities, offered) is not None


async def test_the_rules_come_over_stdio_too(home: Path):
    async with over_stdio(home) as client:
        assert client.instructions == RULES
    end_server_of(home)


@pytest.mark.parametrize("mode", turn(MODES, 1))
async def test_there_are_three_prompts_and_two_of_work(shared_server: Server, mode: str):
    async with over_http(shared_server, mode) as client:
        prompts = {each.name: each for each in (await client.list_prompts()).prompts}
        assert list(prompts) == ["bigmind_init", "bigmind_end", "bigmind_recall", "work_begin", "work_end"]
        assert all(each.title and each.description for each in prompts.values())
        (topic,) = prompts["bigmind_recall"].arguments
        assert (topic.name, topic.required) == ("topic", True)
        word = new_word()
        await good(client, "memory_update_profile", pinned_facts=[word])
        begun = await prompt(client, "bigmind_init")
        assert begun.startswith(RULES)
        assert "call memory_start_session now" in begun
        assert f"### 📌 Pinned facts\n- {word}" in begun
        ended = await prompt(client, "bigmind_end")
        assert "memory_end_session" in ended
        recalled = await prompt(client, "bigmind_recall", topic=f" the\n{word} ")
        assert recalled.startswith(f"Find out what the memory holds about: the {word}\n")
        assert "{" not in recalled


@pytest.mark.parametrize(
    ("toolsets", "listed"),
    [
        ("default", ["bigmind_init", "bigmind_end", "bigmind_recall"]),
        ("work", ["bigmind_init", "bigmind_end", "bigmind_recall", "work_begin", "work_end"]),
        ("mindspace", ["bigmind_init", "bigmind_end", "bigmind_recall"]),
        ("protocol", ["bigmind_init"]),
    ],
)
async def test_a_prompt_without_a_step_for_the_tools_that_are_offered_is_not_listed_and_refused(
    shared_server: Server, toolsets: str, listed: list[str]
):
    arguments = {"bigmind_recall": {"topic": "doors"}}
    async with over_http(shared_server, toolsets=toolsets) as client:
        assert [each.name for each in (await client.list_prompts()).prompts] == listed
        for name in ("bigmind_init", "bigmind_end", "bigmind_recall", "work_begin", "work_end"):
            if name in listed:
                assert "\n1. " in await prompt(client, name, **arguments.get(name, {}))
                continue
            with pytest.raises(MCPError, match=f"Not offered: {name} has no step for the tools of this client") as told:
                await prompt(client, name, **arguments.get(name, {}))
            assert str(told.value).endswith(f"There are {', '.join(listed)}.")


async def test_the_first_prompt_knows_of_the_session_that_is_open(server: Server):
    async with over_http(server, "legacy") as client:
        assert "call memory_start_session now" in await prompt(client, "bigmind_init")
        _, opened = await good(client, "memory_start_session")
        begun = await prompt(client, "bigmind_init")
        assert (
            f"The session {opened['session_id']} of this conversation is open already: do not start another." in begun
        )
        assert "memory_start_session now" not in begun
    async with over_http(server, "legacy") as other:
        begun = await prompt(other, "bigmind_init")
        assert f"The session {opened['session_id']} of this client is open since " in begun
        assert "else call memory_start_session now" in begun


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("bigmind_recall", {}, "topic: got nothing"),
        ("bigmind_recall", {"topic": " \n"}, "topic: got nothing"),
        ("bigmind_begin", {}, "There are bigmind_init, bigmind_end, bigmind_recall, work_begin, work_end"),
    ],
)
async def test_a_prompt_that_cannot_be_given_says_why(shared_server: Server, name: str, arguments: dict, said: str):
    async with over_http(shared_server) as client:
        with pytest.raises(MCPError, match=said):
            await client.get_prompt(name, arguments)


async def test_a_topic_with_braces_or_of_any_length_is_taken_as_it_is(shared_server: Server):
    async with over_http(shared_server) as client:
        assert "about: {topic} {0} %s\n" in await prompt(client, "bigmind_recall", topic="{topic} {0} %s")
        assert len(await prompt(client, "bigmind_recall", topic="x" * 9_000)) < 1_500


@pytest.mark.parametrize("mode", turn(MODES, 2))
async def test_resources_show_what_the_tools_stored(server: Server, mode: str):
    async with over_http(server, mode) as client:
        assert [str(each.uri) for each in (await client.list_resources()).resources] == [
            "memory://context",
            "memory://profile",
            "memory://hypotheses",
            "memory://knowledge",
            "brain://highways",
            "brain://domains",
            "work://tasks",
            "mindspace://tree",
            "mindspace://scope",
            "session://state",
            "session://checklist",
            "session://history",
            "session://violations",
            "session://handoff",
        ]
        templates = (await client.list_resource_templates()).resource_templates
        assert [each.uri_template for each in templates] == [
            "memory://sessions/{id}",
            "brain://thought/{id}",
            "work://tasks/{slug}",
            "work://process/{name}",
            "mindspace://node/{id}",
            "session://runs/{id}/state",
            "session://skills/{name}",
        ]
        assert "The profile is empty" in await read(client, "memory://profile")
        assert "No facts are stored yet." in await read(client, "memory://profile")
        assert "No hypotheses" in await read(client, "memory://hypotheses")
        assert "No company knowledge is approved." in await read(client, "memory://knowledge")
        assert "Nothing is stored yet." in await read(client, "memory://context")
    async with over_http(server, mode) as client:  # a client may keep what it read for a while
        _, opened = await good(client, "memory_start_session")
        session_id = opened["session_id"]
        await good(client, "memory_update_profile", role="Analyst")
        await good(client, "memory_store_fact", category="decision", fact="Brass")
        await good(client, "memory_add_hypothesis", hypothesis="It may compose")
        await good(client, "memory_promote_to_global", category="standard", title="Wheels", content="Of brass.")
        await good(client, "memory_end_session", one_liner="Metals", topics=[], outcome="", summary="Told.")
        profile = await read(client, "memory://profile")
        assert "**Role:** Analyst" in profile
        assert re.search(r"\*\*\[decision\]\*\* \(1\.0 · .*\) Brass", profile)
        assert re.search(r"\(0\.7 · .*\) It may compose", await read(client, "memory://hypotheses"))
        assert await read(client, "memory://knowledge") == (await good(client, "memory_list_global"))[0]
        assert "Wheels\n  > Of brass." in await read(client, "memory://knowledge")
        _, context = await good(client, "memory_get_context")
        assert (await read(client, "memory://context")).partition("\n\n")[2] == context["context"].partition("\n\n")[2]
        detail, _ = await good(client, "memory_get_session_detail", session_id=session_id)
        for reference in (session_id, session_id[:8]):
            assert await read(client, f"memory://sessions/{reference}") == detail


@pytest.mark.parametrize(
    ("uri", "said"),
    [
        ("memory://nothing", "Unknown resource: memory://nothing. There are memory://context"),
        ("memory://sessions/ffffffff", "There is no session 'ffffffff'"),
        ("memory://sessions/abc", "session_id: got 'abc'"),
        ("file:///etc/passwd", "Unknown resource"),
    ],
)
@pytest.mark.parametrize("mode", turn(MODES, 3))
async def test_a_resource_that_does_not_exist_is_named(shared_server: Server, mode: str, uri: str, said: str):
    async with over_http(shared_server, mode) as client:
        with pytest.raises(MCPError) as caught:
            await client.read_resource(uri)
        assert said in str(caught.value)


@pytest.mark.parametrize("mode", turn(MODES, 4))
async def test_topics_and_session_ids_are_completed(shared_server: Server, mode: str):
    topic = f"{new_word()} topic"
    async with over_http(shared_server, mode) as client:
        _, opened = await good(client, "memory_start_session", topics=[topic])
        completed = await client.complete(
            PromptReference(name="bigmind_recall"), {"name": "topic", "value": topic[:6].upper()}
        )
        assert completed.completion.values == [topic]
        completed = await client.complete(
            ResourceTemplateReference(uri="memory://sessions/{id}"), {"name": "id", "value": opened["session_id"][:8]}
        )
        assert completed.completion.values == [opened["session_id"]]
        completed = await client.complete(PromptReference(name="bigmind_recall"), {"name": "topic", "value": new_id()})
        assert completed.completion.values == []


async def test_at_most_a_hundred_values_are_completed(server: Server):
    async with over_http(server) as client:
        for start in range(0, 120, 20):
            await good(client, "memory_start_session", topics=[f"t{n:03}" for n in range(start, start + 20)])
        completion = (
            await client.complete(PromptReference(name="bigmind_recall"), {"name": "topic", "value": "t"})
        ).completion
        assert (len(completion.values), completion.total, completion.has_more) == (100, 120, True)
