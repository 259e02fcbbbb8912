"""Power cuts: from one recorded run of a process (recorder.c), what a disk may hold when the power goes at any moment.

The disk is as harsh as the rules allow: what a file's sync did not cover is kept or lost piece by piece, in any order,
torn at sector borders; a file's name is there for sure only when its folder was synced after.
"""

import random
import struct
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath
from typing import NamedTuple, TypeVar

from tests.support import environment

T = TypeVar("T")

SECTOR = 512
ROOT = Path(__file__).parents[2]
MARKER = "acknowledged"
"""The file that a recorded process writes to what it was promised, one line each."""

_HEAD = struct.Struct("=cqqII")


class Record(NamedTuple):
    """One call on a file, as recorder.c wrote it down."""

    kind: str
    file: int
    place: int
    name: str
    data: bytes


@dataclass(frozen=True)
class Cut:
    """How a power cut treats what was not synced.

    Attributes:
        kept: the chance of each piece to be on the disk all the same.
        torn: pieces are sectors, else whole writes.
        in_order: the disk wrote in order and lost the end, else anything may be missing.
    """

    kept: float
    torn: bool
    in_order: bool


NOTHING_LOST = Cut(1, torn=False, in_order=False)
"""What a kill leaves: the system has it all."""


def some_cut(dice: random.Random) -> Cut:
    """A power cut of any kind."""
    return Cut(dice.choice((0, 0.1, 0.5, 0.9)), dice.random() < 0.5, dice.random() < 0.3)


class File:
    """The bytes of one file: what was synced, and the writes and truncations since."""

    def __init__(self, synced: bytes = b"") -> None:
        self._synced = bytearray(synced)
        self._since: list[tuple[int, bytes | None]] = []

    def write(self, place: int, data: bytes) -> None:
        self._since.append((place, data))

    def truncate(self, size: int) -> None:
        self._since.append((size, None))

    def sync(self) -> None:
        for each in self._since:
            _apply(self._synced, *each)
        self._since.clear()

    def after(self, cut: Cut, dice: random.Random) -> bytes:
        """What is read after a cut."""
        content = bytearray(self._synced)
        pieces = [piece for each in self._since for piece in _pieces(*each, cut.torn)]
        for piece in _survivors(pieces, cut, dice):
            _apply(content, *piece)
        return bytes(content)


def _apply(content: bytearray, place: int, data: bytes | None) -> None:
    content.extend(bytes(max(0, place - len(content))))
    if data is None:
        del content[place:]
    else:
        content[place : place + len(data)] = data


def _pieces(place: int, data: bytes | None, torn: bool) -> Iterator[tuple[int, bytes | None]]:
    if data is None or not torn:
        yield place, data
        return
    end = place + len(data)
    borders = [place, *range(place // SECTOR * SECTOR + SECTOR, end, SECTOR), end]
    for start, stop in pairwise(borders):
        yield start, data[start - place : stop - place]


def _survivors(pieces: list[T], cut: Cut, dice: random.Random) -> list[T]:
    if cut.in_order:
        return pieces[: round(len(pieces) * cut.kept * dice.random())]
    return [each for each in pieces if dice.random() < cut.kept]


class Disk:
    """The files of a folder while a recorded run goes over them."""

    def __init__(self, safe: dict[str, tuple[int, bytes]]) -> None:
        """`safe`: numbers and bytes of the files that were there, and on the disk, before."""
        self.acknowledged: list[str] = []
        self.syncs = 0
        self._names = {name: File(content) for name, (_, content) in safe.items()}
        self._by_number = {number: self._names[name] for name, (number, _) in safe.items()}
        # What became of names since their folder was synced: the file that each now stands for, None when taken away.
        self._since: list[dict[str, File | None]] = []

    def happen(self, record: Record) -> None:
        """One call of the recorded process."""
        match record.kind:
            case "C":
                self._by_number[record.file] = File()  # numbers of files that were taken away are used again
                self._since.append({record.name: self._by_number[record.file]})
            case "W" if record.name == MARKER:
                self.acknowledged += record.data.decode().splitlines()
            case "W":
                self._by_number[record.file].write(record.place, record.data)
            case "T":
                self._by_number[record.file].truncate(record.place)
            case "S":
                self._by_number[record.file].sync()
                self.syncs += 1
            case "F":
                within = [each for each in self._since if _folder(each) == record.name]
                self._since = [each for each in self._since if _folder(each) != record.name]
                self._names = _renamed(self._names, within)
            case "U":
                self._since.append({record.name: None})
            case "R":
                file = _renamed(self._names, self._since)[record.name]
                self._since.append({record.name: None, record.data.decode(): file})
            case other:
                raise AssertionError(f"the journal holds {other!r}")

    def after(self, cut: Cut, dice: random.Random) -> dict[str, bytes]:
        """What is found after a cut, by name; the index of the log is memory, and gone."""
        names = _renamed(self._names, _survivors(self._since, cut, dice))
        return {name: file.after(cut, dice) for name, file in names.items() if _is_kept(name)}


def _is_kept(name: str) -> bool:
    return name != MARKER and not name.endswith("-shm")


def _folder(change: dict[str, File | None]) -> str:
    return str(PurePath(next(iter(change))).parent).removeprefix(".")


def _renamed(names: dict[str, File], changes: list[dict[str, File | None]]) -> dict[str, File]:
    result: dict[str, File | None] = dict(names)
    for change in changes:
        result |= change
    return {name: file for name, file in result.items() if file is not None}


def lay_out(files: dict[str, bytes], home: Path) -> None:
    """Put what a cut left where a store can be opened."""
    home.mkdir(0o700)
    for name, content in files.items():
        path = home / name
        path.parent.mkdir(0o700, parents=True, exist_ok=True)
        path.write_bytes(content)


def built_recorder(folder: Path) -> Path:
    """recorder.c, compiled."""
    library = folder / "recorder.so"
    source = Path(__file__).with_name("recorder.c")
    command = ["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", str(library), str(source), "-pthread"]
    subprocess.run(command, check=True)
    return library


class Recording:
    """One run of a process in `home`, call by call."""

    def __init__(self, recorder: Path, home: Path, module: str, *arguments: str) -> None:
        """Run `python -m module home arguments…` to its end; what is in the home before is safe on the disk.

        Raises:
            CalledProcessError: it failed.
        """
        home.mkdir(0o700, exist_ok=True)
        self._home = home
        self._before = {name: (path.stat().st_ino, path.read_bytes()) for name, path in self._files()}
        journal = home.with_name(f"{home.name}.journal")
        recorded = {
            "LD_PRELOAD": str(recorder),
            "RECORDED_FOLDER": str(home.resolve()),
            "RECORDED_JOURNAL": str(journal),
        }
        command = [sys.executable, "-m", module, str(home), *arguments]
        subprocess.run(command, check=True, cwd=ROOT, env={**environment(home), **recorded})
        self.records = list(_parsed(journal.read_bytes()))

    def _files(self) -> Iterator[tuple[str, Path]]:
        for path in self._home.rglob("*"):
            name = str(path.relative_to(self._home))
            if path.is_file() and _is_kept(name):
                yield name, path

    def disk(self, moment: int) -> Disk:
        """The disk after so many calls."""
        disk = Disk(self._before)
        for record in self.records[:moment]:
            disk.happen(record)
        return disk

    def is_complete(self) -> bool:
        """Whether the recorded calls make the very files that are there: none was missed."""
        played = self.disk(len(self.records)).after(NOTHING_LOST, random.Random(0))
        return played == {name: path.read_bytes() for name, path in self._files()}


def _parsed(journal: bytes) -> Iterator[Record]:
    place = 0
    while place < len(journal):
        kind, file, offset, first, second = _HEAD.unpack_from(journal, place)
        place += _HEAD.size
        name = journal[place : place + first].decode()
        yield Record(kind.decode(), file, offset, name, journal[place + first : place + first + second])
        place += first + second
