"""The directory: who works on what in a team, as far as each person chose; and one person's card."""

from collections.abc import Mapping
from functools import partial

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.operation import Mode
from bigmind.directory.operations import directory_find, directory_list
from bigmind.directory.rules import NEVER, NOT_A_TEAM, SHOWN
from bigmind.store.work import Work
from ui.page import Page
from ui.shell import AnyRequest, Html, Told
from ui.site import Site

MOST_TYPED = 200


def directory_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of the page and of a person's card."""
    shell = site.shell

    @get("/directory")
    async def directory(request: AnyRequest) -> Html:
        return await shell.page(request, "directory.html", "directory", partial(_told, request.query_params))

    @get("/directory/{name:str}")
    async def person(request: AnyRequest, name: FromPath[str]) -> Html:
        return await shell.page(request, "directory_person.html", "directory", partial(_person, name))

    return [directory, person]


def _is_shown(work: Work) -> bool:
    return work.mode is Mode.TEAM


DIRECTORY = Page(
    "directory",
    "Directory",
    "/directory",
    "d",
    directory_routes,
    group="Shared",
    offers=frozenset({"directory_choose"}),
    is_shown=_is_shown,
)


def _told(asked: Mapping[str, str], work: Work) -> Told:
    query = asked.get("query", "").strip()[:MOST_TYPED]
    listed = directory_list.function(work)  # as it is; what is around it says where the memory is missing
    return {
        "listed": listed,
        "query": query,
        "most_typed": MOST_TYPED,
        "found": directory_find.function(work, query) if query and listed.is_team else None,
        "shown": SHOWN,
        "never": NEVER,
        "not_a_team": NOT_A_TEAM,
    }


def _person(name: str, work: Work) -> Told:
    """One person's card.

    Raises:
        BigMindError: `not_found`, also for whoever lets nothing be told.
    """
    listed = directory_list.function(work, name)
    return {"person": listed.people[0], "newest": listed.newest}
