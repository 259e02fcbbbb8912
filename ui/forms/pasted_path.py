"""Paths as a person puts them into a field."""

import os

PATHS = frozenset({"path", "workspace", "backup", "backup_folder"})
"""The fields of operations that hold one."""


def pasted_path(text: str, system: str = os.name) -> str:
    """A path without what is around it: on Windows, *Copy as path* in Explorer puts quotation marks there.

    Args:
        text: what came in the field. No name on Windows has a quotation mark in it; elsewhere one may.
        system: as `os.name` says it.
    """
    if system != "nt":
        return text
    plain = text.strip()
    return plain[1:-1] if len(plain) > 1 and plain[0] == plain[-1] == '"' else plain
