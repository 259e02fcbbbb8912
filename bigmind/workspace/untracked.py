"""What lies in the working files of a repository and is not in its index: shown, or hidden by rules.

Git itself asks of each such folder whether it is a repository, and opens for it whatever a `.git` there names. On
Windows that may be another machine, where its user would be signed in: there the folders are looked through here, no
`.git` is followed, and git only says what is ignored.
"""

import os
import stat
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from bigmind.disk.existence import beginning_of
from bigmind.disk.windows_paths import mode_of, with_prefix
from bigmind.workspace.folder import WorkspaceFault
from bigmind.workspace.git_command import SECONDS, GitPlace, git, plain
from bigmind.workspace.ignore_rules import hidden_of
from bigmind.workspace.windows_names import bytes_of, is_own_of_git, path_of
from bigmind.workspace.working_files import MOST_FILES

_BEGINS = b"gitdir:"


@dataclass(frozen=True, slots=True)
class Untracked:
    """Paths that are not in the index, folders with a slash at their end.

    Attributes:
        shown: files, and folders that are not entered: other repositories.
        ignored: files, and folders that are ignored as a whole.
    """

    shown: list[str] = field(default_factory=list[str])
    ignored: list[str] = field(default_factory=list[str])


def untracked_of(
    place: GitPlace,
    tracked: Iterable[str],
    modules: Iterable[str],
    system: str = sys.platform,
    clock: Callable[[], float] = time.monotonic,
) -> Untracked:
    """What is not in the index.

    Args:
        place: the repository.
        tracked: the paths in its index.
        modules: those of them that are other repositories.
        system: as `sys.platform` says it.
        clock: in seconds.

    Raises:
        WorkspaceFault: when git cannot be asked, the workspace cannot be listed, or is more than is looked through.
    """
    if system != "win32":
        asked = ("ls-files", "-z", "-o", "--exclude-standard")
        told = git(place, *asked), git(place, *asked, "-i", "--directory")
        return Untracked(*([path_of(each) for each in found.split(b"\0") if each] for found in told))
    walk = _Walk(place, tracked, modules, clock)
    level = [""]
    while level:
        level = walk.next_level(level)
    return walk.found


class _Walk:
    """The folders of a workspace, one level after another: of each level git is asked once what is ignored."""

    def __init__(
        self, place: GitPlace, tracked: Iterable[str], modules: Iterable[str], clock: Callable[[], float]
    ) -> None:
        self.found = Untracked()
        self._place = place
        self._root = with_prefix(place.root)
        self._files = {_key(each) for each in tracked}
        self._folders = {b""}
        for each in self._files:
            end = each.rfind(b"/")
            while end > 0 and each[:end] not in self._folders:
                self._folders.add(each[:end])
                end = each.rfind(b"/", 0, end)
        self._modules = {_key(each) for each in modules}
        self._clock = clock
        self._end = clock() + SECONDS

    def next_level(self, folders: Sequence[str]) -> list[str]:
        """Look into some folders; those that are to be looked into next, each with a slash."""
        tracked, asked = list[str](), list[str]()
        for folder in folders:
            if self._clock() > self._end:
                told = f"The workspace could not be looked through in {SECONDS:.0f} seconds."
                raise WorkspaceFault(told, "too_large")
            self._look(folder, tracked, asked)
        hidden = {*hidden_of(self._place, [each.rstrip("/") for each in asked])}
        others = list[str]()
        for each in asked:
            kept = self.found.ignored if each.rstrip("/") in hidden else others if each[-1] == "/" else self.found.shown
            kept.append(each)
        if len(self.found.shown) > MOST_FILES:
            raise WorkspaceFault(f"The workspace has more than {MOST_FILES:,} files.", "too_large")
        return tracked + others

    def _look(self, folder: str, tracked: list[str], asked: list[str]) -> None:
        """What is in a folder: folders of tracked files, and what is not tracked, of which git is asked."""
        entries = self._entries(folder)
        if entries is None or (_key(folder[:-1]) not in self._folders and _is_repository(self._root / folder, entries)):
            self.found.shown.append(folder)
            return
        for name, mode in entries:
            path, key = f"{folder}{name}", _key(f"{folder}{name}")
            if is_own_of_git(name, "win32"):
                continue
            if stat.S_ISDIR(mode) and key in self._folders:
                tracked.append(f"{path}/")
            elif stat.S_ISDIR(mode) and key not in self._modules:
                asked.append(f"{path}/")
            elif (stat.S_ISREG(mode) or stat.S_ISLNK(mode)) and key not in self._files:
                asked.append(path)

    def _entries(self, folder: str) -> list[tuple[str, int]] | None:
        """The names in a folder, with their modes, which Windows tells at once; None where it cannot be listed."""
        try:
            with os.scandir(self._root / folder) as found:
                return [(each.name, mode_of(each.stat(follow_symlinks=False))) for each in found]
        except (FileNotFoundError, NotADirectoryError):
            if folder:
                return []  # it went away
            raise WorkspaceFault("The folder is gone.", "missing") from None
        except OSError as error:
            if folder:
                return None
            raise WorkspaceFault(f"The workspace cannot be listed: {error.strerror}.") from None


def _key(path: str) -> bytes:
    """By what a path is known where names have no case, as git folds them: letters of ASCII alone.

    Raises:
        WorkspaceFault: when it is no text, and git knows no such path.
    """
    try:
        return bytes_of(path).lower()
    except UnicodeEncodeError:
        raise WorkspaceFault(f"{plain(path)} has a name that is no text.") from None


def _is_repository(folder: Path, entries: Sequence[tuple[str, int]]) -> bool:
    """Whether git may take a folder for another repository; what its `.git` leads to is not looked at."""
    own = [(folder / name, mode) for name, mode in entries if name.casefold() == ".git"]
    return any(_may_be_one(path, mode) for path, mode in own)


def _may_be_one(own: Path, mode: int) -> bool:
    if stat.S_ISDIR(mode):
        has = [_is_there(own / name) for name in ("HEAD", "commondir", "objects", "refs")]
        return has[0] and (has[1] or (has[2] and has[3]))
    if not stat.S_ISREG(mode):
        return True
    try:
        return beginning_of(own, len(_BEGINS)) == _BEGINS  # it may be another one by now
    except OSError:
        return True


def _is_there(path: Path) -> bool:
    try:
        os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return True
