"""What each client passes to its hooks, as its documentation or its own schema says, with a conversation's id."""

from typing import Any

Said = dict[str, Any]


def _claude(key: str, name: str) -> Said:
    return {
        "session_id": key,
        "transcript_path": "/home/ada/.claude/projects/apollo/1.jsonl",
        "cwd": "/home/ada/apollo",
        "permission_mode": "default",
        "hook_event_name": name,
    }


def claude_code(key: str) -> dict[str, Said]:
    return {
        "session-start": {**_claude(key, "SessionStart"), "source": "startup", "model": "claude-opus"},
        "prompt": {**_claude(key, "UserPromptSubmit"), "prompt": "Which pump?", "source": "user"},
        "pre-compact": {**_claude(key, "PreCompact"), "trigger": "auto", "custom_instructions": None},
        "stop": {
            **_claude(key, "Stop"),
            "stop_hook_active": False,
            "last_assistant_message": "The blue pump.",
            "background_tasks": [],
            "session_crons": [],
        },
        "session-end": {**_claude(key, "SessionEnd"), "reason": "prompt_input_exit"},
    }


def _vscode(key: str, name: str) -> Said:
    return {
        "timestamp": "2026-02-09T10:30:00.000Z",
        "cwd": "/home/ada/apollo",
        "sessionId": key,
        "hookEventName": name,
        "transcript_path": "/home/ada/transcript.json",
    }


def vscode(key: str) -> dict[str, Said]:
    return {
        "session-start": {**_vscode(key, "SessionStart"), "source": "new"},
        "prompt": {**_vscode(key, "UserPromptSubmit"), "prompt": "Which pump?"},
        "stop": {**_vscode(key, "Stop"), "stop_hook_active": False},
    }


def _copilot(key: str) -> Said:
    return {"sessionId": key, "timestamp": 1704614400000, "cwd": "/home/ada/apollo"}


def copilot_cli(key: str) -> dict[str, Said]:
    return {
        "session-start": {**_copilot(key), "source": "new", "initialPrompt": "Which pump?"},
        "prompt": {**_copilot(key), "prompt": "Which pump?"},
        "stop": {**_copilot(key), "transcriptPath": "/home/ada/1.jsonl", "stopReason": "end_turn"},
        "session-end": {**_copilot(key), "reason": "user_exit"},
    }


def _cursor(key: str, name: str) -> Said:
    return {
        "conversation_id": key,
        "generation_id": "generation-1",
        "model": "gpt-5",
        "hook_event_name": name,
        "cursor_version": "3.7.21",
        "workspace_roots": ["/home/ada/apollo"],
        "user_email": None,
        "transcript_path": None,
    }


def cursor(key: str) -> dict[str, Said]:
    start = {"session_id": key, "is_background_agent": False, "composer_mode": "agent"}
    return {
        "session-start": {**_cursor(key, "sessionStart"), **start},
        "prompt": {**_cursor(key, "beforeSubmitPrompt"), "prompt": "Which pump?", "attachments": []},
        "stop": {**_cursor(key, "stop"), "status": "completed", "loop_count": 0},
        "session-end": {
            **_cursor(key, "sessionEnd"),
            "session_id": key,
            "reason": "completed",
            "duration_ms": 45_000,
            "is_background_agent": False,
            "final_status": "completed",
        },
    }


def _codex(key: str, name: str) -> Said:
    return {
        "cwd": "/home/ada/apollo",
        "hook_event_name": name,
        "model": "gpt-5-codex",
        "permission_mode": "default",
        "session_id": key,
        "transcript_path": None,
    }


def codex(key: str) -> dict[str, Said]:
    ended = _codex(key, "SessionEnd")
    del ended["model"], ended["permission_mode"]
    return {
        "session-start": {**_codex(key, "SessionStart"), "source": "startup"},
        "prompt": {**_codex(key, "UserPromptSubmit"), "prompt": "Which pump?", "turn_id": "turn-1"},
        "stop": {
            **_codex(key, "Stop"),
            "turn_id": "turn-1",
            "stop_hook_active": False,
            "last_assistant_message": "The blue pump.",
        },
        "session-end": {**ended, "reason": "other"},
    }


def _gemini(key: str, name: str) -> Said:
    return {
        "session_id": key,
        "transcript_path": "/home/ada/.gemini/tmp/1.json",
        "cwd": "/home/ada/apollo",
        "hook_event_name": name,
        "timestamp": "2026-02-09T10:30:00.000Z",
    }


def gemini_cli(key: str) -> dict[str, Said]:
    answered = {"prompt": "Which pump?", "prompt_response": "The blue pump.", "stop_hook_active": False}
    return {
        "session-start": {**_gemini(key, "SessionStart"), "source": "startup"},
        "prompt": {**_gemini(key, "BeforeAgent"), "prompt": "Which pump?"},
        "stop": {**_gemini(key, "AfterAgent"), **answered},
        "session-end": {**_gemini(key, "SessionEnd"), "reason": "exit"},
    }


def _devin(key: str, name: str) -> Said:
    return {"session_id": key, "prompt_id": "prompt-1", "hook_event_name": name, "cwd": "/home/ada/apollo"}


def windsurf(key: str) -> dict[str, Said]:
    """Devin's, which Windsurf became."""
    return {
        "session-start": {**_devin(key, "SessionStart"), "source": "startup"},
        "prompt": {**_devin(key, "UserPromptSubmit"), "prompt": "Which pump?"},
        "stop": {**_devin(key, "Stop"), "stop_hook_active": False},
        "session-end": {**_devin(key, "SessionEnd"), "reason": "other"},
    }


def _cascade(key: str, name: str, about: Said) -> Said:
    return {
        "agent_action_name": name,
        "trajectory_id": key,
        "execution_id": "execution-1",
        "timestamp": "2026-02-09T10:30:00Z",
        "tool_info": about,
    }


def cascade(key: str) -> dict[str, Said]:
    """Windsurf's own, which are told by their exit code alone."""
    return {
        "prompt": _cascade(key, "pre_user_prompt", {"user_prompt": "Which pump?"}),
        "stop": _cascade(key, "post_cascade_response", {"response": "The blue pump."}),
    }


def opencode(key: str) -> dict[str, Said]:
    """What our plugin passes."""
    about: Said = {"session_id": key, "cwd": "/home/ada/apollo"}
    return {name: dict(about) for name in ("session-start", "prompt", "pre-compact", "stop", "session-end")}


def _goose(key: str, name: str) -> Said:
    return {"event": name, "session_id": key, "matcher_context": None}


def goose(key: str) -> dict[str, Said]:
    return {
        "session-start": _goose(key, "SessionStart"),
        "stop": {**_goose(key, "Stop"), "last_assistant_message": "The blue pump."},
        "session-end": _goose(key, "SessionEnd"),
    }


DOCUMENTED = {
    "claude-code": claude_code,
    "vscode": vscode,
    "copilot-cli": copilot_cli,
    "cursor": cursor,
    "codex": codex,
    "gemini-cli": gemini_cli,
    "windsurf": windsurf,
    "opencode": opencode,
    "goose": goose,
}
