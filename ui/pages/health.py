"""Health: what the last check found and what mends it, what waits for a person, and the log."""

from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import File

from bigmind import VERSION
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Role, may_name_any
from bigmind.http.api import caller_of
from bigmind.maintenance.answers import Finding, Health
from bigmind.maintenance.examples import Example, examples
from bigmind.maintenance.review import list_flagged
from bigmind.paths import log_file, models_folder
from bigmind.server.log import log_end
from bigmind.store.work import Work
from ui.jobs import Job, Jobs
from ui.page import Page
from ui.page_headers import PAGE_HEADERS
from ui.shell import AnyRequest, Html, Shell, Told, problem_page
from ui.site import Site

CHECK = "memory_health_check"
FLAGGED = 50
MENDS = {
    "memory_missing": "restore",
    "file_damaged": "restore",
    "rows_without_owner": "restore",
    "fulltext_damaged": "reindex",
    "fulltext_out_of_step": "reindex",
    "derived_out_of_date": "reindex",
    "vectors_out_of_step": "reindex",
    "default_model_changes": "model",
    "moments_without_session": "reindex",
    "stale_facts": "facts",
    "low_confidence_facts": "facts",
    "facts_contradict": "pairs",
    "forgotten_sessions": "close",
    "sessions_without_detail": "sessions",
    "flagged_items": "flagged",
    "pending_knowledge": "knowledge",
    "lineage_closed": "restore",
    "weights_out_of_bounds": "reindex",
    "backup_failed": "backup",
    "backup_missing": "backup",
    "backup_old": "backup",
    "backup_damaged": "restore",
    "backups_away": "restore",
    "memory_of_another": "settings file",
    "memory_of_app": "restore",
    "clients_on_old_port": "clients",
    "disk_low": "vacuum",
    "disk_refuses": "disk",
    "part_failed": "install",
    "newer_version": "install",
    "ledger_differs": "ledger",
    "ledger_not_verified": "verify",
}
"""What the page offers for each finding."""
OPERATIONS = {
    "reindex": "memory_reindex",
    "backup": "backup_create",
    "vacuum": "memory_vacuum",
    "verify": "work_verify",
}
NO_LOG = "There is no log file: this server writes into the terminal that it was started in."
WEIGHTS = (("problem", "Needs mending"), ("warning", "Worth a look"), ("note", "For your information"))


@dataclass(frozen=True, slots=True)
class FindingView:
    """A finding as the page shows it: with what is offered, what was done since, and the things that it names."""

    finding: Finding
    mend: str
    mended: Job | None
    things: list[Example]

    @property
    def pairs(self) -> list[tuple[Example, Example]]:
        """The newer and the older of two things, without those of which one was dealt with."""
        left = {each.uid: each for each in self.things}
        named = zip(self.finding.examples[::2], self.finding.examples[1::2], strict=False)
        return [(left[newer], left[older]) for newer, older in named if newer in left and older in left]


def problems_found(jobs: Jobs, caller: Caller) -> int:
    """How many findings of the caller's last check want mending; notes do not."""
    check = _last_check(jobs, caller)
    return sum(each.severity != "note" for each in check[1].findings) if check else 0


def health_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of the page and of the log."""
    shell, jobs = site.shell, site.jobs

    @get("/health")
    async def health(request: AnyRequest) -> Html:
        return await shell.page(request, "health.html", "health", partial(_tell, shell, jobs))

    @get("/health/log")
    async def log(request: AnyRequest) -> Html:
        return await shell.fragment(request, "_log.html", _log)

    @get("/health/server.log")
    async def whole_log(request: AnyRequest) -> Response[Any] | File:
        caller = caller_of(request)
        try:
            file = await shell.read(caller, _log_file)
        except BigMindError as error:
            return problem_page(request, error)
        return File(file, filename="bigmind-server.log", media_type="text/plain", headers=PAGE_HEADERS)

    return [health, log, whole_log]


HEALTH = Page(
    "health",
    "Health",
    "/health",
    "c",
    health_routes,
    group="This app",
    waiting="flagged",
    waits_for="to be read and accepted",
    offers=frozenset(
        {
            "backup_create",
            "backup_restore",
            "memory_accept",
            "memory_close_forgotten",
            "memory_deprecate_fact",
            "memory_edit_fact",
            "memory_forget",
            "memory_keep_both_facts",
            "memory_health_check",
            "memory_reindex",
            "memory_reinstate_fact",
            "memory_store_fact",
            "memory_vacuum",
            "work_verify",
            "secrets_scan",
        }
    ),
)


def _tell(shell: Shell, jobs: Jobs, work: Work) -> Told:
    check = _last_check(jobs, work.caller)
    running = next((each for each in jobs.running(work.caller) if each.operation.name == CHECK), None)
    shown = _shown(jobs, work, *check) if check else []
    return {
        "checked": check,
        "running": running,
        "groups": [(name, title, [e for e in shown if e.finding.severity == name]) for name, title in WEIGHTS],
        "flagged": list_flagged(work, FLAGGED),
        "offer": shell.offer(),
        "pages": {each.name: each.page for each in work.kinds if each.page},
        **(_log(work) if work.caller.role.includes(Role.ADMIN) else {"log": None}),
        "product": VERSION,
        "places": _places(work) if may_name_any(work.caller, work.mode) else {},
    }


def _places(work: Work) -> dict[str, Path]:
    """Where everything is, for whoever may name a place of this machine."""
    home = work.host.settings.home
    return {
        "Data folder": home,
        "Database": work.store.path,
        "Backups": work.store.safekeeping.folder,
        **({"Log": log_file(home)} if log_file(home).is_file() else {}),
        "Settings": work.host.settings.file,
        "Models": models_folder(home),
    }


def _last_check(jobs: Jobs, caller: Caller) -> tuple[datetime, Health] | None:
    """When the caller's newest finished check began, and what it found."""
    job = jobs.latest_done(caller, CHECK)
    return (job.started_at, job.answer) if job is not None and isinstance(job.answer, Health) else None


def _shown(jobs: Jobs, work: Work, at: datetime, answer: Health) -> list[FindingView]:
    found: list[FindingView] = []
    for each in answer.findings:
        mend = MENDS.get(each.code, "")
        done = jobs.latest_done(work.caller, OPERATIONS[mend]) if mend in OPERATIONS else None
        mended = done if done is not None and done.started_at > at and not done.given.get("dry_run") else None
        things = examples(work, each.examples, at) if mend in {"facts", "pairs", "sessions", "close"} else []
        found.append(FindingView(each, mend, mended, things))
    return found


def _log(work: Work) -> dict[str, Any]:
    return {"log": log_end(_home(work)), "no_log": NO_LOG}


def _log_file(work: Work) -> Path:
    file = log_file(_home(work))
    if not file.is_file():
        raise BigMindError(Code.NOT_FOUND, NO_LOG)
    return file


def _home(work: Work) -> Any:
    """Where the log is, for whoever may read it: it tells of everybody who uses this BigMind."""
    if not work.caller.role.includes(Role.ADMIN):
        raise BigMindError(Code.FORBIDDEN, "The log is for who looks after this BigMind.", "Ask an admin.")
    return work.host.settings.home
