"""The words that Copilot CLI's assistant said last, in the record that its hooks name."""

import json
import os
from pathlib import Path

import pytest

from bigmind.hooks.attendance import is_attended
from bigmind.hooks.formats import read
from bigmind.hooks.last_words import TAIL

TURN = '{"type":"assistant.turn_start","data":{"turnId":"0"}}'


def message(content: object, **more: object) -> str:
    """As Copilot CLI 1.0.102 writes it."""
    return json.dumps({"type": "assistant.message", "data": {"messageId": "m", "content": content, **more}})


def stop(record: Path | str) -> str:
    return read({"sessionId": "s", "transcriptPath": str(record), "stopReason": "end_turn"}).last_message


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (
            [message("First."), message("The pump is blue 日本."), '{"type":"assistant.turn_end","data":{}}'],
            "The pump is blue 日本.",
        ),
        ([message("Said."), message("", toolRequests=[{"name": "x"}])], "Said."),
        ([message("Its own."), message("A subagent's.", parentToolCallId="call_1")], "Its own."),
        ([message("Whole."), '{"type":"user.message","data":{"content":"\\"assistant.message\\""}}'], "Whole."),
        ([message("Whole."), message("Cut.")[:-3]], "Whole."),
        ([message(7), message(None), "[" * 100_000], ""),
        ([message("Long ago."), "x" * TAIL], ""),
        ([message("Of the turn before."), TURN], ""),
        ([TURN, message("Let me look."), TURN, message("It is blue.")], "It is blue."),
        ([], ""),
    ],
)
def test_the_last_message_of_the_record_is_what_was_said_last(tmp_path: Path, lines: list[str], words: str) -> None:
    record = tmp_path / "events.jsonl"
    record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    assert stop(record) == words


@pytest.mark.parametrize("record", ["", "/nowhere/events.jsonl", "/", "a\0b"])
def test_without_a_record_nothing_is_known(record: str) -> None:
    assert stop(record) == ""


@pytest.mark.parametrize("moved", [True, False])
def test_at_the_end_the_record_is_found_by_the_conversation_s_id(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, moved: bool
) -> None:
    folder = tmp_path / ("elsewhere" if moved else ".copilot")
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("COPILOT_HOME", str(folder) if moved else "")
    record = folder / "session-state" / "0-1a" / "events.jsonl"
    record.parent.mkdir(parents=True)
    record.write_text(message("Bye."))
    assert read({"sessionId": "0-1a", "reason": "complete"}).last_message == "Bye."
    assert read({"sessionId": "../session-state/0-1a", "reason": "complete"}).last_message == ""
    assert read({"session_id": "0-1a", "reason": "other"}).last_message == ""


@pytest.mark.skipif(os.name != "posix", reason="pipes that have a name")
def test_a_pipe_in_place_of_a_record_is_not_waited_for(tmp_path: Path) -> None:
    """The hook came to its budget, and an edit that it should have held passed."""
    os.mkfifo(tmp_path / "pipe")
    assert stop(tmp_path / "pipe") == ""
    assert is_attended("codex", {"transcript_path": str(tmp_path / "pipe")}) is None
