"""Regular expressions that are compiled at their first use.

Some two hundred of them are written down in modules that every start loads, and most are asked for minutes later, if
ever: compiling them all would take a fifteenth of a start.
"""

import re
from typing import Any, cast


class LazyPattern:
    """Becomes the compiled pattern, attribute by attribute: each is found in the instance from its second use on."""

    def __init__(self, written: str, flags: int) -> None:
        self._written, self._flags = written, flags
        self._compiled: re.Pattern[str] | None = None

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # what copies and pickles looks for: a compiled pattern has none of its own
            raise AttributeError(name)
        if self._compiled is None:
            self._compiled = re.compile(self._written, self._flags)
        found = getattr(self._compiled, name)
        setattr(self, name, found)
        return found


def lazy_pattern(written: str, flags: int = 0) -> re.Pattern[str]:
    """A pattern as of `re.compile`, for calling its methods; functions of `re` don't take it.

    Args:
        written: the regular expression; one that is wrong raises `re.error` at its first use, not here.
        flags: as of `re.compile`.
    """
    return cast("re.Pattern[str]", LazyPattern(written, flags))
