"""The board of work: items of one process by state; moving them, and making new ones."""

from collections.abc import Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.lazy_module import LazyModule
from bigmind.store.work import Work
from bigmind.work.rules import LONGEST_DESCRIPTION, LONGEST_TITLE
from ui.page import Page
from ui.page_addresses import address, filled, number
from ui.pages.work.item import item_routes
from ui.pages.work.nodes import node_routes
from ui.pages.work.process import process_routes
from ui.pages.work.roles import role_routes
from ui.shell import AnyRequest, Html, Told
from ui.show import work_cards
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.tasks import board as boards
else:
    boards = LazyModule("bigmind.tasks.board")

PAGE = 12
STEP = 50
MOST_SHOWN = 1_000
LONGEST_FILTER = 200


def work_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of work."""
    shell = site.shell
    site.mind.store.events.subscribe(work_cards.forget_drawn)

    @get("/work")
    async def board(request: AnyRequest) -> Html:
        asked = request.query_params
        answer = await shell.page(request, "work_board.html", "work", lambda work: _board(work, asked))
        if request.headers.get("HX-Target") == "board":
            # The address bar follows the filter, without the empty fields of the form.
            named = {name: asked.get(name, "") for name in ("process", "role", "project")}
            answer.headers["HX-Push-Url"] = address("/work", named)
        return answer

    @get("/work/more")
    async def more(request: AnyRequest) -> Html:
        return await shell.fragment(request, "_work_cards.html", lambda work: _more(work, request.query_params))

    return [board, more, *process_routes(site), *role_routes(site), *node_routes(site), *item_routes(site)]


WORK = Page(
    "work",
    "Work",
    "/work",
    "o",
    work_routes,
    group="Shared",
    total="open_work",
    offers=frozenset(
        {
            "memory_accept",
            "memory_forget",
            "memory_reopen_hypothesis",
            "memory_resolve_hypothesis",
            "mindspace_delete_node",
            "mindspace_record_gate",
            "mindspace_set_focus",
            "work_accept_standing",
            "work_create_task",
            "work_edit_task",
            "work_let_agents_create",
            "work_migrate_items",
            "work_move",
            "work_remove_process",
            "work_set_roles",
            "work_take_process",
            "work_write_field",
        }
    ),
)


def _query(work: Work, asked: Mapping[str, str]) -> tuple["boards.BoardQuery", "boards.BoardChoices"]:
    choices = boards.choices(work)
    named = asked.get("process", "")
    process = named if named in {each.name for each, _ in choices.processes} else choices.first
    role, project = asked.get("role", "")[:LONGEST_FILTER], asked.get("project", "")[:LONGEST_FILTER]
    return boards.BoardQuery(process, role, project), choices


def _board(work: Work, asked: Mapping[str, str]) -> Told:
    query, choices = _query(work, asked)
    limits = {
        name.removeprefix("shown."): max(PAGE, number(asked, name, MOST_SHOWN))
        for name in asked
        if name.startswith("shown.")
    }
    columns = boards.board(work, query, limits, PAGE)
    chosen = next(process for process, _ in choices.processes if process.name == query.process)
    return {
        **_around(query),
        "columns": columns,
        "shown": {each.name: len(each.cards) for each in columns},
        "choices": choices,
        "process": chosen,
        "total": sum(each.total for each in columns),
        "longest": {"title": LONGEST_TITLE, "description": LONGEST_DESCRIPTION},
    }


def _more(work: Work, asked: Mapping[str, str]) -> Told:
    query, _ = _query(work, asked)
    column = boards.more_of_column(work, query, asked.get("state", "")[:LONGEST_FILTER], STEP, asked.get("after", ""))
    shown = number(asked, f"shown.{column.name}", MOST_SHOWN) + len(column.cards)
    return {**_around(query), "column": column, "shown": {column.name: shown}}


def _around(query: "boards.BoardQuery") -> Told:
    named = {"process": query.process, "role": query.role, "project": query.project}
    return {
        "query": query,
        "chosen": urlencode(filled(named)),
        "is_filtered": bool(query.role or query.project),
        "drawn_all": work_cards.drawn_all,
        "step": STEP,
    }
