"""The pages, in the order of the navigation. One line adds one."""

from dataclasses import dataclass

from bigmind.maintenance.answers import Stats


@dataclass(frozen=True, slots=True)
class Entry:
    """A page as the navigation names it.

    Attributes:
        name: stands in `frame.current` of its template, and in the element's id.
        title: as people read it.
        path: its address.
        key: after `g`, the key that opens it.
        total: the field of the statistics that is its count; empty for none.
        waiting: the field that counts what waits for a person there; empty for none.
        waits_for: what it waits for, in words.
        group: the heading it stands under; empty for the first.
    """

    name: str
    title: str
    path: str
    key: str
    total: str = ""
    group: str = ""
    waiting: str = ""
    waits_for: str = ""

    def count(self, totals: Stats) -> int | None:
        """How many things the page lists."""
        return int(getattr(totals, self.total)) if self.total else None

    def waits(self, totals: Stats) -> int:
        """How many things wait for a person on the page."""
        return int(getattr(totals, self.waiting)) if self.waiting else 0


NAVIGATION = (
    Entry("profile", "Profile", "/profile", "p"),
    Entry("context", "What your assistant sees", "/context", "w"),
    Entry("sessions", "Sessions", "/sessions", "s", "sessions"),
    Entry("facts", "Facts", "/facts", "f", "facts"),
    Entry("hypotheses", "Hypotheses", "/hypotheses", "h", "open_hypotheses"),
    Entry("search", "Search", "/search", "/"),
    Entry("knowledge", "Knowledge", "/knowledge", "k", "knowledge", "Shared", "pending_knowledge", "to be approved"),
    Entry("ides", "IDEs", "/ides", "i", group="This app"),
    Entry("learn", "Learn", "/learn", "l", group="This app"),
    Entry("portable", "Export & import", "/portable", "e", group="This app"),
    Entry("health", "Health", "/health", "c", group="This app", waiting="flagged", waits_for="to be read and accepted"),
    Entry("settings", "Settings", "/settings", "t", group="This app"),
)
