"""Live pages: a stream that says what kinds of things changed, and never what they contain."""

import asyncio
import contextlib
import json
import threading
from collections.abc import AsyncGenerator, Callable, Iterable
from time import monotonic
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import ServerSentEvent, ServerSentEventMessage
from litestar.status_codes import HTTP_503_SERVICE_UNAVAILABLE

from bigmind.core.events import Action, Change, Kind
from bigmind.core.operation import Caller, Presence
from bigmind.memory.sessions.overview import StoreNews, changes_since
from bigmind.wiring import Mind
from ui.page_headers import PAGE_HEADERS
from ui.shell import AnyRequest, caller_of

PING_SECONDS = 15.0
"""Silence after which a stream says that it is there, so that both sides notice a connection that is gone."""

APART_SECONDS = 0.25
"""Between two messages of one stream: a burst of writes is one message."""

GATHER_SECONDS = 0.02
"""One use case often makes several changes at once; they are waited for, even by the first message."""

RETRY_MILLISECONDS = 1_000

RECENT_SECONDS = 30.0
"""A page may have been built so long before its stream begins: it looks again where the server changed since."""

SERVER = "server"
"""What a stream calls it when something of the server itself changed, such as that it is paused. It has no number."""


class LiveStreams:
    """All open streams of one server."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._lock = threading.Lock()
        self._open: set[_Stream] = set()
        self._closed = False
        self._hears_server = False
        self._was: tuple[bool, str] = (False, "")
        self._told_all = self._told_windows = -RECENT_SECONDS

    @property
    def is_closed(self) -> bool:
        """Whether the shutdown has begun."""
        return self._closed

    def close(self) -> None:
        """End every stream now, and let no new one begin. From any thread."""
        with self._lock:
            self._closed = True
            streams = tuple(self._open)
        for stream in streams:
            stream.end()

    def tell_windows(self) -> None:
        """Have BigMind's own windows look again; from any thread."""
        with self._lock:
            self._told_windows = monotonic()
            streams = tuple(each for each in self._open if each.is_window)
        for stream in streams:
            stream.hear_of_server()

    async def messages(self, caller: Caller, after: int | None) -> AsyncGenerator[ServerSentEventMessage, None]:
        """What the caller's browser is told.

        Args:
            caller: hears of their own changes, and of what everybody may find.
            after: the number of the last change the browser knows of; when there are newer ones they are told at once.
        """
        self._hear_server()
        stream = _Stream(caller, asyncio.get_running_loop(), after or 0)
        # Listening begins before the look into the past, so nothing falls between the two.
        unsubscribe = self._mind.store.events.subscribe(stream.hear)
        try:
            if not self._register(stream):
                return
            yield ServerSentEventMessage(data=None, retry=RETRY_MILLISECONDS, comment="listening")
            if after is not None:
                stream.catch_up(after, await self._news(caller, after))
            async for message in stream.messages():
                yield message
        finally:
            unsubscribe()
            with self._lock:
                self._open.discard(stream)

    def _hear_server(self) -> None:
        """From the first stream on: what surrounds the store is complete by then."""
        with self._lock:
            if self._hears_server:
                return
            self._hears_server = True
        activity = self._mind.store.host.activity
        self._was = self._now()
        activity.listen(self._server_changed)

    def _server_changed(self) -> None:
        now = self._now()
        with self._lock:
            streams = tuple(self._open) if now != self._was else ()
            self._told_all = monotonic() if now != self._was else self._told_all
            self._was = now
        for stream in streams:
            stream.hear_of_server()

    def _now(self) -> tuple[bool, str]:
        """What every page shows of the server: whether it is paused, and what is damaged."""
        store = self._mind.store
        return store.host.activity.is_paused, store.condition.in_words

    def _register(self, stream: "_Stream") -> bool:
        with self._lock:
            if self._closed:
                return False
            self._open.add(stream)
            told = max(self._told_all, self._told_windows) if stream.is_window else self._told_all
        if monotonic() - told < RECENT_SECONDS:
            stream.hear_of_server()
        return True

    async def _news(self, caller: Caller, after: int) -> StoreNews:
        return await self._mind.dispatcher.read(caller, "events", lambda work: changes_since(work, after))


class _Stream:
    """One browser's stream. `hear` and `end` may be called on any thread, the rest runs on the loop."""

    def __init__(self, caller: Caller, loop: asyncio.AbstractEventLoop, after: int) -> None:
        self.is_window = caller.presence is Presence.WINDOW
        self._user_id = caller.user_id
        self._loop = loop
        self._news = asyncio.Event()
        self._over = asyncio.Event()
        self._kinds: set[str] = set()
        self._number = after

    def hear(self, change: Change) -> None:
        if change.concerns(self._user_id):
            self._on_loop(lambda: self._note(change))
        elif change.kind is Kind.TOKEN and change.action is Action.REVOKED:
            self.end()  # it may be an admin who ended this user's access
        elif change.kind is Kind.USER:
            self._on_loop(lambda: self._take({change.kind}))  # or one who changed this user's role

    def hear_of_server(self) -> None:
        self._on_loop(lambda: self._take({SERVER}))

    def end(self) -> None:
        self._on_loop(self._end)

    def catch_up(self, after: int, news: StoreNews) -> None:
        """Take in what happened before the stream began."""
        if news.kinds and news.number > after:
            self._number = max(self._number, news.number)
            self._take(news.kinds)

    async def messages(self) -> AsyncGenerator[ServerSentEventMessage, None]:
        """Changes as they come, at most one message per `APART_SECONDS`; a `ping` when there are none for long."""
        quiet_until = 0.0
        while not self._over.is_set():
            if not await _happens(self._news, PING_SECONDS):
                yield ServerSentEventMessage(event="ping", data="{}")
                continue
            # The pause is cut short when the stream ends, and only then.
            if await _happens(self._over, max(GATHER_SECONDS, quiet_until - self._loop.time())):
                return
            quiet_until = self._loop.time() + APART_SECONDS
            yield self._message()

    def _message(self) -> ServerSentEventMessage:
        kinds, self._kinds = sorted(self._kinds), set()
        self._news.clear()
        return ServerSentEventMessage(event="changed", id=self._number or None, data=json.dumps({"kinds": kinds}))

    def _note(self, change: Change) -> None:
        self._number = max(self._number, change.number)
        self._take({change.kind})
        if change.kind is Kind.TOKEN and change.action is Action.REVOKED:
            # It may be this browser's own token: the stream ends, and only who is still allowed gets a new one.
            self._end()

    def _take(self, kinds: Iterable[str]) -> None:
        self._kinds.update(kinds)
        self._news.set()

    def _end(self) -> None:
        self._over.set()
        self._news.set()

    def _on_loop(self, job: Callable[[], None]) -> None:
        # A write may end after the loop did, while the process shuts down; then there is nobody to tell.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(job)


async def _happens(event: asyncio.Event, seconds: float) -> bool:
    """Whether the event comes about within so many seconds."""
    try:
        await asyncio.wait_for(event.wait(), seconds)
    except TimeoutError:
        return False
    return True


def event_routes(streams: LiveStreams) -> list[HTTPRouteHandler]:
    """The route of the stream."""

    @get("/events")
    async def events(request: AnyRequest) -> Response[Any]:
        if streams.is_closed:
            return Response("", status_code=HTTP_503_SERVICE_UNAVAILABLE, headers=PAGE_HEADERS)
        known = request.headers.get("Last-Event-ID") or request.query_params.get("after", "")
        after = int(known) if known.isascii() and known.isdecimal() and len(known) <= 18 else None  # noqa: PLR2004
        return ServerSentEvent(streams.messages(caller_of(request), after), headers=PAGE_HEADERS)

    return [events]
