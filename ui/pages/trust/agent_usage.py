"""Usage: what each assistant really does with the memory, as recorded; as pictures, as numbers, as CSV and JSON."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.lazy_module import LazyModule
from bigmind.http.api import caller_of
from bigmind.store.work import Work
from ui.page import Page
from ui.page_addresses import number
from ui.page_headers import PAGE_HEADERS
from ui.shell import AnyRequest, Html, Told
from ui.show import work_words
from ui.show.usage_bars import ClientBars, bars_of
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.trust import service, usage_report
else:
    service = LazyModule("bigmind.trust.service")
    usage_report = LazyModule("bigmind.trust.usage_report")

USUAL_DAYS = 30
RANGES = (7, 30, 90, 366)
LONGEST_PROJECT = 200


def usage_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of the page, and of what is fetched from it."""
    shell = site.shell

    @get("/usage")
    async def usage(request: AnyRequest) -> Html:
        return await shell.page(request, "usage.html", "usage", lambda work: _told(work, request.query_params))

    @get("/usage/report.csv")
    async def as_csv(request: AnyRequest) -> Response[str]:
        text = await site.mind.dispatcher.read(
            caller_of(request), "page", lambda work: service.as_csv(_report(work, request.query_params))
        )
        return _file(text, "text/csv", "bigmind-usage.csv")

    @get("/usage/report.json")
    async def as_json(request: AnyRequest) -> Response[str]:
        text = await site.mind.dispatcher.read(
            caller_of(request), "page", lambda work: service.as_json(_report(work, request.query_params))
        )
        return _file(text, "application/json", "bigmind-usage.json")

    return [usage, as_csv, as_json]


USAGE = Page("usage", "Usage", "/usage", "u", usage_routes, group="This app")


def _file(text: str, media: str, name: str) -> Response[str]:
    headers = {**PAGE_HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, headers=headers, media_type=media)


def _report(work: Work, asked: Mapping[str, str]) -> "usage_report.UsageReport":
    days = min(max(1, number(asked, "days", max(RANGES)) or USUAL_DAYS), max(RANGES))
    project = asked.get("project", "")[:LONGEST_PROJECT]
    return service.report(work, service.period_of(work.now, days), project=project)


def _told(work: Work, asked: Mapping[str, str]) -> Told:
    found = _report(work, asked)
    days = (found.period.last - found.period.first).days + 1
    bars: Sequence[ClientBars] = bars_of(found.days, found.period.first, days)
    return {
        "found": found,
        "bars": bars,
        "days": days,
        "ranges": RANGES,
        "project": asked.get("project", "")[:LONGEST_PROJECT],
        "projects": sorted({each.project for each in found.agents if each.project}),
        "estimate": usage_report.ESTIMATE,
        "words": work_words,
    }
