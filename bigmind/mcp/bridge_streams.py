"""The bridge's streams: what the server tells on its own, passed on to the client.

A stream is one request to the server, `subscriptions/listen`, read on a thread of its own. When the server goes away
the stream is opened again as soon as there is one, without starting it: whoever stopped it meant to. What changed in
between is not known, so then the client is told of everything that it subscribed to.
"""

import json
import os
import threading
from collections.abc import Callable, Mapping
from typing import Any

from bigmind.core.errors import BigMindError
from bigmind.core.shapes import as_object, is_list
from bigmind.local.connection import ServerConnection
from bigmind.local.http_client import ResponseReader
from bigmind.mcp.addresses import (
    EVERYTHING,
    LONGEST_URI,
    MOST_URIS,
    NODES,
    SESSIONS,
    SHORTEST,
    TASKS,
    TOO_MUCH,
    TOOLS_CHANGED,
    TREE,
)
from bigmind.mcp.bridge_messages import SERVER_ERROR, Json, failure, is_error, parsed, refusal_in

AGAIN_SECONDS = 0.25
LONGEST_SECONDS = 2.0
READY_SECONDS = 60.0
INVALID_PARAMS = -32602

MODERN = "2026-07-28"
LISTEN, UPDATED = "subscriptions/listen", "notifications/resources/updated"
ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientInfo": {"name": "bigmind-bridge", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Stream:
    """One request that is answered for ever."""

    def __init__(
        self,
        again: Callable[[], ServerConnection],
        address: str,
        connect: Callable[[], ServerConnection],
        request: bytes,
        headers: Mapping[str, str],
        take: Callable[[Json], None],
    ) -> None:
        """A stream, not yet opened.

        Args:
            again: makes each later connection; starts no server.
            address: the endpoint's, as its client is to be served.
            connect: makes the first connection; may start the server.
            request: the message.
            headers: of its POST; those of the transport are added.
            take: is given each message of the server, on the stream's thread. Once the stream was opened again: of
                each resource that it listens to, as if it had changed.
        """
        self._again = again
        self._address = address
        self._connect = connect
        self._request = request
        self._headers = {
            **headers,
            "Accept": "application/json, text/event-stream",
            "MCP-Protocol-Version": MODERN,
            "Mcp-Method": LISTEN,
        }
        self._take = take
        self._is_over = threading.Event()
        self._open: ServerConnection | None = None
        self._lock = threading.Lock()
        self._was_open = False
        self._pause = AGAIN_SECONDS

    def start(self) -> None:
        """Open it, on a thread of its own. A refusal is given to `take` as the answer to the request."""
        threading.Thread(target=self._run, name="bridge-stream", daemon=True).start()

    def end(self) -> None:
        """Close it; what comes after this is not passed on."""
        with self._lock:
            self._is_over.set()
            if self._open is not None:
                self._open.abort()

    def _run(self) -> None:
        while not self._is_over.is_set():
            try:
                with self._again() if self._was_open else self._connect() as connection:
                    self._listen(connection)
            except BigMindError as error:
                if not self._was_open:
                    self._refuse(str(error))
            except Exception as error:  # noqa: BLE001 - whatever it is: who listens is told, and its log
                self._refuse(failure(error))
            self._is_over.wait(self._pause)
            self._pause = min(self._pause * 2, LONGEST_SECONDS)

    def _listen(self, connection: ServerConnection) -> None:
        with self._lock:
            if self._is_over.is_set():
                return
            self._open = connection
        try:
            headers = {**self._headers, "Idempotency-Key": os.urandom(16).hex()}
            self._read(connection.stream("POST", self._address, self._request, headers))
        except (OSError, ValueError, RecursionError):
            # Broken off, by either side or in mid-message: it is opened again, or it is over.
            return
        finally:
            with self._lock:
                self._open = None

    def _read(self, response: ResponseReader) -> None:
        if not response.content_type.startswith("text/event-stream"):
            self._refused(response)
            return
        for line in response.lines():
            if line.startswith(b"data:"):
                self._hear(as_object(json.loads(line[5:])))

    def _hear(self, message: Json) -> None:
        if self._is_over.is_set() or "method" not in message:
            return  # its result says that the server ends; the stream does not end with it
        if message["method"] != ACKNOWLEDGED:
            self._take(message)
            return
        for each in _missed(message) if self._was_open else [message]:
            self._take(each)
        self._was_open, self._pause = True, AGAIN_SECONDS

    def _refused(self, response: ResponseReader) -> None:
        """A refusal of the first request is its answer; later it is that of a server that is not ready, or not ours."""
        answer = as_object(parsed(response.read()))
        if self._was_open:
            return
        error = answer.get("error")
        self._refuse(refusal_in(response.status, answer), error if is_error(error) else None)

    def _refuse(self, words: str, error: Json | None = None) -> None:
        if not self._is_over.is_set():
            self._is_over.set()
            refused = error or {"code": SERVER_ERROR, "message": words}
            self._take({"jsonrpc": "2.0", "id": json.loads(self._request)["id"], "error": refused})


def _missed(acknowledged: Json) -> list[Json]:
    """A notification for each thing of an acknowledgement, on the same stream."""
    params = as_object(acknowledged.get("params"))
    honored = as_object(params.get("notifications"))
    uris = honored.get("resourceSubscriptions")
    about = {"_meta": params["_meta"]} if "_meta" in params else {}
    missed = [_updated(uri, **about) for uri in uris if isinstance(uri, str)] if is_list(uris) else []
    if honored.get("toolsListChanged") is True:
        missed.append({"jsonrpc": "2.0", "method": TOOLS_CHANGED, "params": about})
    return missed


def _updated(uri: str, **more: Any) -> Json:
    return {"jsonrpc": "2.0", "method": UPDATED, "params": {"uri": uri, **more}}


class SubscriptionSet:
    """What a client of the older eras is told: the resources that it subscribed to, and that other tools are served.

    One stream for all of it, from the first of them on.
    """

    def __init__(
        self, open_stream: Callable[[bytes, Callable[[Json], None]], Stream], send: Callable[[Json], None]
    ) -> None:
        """Subscriptions that open a stream by `open_stream` and tell the client by `send`."""
        self._open_stream = open_stream
        self._send = send
        self._lock = threading.Lock()
        self._uris: set[str] = set()
        self._stream: Stream | None = None
        self._fault: Json | None = None
        self._follows_tools = False
        self._have_tools_changed: Callable[[], bool] = lambda: False
        self._is_settled = threading.Event()

    def follow_tools(self, have_changed: Callable[[], bool]) -> None:
        """Tell the client from now on when other tools are served; waits for nothing.

        Args:
            have_changed: whether others are served than the client was just told of. It is asked, on the stream's
                thread, once changes are heard of, where they were not yet: nobody tells of one before that.
        """
        with self._lock:
            self._follows_tools = True
            self._open()
            if not self._is_settled.is_set():
                self._have_tools_changed = have_changed

    def add(self, uri: object) -> Json | None:
        """Subscribe; returns once changes are heard of, or what is wrong, as an error of JSON-RPC."""
        with self._lock:
            if not isinstance(uri, str) or len(uri) > LONGEST_URI or len(self._uris | {uri}) > MOST_URIS:
                return {"code": INVALID_PARAMS, "message": TOO_MUCH}
            self._uris.add(uri)
            self._open()
        if not self._is_settled.wait(READY_SECONDS):
            self.remove(uri)
            return {"code": SERVER_ERROR, "message": "BigMind does not answer."}
        return self._fault

    def remove(self, uri: object) -> None:
        """Unsubscribe."""
        with self._lock:
            self._uris.discard(str(uri))
            if not self._uris and not self._follows_tools and self._stream is not None:
                self._stream.end()
                self._stream = None
                self._is_settled.set()

    def _open(self) -> None:
        if self._stream is None:
            self._fault = None
            self._is_settled.clear()
            self._stream = self._open_stream(_request(), self._hear)
            self._stream.start()

    def _hear(self, message: Json) -> None:
        if "error" in message:
            with self._lock:
                self._uris.clear()
                self._stream = None
                self._fault = message["error"]
            self._is_settled.set()
        elif message["method"] == ACKNOWLEDGED:
            with self._lock:
                self._is_settled.set()
                have_changed, self._have_tools_changed = self._have_tools_changed, lambda: False
            if have_changed():
                self._send({"jsonrpc": "2.0", "method": TOOLS_CHANGED})
        elif message["method"] == UPDATED:
            self._tell(str(as_object(message.get("params")).get("uri")))
        elif message["method"] == TOOLS_CHANGED and self._follows_tools:
            self._send({"jsonrpc": "2.0", "method": TOOLS_CHANGED})

    def _tell(self, updated: str) -> None:
        with self._lock:
            concerned = [uri for uri in self._uris if _is_part(uri, updated)]
        for uri in concerned:
            self._send(_updated(uri))


def _is_part(subscribed: str, updated: str) -> bool:
    """Whether who subscribed to the one is told of the other: by its own name, or a session's by its shortened id."""
    if updated == TREE and subscribed.startswith(f"{NODES}/"):  # of a node, but not of which
        return True
    if updated in {SESSIONS, TASKS}:  # of a session or a task, but not of which
        return subscribed == updated or subscribed.startswith(f"{updated}/")
    is_reference = subscribed.startswith(f"{SESSIONS}/") and len(subscribed) - len(SESSIONS) > SHORTEST
    if subscribed == SESSIONS or is_reference:
        return updated.startswith(subscribed.lower())
    return subscribed == updated


def _request() -> bytes:
    params = {"notifications": {"resourceSubscriptions": EVERYTHING, "toolsListChanged": True}, "_meta": _META}
    return json.dumps({"jsonrpc": "2.0", "id": "bigmind", "method": LISTEN, "params": params}).encode()
