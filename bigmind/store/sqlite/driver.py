"""Which SQLite library is used.

Every SQLite from 3.7.0 to 3.51.2 has the WAL-reset race: two connections that write and checkpoint at once can corrupt
the file. 3.51.3 mends it; 3.50.7 and 3.44.6 carry the fix too (https://sqlite.org/wal.html#walresetbug). Debian's,
Ubuntu's and Python's own libraries are older, so the driver brings its own.
"""

import importlib
import os
from collections.abc import Callable
from pathlib import PurePath
from types import ModuleType
from urllib.parse import quote

from bigmind.core.errors import BigMindError, Code

FIXED = (3, 51, 3)
BACKPORTS = ((3, 50, 7), (3, 44, 6))
CANDIDATES = ("pysqlite3", "sqlite3")

Version = tuple[int, ...]


def is_sound(version: Version) -> bool:
    """Whether this SQLite version has the fix of the WAL-reset race."""
    return version >= FIXED or any(version[:2] == fixed[:2] and version >= fixed for fixed in BACKPORTS)


def file_uri(path: PurePath, how: str) -> str:
    r"""What SQLite is told to open (https://sqlite.org/uri.html).

    `Path.as_uri` has the server of a shared folder (`\\server\share`) stand as the address's host, which SQLite
    refuses: there it belongs to the path.

    Args:
        path: of the file, whole.
        how: its parameters, such as `mode=ro`.
    """
    whole = path.as_posix()
    before_drive = "" if whole.startswith("/") else "/"
    return f"file://{before_drive}{quote(os.fsencode(whole), safe='/:')}?{how}"


def sound_driver(load: Callable[[str], ModuleType] = importlib.import_module) -> ModuleType:
    """The first DB-API module whose SQLite is sound.

    Args:
        load: imports a module by name; replaced in tests of the choice.

    Raises:
        BigMindError: `store_unusable`, naming each library found and its version.
    """
    found: list[str] = []
    for name in CANDIDATES:
        try:
            module = load(name)
        except ImportError:
            found.append(f"{name}: not installed")
            continue
        if is_sound(module.sqlite_version_info):
            return module
        found.append(f"{name}: SQLite {module.sqlite_version}")
    raise BigMindError(
        Code.STORE_UNUSABLE,
        f"No SQLite library here is safe for your memory ({'; '.join(found)}).",
        "BigMind needs SQLite 3.51.3 or newer, because older ones can corrupt a database that two connections use. "
        "Install the package pysqlite3 (0.6.1 or newer), or a Python that is built with a newer SQLite.",
    )
