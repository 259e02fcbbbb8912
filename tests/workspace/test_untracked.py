"""What is not in the index: as git lists it where git looks itself, and as it is looked for on Windows."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from bigmind.disk.windows_paths import with_prefix
from bigmind.workspace import untracked
from bigmind.workspace.folder import WorkspaceFault
from bigmind.workspace.git_place import place_of
from bigmind.workspace.untracked import Untracked, untracked_of
from tests.workspace.yards import Yard, new_yard


def _found(yard: Yard, system: str = "win32", clock: Callable[[], float] = lambda: 0.0) -> Untracked:
    place = place_of(yard.folder)
    assert place is not None
    rows = [each.partition("\t") for each in yard.git("ls-files", "-z", "-s").split("\0") if each]
    modules = [path for told, _, path in rows if told.startswith("160000")]
    return untracked_of(place, [path for *_, path in rows], modules, system, clock)


def _monorepo(yard: Yard) -> None:
    """Tracked folders, ignored ones, some with their own rules, and repositories in both."""
    yard.write(".gitignore", "node_modules/\n*.log\nforced/\n/only-here\n")
    yard.write("forced/kept.py")
    yard.git("add", "-f", "forced/kept.py", ".gitignore")
    yard.commit()
    for path in (
        *("new.py", "src/new.py", "new/deep/down/x.py", "new/x.log", "src/x.log", "forced/other.py", "only-here"),
        *("src/only-here", "node_modules/a/index.js", "packages/b/node_modules/c/index.js", "packages/b/b.py"),
        *("own/a.txt", "a b/ü.txt", "empty/fake/.git/HEAD", "empty/fake/x.py", "odd/y.py", "src/.git/HEAD"),
    ):
        yard.write(path)
    yard.write("own/.gitignore", "*\n!a.txt\n")
    yard.write("all/.gitignore", "*\n")
    yard.write("all/hidden.py")
    yard.write("odd/.git", b"\xff\0")
    new_yard(yard.root / "vendor")
    new_yard(yard.root / "node_modules" / "linked")
    (yard.root / "nothing in it").mkdir()


def test_it_is_what_git_lists(yard: Yard) -> None:
    _monorepo(yard)
    told, known = _found(yard), _found(yard, "linux")
    assert sorted(told.shown) == sorted(known.shown)
    assert sorted([*told.ignored, "all/"]) == sorted(known.ignored)  # of what is all ignored git tells the folder too
    assert "vendor/" in told.shown
    assert "node_modules/" in told.ignored


@pytest.mark.parametrize("name", ["README.md", "SRC/App.py", "Docs/x"])
def test_a_name_in_other_letters_is_the_same_name(tmp_path: Path, name: str) -> None:
    yard = Yard(tmp_path.resolve())
    yard.git("init", "-q", "-b", "main")
    yard.write(name)
    yard.commit()
    place = place_of(yard.folder)
    assert place is not None
    assert untracked_of(place, [name.swapcase()], [], "win32") == Untracked()


def test_a_module_is_not_entered(yard: Yard) -> None:
    yard.write("lib/x.py")
    yard.git("update-index", "--add", "--cacheinfo", f"160000,{yard.git('rev-parse', 'HEAD')},lib")
    assert _found(yard) == _found(yard, "linux") == Untracked()


AWAY = {
    "a file": ("lib/.git", "gitdir: //127.0.0.1/share/lib\n"),
    "by other letters": ("lib/.GIT", "gitdir: \\\\127.0.0.1\\share\\lib"),
    "far down": ("a/b/c/lib/.git", "gitdir: //127.0.0.1/share/lib\n"),
    "a padded file of what it shares": ("lib/.git/commondir", "//127.0.0.1/share/lib" + "\n" * 1_100_000),
    "by another repository": ("lib/.git", "gitdir: ../other\n"),
}


@pytest.mark.parametrize(("file", "text"), AWAY.values(), ids=AWAY)
def test_no_repository_in_the_workspace_is_followed_to_another_machine(yard: Yard, file: str, text: str) -> None:
    yard.write(file, text)
    if file.endswith("commondir"):
        yard.write("lib/.git/HEAD", "ref: refs/heads/main\n")
    folder = f"{file.lower().partition('/.git')[0]}/"
    yard.write(f"{folder}inside.py")
    assert _found(yard).shown == [folder]


def test_what_is_ignored_and_what_is_tracked_is_not_asked_for_repositories(yard: Yard) -> None:
    yard.write(".gitignore", "node_modules/\n")
    yard.commit()
    for folder in ("node_modules/x", "src"):
        yard.write(f"{folder}/.git", "gitdir: //127.0.0.1/share/x\n")
    assert _found(yard) == Untracked([], ["node_modules/"])


@pytest.mark.skipif(os.name != "posix", reason="links need a right of their own on Windows")
def test_no_link_is_followed(yard: Yard, tmp_path: Path) -> None:
    (tmp_path / "away" / "inner").mkdir(parents=True)
    (yard.root / "link").symlink_to(tmp_path / "away")
    (yard.root / "lib").mkdir()
    (yard.root / "lib" / ".git").symlink_to("//127.0.0.1/share")
    (yard.root / "made" / ".git").mkdir(parents=True)
    for name in ("HEAD", "objects", "refs"):
        (yard.root / "made" / ".git" / name).symlink_to("//127.0.0.1/share")
    assert sorted(_found(yard).shown) == ["lib/", "link", "made/"]


def test_what_lies_deeper_than_windows_takes_a_path_is_found(yard: Yard) -> None:
    names = ["a" * 100] * 3
    folder = with_prefix(yard.root).joinpath(*names)
    folder.mkdir(parents=True)
    (folder / "deep.md").write_bytes(b"deep")
    (folder / "lib").mkdir()
    (folder / "lib" / ".git").write_bytes(b"gitdir: //127.0.0.1/share/lib\n")
    assert sorted(_found(yard).shown) == ["/".join((*names, name)) for name in ("deep.md", "lib/")]


def test_a_folder_that_nobody_may_list_is_shown(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    yard.write("closed/x.py")
    scan = os.scandir

    def refused(path: Path) -> object:
        if path.name == "closed":
            raise PermissionError(13, "Permission denied")
        return scan(path)

    monkeypatch.setattr(untracked.os, "scandir", refused)
    assert _found(yard).shown == ["closed/"]


def test_a_workspace_is_looked_through_for_a_time(yard: Yard) -> None:
    ticks = iter(range(0, 1_000, 15))
    with pytest.raises(WorkspaceFault, match="in 20 seconds") as refused:
        _found(yard, clock=lambda: next(ticks))
    assert refused.value.reason == "too_large"


def test_more_files_than_are_looked_through_are_a_fault(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(untracked, "MOST_FILES", 2)
    for name in ("a", "b", "c"):
        yard.write(name)
    with pytest.raises(WorkspaceFault, match="more than 2 files"):
        _found(yard)
