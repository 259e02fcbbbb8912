"""What a client that speaks HTTP sends of itself: on which connection."""

import json
from pathlib import Path

from tests.hooks.running import Hooks


def test_every_connection_has_a_name_of_its_own(tmp_path: Path) -> None:
    hooks = Hooks(tmp_path / "home")
    first, second = (json.loads(hooks("claude-code", "connection", b"")) for _ in range(2))
    assert first.keys() == second.keys() == {"BigMind-Connection"}
    assert first != second
