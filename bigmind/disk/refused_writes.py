"""Why something cannot be written into a folder, where the system's own words lead astray.

Windows says that a file is not there which is to be made in a folder that is: where the path is too long, and where
“Controlled folder access” lets only programs write that it knows (Documents, Pictures, and what a person adds).
"""

import sys
from collections.abc import Callable
from pathlib import Path

from bigmind.disk.existence import is_known_folder
from bigmind.disk.long_paths import is_too_long, takes_long_paths

TOO_LONG = "its path is longer than Windows is set to take"
GUARDED = (
    "only programs that Windows knows may write there: allow BigMind in Windows Security, “Controlled folder access”"
)


def why_refused(
    error: OSError,
    folder: Path,
    room: int = 0,
    system: str = sys.platform,
    takes_long: Callable[[], bool] = takes_long_paths,
) -> str:
    """What is to be told of an error, as the end of a sentence without its point.

    Args:
        error: of making or writing a file.
        folder: that it was for.
        room: letters of the name, with what is in front of it.
        system: as `sys.platform` says it.
        takes_long: whether the system takes long paths.
    """
    if system == "win32" and isinstance(error, FileNotFoundError) and is_known_folder(folder):
        return TOO_LONG if is_too_long(folder, room, takes_long) else GUARDED
    return error.strerror or str(error)
