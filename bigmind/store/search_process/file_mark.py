"""Which state of a store's file a snapshot is of: what is held in memory of it is compared by that."""

from collections.abc import Mapping
from dataclasses import dataclass

from bigmind.core.past_mapper import Snapshot
from bigmind.store.sqlite.connection import SNAPSHOT
from bigmind.store.sqlite.statements import rows

_MARK = "file mark"
"""Where a connection's `info` has its last one, behind the snapshot and the number that it was made at."""
_VERSION = "PRAGMA data_version"
"""Changes with every commit of another connection."""
_SCHEMA = "PRAGMA schema_version"
"""Changes with every file or index that is put in place of another, as by a restore: then keys mean other rows."""
_COUNTERS = "SELECT name, value FROM store_property WHERE name GLOB '*_text_changes' OR name = 'embedding_deletes'"


@dataclass(frozen=True, slots=True)
class FileMark:
    """What a snapshot says of its file; as long as nobody writes, a connection's is one object.

    Attributes:
        schema: the number of its schema.
        counters: how often texts of a table were changed or deleted, `<table>_text_changes`, and vectors deleted,
            `embedding_deletes`, of those that ever were (migration 0017).
    """

    schema: int
    counters: Mapping[str, str]

    def text_changes(self, table: str) -> str:
        """How often texts of a table were changed or deleted."""
        return self.counters.get(f"{table}_text_changes", "")

    @property
    def vector_deletes(self) -> str:
        """How often vectors were deleted; none is ever changed."""
        return self.counters.get("embedding_deletes", "")


def mark_of(session: Snapshot) -> FileMark:
    """The mark of an open transaction of a connection that only reads."""
    noted = session.connection().info
    snapshot, at, mark = noted.get(_MARK, (None, None, None))
    if mark is not None and snapshot is not None and snapshot is noted.get(SNAPSHOT):
        return mark
    ((version,),) = rows(session, _VERSION)
    if mark is None or at != version:
        mark = FileMark(rows(session, _SCHEMA)[0][0], dict(rows(session, _COUNTERS)))
    noted[_MARK] = noted.get(SNAPSHOT), version, mark
    return mark
