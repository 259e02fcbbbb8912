"""The ledger: which parts of which files are ours; and copies of the files as they were, in the data folder."""

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlmodel import col, delete, select

from bigmind.clients.files.changes import FileChange, digest
from bigmind.clients.plan import FileOrigin, PartLocation, met, stripped
from bigmind.clients.tables import ClientFile, ClientPart
from bigmind.core.ids import new_id
from bigmind.disk import open_files
from bigmind.disk.flushing import to_disk
from bigmind.paths import PRIVATE_FILE, make_private_folder
from bigmind.store.work import Work

ORPHAN_SECONDS = 24 * 60 * 60.0


def copies_folder(home: Path) -> Path:
    """Where clients' files are kept as they were; private, for they may hold the person's other keys."""
    return home / "client-files"


@dataclass(frozen=True, slots=True)
class Owner:
    """An install: a target's, for the user or for one workspace."""

    target: str
    workspace: str = ""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the ledger said of an install and of some files, at one time."""

    parts: Sequence[dict[str, Any]]
    files: Mapping[str, dict[str, Any] | None]

    @property
    def copies(self) -> set[str]:
        """The names of the copies that there were."""
        return {each["copy_name"] for each in self.files.values() if each is not None}


class Ledger:
    """The ledger of one user, in one unit of work."""

    def __init__(self, work: Work, home: Path) -> None:
        """The ledger of the caller; copies are kept below the data folder `home`."""
        self._work = work
        self._copies = copies_folder(home)
        self._user = work.caller.user_id

    def parts(self, owner: Owner) -> list[PartLocation]:
        """What an install put into files, in the order it did."""
        return [_placed(row) for row in self._rows(owner)]

    def owners(self) -> list[Owner]:
        """Every install."""
        found = select(ClientPart.target, ClientPart.workspace).where(ClientPart.user_id == self._user).distinct()
        return [Owner(target, workspace) for target, workspace in self._work.session.exec(found)]

    def token_ids(self, owner: Owner) -> set[int]:
        """The tokens that were given to an install."""
        return {row.token_id for row in self._rows(owner) if row.token_id is not None}

    def others(self, owner: Owner, paths: Iterable[Path]) -> list[PartLocation]:
        """What other installs put into the same files."""
        named = [str(path) for path in paths]
        found = select(ClientPart).where(ClientPart.user_id == self._user, col(ClientPart.path).in_(named))
        rows = self._work.session.exec(found.order_by(col(ClientPart.id)))
        return [_placed(row) for row in rows if Owner(row.target, row.workspace) != owner]

    def origin(self, path: Path) -> FileOrigin | None:
        """What a file was before anything of ours stood in it; None where nothing is known of it."""
        row = self._file(path)
        if row is None:
            return None
        if not row.existed:
            return FileOrigin(None, row.after)
        try:
            before = (self._copies / row.copy_name).read_bytes()
        except OSError:
            return FileOrigin(None, row.after, row.mode, is_known=False)
        return FileOrigin(before, row.after, row.mode, is_known=digest(before) == row.before)

    def made_folders(self, path: Path) -> int:
        """How many of the folders around a file were made for it."""
        row = self._file(path)
        return row.made_folders if row is not None else 0

    def keep(self, change: FileChange, parts: Sequence[PartLocation], mode: int | None, *, in_home: bool) -> None:
        """Note a file that is about to be changed, with a copy of what it is without our parts.

        Args:
            change: the file; `before` and `after` are the same where all of ours stands in it already.
            parts: all of ours that stand in it, or are about to.
            mode: its permission bits.
            in_home: whether it is in the person's home, and in no workspace.
        """
        row = self._file(change.path)
        after = digest(change.after or b"")
        if row is not None and change.before is not None and digest(change.before) == row.after:
            row.after, row.updated_at = after, self._work.now
            self._work.session.add(row)
            return
        was = self._theirs(change, parts, in_home=in_home)
        fresh = row or ClientFile(
            user_id=self._user, path=str(change.path), existed=False, after=after, updated_at=self._work.now
        )
        was_theirs = fresh.existed and fresh.mode is not None
        fresh.mode = fresh.mode if was_theirs and was is not None else mode  # we made it private: theirs is the first
        fresh.existed, fresh.after, fresh.updated_at = was is not None, after, self._work.now
        fresh.before = digest(was) if was is not None else ""
        fresh.copy_name = self._copy(change.path, was) if was is not None else ""
        self._work.session.add(fresh)

    def _theirs(self, change: FileChange, parts: Sequence[PartLocation], *, in_home: bool) -> bytes | None:
        """What is the person's of a file."""
        known = self.origin(change.path)
        if known is None:
            return met(change, parts, in_home=in_home)
        return None if change.before is None else stripped(change.path, change.before, parts, known.before)

    def note_folders(self, path: Path, made: int) -> None:
        """Note that folders were made for a file; those that were made for it before are among them, or around them."""
        row = self._file(path)
        if row is not None and made > row.made_folders:
            row.made_folders = made
            self._work.session.add(row)

    def own(self, owner: Owner, parts: Sequence[PartLocation], token_id: int | None) -> None:
        """Note what an install put into files, in place of what it had put there before."""
        self._delete(owner)
        for each in dict.fromkeys(parts):
            row = ClientPart(
                user_id=self._user,
                target=owner.target,
                workspace=owner.workspace,
                path=str(each.path),
                kind=each.kind,
                place=each.place,
                token_id=token_id,
                created_at=self._work.now,
            )
            self._work.session.add(row)
        self._work.session.flush()

    def disown(self, owner: Owner) -> set[str]:
        """Forget an install, and the files in which nothing is ours any more.

        Returns:
            The names of their copies, for `sweep_copies` once this is committed.
        """
        self._delete(owner)
        left = set(self._work.session.exec(select(ClientPart.path).where(ClientPart.user_id == self._user)))
        files = self._work.session.exec(select(ClientFile).where(ClientFile.user_id == self._user)).all()
        going, staying = (
            [each for each in files if each.path not in left],
            [each for each in files if each.path in left],
        )
        _inherit({folder for each in going for folder in _made(each)}, staying)
        for row in going:
            self._work.session.delete(row)
        self._work.session.flush()
        return {row.copy_name for row in going}

    def snapshot(self, owner: Owner, paths: Iterable[Path]) -> Snapshot:
        """What it says now, to come back to."""
        files = {str(path): self._file(path) for path in paths}
        return Snapshot(
            [each.model_dump() for each in self._rows(owner)],
            {path: row.model_dump() if row is not None else None for path, row in files.items()},
        )

    def restore(self, owner: Owner, then: Snapshot) -> set[str]:
        """Have it say again what it said.

        Returns:
            The names of copies that were made since, for `sweep_copies` once this is committed.
        """
        self._delete(owner)
        since: set[str] = set()
        for path, was in then.files.items():
            if (row := self._file(Path(path))) is not None:
                since.add(row.copy_name)
                self._work.session.delete(row)
                self._work.session.flush()
            if was is not None:
                self._work.session.add(ClientFile(**was))
        for each in then.parts:
            self._work.session.add(ClientPart(**each))
        self._work.session.flush()
        return since

    def going_folders(self, owner: Owner) -> dict[Path, int]:
        """How many folders were made around each file that concerns no other install; they go with this one."""
        rows = self._work.session.exec(select(ClientPart).where(ClientPart.user_id == self._user))
        staying = {row.path for row in rows if Owner(row.target, row.workspace) != owner}
        files = self._work.session.exec(select(ClientFile).where(ClientFile.user_id == self._user))
        return {Path(row.path): row.made_folders for row in files if row.made_folders and row.path not in staying}

    def rewritten(self, change: FileChange) -> None:
        """Note that a file in which parts of others stay was written without some of ours."""
        row = self._file(change.path)
        if row is not None and change.after is not None:
            row.after = digest(change.after)
            self._work.session.add(row)

    def _rows(self, owner: Owner) -> list[ClientPart]:
        mine = select(ClientPart).where(
            ClientPart.user_id == self._user,
            ClientPart.target == owner.target,
            ClientPart.workspace == owner.workspace,
        )
        return list(self._work.session.exec(mine.order_by(col(ClientPart.id))))

    def _delete(self, owner: Owner) -> None:
        gone = delete(ClientPart).where(
            col(ClientPart.user_id) == self._user,
            col(ClientPart.target) == owner.target,
            col(ClientPart.workspace) == owner.workspace,
        )
        self._work.session.exec(gone)

    def _file(self, path: Path) -> ClientFile | None:
        found = select(ClientFile).where(ClientFile.user_id == self._user, ClientFile.path == str(path))
        return self._work.session.exec(found).first()

    def _copy(self, path: Path, data: bytes) -> str:
        """Keep bytes under a name of their own, on disk before the file they come from is touched."""
        make_private_folder(self._copies)
        name = f"{self._work.now:%Y%m%d-%H%M%S}-{new_id()[:8]}-{path.name}"[:200]
        opened = os.open(
            self._copies / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), PRIVATE_FILE
        )
        with os.fdopen(opened, "wb") as file:
            file.write(data)
            file.flush()
            to_disk(file.fileno())
        return name


def sweep_copies(work: Work, home: Path, dropped: set[str]) -> None:
    """Remove copies of clients' files that nothing names any more: they may hold the person's keys.

    Args:
        work: in which what dropped them is committed already; for then nothing can ask for them again.
        home: the data folder.
        dropped: their names. What a killed process left goes too, once it is a day old.
    """
    folder = copies_folder(home)
    named = set(work.session.exec(select(ClientFile.copy_name)))
    with suppress(OSError):  # no folder, or none that can be read: the next one looks again
        for copy in folder.iterdir():
            if copy.name not in named and (copy.name in dropped or _is_old(copy, work.now)):
                open_files.remove(copy)


def _is_old(copy: Path, now: datetime) -> bool:
    return now.timestamp() - copy.lstat().st_mtime > ORPHAN_SECONDS


def _made(row: ClientFile) -> Sequence[Path]:
    """The folders that were made for a file, from the innermost."""
    return Path(row.path).parents[: row.made_folders]


def _inherit(made: set[Path], staying: Iterable[ClientFile]) -> None:
    """Have the files that stay in folders which were made for others take them along when they go themselves."""
    for row in staying:
        around = Path(row.path).parents
        while row.made_folders < len(around) and around[row.made_folders] in made:
            row.made_folders += 1


def _placed(row: ClientPart) -> PartLocation:
    return PartLocation(Path(row.path), row.kind, row.place)
