"""Team: who has a memory here, what each may do, and whether they get in; for admins."""

from functools import partial

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Mode, Role
from bigmind.people.operations import user_list
from bigmind.people.service import is_shared
from bigmind.store.work import Work
from ui.forms.token_scopes import token_scopes
from ui.page import Page
from ui.shell import AnyRequest, Html, Shell, Told, caller_of
from ui.site import Site

PATH = "/team"
ROLES = (
    (Role.MEMBER, "keeps a memory of their own, and promotes knowledge"),
    (Role.CURATOR, "approves what others promote, too"),
    (Role.ADMIN, "manages users, settings, and backups, too"),
)


def team_routes(site: Site) -> list[HTTPRouteHandler]:
    """The one route."""
    shell = site.shell

    @get(PATH)
    async def team(request: AnyRequest) -> Html:
        is_admin = caller_of(request).role.includes(Role.ADMIN)
        return await shell.page(request, "team.html", "team" if is_admin else "", partial(_tell, shell))

    return [team]


def _is_shown(work: Work) -> bool:
    return work.caller.role.includes(Role.ADMIN) and (work.mode is Mode.TEAM or is_shared(work))


TEAM = Page(
    "team",
    "Team",
    PATH,
    "m",
    team_routes,
    group="This app",
    offers=frozenset({"user_add", "user_disable", "user_enable", "user_role", "user_sign_out", "user_token"}),
    is_shown=_is_shown,
)


def _tell(shell: Shell, work: Work) -> Told:
    if not work.caller.role.includes(Role.ADMIN):
        raise BigMindError(Code.FORBIDDEN, "Only admins manage the team.", f"Your role is {work.caller.role}.")
    return {
        "users": shell.answer(work, user_list).users,
        "roles": ROLES,
        "scopes": token_scopes(work),
        "is_team": work.mode is Mode.TEAM,
        "is_shared": is_shared(work),
    }
