"""The person's search path on Windows: with BigMind's folder in it, a terminal knows the command `bigmind`.

The installer has this program write it, as it knows itself only texts of 1,024 letters and would cut a longer path off.
"""

import ntpath
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from bigmind.local.program import is_bundled

ACCOUNT = "Environment"
NAME = "Path"
MOST_LETTERS = 32_000
"""Windows gives a process no variable of 32,767."""
READ_OTHERWISE = frozenset(';%"')
"""A folder's name with one of these would stand there for something else."""


def main(arguments: list[str]) -> int:
    """Add the folder of this program to the search path, or remove it; the exit code."""
    if sys.platform != "win32" or not is_bundled() or arguments not in (["add"], ["remove"]):
        return 2
    try:
        change(str(Path(sys.executable).parent), is_wanted=arguments == ["add"])
    except OSError:
        return 1
    return 0


def change(folder: str, *, is_wanted: bool, registry: Any = None) -> None:
    """Have the search path of the person's account name a folder, or not.

    Args:
        folder: the whole path.
        is_wanted: whether it is to be named.
        registry: `winreg`, or what behaves like it.

    Raises:
        OSError: when the system does not let us.
    """
    registry = registry or import_module("winreg")
    old, kind = _read(registry)
    new = with_folder(old, folder) if is_wanted else without_folder(old, folder)
    if new == old or len(new) > MOST_LETTERS:
        return
    with registry.CreateKeyEx(registry.HKEY_CURRENT_USER, ACCOUNT, 0, registry.KEY_SET_VALUE) as key:
        if new:
            registry.SetValueEx(key, NAME, 0, kind, new)
        else:  # it had none before
            registry.DeleteValue(key, NAME)


def with_folder(path: str, folder: str) -> str:
    """A search path with that folder, last: what was found before is found still."""
    if READ_OTHERWISE & set(folder) or any(_is_same(each, folder) for each in path.split(";")):
        return path
    return f"{path.rstrip(';')};{folder}" if path.strip(";") else folder


def without_folder(path: str, folder: str) -> str:
    """A search path without that folder, and else as it was."""
    return ";".join(each for each in path.split(";") if not _is_same(each, folder))


def _is_same(entry: str, folder: str) -> bool:
    return bool(entry) and ntpath.normcase(entry).rstrip("\\") == ntpath.normcase(folder).rstrip("\\")


def _read(registry: Any) -> tuple[str, int]:
    """The person's own part of the search path as it is written, and its type.

    Raises:
        OSError: when it cannot be read, or is none: nothing may be written over that.
    """
    try:
        with registry.OpenKey(registry.HKEY_CURRENT_USER, ACCOUNT) as key:
            value, kind = registry.QueryValueEx(key, NAME)
    except FileNotFoundError:
        return "", registry.REG_EXPAND_SZ
    if not isinstance(value, str) or kind not in (registry.REG_SZ, registry.REG_EXPAND_SZ):
        raise OSError(f"{ACCOUNT}: {NAME} is no text")
    return value, kind
