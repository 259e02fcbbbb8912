"""How a backup lies on disk: its name, and beside it a manifest that says what is in it and what it must look like."""

import hashlib
import json
import logging
import os
import re
from collections.abc import Container, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from bigmind.core.clock import moment_of
from bigmind.core.progress import Phase
from bigmind.core.shapes import as_object
from bigmind.disk import open_files
from bigmind.disk.existence import beginning_of, is_file_or_raises, seen
from bigmind.disk.flushing import to_disk
from bigmind.paths import PRIVATE_FILE, is_open_to_others, narrow
from bigmind.store.contents import TableState

log = logging.getLogger(__name__)

LARGEST_MANIFEST = 1_000_000
_BLOCK = 1_048_576
_NAME = re.compile(r"bigmind-(?P<at>\d{8}-\d{6})-(?P<reason>[a-z]+(?:-[a-z]+)*)(?:-\d+)?\.db(?P<sealed>\.age)?")
_STAMP = "%Y%m%d-%H%M%S"


class Reason(StrEnum):
    """Why a backup was taken."""

    SCHEDULED = "scheduled"
    MANUAL = "manual"
    BEFORE_MIGRATION = "before-migration"
    BEFORE_IMPORT = "before-import"
    BEFORE_ASSISTANT_IMPORT = "before-import-by-assistant"
    BEFORE_RESTORE = "before-restore"
    BEFORE_PRUNE = "before-prune"


class LedgerHead(BaseModel):
    """Where the chain of the ledger stood: the number and hash of its newest row."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    number: int
    digest: str


class BackupInfo(BaseModel):
    """What is known of a verified backup.

    Attributes:
        name: of its file.
        taken_at: the moment of the snapshot.
        reason: why it was taken.
        store: the id of the store's first user: whose backup it is, wherever the file lies.
        schema_revision: of the snapshot.
        change: the number of the last change in it.
        bytes: the size of the file.
        sha256: of the file, in hexadecimal.
        encrypted: whether it needs a key.
        tables: what the snapshot held.
        verified_at: when it was restored to a scratch file and found equal.
        ledger: the head of the ledger of work in it; None where it has none.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str
    taken_at: datetime
    reason: Reason
    store: str
    schema_revision: str
    change: int
    bytes: int
    sha256: str
    encrypted: bool
    tables: dict[str, TableState]
    verified_at: datetime
    ledger: LedgerHead | None = Field(default=None, exclude_if=lambda value: value is None)

    def as_manifest(self) -> str:
        """The manifest's text: what is known, sealed by a SHA-256 so that a changed byte of it is noticed too."""
        known = self.model_dump(mode="json")
        return json.dumps({**known, "seal": _digest(known)}, indent=2)

    @classmethod
    def of_manifest(cls, text: str) -> Self:
        """The reverse of `as_manifest`; raises ValueError when a byte of it is not as it was written."""
        known = as_object(json.loads(text))
        if known.pop("seal", "") != _digest(known):
            raise ValueError("the seal does not fit")
        info = cls.model_validate(known)
        if info.as_manifest() != text:
            raise ValueError("it is not written as we write it")
        return info


def _digest(known: object) -> str:
    return hashlib.sha256(json.dumps(known, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Backup:
    """A file in a backup folder.

    Attributes:
        path: of the file.
        taken_at: by its name.
        info: what its manifest says; None when there is none, or none that can be trusted.
        problem: what is wrong with it, as far as can be seen without reading all of it; else empty.
        bytes: the size of the file; 0 where that cannot be seen.
    """

    path: Path
    taken_at: datetime
    info: BackupInfo | None
    problem: str
    bytes: int


def new_name(folder: Path, taken_at: datetime, reason: Reason, given: Container[str] = (), *, encrypted: bool) -> str:
    """A name that no file in the folder has, and that was not given before: people were told it for another file.

    Raises:
        OSError: it cannot be known what the folder has.
    """
    stem = f"bigmind-{taken_at.astimezone(UTC).strftime(_STAMP)}-{reason}"
    ending = ".db.age" if encrypted else ".db"
    number, name = 1, f"{stem}{ending}"
    while name in given or seen(folder / name) or seen(manifest_of(folder / name)):
        number += 1
        name = f"{stem}-{number}{ending}"
    return name


def is_backup(name: str) -> bool:
    """Whether a file's name is that of a backup."""
    return _NAME.fullmatch(name) is not None


def is_encrypted(path: Path) -> bool:
    """Whether a file says by its name that it is encrypted."""
    return path.suffix == ".age"


def manifest_of(path: Path) -> Path:
    """The manifest's place: beside the file."""
    return path.with_name(f"{path.name}.json")


def read_manifest(path: Path) -> BackupInfo | None:
    """What the manifest of a backup says; None when there is no manifest.

    Raises:
        ValueError: it is there, and damaged.
    """
    try:
        # A pipe in its place, which whoever shares the folder can make, would be waited for.
        text = beginning_of(manifest_of(path), LARGEST_MANIFEST).decode()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror}") from error
    return BackupInfo.of_manifest(text)


def write_manifest(path: Path, info: BackupInfo) -> None:
    """Write the manifest of the backup at `path`: a reader sees the old one or the new one, never half.

    The folder may be one that a person shares with others, so its mode is left alone; on Windows the file is as it is.
    """
    place = manifest_of(path)
    scratch = place.with_name(f".{place.name}.partial")
    open_files.remove(scratch)  # who has that one open, or made it wider, is to see nothing of this
    with os.fdopen(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE), "w", newline="") as file:
        file.write(info.as_manifest())
        file.flush()
        to_disk(file.fileno())
    open_files.replace(scratch, place)


def backups_in(folder: Path) -> list[Backup]:
    """Every backup in a folder, the newest first. Looks at names, sizes and manifests, not at contents."""
    found = [_seen(path, match) for path, match in _named(folder)]
    return sorted(found, key=lambda each: (each.taken_at, each.path.name), reverse=True)


def newest_in(folder: Path, now: datetime) -> Backup | None:
    """The newest backup with nothing visibly wrong; of the others only the names are looked at.

    One that is dated after `now`, because a clock was wrong, is taken where there is no other.
    """
    today = now.astimezone(UTC).strftime(_STAMP)
    named = sorted(_named(folder), key=lambda each: (each[1]["at"] <= today, each[1]["at"]), reverse=True)
    return next((each for each in (_seen(*pair) for pair in named) if not each.problem), None)


def holds_any(folder: Path) -> bool:
    """Whether a folder has a file that is named as a backup is.

    Raises:
        OSError: it cannot be looked at.
    """
    return next(_named(folder), None) is not None


def _named(folder: Path) -> Iterator[tuple[Path, re.Match[str]]]:
    with suppress(FileNotFoundError, NotADirectoryError):
        for path in folder.iterdir():
            if (match := _NAME.fullmatch(path.name)) and _may_be_file(path):
                yield path, match


def _may_be_file(path: Path) -> bool:
    """Whether a file stands there, or what cannot be looked at: that is listed, with its problem."""
    try:
        return is_file_or_raises(path)
    except OSError:
        return True


def narrow_backups(folder: Path) -> list[Path]:
    """Take from others what they are granted of the backups in a folder, which may be one that a person shares.

    Not on Windows: there a private file could not be read at the computer that a disk is carried to.

    Returns:
        What others may read all the same; on Windows the folder.
    """
    left: list[Path] = []
    if os.name == "nt":
        with suppress(OSError):
            left.extend([folder] * is_open_to_others(folder))
        return left
    with suppress(OSError):  # a drive that is not there now is looked at when it is back
        for each in (each for path, _ in _named(folder) for each in (path, manifest_of(path))):
            try:
                if is_file_or_raises(each) and not each.is_symlink():
                    narrow(each, PRIVATE_FILE)
            except OSError:
                left.append(each)
    return left


def backup_at(path: Path) -> Backup:
    """What can be seen of a backup without reading all of it, wherever it lies and whatever it is called."""
    return _seen(path, _NAME.fullmatch(path.name))


def _seen(path: Path, match: re.Match[str] | None) -> Backup:
    try:
        found = path.stat()
    except OSError as error:
        return Backup(path, _told_time(match, 0), None, f"it cannot be looked at: {error.strerror}", 0)
    named, size = _told_time(match, found.st_mtime), found.st_size
    try:
        info = read_manifest(path)
    except (ValueError, ValidationError):
        return Backup(path, named, None, "its manifest is damaged", size)
    if info is None:
        return Backup(path, named, None, "it has no manifest, so it was never verified", size)
    problem = "" if size == info.bytes else f"it has {size:,} bytes where {info.bytes:,} were written"
    return Backup(path, info.taken_at, info, problem, size)


def _told_time(match: re.Match[str] | None, changed: float) -> datetime:
    """When a backup was taken, by its name; by its file, where that does not say."""
    try:
        return datetime.strptime(match["at"] if match else "", _STAMP).replace(tzinfo=UTC)
    except ValueError:
        return moment_of(changed)


def sha256_of(path: Path, phase: Phase | None = None) -> str:
    """The SHA-256 of a file, in hexadecimal; `phase` counts the bytes that are read for it."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(_BLOCK):
            digest.update(block)
            if phase is not None:
                phase.add(len(block))
    return digest.hexdigest()


def damage(backup: Backup, phase: Phase | None = None) -> str:
    """What is wrong with a backup when every byte of it is read; empty when it is as it was written."""
    if backup.problem or backup.info is None:
        return backup.problem
    try:
        is_same = sha256_of(backup.path, phase) == backup.info.sha256
    except OSError as error:
        return f"it cannot be read: {error.strerror}"
    return "" if is_same else "its bytes are not those that were written"


def remove_backup(path: Path) -> None:
    """Remove a backup and then its manifest: alone, that says nothing, where a file without one would be in doubt."""
    open_files.remove(path)
    open_files.remove(manifest_of(path))
