"""What becomes of files, and by which word a plan is recognised."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FileChange:
    """What becomes of one file.

    Attributes:
        path: of the file.
        before: its bytes; None where there is no file.
        after: its bytes then; None where it is removed.
        is_private: it holds a token, so nobody else may read it.
        mode: the permission bits it gets back; None leaves them.
    """

    path: Path
    before: bytes | None
    after: bytes | None
    is_private: bool = False
    mode: int | None = None


def digest(data: bytes) -> str:
    """By which bytes are recognised."""
    return hashlib.sha256(data).hexdigest()


def digest_of(changes: Iterable[FileChange]) -> str:
    """By which a plan is recognised: all its files, as they are and as they would be."""
    told = [
        [str(each.path), *(None if data is None else digest(data) for data in (each.before, each.after))]
        for each in changes
    ]
    return digest(json.dumps(told).encode())
