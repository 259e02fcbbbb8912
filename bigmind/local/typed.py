"""A text as a person types it on a command line."""

import os
import re
import shlex

_PLAIN = re.compile(r"[\w@+=:./\\-]+")
_HEEDED = frozenset('"$`%“”„\n\r')
"""What cmd or PowerShell obeys between quotation marks too, or takes for one."""
_HARMFUL = frozenset("'$`%&|<>^“”„‘’‚‛\n\r")
"""What one of them obeys between apostrophes: for cmd these are letters."""
LEFT_OUT = "…"


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
