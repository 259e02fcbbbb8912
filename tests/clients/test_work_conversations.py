"""Real work by a real agent: Claude Code, connected by our installer alone, takes an item up and hands it over.

Its model acts on nothing but what it was told: each call is taken out of the newest text that it received. What counts
is what that text was, and where the item stands.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.people.passphrases import PassphrasePlace, Passphrases
from tests.clients.conversing import claude_code, hold, project_folder
from tests.clients.machine import Machine, machine_in
from tests.clients.stub_model import Calls, Says, StubModel, stub_model
from tests.ui.acting import act
from ui.forms.in_person import FIELD

TITLE, SLUG = "Round refunds to the cent", "round-refunds-to-the-cent"
PAYMENTS = "example.org/ada/payments"
LEARNED = "banks round half to even, seen in 3 of 40 ledgers of 2026, so the library now does the same."
PASSPHRASE = "seven herons on a ferry"
HERE = "mcp__bigmind__"

SESSION = re.compile(r"^Brain session (q-[a-z0-9]+)\.")
THOUGHT = re.compile(r"Stored as thought ([0-9a-f-]+) ")
NAMES_THOUGHT = 'fields={"memory_contribution_id": "…"}'
NAMES_SESSION = 'fields={"memory_query_session": "q-…"}'
CALLED = re.compile(r"no file is changed before the work is claimed\. Call ([a-z_]+) for the item")
CALL = re.compile(r'(query_brain|contribute_to_brain)\(prompt="([^"]+)"(?:, source_ref=({[^}]+}))?\)')
ITEM = re.compile(r"^`([a-z0-9-]+)` (.+?) · ", re.MULTILINE)
MOVE = re.compile(r"^- `([a-z]+)` \([^)]+\): (?!by )(.*)$", re.MULTILINE)


@dataclass
class Reader:
    """What stands for a model's mind: it takes the next call out of what it was told last.

    `is_rash`: it tries each move before it does what the move's own line asks for. `file`: it begins by writing that.
    """

    is_rash: bool
    file: Path | None = None
    kept: str = ""
    slug: str = ""
    title: str = ""
    wanted: str = ""
    fields: dict[str, str] = field(default_factory=dict[str, str])
    names_session: bool = False
    names_thought: bool = False
    said: list[str] = field(default_factory=list[str])

    def __call__(self, request: dict[str, Any]) -> Says | Calls:
        if not self.said:
            return self._write("") if self.file is not None else self._call("work_next")
        told = results(request)[-1]
        if self.said[-1] != "Write":
            is_due = self.file is not None and told.startswith("Moved to active.")
            return self._write(told) if is_due else self._on(told)
        refused, self.file = CALLED.search(told), self.file if "claimed. Call" in told else None
        return self._call(refused[1]) if refused is not None else self._on(self.kept)

    def _on(self, told: str) -> Says | Calls:
        if (session := SESSION.search(told)) is not None and self.names_session:
            self.fields = {"memory_query_session": session[1]}
        if (thought := THOUGHT.search(told)) is not None and self.names_thought:
            self.fields = {"memory_contribution_id": thought[1]}
        if (remedy := CALL.search(told)) is not None:
            self.names_session, self.names_thought = NAMES_SESSION in told, NAMES_THOUGHT in told
            return self._asked(remedy[1], remedy[2], json.loads(remedy[3] or "null"))
        if (item := ITEM.search(told)) is not None:
            self.slug, self.title = item[1], item[2]
            move = MOVE.search(told)
            if move is None or "nothing is left for you to do" in move[2]:
                return Says("It waits for you.")
            self.names_session, self.names_thought = NAMES_SESSION in move[2], NAMES_THOUGHT in move[2]
            self.wanted, self.fields = move[1], {}
            tool = next((each for each in ("query_brain", "contribute_to_brain") if f"({each}, " in move[2]), "")
            if tool and not self.is_rash:
                return self._asked(tool, f"{self.title}: …", {"type": "task", "value": self.slug})
        named = {"fields": self.fields} if self.fields else {}
        return self._call("work_transition", slug=self.slug, to=self.wanted, **named)

    def _asked(self, tool: str, prompt: str, source: dict[str, str] | None) -> Calls:
        if tool == "query_brain":
            return self._call(tool, prompt=prompt)
        return self._call(tool, prompt=prompt.replace("…", LEARNED), source_ref=source)

    def _write(self, kept: str) -> Calls:
        self.kept = kept
        self.said.append("Write")
        return Calls("Write", {"file_path": str(self.file), "content": "HALF_EVEN = True\n"})

    def _call(self, tool: str, **arguments: Any) -> Calls:
        self.said.append(" ".join([tool, *filter(None, [arguments.get("to")])]))
        return Calls(f"{HERE}{tool}", arguments)


def results(request: dict[str, Any]) -> list[str]:
    """What the tools that were called gave back, as the model reads it."""
    contents = [each["content"] for each in request["messages"] if isinstance(each["content"], list)]
    found = [block["content"] for each in contents for block in each if block["type"] == "tool_result"]
    return [each if isinstance(each, str) else "\n".join(one["text"] for one in each) for each in found]


@pytest.fixture
def model() -> Iterator[StubModel]:
    with stub_model() as started:
        yield started


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with machine_in(tmp_path) as started:
        Passphrases(tmp_path / "data").set("ada", PASSPHRASE, datetime.now(UTC), PassphrasePlace.WINDOW)
        yield started


@contextmanager
def person(machine: Machine) -> Iterator[httpx.Client]:
    """A browser in which the person is signed in."""
    with httpx.Client(base_url=machine.server.address) as browser:
        browser.get(machine.server.call("server_sign_in_link")["url"])
        yield browser


def begin(machine: Machine) -> Path:
    """A person offers Claude Code the tools of work, and makes an item; the folder of its project."""
    machine.server.call("clients_toolsets", client="claude-code", toolsets="default,brain,work")
    machine.install("claude-code")
    with person(machine) as browser:
        made = act(browser, "work_create_task", title=TITLE, type="solo", description="One in forty is off by a cent.")
        assert made.status_code == 200, unescape(made.text)
    return project_folder(machine, "payments", PAYMENTS)


def work(machine: Machine, model: StubModel, folder: Path, reader: Reader) -> list[str]:
    """One whole conversation; what the tools gave back, one after the other."""
    model.will(*[reader] * 20)
    hold(machine, folder, claude_code(model, "What is next?", "--permission-mode", "acceptEdits"))
    return results(model.requests[-1])


def item(machine: Machine) -> dict[str, Any]:
    return machine.server.call("work_get_task", slug=SLUG)


def told_at_the_start(model: StubModel) -> None:
    """The first request names the item, and what its claim lacks."""
    line = f"- `{SLUG}` “{TITLE}” (solo, pending, dev) waits for you. To `active` it lacks memory_queried."
    assert line in model.told(0)


def test_an_agent_that_tries_first_is_refused_and_each_refusal_tells_what_mends_it(
    machine: Machine, model: StubModel
) -> None:
    folder, reader = begin(machine), Reader(is_rash=True)
    given = work(machine, model, folder, reader)
    told_at_the_start(model)
    assert reader.said == [
        "work_next",
        "work_transition active",
        "query_brain",
        "work_transition active",
        "work_transition review",
        "contribute_to_brain",
        "work_transition review",
    ]
    refused = ["Refused. Missing" in each for each in given]
    assert refused == [False, True, False, False, True, False, False]
    assert "memory_queried: claude-code asked the brain nothing" in given[1]
    assert "memory_contributed: You contributed nothing" in given[4]
    assert "Moved to review." in given[6]

    # In person alone it is completed, as it was shown.
    shown = item(machine)
    assert (shown["context"]["state"], shown["context"]["holder"]) == ("review", "")
    with person(machine) as browser:
        move = {"slug": SLUG, "to": "complete", "revision": shown["revision"]}
        assert act(browser, "work_move", **move).status_code == 403
        assert act(browser, "work_move", **move, **{FIELD: PASSPHRASE}).status_code == 200
    assert item(machine)["context"]["state"] == "complete"
    rows = machine.server.call("work_get_ledger", slug=SLUG)["rows"]
    acted = ["browser", *["claude-code"] * 4, *["a person (passphrase)"] * 2]
    assert [each["by"] for each in rows] == acted
    kinds = ["created", "refused", "moved", "refused", "moved", "moved", "confirmed"]
    assert [each["kind"] for each in rows] == kinds


def test_an_agent_that_does_what_it_is_told_needs_five_calls(machine: Machine, model: StubModel) -> None:
    folder, reader = begin(machine), Reader(is_rash=False)
    given = work(machine, model, folder, reader)
    told_at_the_start(model)
    assert reader.said == [
        "work_next",
        "query_brain",
        "work_transition active",
        "contribute_to_brain",
        "work_transition review",
    ]
    assert not any("Refused" in each for each in given)
    assert item(machine)["context"]["state"] == "review"

    # The next conversation is told of nothing that only waits for the person.
    model.will(Says("Goodbye."))
    hold(machine, folder, claude_code(model, "Anything left?"))
    assert "Your work" not in model.told(0)


def test_where_edits_are_held_to_claimed_work_one_is_refused_before_the_claim_and_passes_after(
    machine: Machine, model: StubModel
) -> None:
    folder = begin(machine)
    shown = machine.show("claude-code", workspace=str(folder), edits=True)
    assert any("hook edit --client claude-code" in each["difference"] for each in shown["changes"])
    assert any("--no-edits" in each for each in shown["warnings"])
    before = machine.tree()
    machine.install("claude-code", workspace=str(folder), edits=True)
    file, reader = folder / "pay.py", Reader(is_rash=False)
    reader.file = file
    given = work(machine, model, folder, reader)
    assert reader.said == [
        "Write",
        "work_next",
        "query_brain",
        "work_transition active",
        "Write",
        "contribute_to_brain",
        "work_transition review",
    ]
    assert "no file is changed before the work is claimed" in given[0]
    assert file.read_text() == "HALF_EVEN = True\n"
    file.unlink()

    # What was handed over permits no edit; a person lifts it, and with the rest every byte is as it was.
    reader = Reader(is_rash=False, file=file)
    model.will(reader, Says("It waits."))
    hold(machine, folder, claude_code(model, "More.", "--permission-mode", "acceptEdits"))
    assert not file.exists()
    machine.install("claude-code", workspace=str(folder), edits=False)
    assert "hook edit" not in (folder / ".claude/settings.local.json").read_text()
    machine.install("claude-code", workspace=str(folder))
    assert "hook edit" not in (folder / ".claude/settings.local.json").read_text()
    model.will(Reader(is_rash=False, file=file), Says("Done."))
    hold(machine, folder, claude_code(model, "More.", "--permission-mode", "acceptEdits"))
    assert file.exists()
    file.unlink()
    machine.install("claude-code", workspace=str(folder), edits=True)
    machine.install("claude-code", workspace=str(folder))  # as it is
    assert "hook edit" in (folder / ".claude/settings.local.json").read_text()
    machine.remove("claude-code", workspace=str(folder))
    assert {name: each for name, each in machine.tree().items() if name.startswith("payments")} == {
        name: each for name, each in before.items() if name.startswith("payments")
    }
