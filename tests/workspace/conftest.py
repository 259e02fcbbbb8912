"""Workspaces with real files and a real git."""

from pathlib import Path

import pytest

from tests.workspace.yards import Yard, new_yard


@pytest.fixture
def yard(tmp_path: Path) -> Yard:
    """A workspace with a repository and one commit."""
    return new_yard(tmp_path / "workspace")
