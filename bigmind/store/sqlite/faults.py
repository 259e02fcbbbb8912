"""SQLite's result codes in BigMind's words. Chosen by code, never by the text of a message."""

from bigmind.core.errors import BigMindError, Code

# Primary result codes (https://sqlite.org/rescode.html); extended ones carry them in the low byte.
_BUSY, _LOCKED, _READONLY, _IOERR, _CORRUPT, _FULL, _CANTOPEN, _NOTADB = 5, 6, 8, 10, 11, 13, 14, 26
_CORRUPT_INDEX = 267
_OF_DISK = frozenset({_READONLY, _IOERR, _FULL, _CANTOPEN})

_MEANING: dict[int, tuple[Code, str, str]] = {
    _FULL: (
        Code.STORAGE_FULL,
        "The disk is full; nothing of this write was stored.",
        "Make room on the disk that holds BigMind's data folder, then try again. What was stored before is safe.",
    ),
    _IOERR: (
        Code.STORAGE_FULL,
        "The disk did not take the write; nothing of it was stored.",
        "Check that the disk of BigMind's data folder has room and is healthy, then try again.",
    ),
    _READONLY: (
        Code.STORE_UNUSABLE,
        "The store cannot be written to.",
        "Check the permissions of BigMind's data folder, and that bigmind.db in it is not marked read-only.",
    ),
    _CANTOPEN: (
        Code.STORE_UNUSABLE,
        "The store cannot be opened.",
        "Check that BigMind's data folder exists and may be read and written.",
    ),
    _CORRUPT: (
        Code.STORE_UNUSABLE,
        "The store is damaged.",
        "Restore a backup: `bigmind backup list` shows them.",
    ),
    _CORRUPT_INDEX: (
        Code.STORE_UNUSABLE,
        "A full-text index is damaged; the rows that it is made from are not.",
        "`bigmind memory reindex`, or the page Health, makes it anew.",
    ),
    _NOTADB: (
        Code.STORE_UNUSABLE,
        "The store's file is not a SQLite database.",
        "Something else was written over it, or the path is wrong; BigMind left it alone.",
    ),
    _BUSY: (Code.STORE_IN_USE, "Another program holds the store's file.", "Close it and try again."),
    _LOCKED: (Code.STORE_IN_USE, "Another program holds the store's file.", "Close it and try again."),
}


def meaning(error: BaseException | None) -> BigMindError | None:
    """The fault that the driver itself raised, or None when it is a fault of ours."""
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int) or (known := _MEANING.get(code) or _MEANING.get(code & 0xFF)) is None:
        return None
    return BigMindError(*known)


def is_of_disk(error: BaseException | None, *, of_reader: bool) -> bool:
    """Whether the disk refused something; a reader's connection itself says the plain `READONLY` (`query_only`)."""
    code = getattr(error, "sqlite_errorcode", None)
    if not isinstance(code, int) or (of_reader and code == _READONLY):
        return False
    return code == _CORRUPT_INDEX or code & 0xFF in _OF_DISK
