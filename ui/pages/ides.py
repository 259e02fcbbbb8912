"""The page Assistants: what can be connected, what is, what it would change, and how each one uses the memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import anyio.to_thread
from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from bigmind.clients.answers import ClientRow, State
from bigmind.clients.bundle import FILE as BUNDLE
from bigmind.clients.bundle import NAME as NAME_OF_BUNDLED
from bigmind.clients.bundle import bundle_here
from bigmind.clients.operations import clients_bundle, clients_list, clients_show, clients_show_repair
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.core.toolsets import UNLESS_CHOSEN, Toolset, Toolsets, as_text
from bigmind.http.api import caller_of
from bigmind.store.work import Work
from bigmind.text.phrasing import counted
from ui.forms.actions import form_token_of
from ui.jobs import Job, Jobs
from ui.page import Page
from ui.page_headers import PAGE_HEADERS
from ui.shell import AnyRequest, Html, Shell, Told, problem_page
from ui.site import Site

CHANGING = ("clients_install", "clients_remove", "clients_repair", "clients_doctor")
SHOWN_FOR = timedelta(hours=1)
CHIPS = {
    State.CONNECTED: ("good", "connected"),
    State.DRIFTED: ("warn", "needs a repair"),
    State.BROKEN: ("bad", "cannot be changed"),
    State.AVAILABLE: ("", "not connected"),
    State.MISSING: ("", "not found here"),
    State.GONE: ("warn", "folder is gone"),
}


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of toolsets, as the page offers it: the name, in words, and what its definitions cost."""

    value: str
    words: str


@dataclass(frozen=True, slots=True)
class Group:
    """Clients that stand alike."""

    id: str
    title: str
    rows: list[ClientRow]


def ide_routes(site: Site) -> list[HTTPRouteHandler]:
    """The page, and what it asks before it changes a file."""
    shell, jobs, cookie, home = site.shell, site.jobs, site.cookie, site.mind.store.home

    @get("/ides")
    async def ides(request: AnyRequest) -> Html:
        caller = caller_of(request)
        is_whole = "HX-Request" not in request.headers  # else what is told beside the list is not put anew
        return await shell.page(
            request, "ides.html", "ides", lambda work: _tell(shell, jobs, caller, work, is_whole=is_whole)
        )

    @get("/ides/plan")
    async def plan(request: AnyRequest) -> Html:
        asked = {
            name: request.query_params.get(name, "").strip() for name in ("client", "workspace", "remove", "edits")
        }
        token = form_token_of(request, cookie)
        return await shell.fragment(
            request, "_ide_plan.html", lambda work: {**_plan(shell, work, asked), "form_token": token}
        )

    @get("/ides/repair")
    async def repair(request: AnyRequest) -> Html:
        token = form_token_of(request, cookie)
        return await shell.fragment(
            request,
            "_ide_repair.html",
            lambda work: {"repair": shell.answer(work, clients_show_repair), "form_token": token},
        )

    @get(f"/ides/{BUNDLE}")
    async def fetched(request: AnyRequest) -> Response[bytes] | Html:
        """The bundle for Claude Desktop: it holds the command of this BigMind, and nothing of anybody's."""
        if not caller_of(request).role.includes(clients_bundle.permission):
            return problem_page(request, _of_admins())
        headers = {**PAGE_HEADERS, "Content-Disposition": f'attachment; filename="{BUNDLE}"'}
        return Response(
            await anyio.to_thread.run_sync(bundle_here, home), headers=headers, media_type="application/zip"
        )

    return [ides, plan, repair, fetched]


IDES = Page(
    "ides",
    "Assistants",
    "/ides",
    "i",
    ide_routes,
    group="This app",
    offers=frozenset({"clients_doctor", "clients_install", "clients_remove", "clients_repair", "clients_toolsets"}),
)


def _of_admins() -> BigMindError:
    return BigMindError(
        Code.FORBIDDEN,
        "The bundle starts BigMind on the machine of this server: that needs the role admin.",
        "Connect your assistant by the address on the page Assistants, with a token of its own.",
    )


def _tell(shell: Shell, jobs: Jobs, caller: Caller, work: Work, *, is_whole: bool) -> Told:
    rows: list[ClientRow] = shell.answer(work, clients_list).clients  # pyright: ignore[reportAttributeAccessIssue]
    ours = [each for each in rows if each.connected or each.workspaces]
    here = [each for each in rows if each not in ours and each.state is not State.MISSING]
    absent = [each for each in rows if each not in ours and each.state is State.MISSING]
    return {
        "groups": [Group("connected", "Connected", ours), Group("here", "On this machine", here)],
        "absent": absent,
        "is_drifted": any(State.DRIFTED in {each.state, *(fault.state for fault in each.faults)} for each in ours),
        "chips": CHIPS,
        "at_login": work.host.desktop.starts_at_login(),
        "choices": _choices(work),
        "changed": _lately(jobs, caller, work, rows, is_whole=is_whole),
        "seen": [each.client for each in rows if each in ours or each.last_at is not None],
        "bundled": NAME_OF_BUNDLED,
    }


def _lately(jobs: Jobs, caller: Caller, work: Work, rows: Sequence[ClientRow], *, is_whole: bool) -> Job | None:
    """What goes on, or was done lately: who comes back to the page sees it still."""
    job = jobs.latest(caller, *CHANGING)
    if job is None or not is_worth_telling(job, rows, work.now):
        return None
    if job.error is not None and is_whole:
        job.is_told = True
    return job


def is_worth_telling(job: Job, rows: Sequence[ClientRow], now: datetime) -> bool:
    """Whether the page tells of a job when it is opened: a refusal once, unless the client has changed since."""
    if job.is_running:
        return True
    if job.is_seen or now - job.started_at >= SHOWN_FOR:
        return False
    return job.error is None or not (job.is_told or _is_settled(job, rows))


def _is_settled(job: Job, rows: Sequence[ClientRow]) -> bool:
    """Whether what was refused has come about since, in a terminal for example."""
    workspace = job.given.get("workspace")
    for each in rows:
        if each.client == job.given.get("client"):
            removes = job.operation.name == "clients_remove"
            is_ours = workspace in each.workspaces if workspace else each.connected
            is_done = workspace in each.workspaces if workspace else each.state is State.CONNECTED
            return not is_ours if removes else is_done
    return False


def _choices(work: Work) -> list[Choice]:
    offered: tuple[tuple[Toolsets, str], ...] = (
        ((), "Everyday tools"),
        ((Toolset.DEFAULT, Toolset.BRAIN), "Everyday tools and the brain"),
        ((Toolset.DEFAULT, Toolset.WORK), "Everyday tools and work"),
        ((Toolset.DEFAULT, Toolset.MINDSPACE), "Everyday tools and the mindspace"),
        ((Toolset.DEFAULT, Toolset.PROTOCOL), "Everyday tools and the session protocol"),
        ((Toolset.MEMORY,), "All of memory"),
        ((Toolset.ALL,), "Everything"),
    )
    return [Choice(as_text(toolsets), f"{words}: {_cost(work, toolsets)}") for toolsets, words in offered]


def _cost(work: Work, toolsets: Toolsets) -> str:
    tools = work.tools.offered(toolsets or UNLESS_CHOSEN)
    return f"{counted(len(tools), 'tool')}, about {sum(each.tokens for each in tools.values()):,} tokens"


def _plan(shell: Shell, work: Work, asked: dict[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {"client": asked["client"], "remove": asked["remove"] == "true"}
    if asked["workspace"]:
        given["workspace"] = asked["workspace"]
    if asked["edits"]:
        given["edits"] = asked["edits"] == "true"
    try:
        plan = shell.answer(work, clients_show, **given)
    except BigMindError as error:
        return {"plan": None, "fault": error}
    return {"plan": plan, "removing": given["remove"], "edits": given.get("edits")}
