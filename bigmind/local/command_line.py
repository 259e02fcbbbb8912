"""What a person types on a command line: the `bigmind` command, and its arguments."""

import os
import re
import shlex
from collections.abc import Callable
from typing import Any

from bigmind.local.program import is_bundled, own_command

_PLAIN = re.compile(r"(?![@~])[\w@+:./\\~-]+")
"""What every shell of Windows takes as it stands: PowerShell obeys `@` and a home's `~` in front of a word."""
_HEEDED = frozenset('"$`%“”„\n\r')
"""What cmd or PowerShell obeys between quotation marks too, or takes for one."""
_HARMFUL = frozenset("'$`%&|<>^“”„‘’‚‛\n\r")
"""What one of them obeys between apostrophes: for cmd these are letters."""
LEFT_OUT = "…"
_OBEYED_BETWEEN_QUOTES = re.compile(f"([{''.join(sorted(_HEEDED))}]+)")


def typed_argument(value: str, system: str = os.name) -> str:
    """One argument, in quotes where the shell would read it otherwise.

    On Windows it is not known which shell will: what cmd or PowerShell might run is left out, for it may be a title
    that somebody else chose.

    Args:
        value: the argument.
        system: as `os.name` says it.
    """
    if system != "nt":
        return shlex.quote(value)
    if all(map(is_plain, value.split("=", 1))):  # within a program's path cmd heeds it
        return value
    if not _HEEDED & set(value):
        return f'"{value}\\"' if value.endswith("\\") else f'"{value}"'
    return LEFT_OUT if _HARMFUL & set(value) else f"'{value}'"


def typed_command() -> str:
    """The `bigmind` command of this installation, from any folder."""
    own = own_command()
    return typed_program(own if is_bundled() else plainer_path(own))


def is_plain(word: str) -> bool:
    """Whether every shell of Windows takes a word as it stands; Git Bash, with slashes for backslashes."""
    return _PLAIN.fullmatch(word) is not None


def plainer_path(path: str, system: str = os.name, short: Callable[[str], str] | None = None) -> str:
    """A program's path; on Windows its short one where that is plain, or has no blank.

    Cmd hands a line on as it stands, and what pip puts before a Python program takes the first blank of a path that
    begins without a quote for its end: the rest of the path would be an argument. A short path keeps such letters as
    `$` and `&`, and many disks have none.

    Args:
        path: of the program.
        system: as `os.name` says it.
        short: says the short path, empty where the disk has none.
    """
    if system != "nt" or is_plain(path):
        return path
    found = (short or _short_path)(path)
    return found if is_plain(found) or (" " in path and found and " " not in found) else path


def _short_path(path: str) -> str:
    import ctypes  # noqa: PLC0415 - on one system, for few paths

    kernel: Any = getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009 - there on Windows alone
    told = ctypes.create_unicode_buffer(32_768)
    return told.value if kernel.GetShortPathNameW(path, told, len(told)) else ""


def typed_program(path: str, system: str = os.name) -> str:
    """A program's path, as the first word of a line.

    On Windows it is not known which shell reads it. PowerShell takes a quoted whole for a text to print, and `cmd`
    knows nothing of what PowerShell would have written before it: each folder is quoted by itself. What a shell obeys
    between quotation marks stands between apostrophes. PowerShell and Git Bash start every program so; cmd takes these
    for letters: it finds no such program, and obeys nothing of the name.

    Args:
        path: of the program.
        system: as `os.name` says it.
    """
    if system != "nt":
        return shlex.quote(path)
    return by_folder(path, _OBEYED_BETWEEN_QUOTES, lambda obeyed: f"'{obeyed}'")


def by_folder(path: str, obeyed: re.Pattern[str], apart: Callable[[str], str]) -> str:
    """A path of Windows whose folders stand between quotation marks where they are not plain.

    Args:
        path: of a program.
        obeyed: letters in a row, as its only group, that the shell obeys there too.
        apart: writes these.
    """
    return "\\".join(_folder(each, obeyed, apart) for each in path.split("\\"))


def _folder(name: str, obeyed: re.Pattern[str], apart: Callable[[str], str]) -> str:
    if not name or is_plain(name):
        return name
    pieces = enumerate(obeyed.split(name))
    return "".join(apart(piece) if at % 2 else f'"{piece}"' for at, piece in pieces if piece)
