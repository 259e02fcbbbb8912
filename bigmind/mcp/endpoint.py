"""One ASGI endpoint for every era of MCP's streamable HTTP, and for plain clients.

- 2026-07-28 (the `MCP-Protocol-Version` header says so): the SDK's stateless path.
- `initialize` from a client that accepts event streams: a session, kept until it ends or is idle.
- A request of a live session: that session.
- Anything else, such as a bare JSON-RPC POST, or a session from before a restart: answered on its own, as plain JSON.
  So a client survives a restart of the server without noticing. A session that was deleted stays deleted: 404.
- `?toolsets=` in the address says which tools are listed, and named in texts, and `?structured=1` that answers carry
  structured content: in every era, as both stand in each request.
- What stays open, a session's GET and `subscriptions/listen`, ends when its token does. Subscriptions end with the
  session or the stream they were made on, and so with the server.
"""

import json
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
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller
from bigmind.core.shapes import as_object
from bigmind.core.toolsets import Toolsets
from bigmind.http.asgi import Message, Receive, Scope, Send, header_values, replaying
from bigmind.http.body import MOST_BYTES, read_body
from bigmind.http.problems import answer, refuse
from bigmind.mcp.requested_tools import ToolsetChoices, wishes_in
from bigmind.mcp.roots import Roots
from bigmind.mcp.server import mcp_server
from bigmind.mcp.streams import OpenStream, OpenStreams
from bigmind.mcp.subscriptions import Subscriptions
from bigmind.operations.dispatch import Dispatcher
from bigmind.work.items import item_named

IDLE_SECONDS = 1_800.0
MOST_SESSIONS = 500
MOST_DELETED = 1_000

_ANY_ACCEPT = (b"accept", b"application/json, text/event-stream")
_ALLOW = [(b"allow", b"GET, POST, DELETE, OPTIONS")]

# Its lines tell of each stateless request that it was ended; nobody can act on that.
logging.getLogger("mcp.server.streamable_http").setLevel(logging.WARNING)


class McpEndpoint:
    """Routes each request to the SDK's session manager that fits it. Runs once: build a new one for a new server."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        events = dispatcher.store.events
        self._streams = OpenStreams(events)
        tasks = partial(_task_named, dispatcher)
        self._subscriptions = Subscriptions(events, self._streams, lambda session: session in self._live(), tasks)
        self._choices = ToolsetChoices(dispatcher)
        self._settings = dispatcher.store.host.settings
        self._tools = dispatcher.store.tools
        server = mcp_server(dispatcher, self._subscriptions, Roots())
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
        self._in_context = AuthContextMiddleware(self._route)

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Keep the session managers running."""
        async with AsyncExitStack() as stack:
            stack.enter_context(self._choices.following())
            await stack.enter_async_context(self._streams.run())
            await stack.enter_async_context(self._subscriptions.run())
            await stack.enter_async_context(self._sessions.run())
            await stack.enter_async_context(self._single.run())
            yield

    def close(self) -> None:
        """End every open stream: the server is about to wait for its connections. On its event loop."""
        self._streams.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request that the guard let in."""
        if scope["method"] == "OPTIONS":
            await answer(send, 204, b"", b"text/plain", _ALLOW)
            return
        # RFC 9110, 5.5: blanks around a field's value are not part of it; the HTTP parser leaves those at its end.
        scope["headers"] = [(name, value.strip(b" \t")) for name, value in scope["headers"]]
        try:
            wishes = wishes_in(scope)
            caller = await self._offered(scope["state"]["caller"], wishes.toolsets)
        except BigMindError as error:
            await refuse(send, error)
            return
        scope["state"] |= {"wishes": wishes, "caller": caller}
        # The SDK binds a session to this: another token gets 404 for it.
        token = AccessToken(token=str(caller.token_id), client_id=str(caller.token_id), scopes=[])
        scope["user"] = AuthenticatedUser(token)
        await self._in_context(scope, receive, send)

    async def _offered(self, caller: Caller, named: Toolsets) -> Caller:
        """The caller, with what it is offered: the toolsets that its address names, else those of its client."""
        off = self._settings.now().tools_off
        return replace(caller, offer=self._tools.names(named or await self._choices.of(caller), off))

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        accept = ",".join(header_values(scope, b"accept")).lower()
        if not accept:  # RFC 9110, 12.5.1: no Accept header means anything
            scope["headers"] = [*scope["headers"], _ANY_ACCEPT]
        session_id = next(iter(header_values(scope, b"mcp-session-id")), None)
        if scope["method"] != "POST" and session_id is None:
            # The protocol's word for "no stream here"; the SDK would name a session that does not exist.
            await answer(send, 405, b"", b"text/plain", _ALLOW)
            return
        if scope["method"] == "GET":
            await self._stream(scope, receive, send)
            return
        if scope["method"] != "POST" or self._is_session(session_id):
            was_live = session_id in self._live()
            await self._sessions.handle_request(scope, receive, send)
            if scope["method"] == "DELETE" and session_id is not None and was_live and session_id not in self._live():
                self._note_deleted(session_id)
            return
        body = await read_body(receive)
        method, streams = _method_of(body), "text/event-stream" in accept
        if streams and _is_modern(scope) and method == "subscriptions/listen":
            # The server's end is told on this stream by its own handler.
            await self._stream(scope, replaying(body, receive), send, close=lambda: None)
            return
        opens = streams and session_id is None and self._has_room() and method == "initialize"
        manager = self._sessions if opens or (streams and _is_modern(scope)) else self._single
        await manager.handle_request(scope, replaying(body, receive), send)

    async def _stream(
        self, scope: Scope, receive: Receive, send: Send, close: Callable[[], None] | None = None
    ) -> None:
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
            await self._sessions.handle_request(scope, receive, watched)
        if ending.cancelled_caught and open_response:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _is_session(self, session_id: str | None) -> bool:
        """Whether the session manager should answer for this id: it is live, or it was deleted and must stay so."""
        return session_id is not None and (session_id in self._live() or session_id in self._deleted)

    def _has_room(self) -> bool:
        """Whether one more session may open. Where not, a client is served without: most never need one."""
        return len(self._live()) < MOST_SESSIONS

    def _live(self) -> Collection[str]:
        # The SDK has no public way to ask; tests/conformance fails when this attribute goes away.
        return self._sessions._server_instances  # noqa: SLF001  # pyright: ignore[reportPrivateUsage]

    def _note_deleted(self, session_id: str) -> None:
        self._subscriptions.ended(session_id)
        self._deleted[session_id] = None
        if len(self._deleted) > MOST_DELETED:
            self._deleted.popitem(last=False)


async def _task_named(dispatcher: Dispatcher, caller: Caller, slug: str) -> str:
    """The id of the task with that slug; empty where there is none, or nothing can be read."""
    try:
        return await dispatcher.read(caller, "subscribe", lambda work: item_named(work, slug).uid)
    except BigMindError:
        return ""


def _is_modern(scope: Scope) -> bool:
    versions = header_values(scope, b"mcp-protocol-version")
    return bool(versions) and versions[0] not in HANDSHAKE_PROTOCOL_VERSIONS


def _method_of(body: bytes) -> object:
    try:
        return as_object(json.loads(body)).get("method")
    except ValueError:
        return None
