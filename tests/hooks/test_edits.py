"""The edit hook: what is refused until work is claimed, what passes, and that it fails open and says so."""

import json
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from bigmind.hooks.workspace_files import is_elsewhere
from tests.hooks.documented import DOCUMENTED
from tests.hooks.running import Hooks, new_key
from tests.work.office import TITLE, Office, Worker, office_in

FILE = "/home/ada/apollo/pay.py"
links = pytest.mark.skipif(os.name != "posix", reason="on Windows a link takes a right that few have")


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
    assert "`bigmind clients toolsets cursor default,work`" in reason(office, "cursor")
    office.person("clients_toolsets", client="cursor", toolsets="default,work")
    assert all(each in reason(office, "cursor") for each in ("work_next", "query_brain", "work_transition"))
    office.person("clients_toolsets", client="cursor", toolsets="default,mindspace")
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


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A folder whose settings hold edits, with one below it, beside another repository."""
    root = tmp_path / "shop"
    for folder in (root / "src", root / ".claude", tmp_path / "other" / ".git", tmp_path / "shop-2"):
        folder.mkdir(parents=True)
    held = {"hooks": {"PreToolUse": [{"hooks": [{"command": "bigmind hook edit --client claude-code"}]}]}}
    (root / ".claude" / "settings.local.json").write_text(json.dumps(held))
    return root


def test_a_file_outside_the_workspace_is_not_held(hooks: Hooks, workspace: Path) -> None:
    def printed(file: Path | str, cwd: Path = workspace) -> str:
        return hooks("claude-code", "edit", about(cwd=str(cwd), tool_input={"file_path": str(file)}), cwd)

    for file in (workspace.parent / "zzz.py", workspace.parent / "other" / "pay.py", "~/.claude/plans/p.md"):
        assert printed(file) == ""
    assert refusal(printed(workspace / "pay.py"))
    assert refusal(printed(workspace / "pay.py", workspace / "src"))
    assert refusal(printed(""))


@pytest.mark.parametrize(
    ("file", "is_outside"),
    [
        ("{root}/pay.py", False),
        ("{root}/new/folder/pay.py", False),
        ("{root}", False),
        ("pay.py", False),
        ("../pay.py", False),
        ("../../shop/pay.py", False),
        ("{root}/../other/../shop/src/pay.py", False),
        pytest.param("{root}/src/out/pay.py", False, marks=links),
        pytest.param("{aside}/in/pay.py", False, marks=links),
        pytest.param("{aside}/in/../pay.py", False, marks=links),
        ("", False),
        ("{root}/../pay\0.py", False),
        ("{aside}/" + "x" * 4_096, False),
        ("{root}-2/pay.py", True),
        ("{root}/../other/pay.py", True),
        ("../../pay.py", True),
        ("{aside}/pay.py", True),
        pytest.param("{aside}/loop/pay.py", True, marks=links),
        ("{aside}/SHOP/pay.py", True),
        ("~/.claude/plans/p.md", True),
        ("~nobody-is-called-so/pay.py", False),
    ],
)
@pytest.mark.parametrize("is_told", [False, True])
def test_what_leads_into_the_workspace_by_a_link_or_upwards_is_held(
    workspace: Path, file: str, is_outside: bool, is_told: bool
) -> None:
    aside = workspace.parent / "other"
    if os.name == "posix":
        (workspace / "src" / "out").symlink_to(aside)
        (aside / "in").symlink_to(workspace / "src")
        (aside / "loop").symlink_to(aside / "loop")
    environment = {"CLAUDE_PROJECT_DIR": str(workspace)} if is_told else {}
    named = file.format(root=workspace, aside=aside)
    assert is_elsewhere(named, str(workspace / "src"), environment) is is_outside


@pytest.mark.parametrize("by_link", [False, pytest.param(True, marks=links)])
def test_of_what_is_on_another_machine_windows_is_asked_nothing(workspace: Path, by_link: bool) -> None:
    there = "//127.0.0.1/share"
    if by_link:
        away = workspace.parent / "other" / "away"
        away.symlink_to(there)
        there = str(away)
    assert not is_elsewhere(f"{there}/pay.py", str(workspace), {}, "win32")
    assert os.name == "nt" or is_elsewhere(f"{there}/pay.py", str(workspace), {}, "linux")


@pytest.mark.skipif(os.name != "posix", reason="pipes that have a name")
def test_a_pipe_in_place_of_settings_is_not_waited_for_until_the_edit_passes(workspace: Path) -> None:
    inner = workspace / "src" / ".claude"
    inner.mkdir()
    os.mkfifo(inner / "settings.local.json")
    found = list[bool]()
    reader = threading.Thread(target=lambda: found.append(is_elsewhere("pay.py", str(inner.parent), {})), daemon=True)
    reader.start()
    reader.join(10)
    assert found == [False]


def test_where_the_client_works_elsewhere_the_folder_that_it_was_started_in_counts(workspace: Path) -> None:
    other, started = workspace.parent / "other", {"CLAUDE_PROJECT_DIR": str(workspace)}
    assert is_elsewhere(str(other / "pay.py"), str(other), started)
    assert not is_elsewhere(str(workspace / "pay.py"), str(other), started)
    assert not is_elsewhere(str(other / "pay.py"), "", started)


def test_without_settings_that_hold_edits_the_clients_folders_count(tmp_path: Path) -> None:
    here = tmp_path / "shop" / "src"
    here.mkdir(parents=True)
    named = []
    if os.name == "posix":
        (tmp_path / "named").symlink_to(here.parent)
        told = {"CLAUDE_PROJECT_DIR": str(tmp_path / "named")}
        named = [(told, here.parent / "pay.py", False), (told, tmp_path / "pay.py", True)]
    for told, file, expected in (
        *named,
        ({}, here / "pay.py", False),
        ({}, here.parent / "pay.py", True),
        ({"CLAUDE_PROJECT_DIR": str(here.parent)}, here.parent / "pay.py", False),
        ({"CLAUDE_PROJECT_DIR": str(tmp_path / "another")}, here / "pay.py", False),
        ({"CLAUDE_PROJECT_DIR": str(tmp_path / "another")}, tmp_path / "another" / "pay.py", False),
    ):
        assert is_elsewhere(str(file), str(here), told) is expected


def test_the_case_of_letters_makes_no_difference_where_it_makes_none_to_the_system(workspace: Path) -> None:
    named = str(workspace).upper() + os.sep + "new.py"
    assert is_elsewhere(named, str(workspace), {}) is (sys.platform not in {"darwin", "win32"})
