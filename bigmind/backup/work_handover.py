"""What a restore does about work: what persons said of it stays as it is now, and the ledger says what happened.

All of it is done on the scratch file to which the living store is attached, after `carry_over`.
"""

import json
from datetime import UTC, datetime
from typing import Any

from bigmind.work.ledger.heads import RESTORED, head_in, up_to
from bigmind.work.ledger.ledger_rows import START, Entry, Writer, bound

# Who may act as what, and by which documents, is said in person: no file brings it back.
_SAID_IN_PERSON = ("agent_work_roles", "work_process")
_WITHDRAW = "UPDATE main.work_confirmation SET withdrawn_at = ? WHERE withdrawn_at IS NULL"
_FORGOTTEN = """
SELECT DISTINCT item_uid FROM main.work_ledger AS told WHERE item_uid IN (SELECT uid FROM main.forgotten)
AND NOT EXISTS (SELECT 1 FROM main.work_ledger WHERE item_uid = told.item_uid AND kind = 'forgotten')
ORDER BY item_uid
"""
# Where the chains stood that earlier restores put aside, as rows say that are put aside now.
_EARLIER = """
SELECT body FROM living.work_ledger AS told WHERE kind = 'restored'
AND NOT EXISTS (SELECT 1 FROM main.work_ledger AS kept WHERE kept.number = told.number AND kept.digest = told.digest)
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
    """One row: where the chain stood before, and which of its items were forgotten since the backup was taken.

    Copies may be left of a longer chain that an earlier restore put aside: `up_to` is how far any of them went.
    """
    newest, stood = head_in(connection), head_in(connection, "living")
    if newest is None and stood is None:
        return
    stood = stood or START
    gone = [uid for (uid,) in connection.execute(_FORGOTTEN)]
    body: dict[str, Any] = {"stood": {"number": stood.number, "digest": stood.digest}, "forgotten": gone}
    body["up_to"] = max(stood.number, *(up_to(json.loads(told)) for (told,) in connection.execute(_EARLIER)), 0)
    made = bound(Entry(RESTORED, "", body, {"backup": backup}), writer, newest or START)
    connection.execute(_ROW, (made.number, _moment(writer.at), RESTORED, made.body, made.before, made.digest))
    connection.executemany(_TEXT, [(made.number, *each) for each in made.texts])


def _moment(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")  # as SQLAlchemy writes it
