"""A whole protocol run by a real agent: Claude Code, connected by our installer, against a stub model.

The model acts on nothing but what it was told: what to call, where to write and what to state is taken out of the texts
that it received. It begins, as models do, by writing a file.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.people.passphrases import PassphrasePlace, Passphrases
from tests.clients.conversing import claude_code, hold
from tests.clients.machine import Machine, machine_in
from tests.clients.stub_model import Calls, Says, StubModel, stub_model
from tests.clients.test_work_conversations import results
from tests.protocol.places import Place, new_place
from tests.ui.acting import act
from ui.forms.in_person import FIELD

HERE = "mcp__bigmind__"
PASSPHRASE = "seven herons on a ferry"
NOTES = "Yen have no cents: round them to the whole."
TOOLS = "Bash,Write,mcp__bigmind"

CALLED = re.compile(r"BigMind: in this workspace .*? Call ([a-z_]+)")
RUN = re.compile(r"Run (\S+-session-\d+) began")
START = re.compile(r"Starting commit: ([0-9a-f]{7,})")
HASHED = re.compile(r"(CONTEXT_RETRIEVAL).*?SHA-256 with record_evidence")
SUM = re.compile(r"\b([0-9a-f]{64})\b")
LOG = re.compile(r"Write (\S+/\S+-session-\d+\.md) from the template")
HEADINGS = re.compile(r"lacks headings of the template: (.+?)\.(?:\s|$)")
REPORT = re.compile(r"Write (\S+): it names (\S+) and tree:([0-9a-f]+)")


@dataclass
class Reader:
    """What stands for a model's mind: its plan is what the texts ask for, one after the other."""

    file: str
    said: list[str] = field(default_factory=list[str])
    told: list[str] = field(default_factory=list[str])
    run: str = ""
    start: str = ""
    log: str = ""
    headings: list[str] = field(default_factory=list[str])

    def __call__(self, request: dict[str, Any]) -> Says | Calls:
        found = results(request)
        if found:
            self.told.append(found[-1])
        for step in STEPS[len(self.said) :]:
            return step(self, self.told[-1] if self.told else "")
        return Says("The run has ended.")

    def call(self, tool: str, **arguments: Any) -> Calls:
        self.said.append(tool)
        return Calls(f"{HERE}{tool}", arguments)

    def bash(self, command: str) -> Calls:
        self.said.append("Bash")
        return Calls("Bash", {"command": command, "description": "As I was told"})

    def write(self, path: str, text: str) -> Calls:
        self.said.append("Write")
        return Calls("Write", {"file_path": str(Path(self.file).parent.parent / path), "content": text})


def begin(reader: Reader, told: str) -> Calls:
    del told
    return reader.write("src/rounding.py", "HALF_EVEN = True\n")


def start(reader: Reader, told: str) -> Calls:
    """The refusal of the write names the tool."""
    called = CALLED.search(told)
    assert called is not None, told
    return reader.call(called[1], objective="Round refunds to the cent")


def hash_it(reader: Reader, told: str) -> Calls:
    """The answer says what has to be read, and what the log must hold."""
    run, begun, log = RUN.search(told), START.search(told), LOG.search(told)
    assert HASHED.search(told), told
    assert run is not None
    assert begun is not None
    assert log is not None
    reader.run, reader.start, reader.log = run[1], begun[1], log[1]
    return reader.bash("sha256sum docs/HANDOFF.md && cat docs/HANDOFF.md")


def state_it(reader: Reader, told: str) -> Calls:
    digest = SUM.search(told)
    assert digest, told
    return reader.call(
        "record_evidence", phase="CONTEXT_RETRIEVAL", evidence_type="content_hash", evidence=f"sha256:{digest[1]}"
    )


def bare_log(reader: Reader, told: str) -> Calls:
    assert "The gate: PASS" in told, told
    return reader.write(reader.log, f"Run: {reader.run}\nStarting commit: {reader.start}\n")


def ask_for_headings(reader: Reader, told: str) -> Calls:
    del told
    return reader.call("validate_gate", phase="SESSION_LOG")


def whole_log(reader: Reader, told: str) -> Calls:
    lacking = HEADINGS.search(told)
    assert lacking, told
    reader.headings = lacking[1].split(", ")
    told = "\n\n".join(f"## {each}\n\nRefunds are rounded half to even." for each in reader.headings)
    head = f"Run: {reader.run}\nStarting commit: {reader.start}\n\n"
    return reader.bash(f"cat > {reader.log} <<'END'\n{head}{told}\nEND")


def advance(reader: Reader, told: str) -> Calls:
    del told
    return reader.call("advance_phase", target_phase="WORKING")


def write_again(reader: Reader, told: str) -> Calls:
    assert "WORKING" in told, told
    return reader.write("src/rounding.py", "HALF_EVEN = True\n")


def hand_over(reader: Reader, told: str) -> Calls:
    del told
    return reader.bash("printf '# Handoff\\n\\nRefunds are rounded half to even.\\n' > docs/HANDOFF.md")


def ask_for_report(reader: Reader, told: str) -> Calls:
    del told
    return reader.call("get_blocked_reason")


def report(reader: Reader, told: str) -> Calls:
    wanted = REPORT.search(told)
    assert wanted, told
    return reader.write(wanted[1], f"# QA of {wanted[2]}\n\ntree: {wanted[3]}\n\nThe rounding was read.\n")


def commit(reader: Reader, told: str) -> Calls:
    del told
    return reader.bash("git add -A && git -c user.name=Claude -c user.email=c@example.org commit -q -m Round")


def end(reader: Reader, told: str) -> Calls:
    del told
    return reader.call("session_end", summary="Refunds are rounded to the cent.", next_session_notes=NOTES)


STEPS = (
    *(begin, start, hash_it, state_it, bare_log, ask_for_headings, whole_log, advance, write_again, hand_over),
    *(ask_for_report, report, commit, end),
)


@pytest.fixture
def model() -> Iterator[StubModel]:
    with stub_model() as started:
        yield started


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with machine_in(tmp_path) as started:
        Passphrases(tmp_path / "data").set("ada", PASSPHRASE, datetime.now(UTC), PassphrasePlace.WINDOW)
        yield started


def opened(machine: Machine) -> Place:
    """A workspace that a person opened, with the edit hook, and the tools of the protocol."""
    machine.server.call("clients_toolsets", client="claude-code", toolsets="default,protocol")
    machine.install("claude-code")
    place = new_place(machine.home / "payments")
    with httpx.Client(base_url=machine.server.address) as browser:
        browser.get(machine.server.call("server_sign_in_link")["url"])
        assert act(browser, "protocol_open_workspace", path=str(place.root)).status_code == 403
        done = act(browser, "protocol_open_workspace", path=str(place.root), **{FIELD: PASSPHRASE})
        assert done.status_code == 200, done.text
    machine.install("claude-code", workspace=str(place.root), edits=True)
    place.commit("Connected")
    return place


def test_a_whole_run_is_blocked_at_the_first_write_told_why_and_ends_complete(
    machine: Machine, model: StubModel
) -> None:
    place = opened(machine)
    reader = Reader(str(place.root / "src/rounding.py"))
    model.will(*[reader] * 20)
    hold(machine, place.root, claude_code(model, "Round the refunds.", "--allowedTools", TOOLS))
    assert len(reader.said) == len(STEPS), (reader.said, reader.told[-1])
    assert "Call session_start" in reader.told[0]
    last = results(model.requests[-1])[-1]
    assert f"Run {reader.run} ended COMPLETE" in last, last
    assert (place.root / "src/rounding.py").read_text() == "HALF_EVEN = True\n"
    runs = machine.server.call("protocol_list_runs")["runs"]
    assert [(each["outcome"], each["violations"], each["agent"]) for each in runs] == [("COMPLETE", 0, "claude-code")]

    # The next conversation begins with what this one left.
    second = Reader(str(place.root / "src/yen.py"))
    model.will(second, second, Says("I know."))
    hold(machine, place.root, claude_code(model, "Go on.", "--allowedTools", TOOLS))
    given = results(model.requests[-1])
    assert NOTES in given[1], given[1]
    assert f"{reader.run} COMPLETE" in given[1]

    # While a run is open, a conversation is told at its start where it stands.
    model.will(Says("I see."))
    hold(machine, place.root, claude_code(model, "Where are we?"))
    run = RUN.search(given[1])
    assert run is not None
    assert f"`{run[1]}` “Round refunds to the cent”" in model.told(0)
    assert "(protocol run, INITIALIZED)" in model.told(0)
