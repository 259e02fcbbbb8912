<<<<<<< HEAD
"""Workspaces with real files and a real git."""

=======
"""Fixtures of workspaces."""

from collections.abc import Iterator
>>>>>>> 2777cde (An approved command is kept by its place and by where it leads, and ended with all that it started, wherever that went)
from pathlib import Path

import pytest

<<<<<<< HEAD
from tests.workspace.yards import Yard, new_yard


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    """A workspace with a repository and one commit."""
    return new_yard(tmp_path / "workspace")
=======
from tests.workspace.checks import Checks, Watch, watch_at


@pytest.fixture
def checks(tmp_path: Path) -> Checks:
    root = tmp_path.resolve() / "workspace"
    root.mkdir()
    return Checks(root)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Watch]:
    with watch_at(tmp_path / "watch") as found:
        yield found
>>>>>>> 2777cde (An approved command is kept by its place and by where it leads, and ended with all that it started, wherever that went)
