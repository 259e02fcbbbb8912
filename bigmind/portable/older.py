"""Reads the SQLite file of the first BigMind (schema versions 1 to 3) as records of today.

Nothing is dropped in silence: a row that has no place today is named in `left_out`, a text that is too long for its
field is kept in a longer one, a moment whose session is gone gets a session that says so. Ids that were numbers become
UUIDs made from what the row holds, so that importing the file again changes nothing.
"""

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.text import one_line, shortened
from bigmind.fields import MOST_CONTENT
from bigmind.portable.older_values import (
    UNKNOWN_TIME,
    Row,
    bullets_of,
    number_of,
    share_of,
    summary_of,
    text_of,
    time_of,
    topics_of,
    uid_of,
    uid_of_row,
    weight_of,
)
from bigmind.portable.records import (
    MOST_TEXT,
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
from bigmind.store.sqlite.driver import sound_driver

OLD_PLACE = Path(".mcp") / "bigmind" / "memory.db"
NEWEST = 3
CLIENT = "the older BigMind"

MOST_TITLE = 80
MOST_LINE = 120

TABLES = (
    "users",
    "identity_profile",
    "sessions",
    "session_summaries",
    "conversation_chunks",
    "facts",
    "hypotheses",
    "global_knowledge",
)
REQUIRED = frozenset({"users", "sessions", "facts", "conversation_chunks"})
CATEGORIES = frozenset({"architecture", "standard", "decision", "pattern", "glossary"})


def old_file(user_home: Path) -> Path | None:
    """The older BigMind's file at its usual place below the user's home folder; None when there is none."""
    file = user_home / OLD_PLACE
    return file if file.is_file() else None


def is_sqlite(path: Path) -> bool:
    """Whether a file says of itself that it is a SQLite database."""
    with path.open("rb") as file:
        return file.read(16) == b"SQLite format 3\x00"


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that was not taken over: where it stands, and why."""

    table: str
    row: str
    reason: str


class OlderFile:
    """An older file, opened for reading. Close it at the end."""

    def __init__(self, path: Path, username: str) -> None:
        """Open the file and make sure that it is what it should be.

        Args:
            path: the file; it is not changed.
            username: of the one who imports. A file with one user is taken to be theirs, whatever the name; of a file
                with several, the rows of the user of that name.

        Raises:
            BigMindError: `invalid_input`, when it is no such file, is damaged, or comes from a newer version.
        """
        self.name = path.name
        self.left_out: list[LeftOut] = []
        driver = sound_driver()
        try:
            self._connection: Any = driver.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)
            self._connection.row_factory = driver.Row
            self._connection.text_factory = _decoded
            for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.execute("BEGIN")
            self.version = self._recognised()
        except driver.DatabaseError as error:
            raise _refused(path, f"it cannot be read ({error})") from error
        self._users = {str(row["id"]): row for row in self._rows("users")}
        self._own = self._own_user(username)
        self._session_ids = {str(row["id"]) for row in self._rows("sessions")}

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def counts(self) -> dict[str, int]:
        """The number of rows of each table there is."""
        return {
            table: self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our names
            for table in TABLES
            if table in self._columns
        }

    def records(self, section: str) -> Iterator[tuple[int, Record]]:
        """The records of one section of an export, numbered from 1."""
        makers = {
            "users": self._user_records,
            "profiles": self._profiles,
            "sessions": self._sessions,
            "chunks": self._chunks,
            "facts": self._facts,
            "hypotheses": self._hypotheses,
            "knowledge": self._knowledge,
        }
        yield from enumerate(makers[section](), start=1)

    def _recognised(self) -> int:
        """The schema's version: what the columns show, unless the file says that it is newer than any of them."""
        path = Path(self.name)
        found = self._connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        names = {row["name"] for row in found}
        # A view of that name could compute for ever; only tables are read.
        self._columns = {
            table: {row["name"] for row in self._connection.execute(f"PRAGMA table_info({table})")}
            for table in TABLES
            if table in names
        }
        if missing := REQUIRED - self._columns.keys():
            raise _refused(path, f"it has no table {min(missing)}")
        stated = self._connection.execute("PRAGMA user_version").fetchone()[0]
        if "schema_version" in names:
            row = self._connection.execute("SELECT max(version) FROM schema_version").fetchone()
            stated = max(stated, row[0] if row and isinstance(row[0], int) else 0)
        if stated > NEWEST:
            raise _refused(path, f"its schema is version {stated}; this BigMind knows 1 to {NEWEST}")
        problems = [row[0] for row in self._connection.execute("PRAGMA quick_check(1)")]
        if problems != ["ok"]:
            raise _refused(path, f"it is damaged: {problems[0]}")
        if "hypotheses" in self._columns:
            return 3
        return 2 if "deprecated" in self._columns["facts"] else 1

    def _own_user(self, username: str) -> str | None:
        """The id of the user whose rows belong to the importer."""
        if len(self._users) == 1:
            return next(iter(self._users))
        return next((key for key, row in self._users.items() if text_of(row["username"]) == username), None)

    def _rows(self, table: str) -> Iterator[Row]:
        if table in self._columns:
            with closing(self._connection.cursor()) as cursor:
                yield from cursor.execute(f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608 - our names

    def _value(self, row: Row, column: str) -> Any:
        return row[column] if column in row.keys() else None  # noqa: SIM118 - a Row iterates over values

    def _owner(self, row: Row) -> str | None:
        """The record's `user`: None for the importer's own rows, and for rows of nobody that is known."""
        user = str(self._value(row, "user_id"))
        return None if user == self._own or user not in self._users else uid_of("user", user)

    def _user_records(self) -> Iterator[Record]:
        for key, row in self._users.items():
            if key == self._own:
                continue
            created = time_of(row["created_at"])
            role = text_of(row["role"])
            yield UserRecord(
                id=uid_of("user", key),
                username=text_of(row["username"])[:MOST_LINE],
                display_name=(text_of(row["display_name"]) or text_of(row["username"]))[:MOST_LINE],
                role=role if role in {"member", "curator", "admin"} else "member",  # pyright: ignore[reportArgumentType]
                created_at=created,
                last_seen_at=time_of(row["last_seen"], created),
            )

    def _profiles(self) -> Iterator[Record]:
        for row in self._rows("identity_profile"):
            yield ProfileRecord(
                user=self._owner(row),
                role=text_of(row["role"])[:MOST_TEXT],
                preferences=text_of(row["preferences"])[:MOST_TEXT],
                pinned_facts=bullets_of(row["pinned_facts"]),
                updated_at=time_of(row["updated_at"]),
            )

    def _sessions(self) -> Iterator[Record]:
        summaries = {str(row["id"]): row for row in self._rows("session_summaries")}
        for row in self._rows("sessions"):
            yield self._session(row, summaries.get(str(row["id"])))
        yield from self._sessions_that_are_gone(summaries)

    def _session(self, row: Row, summary: Row | None) -> SessionRecord:
        started = time_of(row["started_at"])
        ended = time_of(row["ended_at"]) if row["ended_at"] else None
        headline = one_line(text_of(row["one_liner"]))
        outcome = text_of(row["outcome"])
        detail = summary_of(summary, ended or started)
        if len(headline) > MOST_LINE:  # the whole of it is kept where there is room
            detail = detail or SummaryRecord(summary="", key_facts=[], code_refs=[], created_at=ended or started)
            detail.summary = f"{headline}\n\n{detail.summary}".strip()
        return SessionRecord(
            user=self._owner(row),
            id=uid_of("session", str(row["id"])),
            project=None,
            client=CLIENT,
            started_at=started,
            ended_at=ended,
            one_liner=shortened(headline, MOST_LINE),
            topics=topics_of(row["topics"]),
            outcome=outcome[:MOST_TEXT],
            importance=weight_of(row["importance"]),
            updated_at=ended or started,
            summary=detail,
        )

    def _sessions_that_are_gone(self, summaries: Mapping[str, Row]) -> Iterator[Record]:
        """One session for each that is named by a moment or a summary, and is not there."""
        gone: dict[str, Row | None] = {key: None for key in summaries if key not in self._session_ids}
        for row in self._rows("conversation_chunks"):
            key = str(row["session_id"])
            if key not in self._session_ids and gone.get(key) is None:
                gone[key] = row
        for key, moment in gone.items():
            detail = summary_of(summaries.get(key), UNKNOWN_TIME)
            at = time_of(moment["created_at"]) if moment is not None else detail.created_at if detail else UNKNOWN_TIME
            yield SessionRecord(
                user=self._owner(moment) if moment is not None else None,
                id=uid_of("session", key),
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

    def _chunks(self) -> Iterator[Record]:
        for row in self._rows("conversation_chunks"):
            content = text_of(row["content"])
            if not content.strip():
                self._leave_out("conversation_chunks", row, "it holds no text")
                continue
            parts = [content[at : at + MOST_CONTENT] for at in range(0, len(content), MOST_CONTENT)]
            for number, part in enumerate(parts):
                role = text_of(row["role"])
                yield ChunkRecord(
                    user=self._owner(row),
                    id=uid_of_row("chunk", row, "content", str(number)),
                    session=uid_of("session", str(row["session_id"])),
                    seq=max(1, number_of(row["seq"], 1)) + number,
                    project=None,
                    client=CLIENT,
                    role=role if role in {"user", "assistant", "system"} else "user",  # pyright: ignore[reportArgumentType]
                    content=part,
                    flag_reason=text_of(row["flag_reason"]) or "kept by the older BigMind",
                    created_at=time_of(row["created_at"]),
                )

    def _facts(self) -> Iterator[Record]:
        for row in self._rows("facts"):
            text = text_of(row["fact"]).strip()
            if not text:
                self._leave_out("facts", row, "it holds no text")
                continue
            created = time_of(row["created_at"])
            updated = time_of(row["updated_at"], created)
            is_over = bool(self._value(row, "deprecated"))
            yield FactRecord(
                user=self._owner(row),
                id=uid_of_row("fact", row, "fact"),
                session=self._session_of(row, "source_session"),
                project=None,
                client=CLIENT,
                category=one_line(text_of(row["category"])).lower()[:40] or "fact",
                text=text[:MOST_TEXT],
                confidence=share_of(row["confidence"], 1.0),
                created_at=created,
                updated_at=updated,
                deprecated_at=updated if is_over else None,
                deprecation_reason=text_of(self._value(row, "deprecation_reason"))[:MOST_TEXT] if is_over else "",
                history=[],
            )

    def _hypotheses(self) -> Iterator[Record]:
        for row in self._rows("hypotheses"):
            text = text_of(row["hypothesis"]).strip()
            if not text:
                self._leave_out("hypotheses", row, "it holds no text")
                continue
            created = time_of(row["created_at"])
            status = text_of(row["status"])
            known = status if status in {"confirmed", "refuted", "abandoned"} else "open"
            resolved = time_of(row["resolved_at"], created) if known != "open" else None
            yield HypothesisRecord(
                user=self._owner(row),
                id=uid_of_row("hypothesis", row, "hypothesis"),
                session=self._session_of(row, "session_id"),
                project=None,
                client=CLIENT,
                text=text[:MOST_TEXT],
                confidence=share_of(row["confidence"], 0.7),
                status=known,  # pyright: ignore[reportArgumentType] - one of the four
                resolution=text_of(row["resolution"])[:MOST_TEXT],
                created_at=created,
                resolved_at=resolved,
                updated_at=resolved or created,
            )

    def _knowledge(self) -> Iterator[Record]:
        for row in self._rows("global_knowledge"):
            title, content = one_line(text_of(row["title"])), text_of(row["content"]).strip()
            if not (title or content):
                self._leave_out("global_knowledge", row, "it holds no text")
                continue
            category = text_of(row["category"]).strip().lower()
            status = text_of(row["status"])
            created = time_of(row["created_at"])
            known = status if status in {"approved", "deprecated"} else "pending"
            updated = time_of(row["updated_at"], created)
            yield KnowledgeRecord(
                id=uid_of_row("knowledge", row, "title"),
                session=self._session_of(row, "source_session"),
                project=None,
                client=CLIENT,
                category=category if category in CATEGORIES else "pattern",  # pyright: ignore[reportArgumentType]
                title=shortened(title or content, MOST_TITLE),
                content=(content if len(title) <= MOST_TITLE else f"{title}\n\n{content}")[:MOST_TEXT],
                importance=weight_of(row["importance"]),
                status=known,  # pyright: ignore[reportArgumentType] - one of the three
                promoted_by=self._username(row["promoted_by"]),
                approved_by=self._username(row["approved_by"]),
                review_notes="" if category in CATEGORIES else f"Its category was {category[:80]!r}.",
                created_at=created,
                updated_at=updated,
                reviewed_at=updated if known != "pending" else None,
            )

    def _username(self, reference: object) -> str | None:
        """The name behind what may be a user's id or a name already."""
        text = text_of(reference).strip()
        user = self._users.get(text)
        return (text_of(user["username"]) if user is not None else text)[:MOST_LINE] or None

    def _session_of(self, row: Row, column: str) -> str | None:
        key = str(row[column]) if row[column] else ""
        return uid_of("session", key) if key in self._session_ids else None

    def _leave_out(self, table: str, row: Row, reason: str) -> None:
        entry = LeftOut(table, str(row["id"]), reason)
        if entry not in self.left_out:  # a section may be read more than once
            self.left_out.append(entry)


def _decoded(raw: bytes) -> str:
    """Text as it is, whatever wrote it."""
    return raw.decode("utf-8", "replace")


def _refused(path: Path, why: str) -> BigMindError:
    return BigMindError(
        Code.INVALID_INPUT,
        f"{path.name} is not a memory of the older BigMind that can be read: {why}.",
        "Give its memory.db (schema version 1 to 3), or an export of this BigMind. Nothing was changed.",
    )
