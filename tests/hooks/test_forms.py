"""Each client's hooks, run with the documented input, print the documented form."""

from typing import Any

import pytest

from bigmind.hooks.client_events import EVENTS, HOOKS, HookReply
from bigmind.hooks.formats import read
from tests.hooks.documented import DOCUMENTED, cascade
from tests.hooks.running import Hooks, new_key
from tests.thorough import spread

pytestmark = pytest.mark.xdist_group("hooks-forms")

FACT = "Ada writes on squared paper"
TOLD = "memory_start_session"
SPECIFIC = {"claude-code", "vscode", "codex", "gemini-cli", "windsurf", "opencode"}
CONTEXTS = {"copilot-cli": "additionalContext", "cursor": "additional_context"}
NEUTRAL = {"cursor": {}, "gemini-cli": {}}


def context_of(client: str, name: str, printed: Any) -> str:
    """The context in an answer, which must hold nothing else."""
    if client not in SPECIFIC:
        assert printed.keys() == {CONTEXTS[client]}
        return printed[CONTEXTS[client]]
    assert printed.keys() == {"hookSpecificOutput"}
    specific = printed["hookSpecificOutput"]
    assert specific.keys() == {"hookEventName", "additionalContext"}
    assert specific["hookEventName"] == name
    return specific["additionalContext"]


def name_of(client: str, event: str) -> str:
    return next(each.name for each in HOOKS[client] if each.event == event)


def assert_says_nothing(hooks: Hooks, client: str, event: str, said: object) -> None:
    printed = hooks(client, event, said)
    if client == "cursor" and event == "prompt":
        assert printed == '{"continue": true}'
    else:
        assert printed == ("{}" if client in NEUTRAL else "")


def of(event: str) -> list[str]:
    """The clients that have a hook for an event."""
    return [client for client, known in HOOKS.items() if event in {each.event for each in known}]


def test_every_client_has_its_documented_inputs_here() -> None:
    assert DOCUMENTED.keys() == HOOKS.keys()
    for client, known in HOOKS.items():
        events = list(dict.fromkeys(each.event for each in known))
        assert list(DOCUMENTED[client]("key")) == events == [each for each in EVENTS if each in events]


def test_goose_listens_to_nothing_when_a_conversation_starts(hooks: Hooks) -> None:
    assert_says_nothing(hooks, "goose", "session-start", DOCUMENTED["goose"](new_key())["session-start"])


@pytest.mark.parametrize("client", [client for client in of("session-start") if client != "goose"])
def test_a_conversation_that_starts_is_given_what_is_known(hooks: Hooks, client: str) -> None:
    printed = hooks.json(client, "session-start", DOCUMENTED[client](new_key())["session-start"])
    context = context_of(client, name_of(client, "session-start"), printed)
    assert FACT in context
    assert TOLD in context.splitlines()[1]


@pytest.mark.parametrize("client", of("prompt"))
def test_the_first_prompt_brings_what_a_missed_start_did_not_and_the_second_reminds_once(
    hooks: Hooks, client: str
) -> None:
    said = DOCUMENTED[client](new_key())["prompt"]
    hook = next(each for each in HOOKS[client] if each.event == "prompt")
    if hook.says is HookReply.CONTEXT:
        assert FACT in context_of(client, hook.name, hooks.json(client, "prompt", said))
        assert TOLD in context_of(client, hook.name, hooks.json(client, "prompt", said))
    else:
        assert_says_nothing(hooks, client, "prompt", said)
        assert_says_nothing(hooks, client, "prompt", said)
    assert_says_nothing(hooks, client, "prompt", said)


def test_claude_code_compacts_with_words_of_ours_in_its_instructions(hooks: Hooks) -> None:
    printed = hooks("claude-code", "pre-compact", DOCUMENTED["claude-code"](new_key())["pre-compact"])
    assert not printed.startswith("{")
    assert "memory_get_context" in printed


def test_on_windows_cursor_tells_a_folder_as_an_address_does() -> None:
    said = {"workspace_roots": ["/c:/Users/Jürgen Groß/work", "/d:/other"]}
    assert read(said, "win32").folder == "c:/Users/Jürgen Groß/work"
    assert read(said, "linux").folder == "/c:/Users/Jürgen Groß/work"
    assert read({"cwd": "C:\\work"}, "win32").folder == "C:\\work"
    assert read({"cwd": "/c/work"}, "win32").folder == "/c/work"


@pytest.mark.parametrize("client", spread(of("stop"), 4))
def test_a_stop_is_never_held(hooks: Hooks, client: str) -> None:
    said = DOCUMENTED[client](new_key())
    for event in ("session-start", "prompt", "prompt", "prompt"):
        if event in said:
            hooks(client, event, said[event])
    assert_says_nothing(hooks, client, "stop", said["stop"])
    assert_says_nothing(hooks, client, "stop", said["stop"])


def test_cascade_is_told_nothing(hooks: Hooks) -> None:
    said = cascade(new_key())
    for event in ("prompt", "prompt", "stop", "prompt", "stop"):
        assert_says_nothing(hooks, "windsurf", event, said[event])


@pytest.mark.parametrize("client", of("session-end"))
def test_the_end_of_a_conversation_is_answered_with_nothing(hooks: Hooks, client: str) -> None:
    assert_says_nothing(hooks, client, "session-end", DOCUMENTED[client](new_key())["session-end"])


AGAIN: dict[str, dict[str, Any]] = {
    "claude-code": {"stop_hook_active": True},
    "vscode": {"stop_hook_active": True},
    "copilot-cli": {"stopHookActive": True},
    "cursor": {"loop_count": 1},
    "codex": {"stop_hook_active": True},
    "gemini-cli": {"stop_hook_active": True},
}


@pytest.mark.parametrize("client", AGAIN)
def test_a_turn_that_somebodys_hook_kept_going_is_one(client: str) -> None:
    said = DOCUMENTED[client](new_key())["stop"]
    assert [read(said).is_again, read(said | AGAIN[client]).is_again] == [False, True]


@pytest.mark.parametrize("more", [{"agent_id": "worker-1"}, {"background_tasks": [{"id": "1", "status": "running"}]}])
def test_a_subagent_and_a_stop_that_waits_for_work_are_nothing_of_ours(hooks: Hooks, more: dict[str, Any]) -> None:
    said = DOCUMENTED["claude-code"](new_key())["stop"] | {"last_assistant_message": f"Only {new_key()} knows."}
    hooks("claude-code", "stop", said | more)
    hooks("claude-code", "stop", said | more)
    lines = [row["one_liner"] for row in hooks.ask("memory_list_sessions")["sessions"]]
    assert said["last_assistant_message"] not in lines
    hooks("claude-code", "stop", said)
    hooks("claude-code", "stop", said)
    lines = [row["one_liner"] for row in hooks.ask("memory_list_sessions")["sessions"]]
    assert said["last_assistant_message"] in lines


def test_claude_codes_hooks_are_silent_in_the_clients_that_read_them_too(hooks: Hooks) -> None:
    for other in ("cursor", "vscode"):
        for event in ("session-start", "stop"):
            assert hooks("claude-code", event, DOCUMENTED[other](new_key())[event]) == ""


def test_copilot_clis_hooks_answer_vs_code_in_its_own_form(hooks: Hooks) -> None:
    said = DOCUMENTED["vscode"](new_key())
    context = context_of("vscode", "SessionStart", hooks.json("copilot-cli", "session-start", said["session-start"]))
    assert FACT in context
