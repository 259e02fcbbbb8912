"""Cards of the board, drawn once: at a change of a live board, all but one of them are as they were."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from bigmind.core.events import Action, Change
from ui.render import environment
from ui.show.date_format import ago
from ui.show.work_words import item_address

if TYPE_CHECKING:
    from bigmind.tasks.board import Card

MOST_KEPT = 512
"""Cards, of some two kilobytes each with what they were drawn of."""


def drawn_all(cards: Iterable["Card"], now: datetime) -> Markup:
    """Cards one below the other, on a page that was asked for `now`."""
    # `Markup.join` would look at each whether it is to be escaped, which takes as long as all else.
    return Markup("".join([drawn(each, ago(each.updated_at, now)) for each in cards]))  # noqa: S704


@lru_cache(maxsize=MOST_KEPT)
def drawn(card: "Card", changed: Markup) -> Markup:
    """A card as it stands on the page. It is kept by all that it is drawn of, so it is never an older one.

    `changed` is when the item was changed last, as a `time` element; the machine's time zone stands in it.
    """
    macros: Any = environment().get_template("_work_card.html").module
    return macros.card(card, item_address(card.slug, card.uid), changed)


def forget_drawn(change: Change) -> None:
    """Keep nothing of what is forgotten."""
    if change.action is Action.FORGOTTEN:
        drawn.cache_clear()
