"""Sessions: the timeline, and one of them in full."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any
from urllib.parse import urlencode

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.memory.sessions.learned import SessionLearnings, born_in
from bigmind.memory.sessions.listing import Order, TimelineQuery, client_weights, neighbours, timeline
from bigmind.memory.sessions.overview import MOST_SEQ, moment_of, moments_of, project_weights, topic_weights
from bigmind.memory.sessions.service import session_detail
from bigmind.store.work import Work
from ui.page import Page
from ui.page_addresses import address, filled, number
from ui.shell import AnyRequest, Html, Shell, Told
from ui.show.code_refs import grouped
from ui.show.date_format import full_date, plural
from ui.show.timeline import stretches
from ui.site import Site

PAGE = 40
MOST_SHOWN = 1_000
MOST_TYPED = 500
CHOICES = 100
MOMENTS = 50
LEARNED = 50
_FIRST_DAY, _LAST_DAY = date(1970, 1, 2), date(2999, 12, 30)
"""Between them every system can tell when a day begins by its own calendar."""


@dataclass(frozen=True, slots=True)
class SessionsQuery:
    """What the address asks for; what cannot be understood counts as not given, and the page says so of a day."""

    text: str
    topic: str
    project: str
    client: str
    day: date | None
    since: date | None
    until: date | None
    sort: Order
    unread: tuple[str, ...] = ()
    """What was given as a day and is none."""

    @property
    def is_filtered(self) -> bool:
        """Whether less than everything is shown."""
        return bool(self.text.strip() or self.topic or self.project or self.client or self.days)

    @property
    def days(self) -> str:
        """The days that it is about, in words; empty for any."""
        if self.day:
            return f"on {full_date(self.day)}"
        since = f"since {full_date(self.since)}" if self.since else ""
        return f"{since} until {full_date(self.until)}".strip() if self.until else since

    def fields(self, **other: object) -> dict[str, str]:
        """What stands in the address of it, with some of it otherwise; nothing empty."""
        named: dict[str, object] = {
            "text": self.text.strip(),
            "topic": self.topic,
            "project": self.project,
            "client": self.client,
            "day": self.day,
            "since": self.since,
            "until": self.until,
            "sort": self.sort if self.sort != "newest" else "",
        }
        return filled({**named, **other})

    def address(self, **other: object) -> str:
        """The page that asks this, with some of it otherwise."""
        return address("/sessions", self.fields(**other))

    def query(self) -> TimelineQuery:
        """The same for the store: days begin and end by the machine's own calendar."""
        first, last = (self.day, self.day) if self.day else (self.since, self.until)
        return TimelineQuery(
            text=self.text,
            topic=self.topic or None,
            project=self.project or None,
            client=self.client or None,
            since=_midnight(first) if first else None,
            before=_midnight(last + timedelta(days=1)) if last else None,
            order=self.sort,
        )


def session_routes(site: Site) -> list[HTTPRouteHandler]:
    """The routes of sessions and of their moments."""
    shell = site.shell
    return [*_timeline_routes(shell), *_detail_routes(shell)]


SESSIONS = Page(
    "sessions",
    "Sessions",
    "/sessions",
    "s",
    session_routes,
    total="sessions",
    offers=frozenset({"brain_promote", "memory_accept", "memory_end_session", "memory_forget"}),
)


def _timeline_routes(shell: Shell) -> list[HTTPRouteHandler]:

    @get("/sessions")
    async def sessions(request: AnyRequest) -> Html:
        asked = _asked(request.query_params)
        if request.headers.get("HX-Target") != "list":
            shown = number(request.query_params, "shown", MOST_SHOWN, PAGE)
            cursor = request.query_params.get("cursor")
            return await shell.page(
                request, "sessions.html", "sessions", lambda work: _list(work, asked, shown, cursor)
            )
        answer = await shell.fragment(request, "_timeline.html", lambda work: _stretch(work, asked, PAGE))
        # A filter is a step that one may want to take back; a letter is none.
        by_typing = request.headers.get("HX-Trigger") == "filter"
        answer.headers["HX-Replace-Url" if by_typing else "HX-Push-Url"] = asked.address()
        return answer

    @get("/sessions/more")
    async def more_sessions(request: AnyRequest) -> Html:
        given = request.query_params
        shown, above = number(given, "shown", MOST_SHOWN), given.get("above", "")
        asked, cursor = _asked(given), given.get("cursor")
        return await shell.fragment(
            request, "_timeline_rows.html", lambda work: _stretch(work, asked, PAGE, shown, cursor, above)
        )

    return [sessions, more_sessions]


def _detail_routes(shell: Shell) -> list[HTTPRouteHandler]:
    @get("/sessions/{session_id:str}")
    async def session(request: AnyRequest, session_id: FromPath[str]) -> Html:
        shown = number(request.query_params, "shown", MOST_SHOWN)
        after = number(request.query_params, "after", MOST_SEQ)
        return await shell.page(
            request, "session.html", "sessions", lambda work: _detail(work, session_id, after, shown)
        )

    @get("/sessions/{session_id:str}/moments")
    async def more_moments(request: AnyRequest, session_id: FromPath[str]) -> Html:
        after = number(request.query_params, "after", MOST_SEQ)
        return await shell.fragment(request, "_moments.html", lambda work: _moments(work, session_id, after, MOMENTS))

    @get("/sessions/{session_id:str}/moments/{seq:int}")
    async def moment(request: AnyRequest, session_id: FromPath[str], seq: FromPath[int]) -> Html:
        is_plain = "plain" in request.query_params
        return await shell.fragment(
            request, "_moment_text.html", lambda work: _moment(work, session_id, seq, is_plain=is_plain)
        )

    return [session, more_moments, moment]


def _asked(given: Mapping[str, str]) -> SessionsQuery:
    since, until = _day(given.get("since", "")), _day(given.get("until", ""))
    return SessionsQuery(
        text=given.get("text", "")[:MOST_TYPED],
        topic=given.get("topic", ""),
        project=given.get("project", ""),
        client=given.get("client", ""),
        # One day is chosen in the heatmap; who then names a range means that.
        day=None if since or until else _day(given.get("day", "")),
        since=since,
        until=until,
        sort=_order(given.get("sort", "")),
        unread=tuple(
            text for name in ("day", "since", "until") if (text := given.get(name, "")) and _day(text) is None
        ),
    )


def _order(text: str) -> Order:
    match text:
        case "oldest" | "important":
            return text
        case _:
            return "newest"


def _day(text: str) -> date | None:
    try:
        return min(max(_FIRST_DAY, date.fromisoformat(text)), _LAST_DAY)
    except ValueError:
        return None


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min).astimezone()


def _list(work: Work, asked: SessionsQuery, shown: int, cursor: str | None) -> Told:
    return {
        **_stretch(work, asked, max(PAGE, shown), cursor=cursor),
        "topics": topic_weights(work, CHOICES),
        "projects": project_weights(work, CHOICES),
        "clients": client_weights(work, CHOICES),
        "most_typed": MOST_TYPED,
    }


def _stretch(
    work: Work, asked: SessionsQuery, limit: int, before: int = 0, cursor: str | None = None, above: str = ""
) -> dict[str, Any]:
    """One stretch of the timeline; `before` counts the rows that stand above it already, `above` is their heading."""
    found = timeline(work, asked.query(), limit, cursor)
    days = stretches(found.sessions, asked.sort, work.now, above)
    # Those that run stand above all, whatever the page asks for; `shown` counts the others.
    shown = before + len(found.sessions)
    last = days[-1].key if days else above
    more = urlencode({**asked.fields(), "cursor": found.cursor, "shown": shown, "above": last})
    return {
        "asked": asked,
        "found": found,
        "days": days,
        "shown": shown,
        "is_all": found.cursor is None,
        "more": more if found.cursor else None,
    }


def _detail(work: Work, reference: str, after: int, shown: int) -> Told:
    detail = session_detail(work, reference)
    uid = detail.session.session_id
    born = born_in(work, uid, LEARNED)
    older, newer = neighbours(work, uid)
    return {
        "detail": detail,
        "session": detail.session,
        "born": born,
        "code": grouped(detail.code_refs),
        "older": older,
        "newer": newer,
        "consequence": _consequence(detail.session.chunks, born),
        "after": after,
        # `shown` is the number of the last moment that stands on the page.
        **_moments(work, uid, after, max(MOMENTS, shown - after)),
    }


def _consequence(moments: int, born: SessionLearnings) -> str:
    """What goes with a session, and what stays."""
    what = f" with {plural(moments, 'moment')}" if moments else ""
    told = f"Removes this session{what}, from the backups as well."
    kept = [
        *([plural(born.facts_total, "fact")] if born.facts_total else []),
        *([plural(born.hypotheses_total, "hypothesis", "hypotheses")] if born.hypotheses_total else []),
    ]
    if not kept:
        return told
    is_one = born.facts_total + born.hypotheses_total == 1
    return (
        f"{told} {' and '.join(kept)} {'stays' if is_one else 'stay'}, without {'its' if is_one else 'their'} origin."
    )


def _moments(work: Work, reference: str, after: int, limit: int) -> dict[str, Any]:
    found = moments_of(work, reference, after=after, limit=limit + 1)
    return {"session_id": reference, "moments": found[:limit], "has_more": len(found) > limit}


def _moment(work: Work, reference: str, seq: int, *, is_plain: bool) -> Told:
    text = moment_of(work, reference, seq)
    return {"session_id": reference, "seq": seq, "text": text, "is_plain": is_plain}
