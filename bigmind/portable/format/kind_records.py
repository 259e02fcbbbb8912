"""The sections of an export: those with a record of their own, and one per kind that is declared without.

Such a kind is told by the columns of its table. One with tables beside its own, with references, or whose rows belong
to nobody, needs a record of its own in records.py.
"""

from datetime import datetime
from functools import cache
from typing import Annotated, Any, ClassVar, cast

from pydantic import BaseModel, ConfigDict, Field, create_model
from sqlalchemy import Column

from bigmind.core.kind import ORIGIN, Detail, Kind, Kinds, Words
from bigmind.portable.format.brain_records import BRAIN_RECORDS
from bigmind.portable.format.records import (
    RECORDS,
    AcceptableRecord,
    Lines,
    Long,
    PlaceableRecord,
    Record,
    Short,
    Time,
    Uid,
)
from bigmind.portable.format.work_records import APART, WORK_RECORDS

Sections = dict[str, type[Record]]
"""The record of each section, in the order in which they are written and read: what others refer to comes first."""

_INTEGER = Annotated[int, Field(ge=-(2**63), le=2**63 - 1)]
_OF_EACH_TYPE: dict[type, Any] = {
    str: Short,
    int: _INTEGER,
    float: Annotated[float, Field(allow_inf_nan=False)],
    bool: bool,
    datetime: Time,
}
_REFERENCE = "session_id"
"""The one reference that may be among the columns: a record names the session by its id."""


MOST_PARTS = 10_000
"""Rows of one child table, of one thing."""


class KindPart(BaseModel):
    """A row of a child table of a kind that has no record of its own."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    texts: ClassVar[tuple[str, ...]] = ()


class KindRecord(AcceptableRecord):
    """A thing of a kind that has no record of its own: the columns of its row, under their names."""

    kind: ClassVar[Kind]

    id: Uid


def sections_of(kinds: Kinds) -> Sections:
    """The sections of the exports of a store with these kinds.

    Raises:
        TypeError: when a kind can be told only by a record of its own, and has none.
    """
    own: Sections = {each.section: each for each in (*RECORDS, *BRAIN_RECORDS, *WORK_RECORDS)}
    return own | {
        each.exported_as: record_of(each) for each in kinds if each.is_exported and each.exported_as not in own
    }


def section_words(kinds: Kinds) -> dict[str, Words]:
    """How people call the records of each section, and of work items those that are nodes, and the others.

    Raises:
        TypeError: when a section is of no kind, and its record does not say.
    """
    words = {each.exported_as: each.words for each in kinds}
    for section, record in sections_of(kinds).items():
        if record.called is not None:
            words[section] = record.called
        elif section not in words:
            raise TypeError(f"The section {section} is of no kind: its record says how people call it.")
    return APART | words


def things(sections: Sections) -> list[Kind]:
    """The kinds among them that have no record of their own."""
    return [each.kind for each in sections.values() if issubclass(each, KindRecord)]


def owned_kinds(kinds: Kinds) -> dict[str, Kind]:
    """The kinds whose rows belong to one user and have ids, by their sections; not a log, which nobody brings in."""
    return {
        each.exported_as: each
        for each in kinds.owned
        if each.is_exported and not each.is_single and not each.leaves_row
    }


@cache
def record_of(kind: Kind) -> type[KindRecord]:
    """The record by which things of that kind are told.

    Raises:
        TypeError: when its columns cannot tell all of it.
    """
    if kind.is_single or kind.is_everybodys or kind.derived:
        raise TypeError(f"The kind {kind.name} needs a record of its own, or the reason why no export has it.")
    columns = {each.name: each for each in kind.table.__table__.columns}
    told: dict[str, Any] = {name: _field(kind, each) for name, each in columns.items() if name not in _untold(kind)}
    if _REFERENCE in columns:
        told["session"] = (cast("Any", Uid) | None, ...)
    told |= {
        detail_name(each): (Annotated[list[_part_of(each)], Field(max_length=MOST_PARTS)], ...) for each in kind.details
    }
    bases = (KindRecord, PlaceableRecord) if "placement" in columns else (KindRecord,)
    name, doc = f"{kind.name.title().replace('_', '')}Record", f"One of the {kind.words.many}."
    record: type[KindRecord] = cast("Any", create_model)(name, __base__=bases, __doc__=doc, __module__=__name__, **told)
    record.kind, record.section = kind, kind.exported_as
    record.texts = (*(each.column for each in kind.texts), *map(detail_name, kind.details))
    return record


def detail_name(detail: Detail) -> str:
    """The field of a record that holds a child table's rows: the table's name."""
    return detail.table.__tablename__


def told_columns(detail: Detail) -> list[str]:
    """The columns of a child table that a record tells: those of its key, its parent, and of JSON are left out."""
    columns = detail.table.__table__.columns
    return [each.name for each in columns if each.name not in {detail.key, detail.parent} and _type_of(each)]


def _part_of(detail: Detail) -> Any:
    """The record of one row of a child table."""
    columns, names = detail.table.__table__.columns, told_columns(detail)
    fields = {name: (_in_parts(columns[name], name in detail.columns), ...) for name in names}
    name = f"{detail_name(detail).title().replace('_', '')}Record"
    part: Any = cast("Any", create_model)(name, __base__=KindPart, __module__=__name__, **fields)
    part.texts = detail.columns
    return part


def _in_parts(column: Column[Any], is_text: bool) -> Any:
    told: Any = Long if is_text else _type_of(column)
    return told | None if column.nullable else told


def _type_of(column: Column[Any]) -> Any:
    return _OF_EACH_TYPE.get(getattr(column.type, "impl_instance", column.type).python_type)


def _untold(kind: Kind) -> set[str]:
    """What is told otherwise, or derived."""
    return {kind.key, "uid", kind.owner, _REFERENCE, "terms", "caution", "accepted_at", "placement", *kind.untold}


def _field(kind: Kind, column: Column[Any]) -> tuple[Any, Any]:
    """The type of a field, which has no default: a document tells every column."""
    python_type = getattr(column.type, "impl_instance", column.type).python_type
    told: Any = _type_of(column)
    if column.name in {each.column for each in kind.texts if each not in ORIGIN}:
        told = cast("Any", Long if python_type is str else Lines)
    if told is None or column.foreign_keys:
        raise TypeError(f"The column {column.name} of the kind {kind.name} needs a record of the kind's own.")
    return (told | None if column.nullable else told), ...
