"""What an export holds of work: items with what they depend on, and the ledger with its chain; no lease, no yes."""

import json
from typing import Annotated, Any, ClassVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bigmind.core.kind import Words
from bigmind.flow.gates import faults_of
from bigmind.flow.process_document import gate_from
from bigmind.portable.format.node_records import NodeRecord
from bigmind.portable.format.records import (
    OF_DIGEST,
    OF_ID_OR_NONE,
    OF_SALT,
    AcceptableRecord,
    Long,
    Name,
    Record,
    Short,
    Time,
    Uid,
)
from bigmind.work.rules import FIELD_NAME, LONGEST_DNA, MOST_DEPENDENCIES, MOST_FIELDS

MOST_OF_FIELDS = 2 * LONGEST_DNA
"""Characters of all fields: masking can lengthen them."""
MOST_DUE = 200

Digest = Annotated[str, Field(pattern=OF_DIGEST)]
Word = Annotated[Name, Field(max_length=40)]


def _dna(value: dict[str, Any]) -> dict[str, Any]:
    size = len(json.dumps(value, ensure_ascii=False))
    if size > MOST_OF_FIELDS or len(value) > MOST_FIELDS or not all(map(FIELD_NAME.fullmatch, value)):
        raise ValueError(f"an object of at most {MOST_FIELDS} fields and {MOST_OF_FIELDS:,} characters")
    return value


def _due(value: list[Any]) -> list[Any]:
    for each in value:
        if not isinstance(each, str | dict):
            raise ValueError("gates, as a process document writes them")  # noqa: TRY004 - pydantic tells it
        if fault := next((fault for part in gate_from(each).each() for fault in faults_of(part)), ""):
            raise ValueError(f"gates, as a process document writes them: {fault}")
    return value


class InterruptionRecord(BaseModel):
    """What a state that saves interrupted."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    state: Word
    role: Word


class WorkItemRecord(AcceptableRecord):
    """A work item. Whoever holds it, and what a person confirmed, stands in no export."""

    section = "work_items"
    texts = ("project", "client", "slug", "title", "topic", "description", "dna", "node")

    id: Uid
    slug: Name
    project: Short | None
    client: Short
    made_by: Short | None = Field(description="The username of whose agent made it.")
    process: Word
    version: Annotated[int, Field(ge=1, le=2**31 - 1)]
    state: Word = Field(description="Believed when it is imported in person; else the item begins anew.")
    role: Word
    revision: Annotated[int, Field(ge=0, le=2**31 - 1)]
    claimed_from: Annotated[Short, Field(max_length=40)]
    worked_by: Annotated[Short, Field(max_length=250)]
    worked_as: Annotated[Short, Field(max_length=40)]
    saved: InterruptionRecord | None
    due: Annotated[list[Any], Field(max_length=MOST_DUE), AfterValidator(_due)]
    self_reviewed: bool
    is_imported: bool
    title: Name
    topic: Short
    description: Long
    dna: Annotated[dict[str, Any], AfterValidator(_dna)]
    depends_on: Annotated[list[Uid], Field(max_length=MOST_DEPENDENCIES)]
    node: NodeRecord | None = Field(default=None, exclude_if=lambda value: value is None)
    created_at: Time
    updated_at: Time


APART: dict[str, Words] = {"tasks": Words("task", "tasks"), "nodes": Words("mindspace node", "mindspace nodes")}
"""What people are told of in place of work items: of those that are nodes of the mindspace, and of the others."""


class LedgerTextRecord(BaseModel):
    """Words of a row of the ledger, under their salt; without one they are not what the row's hash is over."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    texts: ClassVar[tuple[str, ...]] = ("text",)

    name: Word
    salt: Annotated[str, Field(pattern=OF_SALT)]
    text: Long


class LedgerRecord(Record):
    """A row of a ledger, of this store's or of one that was imported: `body` is the JSON that its hash is over."""

    section = "work_ledger"
    called = Words("row of the work ledger", "rows of the work ledger")
    texts = ("words",)

    store: Uid
    number: Annotated[int, Field(ge=1, le=2**53)]
    item: Annotated[str, Field(pattern=OF_ID_OR_NONE)]
    kind: Annotated[Name, Field(max_length=20)]
    body: Annotated[str, Field(max_length=200_000)]
    before: Digest
    digest: Digest
    words: Annotated[list[LedgerTextRecord], Field(max_length=100)]


def ledger_key(store: str, number: int, digest: str) -> str:
    """By what a row of a ledger is told from every other."""
    return f"{store}:{number}:{digest}"


WORK_RECORDS: tuple[type[Record], ...] = (WorkItemRecord, LedgerRecord)
"""Behind those of the brain."""
