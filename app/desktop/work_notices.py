"""What a person is told of work by the desktop: something waits for their yes, and each yes that was given."""

from collections.abc import Callable

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.operation import Caller
from bigmind.core.plain_text import one_line, shortened, visible
from bigmind.store.work import Work
from bigmind.wiring import Mind
from bigmind.work.in_person.confirmations import waiting_items
from bigmind.work.tables import WorkConfirmation, WorkItem

MOST_TOLD = 3
"""Notices of one look; of more, their number is told."""
MOST_LOOKED_AT = 200
LONGEST_TITLE = 80
PLACES = {"window": "in BigMind's window", "passphrase": "on a page, with your passphrase"}

Notify = Callable[[str, str], None]


class WorkNotices:
    """Tells what came to wait for a person, and what they confirmed, since it looked last."""

    def __init__(self, mind: Mind, person: Caller, notify: Notify) -> None:
        """Tell nothing yet: what there is at the first look is no news.

        Args:
            mind: whose work.
            person: who is told.
            notify: shows a title and a text.
        """
        self._mind, self._person, self._notify = mind, person, notify
        self._known: set[str] | None = None
        self._last = 0

    def look(self) -> None:
        """Tell what is new since the last look."""
        with self._mind.store.read(self._person, "notices") as work:
            waiting = {each.uid: each.title for each in waiting_items(work, MOST_LOOKED_AT)}
            if self._known is None:
                self._known, self._last = set(waiting), _newest_yes(work)
            given = _given(work, self._last)
        fresh = [title for uid, title in waiting.items() if uid not in self._known]
        self._known = set(waiting)
        self._tell([("Waiting for you", _short(each)) for each in fresh], "Waiting for you", "items wait for your yes")
        if given:
            self._last = max(key for key, _, _ in given)
            told = [("Confirmed", f"{_short(title)}, {PLACES.get(place, place)}") for _, title, place in given]
            self._tell(told, "Confirmed", "items were confirmed")

    def _tell(self, notices: list[tuple[str, str]], title: str, what: str) -> None:
        if len(notices) > MOST_TOLD:
            notices = [(title, f"{len(notices):,} {what}")]
        for each in notices:
            self._notify(*each)


def _newest_yes(work: Work) -> int:
    return work.session.exec(select(func.max(WorkConfirmation.id))).one() or 0


def _given(work: Work, after: int) -> list[tuple[int, str, str]]:
    """The confirmations that were given since: key, title of the item, place."""
    found = (
        select(WorkConfirmation.id, WorkItem.title, WorkConfirmation.place)
        .join(WorkItem, col(WorkItem.id) == col(WorkConfirmation.item_id))
        .where(col(WorkConfirmation.id) > after)
        .order_by(col(WorkConfirmation.id))
    )
    return [(key or 0, title, place) for key, title, place in work.session.exec(found).all()]


def _short(title: str) -> str:
    return shortened(visible(one_line(title)), LONGEST_TITLE)
