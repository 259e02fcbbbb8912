"""What waits for a person: items to confirm, each as it is and with what changed since the last yes; and the rest."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.lazy_module import LazyModule
from bigmind.store.work import Work
from bigmind.work.rules import LONGEST_REASON
from ui.page import Page
from ui.page_addresses import number
from ui.shell import AnyRequest, Html, Told
from ui.show import work_words
from ui.show.word_diff import Stretch, difference
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.tasks import item_record
else:
    item_record = LazyModule("bigmind.tasks.item_record")

PAGE = 10
MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class WaitingItem:
    """An item that waits, and what changed of it since a person confirmed it last: its parts, each as a difference."""

    item: "item_record.ItemRecord"
    changes: list[tuple[str, list[Stretch]]]


def waiting_routes(site: Site) -> list[HTTPRouteHandler]:
    """The route of the page."""
    shell = site.shell

    @get("/waiting")
    async def waiting(request: AnyRequest) -> Html:
        return await shell.page(request, "waiting.html", "waiting", lambda work: _told(work, request.query_params))

    return [waiting]


WAITING = Page(
    "waiting",
    "Waiting for you",
    "/waiting",
    "y",
    waiting_routes,
    waiting="in_person",
    waits_for="to be confirmed or accepted, in person",
    offers=frozenset({"work_confirm", "work_move", "work_withdraw"}),
)


def _told(work: Work, asked: Mapping[str, str]) -> Told:
    limit = max(PAGE, number(asked, "shown", MOST_SHOWN))
    found = item_record.waiting_records(work, limit)
    return {
        "waiting": [WaitingItem(each, list(_changes(each))) for each in found.waiting],
        "confirmed": found.confirmed,
        "total": found.total,
        "step": PAGE,
        "words": work_words,
        "longest": LONGEST_REASON,
    }


def _changes(item: "item_record.ItemRecord") -> Iterator[tuple[str, list[Stretch]]]:
    before = item.before
    if before is None:
        return
    texts = {"Title": item.row.title, "Topic": item.row.topic, "Description": item.row.description}
    for label, text in texts.items():
        known = before.texts.get(label.lower(), "")
        if found := difference(known, text):
            yield label, found
    now = {each.name: each.value for each in item.fields if not each.is_memory and each.value}
    then = {name: item_record.in_text(value) for name, value in before.fields.items()}
    for name in sorted({*now, *then}):
        if found := difference(then.get(name, ""), now.get(name, "")):
            yield name, found
