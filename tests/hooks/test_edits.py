"""The edit hook: what is refused until work is claimed, what passes, and that it fails open and says so."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hooks.documented import DOCUMENTED
from tests.hooks.running import Hooks, new_key
from tests.work.office import TITLE, Office, Worker, office_in

FILE = "/home/ada/apollo/pay.py"


def about(tool: str = "Edit", **more: object) -> dict[str, Any]:
    """What Claude Code passes before it changes a file."""
    said = {**DOCUMENTED["claude-code"](new_key())["stop"], "hook_event_name": "PreToolUse", "tool_name": tool}
    return {**said, "tool_input": {"file_path": FILE}, "tool_use_id": "toolu_1", **more}


def refusal(printed: str) -> str:
    """Why an edit is refused, as Claude Code reads it."""
    told = json.loads(printed)["hookSpecificOutput"]
    assert (told["hookEventName"], told["permissionDecision"]) == ("PreToolUse", "deny")
    return told["permissionDecisionReason"]


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    with office_in(home) as opened:
        yield opened


@pytest.fixture
def agent(office: Office) -> Worker:
    office.person("clients_toolsets", client="claude-code", toolsets="default,brain,work")
    return office.agent("claude-code")


def reason(office: Office, client: str = "claude-code") -> str:
    """What the hook of a client is answered: it comes over no connection."""
    return office.agent(client, None)("hook_edit", conversation="c").context


def test_an_edit_waits_for_a_claim_and_no_other_agents_claim_counts(office: Office, agent: Worker) -> None:
    slug = office.task()
    told = reason(office)
    for call in ("work_next", "query_brain", "work_transition"):
        assert call in told
    office.agent("codex").claim(slug)
    assert reason(office) == told
    agent.claim(office.task("Rotate the signing keys"), "Rotate the signing keys")
    assert reason(office) == ""


def test_what_was_handed_over_or_blocked_permits_no_edit(office: Office, agent: Worker) -> None:
    slug = office.task()
    agent.claim(slug)
    agent.moves(slug, "blocked", fields={"blocked_reason": "The bank is closed"})
    assert "work_next" in reason(office)
    agent.moves(slug, "restore")
    assert reason(office) == ""
    agent.learn()
    agent.moves(slug, "review")
    assert "work_next" in reason(office)


def test_a_claim_without_a_question_is_none(office: Office, agent: Worker) -> None:
    slug = office.task()
    agent.claim(slug)
    office.run("DELETE FROM work_evidence")
    assert f"you hold `{slug}`" in reason(office)
    agent.ask(TITLE)
    assert reason(office) == ""


def test_who_is_offered_no_tool_of_work_is_told_what_its_person_can_do(office: Office) -> None:
    assert "`bigmind clients toolsets cursor default,brain,work`" in reason(office, "cursor")
    office.person("clients_toolsets", client="cursor", toolsets="default,work")
    assert "query_brain" not in reason(office, "cursor")
    office.person("clients_toolsets", client="cursor", toolsets="default,brain,mindspace")
    assert "mindspace_get_ready_nodes" in reason(office, "cursor")


def test_while_bigmind_is_paused_an_edit_passes_and_that_is_said(office: Office, agent: Worker) -> None:
    office.person("server_pause", paused=True)
    answer = agent("hook_edit", conversation="c")
    assert (answer.context, "is paused" in answer.notice) == ("", True)


def test_the_hook_refuses_in_the_clients_form_and_passes_in_silence(hooks: Hooks) -> None:
    hooks.ask("clients_toolsets", client="claude-code", toolsets="default,brain,work")
    assert "work_next" in refusal(hooks("claude-code", "edit", about()))
    assert "work_next" in refusal(hooks("claude-code", "edit", about("Write", agent_id="a-1")))  # of a subagent


@pytest.mark.parametrize("other", [{"timestamp": "2026-02-09T10:30:00.000Z"}, {"cursor_version": "3.7.21"}])
def test_clients_that_run_the_hooks_of_another_are_not_refused(hooks: Hooks, other: dict[str, str]) -> None:
    assert hooks("claude-code", "edit", {**about(), **other}) == ""


def test_without_a_server_an_edit_passes_and_that_is_said(tmp_path: Any) -> None:
    told = json.loads(Hooks(tmp_path / "home")("claude-code", "edit", about()))
    assert told == {"systemMessage": "BigMind did not answer, so this edit was not held to claimed work."}


def test_what_a_client_cannot_refuse_is_no_event_of_its(hooks: Hooks) -> None:
    done = hooks.run("codex", "edit", about())
    assert (done.returncode, done.stdout) == (0, b"")
