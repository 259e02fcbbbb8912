"""What a restore does about workspaces: which are open, what holds there and what may run stays as it is now.

All of it is said in person, so that no file brings it back. A workspace is known by its path: ids may differ between
the two stores. Done on the scratch file to which the living store is attached.
"""

from datetime import UTC, datetime
from typing import Any

_WITHDRAW = "UPDATE main.protocol_approval SET withdrawn_at = :at WHERE withdrawn_at IS NULL"
_CLOSE = """
UPDATE main.workspace SET closed_at = :at
WHERE closed_at IS NULL AND path NOT IN (SELECT path FROM living.workspace)
"""
_WORKSPACES = """
INSERT INTO main.workspace (uid, user_id, path, project, opened_at, closed_at)
SELECT uid, user_id, path, project, opened_at, closed_at FROM living.workspace WHERE true
ON CONFLICT (path) DO UPDATE SET user_id = excluded.user_id, project = excluded.project,
opened_at = excluded.opened_at, closed_at = excluded.closed_at
"""
_BOTH = """
FROM living.workspace AS now JOIN main.workspace AS here ON here.path = now.path
"""
# The newest approval of a workspace is the one that holds: it gets the highest number here too.
_APPROVALS = f"""
INSERT INTO main.protocol_approval (workspace_id, digest, commands, approved_at, user_id)
SELECT here.id, said.digest, said.commands, said.approved_at, said.user_id {_BOTH}
JOIN living.protocol_approval AS said ON said.workspace_id = now.id
WHERE said.withdrawn_at IS NULL
AND said.id = (SELECT max(id) FROM living.protocol_approval WHERE workspace_id = now.id)
"""  # noqa: S608 - words of ours
# The text that was taken last is the one that holds; the empty one stands for the built-in protocol.
_TEXTS = f"""
INSERT INTO main.protocol_text (workspace_id, source, digest, text, taken_at, user_id)
SELECT here.id, coalesce(said.source, 'built in'), coalesce(said.digest, ''), coalesce(said.text, ''), :at,
coalesce(said.user_id, now.user_id) {_BOTH}
LEFT JOIN living.protocol_text AS said ON said.id = (
    SELECT id FROM living.protocol_text WHERE workspace_id = now.id ORDER BY taken_at DESC, id DESC LIMIT 1
)
WHERE said.id IS NOT NULL OR here.id IN (SELECT workspace_id FROM main.protocol_text)
ON CONFLICT (workspace_id, digest) DO UPDATE SET taken_at = excluded.taken_at, user_id = excluded.user_id
"""  # noqa: S608 - words of ours
# A run's name is given once: its log lies in the workspace, whichever store is there.
_DAYS = f"""
INSERT INTO main.protocol_day (workspace_id, day, number)
SELECT here.id, known.day, known.number {_BOTH} JOIN living.protocol_day AS known ON known.workspace_id = now.id
WHERE true
ON CONFLICT (workspace_id, day) DO UPDATE SET number = max(number, excluded.number)
"""


def hand_over_workspaces(connection: Any, at: datetime, *, is_missing: bool) -> None:
    """Take back what the file says was approved, and put what persons said in the living store in its place.

    Args:
        connection: to the scratch file, outside of any transaction, with the living store attached as `living`.
        at: when it is restored.
        is_missing: whether the living store is the empty one of a memory that is gone: then the workspaces that the
            file knows stay open, as its tokens come back; commands wait for a person's yes even so.
    """
    moment = {"at": at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S.%f")}  # as SQLAlchemy writes it
    connection.execute("BEGIN")
    connection.execute(_WITHDRAW, moment)
    if not is_missing:
        connection.execute(_CLOSE, moment)
        connection.execute(_WORKSPACES)
        connection.execute(_APPROVALS)
        connection.execute(_TEXTS, moment)
        connection.execute(_DAYS)
    connection.execute("COMMIT")
