"""One server for the clients' forms; what needs a memory of its own starts one."""

from collections.abc import Iterator

import pytest

from tests.hooks.running import Hooks
from tests.memory.living import Memory, living
from tests.support import running_server


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hooks]:
    """Hooks that find a server, whose memory holds one fact."""
    with running_server(tmp_path_factory.mktemp("hooks") / "home") as server:
        server.call("memory_store_fact", category="preference", fact="Ada writes on squared paper")
        yield Hooks(server.home)


@pytest.fixture
def memory(tmp_path) -> Iterator[Memory]:
    """A memory in this process, as the hooks of Claude Code ask it."""
    with living(tmp_path / "home") as opened:
        yield opened.over(None, "claude-code")
