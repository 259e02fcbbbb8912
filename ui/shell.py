"""What stands around every page, and the one way a page is read and rendered."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from litestar import Response
from litestar.enums import MediaType

from bigmind.core.errors import HTTP_STATUS, BigMindError, Code
from bigmind.http.api import AnyRequest, caller_of
from bigmind.http.guard import cookie_value
from bigmind.memory.care_answers import Stats
from bigmind.memory.overview import LastWrite, last_write, newest_change
from bigmind.memory.statistics import stats
from bigmind.store.work import Work
from bigmind.wiring import Mind
from ui.csrf import signed_form_token
from ui.headers import PAGE_HEADERS
from ui.render import render

Page = Response[str]
Told = Mapping[str, Any]

_OF_THE_REQUEST = frozenset({Code.NOT_FOUND, Code.INVALID_INPUT, Code.AMBIGUOUS})
"""Faults that a page of its own explains; those of the store are the application's to answer."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The shell's own data.

    Attributes:
        current: the navigation entry that is marked.
        username: whose memory it is.
        totals: for the counts of the navigation.
        written: when memory last changed; None when it never did.
        change: the number of the newest change the page shows; live updates go on from it.
        form_token: for the sign-out form.
        host: the address by which the browser knows this server.
    """

    current: str
    username: str
    totals: Stats
    written: LastWrite | None
    change: int
    form_token: str
    host: str


class Shell:
    """Reads and renders pages for whoever the guard says is calling."""

    def __init__(self, mind: Mind, cookie: str) -> None:
        self._mind = mind
        self._cookie = cookie

    async def page(self, request: AnyRequest, template: str, current: str, tell: Callable[[Work], Told]) -> Page:
        """A whole page, read on a worker thread: `tell` says what the template needs beside the frame."""

        def build(work: Work) -> Page:
            status, shown = 200, template
            try:
                told = tell(work)
            except BigMindError as error:
                if error.code not in _OF_THE_REQUEST:
                    raise
                shown, told, status = "problem.html", {"error": error}, HTTP_STATUS[error.code]
            return _html(render(shown, {"frame": self._frame(request, work, current), "now": work.now, **told}), status)

        return await self._mind.dispatcher.read(caller_of(request), "page", build)

    async def fragment(self, request: AnyRequest, template: str, tell: Callable[[Work], Told]) -> Page:
        """A part of a page, for a page that is open already; read on a worker thread."""

        def build(work: Work) -> Page:
            try:
                return _html(render(template, {"now": work.now, **tell(work)}), 200)
            except BigMindError as error:
                if error.code not in _OF_THE_REQUEST:
                    raise
                return _html(render("_problem.html", {"error": error}), HTTP_STATUS[error.code])

        return await self._mind.dispatcher.read(caller_of(request), "page", build)

    def _frame(self, request: AnyRequest, work: Work, current: str) -> Frame:
        return Frame(
            current=current,
            username=work.caller.username,
            totals=stats(work, work.surroundings.bytes_on_disk()),
            written=last_write(work),
            change=newest_change(work),
            form_token=signed_form_token(cookie_value(request.headers.getall("cookie", []), self._cookie)),
            host=request.headers.get("host", ""),
        )


def _html(text: str, status: int) -> Page:
    return Response(text, media_type=MediaType.HTML, status_code=status, headers=PAGE_HEADERS)
