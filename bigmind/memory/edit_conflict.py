"""An edit of what somebody else wrote anew meanwhile is refused, once: its words would be lost unseen."""

from datetime import datetime

from bigmind.caution.detect import cautions
from bigmind.core.errors import BigMindError, Code
from bigmind.core.plain_text import one_line, shortened
from bigmind.text.phrasing import plain, warning

MOST_SHOWN = 200


class ChangedMeanwhileError(BigMindError):
    """What is to be edited is not what was read.

    Args:
        updated_at: when it was changed; an edit that is `unchanged_since` then is not refused.
        says: what it says now, shortened.
    """

    def __init__(self, updated_at: datetime, says: str) -> None:
        self.updated_at = updated_at
        self.says = shortened(one_line(says), MOST_SHOWN)
        super().__init__(
            Code.CONFLICT,
            f"It was changed meanwhile, and says now: {warning(cautions(says))}{plain(self.says)}",
            f"Nothing was written. Send it again with unchanged_since={updated_at.isoformat()} to replace that.",
        )


def refuse_changed(unchanged_since: datetime | None, updated_at: datetime | None, *says: str) -> None:
    """Raise `conflict` when something was changed after it was read; None asks for no check.

    Raises:
        ChangedMeanwhileError: with what it says now.
    """
    if unchanged_since is not None and updated_at is not None and updated_at > unchanged_since:
        raise ChangedMeanwhileError(updated_at, " · ".join(each for each in says if each))
