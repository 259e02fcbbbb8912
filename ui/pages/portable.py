"""Export and import, and the backups: taking the memory out, bringing it in, and going back."""

from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

from litestar import Response, get, post
from litestar.handlers import HTTPRouteHandler
from litestar.status_codes import HTTP_303_SEE_OTHER

from bigmind.backup.answers import BackupRow
from bigmind.backup.inventory import one, overview
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Role, may_name_any
from bigmind.http.api import AnyRequest, caller_of
from bigmind.http.guard import MOST_UPLOAD_BYTES
from bigmind.memory.growth import StoreGrowth, written_since
from bigmind.memory.lookup import count
from bigmind.portable.older.location import old_file
from bigmind.store.work import Work
from bigmind.wiring import Mind
from bigmind.work.node_tables import WorkNode
from bigmind.work.tables import WorkItem
from ui.download_routes import download_routes
from ui.forms.actions import form_token_of, job_page, operation_of, refusal_page
from ui.forms.input import arguments_of
from ui.forms.named_file import fields_of, named_file
from ui.forms.uploads import upload_routes
from ui.jobs import Job, Jobs
from ui.page import Page
from ui.page_headers import PAGE_HEADERS
from ui.shell import Html, Told
from ui.site import Site
from ui.transfers import TransferFolder, Transfers

OF_BACKUPS = ("backup_create", "backup_list", "backup_restore")
MOST_REFERENCE = 4_096
SHOWN_FOR = timedelta(hours=1)


def portable_routes(site: Site) -> list[HTTPRouteHandler]:
    """The page, what it does, and the way of files in and out."""
    mind, shell, jobs, cookie = site.mind, site.shell, site.jobs, site.cookie

    @get("/portable")
    async def portable(request: AnyRequest) -> Html:
        shown = _latest(mind, jobs, request)
        return await shell.page(request, "portable.html", "portable", lambda work: {**_tell(mind, work), **shown})

    @get("/portable/restore")
    async def restore(request: AnyRequest) -> Html:
        reference = request.query_params.get("backup", "")[:MOST_REFERENCE]
        token = form_token_of(request, cookie)
        return await shell.fragment(
            request, "_restore.html", lambda work: {**_consequence(mind, work, reference), "form_token": token}
        )

    return [
        portable,
        restore,
        *_action_routes(mind, jobs, cookie, site.transfers),
        *upload_routes(site.transfers.sent, cookie),
        *download_routes(site.transfers.made, jobs),
    ]


PORTABLE = Page(
    "portable",
    "Export & import",
    "/portable",
    "e",
    portable_routes,
    group="This app",
    offers=frozenset({"backup_create", "backup_encrypt", "backup_list", "backup_restore", "backup_stop_encrypting"}),
)


def _action_routes(mind: Mind, jobs: Jobs, cookie: str, transfers: Transfers) -> list[HTTPRouteHandler]:
    @post("/actions/portable/export", status_code=200)
    async def export(request: AnyRequest) -> Html:
        """Make an export for the browser to fetch."""
        try:
            await fields_of(request, cookie)
            job = await _export(mind, jobs, transfers.made, caller_of(request))
        except BigMindError as error:
            return refusal_page(request, error)
        return _followed(request, job)

    @post("/actions/portable/import", status_code=200)
    async def import_file(request: AnyRequest) -> Html:
        """Import a file that was sent, or one of this machine; what was sent is removed once it is imported."""
        try:
            fields = await fields_of(request, cookie)
            operation = operation_of(mind, "memory_import")
            path = await named_file(request, transfers.sent, dict(fields))
            given = arguments_of(operation, fields) | {"path": path}
            job = await jobs.start(caller_of(request), operation, given)
            if not _is_dry(given):
                # What could not be imported is kept: it may be sent on in another way.
                jobs.when_over(
                    job, lambda: transfers.sent.remove(Path(given["path"])) if job.answer is not None else None
                )
        except BigMindError as error:
            return refusal_page(request, error)
        return _followed(request, job)

    return [export, import_file]


async def _export(mind: Mind, jobs: Jobs, made: TransferFolder, caller: Caller) -> Job:
    """Begin an export for a browser to fetch; of one that fails, or that may hold what was forgotten, nothing stays."""
    path = made.place(caller, f"bigmind_export_{mind.store.clock():%Y%m%d_%H%M%S}.json")

    def settle() -> None:
        try:
            if job.answer is not None or not path.parent.exists():
                made.keep(path)
                return
        except BigMindError as error:
            job.answer, job.error = None, error
        made.remove(path)

    try:
        operation = operation_of(mind, "memory_export")
        job = await jobs.start(caller, operation, {"output_path": str(path)}, download=path.name)
    except BaseException:
        made.remove(path)
        raise
    jobs.when_over(job, settle)
    return job


def _is_dry(given: Mapping[str, Any]) -> bool:
    return str(given.get("dry_run", "")).lower() in {"true", "1", "on"}


def _followed(request: AnyRequest, job: Job) -> Html:
    if "HX-Request" in request.headers:
        return job_page(job)
    headers = {**PAGE_HEADERS, "Location": "/portable"}
    return Response("", status_code=HTTP_303_SEE_OTHER, headers=headers, media_type="text/html")


def _latest(mind: Mind, jobs: Jobs, request: AnyRequest) -> dict[str, Job | None]:
    """What goes on, or was done lately: who comes back to the page sees it still."""
    caller, now = caller_of(request), mind.store.clock()

    def latest(*operations: str) -> Job | None:
        job = jobs.latest(caller, *operations)
        return job if job is not None and (job.is_running or now - job.started_at < SHOWN_FOR) else None

    return {
        "exported": latest("memory_export"),
        "imported": latest("memory_import"),
        "backed_up": latest(*OF_BACKUPS),
    }


def _tell(mind: Mind, work: Work) -> Told:
    is_admin = work.caller.role.includes(Role.ADMIN)
    names = may_name_any(work.caller, work.mode)
    told: dict[str, Any] = {"older": old_file(Path.home()) if names else None, "most_bytes": MOST_UPLOAD_BYTES}
    nodes, items = (count(work, table) for table in (WorkNode, WorkItem))
    told |= {"names_paths": names, "backups": None, "fault": None, "nodes": nodes, "tasks": items - nodes}
    if not is_admin:
        return told
    try:
        return told | {"backups": overview(mind.store)}
    except BigMindError as error:  # a drive that is not there: the rest of the page is of use without it
        return told | {"fault": error}


def _going(backup: BackupRow, since: StoreGrowth) -> dict[str, int]:
    """How many of each kind a restore takes away or changes back; what was imported may be of any time."""
    more = {kind: (now or 0) - backup.holds.get(kind, now or 0) for kind, now in since.now.items()}
    return {kind: max(later or 0, more[kind]) for kind, later in since.later.items()}


def _consequence(mind: Mind, work: Work, reference: str) -> Told:
    """What a restore would change, for who is asked whether to do it."""
    if not work.caller.role.includes(Role.ADMIN):
        raise BigMindError(Code.NOT_FOUND, "Only an admin restores backups.")
    try:
        row = one(mind.store, reference)
    except BigMindError as error:
        return {"backup": None, "fault": error}
    since = written_since(work, row.taken_at, row.change)
    return {
        "backup": row,
        "reference": reference,
        "fault": None,
        "since": since,
        "goes": _going(row, since),
        "is_missing": mind.store.safekeeping.loss is not None,
    }
