"""A conversation that starts while the disk is full begins with what is known, and with why nothing is kept."""

import json
import sys
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.hooks.documented import claude_code
from tests.hooks.running import Hooks, new_key
from tests.support import running_server

resource = pytest.importorskip("resource", reason="Windows limits no files of a process")

FACT = "Ada drinks oolong"
LARGEST_FILE = 4_096

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits another process as Linux does")


@pytest.fixture
def full(tmp_path: Path) -> Generator[Hooks]:
    """Hooks of a server that can write no more, as if its disk was full."""
    with running_server(tmp_path / "home") as server:
        server.call("memory_store_fact", category="preference", fact=FACT)
        _, most = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (LARGEST_FILE, most))
        yield Hooks(server.home)
        resource.prlimit(server.process.pid, resource.RLIMIT_FSIZE, (most, most))


def test_the_start_tells_what_is_known_and_that_nothing_can_be_stored(full: Hooks) -> None:
    key = new_key()
    answer = json.loads(full("claude-code", "session-start", claude_code(key)["session-start"]))
    told = answer["hookSpecificOutput"]["additionalContext"]
    assert "nothing can be stored now. Tell the user. The disk" in told
    assert FACT in told
    for event in ("prompt", "stop", "session-end"):
        assert full("claude-code", event, claude_code(key)[event]) == ""
