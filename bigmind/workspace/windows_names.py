"""Names of the repository's own folder on Windows, and paths as git tells them."""

import os
import sys

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


def link_bytes(told: str, system: str = sys.platform) -> bytes:
    """Where a link leads, by what `readlink` told, as git keeps it: on Windows without a prefix and with slashes."""
    return os.fsencode(told.removeprefix("\\\\?\\").replace("\\", "/") if system == "win32" else told)


def path_of(told: bytes, system: str = sys.platform) -> str:
    """A path as git tells it. What is no text stays what it is, also on Windows, where Python would refuse it."""
    return told.decode("utf-8", "surrogateescape") if system == "win32" else os.fsdecode(told)


def bytes_of(path: str, system: str = sys.platform) -> bytes:
    """Such a path as git is told it."""
    return path.encode("utf-8", "surrogateescape") if system == "win32" else os.fsencode(path)
