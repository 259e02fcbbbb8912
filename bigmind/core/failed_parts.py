"""Parts of the running process that could not be loaded, and that the rest of it goes on without."""

from collections.abc import Mapping

ENDPOINT = "the endpoint of assistants"
PAGES = "the pages"


class FailedParts:
    """Kept in memory only: a restart tries again. May be used from any thread."""

    def __init__(self) -> None:
        self._why: dict[str, str] = {}

    def note(self, part: str, why: str) -> None:
        """Note that a part is not there, and why, in words."""
        self._why[part] = why

    def told(self) -> Mapping[str, str]:
        """Each part that is not there, with why."""
        return dict(self._why)
