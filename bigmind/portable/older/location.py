"""Where the first BigMind kept its memory, and what kind of file that is."""

from pathlib import Path
from typing import BinaryIO

from bigmind.disk.existence import is_known_file

OLD_PLACE = Path(".mcp") / "bigmind" / "memory.db"


def old_file(user_home: Path) -> Path | None:
    """The older BigMind's file at its usual place below the user's home folder; None when none is seen."""
    file = user_home / OLD_PLACE
    return file if is_known_file(file) else None


def is_sqlite(file: BinaryIO) -> bool:
    """Whether an opened file says of itself that it is a SQLite database."""
    file.seek(0)
    return file.read(16) == b"SQLite format 3\x00"
