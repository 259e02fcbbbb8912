"""Where the database may be: a file on a disk of this machine."""

import os
from collections.abc import Callable
from pathlib import Path

from bigmind.core.errors import BigMindError, Code, shown
from bigmind.disk.existence import is_known_folder
from bigmind.local.disks import network_file_system
from bigmind.paths import as_pasted, expanded

Network = Callable[[Path], str]
"""Says which kind of network a path lies on; nothing for a local disk."""


def wanted_database(called: str, text: str, network: Network = network_file_system) -> Path | None:
    """The database's file as a person names it, every link followed; None for none.

    Args:
        called: how it is called where it was given.
        text: the path.
        network: which kind of network a path lies on, if any.

    Raises:
        BigMindError: `invalid_input`, when it is no whole path of a file, or not on a local disk.
    """
    if not text:
        return None
    file = expanded(called, text)
    if not file.is_absolute():
        raise _wrong(called, text, "It must be the whole path of a file, or begin with ~/.")
    if is_known_folder(file) or as_pasted(text).endswith(("/", os.sep)):
        raise _wrong(called, text, "It must be a file; this is a folder.")
    return local_file(called, file.resolve(), network)


def local_file(called: str, file: Path, network: Network = network_file_system) -> Path:
    """The file, unless it lies on a network: then nothing is opened.

    Raises:
        BigMindError: `invalid_input`.
    """
    if kind := network(file):
        raise BigMindError(
            Code.INVALID_INPUT,
            f"{called} is {file}, which is on a network file system ({kind}).",
            "SQLite needs a local disk: set BIGMIND_DB_PATH to a file on one. A team shares one BigMind server, not "
            "one file.",
        )
    return file


def no_postgresql(called: str, text: str) -> None:
    """Refuse the address of a PostgreSQL server.

    Raises:
        BigMindError: `invalid_input`.
    """
    if text:  # it may hold a password, and is not repeated
        raise BigMindError(
            Code.INVALID_INPUT,
            f"{called} is set, and this version of BigMind cannot use PostgreSQL yet.",
            f"Unset {called}. The memory is a SQLite file; BIGMIND_DB_PATH says where.",
        )


def _wrong(called: str, text: str, right: str) -> BigMindError:
    return BigMindError(Code.INVALID_INPUT, f"{called} is {shown(text)}.", right)
