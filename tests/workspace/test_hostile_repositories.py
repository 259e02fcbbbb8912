"""Two hundred workspaces that try to run code when BigMind looks at them: none runs."""

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from bigmind.workspace import git_command
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Repository
from tests.thorough import often
from tests.workspace.hostile_repositories import Hostile, as_anybody, hostile
from tests.workspace.yards import Yard

MANY = often(200, 40)
AT_ONCE = 20
CONTROLLED = often(200, 18)
"""Of so many it is tried that they are hostile indeed."""


def looked_at(made: Hostile) -> None:
    """Do all that BigMind ever does with a repository; what cannot be read is a fault in words."""
    with suppress(WorkspaceFault):
        repository = Repository.of(Folder(made.root))
        assert repository is not None
        for look in (
            repository.head,
            lambda: repository.identity,
            repository.hiding,
            lambda: repository.cleanliness("{}"),
            lambda: repository.tree(("docs",)),
            lambda: repository.committed_tree(("docs",)),
            repository.hooks,
            lambda: repository.commits_after(0, 100),
            lambda: with_commit(repository),
        ):
            with suppress(WorkspaceFault):
                look()


def with_commit(repository: Repository) -> None:
    commits = repository.commits_after(0, 100)
    if not commits:  # what was hidden of it is a fault, or none
        return
    start = commits[-1].id
    repository.full(start[:8])
    repository.is_ancestor(start, commits[0].id)
    repository.commits_since(start, 100)
    repository.changed_since(start, 100)
    repository.text_at(start, "docs/HANDOFF.md", 1_000_000)


@pytest.mark.parametrize("first", range(0, MANY, AT_ONCE))
def test_none_of_two_hundred_workspaces_runs_anything(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int):
    for number in range(first, first + AT_ONCE):
        made = hostile(tmp_path, number)
        with monkeypatch.context() as changed:
            for name, value in made.environment.items():
                changed.setenv(name, value)
            changed.chdir(made.root)
            looked_at(made)
        assert not made.canary.exists(), (number, made.tried)


def test_they_are_hostile_indeed(tmp_path: Path):
    """The control: looked at with plain git, a good share of them runs what they hold."""
    ran = 0
    for number in range(CONTROLLED):
        made = hostile(tmp_path, number)
        as_anybody(made, dict(os.environ))
        ran += made.canary.exists()
    assert ran > CONTROLLED // 2, f"{ran} of {CONTROLLED}"


def test_git_is_not_taken_from_a_relative_entry_or_the_workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "git").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "git").chmod(0o755)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f".{os.pathsep}{os.pathsep}{os.environ['PATH']}")
    found = git_command.git_program(tmp_path).path
    assert Path(found).is_absolute()
    assert Path(found).parent != tmp_path


@pytest.mark.parametrize("name", ["git", "git.exe", "git.com", "git.bat", "git.cmd"])
def test_git_is_not_taken_from_where_bigmind_was_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    """Windows looks there first."""
    started, installed = tmp_path / "started", tmp_path / "installed"
    for file in (started / name, installed / "git.exe"):
        file.parent.mkdir()
        file.write_text("#!/bin/sh\necho git version 2.40.1\n")
        file.chmod(0o755)
    if os.name == "nt":  # where that is no program
        installed = Path(str(shutil.which("git"))).parent
    monkeypatch.chdir(started)
    given = {"PATH": f".;;started;{installed}", "PATHEXT": ".BAT;.CMD;.COM;.EXE"}
    found = git_command.git_program(tmp_path / "workspace", given, "win32")
    assert Path(found.path) == installed.resolve() / "git.exe"
    assert found.search == str(installed)


def test_git_is_looked_for_once_for_each_look_at_a_repository(yard: Yard, monkeypatch: pytest.MonkeyPatch):
    commit, looked_at = yard.commit(), yard.repository
    monkeypatch.setenv("PATH", "")
    assert looked_at.head().commit == commit


@pytest.mark.parametrize("name", ["git.bat", "git.cmd"])
def test_git_is_no_script_of_a_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str):
    """Windows has a shell read the words of one, and the folder's name is one of them."""
    (tmp_path / name).write_text("exit 0\n")
    (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(WorkspaceFault, match="no git"):
        git_command.git_program(tmp_path / "workspace")


def test_apples_git_that_would_only_offer_itself_is_passed_over(tmp_path: Path):
    others = tmp_path / "homebrew"
    others.mkdir()
    git = Path(shutil.which("git") or "")
    (others / "git").symlink_to(git)
    apples, both = {"PATH": "/usr/bin"}, {"PATH": f"/usr/bin{os.pathsep}{others}"}
    root = tmp_path / "root"

    with pytest.raises(WorkspaceFault, match="xcode-select --install"):
        git_command.git_program(root, apples, "darwin", lambda: False)
    assert git_command.git_program(root, both, "darwin", lambda: False).path == str(others / "git")
    assert git_command.git_program(root, {"PATH": str(git.parent)}, "darwin", lambda: True).path == str(git)
    assert git_command.git_program(root, {"PATH": str(git.parent)}, "linux", lambda: False).path == str(git)


@pytest.mark.parametrize(("code", "has"), [(0, True), (2, False), (1, True)])
def test_apples_tools_are_missing_where_the_system_says_so(code: int, has: bool):
    assert git_command.has_apples_tools((sys.executable, "-S", "-c", f"raise SystemExit({code})")) is has


def test_the_environment_of_git_names_all_that_is_in_it():
    given = {"PATH": "/elsewhere", "LD_PRELOAD": "/evil.so", "GIT_DIR": "/x", "GIT_CONFIG_COUNT": "1", "TMPDIR": "/x"}
    made = git_command.environment("/bin", given)
    assert made["PATH"] == "/bin"
    assert "LD_PRELOAD" not in made
    assert not {"GIT_DIR", "GIT_CONFIG_COUNT"} & made.keys()
    assert made["GIT_CONFIG_GLOBAL"] == os.devnull
