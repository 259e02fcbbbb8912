"""The real Claude Code, configured by our installer alone, against a model that says what the test has it say.

It starts knowing, its tools write, what was not ended is closed from what is known, the next conversation knows it,
and a single call prints its answer and leaves nothing.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.memory.answers import GIVEN
from tests.clients.machine import Machine, machine_in
from tests.clients.real import client_environment, commands_in, program
from tests.clients.stub_model import Calls, Says, StubModel, stub_model
from tests.clients.terminal import terminal

DECIDED = "The settlement runs at noon in Lisbon"
SUMMED_UP = "Moved the settlement to noon"
ANSWER = "On Fridays, after the settlement has run."
UNFINISHED = "I found that the ledger rounds half to even, and left it so."
KEY = "x" * 20


@pytest.fixture
def model() -> Iterator[StubModel]:
    with stub_model() as started:
        yield started


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with machine_in(tmp_path, PATH=commands_in(tmp_path / "programs")) as started:
        (started.home / "deck").mkdir()
        yield started


def around(machine: Machine, model: StubModel) -> dict[str, str]:
    """The environment in which Claude Code knows this home and this model alone."""
    return client_environment(
        machine.home, ANTHROPIC_BASE_URL=model.address, ANTHROPIC_API_KEY=KEY, BIGMIND_HOOK_MILLISECONDS="60000"
    )


def talk(machine: Machine, model: StubModel, prompt: str, *options: str) -> dict:
    """One whole call in print mode; returns what Claude Code says of it at its end."""
    done = subprocess.run(
        [program("claude"), "-p", prompt, "--output-format", "json", *options],
        env=around(machine, model),
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


def test_claude_code_begins_with_the_memory_and_writes_to_it_and_what_it_does_not_end_is_closed(
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
    assert GIVEN in model.results()[0]  # by the hook
    assert "oolong" not in model.results()[0]
    [first] = machine.server.call("memory_list_sessions")["sessions"]
    assert first["one_liner"] == SUMMED_UP
    assert first["client"] == "claude-code"
    assert first["chunks"] == 1
    assert machine.server.call("memory_search_chunks", query="settlement Lisbon")["hits"]

    # The second, of two turns, does not end its session: it is closed from what is known.
    model.will(Says("It rounds half to even. Shall I change it?"))
    said = talk(machine, model, "Why does the ledger round like that?")
    model.will(Says(UNFINISHED))
    assert talk(machine, model, "No.", "--resume", said["session_id"])["result"] == UNFINISHED
    assert [row["one_liner"] for row in sessions(machine)] == [UNFINISHED, SUMMED_UP]
    assert sessions(machine)[0]["ended_at"] is not None

    # A single call knows both; what is printed is the answer, at the price of one request, and nothing is left of it.
    model.will(Says(ANSWER), Says("An answer to a hook."))
    said = talk(machine, model, "When do we deploy?")
    assert (said["result"], said["num_turns"]) == (ANSWER, 1)
    assert len(model.requests) == 1
    assert SUMMED_UP in model.told(0)
    assert UNFINISHED in model.told(0)
    assert [row["one_liner"] for row in sessions(machine)] == [UNFINISHED, SUMMED_UP]
    assert machine.state("claude-code")["last_at"] is not None


def test_what_one_window_tells_stays_out_of_the_session_that_another_opened_since(
    machine: Machine, model: StubModel
) -> None:
    machine.install("claude-code")
    entry = json.loads((machine.home / ".claude.json").read_text())["mcpServers"]["bigmind"]

    def after_another_window(_: dict[str, Any]) -> Calls:
        """Flag something, once another window of the same client has begun."""
        starts = f"{machine.server.address}/api/v1/memory_start_session"
        begun = httpx.post(starts, json={"project": "engine"}, headers=entry["headers"], timeout=60, trust_env=False)
        assert begun.status_code == 200, begun.text
        return called("memory_flag_important", content=DECIDED, flag_reason="decision")

    model.will(called("memory_start_session", project="deck"), after_another_window, Says("Goodbye."))
    talk(machine, model, "Move the settlement to noon.")

    assert {row["project"]: row["chunks"] for row in sessions(machine)} == {"deck": 1, "engine": 0}


def sessions(machine: Machine) -> list[dict]:
    """The sessions of the memory, the newest first."""
    return machine.server.call("memory_list_sessions")["sessions"]


def test_a_conversation_at_a_terminal_is_asked_for_nothing_and_closed_when_its_person_leaves(
    machine: Machine, model: StubModel
) -> None:
    deck = machine.home / "deck"
    asked_before = {
        "hasCompletedOnboarding": True,
        "customApiKeyResponses": {"approved": [KEY], "rejected": []},
        "projects": {str(deck): {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}},
    }
    machine.file(".claude.json", json.dumps(asked_before))
    machine.install("claude-code")
    model.will(
        called("memory_start_session"),
        called("memory_flag_important", content=DECIDED, flag_reason="decision"),
        Says("Which-settlement?"),
        Says("Moved-the-settlement."),
    )
    with terminal([program("claude")], deck, around(machine, model)) as claude:
        claude.sees("❯")
        claude.types("Noon-please")
        claude.sees("Which-settlement?")
        claude.types("Lisbon")
        claude.sees("Moved-the-settlement.")
        claude.types("/exit")
        claude.ends()
    assert len(model.requests) == 4  # nobody's hook kept the model going
    assert "BigMind: no" not in model.told(-1)  # as reminders begin
    [session] = sessions(machine)
    assert (session["one_liner"], session["chunks"]) == (DECIDED, 1)
    assert session["ended_at"] is not None
