"""What the SDK serves: sessions, event streams, and every request that is not plain (`plain_messages`).

Loaded by the first of these: the SDK takes half a second, and 25 MB.
"""

import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial

import anyio
from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller, Mode
from bigmind.http.asgi import Message, Receive, Scope, Send, header_values
from bigmind.http.body import MOST_BYTES
from bigmind.local.project import project_elsewhere, project_of
from bigmind.mcp.roots import Roots
from bigmind.mcp.server import mcp_server
from bigmind.mcp.streams import OpenStream, OpenStreams
from bigmind.mcp.subscriptions import Subscriptions
from bigmind.mcp.tool_calls import Tools
from bigmind.operations.dispatch import Dispatcher
from bigmind.work.items import item_named

IDLE_SECONDS = 1_800.0
MOST_SESSIONS = 500
MOST_OF_USER = MOST_SESSIONS // 2
"""Of one user: the others of a team have room for theirs, whatever one does."""
MOST_DELETED = 1_000

# Its lines tell of each stateless request that it was ended; nobody can act on that.
logging.getLogger("mcp.server.streamable_http").setLevel(logging.WARNING)


class Sessions:
    """The SDK's session managers, and what stays open at them. Runs once: build a new one for a new server."""

    def __init__(self, dispatcher: Dispatcher, tools: Tools) -> None:
        events = dispatcher.store.events
        self._streams = OpenStreams(events)
        tasks = partial(_task_named, dispatcher)
        self._subscriptions = Subscriptions(
            events, self._streams, lambda session: session in self._live(), dispatcher.may_read, tasks
        )
        # A member's folders are not the server's, and its disk tells them nothing.
        projects = project_of if dispatcher.store.mode is Mode.PERSONAL else project_elsewhere
        server = mcp_server(dispatcher, tools, self._subscriptions, Roots(projects))
        # The guard in front has checked Host and Origin against the real port; the SDK's own check stays off.
        checked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._sessions = StreamableHTTPSessionManager(
            server,
            security_settings=checked,
            session_idle_timeout=IDLE_SECONDS,
            max_sessions=MOST_SESSIONS,
            max_request_body_size=MOST_BYTES,
        )
        self._single = StreamableHTTPSessionManager(
            server.without_sessions(),
            security_settings=checked,
            stateless=True,
            json_response=True,
            max_request_body_size=MOST_BYTES,
        )
        self._deleted: OrderedDict[str, None] = OrderedDict()
        self._in_session = AuthContextMiddleware(self._sessions.handle_request)
        self._alone = AuthContextMiddleware(self._single.handle_request)

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Keep the session managers running."""
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self._streams.run())
            await stack.enter_async_context(self._subscriptions.run())
            await stack.enter_async_context(self._sessions.run())
            await stack.enter_async_context(self._single.run())
            yield

    def close(self) -> None:
        """End every open stream: the server is about to wait for its connections. On its event loop."""
        self._streams.close()

    async def answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request of a session, or one that opens it or may be answered by an event stream."""
        was_live, session_id = self._live_id(scope)
        await self._in_session(_owned(scope), receive, send)
        if scope["method"] == "DELETE" and was_live and session_id not in self._live():
            self._note_deleted(session_id)

    async def answer_alone(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request on its own, with JSON."""
        await self._alone(_owned(scope), receive, send)

    async def stream(self, scope: Scope, receive: Receive, send: Send, close: Callable[[], None] | None = None) -> None:
        """Serve what may stay open, until its client, its token or the server is gone."""
        open_response = False

        async def watched(message: Message) -> None:
            nonlocal open_response
            open_response = message["type"] == "http.response.start" or bool(message.get("more_body"))
            await send(message)

        ending = anyio.CancelScope()
        session_id = next(iter(header_values(scope, b"mcp-session-id")), None) if scope["method"] == "GET" else None
        held = OpenStream(scope["state"]["is_allowed"], ending.cancel, close or ending.cancel, session_id)
        with self._streams.hold(held), ending:
            await self._in_session(_owned(scope), receive, watched)
        if ending.cancelled_caught and open_response:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def is_session(self, session_id: str) -> bool:
        """Whether the session manager should answer for this id: it is live, or it was deleted and must stay so."""
        return session_id in self._live() or session_id in self._deleted

    def has_room(self, caller: Caller) -> bool:
        """Whether one more session of the caller's may open. Where not, it is served without: most never need one."""
        user = str(caller.user_id)
        # As `_live`: there is no public way to ask.
        owners = self._sessions._session_owners.values()  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]
        return len(self._live()) < MOST_SESSIONS and sum(each["subject"] == user for each in owners) < MOST_OF_USER

    def _live_id(self, scope: Scope) -> tuple[bool, str]:
        session_id = next(iter(header_values(scope, b"mcp-session-id")), "")
        return session_id in self._live(), session_id

    def _live(self) -> Collection[str]:
        # The SDK has no public way to ask; tests/conformance fails when this attribute goes away.
        return self._sessions._server_instances  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def _note_deleted(self, session_id: str) -> None:
        self._subscriptions.ended(session_id)
        self._deleted[session_id] = None
        if len(self._deleted) > MOST_DELETED:
            self._deleted.popitem(last=False)


def _owned(scope: Scope) -> Scope:
    """The request, with whose it is: the SDK binds a session to the token, and another one gets 404 for it."""
    caller: Caller = scope["state"]["caller"]
    owner, user = str(caller.token_id), str(caller.user_id)
    scope["user"] = AuthenticatedUser(AccessToken(token=owner, client_id=owner, scopes=[], subject=user))
    return scope


async def _task_named(dispatcher: Dispatcher, caller: Caller, slug: str) -> str:
    """The id of the task with that slug; empty where there is none, or nothing can be read."""
    try:
        # Whoever listens to it may: it is asked for its id alone.
        anyone = replace(caller, scope=None)
        return await dispatcher.read(anyone, "subscribe", lambda work: item_named(work, slug).uid)
    except BigMindError:
        return ""
