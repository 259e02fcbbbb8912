"""Facts: all that stays true, looked through, put right, put away."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlencode

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.errors import BigMindError
from bigmind.memory.facts.contradictions import contradictions_of
from bigmind.memory.facts.history import fact_history
from bigmind.memory.facts.listing import (
    ORDERS,
    STATES,
    FactQuery,
    ListedFact,
    Order,
    State,
    choices,
    fact_named,
    holding,
    list_stretch,
    successors,
)
from bigmind.memory.projects.service import aliases
from bigmind.memory.tables import Fact
from bigmind.store.work import Work
from ui.forms.input import SURENESS
from ui.forms.several import MOST
from ui.page import Page
from ui.page_addresses import address, filled, follow, number
from ui.shell import AnyRequest, Html, Told
from ui.site import Site

PAGE = 40
MOST_SHOWN = 1_000
MOST_TYPED = 200
SUCCESSORS = 12
QUOTED = 5
MOST_COUNTED = 999_999
WITHOUT = "-"
"""In the address, stands for no project: no project is called so."""

KINDS = ("identity", "preference", "decision", "codebase", "constraint")
"""The categories that assistants are told of; any other word will do as well."""

Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True, slots=True)
class FactsQuery:
    """What the address asks for; what is unknown in it counts as not given."""

    text: str
    category: str
    project: str
    client: str
    state: State
    sort: Order

    @property
    def query(self) -> FactQuery:
        """The same for the store."""
        return FactQuery(
            words=self.text,
            category=self.category,
            project="" if self.project == WITHOUT else self.project,
            client=self.client,
            without_project=self.project == WITHOUT,
            state=self.state,
            order=self.sort,
        )

    @property
    def is_filtered(self) -> bool:
        """Whether less than all of that state is asked for."""
        return bool(self.text.strip() or self.category or self.project or self.client)

    def parameters(self, **other: object) -> dict[str, object]:
        """The address's parameters, with some of them otherwise."""
        named = {
            "text": self.text,
            "category": self.category,
            "project": self.project,
            "client": self.client,
            "state": self.state if self.state != STATES[0] else "",
            "sort": self.sort if self.sort != ORDERS[0] else "",
        }
        return {**named, **other}

    def address(self, **other: object) -> str:
        """The page that asks this."""
        return address("/facts", self.parameters(**other))


def fact_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of facts."""
    shell = site.shell

    @get("/facts")
    async def facts(request: AnyRequest) -> Html:
        asked = _asked(request.query_params)
        answer = await shell.page(request, "facts.html", "facts", lambda work: _list(work, asked, request.query_params))
        if request.headers.get("HX-Target") == "list":
            answer.headers[follow(request.headers, asked.address(), "text")] = asked.address()
        return answer

    @get("/facts/more")
    async def more_facts(request: AnyRequest) -> Html:
        asked = _asked(request.query_params)
        return await shell.fragment(
            request, "_fact_rows.html", lambda work: _rows(work, asked, PAGE, request.query_params)
        )

    @get("/facts/chosen")
    async def chosen(request: AnyRequest) -> Html:
        uids = request.query_params.getall("id", [])
        return await shell.fragment(request, "_facts_chosen.html", lambda work: _chosen(work, uids))

    @get("/facts/{fact_id:str}")
    async def fact(request: AnyRequest, fact_id: FromPath[str]) -> Html:
        # A page that is open already shows what became of its fact; an address that leads nowhere is an error.
        is_open = "HX-Request" in request.headers
        return await shell.page(
            request, "fact.html", "facts", lambda work: {"reference": fact_id, **_one(work, fact_id, is_open=is_open)}
        )

    @get("/facts/{fact_id:str}/unfolded")
    async def unfolded(request: AnyRequest, fact_id: FromPath[str]) -> Html:
        against = request.query_params.get("against", "")
        return await shell.fragment(request, "_fact_unfolded.html", lambda work: _unfolded(work, fact_id, against))

    return [facts, more_facts, chosen, fact, unfolded]


FACTS = Page(
    "facts",
    "Facts",
    "/facts",
    "f",
    fact_routes,
    total="facts",
    offers=frozenset(
        {
            "brain_promote",
            "memory_accept",
            "memory_deprecate_fact",
            "memory_edit_fact",
            "memory_forget",
            "memory_keep_both_facts",
            "memory_reinstate_fact",
            "memory_store_fact",
            "project_join_alias",
            "project_undo_alias",
        }
    ),
)


def _asked(given: Mapping[str, str]) -> FactsQuery:
    return FactsQuery(
        text=given.get("text", "")[:MOST_TYPED],
        category=given.get("category", ""),
        project=given.get("project", ""),
        client=given.get("client", ""),
        state=_one_of(STATES, given.get("state", "")),
        sort=_one_of(ORDERS, given.get("sort", "")),
    )


def _one_of(choices: Sequence[Choice], name: str) -> Choice:
    return next((each for each in choices if name == each), choices[0])


def _list(work: Work, asked: FactsQuery, given: Mapping[str, str]) -> Told:
    # What stood on the page before stands there again when it is brought up to date.
    limit = max(PAGE, number(given, "shown", MOST_SHOWN))
    known = {"aliases": aliases(work).aliases, "most_typed": MOST_TYPED}
    return {**_rows(work, asked, limit, {}), **_editing(work, asked.query.state), **known}


def _rows(work: Work, asked: FactsQuery, limit: int, given: Mapping[str, str]) -> dict[str, Any]:
    """One stretch of the list; `shown` counts what stands on the page with it."""
    found = list_stretch(work, asked.query, limit, given.get("after", ""))
    shown = len(found.facts) + number(given, "shown", MOST_COUNTED)
    more = urlencode(filled(asked.parameters(after=found.last, shown=shown))) if found.last else ""
    others = _contradicted(work, [each.uid for each in found.facts])
    return {"asked": asked, "found": found, "others": others, "shown": shown, "more": more, "step": PAGE}


def _chosen(work: Work, uids: Sequence[str]) -> Told:
    """Those of the chosen that still hold, as many as are archived at once; the first of them with their words."""
    found = holding(work, uids[:MOST])
    left = max(0, len(uids) - MOST)
    return {"uids": [uid for uid, _ in found], "quoted": [text for _, text in found[:QUOTED]], "left": left}


def _contradicted(work: Work, uids: Sequence[str]) -> dict[str, Fact]:
    """Of the facts that contradict another one of the list, and nobody said that both hold, the other."""
    pairs = contradictions_of(work, uids)
    return {one.uid: other for pair in pairs for one, other in (pair, pair[::-1])}


def _pair(work: Work, uid: str, other: str) -> list[ListedFact]:
    """The two, the newer first; none where one holds no more by now, or somebody said that both do."""
    found = contradictions_of(work, [uid, other]) if other else []
    return [fact_named(work, each.uid) for each in found[0]] if found else []


def _one(work: Work, reference: str, *, is_open: bool) -> Told:
    try:
        return _unfolded(work, reference)
    except BigMindError as error:
        if not (is_open and error.missing):
            raise
        return {"fact": None, **_editing(work, "active")}


def _unfolded(work: Work, reference: str, against: str = "") -> dict[str, Any]:
    """One fact with all that can be done with it, what happened to it, and the one that it may contradict."""
    fact = fact_named(work, reference)
    return {
        "fact": fact,
        "pair": _pair(work, fact.uid, against),
        "events": fact_history(work, fact.uid).events[::-1],
        "successors": successors(work, fact.uid, SUCCESSORS) if fact.deprecated_at is None else [],
        **_editing(work, "active"),
    }


def _editing(work: Work, state: State) -> dict[str, Any]:
    """What a form of a fact offers to choose from."""
    return {"choices": choices(work, state), "kinds": KINDS, "sureness": SURENESS}
