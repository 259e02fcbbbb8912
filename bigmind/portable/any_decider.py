"""What becomes of some records of any section."""

from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.verdicts import Decider, Decision, ImportContext, SameRows
from bigmind.portable.work.work_verdicts import SECTIONS, SeenWork, WorkDecider
from bigmind.store.work import Work


class AnyDecider:
    """Decides over the records of one section after the other, in one transaction."""

    def __init__(
        self, work: Work, about: ImportContext, same: SameRows, records: StagingDatabase, seen: SeenWork | None = None
    ) -> None:
        """One for records of work too; `seen` as of `WorkDecider`."""
        self._decider = Decider(work.session, about, same, records)
        self._of_work = WorkDecider(work, records, seen)

    def decide(self, rows: list[StagedRecord]) -> list[Decision]:
        """What becomes of some records of one section."""
        if rows[0].section not in SECTIONS:
            return self._decider.decide(rows)
        found = self._of_work.decide(rows)
        return [Decision(row, found[row.key].verdict, row.uid, found[row.key].key, found[row.key].note) for row in rows]
