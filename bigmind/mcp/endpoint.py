"""One ASGI endpoint for every era of MCP's streamable HTTP, and for plain clients.

- A request that stands alone and is plainly well-formed, as nearly every call of a tool is: answered at once, as plain
  JSON, past the SDK (`plain_requests`). What follows is the SDK's (`sessions`), which the first such request loads.
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

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from bigmind.core.errors import BigMindError, Code
from bigmind.core.failed_parts import ENDPOINT
from bigmind.core.operation import Caller
from bigmind.core.shapes import as_object, is_list
from bigmind.core.toolsets import Toolsets
from bigmind.http.asgi import Receive, Scope, Send, header_values, replaying
from bigmind.http.body import read_body
from bigmind.http.late_start import LateStart
from bigmind.http.problems import answer, refuse
from bigmind.mcp.bridge_messages import INVALID_REQUEST, NO_BATCH, WRONG_ID, error_answer, is_id, parsed
from bigmind.mcp.plain_messages import HANDSHAKES, INITIALIZE
from bigmind.mcp.plain_requests import PlainRequests
from bigmind.mcp.requested_tools import ToolsetChoices, wishes_in
from bigmind.mcp.tool_calls import Tools
from bigmind.operations.dispatch import Dispatcher
from bigmind.operations.token_scope import offer_within

if TYPE_CHECKING:
    from bigmind.mcp.sessions import Sessions

log = logging.getLogger(__name__)

_ANY_ACCEPT = (b"accept", b"application/json, text/event-stream")
_ALLOW = [(b"allow", b"GET, POST, DELETE, OPTIONS")]


class McpEndpoint:
    """Answers plain requests, and routes all others to what serves them. Runs once: build one for each server."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._choices = ToolsetChoices(dispatcher)
        self._settings = dispatcher.store.host.settings
        self._offers = dispatcher.store.tools
        self._tools = Tools(dispatcher)
        self._plain = PlainRequests(self._tools)
        self._sessions = LateStart(self._loaded, self._failure)

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Keep it running."""
        with self._choices.following():
            async with self._sessions.run():
                yield

    def close(self) -> None:
        """End every open stream: the server is about to wait for its connections. On its event loop."""
        if self._sessions.part is not None:
            self._sessions.part.close()

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
        await self._route(scope, receive, send)

    async def _offered(self, caller: Caller, named: Toolsets) -> Caller:
        """The caller, with what it is offered: the toolsets that its address names, else those of its client.

        Nothing is offered beyond the scope of its token.
        """
        offer = self._offers.names(named or await self._choices.of(caller), self._settings.now().tools_off)
        return replace(caller, offer=offer_within(caller.scope, self._offers, offer))

    async def _route(self, scope: Scope, receive: Receive, send: Send) -> None:
        accept = ",".join(header_values(scope, b"accept")).lower()
        if not accept:  # RFC 9110, 12.5.1: no Accept header means anything
            scope["headers"] = [*scope["headers"], _ANY_ACCEPT]
        session_id = next(iter(header_values(scope, b"mcp-session-id")), None)
        if scope["method"] != "POST" and session_id is None:
            # The protocol's word for "no stream here"; the SDK would name a session that does not exist.
            await answer(send, 405, b"", b"text/plain", _ALLOW)
        elif scope["method"] == "GET":
            await (await self._sessions.get()).stream(scope, receive, send)
        elif scope["method"] != "POST":
            await (await self._sessions.get()).answer(scope, receive, send)
        elif self._is_session(session_id):
            await self._post_of_session(scope, receive, send)
        else:
            await self._post(scope, receive, send, streams="text/event-stream" in accept)

    async def _post_of_session(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await read_body(receive)
        if fault := _fault_in(body):
            await _refuse(send, fault)
        else:
            await (await self._sessions.get()).answer(scope, replaying(body, receive), send)

    async def _post(self, scope: Scope, receive: Receive, send: Send, *, streams: bool) -> None:
        """Serve a POST of no session."""
        body = await read_body(receive)
        is_modern, method = streams and _is_modern(scope), _method_of(body) if streams else None
        if not is_modern and method != INITIALIZE and (plain := await self._plain.answer(scope, body)) is not None:
            await send({"type": "http.response.start", "status": plain.status, "headers": plain.headers})
            await send({"type": "http.response.body", "body": plain.body})
            return
        if fault := _fault_in(body):
            await _refuse(send, fault)
            return
        sessions, again = await self._sessions.get(), replaying(body, receive)
        if is_modern and method == "subscriptions/listen":
            # The server's end is told on this stream by its own handler.
            await sessions.stream(scope, again, send, close=lambda: None)
            return
        opens = (
            method == INITIALIZE
            and not header_values(scope, b"mcp-session-id")
            and sessions.has_room(scope["state"]["caller"])
        )
        await (sessions.answer if opens or is_modern else sessions.answer_alone)(scope, again, send)

    def _is_session(self, session_id: str | None) -> bool:
        sessions = self._sessions.part
        return session_id is not None and sessions is not None and sessions.is_session(session_id)

    def _loaded(self) -> "Sessions":
        from bigmind.mcp.sessions import Sessions  # noqa: PLC0415 - half a second, 25 MB: plain clients need none of it

        return Sessions(self._dispatcher, self._tools)

    def _failure(self, why: Exception) -> BigMindError:
        """Made anew for each request: one that is raised keeps all that its request held."""
        told = f"{type(why).__name__}: {why}"
        log.error("the SDK of MCP cannot be loaded", exc_info=why)
        self._dispatcher.store.host.failed.note(ENDPOINT, told)
        return BigMindError(
            Code.INTERNAL,
            f"BigMind's MCP endpoint cannot be loaded ({told}).",
            "Install BigMind again, and start it; its log says more.",
        )


def _is_modern(scope: Scope) -> bool:
    versions = header_values(scope, b"mcp-protocol-version")
    return bool(versions) and versions[0] not in HANDSHAKES


def _method_of(body: bytes) -> object:
    return as_object(parsed(body)).get("method")


def _fault_in(body: bytes) -> str:
    """What of a message the SDK has no good words for; empty where there is nothing.

    A request whose id is none it takes for a notification: nothing is done, or answered. Of a batch it says in which
    ways it is no message.
    """
    said = parsed(body)
    if is_list(said):
        return NO_BATCH
    message = as_object(said)
    return WRONG_ID if {"id", "method"} <= message.keys() and not is_id(message["id"]) else ""


async def _refuse(send: Send, fault: str) -> None:
    await answer(send, 400, error_answer(None, INVALID_REQUEST, fault), b"application/json")
