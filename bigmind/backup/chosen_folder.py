"""A folder that a person chose for backups, whose drive is away: none is begun in its place.

A mount point stays when nothing is mounted there, and takes files as the drive would: on the very disk that the backups
are to outlive. Which was the last is therefore noted in the data folder.
"""

import json
import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from bigmind.backup.files import BackupInfo, holds_any
from bigmind.core.clock import local
from bigmind.core.errors import BigMindError, Code
from bigmind.core.shapes import as_object
from bigmind.paths import backups_folder, last_backup_file, read_private_file, write_private_file
from bigmind.store.store import Store

log = logging.getLogger(__name__)

CONNECT = "Connect the drive that they are on, or set BIGMIND_BACKUP_FOLDER to another folder."
BEGIN_ANEW = "If you removed them, `bigmind backup create` begins anew there."


@dataclass(frozen=True, slots=True)
class BackupsAway:
    """A chosen folder has none of the backups that were made there.

    Attributes:
        folder: which.
        last: the newest of them.
        is_missing: whether the memory is missing too, so that one of now would hold nothing.
    """

    folder: Path
    last: BackupInfo
    is_missing: bool

    @property
    def in_words(self) -> str:
        """What is wrong."""
        return f"None of the backups made in {self.folder} is there, the last one of {local(self.last.taken_at)}."

    @property
    def remedy(self) -> str:
        """What a person does about it."""
        return CONNECT if self.is_missing else f"{CONNECT} {BEGIN_ANEW}"

    def fault(self, *, is_open: bool) -> BigMindError:
        """Why no backup is made by itself; `is_open`: whether the memory is there, so that a person can make one."""
        return BigMindError(
            Code.UNAVAILABLE, self.in_words, f"{self.remedy if is_open else CONNECT} Nothing was changed."
        )


def backups_away(store: Store) -> BackupsAway | None:
    """Whether the drive of the backups seems to be away; None where it does not, and for the folder in the home."""
    folder = store.safekeeping.folder
    last = None if folder == backups_folder(store.home) else _noted(store.home, folder)
    with suppress(OSError):  # what cannot be looked at is told by whoever writes into it
        if last is not None and not holds_any(folder):
            return BackupsAway(folder, last, store.safekeeping.loss is not None)
    return None


def note_backup(store: Store, info: BackupInfo) -> None:
    """Note that this one was made in the folder that a person chose."""
    folder = store.safekeeping.folder
    if folder == backups_folder(store.home):
        return
    try:
        write_private_file(
            last_backup_file(store.home), json.dumps({"folder": str(folder), "manifest": info.as_manifest()})
        )
    except BigMindError as error:  # the backup is made all the same
        log.warning("where the backups are was not noted: %s", error)


def _noted(home: Path, folder: Path) -> BackupInfo | None:
    try:
        said = as_object(json.loads(read_private_file(last_backup_file(home))))
        return BackupInfo.of_manifest(str(said["manifest"])) if said["folder"] == str(folder) else None
    except (OSError, ValueError, KeyError, ValidationError):
        return None
