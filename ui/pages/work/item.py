"""One item of work: what it is, where it stands, what leads on, and its ledger; and the dialog that moves it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.lazy_module import LazyModule
from bigmind.flow.workflow import ActorKind
from bigmind.store.work import Work
from bigmind.work.rules import LONGEST_DESCRIPTION, LONGEST_FIELD, LONGEST_REASON, LONGEST_TITLE
from ui.shell import AnyRequest, Html, Told
from ui.show import work_words
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.tasks import item_record
    from bigmind.work import roles
else:
    item_record = LazyModule("bigmind.tasks.item_record")
    roles = LazyModule("bigmind.work.roles")

LONGEST = {
    "title": LONGEST_TITLE,
    "description": LONGEST_DESCRIPTION,
    "field": LONGEST_FIELD,
    "reason": LONGEST_REASON,
}
LONGEST_STATE = 40


def item_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of an item."""
    shell = site.shell

    @get("/work/{slug:str}")
    async def item(request: AnyRequest, slug: FromPath[str]) -> Html:
        return await shell.page(request, "work_item.html", "work", lambda work: _told(work, slug, request.query_params))

    @get("/work/{slug:str}/moves")
    async def moves(request: AnyRequest, slug: FromPath[str]) -> Html:
        return await shell.fragment(request, "_work_moving.html", lambda work: _told(work, slug, request.query_params))

    return [item, moves]


def _told(work: Work, slug: str, asked: Mapping[str, str]) -> Told:
    found = item_record.item_record(work, slug)
    # In a team a page in a browser has no role of its own: what is written there is written in person.
    actor = roles.actor_of(work, found.process)
    return {
        "item": found,
        "edits_in_person": actor.kind is ActorKind.AGENT and not roles.EDITORS & set(actor.roles),
        "writes_in_person": actor.kind is ActorKind.AGENT and not actor.roles,
        "wanted": asked.get("to", "")[:LONGEST_STATE],
        "words": work_words,
        "longest": LONGEST,
        "in_text": item_record.in_text,
    }
