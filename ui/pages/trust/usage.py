"""Usage: what each assistant really did, per client, agent and project; its exports; and the course of a run."""

import json
from collections.abc import Callable, Mapping
from datetime import date
from typing import TYPE_CHECKING, Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from sqlmodel import col, select

from bigmind.core.errors import BigMindError
from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Mode
from bigmind.http.api import caller_of
from bigmind.memory.tables import MemorySession
from bigmind.store.work import Work
from bigmind.trust.rules import MOST_DAYS, USUAL_DAYS
from bigmind.usage.tables import ClientState
from ui.page import Page
from ui.page_addresses import address, number
from ui.page_headers import PAGE_HEADERS
from ui.shell import AnyRequest, Html, Shell, Told, problem_page
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.trust import measures, run_course, service, usage_report
    from ui.show import run_timeline, usage_chart
else:
    measures = LazyModule("bigmind.trust.measures")
    service = LazyModule("bigmind.trust.service")
    usage_report = LazyModule("bigmind.trust.usage_report")
    run_course = LazyModule("bigmind.trust.run_course")
    usage_chart = LazyModule("ui.show.usage_chart")
    run_timeline = LazyModule("ui.show.run_timeline")

RANGES = (7, 30, 90, 365)
DAILY_UNTIL = 45
"""Days of a range up to which a bar is a day; beyond, it is a week."""
WEEK = 7
MOST_CLIENTS = 24
MOST_NAMED = 50
MOST_PIECES = 15
LONGEST = 200


def usage_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of usage."""
    shell = site.shell

    @get("/usage")
    async def usage(request: AnyRequest) -> Html:
        asked = request.query_params
        answer = await shell.page(request, "usage.html", "usage", lambda work: _told(work, asked))
        if request.headers.get("HX-Target") == "report":
            answer.headers["HX-Push-Url"] = address("/usage", _named(asked))
        return answer

    @get("/usage/commits")
    async def commits(request: AnyRequest) -> Html:
        """What git says, which takes longer than a page may."""
        return await shell.fragment(
            request,
            "_usage_commits.html",
            lambda work: {"workspaces": usage_report.commit_report(work, _query(work, request.query_params))},
        )

    @get("/usage/runs/{run_id:str}")
    async def run(request: AnyRequest, run_id: FromPath[str]) -> Html:
        return await shell.page(request, "usage_run.html", "usage", lambda work: _course(work, run_id))

    return [usage, commits, run, *_export_routes(shell)]


def _export_routes(shell: Shell) -> list[HTTPRouteHandler]:
    @get("/usage/export.csv")
    async def as_csv(request: AnyRequest) -> Html:
        return await _file(shell, request, "csv", lambda work: _answer(work, request, by_day=True).as_csv())

    @get("/usage/export.json")
    async def as_json(request: AnyRequest) -> Html:
        def written(work: Work) -> str:
            told = _answer(work, request, by_day=True).model_dump(mode="json")
            return json.dumps(told, indent=2, ensure_ascii=False)

        return await _file(shell, request, "json", written)

    return [as_csv, as_json]


USAGE = Page("usage", "Usage", "/usage", "u", usage_routes, group="This app")


async def _file(shell: Shell, request: AnyRequest, ending: str, written: Callable[[Work], str]) -> Html:
    """A file for the browser to keep."""
    try:
        text = await shell.read(caller_of(request), written)
    except BigMindError as error:
        return problem_page(request, error)
    media = "text/csv" if ending == "csv" else "application/json"
    headers = {**PAGE_HEADERS, "Content-Disposition": f'attachment; filename="bigmind_usage.{ending}"'}
    return Response(text, headers=headers, media_type=f"{media}; charset=utf-8")


def _answer(work: Work, request: AnyRequest, *, by_day: bool) -> Any:
    return service.usage_answer(work, _query(work, request.query_params), by_day=by_day, commits=False)


def _query(work: Work, asked: Mapping[str, str]) -> Any:
    """What the address asks for; days that are none count as not given."""
    days = number(asked, "days", MOST_DAYS) or USUAL_DAYS
    since, until = _day(asked, "since"), _day(asked, "until")
    client, project = asked.get("client", "")[:LONGEST], asked.get("project", "")[:LONGEST]
    try:
        return service.query_of(work, days, since, until, client, project)
    except BigMindError:
        return service.query_of(work, days, None, None, client, project)


def _day(asked: Mapping[str, str], name: str) -> date | None:
    try:
        return date.fromisoformat(asked.get(name, "")[:10])
    except ValueError:
        return None


def _named(asked: Mapping[str, str]) -> dict[str, str]:
    return {name: asked.get(name, "")[:LONGEST] for name in ("days", "since", "until", "client", "project", "by")}


def _told(work: Work, asked: Mapping[str, str]) -> Told:
    query = _query(work, asked)
    report = usage_report.usage_report(work, query)
    counted, span = report.counted, (query.until - query.since).days + 1
    by = asked.get("by", "") if asked.get("by") in {"day", "week"} else "day" if span <= DAILY_UNTIL else "week"
    named = _named(asked)
    return {
        "query": query,
        "asked": named,
        "by": by,
        "days": number(asked, "days", MOST_DAYS) or USUAL_DAYS,
        "ranges": {each: address("/usage", named | {"days": each, "since": "", "until": ""}) for each in RANGES},
        "counted": counted,
        "panels": usage_chart.client_panels(counted, 1 if by == "day" else WEEK, MOST_CLIENTS),
        "measures": measures.MEASURES,
        "themes": list(measures.Theme),
        "tale": report.tale,
        "runs": report.runs,
        "most": {"clients": MOST_CLIENTS, "named": MOST_NAMED, "pieces": MOST_PIECES},
        "choices": _choices(work, list(counted.by_client), list(counted.by_project)),
        "exports": {ending: address(f"/usage/export.{ending}", named) for ending in ("csv", "json")},
        "is_team": work.mode is not Mode.PERSONAL,
    }


def _choices(work: Work, clients: list[str], projects: list[str]) -> dict[str, list[str]]:
    """The clients and projects that one may choose, by name; what was counted comes with what is known else."""
    mine = work.caller.user_id
    known = work.session.exec(select(ClientState.client).where(ClientState.user_id == mine).limit(MOST_NAMED))
    worked = select(MemorySession.project).where(MemorySession.user_id == mine, col(MemorySession.project).is_not(None))
    found = work.session.exec(worked.distinct().limit(MOST_NAMED))
    return {
        "clients": sorted({*clients[:MOST_NAMED], *known}),
        "projects": sorted({*filter(None, projects[:MOST_NAMED]), *(each for each in found if each)}),
    }


def _course(work: Work, run_id: str) -> Told:
    course = run_course.run_course(work, run_id)
    return {"course": course, "timeline": run_timeline.run_timeline(course)}
