"""What a person types on a command line: the `bigmind` command, and its arguments."""

import os
import re
import shlex
from collections.abc import Callable
from typing import Any

from bigmind.local.program import is_bundled, own_command

_PLAIN = re.compile(r"[\w@+=:./\\-]+")
_HEEDED = frozenset('"$`%“”„\n\r')
"""What cmd or PowerShell obeys between quotation marks too, or takes for one."""
_HARMFUL = frozenset("'$`%&|<>^“”„‘’‚‛\n\r")
"""What one of them obeys between apostrophes: for cmd these are letters."""
LEFT_OUT = "…"
_PLAIN_FOLDER = re.compile(r"[\w.:+~-]*")


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
    if _PLAIN.fullmatch(value):
        return value
    if not _HEEDED & set(value):
        return f'"{value}\\"' if value.endswith("\\") else f'"{value}"'
    return LEFT_OUT if _HARMFUL & set(value) else f"'{value}'"


def typed_command() -> str:
    """The `bigmind` command of this installation, from any folder."""
    own = own_command()
    return typed_program(own if is_bundled() else without_blanks(own))


def without_blanks(path: str, system: str = os.name, short: Callable[[str], str] | None = None) -> str:
    """A program's path; on Windows its short one where that has no blank.

    Cmd hands a line on as it stands, and what pip puts before a Python program takes the first blank of a path that
    begins without a quote for its end: the rest of the path would be an argument.

    Args:
        path: of the program.
        system: as `os.name` says it.
        short: says the short path, empty where the disk has none.
    """
    if system != "nt" or " " not in path:
        return path
    found = (short or _short_path)(path)
    return found if found and " " not in found else path


def _short_path(path: str) -> str:
    import ctypes  # noqa: PLC0415 - on one system, for few paths

    kernel: Any = getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009 - there on Windows alone
    told = ctypes.create_unicode_buffer(32_768)
    return told.value if kernel.GetShortPathNameW(path, told, len(told)) else ""


def typed_program(path: str, system: str = os.name) -> str:
    """A program's path, as the first word of a line.

    On Windows each folder with a blank is quoted by itself: PowerShell takes a quoted whole for a text to print, and
    `cmd` knows nothing of what PowerShell would have written before it.

    Args:
        path: of the program.
        system: as `os.name` says it.
    """
    if system != "nt":
        return shlex.quote(path)
    return "\\".join(each if _PLAIN_FOLDER.fullmatch(each) else f'"{each}"' for each in path.split("\\"))
