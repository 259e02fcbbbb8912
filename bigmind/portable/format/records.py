"""What an export holds: one record per thing, told by stable ids, without the keys of any database.

The importer takes these records from every source: BigMind's own export, and the files of the older BigMind.
"""

from datetime import UTC, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from bigmind.core.kind import Words as KindWords
from bigmind.core.plain_text import clean, one_line, shortened
from bigmind.operations.inputs import MOST_CONTENT, cleaned

FORMAT = "bigmind-export"
VERSION = 5
"""Counts up when sections or fields come; 2 brought `project_names`, 3 the brain's, 4 work, 5 protocol runs."""
READ = (1, 2, 3, 4, VERSION)
"""The versions that an import takes."""

# Wider than what the operations take, for a masked text may be longer than what was given.
MOST_LINE = 1_000
MOST_TEXT = 100_000
"""Characters of a text that is neither a line nor a moment: a summary, an outcome, a preference."""
MOST_CATEGORY = 250
"""Characters of a fact's category; the rest is cut. The tools take 40, which masking lengthens."""
MOST_WORDS = 2 * MOST_CONTENT
_ID = "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"


def _one_line(value: object) -> object:
    return one_line(clean(value)) if isinstance(value, str) else value


def _moment(value: object) -> object:
    """A time with its zone as one in UTC; what is neither text nor time is left to the type to refuse."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            raise ValueError("a time in ISO 8601 with its zone, like 2026-03-30T09:15:00Z") from None
    if not isinstance(value, datetime):
        return value
    if value.tzinfo is None:
        raise ValueError("a time with its zone, like 2026-03-30T09:15:00Z")
    try:
        return value.astimezone(UTC)
    except OverflowError:
        raise ValueError("a time between the years 1 and 9999 in UTC") from None


def _is_none(value: object) -> bool:
    return value is None


def _category(value: str) -> str:
    return shortened(value, MOST_CATEGORY)


def _unique(values: list[str]) -> list[str]:
    return list(dict.fromkeys(values))


OF_ID, OF_ID_OR_NONE = f"^{_ID}$", f"^({_ID})?$"
OF_DIGEST, OF_DIGEST_OR_NONE, OF_SALT = r"^[0-9a-f]{64}$", r"^([0-9a-f]{64})?$", r"^[0-9a-f]{0,64}$"
OF_DAY_OR_NONE = r"^(\d{4}-\d{2}-\d{2})?$"
_AN_ID = "an id as BigMind makes them, like 3f2a9c1e-8b47-4d06-9e15-7a0c2d4b6f81"
_A_DIGEST = "a SHA-256 digest: 64 characters of 0-9 and a-f"
FORMS = {
    OF_ID: _AN_ID,
    OF_ID_OR_NONE: f"{_AN_ID}, or nothing",
    OF_DIGEST: _A_DIGEST,
    OF_DIGEST_OR_NONE: f"{_A_DIGEST}, or nothing",
    OF_SALT: "at most 64 characters of 0-9 and a-f",
    OF_DAY_OR_NONE: "a day like 2026-03-30, or nothing",
}
"""What a text of that pattern is, for whoever reads why it is refused."""

Uid = Annotated[str, StringConstraints(pattern=OF_ID)]
Time = Annotated[datetime, BeforeValidator(_moment)]
Short = Annotated[str, BeforeValidator(_one_line), Field(max_length=MOST_LINE)]
Long = Annotated[str, BeforeValidator(cleaned), Field(max_length=MOST_TEXT)]
Words = Annotated[str, BeforeValidator(cleaned), Field(min_length=1, max_length=MOST_WORDS)]
Name = Annotated[str, BeforeValidator(_one_line), Field(min_length=1, max_length=MOST_LINE)]
Lines = Annotated[list[Long], Field(max_length=1_000)]
Share = Annotated[float, Field(ge=0, le=1, allow_inf_nan=False)]
Weight = Annotated[int, Field(ge=1, le=10)]


class Record(BaseModel):
    """The base of every record: a field that is not known is an error, because it would be lost."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    section: ClassVar[str]
    called: ClassVar[KindWords | None] = None
    """How people call one; None of a kind, which says so itself."""
    texts: ClassVar[tuple[str, ...]] = ()
    """The fields that hold words of a person or a model: masked before they are stored."""


class UserRecord(Record):
    """A person; only in what an admin exports of a team."""

    section = "users"
    called = KindWords("person", "people")

    id: Uid
    username: Annotated[Name, Field(max_length=120)]
    display_name: Short
    role: Literal["member", "curator", "admin"]
    created_at: Time
    last_seen_at: Time


class OwnedRecord(Record):
    """Something that belongs to a user: to whoever imports it, unless `user` names another one of the document."""

    user: Uid | None = Field(default=None, exclude_if=_is_none)


class AcceptableRecord(OwnedRecord):
    """Something that may instruct its reader."""

    accepted_at: Time | None = Field(
        default=None,
        exclude_if=_is_none,
        description="When a person accepted text that instructs its reader; kept where it is imported in person only.",
    )


class PlaceableRecord(AcceptableRecord):
    """Something that a person can pin to the context, or hide there."""

    placement: Literal["pinned", "hidden"] | None = Field(
        default=None,
        exclude_if=_is_none,
        description="A person's word on the context that conversations start with; kept for persons only.",
    )


class ProfileRecord(AcceptableRecord):
    """Tier 0."""

    section = "profiles"
    texts = ("role", "preferences", "pinned_facts")

    role: Long
    preferences: Long
    pinned_facts: Lines
    updated_at: Time


class ProjectNameRecord(OwnedRecord):
    """Another name of a project, as its owner joined it."""

    section = "project_names"
    called = KindWords("project name", "project names")
    texts = ("name", "project")

    name: Name
    project: Name
    updated_at: Time


class SummaryRecord(BaseModel):
    """Tier 2, within its session."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    texts: ClassVar[tuple[str, ...]] = ("summary", "key_facts", "code_refs")

    summary: Long
    key_facts: Lines
    code_refs: Lines
    created_at: Time


class SessionRecord(PlaceableRecord):
    """Tier 1, with its Tier 2."""

    section = "sessions"
    texts = ("project", "client", "one_liner", "topics", "outcome")

    id: Uid
    project: Short | None
    client: Short
    started_at: Time
    ended_at: Time | None
    one_liner: Short
    topics: Annotated[list[Name], Field(max_length=100), AfterValidator(_unique)]
    outcome: Long
    importance: Weight
    updated_at: Time
    summary: SummaryRecord | None


class ChunkRecord(AcceptableRecord):
    """Tier 3: a moment. It never changes once it is written."""

    section = "chunks"
    texts = ("project", "client", "content", "flag_reason")

    id: Uid
    session: Uid
    seq: Annotated[int, Field(ge=1, le=2**31 - 1)]
    project: Short | None
    client: Short
    role: Literal["user", "assistant", "system"]
    content: Words
    flag_reason: Long
    created_at: Time


class FactEventRecord(BaseModel):
    """One step of a fact's history."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    texts: ClassVar[tuple[str, ...]] = ("client", "reason")

    at: Time
    client: Short
    action: Annotated[Name, Field(max_length=20)]
    other: Uid | None
    reason: Long
    confidence: Share


class FactRecord(PlaceableRecord):
    """A fact, with what happened to it."""

    section = "facts"
    texts = ("project", "client", "category", "text", "deprecation_reason")

    id: Uid
    session: Uid | None
    project: Short | None
    client: Short
    category: Annotated[Name, AfterValidator(_category)]
    text: Long
    confidence: Share
    created_at: Time
    updated_at: Time
    deprecated_at: Time | None
    deprecation_reason: Long
    history: Annotated[list[FactEventRecord], Field(max_length=10_000)]


class HypothesisRecord(PlaceableRecord):
    """A hypothesis."""

    section = "hypotheses"
    texts = ("project", "client", "text", "resolution")

    id: Uid
    session: Uid | None
    project: Short | None
    client: Short
    text: Long
    confidence: Share
    status: Literal["open", "confirmed", "refuted", "abandoned"]
    resolution: Long
    created_at: Time
    resolved_at: Time | None
    updated_at: Time


class KnowledgeRecord(PlaceableRecord):
    """An entry of Tier G. People are named by username, for an entry outlives them."""

    section = "knowledge"
    texts = ("project", "client", "title", "content", "review_notes")

    id: Uid
    session: Uid | None
    project: Short | None
    client: Short
    category: Literal["architecture", "standard", "decision", "pattern", "glossary"]
    title: Short
    content: Long
    importance: Weight
    status: Literal["pending", "approved", "deprecated"]
    promoted_by: Short | None
    approved_by: Short | None
    review_notes: Long
    created_at: Time
    updated_at: Time
    reviewed_at: Time | None


RECORDS: tuple[type[Record], ...] = (
    UserRecord,
    ProfileRecord,
    ProjectNameRecord,
    SessionRecord,
    ChunkRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
)
"""In the order in which they are written and read: what others refer to comes first."""
