"""What is started at login, and what every system's place for it can do."""

import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from bigmind.core.errors import BigMindError, Code
from bigmind.disk import open_files
from bigmind.disk.flushing import to_disk


@dataclass(frozen=True, slots=True)
class Entry:
    """A program with its arguments, none of them for a shell, and what its environment holds besides."""

    command: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])


class Place(Protocol):
    """Where a system keeps what starts at login; our own entry in it."""

    def enabled(self) -> bool:
        """Whether it would be started."""
        ...

    def enable(self, entry: Entry) -> None:
        """Have this one started, whatever stood there."""
        ...

    def disable(self) -> None:
        """Have nothing started; fine when nothing stood there."""
        ...

    def program(self) -> str | None:
        """The program that would be started; None when it cannot be read."""
        ...


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that whoever reads it sees the old one or the new one; its folder is made when it is missing.

    Raises:
        BigMindError: `unavailable`, when the system does not let us.
    """
    scratch = ""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, scratch = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            to_disk(file.fileno())
        open_files.replace(Path(scratch), path)
    except OSError as error:
        with suppress(OSError):
            open_files.remove(Path(scratch))
        raise cannot("set", path, error) from error


def remove_file(path: Path) -> None:
    """Remove a file; fine when it is not there.

    Raises:
        BigMindError: `unavailable`, when the system does not let us.
    """
    try:
        open_files.remove(path)
    except OSError as error:
        raise cannot("ended", path, error) from error


def cannot(done: str, where: object, error: OSError) -> BigMindError:
    """What is said when the system does not let us."""
    return BigMindError(
        Code.UNAVAILABLE,
        f"The start at login cannot be {done}: {where}: {error.strerror}.",
        "Check the permissions of that place, or set it in the system's own settings.",
    )
