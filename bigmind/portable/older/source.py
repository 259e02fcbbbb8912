"""A file of the older BigMind, as the importer takes records."""

from collections import defaultdict
from collections.abc import Iterator

from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.portable.format.records import RECORDS, ChunkRecord, Record
from bigmind.portable.older.conversion import OlderFile
from bigmind.portable.older.values import MOST_SEQ
from bigmind.portable.reader import Numbered


class OlderSource:
    """A file of the older BigMind as a source of records."""

    def __init__(self, file: OlderFile) -> None:
        self.name = file.name
        self._file = file
        self._seqs: dict[str, _Numbers] = defaultdict(_Numbers)

    def records(self, progress: Progress = nobody_waits) -> Iterator[Numbered]:
        """Every record of the file, section by section; `progress` is told how many they are so far."""
        phase = Phase(progress, "Reading the older memory")
        for each in RECORDS:
            for number, record in self._file.records(each.section):
                yield each.section, number, self._numbered(record)
                phase.add()

    def _numbered(self, record: Record) -> Record:
        """The record; a moment whose number another of its session has, which the older one allowed, with the next."""
        if not isinstance(record, ChunkRecord):
            return record
        return record.model_copy(update={"seq": self._seqs[record.session].given(record.seq)})


class _Numbers:
    """The numbers of a session's moments."""

    def __init__(self) -> None:
        self._taken: set[int] = set()
        self._last = 0
        self._free = 1

    def given(self, wanted: int) -> int:
        """The number that is wanted; where it is taken the next behind all, and at their end the lowest free one."""
        if wanted in self._taken:
            wanted = self._last + 1
        if wanted > MOST_SEQ:
            while self._free in self._taken:
                self._free += 1
            wanted = self._free
        self._taken.add(wanted)
        self._last = max(self._last, wanted)
        return wanted
