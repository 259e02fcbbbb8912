"""Hypotheses: a board by how they turned out, one of them in full, and how often they came true."""

from collections.abc import Mapping
from typing import cast
from urllib.parse import urlencode

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.memory.hypotheses.calibration import LEAST_RESOLVED, calibration
from bigmind.memory.hypotheses.listing import STATUSES, BoardQuery, Order, belief, board, hypothesis_projects, more_of
from bigmind.memory.hypotheses.service import Status
from bigmind.store.work import Work
from ui.forms.input import SURENESS
from ui.page import Page
from ui.page_addresses import address, filled, follow, number
from ui.shell import AnyRequest, Html, Told
from ui.site import Site

PAGE = 12
MOST_SHOWN = 1_000
LONGEST_FILTER = 200
ORDERS: dict[Order, str] = {"newest": "Newest first", "surest": "Surest first"}
COLUMNS: dict[Status, tuple[str, str, str]] = {
    "open": (
        "Open",
        "still to be checked",
        "Nothing is open. What an assistant believes and cannot show yet stands here.",
    ),
    "confirmed": ("Confirmed", "came true", "What came true stands here, with what showed it."),
    "refuted": ("Refuted", "turned out wrong", "What turned out wrong stands here, with what showed it."),
    "abandoned": ("Abandoned", "not worth pursuing", "What was given up stands here, with the reason."),
}
"""Of each status: its name, what it means, and what an empty column says."""


def hypothesis_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of hypotheses."""
    shell = site.shell

    @get("/hypotheses")
    async def hypotheses(request: AnyRequest) -> Html:
        asked = request.query_params
        answer = await shell.page(request, "hypotheses.html", "hypotheses", lambda work: _board(work, asked))
        if request.headers.get("HX-Target") == "board":
            # The address bar follows the filter, without the empty fields of the form.
            to = address("/hypotheses", _chosen(_query(asked)))
            answer.headers[follow(request.headers, to, "text")] = to
        return answer

    @get("/hypotheses/more")
    async def more_hypotheses(request: AnyRequest) -> Html:
        return await shell.fragment(request, "_beliefs.html", lambda work: _more(work, request.query_params))

    @get("/hypotheses/{hypothesis_id:str}")
    async def hypothesis(request: AnyRequest, hypothesis_id: FromPath[str]) -> Html:
        return await shell.page(
            request,
            "hypothesis.html",
            "hypotheses",
            lambda work: {"belief": belief(work, hypothesis_id), "sureness": SURENESS, "names": COLUMNS},
        )

    return [hypotheses, more_hypotheses, hypothesis]


HYPOTHESES = Page(
    "hypotheses",
    "Hypotheses",
    "/hypotheses",
    "h",
    hypothesis_routes,
    total="open_hypotheses",
    offers=frozenset(
        {
            "memory_accept",
            "memory_add_hypothesis",
            "memory_edit_hypothesis",
            "memory_forget",
            "memory_reopen_hypothesis",
            "memory_resolve_hypothesis",
        }
    ),
)


def _board(work: Work, asked: Mapping[str, str]) -> Told:
    query = _query(asked)
    limits: dict[Status, int] = {status: max(PAGE, number(asked, f"shown.{status}", MOST_SHOWN)) for status in STATUSES}
    columns = board(work, query, limits)
    return {
        **_of_query(query),
        "columns": columns,
        "shown": {each.status: len(each.beliefs) for each in columns},
        "total": sum(each.total for each in columns),
        "projects": hypothesis_projects(work),
        "orders": ORDERS,
        "calibration": calibration(work),
        "least": LEAST_RESOLVED,
    }


def _more(work: Work, asked: Mapping[str, str]) -> Told:
    query = _query(asked)
    status = cast("Status", asked["status"]) if asked.get("status") in STATUSES else "open"
    column = more_of(work, query, status, PAGE, asked.get("after", ""))
    shown = number(asked, f"shown.{status}", MOST_SHOWN) + len(column.beliefs)
    return {**_of_query(query), "column": column, "shown": {status: shown}}


def _of_query(query: BoardQuery) -> Told:
    return {
        "query": query,
        "chosen": urlencode(filled(_chosen(query))),
        "is_filtered": bool(query.text or query.project),
        "names": COLUMNS,
        "sureness": SURENESS,
    }


def _query(asked: Mapping[str, str]) -> BoardQuery:
    order: Order = "surest" if asked.get("order") == "surest" else "newest"
    return BoardQuery(asked.get("text", "").strip()[:LONGEST_FILTER], asked.get("project", ""), order)


def _chosen(query: BoardQuery) -> dict[str, str]:
    """What of a query is not as usual."""
    return {"text": query.text, "project": query.project, "order": "" if query.order == "newest" else query.order}
