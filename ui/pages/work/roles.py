"""Which work roles each assistant may take, said in person."""

from typing import TYPE_CHECKING

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Mode
from bigmind.store.work import Work
from ui.shell import AnyRequest, Html, Told
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.work import processes
    from bigmind.work.in_person import role_setting
else:
    processes = LazyModule("bigmind.work.processes")
    role_setting = LazyModule("bigmind.work.in_person.role_setting")


def role_routes(site: Site) -> list[HTTPRouteHandler]:
    """The route of the page."""
    shell = site.shell

    @get("/work/assistants")
    async def assistants(request: AnyRequest) -> Html:
        return await shell.page(request, "work_roles.html", "work", _told)

    return [assistants]


def _told(work: Work) -> Told:
    return {
        "agents": role_setting.agents(work),
        "roles": processes.known_roles(work),
        "is_team": work.mode is Mode.TEAM,
    }
