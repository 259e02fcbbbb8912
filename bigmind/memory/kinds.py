"""The kinds of things that memory holds: all that search, upkeep, backups and pages must know of each."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bigmind.core.kind import ORIGIN, Detail, Kind, Text, Where, Words
from bigmind.core.lazy_module import LazyModule
from bigmind.memory.sessions.texts import detail_in_words, texts_of_session
from bigmind.memory.tables import Chunk, Fact, FactEvent, Hypothesis, Knowledge, MemorySession, Profile, SessionSummary

if TYPE_CHECKING:
    from bigmind.memory.facts import disputes
    from bigmind.memory.sessions import makeshift_record
else:
    disputes = LazyModule("bigmind.memory.facts.disputes")
    makeshift_record = LazyModule("bigmind.memory.sessions.makeshift_record")

MOMENT = Kind(
    "chunk",
    "moments",
    Words("moment", "moments"),
    Chunk,
    (Text("content", "content", 1.0), Text("reason", "flag_reason", 1.0, is_shown=False), *ORIGIN),
    changed="",
    is_dated=True,
    owner_index="ix_chunk_user",
    before_forgetting=lambda work, row: makeshift_record.leave_out(work, row),  # noqa: PLW0108 - loaded when called
    before_erasing=lambda database, uid: makeshift_record.leave_out_of(database, "chunk", uid),
    part_of="session",
    label="moment",
    review=3,
    section="chunks",
    left_out=(("page", "it is shown on its session's"),),
)
SESSION = Kind(
    "session",
    "sessions",
    Words("session", "sessions"),
    MemorySession,
    (
        Text("headline", "one_liner", 2.0),
        Text("detail", "told", 1.0, is_shown=False, is_cautioned=False, is_masked=False),
        Text("outcome", "outcome"),
        *ORIGIN,
    ),
    time="started_at",
    is_dated=True,
    beginning="told",
    read=texts_of_session,
    derived=("told", detail_in_words),
    details=(Detail(SessionSummary, "session_id", "session_id", ("summary", "key_facts", "code_refs")),),
    before_forgetting=lambda work, row: makeshift_record.note_forgotten(work, row),  # noqa: PLW0108 - likewise
    page="/sessions",
    review=4,
    section="sessions",
)
FACT = Kind(
    "fact",
    "facts",
    Words("fact", "facts"),
    Fact,
    (
        Text("fact", "text", 1.0),
        Text("category", "category"),
        Text("reason of deprecation", "deprecation_reason"),
        *ORIGIN,
    ),
    found_when=(Where("deprecated_at", None, "IS"),),
    waits_when=(Where("deprecated_at", None, "IS"),),
    details=(Detail(FactEvent, "fact_id", "id", ("reason", "client")),),
    before_forgetting=lambda work, row: disputes.before_forgetting(work, row),  # noqa: PLW0108 - loaded when called
    before_erasing=lambda database, uid: makeshift_record.leave_out_of(database, "fact", uid),
    page="/facts",
    review=1,
    section="facts",
)
HYPOTHESIS = Kind(
    "hypothesis",
    "hypotheses",
    Words("hypothesis", "hypotheses"),
    Hypothesis,
    (Text("hypothesis", "text", 1.0), Text("resolution", "resolution", 0.5), *ORIGIN),
    before_forgetting=lambda work, row: makeshift_record.leave_out(work, row),  # noqa: PLW0108 - loaded when called
    before_erasing=lambda database, uid: makeshift_record.leave_out_of(database, "hypothesis", uid),
    page="/hypotheses",
    review=2,
    section="hypotheses",
)
KNOWLEDGE = Kind(
    "knowledge",
    "knowledge",
    Words("entry of company knowledge", "entries of company knowledge"),
    Knowledge,
    (
        Text("title", "title", 2.0),
        Text("content", "content", 1.0),
        Text("category", "category", is_masked=False),
        Text("review notes", "review_notes"),
        *ORIGIN,
    ),
    owner="promoted_by_id",
    is_everybodys=True,
    found_when=(Where("status", "approved"),),
    waits_when=(Where("status", "deprecated", "!="),),
    vector_time="updated_at",
    beginning="content",
    summary=("title", "content"),
    page="/knowledge",
    review=5,
    section="knowledge",
)


def pinned_text(work: Any, row: Profile) -> str:
    """A profile's pinned facts as words to be found by."""
    del work
    return pinned_text_of(row.pinned_facts)


def pinned_text_of(pinned_facts: Sequence[str]) -> str:
    """The same of the facts."""
    return "\n".join(pinned_facts)


PROFILE = Kind(
    "profile",
    "profiles",
    Words("profile", "profiles"),
    Profile,
    (
        Text("role", "role", 1.0),
        Text("preferences", "preferences", 1.0),
        Text("pinned fact", "pinned_text", 1.0, is_cautioned=False, is_masked=False, is_list=True),
        Text("pinned fact", "pinned_facts"),
    ),
    time="updated_at",
    is_single=True,
    derived=("pinned_text", pinned_text),
    summary=("role", "preferences"),
    page="/profile",
    review=0,
    section="profiles",
)
KINDS = (SESSION, MOMENT, FACT, HYPOTHESIS, KNOWLEDGE, PROFILE)
