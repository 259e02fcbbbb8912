"""Workspaces with real files and a real git, and the checks that run in them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workspace.checks import Checks, Watch, watch_at
from tests.workspace.yards import Yard, new_yard


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    """A workspace with a repository and one commit."""
    return new_yard(tmp_path / "workspace")


@pytest.fixture
def checks(tmp_path: Path) -> Checks:
    root = tmp_path.resolve() / "workspace"
    root.mkdir()
    return Checks(root)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    with watch_at(tmp_path / "watch") as found:
        yield found
