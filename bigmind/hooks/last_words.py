"""What an assistant said last, where its client passes only the record of the conversation to its hooks.

Found in Copilot CLI 1.0.102 itself: a line of JSON for each event, and one `assistant.message` for each message of the
model. A subagent's is told apart by a field that names it, or the call that it works for. When the model stops, its
last message may not be written yet (100 ms later it is), so that of an earlier turn is not taken for it; when the
conversation ends it is there, in a record that is not named then, but lies in the client's folder by its id.
"""

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from bigmind.core.shapes import as_object
from bigmind.disk.existence import end_of

TAIL = 256 * 1024
"""Bytes of the record's end that are looked through: a hook has a fraction of a second."""

_MESSAGE = b'"assistant.message"'
_TURN = b'{"type":"assistant.turn_start"'
_OF_SUBAGENT = ("parentToolCallId", "agentId")


def last_words(said: dict[str, Any]) -> str:
    """The last message in the record of the conversation that a client's input names; empty where there is none."""
    record = _record(said)
    if not record:
        return ""
    with suppress(OSError, ValueError):
        for line in reversed(end_of(Path(record), TAIL).split(b"\n")):
            if line.startswith(_TURN):
                break
            if text := _message_in(line):
                return text
    return ""


def _record(said: dict[str, Any]) -> str:
    """Its path; empty for every other client, whose inputs have other fields."""
    named, session = said.get("transcriptPath"), said.get("sessionId")
    if isinstance(named, str):
        return named
    if "reason" not in said or not isinstance(session, str) or not session.replace("-", "").isalnum():
        return ""
    folder = os.environ.get("COPILOT_HOME") or os.path.expanduser("~/.copilot")  # noqa: PTH111
    return os.path.join(folder, "session-state", session, "events.jsonl")  # noqa: PTH118


def _message_in(line: bytes) -> str:
    """The text of a message of the model; empty for any other line, and for one that was cut."""
    if _MESSAGE not in line:
        return ""
    with suppress(ValueError, RecursionError):
        event = as_object(json.loads(line))
        about = as_object(event.get("data"))
        text = about.get("content")
        is_its = event.get("type") == "assistant.message" and not any(
            {**event, **about}.get(name) for name in _OF_SUBAGENT
        )
        return text.strip() if is_its and isinstance(text, str) else ""
    return ""
