"""The real Claude Code, configured by our installer alone, against a model that says what the test has it say.

It starts knowing, its tools write, its stop is caught, and the next conversation knows both.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.machine import Machine, machine_in
from tests.clients.real import client_environment, commands_in, program
from tests.clients.stub_model import Calls, Says, StubModel, stub_model

DECIDED = "The settlement runs at noon in Lisbon"
SUMMED_UP = "Moved the settlement to noon"
UNFINISHED = "I found that the ledger rounds half to even, and left it so."


@pytest.fixture
def model() -> Iterator[StubModel]:
    with stub_model() as started:
        yield started


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with machine_in(tmp_path, PATH=commands_in(tmp_path / "programs")) as started:
        (started.home / "deck").mkdir()
        yield started


def talk(machine: Machine, model: StubModel, prompt: str) -> dict:
    """One whole conversation; returns what Claude Code says of it at its end."""
    around = client_environment(
        machine.home,
        ANTHROPIC_BASE_URL=model.address,
        ANTHROPIC_API_KEY="x",
        BIGMIND_HOOK_MILLISECONDS="60000",
    )
    done = subprocess.run(
        [program("claude"), "-p", prompt, "--output-format", "json"],
        env=around,
        cwd=machine.home / "deck",
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return json.loads(done.stdout)


def called(name: str, **arguments: object) -> Calls:
    return Calls(f"mcp__bigmind__{name}", arguments)


def test_claude_code_begins_with_the_memory_writes_to_it_and_is_caught_when_it_stops(
    machine: Machine, model: StubModel
) -> None:
    machine.server.call("memory_store_fact", fact="Ada drinks oolong while she reviews", category="preference")
    done = machine.install("claude-code")
    assert done["check"]["ok"], done["check"]
    assert any("says that BigMind is connected" in each for each in done["check"]["said"]), done["check"]

    # The first conversation: it knows, it flags, it ends.
    model.will(
        called("memory_start_session"),
        called("memory_flag_important", content=DECIDED, flag_reason="decision"),
        called("memory_end_session", one_liner=SUMMED_UP, topics=["settlement"], outcome="It runs at noon."),
        Says("Goodbye."),
    )
    talk(machine, model, "Move the settlement to noon.")
    assert "oolong while she reviews" in model.told(0)
    assert "mcp__bigmind__memory_end_session" in model.tools()
    assert [each for each in model.results() if "permission" in each] == []
    assert len(model.results()) == 3
    [first] = machine.server.call("memory_list_sessions")["sessions"]
    assert first["one_liner"] == SUMMED_UP
    assert first["client"] == "claude-code"
    assert first["chunks"] == 1
    assert machine.server.call("memory_search_chunks", query="settlement Lisbon")["hits"]

    # The second stops without ending: it is told once what is missing, and then closed from what is known.
    model.will(Says(UNFINISHED), Says("Nothing to add."))
    talk(machine, model, "Why does the ledger round like that?")
    assert "memory_end_session" in model.told(-1)
    second, first = machine.server.call("memory_list_sessions")["sessions"]
    assert second["ended_at"] is not None
    assert "rounds half to even" in json.dumps(second, ensure_ascii=False)

    # The third begins with both.
    model.will(Says("Hello."), Says("Still nothing."))
    talk(machine, model, "Hello?")
    told = model.told(0)
    assert SUMMED_UP in told
    assert "rounds half to even" in told
    assert machine.state("claude-code")["last_at"] is not None
