"""Whether a file or folder is its owner's alone: by its mode, and on Windows by its access list."""

import stat
import sys
from pathlib import Path

from bigmind.disk.access_lists import grants_others, lists_here


def is_alone(path: Path) -> bool:
    """Whether nobody else may read or write it; of a file, also nobody run it.

    On Windows a file of a folder that is has the folder's list, where it has none of its own.
    """
    if sys.platform == "win32":
        lists = lists_here()
        return any(
            not grants_others(lists.describe(each), lists.person())
            for each in {path, path if path.is_dir() else path.parent}
        )
    return stat.S_IMODE(path.stat().st_mode) == (0o700 if path.is_dir() else 0o600)


def grants(path: Path) -> str:
    """What everybody may do with it, as the system writes it."""
    return lists_here().describe(path) if sys.platform == "win32" else oct(stat.S_IMODE(path.stat().st_mode))


def open_up(path: Path) -> None:
    """Let everybody read a folder, as that of a copied home often can be."""
    if sys.platform == "win32":
        lists = lists_here()
        lists.put(path, f"D:(A;OICI;FA;;;{lists.person()})(A;OICI;0x1200a9;;;WD)")
    else:
        path.chmod(0o755)
