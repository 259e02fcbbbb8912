"""The profile: whose memory it is, and what it holds, at one look."""

from datetime import datetime, time
from pathlib import Path
from typing import Any

from litestar import get
from litestar.handlers import HTTPRouteHandler

from bigmind.memory.facts import get_profile
from bigmind.memory.journal import list_hypotheses
from bigmind.memory.overview import activity, learned_lately, topic_weights
from bigmind.memory.sessions import SessionQuery, list_sessions
from bigmind.portable.older import old_file
from bigmind.store.work import Work
from ui.figures import first_day, year_of
from ui.shell import AnyRequest, Page, Shell, Told

RECENT = 7
TOPICS = 12
LEARNED = 6
HYPOTHESES = 6


def profile_routes(shell: Shell) -> list[HTTPRouteHandler]:
    """The profile's routes."""

    @get(["/", "/profile"])
    async def profile(request: AnyRequest) -> Page:
        return await shell.page(request, "profile.html", "profile", _tell)

    return [profile]


def _tell(work: Work) -> Told:
    profile = get_profile(work)
    recent = list_sessions(work, SessionQuery(limit=RECENT))
    learned = learned_lately(work, LEARNED)
    is_new = not recent.total and not learned and profile.updated_at is None
    told: dict[str, Any] = {
        "profile": profile,
        "recent": recent,
        "learned": learned,
        "hypotheses": list_hypotheses(work, "open", HYPOTHESES),
        "topics": topic_weights(work, TOPICS),
        "year": year_of(activity(work, _start_of_year(work.now)), work.now),
        "is_new": is_new,
        "older": old_file(Path.home()) if is_new else None,
    }
    return told


def _start_of_year(now: datetime) -> datetime:
    """The first moment of the heatmap's first day, on the machine's own calendar."""
    return datetime.combine(first_day(now.astimezone().date()), time.min).astimezone()
