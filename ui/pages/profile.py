"""The profile: whose memory it is, and what it holds, at one look."""

from pathlib import Path
from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.core.clock import at_home
from bigmind.memory.facts.listing import FactQuery, list_stretch
from bigmind.memory.facts.service import get_profile
from bigmind.memory.hypotheses.service import list_hypotheses
from bigmind.memory.profile.milestones import begun, milestones
from bigmind.memory.sessions.overview import topic_weights
from bigmind.memory.sessions.service import SessionQuery, list_sessions
from bigmind.portable.older.location import old_file
from bigmind.store.work import Work
from ui.page import Page
from ui.shell import AnyRequest, Html, Told
from ui.show.charts import year_of
from ui.site import Site

RECENT = 7
TOPICS = 12
LEARNED = 6
HYPOTHESES = 6
LONG = 480
"""Characters of the preferences that are shown at once."""


def profile_routes(site: Site) -> list[HTTPRouteHandler]:
    """The profile's routes."""
    shell = site.shell

    @get(["/", "/profile"])
    async def profile(request: AnyRequest) -> Html:
        return await shell.page(request, "profile.html", "profile", _tell)

    return [profile]


PROFILE = Page(
    "profile", "Profile", "/profile", "p", profile_routes, offers=frozenset({"memory_accept", "memory_edit_profile"})
)


def _tell(work: Work) -> Told:
    profile = get_profile(work)
    recent = list_sessions(work, SessionQuery(limit=RECENT))
    learned = list_stretch(work, FactQuery(), LEARNED).facts
    is_new = not recent.total and not learned and profile.updated_at is None
    days = [at_home(each).date() for each in begun(work)]
    told: dict[str, Any] = {
        "profile": profile,
        "recent": recent,
        "learned": learned,
        "hypotheses": list_hypotheses(work, "open", HYPOTHESES),
        "topics": topic_weights(work, TOPICS),
        "year": year_of(days, at_home(work.now).date()),
        "badges": milestones(work, list(dict.fromkeys(days))),
        "is_new": is_new,
        "older": old_file(Path.home()) if is_new else None,
        "long": LONG,
    }
    return told
