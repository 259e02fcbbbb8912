"""Company knowledge: what waits for a curator, what holds, and one entry in full."""

from collections.abc import Mapping
from typing import cast, get_args
from urllib.parse import urlencode

from litestar import get, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Mode
from bigmind.memory.knowledge.listing import EntryQuery, ListedEntry, Order, by_status, categories, entries, entry_of
from bigmind.memory.rules import EntryStatus
from bigmind.store.work import Work
from ui.forms.actions import check_form
from ui.page import Page
from ui.page_addresses import address, filled, follow, number
from ui.shell import AnyRequest, Html, Told, problem_page
from ui.show.stored_fields import as_stored
from ui.show.word_diff import Stretch, difference
from ui.site import Site

PAGE = 30
QUEUE = 10
MOST_SHOWN = 1_000
LONGEST_FILTER = 200
LONGEST_COMPARED = 40_000
ORDERS: dict[Order, str] = {"importance": "Most important first", "newest": "Newest first"}
STATUSES: dict[EntryStatus, str] = {"approved": "Approved", "pending": "Waiting", "deprecated": "Deprecated"}
CATEGORIES = {
    "architecture": "Architecture",
    "standard": "Standards",
    "decision": "Decisions",
    "pattern": "Patterns",
    "glossary": "Glossary",
}


def knowledge_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of company knowledge."""
    shell, cookie = site.shell, site.cookie

    @get("/knowledge")
    async def knowledge(request: AnyRequest) -> Html:
        asked = request.query_params
        answer = await shell.page(request, "knowledge.html", "knowledge", lambda work: _list(work, asked))
        if request.headers.get("HX-Target") == "list":
            # The address bar follows the filter, without the empty fields of the form.
            to = address("/knowledge", _chosen(_query(asked)))
            answer.headers[follow(request.headers, to, "text")] = to
        return answer

    @get("/knowledge/more")
    async def more_knowledge(request: AnyRequest) -> Html:
        return await shell.fragment(request, "_entries.html", lambda work: _more(work, request.query_params))

    @get("/knowledge/{entry_id:str}")
    async def entry(request: AnyRequest, entry_id: FromPath[str]) -> Html:
        is_editing = request.query_params.get("edit") == "1"
        return await shell.page(
            request,
            "knowledge_entry.html",
            "knowledge",
            lambda work: {**_words(work), "judged": entry_of(work, entry_id), "is_editing": is_editing},
        )

    # A form, as the text is too long for an address; but nothing is written.
    @post("/knowledge/{entry_id:str}/changes", status_code=200)
    async def changes(request: AnyRequest, entry_id: FromPath[str]) -> Html:
        form = await request.form()
        fields = as_stored((name, str(value)) for name, value in form.multi_items())
        sent = {name: value[:LONGEST_COMPARED] for name, value in fields}
        try:
            check_form(request, cookie, sent)
        except BigMindError as error:
            return problem_page(request, error)
        return await shell.fragment(
            request, "_changes.html", lambda work: {"changes": _changes(entry_of(work, entry_id), sent)}
        )

    return [knowledge, more_knowledge, entry, changes]


KNOWLEDGE = Page(
    "knowledge",
    "Knowledge",
    "/knowledge",
    "k",
    knowledge_routes,
    group="Shared",
    total="knowledge",
    waiting="pending_knowledge",
    waits_for="to be approved",
    offers=frozenset(
        {
            "memory_accept",
            "memory_approve_global",
            "memory_edit_global",
            "memory_forget",
            "memory_promote_to_global",
            "memory_reopen_hypothesis",
            "memory_resolve_hypothesis",
        }
    ),
)


def _list(work: Work, asked: Mapping[str, str]) -> Told:
    query = _query(asked)
    found = entries(work, query, max(PAGE, number(asked, "shown", MOST_SHOWN)))
    return {
        **_of_query(work, query),
        "found": found,
        "shown": len(found.entries),
        "queue": None if query.status == "pending" else entries(work, EntryQuery("pending"), QUEUE),
        "counts": by_status(work),
        "by_category": categories(work, query.status),
        "orders": ORDERS,
    }


def _more(work: Work, asked: Mapping[str, str]) -> Told:
    query = _query(asked)
    found = entries(work, query, PAGE, asked.get("after", ""))
    return {**_of_query(work, query), "found": found, "shown": number(asked, "shown", MOST_SHOWN) + len(found.entries)}


def _of_query(work: Work, query: EntryQuery) -> Told:
    return {
        **_words(work),
        "query": query,
        "chosen": urlencode(filled(_chosen(query))),
        "is_filtered": bool(query.text or query.category),
    }


def _words(work: Work) -> Told:
    return {"statuses": STATUSES, "categories": CATEGORIES, "is_team": work.mode is Mode.TEAM}


def _changes(judged: ListedEntry, sent: Mapping[str, str]) -> list[tuple[str, list[Stretch]]]:
    """What an edit would change, by the names of the fields."""
    entry = judged.entry
    now = {
        "title": entry.title,
        "category": entry.category,
        "importance": str(entry.importance),
        "content": entry.content,
    }
    # A browser sends line ends of its own.
    wanted = {name: sent.get(name, text).replace("\r\n", "\n").strip() for name, text in now.items()}
    compared = ((name, difference(text, wanted[name])) for name, text in now.items())
    return [(name.capitalize(), found) for name, found in compared if found]


def _query(asked: Mapping[str, str]) -> EntryQuery:
    status = cast("EntryStatus", asked["status"]) if asked.get("status") in get_args(EntryStatus) else "approved"
    order: Order = "newest" if asked.get("order") == "newest" else "importance"
    category = asked.get("category", "")
    return EntryQuery(
        status, asked.get("text", "").strip()[:LONGEST_FILTER], category if category in CATEGORIES else "", order
    )


def _chosen(query: EntryQuery) -> dict[str, str]:
    """What of a query is not as usual."""
    return {
        "text": query.text,
        "category": query.category,
        "status": "" if query.status == "approved" else query.status,
        "order": "" if query.order == "importance" else query.order,
    }
