"""Where the repository of a workspace lies: its `.git`, which has to be the workspace's own, and of ordinary files.

What git would read through a link may be any file of this machine, and its complaints quote what they cannot read. So
no part of a repository that git opens by a fixed name may be a link, a pipe or a device.
"""

import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from bigmind.disk.existence import is_known_folder
from bigmind.disk.windows_paths import (
    leads_away,
    leads_to_another_machine,
    mode_of,
    names_another_machine,
    of_any_length,
)
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.git_command import GitPlace, plain

_MOST_BYTES = 1_000_000
_OF_EACH = ("HEAD", "index", "config.worktree", "commondir", "gitdir", "info/sparse-checkout")
"""Files that each worktree has of its own."""
_SHARED = (
    *("HEAD", "config", "packed-refs", "shallow", "info/exclude", "info/attributes", "info/grafts"),
    *("objects/info/alternates", "objects/info/commit-graph", "objects/pack/multi-pack-index"),
)
_MOST_ALTERNATES = 20
"""Of other folders of objects; git follows five, one by another."""
MOST_PARTS = 300_000
"""Of a repository: loose objects and branches, among which links are looked for; on Windows."""
_FOLDERS = ("objects", "objects/info", "objects/pack", "refs", "refs/heads", "info")
_FOLDERS_OF_EACH = ("refs", "info")


def place_of(folder: Folder, system: str = sys.platform) -> GitPlace | None:
    """The repository at the top of a workspace; None where there is none. `system` as `sys.platform` says it.

    Raises:
        WorkspaceFault: when its `.git` is a link, leads to a repository that does not know this workspace, or holds
            what is no ordinary file.
    """
    entry = folder.root / ".git"
    mode = _mode(entry)
    if stat.S_ISLNK(mode):
        raise WorkspaceFault("The .git of this workspace is a link; BigMind follows none.", "link")
    if stat.S_ISDIR(mode):
        git_folder = common = entry
        if _mode(entry / "commondir"):
            raise WorkspaceFault("The .git of this workspace takes its objects from another repository.", "outside")
    elif stat.S_ISREG(mode):
        git_folder = _named(folder, system)
        common = _common(git_folder, folder.root, system)
    elif mode:
        raise WorkspaceFault("The .git of this workspace is neither a folder nor a file.", "no_file")
    else:
        return None
    _check(git_folder, _OF_EACH, _FOLDERS_OF_EACH)
    _check(common, _SHARED, _FOLDERS)
    if system == "win32":
        _refuse_other_settings(common / "config", git_folder / "config.worktree")
        _refuse_other_machines(common / "objects", folder.root, system)
        _refuse_links(common / "objects", common / "refs", git_folder / "refs")
    return GitPlace(git_folder, common, folder.root)


def stamp(place: GitPlace) -> str:
    """Which repository lies there: another one in its place has another stamp.

    Raises:
        WorkspaceFault: when it is gone.
    """
    try:
        every = [os.lstat(each) for each in (place.common, place.common / "objects", place.common / "refs")]
    except OSError:
        raise WorkspaceFault("The repository is gone.", "missing") from None
    return ":".join((str(every[0].st_dev), *(str(each.st_ino) for each in every)))


def rules_of(file: Path) -> list[str]:
    """The lines of an ordinary file that hold more than a comment; none where it cannot be read.

    Bytes that are no text stay the bytes that they are.

    Raises:
        WorkspaceFault: `too_large`, when git would go by lines that are not looked at here.
    """
    lines = (line.removesuffix("\r") for line in _text_of(file).split("\n"))
    return [line for line in lines if line.strip() and not line.startswith("#")]


def _text_of(file: Path) -> str:
    """What an ordinary file holds; follows no link in the last part of the path. Raises as `rules_of`."""
    whole = of_any_length(file)
    try:
        if not stat.S_ISREG(mode_of(os.lstat(whole))):  # Windows opens nothing without following it
            return ""
        handle = os.open(whole, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except (OSError, ValueError):
        return ""
    with os.fdopen(handle, "rb") as opened:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            return ""
        told = opened.read(_MOST_BYTES + 1)
    if len(told) > _MOST_BYTES:
        raise WorkspaceFault(f"The rules in {plain(file.name)} are more than {_MOST_BYTES:,} bytes.", "too_large")
    return told.decode("utf-8", "surrogateescape")


def _mode(path: Path) -> int:
    """What stands there, itself; 0 for nothing."""
    try:
        return mode_of(os.lstat(of_any_length(path)))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return 0
    except OSError as error:
        raise WorkspaceFault(f"{plain(path.name)} cannot be looked at: {error.strerror}.") from None


def _named(folder: Folder, system: str) -> Path:
    """The folder that a `.git` file names, where that knows this workspace: of a worktree, or of a module."""
    told = folder.read(".git", 4_096).text.strip()
    target = _real(folder.root, told.removeprefix("gitdir:").strip(), folder.root, system)
    if not told.startswith("gitdir:") or not is_known_folder(target) or not _leads_back(target, folder.root, system):
        raise WorkspaceFault("The .git of this workspace leads to a repository that does not know it.", "outside")
    return target


def _leads_back(git_folder: Path, root: Path, system: str) -> bool:
    if back := rules_of(git_folder / "gitdir"):
        return _real(git_folder, back[0].strip(), root, system) == root / ".git"
    lines = (line.partition("=") for line in rules_of(git_folder / "config"))
    named = (value.strip().strip('"') for name, _, value in lines if name.strip().lower() == "worktree")
    return any(_real(git_folder, each, root, system) == root for each in named)


def _real(folder: Path, told: str, root: Path, system: str) -> Path:
    """The real path of what a file of a repository names; nothing of another machine is looked at for it."""
    if leads_away(folder, told, (root,), system):
        raise WorkspaceFault("The .git of this workspace leads to another machine.", "outside")
    try:
        return Path(os.path.realpath(folder / told))
    except ValueError:
        raise WorkspaceFault("The .git of this workspace leads nowhere.", "outside") from None


def _common(git_folder: Path, root: Path, system: str) -> Path:
    """The folder that the worktrees of a repository share; the one above theirs. Git takes all the file's words."""
    told = _text_of(git_folder / "commondir").rstrip("\r\n")
    if not told:
        return git_folder
    common = _real(git_folder, told, root, system)
    if git_folder.parent != common / "worktrees":
        raise WorkspaceFault("The .git of this workspace takes its objects from another repository.", "outside")
    return common


def _refuse_other_settings(*files: Path) -> None:
    """Git reads what a file of settings includes at every command, wherever that is."""
    if any("[include" in line.lower() for file in files for line in rules_of(file)):
        told = "The .git of this workspace includes settings of other files, which BigMind does not read on Windows."
        raise WorkspaceFault(told, "outside")


def _refuse_other_machines(objects: Path, root: Path, system: str) -> None:
    """No folder of objects that git would read is on another machine, nor one that such a folder names in turn."""
    waiting, seen = [objects], set[Path]()
    while waiting:
        here = waiting.pop()
        if here in seen:
            continue
        seen.add(here)
        for told in rules_of(here / "info" / "alternates"):
            named = told.strip('"')
            is_hidden = told.startswith('"') and "\\" in told  # what is quoted so may hide the beginning of a path
            other = here / named / "info" / "alternates"
            is_away = names_another_machine(named, (root,), system) or leads_to_another_machine(other, (root,), system)
            if is_hidden or is_away or len(seen) + len(waiting) > _MOST_ALTERNATES:
                fault = "The .git of this workspace takes its objects from another machine, or from too many places."
                raise WorkspaceFault(fault, "outside")
            waiting.append(here / named)


def _refuse_links(*folders: Path) -> None:
    """Git follows what stands among objects and branches, wherever it leads."""
    waiting, count = [str(of_any_length(each)) for each in folders], 0
    while waiting:
        for path, mode in _entries(waiting.pop()):
            count += 1
            if count > MOST_PARTS:
                told = (
                    f"This workspace's repository has more than {MOST_PARTS:,} loose objects and branches: run git gc."
                )
                raise WorkspaceFault(told, "too_large")
            if stat.S_ISLNK(mode):
                fault = f"{plain(Path(path).name)} of this workspace's repository is a link; BigMind does not read it."
                raise WorkspaceFault(fault, "link")
            if stat.S_ISDIR(mode):
                waiting.append(path)


def _entries(folder: str) -> Iterator[tuple[str, int]]:
    """What stands in a folder, with its mode, which Windows tells at once; nothing where there is none."""
    try:
        with os.scandir(folder) as found:
            for each in found:
                yield each.path, mode_of(each.stat(follow_symlinks=False))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        raise WorkspaceFault(f"This workspace's repository cannot be listed: {error.strerror}.") from None


def _check(folder: Path, files: tuple[str, ...], folders: tuple[str, ...]) -> None:
    # Folders come first, each before what it holds: of a folder that is a link nothing is looked at.
    for name, is_right in (*((each, stat.S_ISDIR) for each in folders), *((each, stat.S_ISREG) for each in files)):
        mode = _mode(folder / name)
        if mode and not is_right(mode):
            reason = "link" if stat.S_ISLNK(mode) else "no_file"
            told = "a link" if reason == "link" else "not what it has to be"
            raise WorkspaceFault(f"{name} of this workspace's repository is {told}; BigMind does not read it.", reason)
