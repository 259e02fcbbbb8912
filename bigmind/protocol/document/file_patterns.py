"""Patterns of files: a path with `*` and `?`, which stay within a folder, and `**`, which goes through any."""

import re
from collections.abc import Iterable
from functools import lru_cache


def matches(path: str, patterns: Iterable[str]) -> bool:
    """Whether one of the patterns is about a path, which has `/` between its parts."""
    return any(_compiled(each).fullmatch(path) for each in patterns)


@lru_cache(maxsize=500)
def _compiled(pattern: str) -> re.Pattern[str]:
    told = "".join(_part(each) for each in re.split(r"(\*\*/?|\*|\?)", pattern))
    return re.compile(told, re.DOTALL)


def _part(part: str) -> str:
    return {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part, re.escape(part))
