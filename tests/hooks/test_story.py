"""The job of the hooks, told once: what an assistant forgot to keep is known in the next conversation all the same."""

from pathlib import Path
from typing import Any

import pytest

from tests.hooks.documented import claude_code
from tests.hooks.running import Hooks
from tests.mcp.clients import good, over_stdio
from tests.support import running_server

pytestmark = pytest.mark.anyio

CLIENT = "claude-code"
FOLDER = str(Path.cwd())


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


class Conversation:
    """One conversation of the client, as its hooks are run."""

    def __init__(self, hooks: Hooks, key: str) -> None:
        self._hooks = hooks
        self._said = claude_code(key)

    def says(self, event: str, **more: Any) -> Any:
        return self._hooks.json(CLIENT, event, self._said[event] | {"cwd": FOLDER} | more)

    def is_silent(self, event: str, **more: Any) -> bool:
        return self._hooks(CLIENT, event, self._said[event] | {"cwd": FOLDER} | more) == ""

    def context(self, **more: Any) -> str:
        return self.says("session-start", **more)["hookSpecificOutput"]["additionalContext"]


async def test_what_was_not_ended_is_known_next_time_and_what_was_ended_stays(tmp_path: Path) -> None:
    with running_server(tmp_path / "home") as server:
        hooks = Hooks(server.home)
        first = Conversation(hooks, "first")
        assert "The session is not open yet" in first.context()
        assert first.is_silent("prompt")
        async with over_stdio(server.home, name=CLIENT) as client:
            _, opened = await good(client, "memory_start_session", topics=["pumps"])
            await good(client, "memory_flag_important", content="The valve is on the left.", flag_reason="found out")
            assert first.is_silent("stop", last_assistant_message="We take the blue pump, it is quieter.")
        assert first.is_silent("session-end")

        [record] = server.call("memory_list_sessions")["sessions"]
        assert record["session_id"] == opened["session_id"]
        assert record["one_liner"] == "The valve is on the left."
        assert (record["topics"], record["importance"]) == (["pumps"], 2)
        assert record["ended_at"] is not None
        detail = server.call("memory_get_session_detail", session_id=opened["session_id"])
        assert "> We take the blue pump, it is quieter." in detail["summary"]
        assert "- The valve is on the left." in detail["summary"]

        second = Conversation(hooks, "second")
        assert "The valve is on the left." in second.context()
        async with over_stdio(server.home, name=CLIENT) as client:
            _, again = await good(client, "memory_start_session")
            told = {"one_liner": "Mounted the pump", "topics": ["pumps"], "outcome": "It runs"}
            await good(client, "memory_end_session", **told)
        assert second.is_silent("stop")
        assert second.is_silent("session-end")
        rows = {row["session_id"]: row["one_liner"] for row in server.call("memory_list_sessions")["sessions"]}
        assert rows[again["session_id"]] == "Mounted the pump"
        assert len(rows) == 2

        assert "Mounted the pump" in Conversation(hooks, "third").context()


async def test_a_paused_bigmind_tells_what_it_knows_and_keeps_nothing(tmp_path: Path) -> None:
    with running_server(tmp_path / "home") as server:
        hooks = Hooks(server.home)
        server.call("memory_store_fact", category="decision", fact="The pump is blue.")
        server.call("server_pause", paused=True)
        conversation = Conversation(hooks, "paused")
        assert "The pump is blue." in conversation.context()
        for event in ("prompt", "prompt", "stop", "stop", "session-end"):
            assert conversation.is_silent(event)
        assert server.call("memory_list_sessions")["sessions"] == []
        server.call("server_pause", paused=False)
        assert conversation.is_silent("stop")
        assert conversation.is_silent("stop", last_assistant_message="We take the blue pump.")
        assert [row["one_liner"] for row in server.call("memory_list_sessions")["sessions"]] == [
            "We take the blue pump."
        ]
