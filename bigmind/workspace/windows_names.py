"""Names of the repository's own folder on Windows, and paths as git tells them."""

import os
import sys
from pathlib import PurePath
from typing import TypeVar

AnyPath = TypeVar("AnyPath", bound=PurePath)
_OWN_OF_GIT = frozenset({".git", "git~1"})


def is_own_of_git(name: str, system: str = sys.platform) -> bool:
    """Whether a name in a folder is `.git`; on Windows also by other letters, and by the short name that it has."""
    return name == ".git" or (system == "win32" and name.casefold() in _OWN_OF_GIT)


def without_prefix(path: str, system: str = sys.platform) -> str:
    r"""A real path by the one name that it has: on Windows without `\\?\`, by which a folder has a second."""
    if system != "win32" or not path.startswith("\\\\?\\"):
        return path
    told = path[4:]
    if told[:4].casefold() == "unc\\":
        return f"\\\\{told[4:]}"
    return told if told[1:3] == ":\\" else path


def with_prefix(path: AnyPath, system: str = sys.platform) -> AnyPath:
    r"""A whole path as Windows takes it however long it is, and its names as they stand: with `\\?\`."""
    told = str(path)
    if system != "win32" or told.startswith(("\\\\?\\", "\\\\.\\")) or not path.is_absolute():
        return path
    return type(path)(f"\\\\?\\UNC\\{told[2:]}" if told.startswith("\\\\") else f"\\\\?\\{told}")


def link_bytes(told: str, system: str = sys.platform) -> bytes:
    """Where a link leads, by what `readlink` told, as git keeps it: on Windows without a prefix and with slashes."""
    return os.fsencode(told.removeprefix("\\\\?\\").replace("\\", "/") if system == "win32" else told)


def path_of(told: bytes, system: str = sys.platform) -> str:
    """A path as git tells it. What is no text stays what it is, also on Windows, where Python would refuse it."""
    return told.decode("utf-8", "surrogateescape") if system == "win32" else os.fsdecode(told)


def bytes_of(path: str, system: str = sys.platform) -> bytes:
    """Such a path as git is told it."""
    return path.encode("utf-8", "surrogateescape") if system == "win32" else os.fsencode(path)
