"""Whatever happened to the files of a client in between, a removal leaves no empty folder that BigMind made."""

import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from bigmind.clients.files.ledger import Ledger
from bigmind.clients.target import Target
from bigmind.clients.targets import TARGETS
from tests.clients.machine import tree_of
from tests.clients.test_killed_install import connect
from tests.clients.test_what_was_there import Here, here, writing
from tests.thorough import often, turn

__all__ = ["here"]

INSTALLS = [
    *((each, False) for each in TARGETS if each.for_user),
    *((each, True) for each in TARGETS if each.for_workspace),
]
NAMES = [f"{each.name}-{'workspace' if of_workspace else 'home'}" for each, of_workspace in INSTALLS]


def nothing(here: Here, draw: random.Random, target: Target, workspace: Path | None) -> None:
    del here, draw, target, workspace


def some_files_taken_away(here: Here, draw: random.Random, target: Target, workspace: Path | None) -> None:
    del target, workspace
    files = [path for path in here.home.rglob("*") if path.is_file()]
    for path in draw.sample(files, draw.randint(1, len(files))):
        path.unlink()


def a_folder_taken_away(here: Here, draw: random.Random, target: Target, workspace: Path | None) -> None:
    del target, workspace
    folder = draw.choice([path for path in here.home.rglob("*") if path.is_file()]).parent
    for path in folder.iterdir():
        if path.is_file():
            path.unlink()
    if folder not in {here.home, here.workspace} and not any(folder.iterdir()):
        folder.rmdir()


def repaired(here: Here, draw: random.Random, target: Target, workspace: Path | None) -> None:
    some_files_taken_away(here, draw, target, workspace)
    here.install(target, workspace)


def killed_before_it_was_noted(here: Here, draw: random.Random, target: Target, workspace: Path | None) -> None:
    """A process of its own that ends, as if it were killed, when all is written and not yet noted as written."""
    here.remove(target, workspace)
    here.mind.close()
    child = os.fork()
    if child == 0:
        Ledger.note_folders = _end_at(draw.choice([1, 2]), Ledger.note_folders)
        here.reopen()
        connect(here.access, here.site(target, workspace))
        os._exit(0)
    os.waitpid(child, 0)
    here.reopen()


def _end_at(call: int, noting: Callable[..., None]) -> Callable[..., None]:
    """What ends the process at a call of it, of those that come once the files are written."""
    calls = 0

    def note(self: Ledger, path: Path, made: int) -> None:
        nonlocal calls
        calls += path.exists()
        if calls == call:
            os._exit(1)
        noting(self, path, made)

    return note


MISHAPS = [nothing, some_files_taken_away, a_folder_taken_away, repaired, killed_before_it_was_noted]


@pytest.mark.parametrize(("target", "of_workspace"), INSTALLS, ids=NAMES)
def test_no_empty_folder_is_left_of_any_client(here: Here, target: Target, *, of_workspace: bool) -> None:
    draw = random.Random(f"{target.name} {of_workspace}")
    workspace = here.workspace if of_workspace else None
    before = tree_of(here.home)
    for mishap in turn(MISHAPS * often(6, 1), INSTALLS.index((target, of_workspace))):
        here.install(target, workspace)
        mishap(here, draw, target, workspace)
        here.remove(target, workspace)
        assert tree_of(here.home) == before, mishap.__name__


@pytest.mark.parametrize("seed", range(often(60, 4)))
def test_no_empty_folder_is_left_of_several_that_share_folders(here: Here, seed: int) -> None:
    draw = random.Random(seed)
    before = tree_of(here.home)
    names = [each.name for each in TARGETS if each.for_user]
    chosen = draw.sample(names, 3)
    for name in chosen:
        here.install(name)
        if draw.random() < 0.5:
            some_files_taken_away(here, draw, next(each for each in TARGETS if each.name == name), None)
    draw.shuffle(chosen)
    for name in chosen:
        here.remove(name)
    assert tree_of(here.home) == before


def test_the_folders_of_what_an_update_no_longer_writes_go_with_it(here: Here) -> None:
    before = tree_of(here.home)
    here.install(writing(here.home / ".tools" / "old" / "one.md", name="one"))
    here.install(writing(here.home / ".tools" / "new" / "one.md", name="one"))
    assert [path.name for path in (here.home / ".tools").iterdir()] == ["new"]
    here.remove(writing(here.home / ".tools" / "new" / "one.md", name="one"))
    assert tree_of(here.home) == before


def test_a_folder_in_which_the_person_keeps_something_stays(here: Here) -> None:
    for target in (each for each in TARGETS if each.for_user):
        here.install(target)
        folders = [path for path in here.home.rglob("*") if path.is_dir() and path != here.workspace]
        for folder in folders:
            (folder / "mine").write_text("mine")
        here.remove(target)
        assert all((folder / "mine").read_text() == "mine" for folder in folders), target.name
        for folder in folders:
            (folder / "mine").unlink()
