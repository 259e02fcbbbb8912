"""Fixtures of what clients have in common."""

from pathlib import Path

import pytest

from bigmind.core.operation import Caller
from bigmind.wiring import Mind
from tests.clients.learnt import OF_WORKSPACE, OWN, Person, write
from tests.support import own_environment


@pytest.fixture
def person(tmp_path: Path, mind: Mind, caller: Caller, monkeypatch: pytest.MonkeyPatch) -> Person:
    """A person whose home and workspace have instruction files, with a memory in this process."""
    found = Person(tmp_path / "me", tmp_path / "apollo", mind, caller)
    for name, value in own_environment(found.home).items():
        monkeypatch.setenv(name, value)
    write(found.home, {".claude/CLAUDE.md": OWN})
    write(found.workspace, {"CLAUDE.md": OF_WORKSPACE})
    return found
