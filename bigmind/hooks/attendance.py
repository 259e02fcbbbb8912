"""Whether somebody sits in front of a client, who reads what its model says: as each client shows it.

Found in Claude Code 2.1.330, Codex 0.169 and Copilot CLI 1.0.102 themselves, and in Cursor's documentation. Gemini CLI
0.61 (`gemini -p`), Goose, Devin and VS Code show nothing.
"""

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from bigmind.disk.existence import beginning_of

ATTENDED_ENTRYPOINTS = frozenset({"cli", "claude-vscode", "claude-desktop"})
"""Claude Code's, where a person types. `sdk-cli` is its print mode, `sdk-ts` and `sdk-py` are programs."""

CODEX_EXEC = b'"originator":"codex_exec"'
CODEX_HEAD = 1_024
"""Bytes of a conversation's record that Codex 0.169 writes its originator into: it stands within the first 500."""

_COPILOT_ENDS = {"complete": False, "user_exit": True}


def is_attended(client: str, said: dict[str, Any]) -> bool | None:
    """Whether a person follows the conversation; None where the client does not show it.

    Args:
        client: which runs the hook.
        said: its input.
    """
    match client:
        case "claude-code":
            return _claude_code()
        case "codex":
            return _codex(said.get("transcript_path"))
        case "copilot-cli":  # `copilot -p` ends its own conversation
            reason = said.get("reason")
            return _COPILOT_ENDS.get(reason) if isinstance(reason, str) else None
        case "cursor":
            return False if said.get("is_background_agent") is True else None
        case "opencode":  # our plugin sees the command line
            return False if said.get("attended") is False else None
        case _:
            return None


def _claude_code() -> bool | None:
    shown = os.environ.get("CLAUDE_CODE_SESSION_ATTENDED")
    if shown in {"0", "1"}:
        return shown == "1"
    entrypoint = os.environ.get("CLAUDE_CODE_ENTRYPOINT")
    return entrypoint in ATTENDED_ENTRYPOINTS if entrypoint else None


def _codex(record: object) -> bool | None:
    """`codex exec` names itself in the first line of the conversation's record."""
    if not isinstance(record, str) or not record:
        return None
    with suppress(OSError, ValueError):
        head = beginning_of(Path(record), CODEX_HEAD)
        return CODEX_EXEC not in head if b'"originator":' in head else None
    return None
