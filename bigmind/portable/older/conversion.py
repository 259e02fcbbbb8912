"""Reads the SQLite file of the first BigMind (schema versions 1 to 3) as records of today.

Nothing is dropped in silence: a row that has no place today is named in `left_out`, a text that is too long for its
field is kept in a longer one, a moment whose session is gone gets a session that says so. Ids that were numbers become
UUIDs made from what the row holds, so that importing the file again changes nothing.
"""

from collections.abc import Iterator
from datetime import datetime

from bigmind.core.plain_text import one_line, shortened
from bigmind.operations.inputs import MOST_CONTENT
from bigmind.portable.format.records import (
    ChunkRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
    ProfileRecord,
    Record,
    SessionRecord,
    SummaryRecord,
    UserRecord,
)
from bigmind.portable.older.row_reader import OlderRows, user_key
from bigmind.portable.older.schema import refused
from bigmind.portable.older.values import (
    MOST_LINE,
    MOST_SEQ,
    UNKNOWN_TIME,
    MissingColumnError,
    Row,
    number_of,
    share_of,
    text_of,
    time_of,
    topics_of,
    uid_of,
    uid_of_row,
    weight_of,
)
from bigmind.store.sqlite.driver import sound_driver

CLIENT = "the older BigMind"

MOST_TITLE = 80

CATEGORIES = frozenset({"architecture", "standard", "decision", "pattern", "glossary"})


class OlderFile(OlderRows):
    """An older file, opened for reading. Close it at the end."""

    def records(self, section: str) -> Iterator[tuple[int, Record]]:
        """The records of one section of an export, numbered from 1.

        Raises:
            BigMindError: `invalid_input`, when the file cannot be read to its end.
        """
        makers = {
            "users": self._user_records,
            "profiles": self._profiles,
            "project_names": lambda: iter(()),  # it knew none
            "sessions": self._sessions,
            "chunks": self._chunks,
            "facts": self._facts,
            "hypotheses": self._hypotheses,
            "knowledge": self._knowledge,
        }
        self._seen.clear()
        try:
            yield from enumerate(makers[section](), start=1)
        except MissingColumnError as error:
            raise refused(self.name, str(error)) from error
        except sound_driver().DatabaseError as error:
            raise refused(self.name, f"it cannot be read ({error})") from error

    def _user_records(self) -> Iterator[Record]:
        for row in self._rows("users"):
            key = user_key(row["id"])
            if key == self._own:
                continue
            created = time_of(row["created_at"])
            role = text_of(row["role"])
            # Nobody is left out for the want of a name: their rows would be nobody's.
            username = one_line(text_of(row["username"]))[:MOST_LINE] or f"unnamed-{uid_of('user', key)[:8]}"
            yield from self._made(
                "users",
                key,
                UserRecord,
                id=uid_of("user", key),
                username=username,
                display_name=(text_of(row["display_name"]) or username)[:MOST_LINE],
                role=role if role in {"member", "curator", "admin"} else "member",
                created_at=created,
                last_seen_at=time_of(row["last_seen"], created),
            )

    def _profiles(self) -> Iterator[Record]:
        for row in self._rows("identity_profile"):
            place = "identity_profile", str(row["id"])
            yield from self._made(
                *place,
                ProfileRecord,
                user=self._owner(row),
                role=self._text(place, "role", row["role"]),
                preferences=self._text(place, "preferences", row["preferences"]),
                pinned_facts=self._lines(place, "pinned facts", row["pinned_facts"]),
                updated_at=time_of(row["updated_at"]),
            )

    def _sessions(self) -> Iterator[Record]:
        summaries = {str(row["id"]): row for row in self._rows("session_summaries")}
        for row in self._rows("sessions"):
            yield from self._session(row, summaries.get(str(row["id"])))
        yield from self._sessions_that_are_gone(summaries)

    def _session(self, row: Row, summary: Row | None) -> Iterator[Record]:
        place = "sessions", str(row["id"])
        started = time_of(row["started_at"])
        ended = time_of(row["ended_at"]) if row["ended_at"] else None
        headline = one_line(text_of(row["one_liner"]))
        detail = self._summary(summary, ended or started)
        if len(headline) > MOST_LINE:  # the whole of it is kept where there is room
            detail = detail or SummaryRecord(summary="", key_facts=[], code_refs=[], created_at=ended or started)
            detail.summary = self._text(place, "summary", f"{headline}\n\n{detail.summary}".strip())
        yield from self._made(
            *place,
            SessionRecord,
            user=self._owner(row),
            id=uid_of("session", str(row["id"])),
            project=None,
            client=CLIENT,
            started_at=started,
            ended_at=ended,
            one_liner=shortened(headline, MOST_LINE),
            topics=topics_of(row["topics"]),
            outcome=self._text(place, "outcome", row["outcome"]),
            importance=weight_of(row["importance"]),
            updated_at=ended or started,
            summary=detail,
        )

    def _sessions_that_are_gone(self, summaries: dict[str, Row]) -> Iterator[Record]:
        """One session for each that is named by a moment or a summary, and is not there, or is of another user."""
        gone: dict[tuple[str, str | None], Row | None] = {}
        for row in self._rows("conversation_chunks"):
            if self._session_of(row, "session_id") is None:
                gone.setdefault((str(row["session_id"]), self._owner(row)), row)
        left = {key: row for key, row in summaries.items() if key not in self._session_owners}
        for key in sorted(left.keys() - {key for key, _ in gone}):
            gone[key, None] = None
        for (key, owner), moment in gone.items():
            detail = self._summary(left.pop(key, None), UNKNOWN_TIME)
            at = time_of(moment["created_at"]) if moment is not None else detail.created_at if detail else UNKNOWN_TIME
            yield from self._made(
                "sessions",
                key,
                SessionRecord,
                user=owner,
                id=self._stand_in(key, owner),
                project=None,
                client=CLIENT,
                started_at=at,
                ended_at=at,
                one_liner="[its session was missing in the older memory]",
                topics=[],
                outcome="",
                importance=5,
                updated_at=at,
                summary=detail,
            )

    def _summary(self, row: Row | None, default: datetime) -> SummaryRecord | None:
        if row is None:
            return None
        place = "session_summaries", str(row["id"])
        return SummaryRecord(
            summary=self._text(place, "summary", row["summary"]),
            key_facts=self._lines(place, "key facts", row["key_facts"]),
            code_refs=self._lines(place, "code references", row["code_refs"]),
            created_at=time_of(row["created_at"], default),
        )

    def _chunks(self) -> Iterator[Record]:
        for row in self._rows("conversation_chunks"):
            place = "conversation_chunks", str(row["id"])
            content = text_of(row["content"])
            if not content.strip():
                self._leave_out(*place, "it holds no text")
                continue
            parts = [content[at : at + MOST_CONTENT] for at in range(0, len(content), MOST_CONTENT)]
            for number, part in enumerate(parts):
                role = text_of(row["role"])
                yield from self._made(
                    *place,
                    ChunkRecord,
                    user=self._owner(row),
                    id=uid_of_row("chunk", row, "content", str(number)),
                    session=self._session_of(row, "session_id")
                    or self._stand_in(str(row["session_id"]), self._owner(row)),
                    seq=min(max(1, number_of(row["seq"], 1)) + number, MOST_SEQ),
                    project=None,
                    client=CLIENT,
                    role=role if role in {"user", "assistant", "system"} else "user",
                    content=part,
                    flag_reason=self._text(place, "reason", row["flag_reason"]) or "kept by the older BigMind",
                    created_at=time_of(row["created_at"]),
                )

    def _facts(self) -> Iterator[Record]:
        for row in self._rows("facts"):
            place = "facts", str(row["id"])
            text = text_of(row["fact"]).strip()
            if not text:
                self._leave_out(*place, "it holds no text")
                continue
            created = time_of(row["created_at"])
            updated = time_of(row["updated_at"], created)
            is_over = bool(self._value(row, "deprecated"))
            reason = self._value(row, "deprecation_reason") if is_over else ""
            yield from self._made(
                *place,
                FactRecord,
                user=self._owner(row),
                id=uid_of_row("fact", row, "fact"),
                session=self._session_of(row, "source_session"),
                project=None,
                client=CLIENT,
                category=one_line(text_of(row["category"])).lower()[:40] or "fact",
                text=self._text(place, "text", text),
                confidence=share_of(row["confidence"], 1.0),
                created_at=created,
                updated_at=updated,
                deprecated_at=updated if is_over else None,
                deprecation_reason=self._text(place, "reason", reason),
                history=[],
            )

    def _hypotheses(self) -> Iterator[Record]:
        for row in self._rows("hypotheses"):
            place = "hypotheses", str(row["id"])
            text = text_of(row["hypothesis"]).strip()
            if not text:
                self._leave_out(*place, "it holds no text")
                continue
            created = time_of(row["created_at"])
            status = text_of(row["status"])
            known = status if status in {"confirmed", "refuted", "abandoned"} else "open"
            resolved = time_of(row["resolved_at"], created) if known != "open" else None
            yield from self._made(
                *place,
                HypothesisRecord,
                user=self._owner(row),
                id=uid_of_row("hypothesis", row, "hypothesis"),
                session=self._session_of(row, "session_id"),
                project=None,
                client=CLIENT,
                text=self._text(place, "text", text),
                confidence=share_of(row["confidence"], 0.7),
                status=known,
                resolution=self._text(place, "resolution", row["resolution"]),
                created_at=created,
                resolved_at=resolved,
                updated_at=resolved or created,
            )

    def _knowledge(self) -> Iterator[Record]:
        for row in self._rows("global_knowledge"):
            place = "global_knowledge", str(row["id"])
            title, content = one_line(text_of(row["title"])), text_of(row["content"]).strip()
            if not (title or content):
                self._leave_out(*place, "it holds no text")
                continue
            category = text_of(row["category"]).strip().lower()
            status = text_of(row["status"])
            created = time_of(row["created_at"])
            known = status if status in {"approved", "deprecated"} else "pending"
            updated = time_of(row["updated_at"], created)
            content = content if len(title) <= MOST_TITLE else f"{title}\n\n{content}"
            yield from self._made(
                *place,
                KnowledgeRecord,
                id=uid_of_row("knowledge", row, "title"),
                session=self._session_of(row, "source_session"),
                project=None,
                client=CLIENT,
                category=category if category in CATEGORIES else "pattern",
                title=shortened(title or content, MOST_TITLE),
                content=self._text(place, "content", content),
                importance=weight_of(row["importance"]),
                status=known,
                promoted_by=self._username(row["promoted_by"]),
                approved_by=self._username(row["approved_by"]),
                review_notes="" if category in CATEGORIES else f"Its category was {category[:80]!r}.",
                created_at=created,
                updated_at=updated,
                reviewed_at=updated if known != "pending" else None,
            )
