"""A file of the older BigMind, as the importer takes records."""

from collections import defaultdict
from collections.abc import Iterator

from bigmind.portable.document import SECTIONS
from bigmind.portable.older import OlderFile
from bigmind.portable.reading import Numbered
from bigmind.portable.records import ChunkRecord, Record


class OlderSource:
    """A file of the older BigMind as a source of records."""

    def __init__(self, file: OlderFile) -> None:
        self.name = file.name
        self._file = file
        self._seqs: dict[str, set[int]] = defaultdict(set)

    def records(self) -> Iterator[Numbered]:
        """Every record of the file, section by section."""
        for section in SECTIONS:
            for number, record in self._file.records(section):
                yield section, number, self._numbered(record)

    def _numbered(self, record: Record) -> Record:
        """The record; a moment whose number another of its session has, which the older one allowed, with the next."""
        if not isinstance(record, ChunkRecord):
            return record
        taken = self._seqs[record.session]
        seq = max(taken) + 1 if record.seq in taken else record.seq
        taken.add(seq)
        return record.model_copy(update={"seq": seq})
