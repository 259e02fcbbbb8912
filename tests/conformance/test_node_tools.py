"""How the judges come here: pinned by hash, from whatever registry npm is set to, and only when they are missing."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conformance.judges import MODULES, NODE

ROOT = Path(__file__).parents[2]
TOOLS = MODULES.parent
EMPTY = {"name": "none", "version": "1.0.0", "private": True}
LOCK = {**EMPTY, "lockfileVersion": 3, "requires": True, "packages": {"": {"name": "none", "version": "1.0.0"}}}


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with the environment of this one, whose tools are none at all."""
    (tmp_path / "packaging").mkdir()
    (tmp_path / "tests" / "node").mkdir(parents=True)
    script = (ROOT / "packaging" / "node_tools.py").read_text()
    (tmp_path / "packaging" / "node_tools.py").write_text(script)
    (tmp_path / ".venv").mkdir()
    (tmp_path / ".venv" / NODE.parent.name).symlink_to(NODE.parent)
    (tmp_path / "tests" / "node" / "package.json").write_text(json.dumps(EMPTY))
    (tmp_path / "tests" / "node" / "package-lock.json").write_text(json.dumps(LOCK))
    return tmp_path


def install(checkout: Path) -> subprocess.CompletedProcess[str]:
    script = checkout / "packaging" / "node_tools.py"
    return subprocess.run([sys.executable, str(script)], check=False, capture_output=True, text=True, timeout=120)


def test_every_package_is_pinned_by_hash_and_none_by_address() -> None:
    packages = json.loads((TOOLS / "package-lock.json").read_text())["packages"]
    installed = {path: about for path, about in packages.items() if path}

    assert len(installed) > 100
    assert [path for path, about in installed.items() if not about.get("integrity", "").startswith("sha512-")] == []
    assert [path for path, about in installed.items() if "resolved" in about] == []


def test_every_tool_is_asked_for_in_one_exact_version() -> None:
    wanted = json.loads((TOOLS / "package.json").read_text())["dependencies"]

    assert all(re.fullmatch(r"(npm:.+@)?\d+\.\d+\.\d+(-[\w.]+)?", version) for version in wanted.values()), wanted


@pytest.mark.node
def test_tools_are_installed_once_and_again_after_a_change(checkout: Path) -> None:
    tools = checkout / "tests" / "node"
    first, second = install(checkout), install(checkout)
    (tools / "package.json").write_text(json.dumps({**EMPTY, "description": "changed"}))
    third = install(checkout)

    assert (first.returncode, second.returncode, third.returncode) == (0, 0, 0), first.stderr
    assert "Installing" in first.stderr
    assert second.stderr == ""
    assert "Installing" in third.stderr


@pytest.mark.node
def test_npm_says_itself_why_it_cannot(checkout: Path) -> None:
    (checkout / "tests" / "node" / "package-lock.json").unlink()

    failed = install(checkout)

    assert failed.returncode == 1
    assert "can only install with an existing package-lock.json" in failed.stderr
    assert "Installing" in install(checkout).stderr, "a failure must not pass for an installation"


def test_without_an_environment_it_names_the_command_that_makes_one(checkout: Path) -> None:
    (checkout / ".venv" / NODE.parent.name).unlink()

    failed = install(checkout)

    assert failed.returncode == 1
    assert "packaging/environment.py test" in failed.stderr
