"""Protocol runs: workspaces that a person opens, what holds there, and each run with its gates and violations."""

from collections.abc import Callable, Iterator, Mapping
from difflib import unified_diff
from pathlib import Path
from typing import TYPE_CHECKING

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import may_name_any
from bigmind.store.work import Work
from ui.page import Page
from ui.page_addresses import number
from ui.shell import AnyRequest, Html, Told
from ui.show import work_words
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.protocol.in_person import run_listing, run_record_page, workspace_acts
    from bigmind.workspace import opened
else:
    opened = LazyModule("bigmind.workspace.opened")
    workspace_acts = LazyModule("bigmind.protocol.in_person.workspace_acts")
    run_listing = LazyModule("bigmind.protocol.in_person.run_listing")
    run_record_page = LazyModule("bigmind.protocol.in_person.run_record_page")

PAGE = 20
MOST_SHOWN = 500


def protocol_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of the protocol's pages."""
    shell = site.shell

    @get("/protocol")
    async def runs(request: AnyRequest) -> Html:
        return await shell.page(request, "protocol.html", "protocol", lambda work: _told(work, request.query_params))

    @get("/protocol/workspaces/{workspace_id:str}")
    async def workspace(request: AnyRequest, workspace_id: FromPath[str]) -> Html:
        return await shell.page(
            request, "protocol_workspace.html", "protocol", lambda work: _workspace(work, workspace_id)
        )

    @get("/protocol/{run_id:str}")
    async def run(request: AnyRequest, run_id: FromPath[str]) -> Html:
        return await shell.page(
            request,
            "protocol_run.html",
            "protocol",
            lambda work: {"run": run_record_page.run_page(work, run_id), "words": work_words},
            looks=lambda work: _gates(work, run_id),
        )

    return [runs, workspace, run]


PROTOCOL = Page(
    "protocol",
    "Protocol",
    "/protocol",
    "r",
    protocol_routes,
    group="Shared",
    offers=frozenset(
        {
            "memory_accept",
            "memory_forget",
            "memory_reopen_hypothesis",
            "memory_resolve_hypothesis",
            "protocol_approve_commands",
            "protocol_close_workspace",
            "protocol_leave_text",
            "protocol_open_workspace",
            "protocol_take_text",
            "protocol_withdraw_commands",
        }
    ),
)


def _told(work: Work, asked: Mapping[str, str]) -> Told:
    limit = max(PAGE, number(asked, "shown", MOST_SHOWN))
    found = run_listing.list_runs(work, None, limit)
    standings = [workspace_acts.standing_of(work, each) for each in opened.workspaces(work)]
    return {
        "workspaces": standings,
        "runs": found.runs,
        "more": found.more,
        "step": PAGE,
        "shown": limit,
        "words": work_words,
        "example": str(Path.home() / "project"),
        "names_paths": may_name_any(work.caller, work.mode),
    }


def _workspace(work: Work, uid: str) -> Told:
    standing = workspace_acts.standing_of(work, opened.workspace_with_id(work, uid))
    return {
        "standing": standing,
        "difference": list(_difference(standing)),
        "digest": workspace_acts.shown_digest(standing),
        "run_by_cmd": workspace_acts.RUN_BY_CMD,
        "limits": {each.name: each.seconds for each in standing.protocol.checks},
    }


def _difference(standing: "workspace_acts.WorkspaceStanding") -> Iterator[str]:
    """What the text that lies there changes; all of it, where none of the workspace's own holds yet."""
    if standing.document is None:
        return
    before = standing.protocol.text if standing.protocol.source == standing.document.path else ""
    lines = unified_diff(before.splitlines(), standing.document.text.splitlines(), n=3, lineterm="")
    yield from list(lines)[2:]


def _gates(work: Work, run_id: str) -> Callable[[], Told]:
    look = run_record_page.gates_now(work, run_id)
    return lambda: {"gates": look()}
