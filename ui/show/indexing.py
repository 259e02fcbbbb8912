"""How far the memory is indexed by meaning: a line under the pages' names that goes away when all is done."""

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.maintenance.statistics import stats
from bigmind.store.work import Work
from ui.shell import AnyRequest, Html, Shell, Told


def indexing_routes(shell: Shell) -> list[HTTPRouteHandler]:
    """The route that the line asks again while it is shown."""

    @get("/indexing")
    async def indexing(request: AnyRequest) -> Html:
        return await shell.fragment(request, "_indexing.html", _tell)

    return [indexing]


def _tell(work: Work) -> Told:
    return {"totals": stats(work, bytes_on_disk=0)}
