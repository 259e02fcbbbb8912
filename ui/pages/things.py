"""The pages of a kind that declares an address and has no pages written for it: all of them, and one in full."""

from collections.abc import Iterable, Sequence
from functools import partial

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.kind import Kind
from bigmind.memory.things import newest, thing
from bigmind.store.work import Work
from ui.page import Page
from ui.page_addresses import address, number
from ui.shell import AnyRequest, Html, Told
from ui.site import Site

PAGE = 50
MOST_SHOWN = 1_000


def with_things(pages: Sequence[Page], kinds: Iterable[Kind]) -> tuple[Page, ...]:
    """The pages, with one for each kind that declares an address which none of them has.

    They stand behind the pages of the memory, before the first heading of the navigation.
    """
    served = {each.path for each in pages}
    more = [page_of(each) for each in kinds if each.page and each.page not in served]
    place = next((index for index, each in enumerate(pages) if each.group), len(pages))
    return (*pages[:place], *more, *pages[place:])


def page_of(kind: Kind) -> Page:
    """The pages of one kind."""
    return Page(
        kind.plural,
        kind.words.many.capitalize(),
        kind.page,
        "",
        partial(thing_routes, kind),
        offers=frozenset({"memory_accept", "memory_forget"}),
    )


def thing_routes(kind: Kind, site: Site) -> list[HTTPRouteHandler]:
    """The routes of one kind."""
    shell = site.shell

    @get(kind.page)
    async def things(request: AnyRequest) -> Html:
        most = max(PAGE, number(request.query_params, "shown", MOST_SHOWN))
        return await shell.page(request, "things.html", kind.plural, lambda work: _listed(work, kind, most))

    @get(f"{kind.page}/{{thing_id:str}}")
    async def one(request: AnyRequest, thing_id: FromPath[str]) -> Html:
        return await shell.page(
            request, "thing.html", kind.plural, lambda work: {"kind": kind, "thing": thing(work, kind, thing_id)}
        )

    return [things, one]


def _listed(work: Work, kind: Kind, most: int) -> Told:
    found = newest(work, kind, most)
    has_more = found.total > len(found.things) < MOST_SHOWN
    more = address(kind.page, {"shown": min(most + PAGE, MOST_SHOWN)}) if has_more else ""
    return {"kind": kind, "found": found, "shown": most, "more": more}
