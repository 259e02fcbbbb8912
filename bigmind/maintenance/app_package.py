"""Whether the memory goes when an app is removed, because Windows keeps it in a folder of that app."""

from collections.abc import Callable, Iterator
from pathlib import Path

from bigmind.disk.app_packages import kept_by_package
from bigmind.maintenance.answers import Finding


def memory_of_app(database: Path, package: Callable[[Path], str] = kept_by_package) -> Iterator[Finding]:
    """A finding, where it does."""
    if name := package(database):
        yield Finding(
            code="memory_of_app",
            severity="warning",
            meaning=f"BigMind runs as a part of the app {name}, and Windows keeps the memory in a folder of that app: "
            "it goes when the app is removed, and no BigMind of another Python sees it.",
            count=1,
            examples=[],
            remedy="Export the memory, set BIGMIND_HOME to a folder outside of AppData, and import it there.",
        )
