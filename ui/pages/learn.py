"""Learning from what is there already: what files and exports hold, and what a person takes of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.status_codes import HTTP_303_SEE_OTHER

from bigmind.clients.files.locations import places_here
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Role, may_name_any
from bigmind.http.api import AnyRequest, caller_of
from bigmind.http.guard import MOST_UPLOAD_BYTES
from bigmind.learning.answers import ProposalRow, SourceRow
from bigmind.store.work import Work
from ui.forms.actions import job_page, operation_of, refusal_page
from ui.forms.input import arguments_of
from ui.forms.named_file import fields_of, named_file
from ui.page import Page
from ui.page_headers import PAGE_HEADERS
from ui.shell import Html, Told
from ui.site import Site

LONGEST_PATH = 4_096
DECIDED = 50


@dataclass(slots=True)
class Group:
    """The proposals of one file."""

    source: SourceRow
    proposals: list[ProposalRow] = field(default_factory=list[ProposalRow])


def learn_routes(site: Site) -> list[HTTPRouteHandler]:
    """The page, and what it does with an export; the rest are actions like any other."""
    mind, shell, jobs, cookie = site.mind, site.shell, site.jobs, site.cookie

    @get("/learn")
    async def learn(request: AnyRequest) -> Html:
        workspace = request.query_params.get("workspace", "").strip()[:LONGEST_PATH]
        return await shell.page(request, "learn.html", "learn", lambda work: _tell(work, workspace))

    async def done(request: AnyRequest, name: str) -> Html:
        """Read an export, or decide about what is in it."""
        try:
            fields = await fields_of(request, cookie)
            operation = operation_of(mind, name)
            path = await named_file(request, site.transfers.sent, dict(fields))
            given = arguments_of(operation, fields) | {"file": path}
            job = await jobs.start(caller_of(request), operation, given)
        except BigMindError as error:
            return refusal_page(request, error)
        if "HX-Request" in request.headers:
            return job_page(job)
        headers = {**PAGE_HEADERS, "Location": "/learn"}
        return Response("", status_code=HTTP_303_SEE_OTHER, headers=headers, media_type="text/html")

    @post("/actions/learn/read", status_code=200)
    async def read(request: AnyRequest) -> Html:
        return await done(request, "learn_proposals")

    @post("/actions/learn/accept", status_code=200)
    async def accept(request: AnyRequest) -> Html:
        return await done(request, "learn_accept")

    @post("/actions/learn/dismiss", status_code=200)
    async def dismiss(request: AnyRequest) -> Html:
        return await done(request, "learn_dismiss")

    return [learn, read, accept, dismiss]


LEARN = Page(
    "learn",
    "Import from files",
    "/learn",
    "l",
    learn_routes,
    group="This app",
    offers=frozenset({"learn_accept", "learn_dismiss", "learn_undo"}),
)


def _tell(work: Work, workspace: str) -> Told:
    # Loaded when somebody wants to learn: no start needs them.
    from bigmind.learning.decision_history import decided_list  # noqa: PLC0415
    from bigmind.learning.discovery import learn_from_files, workspace_of  # noqa: PLC0415
    from bigmind.learning.sources import workspaces_of  # noqa: PLC0415
    from bigmind.learning.summaries import proposal_list  # noqa: PLC0415

    told: dict[str, object] = {"workspace": workspace, "most_bytes": MOST_UPLOAD_BYTES, "fault": None}
    told["names_paths"] = may_name_any(work.caller, work.mode)
    if not work.caller.role.includes(Role.ADMIN):
        return told | {"found": None, "groups": [], "workspaces": [], "decided": decided_list(work, DECIDED)}
    places = places_here()
    try:
        folder = workspace_of(workspace or None)
    except BigMindError as error:  # the rest of the page is of use without it
        folder, told["fault"] = None, error
    read = learn_from_files(work, places, folder)
    found = proposal_list(read)
    return told | {
        "found": found,
        "groups": _groups(found.sources, found.proposals),
        "workspaces": [_at_home(each, places.home) for each in workspaces_of(places)],
        "plain": sum(not each.caution and each.known != "known" for each in found.proposals),
        "decided": decided_list(work, DECIDED, {each.digest: each.title or each.text for each in read.settled}),
    }


def _groups(sources: Sequence[SourceRow], proposals: Sequence[ProposalRow]) -> list[Group]:
    """Every file that was found, with what stands there first."""
    by_file: Mapping[str, Group] = {each.file: Group(each) for each in sources}
    for each in proposals:
        by_file[each.places[0].file].proposals.append(each)
    return list(by_file.values())


def _at_home(folder: Path, home: Path) -> str:
    """A folder as a person writes it."""
    return str(Path("~") / folder.relative_to(home)) if folder.is_relative_to(home) else str(folder)
