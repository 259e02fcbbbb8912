"""What the model of a real Claude Code is given by each default tool: the text that the server answered, no more."""

import json
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from bigmind.core.toolsets import DEFAULT_TOOLS
from bigmind.people.token_format import TokenKind
from tests.clients.real import client_environment, commands_in, program
from tests.clients.stub_model import Calls, Says, stub_model
from tests.http.good import GOOD, ask, own_things
from tests.http.inside import server_inside

pytestmark = pytest.mark.xdist_group("claude_code_answers")

CLIENT = "claude-code"


@dataclass(frozen=True)
class Conversation:
    """One conversation in which each default tool was called: what the server answered, what the model was given."""

    offered: set[str]
    answered: dict[str, str]
    given: dict[str, object]


@pytest.fixture(scope="module")
def conversation(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Conversation]:
    folder = tmp_path_factory.mktemp("answers")
    person = folder / "ada"
    person.mkdir()
    commands_in(folder / "programs")
    with server_inside(folder / "data") as inside, stub_model() as model:
        ada = inside.caller(inside.token())
        ids = own_things(inside, "ada")
        ask(inside, ada, "memory_start_session", project="apollo")
        token = inside.token(kind=TokenKind.CLIENT, client=CLIENT)
        model.will(*(Calls(f"mcp__bigmind__{name}", GOOD[name](ids)) for name in DEFAULT_TOOLS), Says("Goodbye."))
        server = {
            "type": "http",
            "url": f"{inside.address}/mcp",
            "headers": {"Authorization": f"Bearer {token}"},
            "alwaysLoad": True,
        }
        answered: dict[str, str] = {}

        def note() -> None:  # the log keeps the last few of a client only
            served = inside.mind.store.host.activity.deliveries(ada.user_id, CLIENT)
            answered.update((each.source, each.text) for _, each in served)

        model.before_turn = note
        converse(person, model.address, json.dumps({"mcpServers": {"bigmind": server}}))
        yield Conversation(model.tools(), answered, dict(zip(DEFAULT_TOOLS, results(model.requests[-1]), strict=True)))


def converse(person: Path, model: str, servers: str) -> None:
    command = [program("claude"), "-p", "Call each of them.", "--mcp-config", servers, "--strict-mcp-config"]
    around = client_environment(person, ANTHROPIC_BASE_URL=model, ANTHROPIC_API_KEY="x")
    done = subprocess.run(
        [*command, "--allowedTools", "mcp__bigmind"],
        env=around,
        cwd=person,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()


def results(request: dict) -> list[object]:
    """The contents of all results of tools in a request, in their order."""
    blocks = [block for each in request["messages"] if isinstance(each["content"], list) for block in each["content"]]
    return [block["content"] for block in blocks if block["type"] == "tool_result"]


@pytest.mark.parametrize("tool", DEFAULT_TOOLS)
def test_the_model_is_given_the_text_and_only_that(conversation: Conversation, tool: str) -> None:
    given = conversation.given[tool]
    text = given if isinstance(given, str) else "".join(each["text"] for each in given if each["type"] == "text")
    assert isinstance(given, str) or [each["type"] for each in given] == ["text"]
    assert text == conversation.answered[tool]
    assert not text.startswith(("{", "["))


def test_the_model_is_offered_each_of_them(conversation: Conversation) -> None:
    assert {f"mcp__bigmind__{name}" for name in DEFAULT_TOOLS} <= conversation.offered
