"""A page as one record."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from litestar.handlers import HTTPRouteHandler

from bigmind.maintenance.answers import Stats
from bigmind.store.work import Work

EVERYWHERE = frozenset({"backup_start_empty", "passphrase_see_changes", "passphrase_see_tries", "server_pause"})
"""What stands around every page offers to do (templates/base.html)."""


def _always(_: Work) -> bool:
    return True


@dataclass(frozen=True, slots=True)
class Page:
    """A page: the navigation, the routes and what a browser may ask for are loops over these records.

    Attributes:
        name: stands in `frame.current` of its template, and in the element's id.
        title: as people read it.
        path: its address.
        key: after `g`, the key that opens it; empty for none.
        routes: makes its handlers, those of its parts too, of a `ui.site.Site`.
        offers: the operations that its forms name; exports and imports have actions of their own (pages/portable.py).
        group: the heading it stands under; empty for the first.
        total: the field of the statistics that is its count; empty for none.
        waiting: the field that counts what waits for a person there; empty for none.
        waits_for: what it waits for, in words.
        is_shown: whether the navigation has it, for whoever reads; its address answers all the same.
    """

    name: str
    title: str
    path: str
    key: str
    routes: Callable[..., list[HTTPRouteHandler]]
    offers: frozenset[str] = frozenset()
    group: str = ""
    total: str = ""
    waiting: str = ""
    waits_for: str = ""
    is_shown: Callable[[Work], bool] = _always

    def count(self, totals: Stats) -> int | None:
        """How many things the page lists."""
        return int(getattr(totals, self.total)) if self.total else None

    def waits(self, totals: Stats) -> int:
        """How many things wait for a person on the page."""
        return int(getattr(totals, self.waiting)) if self.waiting else 0


def offers_of(pages: Iterable[Page]) -> frozenset[str]:
    """The operations that a browser may ask for: what the pages offer, and no other.

    A browser's cookie is worth these. What is for a terminal alone (stopping the server, making a sign-in link, writing
    an export to any path) is no form's to ask for.
    """
    return EVERYWHERE.union(*(each.offers for each in pages))
