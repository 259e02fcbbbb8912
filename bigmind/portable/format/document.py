"""The export as a document: its header, its sections, its published schema."""

from datetime import datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, create_model
from pydantic.json_schema import GenerateJsonSchema

from bigmind.core.kind import Kinds
from bigmind.portable.format.brain_records import QuestionRecord, ThoughtRecord
from bigmind.portable.format.kind_records import sections_of, things
from bigmind.portable.format.records import (
    FORMAT,
    VERSION,
    ChunkRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
    ProfileRecord,
    ProjectNameRecord,
    SessionRecord,
    Short,
    Time,
    UserRecord,
)
from bigmind.portable.format.work_records import LedgerRecord, WorkItemRecord

SCHEMA = f"urn:bigmind:export:{VERSION}"
"""The name of the published schema, `assets/export.schema.json`."""


class Header(BaseModel):
    """What stands first in an export."""

    model_config = ConfigDict(extra="forbid", strict=True)

    format: Literal["bigmind-export"]
    version: Literal[1, 2, 3, 4, 5]
    exported_at: Time
    generator: Short = Field(description="The program that wrote it.")
    schema_name: Literal[
        "urn:bigmind:export:1",
        "urn:bigmind:export:2",
        "urn:bigmind:export:3",
        "urn:bigmind:export:4",
        "urn:bigmind:export:5",
    ] = Field(alias="schema")


def header(now: datetime, generator: str) -> Header:
    """The header of an export that is written now."""
    return Header.model_validate(
        {"format": FORMAT, "version": VERSION, "exported_at": now, "generator": generator, "schema": SCHEMA}
    )


class Document(BaseModel):
    """One export: everything a user has, told by stable ids."""

    model_config = ConfigDict(extra="forbid", title="BigMind export")

    header: Header
    users: list[UserRecord] = Field(default=[], description="The other users, in what an admin exports of a team.")
    profiles: list[ProfileRecord] = []
    project_names: list[ProjectNameRecord] = []
    sessions: list[SessionRecord] = []
    chunks: list[ChunkRecord] = []
    facts: list[FactRecord] = []
    hypotheses: list[HypothesisRecord] = []
    knowledge: list[KnowledgeRecord] = []
    thoughts: list[ThoughtRecord] = []
    questions: list[QuestionRecord] = Field(default=[], description="What was asked of the brain; no import writes it.")
    work_items: list[WorkItemRecord] = []
    work_ledger: list[LedgerRecord] = Field(
        default=[], description="The ledger of work, and those that were imported; taken in person, and kept apart."
    )


def export_schema(kinds: Kinds) -> dict[str, Any]:
    """The JSON Schema (2020-12) of an export of a store with these kinds."""
    sections = sections_of(kinds)
    declared: dict[str, Any] = {each.exported_as: (list[sections[each.exported_as]], []) for each in things(sections)}
    document = create_model("Document", __base__=Document, **declared) if declared else Document
    return {"$schema": GenerateJsonSchema.schema_dialect, "$id": SCHEMA, **document.model_json_schema()}
