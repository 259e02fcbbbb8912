"""When a backup was restored last: what refers to something newer than that backup is then told why it is gone."""

from datetime import datetime

from bigmind.store.tables import StoreProperty
from bigmind.store.work import Work

RESTORED_AT = "restored_at"
"""The property that a restore leaves in the store (`backup/handover.py`): no index leads to its row of the audit log.

A store that an older BigMind restored has none."""


def was_restored_after(work: Work, moment: datetime) -> bool:
    """Whether a backup was restored after a moment, however much was changed since."""
    told = work.session.get(StoreProperty, RESTORED_AT)
    return told is not None and datetime.fromisoformat(told.value) > moment
