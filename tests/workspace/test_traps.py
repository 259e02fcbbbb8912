"""Workspaces that try to run code: whatever is asked of a repository, no canary fires; for a plain git many do."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from bigmind.workspace import git_command
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Repository
from tests.thorough import turn
from tests.workspace.traps import Lay, Trap, families
from tests.workspace.yards import Yard, new_yard, worker_environment

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="canaries are scripts of a POSIX shell")

FAMILIES = families()
AT_LEAST = {
    "settings": 4,
    "inclusions": 12,
    "hooks": 12,
    "attributes": 16,
    "programs": 5,
    "variables": 25,
    "promises": 6,
    "places": 3,
}
"""How many traps of a family go off when a plain git is used there: the proof that they are traps."""
MANY = 200
ASKED = 8
"""Of fifteen questions each trap is asked so many in the gate, whose turn it is; each family hears them all."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    """What every trap is made of: two commits, and a change that is not committed."""
    yard = new_yard(tmp_path_factory.mktemp("model") / "workspace")
    yard.write("README.md", "# Yard\n\nMore.\n")
    yard.commit("Second")
    yard.write("src/app.py", "print('changed')\n")
    yard.write("new.txt")
    return yard


def laid(model: Yard, base: Path, name: str, lay: Lay) -> Trap:
    base.mkdir()
    shutil.copytree(model.root, base / "workspace", symlinks=True)
    trap = Trap(name, Yard((base / "workspace").resolve()), base.resolve())
    trap.program(trap.canary)
    lay(trap)
    assert not trap.has_fired() or "hooks" in name
    for each in base.glob("fired*"):
        each.unlink()
    return trap


def all_that_is_asked(start: str) -> list[Callable[[Repository], object]]:
    return [
        lambda it: it.identity,
        lambda it: it.head(),
        lambda it: it.full(start[:9]),
        lambda it: it.is_ancestor(start, it.head().commit),
        lambda it: it.commits_since(start, 9),
        lambda it: it.commits_after(0, 9),
        lambda it: it.changed_since(start, 9),
        lambda it: it.text_at(start, "README.md", 1_000),
        lambda it: it.text_at(it.head().commit, "README.md", 1_000),
        lambda it: it.tree(["docs"]),
        lambda it: it.committed_tree(["docs"]),
        lambda it: it.hiding(),
        lambda it: it.cleanliness(),
        lambda it: it.cleanliness('{"info/exclude": ["*.none"], "filter": ["x"]}'),
        lambda it: it.hooks(),
    ]


def look(trap: Trap, start: str, number: int) -> int:
    """Ask all that can be asked; how many answers were faults."""
    found, faults = Repository.of(Folder(trap.yard.root)), 0
    assert found is not None
    for ask in turn(all_that_is_asked(start), number, ASKED):
        try:
            ask(found)
        except WorkspaceFault:
            faults += 1
    return faults


def use_plain_git(trap: Trap) -> None:
    """What an unsuspecting person does there, at a terminal."""
    environment = worker_environment()
    del environment["GIT_CONFIG_GLOBAL"]
    environment |= {"HOME": str(trap.base / "nobody"), "TERM": "xterm"} | trap.environment
    if "GIT_CONFIG_SYSTEM" in trap.environment:
        del environment["GIT_CONFIG_NOSYSTEM"]
    with ExitStack() as stack:
        master, terminal = os.openpty()
        stack.callback(os.close, master)
        stack.callback(os.close, terminal)
        for asked in (
            *("status", "diff", "log -p -2", "show HEAD:README.md", "st", "checkout -q -b other", "add -A"),
            *("commit -q -m Work", "fetch -q origin"),
        ):
            subprocess.run(
                ["git", *asked.split(" ")],
                cwd=trap.yard.root,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=terminal,
                stderr=subprocess.DEVNULL,
                timeout=20,
                check=False,
            )
            if trap.has_fired():
                return


@pytest.mark.parametrize("family", FAMILIES)
def test_no_trap_goes_off_when_bigmind_looks(
    model: Yard, tmp_path: Path, family: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, faults = model.git("rev-parse", "HEAD^"), 0
    for number, (name, lay) in enumerate(FAMILIES[family].items()):
        trap = laid(model, tmp_path / str(number), f"{family}: {name}", lay)
        with monkeypatch.context() as patch:
            patch.chdir(trap.yard.root)
            for variable, value in trap.environment.items():
                patch.setenv(variable, value)
            faults += look(trap, start, number)
        assert not trap.has_fired(), f"{trap.name} ran: {[each.read_text() for each in trap.base.glob('fired*')]}"
        shutil.rmtree(trap.base)
    if family != "promises":  # of those some lack what is asked for
        assert faults == 0


@pytest.mark.parametrize("family", FAMILIES)
def test_some_of_each_family_go_off_for_a_plain_git(
    model: Yard, tmp_path: Path, family: str, record_property: Callable[..., None]
) -> None:
    """The control: they are traps."""
    fired: list[str] = []
    for number, (name, lay) in enumerate(FAMILIES[family].items()):
        trap = laid(model, tmp_path / str(number), f"{family}: {name}", lay)
        use_plain_git(trap)
        fired += [name] if trap.has_fired() else []
        shutil.rmtree(trap.base)
    record_property("fired", fired)
    print(f"{family}: {len(fired)} of {len(FAMILIES[family])} go off for a plain git")
    assert len(fired) >= AT_LEAST[family]


def test_a_git_that_knows_no_word_against_fetching_fetches_nothing(
    model: Yard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`GIT_NO_LAZY_FETCH` came late; before it the transports that are closed have to do."""
    named, start = git_command.environment, model.git("rev-parse", "HEAD^")

    def without(path: str, *more: dict[str, str]) -> dict[str, str]:
        return {name: value for name, value in named(path, *more).items() if name != "GIT_NO_LAZY_FETCH"}

    monkeypatch.setattr(git_command, "environment", without)
    for number, (name, lay) in enumerate(FAMILIES["promises"].items()):
        trap = laid(model, tmp_path / str(number), name, lay)
        with monkeypatch.context() as patch:
            patch.setenv("PATH", trap.environment["PATH"])
            assert look(trap, start, number) < ASKED
        assert not trap.has_fired(), trap.name


def test_there_are_many_traps() -> None:
    assert sum(map(len, FAMILIES.values())) >= MANY
