"""The rows of an older file, and what became of them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from bigmind.portable.bounds import MOST_USERS
from bigmind.portable.format.records import MOST_TEXT, Record
from bigmind.portable.older.schema import TABLES, check_place, columns_of, refused, version_of
from bigmind.portable.older.values import MOST_LINE, MOST_LINES, MissingColumnError, Row, bullets_of, text_of, uid_of
from bigmind.store.sqlite.driver import file_uri, sound_driver

MOST_NAME = 1_000
"""Characters of a user's id and name that are told apart: longer ones are no names."""

Place = tuple[str, str]
"""A table, and the id of a row of it."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A row that was not taken over, or not all of it: where it stands, and why."""

    table: str
    row: str
    reason: str


def user_key(stored: object) -> str:
    """By what a user is known while the file is read; short, also where an id is not."""
    told = str(stored)
    return told if len(told) <= MOST_NAME else uid_of("long", told)


class OlderRows:
    """An older file, opened for reading, row by row. Close it at the end."""

    def __init__(self, path: Path, username: str, checked: os.stat_result | None = None) -> None:
        """Open the file and make sure that it is what it should be.

        Args:
            path: the file; it is not changed.
            username: of the one who imports. A file with one user is taken to be theirs, whatever the name; of a file
                with several, the rows of the user of that name.
            checked: of the file that was opened to look at it; another one in its place is refused.

        Raises:
            BigMindError: `invalid_input`, when it is no such file, is damaged, or comes from a newer version.
        """
        self.name = path.name
        self._left_out: dict[LeftOut, None] = {}
        self._seen: set[str] = set()
        check_place(path, checked)
        driver = sound_driver()
        try:
            self._connection: Any = driver.connect(file_uri(path.resolve(), "mode=ro"), uri=True)
            self._connection.text_factory = _decoded
            for pragma in ("query_only=ON", "trusted_schema=OFF", "cell_size_check=ON", "ignore_check_constraints=ON"):
                self._connection.execute(f"PRAGMA {pragma}")
            self._connection.execute("BEGIN")
            self._columns = columns_of(self._connection, self.name)
            check_place(path, checked)
            self.version = version_of(self._connection, self.name, self._columns)
            self._users = self._usernames()
            self._own = self._own_user(username)
            self._session_owners = {str(row["id"]): self._owner(row) for row in self._rows("sessions")}
        except MissingColumnError as error:
            raise refused(self.name, str(error)) from error
        except driver.DatabaseError as error:
            raise refused(self.name, f"it cannot be read ({error})") from error

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @property
    def left_out(self) -> list[LeftOut]:
        """What was not taken over, of the sections that were read so far."""
        return list(self._left_out)

    def counts(self) -> dict[str, int]:
        """The number of rows of each table there is."""
        return {
            table: self._connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our names
            for table in TABLES
            if table in self._columns
        }

    def _usernames(self) -> dict[str, str]:
        """The name of each user by its id, and nothing else of them: they stay in memory while the file is read."""
        found: dict[str, str] = {}
        for row in self._rows("users"):
            if len(found) == MOST_USERS:
                raise refused(self.name, f"it has more than {MOST_USERS:,} users")
            found[user_key(row["id"])] = text_of(row["username"])[:MOST_NAME]
        return found

    def _own_user(self, username: str) -> str | None:
        """The id of the user whose rows belong to the importer."""
        if len(self._users) == 1:
            return next(iter(self._users))
        return next((key for key, name in self._users.items() if name == username), None)

    def _rows(self, table: str) -> Iterator[Row]:
        if table in self._columns:
            # Its cursor ends with the connection: closed here, it might be by the garbage collector on another thread.
            cursor = self._connection.execute(f"SELECT * FROM {table} ORDER BY rowid")  # noqa: S608 - our names
            names = [each[0].lower() for each in cursor.description]
            for values in cursor:
                yield Row(table, zip(names, values, strict=True))

    def _value(self, row: Row, column: str) -> Any:
        return row.get(column)

    def _owner(self, row: Row) -> str | None:
        """The record's `user`: None for the importer's own rows, and for rows of nobody that is known."""
        user = user_key(self._value(row, "user_id"))
        return None if user == self._own or user not in self._users else uid_of("user", user)

    def _username(self, reference: object) -> str | None:
        """The name behind what may be a user's id or a name already."""
        text = text_of(reference).strip()
        return self._users.get(user_key(text), text)[:MOST_LINE] or None

    def _session_of(self, row: Row, column: str) -> str | None:
        """The session that a row names, when it is there and of the same owner."""
        key = str(row[column]) if row[column] else ""
        is_there = key in self._session_owners and self._session_owners[key] == self._owner(row)
        return uid_of("session", key) if is_there else None

    def _stand_in(self, key: str, owner: str | None) -> str:
        """The id of the session of an owner that stands for one that is not there, or is somebody else's."""
        is_free = owner is None and key not in self._session_owners
        return uid_of("session", key if is_free else f"{key}\x1f{owner}")

    def _made(self, table: str, row: str, kind: type[Record], **fields: Any) -> Iterator[Record]:
        """The record; none, when it is not valid or another has its id, which is then said in `left_out`."""
        try:
            record = kind(**fields)
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            self._leave_out(table, row, f"its {first['loc'][0]} is not valid: {first['msg']}")
            return
        uid = str(fields.get("id") or fields["user"])
        if uid in self._seen:
            self._leave_out(table, row, "another row before it has the same id, or is of the same user")
            return
        self._seen.add(uid)
        yield record

    def _text(self, place: Place, name: str, value: object) -> str:
        text = text_of(value)
        if len(text) > MOST_TEXT:
            self._leave_out(*place, f"only the first {MOST_TEXT:,} characters of its {name} were taken")
        return text[:MOST_TEXT]

    def _lines(self, place: Place, name: str, value: object) -> list[str]:
        lines = bullets_of(value)
        if len(lines) > MOST_LINES:
            self._leave_out(*place, f"only the first {MOST_LINES:,} of its {name} were taken")
        return lines[:MOST_LINES]

    def _leave_out(self, table: str, row: str, reason: str) -> None:
        self._left_out[LeftOut(table, row, reason)] = None  # once, though a section may be read again


def _decoded(raw: bytes) -> str:
    """Text as it is, whatever wrote it."""
    return raw.decode("utf-8", "replace")
