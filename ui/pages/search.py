"""Search: one field over everything that is remembered, answered while it is typed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler
from sqlalchemy import exists, select

from bigmind import registry
from bigmind.core.clock import iso
from bigmind.core.errors import BigMindError, Code
from bigmind.core.ids import short
from bigmind.core.kind import Kind
from bigmind.kinds import readable
from bigmind.memory.answers import looked_for
from bigmind.memory.id_questions import NO_SUCH_ID, asks_for_id
from bigmind.memory.recall.answers import OWN, Finding, Findings, MomentHit
from bigmind.memory.recall.operations import memory_semantic_search
from bigmind.memory.sessions.overview import places_of, project_weights, topic_weights
from bigmind.search.model_state import active_model, progress
from bigmind.store.work import Work
from ui.page import Page
from ui.page_addresses import address
from ui.shell import AnyRequest, Html, Shell, Told
from ui.site import Site

PAGE = 20
MOST_SHOWN = 100
MOST_TYPED = 5_000
"""Characters that the field takes; an address is not longer than a server reads, and nothing beyond is looked for."""

CHOICES = 100
SUGGESTED = 8
KINDS = {each.called: each.name for each in registry.KINDS.searched}
"""What the filter names: what the tool takes."""
_SHORTER = {"knowledge": "Knowledge", "profile": "Profile", "work_item": "Work"}
"""Kinds whose filter is called as their page is."""
CHIPS = [
    ("", "All"),
    *((each.called, _SHORTER.get(each.name, each.words.many.capitalize())) for each in registry.KINDS.searched),
]
"""The filter's choices: every kind that is found."""
SINCE = {"week": 7, "month": 31, "year": 366}
_FIRST_MOMENTS = 50
"""The moments that a session's page shows at once."""
_BEFORE = 5


@dataclass(frozen=True, slots=True)
class PageQuery:
    """What the address asks for; of the filters, what is unknown counts as not given."""

    words: str
    kind: str
    project: str
    since: str
    shown: int

    @property
    def is_blank(self) -> bool:
        """Whether nothing is asked."""
        return not self.words.strip()

    @property
    def is_filtered(self) -> bool:
        """Whether less than everything is looked through."""
        return bool(self.kind or self.project or self.since)

    def address(self, **other: object) -> str:
        """The page that asks this, with some of it otherwise; nothing empty stands in it."""
        named = {"q": self.words, "kind": self.kind, "project": self.project, "since": self.since}
        return address("/search", {**named, **other})


@dataclass(frozen=True, slots=True)
class MomentLine:
    """A moment below its session's line, where it can be read, and its number there."""

    found: MomentHit
    link: str
    place: int | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A finding as a row.

    Attributes:
        found: the finding.
        name: its kind, as people say it.
        title: the headline that it stands under, with marks; empty when its text says it all.
        excerpt: the stretch that answers, with marks; empty when the title is it.
        field: what of the thing the excerpt is, where that is not the thing itself.
        link: where it can be read in full.
        origin: the session that it comes from, where `link` is another page; else empty.
        moments: of a session, those that were found.
    """

    found: Finding
    name: str
    title: str
    excerpt: str
    field: str
    link: str
    origin: str
    moments: list[MomentLine]


def search_routes(site: Site) -> list[HTTPRouteHandler]:
    """The route of search."""
    shell = site.shell

    @get("/search")
    async def search(request: AnyRequest) -> Html:
        asked = _asked(request.query_params)
        if request.headers.get("HX-Target") != "found":
            return await shell.page(request, "search.html", "search", lambda work: _page(shell, work, asked))
        answer = await shell.fragment(request, "_found_in_place.html", lambda work: _found(shell, work, asked))
        # A filter is a step that one may want to take back; a letter is none.
        by_filter = request.headers.get("HX-Trigger") == "filters"
        answer.headers["HX-Push-Url" if by_filter else "HX-Replace-Url"] = asked.address()
        return answer

    return [search]


SEARCH = Page("search", "Search", "/search", "/", search_routes)


def _asked(given: Mapping[str, str]) -> PageQuery:
    kind, since, shown = given.get("kind", ""), given.get("since", ""), given.get("shown", "")
    return PageQuery(
        words=given.get("q", ""),
        kind=kind if kind in KINDS else "",
        project=given.get("project", ""),
        since=since if since in SINCE else "",
        shown=next((step for step in range(PAGE, MOST_SHOWN + 1, PAGE) if str(step) == shown), PAGE),
    )


def _page(shell: Shell, work: Work, asked: PageQuery) -> Told:
    return {
        **_found(shell, work, asked),
        "projects": project_weights(work, CHOICES),
        "most_typed": MOST_TYPED,
        "chips": CHIPS,
        "live": _live(work),
    }


def _live(work: Work) -> str:
    """What may change that is found here."""
    return " ".join(each.name for each in work.kinds.searched)


def _found(shell: Shell, work: Work, asked: PageQuery) -> dict[str, Any]:
    told: dict[str, Any] = {
        "asked": asked,
        "hits": [],
        "answers_well": True,
        "more": "",
        "words_only": "",
        "looked_for": "",
        "waiting": 0,
        "topics": [],
        "is_missing": work.store.safekeeping.loss is not None,
        "status": "",
    }
    told["is_long"] = len(asked.words) >= MOST_TYPED
    if told["is_missing"]:
        return told
    if asked.is_blank:
        _make_ready(work)
        topics = topic_weights(work, SUGGESTED).heaviest
        return {**told, "topics": topics, "holds_something": bool(topics) or _holds_something(work)}
    found = _search(shell, work, asked)
    has_more = len(found.hits) > asked.shown
    hits = _hits(work, found.hits[: asked.shown])
    return {
        **told,
        "hits": hits,
        "more": asked.address(shown=asked.shown + PAGE) if has_more and asked.shown < MOST_SHOWN else "",
        "words_only": found.words_only,
        "looked_for": looked_for(found.looked_for).strip(),
        "waiting": 0 if found.words_only else progress(work).waiting,
        "answers_well": found.answers_well,
        "status": _status(found, has_more=has_more or len(hits) == MOST_SHOWN, shown=len(hits)),
    }


def _holds_something(work: Work) -> bool:
    """Whether there is anything to look for; a session by itself says nothing yet."""
    kinds = [each for each in work.kinds.searched if each.name != "session"]
    return any(work.session.scalar(_is_there(work, each)) for each in kinds)


def _is_there(work: Work, kind: Kind) -> Any:
    """Whether anything of the kind may be found."""
    found = (each.over(kind.table) for each in kind.found_when)
    return select(exists().select_from(kind.table).where(readable(work, kind), *found))


def _make_ready(work: Work) -> None:
    """Have the model loaded while the person still thinks: it takes about a second. Nobody waits for the answer."""
    work.host.meaning.ask(active_model(work), "Search everything")


def _search(shell: Shell, work: Work, asked: PageQuery) -> Findings:
    """One more than is shown, which says whether there is more."""
    wanted: dict[str, Any] = {"query": asked.words, "limit": min(asked.shown + 1, MOST_SHOWN)}
    if asked.kind:
        wanted["kinds"] = [KINDS[asked.kind]]
    if asked.project:
        wanted["project"] = asked.project
    if asked.since:
        wanted["since"] = iso(work.now - timedelta(days=SINCE[asked.since]))
    try:
        return shell.answer(work, memory_semantic_search, **wanted)
    except BigMindError as error:
        if not error.problems:
            raise
        problems = "; ".join(str(each) for each in error.problems)
        raise BigMindError(Code.INVALID_INPUT, "This cannot be looked for.", problems) from None


def _hits(work: Work, findings: Sequence[Finding]) -> list[Hit]:
    places = places_of(work, [moment.id for each in findings for moment in each.moments])
    return [_hit(each, work.kinds[each.kind], places) for each in findings]


def _hit(found: Finding, kind: Kind, places: Mapping[str, int]) -> Hit:
    title = found.title or (f"Session {short(found.id)}" if found.kind == "session" else "")
    # A moment and a session stand on the session's page; whatever else has pages of its own.
    page = kind.page if kind.page and kind.name != "session" else None
    return Hit(
        found=found,
        name=kind.called.capitalize(),
        title=title,
        excerpt="" if found.excerpt == found.title else found.excerpt,
        field="" if found.field in OWN else found.field.capitalize(),
        link=_session(found) if page is None else page if kind.is_single else f"{page}/{found.id}",
        origin="" if page is None else _session(found),
        moments=[MomentLine(each, _moment(found, places.get(each.id)), places.get(each.id)) for each in found.moments],
    )


def _session(found: Finding) -> str:
    return f"/sessions/{found.session_id}" if found.session_id is not None else ""


def _moment(found: Finding, place: int | None) -> str:
    """The session's page, at its moment of that number."""
    session = _session(found)
    if place is None:
        return session
    return (
        f"{session}?after={place - _BEFORE}#moment-{place}" if place > _FIRST_MOMENTS else f"{session}#moment-{place}"
    )


def _status(found: Findings, *, has_more: bool, shown: int) -> str:
    if (not shown or not found.answers_well) and asks_for_id(found.query):
        return f"{NO_SUCH_ID}{' Closest:' if shown else ''}"
    if not shown:
        return "Nothing found"
    if not found.answers_well:
        return "No good match. Closest:"
    if found.is_newest_first:
        return f"{f'The first {shown}' if has_more else f'{shown} found'} {found.of_time}"
    return f"The best {shown}" if has_more else f"{shown} found, best first"
