"""The processes: each drawn and as a table; taking a document in person; leading items to a newer version."""

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from markupsafe import Markup

from bigmind.core.errors import BigMindError, invalid
from bigmind.core.lazy_module import LazyModule
from bigmind.flow.workflow import Process
from bigmind.store.work import Work
from ui.forms.named_file import fields_of
from ui.page_addresses import number
from ui.shell import AnyRequest, Html, Told, problem_page
from ui.show import work_words
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.flow import diagram, process_document
    from bigmind.work import items, processes
    from bigmind.work.in_person import item_migration, process_shelf
else:
    diagram = LazyModule("bigmind.flow.diagram")
    process_document = LazyModule("bigmind.flow.process_document")
    item_migration = LazyModule("bigmind.work.in_person.item_migration")
    process_shelf = LazyModule("bigmind.work.in_person.process_shelf")
    items = LazyModule("bigmind.work.items")
    processes = LazyModule("bigmind.work.processes")

MOST_VERSION = 100_000
MOST_STEPS = 50
"""Items of a migration that are shown one by one."""


def process_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of processes."""
    shell, cookie = site.shell, site.cookie

    @get("/work/processes")
    async def all_processes(request: AnyRequest) -> Html:
        return await shell.page(request, "work_processes.html", "work", _all)

    # A form, as the text is too long for an address; but nothing is written.
    @post("/actions/work/check", status_code=200)
    async def check(request: AnyRequest) -> Html:
        try:
            text = dict(await fields_of(request, cookie)).get("text", "").replace("\r\n", "\n")
            if not text.strip():
                raise invalid("text", "", "a process document: paste one, or choose a file")
            if "HX-Request" in request.headers:
                return await shell.fragment(request, "_work_offer.html", lambda work: _offer(work, text))
        except BigMindError as error:
            return problem_page(request, error)
        return await shell.page(
            request, "work_processes.html", "work", lambda work: {**_all(work), **_offer(work, text)}
        )

    @get("/work/processes/{name:str}")
    async def process(request: AnyRequest, name: FromPath[str]) -> Html:
        return await shell.page(
            request, "work_process.html", "work", lambda work: _one(work, name, request.query_params)
        )

    return [all_processes, check, process]


def _all(work: Work) -> Told:
    counts: Counter[str] = Counter()
    for (process, _), count in items.items_by_state(work).items():
        counts[process] += count
    return {
        "processes": [
            *((each, counts[each.name]) for each in processes.processes(work)),
            (processes.shipped(processes.SESSION), None),  # its runs are no items
        ],
        "nodes": processes.OF_TASKS_ONLY,
        "shipped": processes.OWN_NAMES,
        "offer": None,
        "text": "",
        "longest": process_document.LONGEST,
    }


def _offer(work: Work, text: str) -> Told:
    return {
        "offer": process_shelf.offered(work, text),
        "may_decide": process_shelf.may_decide(work),
        "text": text,
        "longest": process_document.LONGEST,
    }


def _one(work: Work, name: str, asked: Mapping[str, str]) -> Told:
    shelf = process_shelf.shelf_of(work, name)
    version = number(asked, "version", MOST_VERSION) or shelf[0].version
    process = processes.process_of(work, name, version)
    newest = shelf[0].version
    plan = item_migration.plan(work, name, newest) if len(shelf) > 1 else None
    return {
        "process": process,
        "rows": diagram.rows(process),
        "picture": _picture(process),
        "shelf": shelf,
        "may_decide": process_shelf.may_decide(work),
        "is_shipped": name in processes.OWN_NAMES,
        "holds": {processes.SESSION: "", processes.OF_TASKS_ONLY: "node"}.get(name, "item"),
        "may_create": processes.may_agents_create(work, process),
        "plan": plan if plan is not None and plan.steps else None,
        "most_steps": MOST_STEPS,
        "words": work_words,
    }


def _picture(process: Process) -> Markup:
    """The drawing, as wide as it was drawn: a small process is not blown up, and a large one stays readable."""
    drawn = diagram.svg(process)
    _, _, width, _ = drawn.partition('viewBox="')[2].partition('"')[0].split()
    return Markup(drawn.replace("<svg ", f'<svg width="{width}" ', 1))  # noqa: S704 - all of its text is escaped there
