"""The `bigmind` command as a person types it in a terminal."""

import os
import re
import shlex

from bigmind.local.program import own_command

_PLAIN = re.compile(r"[\w.:+~-]*")


def typed_command() -> str:
    """That of this installation, from any folder."""
    return typed(own_command())


def typed(path: str, system: str = os.name) -> str:
    """A path as a terminal of that system (by `os.name`) reads it.

    On Windows each folder with a blank is quoted by itself: PowerShell takes a quoted whole for a text to print, and
    `cmd` knows nothing of what PowerShell would have written before it.
    """
    if system != "nt":
        return shlex.quote(path)
    return "\\".join(each if _PLAIN.fullmatch(each) else f'"{each}"' for each in path.split("\\"))
