"""Which hooks each client has that are of use, under its own names.

Sources: the schemas in Claude Code 2.1.330, Codex 0.169 and Copilot CLI 1.0.102 themselves, Gemini CLI 0.61's bundled
docs/hooks/reference.md, code.visualstudio.com's hooks reference (July 2026), cursor.com/docs/hooks, docs.devin.ai's
hooks of Devin and of Cascade, and Goose's own code (crates/goose/src/hooks). An event is left out where nothing can be
told to the model then and nothing learnt. A stop is only taken note of: whoever keeps a model going at a stop takes the
place of its answer, which is what `claude -p` prints and what a person was waiting for.
"""

from dataclasses import dataclass
from enum import StrEnum


class HookReply(StrEnum):
    """What a client does with the answer of a hook."""

    CONTEXT = "context"  # the model reads it
    SUMMARY = "summary"  # the model that compacts the conversation reads it
    REFUSAL = "refusal"  # a reason refuses the tool call, and the model reads it
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class HookEvent:
    """One hook of a client.

    Attributes:
        name: the client's own name of the event, a key of its configuration.
        event: ours: the argument of `bigmind hook`.
        timeout: what to write for it, in the client's own unit: 5 seconds, although the command ends in a fraction of
            one. None where the client has no such setting.
        says: what becomes of the answer.
        matcher: the client's names of the tools that it is run before; empty: it is run at no tool.
    """

    name: str
    event: str
    timeout: int | None
    says: HookReply = HookReply.NOTHING
    matcher: str = ""


EVENTS = ("session-start", "prompt", "pre-compact", "stop", "session-end")
"""Ours, in the order of a conversation."""

HOOKS: dict[str, tuple[HookEvent, ...]] = {
    "claude-code": (
        HookEvent("SessionStart", "session-start", 5, HookReply.CONTEXT),
        HookEvent("UserPromptSubmit", "prompt", 5, HookReply.CONTEXT),
        HookEvent("PreCompact", "pre-compact", 5, HookReply.SUMMARY),
        HookEvent("Stop", "stop", 5),
        HookEvent("SessionEnd", "session-end", 5),
    ),
    "vscode": (
        HookEvent("SessionStart", "session-start", 5, HookReply.CONTEXT),
        HookEvent("UserPromptSubmit", "prompt", 5),
        HookEvent("Stop", "stop", 5),
    ),
    "copilot-cli": (
        HookEvent("sessionStart", "session-start", 5, HookReply.CONTEXT),
        HookEvent("userPromptSubmitted", "prompt", 5, HookReply.CONTEXT),
        HookEvent("agentStop", "stop", 5),
        HookEvent("sessionEnd", "session-end", 5),
    ),
    "cursor": (
        HookEvent("sessionStart", "session-start", 5, HookReply.CONTEXT),
        HookEvent("beforeSubmitPrompt", "prompt", 5),
        HookEvent("stop", "stop", 5),
        HookEvent("sessionEnd", "session-end", 5),
    ),
    "codex": (
        HookEvent("SessionStart", "session-start", 5, HookReply.CONTEXT),
        HookEvent("UserPromptSubmit", "prompt", 5, HookReply.CONTEXT),
        HookEvent("Stop", "stop", 5),
        HookEvent("SessionEnd", "session-end", 3),  # more is cut to it, with a warning in each run
    ),
    "gemini-cli": (
        HookEvent("SessionStart", "session-start", 5_000, HookReply.CONTEXT),
        HookEvent("BeforeAgent", "prompt", 5_000, HookReply.CONTEXT),
        HookEvent("AfterAgent", "stop", 5_000),
        HookEvent("SessionEnd", "session-end", 5_000),
    ),
    "windsurf": (  # first Devin's, then those of Cascade, which listens to none
        HookEvent("SessionStart", "session-start", 5, HookReply.CONTEXT),
        HookEvent("UserPromptSubmit", "prompt", 5, HookReply.CONTEXT),
        HookEvent("Stop", "stop", 5),
        HookEvent("SessionEnd", "session-end", 5),
        HookEvent("pre_user_prompt", "prompt", None),
        HookEvent("post_cascade_response", "stop", None),
    ),
    "opencode": (  # what our plugin there runs, and takes for an answer
        HookEvent("experimental.chat.system.transform", "session-start", None, HookReply.CONTEXT),
        HookEvent("chat.message", "prompt", None, HookReply.CONTEXT),
        HookEvent("experimental.session.compacting", "pre-compact", None, HookReply.CONTEXT),
        HookEvent("session.idle", "stop", None),
        HookEvent("session.deleted", "session-end", None),
    ),
    "goose": (
        HookEvent("SessionStart", "session-start", 5),
        HookEvent("Stop", "stop", 5),
        HookEvent("SessionEnd", "session-end", 5),
    ),
}
"""The clients with hooks, by the name that `--client` takes."""


EDIT = "edit"
"""Ours too: a file is about to be changed. Only where a person chose it for a workspace."""

EDIT_HOOKS: dict[str, HookEvent] = {
    "claude-code": HookEvent("PreToolUse", EDIT, 5, HookReply.REFUSAL, "Edit|Write|MultiEdit|NotebookEdit"),
}
"""The clients whose hooks can refuse the change of a file, and are looked for in a workspace."""


def hook_of(client: str, event: str, name: str = "") -> HookEvent | None:
    """The hook of a client that stands for an event of ours, if it has one; of two, the one of that name."""
    if event == EDIT:
        return EDIT_HOOKS.get(client)
    found = [each for each in HOOKS.get(client, ()) if each.event == event]
    return next((each for each in found if each.name == name), found[0] if found else None)
