"""Fixtures of what clients have in common."""

import os
from pathlib import Path

import pytest

from bigmind.core.operation import Caller
from bigmind.wiring import Mind
from tests.clients.learnt import OF_WORKSPACE, OWN, Person, write
from tests.support import own_environment

collect_ignore = (
    []
    if os.name == "posix"
    else ["test_claude_code_conversations.py", "test_command_line.py", "test_moved.py", "test_learning_command.py"]
)
"""They type at a terminal of POSIX."""


@pytest.fixture
def person(tmp_path: Path, mind: Mind, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Person:
    """A person whose home and workspace have instruction files, with a memory in this process."""
    found = Person(tmp_path / "me", tmp_path / "apollo", mind, caller)
    for name, value in own_environment(found.home).items():
        monkeypatch.setenv(name, value)
    write(found.home, {".claude/CLAUDE.md": OWN})
    write(found.workspace, {"CLAUDE.md": OF_WORKSPACE})
    return found
