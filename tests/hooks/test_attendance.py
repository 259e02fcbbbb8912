"""Whether a person follows a conversation, by what each client shows: environments and records that were seen."""

import json
from pathlib import Path
from typing import Any

import pytest

from bigmind.hooks.attendance import CODEX_HEAD, is_attended
from bigmind.hooks.client_events import HOOKS
from tests.hooks.documented import DOCUMENTED
from tests.hooks.running import Hooks, new_key

ATTENDED, ENTRYPOINT = "CLAUDE_CODE_SESSION_ATTENDED", "CLAUDE_CODE_ENTRYPOINT"

CLAUDE: list[tuple[dict[str, str], bool | None]] = [
    ({ATTENDED: "1", ENTRYPOINT: "cli"}, True),
    ({ATTENDED: "0", ENTRYPOINT: "sdk-cli"}, False),
    ({ATTENDED: "1", ENTRYPOINT: "claude-vscode"}, True),
    ({ENTRYPOINT: "cli"}, True),
    ({ENTRYPOINT: "claude-vscode"}, True),
    ({ENTRYPOINT: "sdk-cli"}, False),
    ({ENTRYPOINT: "sdk-py"}, False),
    ({ENTRYPOINT: "claude-code-github-action"}, False),
    ({ENTRYPOINT: "what comes next year"}, False),
    ({ATTENDED: "perhaps"}, None),
    ({}, None),
]


@pytest.mark.parametrize(("around", "expected"), CLAUDE)
def test_claude_code_shows_it_in_the_environment(
    monkeypatch: pytest.MonkeyPatch, around: dict[str, str], expected: bool | None
) -> None:
    for name in (ATTENDED, ENTRYPOINT):
        monkeypatch.delenv(name, raising=False)
    for name, value in around.items():
        monkeypatch.setenv(name, value)
    assert is_attended("claude-code", {}) is expected
    assert is_attended("gemini-cli", {}) is None  # run in Claude Code's shell, it is not Claude Code


def _record(originator: str, source: str) -> str:
    """The beginning of Codex 0.169's record, as it wrote it."""
    about = {"account_scoped": True, "session_id": "01a20549-e2fe-7b81-a501-da67663eada4", "cwd": "/home/ada/deck"}
    payload = about | {"originator": originator, "cli_version": "0.169.0", "source": source, "base": "x" * 20_000}
    return json.dumps({"type": "session_meta", "payload": payload}, separators=(",", ":"))


CODEX: list[tuple[bytes, bool | None]] = [
    (_record("codex_exec", "exec").encode(), False),
    (_record("codex-tui", "cli").encode(), True),
    (_record("codex_vscode", "vscode").encode(), True),
    (b" " * CODEX_HEAD + _record("codex_exec", "exec").encode(), None),
    (b"\xff" * 10_000, None),
    (b"", None),
]


@pytest.mark.parametrize(("record", "expected"), CODEX)
def test_codex_shows_it_in_the_first_line_of_its_record(tmp_path: Path, record: bytes, expected: bool | None) -> None:
    path = tmp_path / "rollout.jsonl"
    path.write_bytes(record)
    assert is_attended("codex", {"transcript_path": str(path)}) is expected


@pytest.mark.parametrize("path", [None, "", 7, "/no/such/file", "/", "\0", "x" * 10_000])
def test_a_record_that_is_none_shows_nothing(path: object) -> None:
    assert is_attended("codex", {"transcript_path": path}) is None


@pytest.mark.parametrize(
    ("client", "said", "expected"),
    [
        ("copilot-cli", {"reason": "complete"}, False),
        ("copilot-cli", {"reason": "user_exit"}, True),
        ("copilot-cli", {"reason": "error"}, None),
        ("copilot-cli", {"reason": ["complete"]}, None),
        ("cursor", {"is_background_agent": True}, False),
        ("cursor", {"is_background_agent": False}, None),
        ("opencode", {"attended": False}, False),
        ("opencode", {}, None),
    ],
)
def test_others_show_it_in_what_they_pass(client: str, said: dict[str, Any], expected: bool | None) -> None:
    assert is_attended(client, said) is expected


def test_what_is_documented_of_a_conversation_shows_nobody_missing() -> None:
    for client in HOOKS.keys() - {"claude-code"}:
        assert False not in {is_attended(client, said) for said in DOCUMENTED[client]("key").values()}


def test_a_single_call_of_claude_code_is_told_so_and_leaves_nothing(hooks: Hooks) -> None:
    said, before = DOCUMENTED["claude-code"](new_key()), hooks.ask("memory_list_sessions")["total"]
    begun = hooks.run("claude-code", "session-start", said["session-start"], **{ATTENDED: "0"})
    assert b"start no session" in begun.stdout
    for event in ("prompt", "stop", "session-end"):
        done = hooks.run("claude-code", event, said[event], **{ATTENDED: "0"})
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert hooks.ask("memory_list_sessions")["total"] == before
