"""What clients pass to their hooks, and what they take for an answer.

The inputs differ in the names of their fields only, so every spelling is read for every client: some clients run the
hooks that were written for another (Cursor and VS Code read Claude Code's, VS Code also Copilot CLI's).
"""

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from bigmind.core.shapes import as_object, is_list
from bigmind.hooks.client_events import HookEvent, HookReply
from bigmind.hooks.last_words import last_words
from bigmind.local.project import drive_path

Json = dict[str, Any]

LONGEST_KEY = 120
LONGEST_MESSAGE = 4_000
LONGEST_SOURCE = 40
LONGEST_PATH = 4_096

_KEYS = ("conversation_id", "session_id", "sessionId", "trajectory_id")
_FOLDERS = ("cwd", "workingDirectory")
_MESSAGES = ("last_assistant_message", "prompt_response")
_NAMES = ("hook_event_name", "hookEventName", "agent_action_name")
_FILES = ("file_path", "notebook_path")
_SUBAGENT = ("agent_id", "agentId")


@dataclass(frozen=True, slots=True)
class Moment:
    """What a client says of the moment at which it runs a hook.

    Attributes:
        conversation: the client's own id of the conversation; empty when it does not say.
        folder: where it works; empty when it does not say.
        name: the client's own name of the event; empty when it does not say.
        source: why a conversation starts: `startup`, `resume`, `clear`, `compact` …
        last_message: what the assistant said last, its beginning; empty when the client does not say.
        is_again: a stop of a turn that had stopped before, and went on because of somebody's hook.
        file: that is about to be changed; empty when the client does not say.
        is_aside: nothing of ours: a part of the work that a subagent does, or a stop that only waits for work in the
            background.
    """

    conversation: str
    folder: str
    name: str
    source: str
    last_message: str
    is_again: bool
    is_aside: bool
    file: str = ""


def read(said: Json, system: str = sys.platform) -> Moment:
    """The moment that a client's input tells of; what is not there, or of another shape, is empty.

    Args:
        said: the input.
        system: as `sys.platform` says it.
    """
    about = as_object(said.get("tool_info"))
    roots = said.get("workspace_roots")
    first_root = roots[0] if is_list(roots) and roots else ""
    loops = said.get("loop_count")
    is_active = said.get("stop_hook_active") is True or said.get("stopHookActive") is True
    return Moment(
        conversation=_key(_text(said, *_KEYS)),
        folder=_folder(_text(said, *_FOLDERS) or (first_root if isinstance(first_root, str) else ""), system),
        name=_text(said, *_NAMES),
        source=_text(said, "source")[:LONGEST_SOURCE] or "startup",
        last_message=(_text(said, *_MESSAGES) or _text(about, "response") or last_words(said))[:LONGEST_MESSAGE],
        is_again=is_active or (isinstance(loops, int) and loops > 0),
        is_aside=bool(_text(said, *_SUBAGENT) or said.get("background_tasks")),
        file=_text(as_object(said.get("tool_input")), *_FILES)[:LONGEST_PATH],
    )


def _folder(told: str, system: str) -> str:
    r"""A folder by a name that the system knows: on Windows, Cursor 3 tells `C:\work` as `/c:/work`."""
    return drive_path(told) if system == "win32" else told


def run_by(client: str, said: Json) -> str:
    """The client that runs a hook, which may be another than it was written for; empty: one with hooks of its own.

    Claude Code sends no time, Copilot CLI no name of the event, and only Cursor its version.
    """
    if "cursor_version" in said and client != "cursor":
        return ""
    if client == "claude-code" and "timestamp" in said:
        return ""
    is_vscode = bool({"hookEventName", "hook_event_name"} & said.keys())
    return "vscode" if client == "copilot-cli" and is_vscode else client


def _text(said: Json, *names: str) -> str:
    """The first of some fields that holds a text."""
    return next((value for name in names if isinstance(value := said.get(name), str) and value), "")


def _key(text: str) -> str:
    if len(text) <= LONGEST_KEY:
        return text
    import hashlib  # noqa: PLC0415 - no client's ids are so long

    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def answer(client: str, hook: HookEvent, context: str, notice: str = "") -> str:
    """What to print for a client: empty, or of no use to it, is its neutral answer.

    Args:
        client: which runs the hook.
        hook: of its hooks.
        context: for its model.
        notice: for the person, where an edit is let pass that nobody looked at.
    """
    if hook.says is HookReply.REFUSAL and (context or notice):
        return _json(_refusal(hook.name, context) if context else {"systemMessage": notice})
    if hook.says is HookReply.SUMMARY and context:
        return context
    if hook.says is HookReply.CONTEXT and context:
        return _json(_CONTEXT[client](hook.name, context))
    return neutral(client, hook)


def neutral(client: str, hook: HookEvent | None) -> str:
    """What changes nothing: silence, but for the clients that want JSON whatever happens."""
    if client == "cursor" and hook is not None and hook.event == "prompt":
        return _json({"continue": True})
    return "{}" if client in {"cursor", "gemini-cli"} else ""


def unanswered(client: str, hook: HookEvent | None) -> str:
    """What is printed where BigMind did not answer: what changes nothing, and, of an edit, that nobody looked at it."""
    return (
        answer(client, hook, "", NOT_ASKED)
        if hook is not None and hook.says is HookReply.REFUSAL
        else neutral(client, hook)
    )


NOT_ASKED = "BigMind did not answer, so this edit was not held to claimed work."


def _json(answered: Json) -> str:
    return json.dumps(answered)


def _specific(event: str, context: str) -> Json:
    return {"hookSpecificOutput": {"hookEventName": event, "additionalContext": context}}


def _refusal(event: str, reason: str) -> Json:
    refused = {"hookEventName": event, "permissionDecision": "deny", "permissionDecisionReason": reason}
    return {"hookSpecificOutput": refused}


_CONTEXT: dict[str, Callable[[str, str], Json]] = {
    "claude-code": _specific,
    "vscode": _specific,
    "copilot-cli": lambda _, context: {"additionalContext": context},
    "cursor": lambda _, context: {"additional_context": context},
    "codex": _specific,
    "gemini-cli": _specific,
    "windsurf": _specific,
    "opencode": _specific,
}
