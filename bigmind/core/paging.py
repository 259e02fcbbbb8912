"""Where a listing goes on: an opaque cursor that holds the last row's place."""

import base64
import binascii
from datetime import UTC, datetime

from bigmind.core.errors import invalid

_MOST_KEY = 2**63 - 1


def cursor_after(moment: datetime, key: int) -> str:
    """The cursor behind the row of that moment and key."""
    return base64.urlsafe_b64encode(f"{moment.isoformat()}|{key}".encode()).decode().rstrip("=")


def place_of(cursor: str) -> tuple[datetime, int]:
    """The moment and key that a cursor holds.

    Raises:
        BigMindError: `invalid_input`, when it is not a cursor.
    """
    try:
        moment, key = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().split("|")
        # As `cursor_after` writes it; whoever makes up another one gets no fault of the database.
        return datetime.fromisoformat(moment).replace(tzinfo=UTC), max(0, min(int(key), _MOST_KEY))
    except (ValueError, binascii.Error):
        raise invalid("cursor", cursor, "the cursor of the page before") from None
