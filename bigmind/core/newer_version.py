"""Whether there is a BigMind newer than the one that runs, as far as anybody was asked."""

import re

_NUMBERS = re.compile(r"v?(\d{1,6}(?:\.\d{1,6}){0,3})")


class NewerVersion:
    """Kept in memory only. May be used from any thread."""

    def __init__(self) -> None:
        self.number = ""
        """Of the newest one that is newer; empty where none is known."""

    def note(self, newest: str, running: str) -> bool:
        """Note which one is the newest. Returns whether that was news."""
        before = self.number
        self.number = newest.removeprefix("v") if is_newer(newest, running) else ""
        return bool(self.number) and self.number != before


def is_newer(version: str, than: str) -> bool:
    """Whether a release is newer than another one; what is none, such as one to be tried, is never."""
    found = [_NUMBERS.fullmatch(each.strip()) for each in (version, than)]
    first, second = ([int(part) for part in each[1].split(".")] if each else [] for each in found)
    longest = max(len(first), len(second))
    return bool(first) and first + [0] * (longest - len(first)) > second + [0] * (longest - len(second))
