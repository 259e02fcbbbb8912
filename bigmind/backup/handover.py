"""What a restored store takes over from the one it replaces: who may use it, what was forgotten, how far it counted.

All of it is done on a scratch file to which the living store is attached; both have the newest schema. Users keep the
numbers they have in the living store, because tokens, and requests that wait while it is replaced, know them by those;
and their ids, because the first user's is the store's own, by which the backups that are there are known as its.
"""

# ruff: noqa: S608 - the statements are put together from names of a schema that was compared with ours

import re
from datetime import UTC, datetime
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.core.events import Kind as EventKind
from bigmind.core.ids import new_id
from bigmind.core.kind import Kind, Kinds
from bigmind.core.operation import Caller
from bigmind.store.erasure import erasing
from bigmind.store.restore_time import RESTORED_AT
from bigmind.text.phrasing import counted

_SCHEMA = (
    "SELECT type, name, sql FROM {schema}.sqlite_master WHERE name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type, name"
)

_REFERENCES = """
SELECT tables.name, keys."from" FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name) AS keys
WHERE tables.schema = 'main' AND keys."table" = ?
"""

_NAMED_ROWS = """
SELECT tables.name FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.schema = 'main' AND tables.type = 'table' AND columns.name = 'uid'
  AND tables.name NOT IN ('user', 'token', 'forgotten', 'work_evidence')
"""

_CARRY_USERS = """
UPDATE user SET (uid, username, display_name, role, disabled_at) =
    (SELECT uid, username, display_name, role, disabled_at FROM living.user AS known WHERE known.id = user.id)
WHERE id IN (SELECT id FROM living.user)
"""

# The empty store of a missing memory knows its users by name at most: what else they are comes back.
_CARRY_NAMES = """
UPDATE user SET username = (SELECT username FROM living.user AS known WHERE known.id = user.id)
WHERE id IN (SELECT id FROM living.user)
"""

# An older backup must not tell others again what somebody chose to keep for themselves since.
_CARRY_CHOICES = """
UPDATE user SET directory = (SELECT directory FROM living.user AS known WHERE known.id = user.id)
WHERE id IN (SELECT id FROM living.user)
"""

_CARRY_KNOWN = _CARRY_USERS + "AND uid IN (SELECT uid FROM living.user)"

# What belongs to a token does so by the token's id for the outside: its number may be another's here. A token that only
# the backup has goes, or gets a number beyond those of the living store.
_NUMBER_TOKENS = """
CREATE TEMP TABLE token_number AS
SELECT old.id AS old, coalesce(known.id, old.id + (SELECT max(id) FROM living.token WHERE ?)) AS new
FROM main.token AS old LEFT JOIN living.token AS known ON known.uid = old.uid
"""

_FOLLOW_OWNERS = """
UPDATE main.{table} SET owner = (SELECT new FROM numbering WHERE old = owner)
WHERE owner IN (SELECT old FROM numbering)
"""

_FORGET_PROFILES = """
DELETE FROM profile WHERE EXISTS (
    SELECT 1 FROM living.user AS known JOIN living.forgotten ON forgotten.uid = known.uid
    WHERE known.id = profile.user_id AND forgotten.kind = 'profile' AND forgotten.at >= profile.updated_at
)
"""

# What a person accepted is theirs to say in person, and no file's: it stays where the living store has it of the same
# words. `told` stands for a session's words elsewhere, which are compared beside it.
_WAITS_AGAIN = """
UPDATE main."{table}" SET accepted_at = NULL WHERE accepted_at IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM living."{table}" AS known
    WHERE known.accepted_at IS NOT NULL AND {same}
)
"""

_ACCEPTABLE = """
SELECT tables.name FROM pragma_table_list AS tables, pragma_table_info(tables.name) AS columns
WHERE tables.schema = 'main' AND tables.type = 'table' AND columns.name = 'accepted_at'
"""

_SAME_SESSION = """
    (SELECT json_array(summary, key_facts, code_refs) FROM living.session_summary WHERE session_id = known.id) IS
    (SELECT json_array(summary, key_facts, code_refs) FROM main.session_summary WHERE session_id = "session".id)
AND (SELECT json_group_array(topic) FROM
        (SELECT topic FROM living.session_topic WHERE session_id = known.id ORDER BY position)) IS
    (SELECT json_group_array(topic) FROM
        (SELECT topic FROM main.session_topic WHERE session_id = "session".id ORDER BY position))
"""

_NOT_WORDS = frozenset(
    {"id", "session_id", "token_id", "importance", "confidence", "placement", "accepted_at", "terms", "pinned_text"}
)
"""Columns that may differ though the words are the same, as what an older version did not derive; so may every moment.
"""

_WORDS_OF = {"work_item": ("uid", "user_id", "project", "client", "slug", "title", "topic", "description", "dna")}
"""Tables of which most columns are no words: those that are."""

_NOTE = "INSERT INTO change (at, user_id, client, operation, kind, entity, action) VALUES (?, ?, ?, ?, ?, ?, ?)"

_NOTE_TIME = "INSERT OR REPLACE INTO main.store_property (name, value) VALUES (?, ?)"


def refuse_other_schema(connection: Any, name: str) -> None:
    """Refuse a database whose schema is not ours to the letter: a trigger of somebody else's would run as ours.

    Raises:
        BigMindError: `conflict`.
    """
    found, living = _schema(connection, "main"), _schema(connection, "living")
    if other := sorted(key for key in found.keys() | living.keys() if found.get(key) != living.get(key)):
        raise BigMindError(
            Code.CONFLICT,
            f"The backup {name} is not of BigMind's making: its {' '.join(other[0])} is another.",
            "Restore a backup that BigMind made.",
        )


def _schema(connection: Any, database: str) -> dict[tuple[str, str], str]:
    rows = connection.execute(_SCHEMA.format(schema=database))
    return {(kind, name): " ".join(_unquoted(definition or "").split()) for kind, name, definition in rows}


def _unquoted(definition: str) -> str:
    """A table's name without quotation marks: SQLite sets them where it was renamed, as an index made anew was."""
    return re.sub(r"""^CREATE (VIRTUAL )?TABLE (["'])(\w+)\2""", r"CREATE \1TABLE \3", definition)


def carry_over(
    connection: Any, caller: Caller, operation: str, now: datetime, kinds: Kinds, *, is_missing: bool = False
) -> int:
    """Take over what must not be lost or come back; returns how many forgotten things were removed again.

    Args:
        connection: to the scratch file, outside of any transaction, with the living store attached as `living`.
        caller: who restores.
        operation: for the audit log.
        now: the moment of it.
        kinds: of what is remembered.
        is_missing: whether the living store is the empty one of a memory that is gone: the users and tokens of the
            backup then stay, beside those of the living store.

    Raises:
        BigMindError: `conflict`, when rows would refer to nothing; the scratch file is then of no use.
    """
    connection.execute("PRAGMA secure_delete=ON")
    connection.execute("PRAGMA foreign_keys=OFF")  # numbers change while others refer to them
    connection.execute("BEGIN")
    _renumber_users(connection)
    connection.execute("DELETE FROM receipt")
    _renumber_tokens(connection, keeps_others=is_missing)
    connection.execute(_CARRY_KNOWN if is_missing else _CARRY_USERS)
    connection.execute(_CARRY_NAMES)
    if not is_missing:
        connection.execute(_CARRY_CHOICES)
    _copy_rows(connection, "user", "id NOT IN (SELECT id FROM main.user)")
    _copy_rows(connection, "token", "TRUE")
    _accept_nothing(connection)
    _go_on_counting(connection)
    connection.execute(_NOTE, _note(caller, operation, now))
    connection.execute(_NOTE_TIME, (RESTORED_AT, now.astimezone(UTC).isoformat()))
    connection.execute("COMMIT")
    connection.execute("PRAGMA foreign_keys=ON")  # what belongs to a forgotten row goes with it
    connection.execute("BEGIN")
    forgotten = _forget(connection, kinds)
    if broken := connection.execute("PRAGMA foreign_key_check").fetchall():
        raise BigMindError(
            Code.CONFLICT, f"Restored, {counted(len(broken), 'row')} would refer to nothing.", "Nothing was changed."
        )
    connection.execute("COMMIT")
    return forgotten


def _renumber_users(connection: Any) -> None:
    """Give each user the number of the same user in the living store, and to others numbers that are free there."""
    connection.execute("CREATE TEMP TABLE numbering (old INTEGER PRIMARY KEY, new INTEGER UNIQUE NOT NULL)")
    restored = connection.execute("SELECT id, uid, username FROM main.user ORDER BY id").fetchall()
    living = connection.execute("SELECT id, uid, username FROM living.user ORDER BY id").fetchall()
    numbers = _same_users(restored, living)
    free = 1 + max((number for number, *_ in (*restored, *living)), default=0)
    for number, *_ in restored:
        if number not in numbers:
            numbers[number] = free
            free += 1
    if all(old == new for old, new in numbers.items()):
        return
    connection.executemany("INSERT INTO numbering VALUES (?, ?)", numbers.items())
    # Their owner is no reference: some are everybody's. First, because a profile then waits anew for its vectors.
    for table in ("embedding", "embedding_queue"):
        connection.execute(_FOLLOW_OWNERS.format(table=table))
    for table, column in [("user", "id"), *connection.execute(_REFERENCES, ("user",)).fetchall()]:
        # Over negative numbers, so that two users who change places never have the same one.
        renumbered = f"(SELECT -new FROM numbering WHERE old = {column})"
        connection.execute(f'UPDATE main."{table}" SET {column} = {renumbered} WHERE {column} IS NOT NULL')
        connection.execute(f'UPDATE main."{table}" SET {column} = -{column} WHERE {column} < 0')


def _renumber_tokens(connection: Any, *, keeps_others: bool) -> None:
    """Let what belongs to a token follow it to its number in the living store, and make room for those tokens.

    A token that both have is the living store's, which knows whether it was revoked. Of the others, none stays, or all.
    """
    connection.execute(_NUMBER_TOKENS, (keeps_others,))
    for table, column in connection.execute(_REFERENCES, ("token",)).fetchall():
        connection.execute(f'UPDATE main."{table}" SET {column} = (SELECT new FROM token_number WHERE old = {column})')
    connection.execute("DELETE FROM main.token WHERE NOT ? OR uid IN (SELECT uid FROM living.token)", (keeps_others,))
    # Over negative numbers, so that none is another's on the way.
    connection.execute("UPDATE main.token SET id = -(SELECT new FROM token_number WHERE old = id)")
    connection.execute("UPDATE main.token SET id = -id")


def _same_users(restored: list[tuple[int, str, str]], living: list[tuple[int, str, str]]) -> dict[int, int]:
    """Which user is which: by id, else by name; where there is but one on either side, they are the same person."""
    if len(restored) == len(living) == 1:
        return {restored[0][0]: living[0][0]}
    same: dict[int, int] = {}
    for column in (1, 2):
        taken = set(same.values())
        known = {user[column]: user[0] for user in living if user[0] not in taken}
        same |= {user[0]: known[user[column]] for user in restored if user[0] not in same and user[column] in known}
    return same


def _copy_rows(connection: Any, table: str, condition: str) -> None:
    names = connection.execute("SELECT name FROM pragma_table_info(?)", (table,)).fetchall()
    columns = ", ".join(f'"{name}"' for (name,) in names)
    connection.execute(f"INSERT INTO main.{table} ({columns}) SELECT {columns} FROM living.{table} WHERE {condition}")


def _accept_nothing(connection: Any) -> None:
    """Let text that instructs its reader wait again, but for those very words that are accepted in the living store."""
    for (table,) in connection.execute(_ACCEPTABLE).fetchall():
        columns = connection.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
        told = [name for name, kind in columns if name not in _NOT_WORDS and not kind.upper().startswith("DATETIME")]
        words = _WORDS_OF.get(table, told)
        same = [f'known."{name}" IS "{table}"."{name}"' for name in words]
        same += [_SAME_SESSION] if table == "session" else []
        connection.execute(_WAITS_AGAIN.format(table=table, same=" AND ".join(same)))


def _go_on_counting(connection: Any) -> None:
    """Keep the audit log of what happened since, and never give a change's number twice: clients remember them."""
    _copy_rows(connection, "change", "id > (SELECT coalesce(max(id), 0) FROM main.change)")
    query = "SELECT coalesce(max(seq), 0) FROM living.sqlite_sequence WHERE name = 'change'"
    [last] = connection.execute(query).fetchone()
    connection.execute("UPDATE main.sqlite_sequence SET seq = max(seq, ?) WHERE name = 'change'", (last,))
    connection.execute(
        "INSERT INTO main.sqlite_sequence (name, seq) SELECT 'change', ? "
        "WHERE NOT EXISTS (SELECT 1 FROM main.sqlite_sequence WHERE name = 'change')",
        (last,),
    )


def _note(caller: Caller, operation: str, now: datetime) -> tuple[object, ...]:
    moment = now.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")  # as SQLAlchemy writes it
    return (moment, caller.user_id, caller.client, operation, EventKind.STORE, new_id(), Action.RESTORED)


def _forget(connection: Any, kinds: Kinds) -> int:
    """Remove what was forgotten before or after the backup was taken; returns how many rows that were.

    Of a kind whose rows others rest on it takes the words, and elsewhere what repeats them.
    """
    _copy_rows(connection, "forgotten", "uid NOT IN (SELECT uid FROM main.forgotten)")
    removed = connection.execute(_FORGET_PROFILES).rowcount
    for uid, name in connection.execute("SELECT uid, kind FROM forgotten").fetchall():
        if name in kinds and (erased := kinds[name].before_erasing) is not None:
            erased(connection, uid)
        removed += sum(_emptied(connection, each, uid) for each in kinds.with_ids if each.leaves_row or each.echoes)
    left = {each.name for each in kinds if each.leaves_row}
    for (table,) in connection.execute(_NAMED_ROWS).fetchall():
        if table in left:
            continue
        removed += connection.execute(f'DELETE FROM "{table}" WHERE uid IN (SELECT uid FROM forgotten)').rowcount
    return removed


def _emptied(connection: Any, kind: Kind, uid: str) -> int:
    """Take the thing of that id, or its words, and what repeats them; whether it was there."""
    counts = [connection.execute(each, {"uid": uid}).rowcount for each in erasing(kind)]
    return counts[0]
