"""The brain: what agents learned at work, asked and looked through; and the map of what is well-trodden."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import quote

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Redirect

from bigmind.brain.rules import LONGEST_THOUGHT
from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Mode
from bigmind.store.work import Work
from ui.page import Page
from ui.page_addresses import address, follow, number
from ui.pages.brain_queue import merge_told, queue_told
from ui.pages.thought import thought_told
from ui.shell import AnyRequest, Html, Told
from ui.show.thought_words import THOUGHT_WORDS
from ui.site import Site

if TYPE_CHECKING:
    from bigmind.brain import listing
    from bigmind.brain.finding import trails
    from ui.show import trail_map
else:
    listing = LazyModule("bigmind.brain.listing")
    trails = LazyModule("bigmind.brain.finding.trails")
    trail_map = LazyModule("ui.show.trail_map")

PAGE = 30
MOST_SHOWN = 1_000
MOST_ANSWERS = 12
MOST_TYPED = 2_000
MOST_TOPICS = 100
MOST_QUESTIONS = 6
LONGEST_FILTER = 200

Choice = TypeVar("Choice", bound=str)


@dataclass(frozen=True, slots=True)
class BrainFilter:
    """What the address asks for; what is unknown in it counts as not given."""

    prompt: str
    topic: str
    category: str
    space: str
    tag: str
    state: "listing.State"
    sort: "listing.Order"

    @property
    def is_blank(self) -> bool:
        """Whether nothing is asked."""
        return not self.prompt.strip()

    @property
    def is_filtered(self) -> bool:
        """Whether less than all is looked at."""
        return bool(self.topic or self.category or self.space or self.tag)

    @property
    def query(self) -> "listing.ThoughtQuery":
        """The same for the store."""
        return listing.ThoughtQuery(self.topic, self.category, self.space, self.tag, self.state, self.sort)

    def parameters(self, **other: object) -> dict[str, object]:
        """The address's parameters, with some of them otherwise."""
        named = {
            "prompt": self.prompt,
            "topic": self.topic,
            "category": self.category,
            "space": self.space,
            "tag": self.tag,
            "state": self.state if self.state != listing.STATES[0] else "",
            "sort": self.sort if self.sort != listing.ORDERS[0] else "",
        }
        return {**named, **other}

    def address(self, **other: object) -> str:
        """The page that asks this."""
        return address("/brain", self.parameters(**other))


def brain_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of the brain."""
    shell = site.shell

    @get("/brain")
    async def brain(request: AnyRequest) -> Html:
        asked = _asked(request.query_params)
        answer = await shell.page(request, "brain.html", "brain", lambda work: _list(work, asked, request.query_params))
        if request.headers.get("HX-Target") == "list":
            answer.headers[follow(request.headers, asked.address(), "prompt")] = asked.address()
        return answer

    @get("/brain/more")
    async def more_thoughts(request: AnyRequest) -> Html:
        asked = _asked(request.query_params)
        return await shell.fragment(
            request, "_thought_rows.html", lambda work: _rows(work, asked, PAGE, request.query_params)
        )

    @get("/brain/highways")
    async def highways(request: AnyRequest) -> Html:
        topic = request.query_params.get("topic", "")[:LONGEST_FILTER]
        return await shell.page(request, "brain_highways.html", "brain", lambda work: _map(work, topic))

    @get("/brain/queue")
    async def queue(request: AnyRequest) -> Html:
        return await shell.page(
            request, "brain_queue.html", "brain", lambda work: queue_told(work, request.query_params)
        )

    @get("/brain/merge")
    async def merge(request: AnyRequest) -> Html:
        named = request.query_params.getall("id", [])
        return await shell.page(request, "brain_merge.html", "brain", lambda work: merge_told(work, named))

    @get("/brain/thoughts/{thought_id:str}")
    async def thought(request: AnyRequest, thought_id: FromPath[str]) -> Html:
        return await shell.page(request, "brain_thought.html", "brain", lambda work: thought_told(work, thought_id))

    # Where search and health lead: they know of a kind's address and an id.
    @get("/brain/{thought_id:str}")
    async def elsewhere(thought_id: FromPath[str]) -> Redirect:
        return Redirect(f"/brain/thoughts/{quote(thought_id, safe='')}")

    return [brain, more_thoughts, highways, queue, merge, thought, elsewhere]


BRAIN = Page(
    "brain",
    "Brain",
    "/brain",
    "b",
    brain_routes,
    group="Shared",
    waiting="brain_waiting",
    waits_for="to be categorized or judged",
    offers=frozenset(
        {
            "brain_keep_thought",
            "brain_mark_noise",
            "brain_share_thought",
            "brain_unmark_noise",
            "brain_update_thought",
            "contribute_to_brain",
            "memory_accept",
            "memory_forget",
            "memory_reopen_hypothesis",
            "memory_resolve_hypothesis",
            "query_brain",
        }
    ),
)


def _asked(given: Mapping[str, str]) -> BrainFilter:
    categories = THOUGHT_WORDS["categories"]
    return BrainFilter(
        prompt=given.get("prompt", "")[:MOST_TYPED],
        topic=given.get("topic", "")[:LONGEST_FILTER],
        category=chosen if (chosen := given.get("category", "")) in categories else "",
        space=space if (space := given.get("space", "")) in {"shared", "private"} else "",
        tag=given.get("tag", "")[:LONGEST_FILTER],
        state=_one_of(listing.STATES, given.get("state", "")),
        sort=_one_of(listing.ORDERS, given.get("sort", "")),
    )


def _one_of(choices: Sequence[Choice], name: str) -> Choice:
    return next((each for each in choices if each == name), choices[0])


def _list(work: Work, asked: BrainFilter, given: Mapping[str, str]) -> Told:
    limit = max(PAGE, number(given, "shown", MOST_SHOWN))
    known = listing.filters(work)
    return {
        **_rows(work, asked, limit, {}),
        "filters": known,
        "topics": known.topics[:MOST_TOPICS],
        "questions": listing.questions(work, MOST_QUESTIONS),
        "most_typed": MOST_TYPED,
        "longest": LONGEST_THOUGHT,
        "is_team": work.mode is Mode.TEAM,
        "default_space": work.host.settings.now().brain_space,
    }


def _rows(work: Work, asked: BrainFilter, limit: int, given: Mapping[str, str]) -> dict[str, Any]:
    """One stretch of the list, or what answers; `shown` counts what stands on the page with it."""
    told = {"asked": asked, "words": THOUGHT_WORDS, "answers": None, "more": "", "step": PAGE}
    if not asked.is_blank:
        found = listing.thoughts_found(work, asked.query, asked.prompt, MOST_ANSWERS)
        return {**told, "answers": found, "thoughts": found.thoughts, "total": found.found, "shown": 0}
    listing.make_ready(work)
    stretch = listing.thought_stretch(work, asked.query, limit, given.get("after", ""))
    shown = len(stretch.thoughts) + number(given, "shown", MOST_SHOWN)
    more = address("/brain/more", asked.parameters(after=stretch.last, shown=shown)) if stretch.last else ""
    return {**told, "thoughts": stretch.thoughts, "total": stretch.total, "shown": shown, "more": more}


def _map(work: Work, topic: str) -> Told:
    found = trails.highway_map(work, topic)
    return {"found": found, "maps": trail_map.trail_maps(found), "topic": topic, "words": THOUGHT_WORDS}
