"""The stdio bridge: speaks for the official client, starts the server, and ends with its client."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp_types import Implementation

from bigmind.local.runfile import published
from tests.local.wire import SECONDS, Bridge, bridge, running_pid, servers_of, texts_in
from tests.support import bridge_command, environment, have_ended, process_wait, running_server

HEAVY = {"pydantic", "sqlmodel", "sqlalchemy", "litestar", "mcp", "typer", "rich", "uvicorn", "anyio", "alembic"}

SLOW_TO_IMPORT = {"http.client", "email", "ssl", "subprocess", "logging", "asyncio"}
"""Of the standard library: a client waits for the bridge's start, and a model for each hook's."""


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_the_official_client_uses_it_in_both_eras_and_with_no_server_running(home: Path, mode: str) -> None:
    command, *arguments = bridge_command()
    transport = stdio_client(
        StdioServerParameters(command=command, args=arguments, env=environment(home)), errlog=sys.__stderr__
    )
    about = Implementation(name="ada's editor", version="1")
    async with Client(transport, mode=mode, read_timeout_seconds=SECONDS, client_info=about) as client:
        assert client.server_info.name == "bigmind"
        assert "memory_start_session" in client.instructions
        listed = await client.list_tools()
        assert {"memory_start_session", "memory_store_fact"} <= {tool.name for tool in listed.tools}
        opened = await client.call_tool("memory_start_session", {"project": "engine"})
        assert not opened.is_error
        stored = await client.call_tool("memory_store_fact", {"category": "decision", "fact": "Fifty digits."})
        assert stored.structured_content is None
        assert re.match(r"Stored fact [0-9a-f]{8} \[decision\]", stored.content[0].text)
        refused = await client.call_tool("memory_store_fact", {"category": "decision"})
        assert refused.is_error
        assert (await client.list_prompts()).prompts
        assert (await client.list_resources()).resources
    assert texts_in(home, "SELECT client FROM fact") == ["bridge/ada-s editor"]


def test_two_bridges_at_once_on_an_empty_home_end_with_one_server(home: Path) -> None:
    with bridge(home) as left, bridge(home) as right:
        numbers = [each.send("ping") for each in (left, right)]
        assert [each.next_answer()["id"] for each in (left, right)] == numbers
        losers = [each for each in servers_of(home) if each.pid != running_pid(home)]
        assert have_ended(losers, SECONDS)
        assert [each.pid for each in servers_of(home)] == [running_pid(home)]
        left.ask_tool("memory_start_session")
        left.ask_tool("memory_store_fact", category="decision", fact="Fifty digits.")
        assert right.ask_tool("memory_list_facts")["facts"][0]["fact"] == "Fifty digits."


def test_the_server_outlives_the_bridge_that_started_it(home: Path) -> None:
    with bridge(home) as first:
        first.ask("ping")
        pid = running_pid(home)
    with bridge(home) as second:
        second.ask("ping")
        assert running_pid(home) == pid


def test_it_names_its_client(home: Path) -> None:
    with running_server(home), bridge(home, "--client", "vim") as client:
        client.initialize()  # calls itself `wire`
        client.ask_tool("memory_start_session")
    assert texts_in(home, "SELECT client FROM session") == ["bridge/vim"]


@pytest.mark.parametrize("arguments", [["--client"], ["--name", "vim"], ["--agent"], ["--client", "vim", "more"]])
def test_a_wrong_command_line_is_told(home: Path, arguments: list[str]) -> None:
    done = subprocess.run(
        bridge_command(*arguments), env=environment(home), check=False, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert "usage: bigmind mcp" in done.stderr
    assert not home.exists()


def test_it_ends_with_its_input(home: Path) -> None:
    with running_server(home), bridge(home) as client:
        client.ask("ping")
        assert client.close() == 0


def test_it_ends_with_its_input_while_the_server_is_starting(home: Path) -> None:
    client = Bridge(home, by_command=True)
    while not servers_of(home):
        process_wait(client.process, 0.005)
    assert published(home) is None
    assert client.close() == 0


def test_it_answers_what_it_was_asked_before_its_input_ended(home: Path) -> None:
    client = Bridge(home)
    number = client.send("ping")
    client.process.stdin.close()
    assert client.next_answer() == {"jsonrpc": "2.0", "id": number, "result": {}}
    assert client.close() == 0


def test_it_ends_when_nobody_reads_its_answers(home: Path) -> None:
    with (
        running_server(home),
        subprocess.Popen(
            bridge_command(), env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE
        ) as process,
    ):
        process.stdout.close()
        process.stdin.write(b'{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n')
        process.stdin.flush()
        assert process.wait(SECONDS) == 0
        process.stdin.close()


def modules_of(code: str, home: Path) -> set[str]:
    """What was imported when `code` is over, told on standard error."""
    told, leaving = "print(*sys.modules, file=sys.stderr, flush=True)", "leave = os._exit\n"
    before = f"import atexit, os, sys; atexit.register(lambda: {told}); {leaving}"
    before += f"os._exit = lambda code: ({told}, leave(code))\n"
    done = subprocess.run(
        [sys.executable, "-c", before + code],
        env=environment(home),
        input='{"jsonrpc": "2.0", "id": 1, "method": "ping"}\n',
        check=False,
        capture_output=True,
        text=True,
    )
    if "mcp" in code:
        assert json.loads(done.stdout)["result"] == {}
    return {name.split(".")[0] for name in done.stderr.split()} | set(done.stderr.split())


def test_it_imports_almost_nothing(home: Path) -> None:
    with running_server(home):
        modules = modules_of("sys.argv = ['bigmind', 'mcp']; from app.main import main; main()", home)
        assert {"bigmind.mcp.bridge", "httptools", "bigmind.local.connection"} <= modules
        assert modules & (HEAVY | SLOW_TO_IMPORT) == set()
        assert not [name for name in modules if name.startswith(("bigmind.store", "bigmind.memory", "app.headless"))]


def test_the_check_of_imports_sees_what_another_command_imports(home: Path) -> None:
    modules = modules_of("sys.argv = ['bigmind', 'version']; from app.main import main; main()", home)
    assert {"pydantic", "sqlmodel", "typer", "rich"} <= modules & HEAVY
