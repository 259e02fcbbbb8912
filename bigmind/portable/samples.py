"""A few words of the records of each kind, so that a person sees what an import would do before it does it."""

from collections.abc import Iterable

from bigmind.core.operation import Caller
from bigmind.core.plain_text import one_line, shortened, visible
from bigmind.portable.format.brain_records import QuestionRecord, ThoughtRecord
from bigmind.portable.format.kind_records import KindRecord
from bigmind.portable.format.records import (
    ChunkRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
    ProfileRecord,
    ProjectNameRecord,
    Record,
    SessionRecord,
    UserRecord,
)
from bigmind.portable.format.work_records import LedgerRecord, WorkItemRecord
from bigmind.portable.outcome import Outcome, Verdict
from bigmind.portable.preparation import prepare
from bigmind.portable.staging import StagingDatabase
from bigmind.portable.verdicts import Decision

MOST = 3
LONGEST = 160
SHOWN = frozenset({Verdict.NEW, Verdict.NEWER, Verdict.OLDER, Verdict.KEPT})


def sample(outcome: Outcome, records: StagingDatabase, caller: Caller, decisions: Iterable[Decision]) -> None:
    """Keep the words of the first few of each section and verdict; secrets in them are masked."""
    for each in decisions:
        kept = outcome.samples.setdefault((each.staged.section, each.verdict), [])
        if each.verdict in SHOWN and len(kept) < MOST:
            ready = records.prepared(each.staged) or prepare(records.record(each.staged), caller)
            kept.append(shortened(one_line(visible(_words(ready.record))), LONGEST))


def _words(record: Record) -> str:
    match record:
        case UserRecord():
            words = record.username
        case ProfileRecord():
            words = record.role or record.preferences
        case ProjectNameRecord():
            words = f"{record.name} means {record.project}"
        case SessionRecord():
            words = record.one_liner or record.outcome
        case KnowledgeRecord() | WorkItemRecord():
            words = record.title
        case ChunkRecord() | ThoughtRecord():
            words = record.content
        case LedgerRecord():
            words = record.kind
        case KindRecord():
            words = " ".join(str(getattr(record, column)) for column in record.kind.recognized_by)
        case FactRecord() | HypothesisRecord() | QuestionRecord():
            words = record.text
        case _:
            raise TypeError(type(record).__name__)
    return words
