"""A server that is never ended: what has had its time goes all the same."""

import os
from datetime import timedelta
from time import time

from sqlmodel import select

from bigmind.maintenance.aging import AgingWatch
from bigmind.paths import transfer_folder
from bigmind.people.tables import User
from bigmind.portable.transfer_paths import KEPT_SECONDS
from bigmind.store.tables import ChangeRow
from tests.memory.living import Memory
from tests.memory.rows import START

OLD = 1_100
"""More than go in one unit of work."""


def test_old_audit_rows_and_exports_go_without_a_start(memory: Memory) -> None:
    store = memory.mind.store
    about = {"user_id": 1, "client": "c", "operation": "o", "kind": "fact", "entity": "e", "action": "created"}
    memory.insert(
        *(ChangeRow(id=1_000 + number, at=START - timedelta(days=400), **about) for number in range(OLD)),
    )
    with store.read(memory.caller, "test") as work:
        export = transfer_folder(store.home, work.session.exec(select(User.uid)).one()) / "export.json"
    export.parent.mkdir(parents=True)
    export.write_text("{}")
    os.utime(export, (time() - 2 * KEPT_SECONDS,) * 2)

    def rows() -> int:
        with store.read(memory.caller, "test") as work:
            return len(work.session.exec(select(ChangeRow.id).where(ChangeRow.id >= 1_000)).all())

    aging = AgingWatch(store, kept=10)
    with store.host.activity.long("an import"):
        aging.look()
    assert (rows(), export.exists()) == (OLD, True)
    aging.look()
    assert (rows(), export.exists()) == (10, False)
