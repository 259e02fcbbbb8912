"""What a record may be, beside the form of its fields: no later than today, and no larger than a record ever is."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from pydantic import BaseModel

from bigmind.core.errors import BigMindError, Code, FieldProblem
from bigmind.core.shapes import is_list
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.format.kind_records import KindRecord
from bigmind.portable.format.records import FactRecord, ProfileRecord, Record, SessionRecord
from bigmind.portable.format.work_records import LedgerRecord

MOST_AHEAD = timedelta(days=1)
"""By how much the clock that wrote a file may be ahead: a later time would hide what is newest here."""
MOST_USERS = 10_000
"""Users of a document, who are all kept in mind while it is imported."""
MOST_LISTED = 1_000_000
"""Characters of all lists of a record together."""


def check_bounds(record: Record, number: int, now: datetime) -> None:
    """Refuse a record of the future, and one whose lists are too long.

    Raises:
        BigMindError: `invalid_input`, naming the record, and the fields that are not right.
    """
    place = f"{record.section}[{number}]"
    problems = [
        FieldProblem(f"{place}.{name}", "a later time", "a time no later than now")
        for name, at in _times(record)
        if at > now + MOST_AHEAD
    ]
    listed = sum(len(text) for each in _lists(record) for text in _texts(each))
    if listed > MOST_LISTED:
        expected = f"at most {MOST_LISTED:,} characters in its lists together"
        problems.append(FieldProblem(place, f"{listed:,} characters", expected))
    if problems:
        text = f"Record {number} of {record.section} is not valid; nothing was imported."
        raise BigMindError(Code.INVALID_INPUT, text, problems=tuple(problems[:_MOST_PROBLEMS]))


_MOST_PROBLEMS = 20


def _times(record: BaseModel) -> Iterator[tuple[str, datetime]]:
    """Each time of a record, also of the records within, under the name of its field."""
    for name in type(record).model_fields:
        value = getattr(record, name)
        if isinstance(value, datetime):
            yield name, value
        for within in value if is_list(value) else [value]:
            if isinstance(within, BaseModel):
                yield from ((f"{name}.{inner}", at) for inner, at in _times(within))


def _lists(record: Record) -> Iterator[list[Any]]:
    if isinstance(record, ProfileRecord):
        yield record.pinned_facts
    elif isinstance(record, SessionRecord):
        yield record.topics
        if record.summary is not None:
            yield record.summary.key_facts
            yield record.summary.code_refs
    elif isinstance(record, FactRecord):
        yield record.history
    elif isinstance(record, ThoughtRecord):
        yield from (record.tags, record.flags, record.links, record.readers)
    elif isinstance(record, LedgerRecord):
        yield record.words
    elif isinstance(record, KindRecord):
        yield from (value for column in record.texts if is_list(value := getattr(record, column)))


def _texts(listed: list[Any]) -> Iterator[str]:
    for each in listed:
        if isinstance(each, BaseModel):
            yield from (value for name in type(each).model_fields if isinstance(value := getattr(each, name), str))
        else:
            yield each
