"""The official Inspector, over HTTP and stdio: it lists, calls, reads and gets what BigMind offers."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from bigmind.core.operation import Surface
from bigmind.wiring import catalogue
from tests.conformance.judges import INSPECTOR, node
from tests.support import Server, bridge_command
from tests.thorough import crossed, turn

pytestmark = [pytest.mark.node, pytest.mark.xdist_group("conformance")]

TOOL_ERROR = 5
"""The Inspector's exit code when a tool says that its input was wrong."""


@dataclass(frozen=True)
class Said:
    """What the Inspector printed, and how it ended."""

    code: int
    output: str
    errors: str

    @property
    def result(self) -> dict[str, Any]:
        return json.loads(self.output)["result"]

    @property
    def text(self) -> str:
        return self.result["content"][0]["text"]


@dataclass(frozen=True)
class Inspector:
    """The Inspector's command line, pointed at a server over one transport."""

    server: Server
    folder: Path
    transport: str

    def __call__(self, method: str, *arguments: str) -> Said:
        asked = ["--cli", *self._target(), "--format", "json", "--method", method, *arguments]
        done = node(INSPECTOR, *asked, home=self.folder)
        return Said(done.returncode, done.stdout, done.stderr)

    def _target(self) -> list[str]:
        if self.transport == "http":
            token = f"Authorization: Bearer {self.server.token()}"
            return [f"{self.server.address}/mcp?toolsets=all&structured=1", "--transport", "http", "--header", token]
        told = ["-e", f"BIGMIND_HOME={self.server.home}", "-e", "BIGMIND_TOOLSETS=all", "-e", "BIGMIND_STRUCTURED=1"]
        return [*bridge_command(), "--transport", "stdio", *told]


TRANSPORTS, ERAS = ("http", "stdio"), ("legacy", "modern")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Over both transports, of both eras, in a thorough run; in the gate each of them in its turn."""
    if "era" in metafunc.fixturenames:
        metafunc.parametrize(("inspector", "era"), crossed(TRANSPORTS, ERAS), indirect=["inspector"])
    elif "inspector" in metafunc.fixturenames:
        by = turn(TRANSPORTS, crc32(metafunc.function.__name__.encode()))
        metafunc.parametrize("inspector", by, indirect=True)


@pytest.fixture
def inspector(request: pytest.FixtureRequest, shared_server: Server, tmp_path: Path) -> Inspector:
    return Inspector(shared_server, tmp_path, request.param)


def test_it_lists_every_tool_and_finds_every_schema_portable(inspector: Inspector, era: str) -> None:
    listed = inspector("tools/list", "--strict", "--protocol-era", era)

    assert (listed.code, listed.errors) == (0, "")
    assert [tool["name"] for tool in listed.result["tools"]] == [each.name for each in catalogue().on(Surface.MCP)]


def test_it_calls_a_tool(inspector: Inspector, era: str) -> None:
    statement = f"The Inspector was here, over {inspector.transport}, {era}."
    fact = json.dumps({"category": "constraint", "fact": statement})

    stored = inspector(
        "tools/call", "--tool-name", "memory_store_fact", "--tool-args-json", fact, "--protocol-era", era
    )

    assert stored.code == 0, stored.errors
    assert stored.result["structuredContent"]["fact"]["fact"] == statement
    assert statement in inspector("tools/call", "--tool-name", "memory_list_facts").text


def test_it_shows_what_was_wrong_with_a_tools_input(inspector: Inspector) -> None:
    refused = inspector("tools/call", "--tool-name", "memory_store_fact", "--tool-args-json", '{"category": "x"}')

    assert (refused.code, refused.result["isError"]) == (TOOL_ERROR, True)
    assert "fact: got nothing; expected" in refused.text


def test_it_lists_and_reads_resources(inspector: Inspector) -> None:
    listed = inspector("resources/list").result["resources"]
    templates = inspector("resources/templates/list").result["resourceTemplates"]

    read = inspector("resources/read", "--uri", "memory://context").result["contents"]

    names = ("context", "profile", "hypotheses", "knowledge")
    brain = {"brain://highways", "brain://domains", "work://tasks", "mindspace://tree", "mindspace://scope"}
    runs = {f"session://{name}" for name in ("state", "checklist", "history", "violations", "handoff")}
    assert {each["uri"] for each in listed} == {f"memory://{name}" for name in names} | brain | runs
    named = {"memory://sessions/{id}", "brain://thought/{id}", "work://tasks/{slug}", "work://process/{name}"}
    named |= {"mindspace://node/{id}", "session://skills/{name}"}
    assert {each["uriTemplate"] for each in templates} == named | {"session://runs/{id}/state"}
    assert [(each["uri"], each["mimeType"]) for each in read] == [("memory://context", "text/markdown")]
    assert read[0]["text"].strip()


def test_it_is_told_which_resources_there_are(inspector: Inspector) -> None:
    missing = inspector("resources/read", "--uri", "memory://nothing")

    assert missing.code != 0
    assert "memory://profile" in missing.errors


def test_it_lists_and_gets_prompts(inspector: Inspector) -> None:
    listed = inspector("prompts/list").result["prompts"]
    plain = inspector("prompts/get", "--prompt-name", "bigmind_init").result["messages"]
    about = inspector("prompts/get", "--prompt-name", "bigmind_recall", "--prompt-args", "topic=the Inspector")

    assert [each["name"] for each in listed] == [
        "bigmind_init",
        "bigmind_end",
        "bigmind_recall",
        "work_begin",
        "work_end",
    ]
    assert "memory_start_session" in plain[0]["content"]["text"]
    assert "the Inspector" in about.result["messages"][0]["content"]["text"]


def test_without_a_token_it_gets_nothing(shared_server: Server, tmp_path: Path) -> None:
    target = ["--cli", f"{shared_server.address}/mcp", "--transport", "http", "--stored-auth-only"]
    refused = node(INSPECTOR, *target, "--method", "tools/list", home=tmp_path)

    assert refused.returncode != 0
    assert "auth_required" in refused.stderr
    assert not refused.stdout
