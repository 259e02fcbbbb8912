"""What a restore does about work: what persons said of it stays as it is now, and the ledger says what happened.

All of it is done on the scratch file to which the living store is attached, after `carry_over`.
"""

from datetime import UTC, datetime
from typing import Any

from bigmind.work.ledger.heads import RESTORED, head_in
from bigmind.work.ledger.ledger_rows import START, Entry, Writer, bound

# Who may act as what, and by which documents, is said in person: no file brings it back.
_SAID_IN_PERSON = ("agent_work_roles", "work_process")
_WITHDRAW = "UPDATE main.work_confirmation SET withdrawn_at = ? WHERE withdrawn_at IS NULL"
_FORGOTTEN = """
SELECT DISTINCT item_uid FROM main.work_ledger AS told WHERE item_uid IN (SELECT uid FROM main.forgotten)
AND NOT EXISTS (SELECT 1 FROM main.work_ledger WHERE item_uid = told.item_uid AND kind = 'forgotten')
ORDER BY item_uid
"""
_ROW = "INSERT INTO main.work_ledger (number, at, item_uid, kind, body, before, digest) VALUES (?, ?, '', ?, ?, ?, ?)"
_TEXT = "INSERT INTO main.work_ledger_text (number, name, item_uid, salt, text) VALUES (?, ?, '', ?, ?)"


def hand_over_work(connection: Any, writer: Writer, backup: str, *, is_missing: bool) -> None:
    """Withdraw what was confirmed, keep what persons said in the living store, and write a row of the ledger.

    Args:
        connection: to the scratch file, outside of any transaction, with the living store attached as `living`.
        writer: who restores.
        backup: the name of its file.
        is_missing: whether the living store is the empty one of a memory that is gone: what the backup says of that
            then stays, as its tokens do.
    """
    connection.execute("BEGIN")
    connection.execute(_WITHDRAW, (_moment(writer.at),))
    for table in () if is_missing else _SAID_IN_PERSON:
        connection.execute(f"DELETE FROM main.{table}")  # noqa: S608 - a name of ours
        connection.execute(f"INSERT INTO main.{table} SELECT * FROM living.{table}")  # noqa: S608 - of the same schema
    _note(connection, writer, backup)
    connection.execute("COMMIT")


def _note(connection: Any, writer: Writer, backup: str) -> None:
    """One row: where the chain stood before, and which of its items were forgotten since the backup was taken."""
    newest, stood = head_in(connection), head_in(connection, "living")
    if newest is None and stood is None:
        return
    stood = stood or START
    gone = [uid for (uid,) in connection.execute(_FORGOTTEN)]
    body = {"stood": {"number": stood.number, "digest": stood.digest}, "forgotten": gone}
    made = bound(Entry(RESTORED, "", body, {"backup": backup}), writer, newest or START)
    connection.execute(_ROW, (made.number, _moment(writer.at), RESTORED, made.body, made.before, made.digest))
    connection.executemany(_TEXT, [(made.number, *each) for each in made.texts])


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")  # as SQLAlchemy writes it
