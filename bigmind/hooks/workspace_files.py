"""Whether a file that is about to be changed lies in the workspace whose edits are held: others are not held there."""

import os
import sys
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from os import PathLike
from pathlib import Path

from bigmind.disk.existence import beginning_of
from bigmind.hooks.formats import LONGEST_PATH

SETTINGS = (".claude", "settings.local.json")
"""Where an install for a workspace writes its hooks (clients/targets/claude_code.py)."""
HELD = b"hook edit --client"
"""What stands there where it holds edits."""
MOST_BYTES = 1024 * 1024
ROOT = "CLAUDE_PROJECT_DIR"
"""What Claude Code calls the folder that it was started in, to its hooks."""


def is_elsewhere(
    file: str, folder: str, environment: Mapping[str, str] = os.environ, system: str = sys.platform
) -> bool:
    """Whether a file is known to lie in no workspace whose edits are held.

    One that leads there by a link or by `..` lies there; and what cannot be told is held, as what lies there is: on
    Windows also what is on another machine, where nothing is looked at.

    Args:
        file: as the client names it; empty when it does not say.
        folder: where the client works.
        environment: says where the client was started.
        system: as `sys.platform` says it.
    """
    if not file or len(file) >= LONGEST_PATH or not Path(folder).is_absolute():
        return False
    try:
        path = Path(folder, Path(file).expanduser() if file.startswith("~/") else file)
        if system == "win32" and _is_away(path, folder):
            return False
        roots = _workspaces(Path(os.path.normpath(folder)), environment.get(ROOT, ""))
        paths = Path(os.path.normpath(path)), Path(os.path.realpath(path))
        return not any(_is_below(each, root) for each in paths for root in roots)
    except (OSError, ValueError, RuntimeError):  # no name of a file, one that nobody may look at, a person without home
        return False


def _is_away(path: Path, folder: str) -> bool:
    from bigmind.disk.windows_paths import leads_to_another_machine  # noqa: PLC0415 - on one system, for one hook

    return leads_to_another_machine(path, (folder,), "win32")


def _workspaces(folder: Path, started: str) -> list[Path]:
    """The folder whose settings hold edits: where the client was started, or what it works below; else these two."""
    above, real = [folder, *folder.parents], Path(os.path.realpath(folder))
    first = Path(started) if started and Path(started).is_absolute() else folder
    found = next((each for each in (first, *above, real, *real.parents) if _holds_edits(each)), None)
    return [found] if found else [first, folder]


def _holds_edits(folder: Path) -> bool:
    with suppress(OSError):
        return HELD in beginning_of(folder.joinpath(*SETTINGS), MOST_BYTES)
    return False


def _is_below(path: Path, root: Path) -> bool:
    """Whether a path is a folder or leads below it: by its name, or because a folder above it is the same one."""
    names = {_comparable(root), _comparable(os.path.realpath(root))}
    return any(_comparable(each) in names or _is_same(each, root) for each in (path, *path.parents))


def _is_same(path: Path, root: Path) -> bool:
    with suppress(OSError):  # it is not there yet
        return path.samefile(root)
    return False


def _comparable(path: PathLike[str] | str) -> str:
    """A path as the system compares it: without the case of letters where it makes no difference."""
    known = os.path.normcase(os.path.normpath(path))
    return unicodedata.normalize("NFC", known).casefold() if sys.platform in {"darwin", "win32"} else known
