"""Sessions: the list, and one of them in full."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from litestar import get
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.core.errors import BigMindError, Code
from bigmind.memory.overview import (
    MOST_SEQ,
    facts_born_in,
    moment_of,
    moments_of,
    project_weights,
    topic_weights,
)
from bigmind.memory.sessions import SessionQuery, list_sessions, session_detail
from bigmind.store.work import Work
from ui.shell import AnyRequest, Page, Shell, Told

PAGE = 40
MOST_SHOWN = 1_000
CHOICES = 100
MOMENTS = 50
FACTS = 50
_NO_SUCH_SESSION = frozenset({Code.NOT_FOUND, Code.INVALID_INPUT})


def session_routes(shell: Shell) -> list[HTTPRouteHandler]:
    """The routes of sessions and of their moments."""

    @get("/sessions")
    async def sessions(request: AnyRequest) -> Page:
        answer = await shell.page(request, "sessions.html", "sessions", lambda work: _list(work, request.query_params))
        if request.headers.get("HX-Target") == "list":
            # The address bar follows the filter, without the empty fields of the form.
            answer.headers["HX-Push-Url"] = _address(request.query_params)
        return answer

    @get("/sessions/more")
    async def more_sessions(request: AnyRequest) -> Page:
        return await shell.fragment(request, "_session_rows.html", lambda work: _more(work, request.query_params))

    @get("/sessions/{session_id:str}")
    async def session(request: AnyRequest, session_id: FromPath[str]) -> Page:
        shown = _number(request.query_params, "shown", 0)
        after = _number(request.query_params, "after", 0, MOST_SEQ)
        return await shell.page(
            request, "session.html", "sessions", lambda work: _detail(work, session_id, after, shown)
        )

    @get("/sessions/{session_id:str}/moments")
    async def more_moments(request: AnyRequest, session_id: FromPath[str]) -> Page:
        after = _number(request.query_params, "after", 0, MOST_SEQ)
        return await shell.fragment(request, "_moments.html", lambda work: _moments(work, session_id, after, MOMENTS))

    @get("/sessions/{session_id:str}/moments/{seq:int}")
    async def moment(request: AnyRequest, session_id: FromPath[str], seq: FromPath[int]) -> Page:
        return await shell.fragment(
            request, "_moment_text.html", lambda work: {"seq": seq, "text": moment_of(work, session_id, seq)}
        )

    return [sessions, more_sessions, session, more_moments, moment]


def _list(work: Work, asked: Mapping[str, str]) -> Told:
    limit = max(PAGE, _number(asked, "shown", PAGE))
    return {
        **_rows(work, asked, limit, 0),
        "topics": topic_weights(work, CHOICES),
        "projects": project_weights(work, CHOICES),
    }


def _more(work: Work, asked: Mapping[str, str]) -> Told:
    return _rows(work, asked, PAGE, _number(asked, "shown", 0))


def _rows(work: Work, asked: Mapping[str, str], limit: int, before: int) -> dict[str, Any]:
    """One stretch of the list; `before` counts the rows that stand above it already."""
    topic, project = asked.get("topic") or None, asked.get("project") or None
    found = list_sessions(work, SessionQuery(topic=topic, project=project, limit=limit, cursor=asked.get("cursor")))
    shown = before + len(found.sessions)
    filters = {"topic": topic, "project": project}
    chosen = {name: value for name, value in filters.items() if value}
    return {
        "found": found,
        "topic": topic,
        "project": project,
        "shown": shown,
        "more": urlencode({**chosen, "cursor": found.cursor, "shown": shown}) if found.cursor else None,
    }


def _detail(work: Work, reference: str, after: int, shown: int) -> Told:
    try:
        detail = session_detail(work, reference)
    except BigMindError as error:
        if error.code not in _NO_SUCH_SESSION:
            raise
        raise BigMindError(
            Code.NOT_FOUND, "There is no such session", "It may have been deleted, or the address is incomplete."
        ) from None
    uid = detail.session.session_id
    return {
        "detail": detail,
        "session": detail.session,
        "facts": facts_born_in(work, uid, FACTS),
        "after": after,
        # `shown` is the number of the last moment that stands on the page.
        **_moments(work, uid, after, max(MOMENTS, shown - after)),
    }


def _moments(work: Work, reference: str, after: int, limit: int) -> dict[str, Any]:
    found = moments_of(work, reference, after=after, limit=limit + 1)
    return {"session_id": reference, "moments": found[:limit], "has_more": len(found) > limit}


def _address(asked: Mapping[str, str]) -> str:
    chosen = {name: asked[name] for name in ("topic", "project") if asked.get(name)}
    return f"/sessions?{urlencode(chosen)}" if chosen else "/sessions"


def _number(asked: Mapping[str, str], name: str, otherwise: int, most: int = MOST_SHOWN) -> int:
    """A small number from the address; whatever else stands there counts as not given."""
    text = asked.get(name, "")
    return min(int(text), most) if text.isascii() and text.isdecimal() and len(text) <= 9 else otherwise  # noqa: PLR2004
