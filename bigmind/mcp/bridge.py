"""`bigmind mcp`: MCP over stdio, for clients without HTTP. Forwards to the server of this machine.

Imports almost nothing, because clients wait for its first answer. Each line is one JSON-RPC message and becomes one
POST. Every request carries an idempotency key, so it can be sent again when the server was restarted under it: nothing
is lost, and nothing done twice.
"""

import json
import os
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, NoReturn

from bigmind.core.errors import BigMindError
from bigmind.core.shapes import as_object, is_object
from bigmind.core.toolsets import as_text, structured_in, toolsets_in
from bigmind.local.connection import NotRunningError, Response, ServerConnection, TokenRefusedError
from bigmind.local.headers import AGENT, WORKSPACE, header_value, safe_name
from bigmind.local.launch import connected
from bigmind.mcp.addresses import PATH
from bigmind.mcp.bridge_messages import (
    BYTE_ORDER_MARK,
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    SERVER_ERROR,
    Json,
    answer_in,
    error_answer,
    failure,
    fault_of,
    is_id,
    negotiated,
    version_of,
)
from bigmind.mcp.workspace import Workspace
from bigmind.paths import BRIDGE, data_folder, token_sent_for
from bigmind.settings.variables import check_variables, unknown_in_words

if TYPE_CHECKING:
    from bigmind.mcp.bridge_streams import Stream, SubscriptionSet

MOST_BYTES = 4 * 1024 * 1024
MOST_WORKERS = 8
MOST_TRIES = 5
MOST_STREAMS = 8
LAST_SECONDS = 2.0
"""How long a client that closed its end may take to read what was being written."""
MODERN = "2026-07-28"
LISTEN, SUBSCRIBE, UNSUBSCRIBE = "subscriptions/listen", "resources/subscribe", "resources/unsubscribe"
START = "memory_start_session"
PLACED = {"tools/call", "prompts/get", "resources/read"}
"""What may be answered differently from one workspace to another."""

CLIENT_KEY = "io.modelcontextprotocol/clientInfo"


def main(arguments: list[str]) -> int:
    """Serve one client until it closes its end.

    `--client NAME` says who it is, where it does not say so itself; `--agent NAME` which of its agents, behind the name
    of its own token.
    """
    given = dict(zip(arguments[::2], arguments[1::2], strict=False))
    if 2 * len(given) != len(arguments) or given.keys() - {"--client", "--agent"}:
        print("usage: bigmind mcp [--client NAME] [--agent NAME]", file=sys.stderr)
        return 2
    try:
        if unknown := check_variables(os.environ):
            print(unknown_in_words(unknown), file=sys.stderr)
        bridge = Bridge(data_folder(), given.get("--client", ""), _address(), given.get("--agent", ""))
    except BigMindError as error:
        print(error, file=sys.stderr)
        return 2
    bridge.serve()
    return bridge.end()


def _address() -> str:
    """The endpoint's, with what the environment asks for."""
    toolsets = toolsets_in("BIGMIND_TOOLSETS", os.environ.get("BIGMIND_TOOLSETS", ""))
    structured = structured_in("BIGMIND_STRUCTURED", os.environ.get("BIGMIND_STRUCTURED", ""))
    wishes = [f"toolsets={as_text(toolsets)}"] if toolsets else []
    wishes += ["structured=1"] if structured else []
    return f"{PATH}?{'&'.join(wishes)}" if wishes else PATH


class Bridge:
    """The traffic of one client."""

    def __init__(self, home: Path, client: str, address: str = PATH, agent: str = "") -> None:
        self._home = home
        self._address = address
        self._named = bool(client)
        self._client = safe_name(client)
        self._agent = agent
        self._token = token_sent_for(home, client)  # once for all: one conversation is one agent's
        self._connection = os.urandom(16).hex()
        self._version = ""
        self._jobs: SimpleQueue[tuple[Json, bytes]] = SimpleQueue()
        self._output = threading.Lock()
        self._state = threading.Condition()
        self._starting = threading.Lock()
        self._workers: list[threading.Thread] = []
        self._unanswered = 0
        self._workspace = Workspace(self._emit)
        self._subscribed: SubscriptionSet | None = None
        self._streams: dict[object, Stream] = {}

    def serve(self) -> None:
        """Read messages until the client closes its end, then wait for the answers that are still due."""
        self._hire()  # connects, or starts the server, while the client is still writing its first message
        for read in sys.stdin.buffer:
            line = read.removeprefix(BYTE_ORDER_MARK)  # which no server takes for JSON
            if line.strip():
                self._take(line)
        with self._state:
            self._state.wait_for(lambda: self._unanswered == 0)

    def end(self) -> NoReturn:
        """End the process, with no message half written.

        At once: an interpreter that takes itself down while streams are read on threads aborts now and then.
        """
        self._output.acquire(timeout=LAST_SECONDS)
        os._exit(0)

    def _take(self, line: bytes) -> None:
        try:
            message: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            self._emit(error_answer(None, PARSE_ERROR, f"Not JSON: {error}"))
            return
        if not is_object(message):
            self._emit(
                error_answer(None, INVALID_REQUEST, "A message must be one JSON object; batches are not supported.")
            )
            return
        if "result" in message or "error" in message:
            self._workspace.hear(message)
            return
        if (message.keys() & {"id", "method"}) == {"method"}:
            self._note(message)
            return
        if fault := fault_of(message):
            self._emit(error_answer(message.get("id") if is_id(message.get("id")) else None, INVALID_REQUEST, fault))
            return
        if len(line) > MOST_BYTES:
            self._emit(error_answer(message["id"], INVALID_REQUEST, "The request is larger than 4,096 KiB."))
        elif message["method"] == LISTEN and version_of(message) >= MODERN:
            self._listen(message, line)
        else:
            self._put(message, line)

    def _put(self, message: Json, line: bytes) -> None:
        with self._state:
            self._unanswered += 1
            if self._unanswered > len(self._workers) and len(self._workers) < MOST_WORKERS:
                self._hire()
        self._jobs.put((message, line))
        if message["method"] == "initialize":
            # What it negotiates goes into the headers of all that follows.
            with self._state:
                self._state.wait_for(lambda: self._unanswered == 0)

    def _note(self, message: Json) -> None:
        """Notifications concern a session, and each request of ours stands alone: few of them mean anything here."""
        match message["method"]:
            case "notifications/initialized" | "notifications/roots/list_changed":
                self._workspace.ask()
            case "notifications/cancelled":
                number = as_object(message.get("params")).get("requestId")
                if is_id(number) and (stream := self._streams.pop(number, None)) is not None:
                    stream.end()
            case _:
                pass

    def _listen(self, message: Json, line: bytes) -> None:
        """Pass on what the server tells on this request, until the client cancels it or goes away."""
        number = message["id"]
        if number in self._streams or len(self._streams) >= MOST_STREAMS:
            told = f"There are at most {MOST_STREAMS} streams, of different ids."
            self._emit(error_answer(number, INVALID_REQUEST, told))
            return

        def take(told: Json) -> None:
            if "error" in told:
                self._streams.pop(number, None)
            self._tell(told)

        self._streams[number] = stream = self._stream(line, self._headers(message), take)
        stream.start()

    def _stream(self, request: bytes, headers: dict[str, str], take: Callable[[Json], None]) -> "Stream":
        from bigmind.mcp.bridge_streams import Stream  # noqa: PLC0415 - most clients never listen

        def again() -> ServerConnection:
            return ServerConnection(self._home, self._token)

        connect = self._server().connect
        return Stream(again, self._address, connect, request, headers, take)

    def _told(self, message: Json) -> "SubscriptionSet":
        """What a client of the older eras is told, which the server has no session of."""
        with self._state:
            if self._subscribed is None:
                from bigmind.mcp.bridge_streams import SubscriptionSet  # noqa: PLC0415 - the first answer does not wait for it

                headers = self._headers(message)
                self._subscribed = SubscriptionSet(
                    lambda request, take: self._stream(request, headers, take), self._tell
                )
            return self._subscribed

    def _subscription(self, message: Json) -> bytes:
        """Subscribe or unsubscribe a client of the older eras."""
        subscribed, uri = self._told(message), as_object(message.get("params")).get("uri")
        if message["method"] == SUBSCRIBE and (fault := subscribed.add(uri)):
            return json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": fault}).encode()
        if message["method"] == UNSUBSCRIBE:
            subscribed.remove(uri)
        return json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": {}}).encode()

    def _tell(self, message: Json) -> None:
        self._emit(json.dumps(message).encode())

    def _server(self) -> "_Server":
        return _Server(self._home, self._token, self._starting)

    def _hire(self) -> None:
        worker = threading.Thread(target=self._work, name=f"bridge-{len(self._workers)}", daemon=True)
        self._workers.append(worker)
        worker.start()

    def _work(self) -> None:
        server = self._server()
        try:
            server.prepare()
        except Exception as error:  # noqa: BLE001 - a worker that ends here answers nobody
            failure(error)
        while True:
            message, line = self._jobs.get()
            self._serve_one(server, message, line)
            with self._state:
                self._unanswered -= 1
                self._state.notify_all()

    def _serve_one(self, server: "_Server", message: Json, line: bytes) -> None:
        """Answer a request, once, whatever happens: its sender waits without end, and so does the bridge's own end."""
        is_answered = False
        try:
            answer = self._answer(server, message, line)
            if message["method"] == "initialize":
                answer, self._version = negotiated(answer)
            self._emit(answer)
            is_answered = True
            if message["method"] == "tools/list" and version_of(message) < MODERN:
                # Who listed the tools may want to list them again.
                self._told(message).follow_tools(partial(self._is_answered_otherwise, message, line, answer))
        except Exception as error:  # noqa: BLE001 - whatever it is: the client is told, and its log
            server.close()  # who knows where it stands
            words = failure(error)
            if not is_answered:
                self._emit(error_answer(message["id"], INTERNAL_ERROR, words))

    def _is_answered_otherwise(self, message: Json, line: bytes, answer: bytes) -> bool:
        """Whether the request would have another answer by now."""
        with closing(self._server()) as server:
            return self._answer(server, message, line) != answer

    def _answer(self, server: "_Server", message: Json, line: bytes) -> bytes:
        if message["method"] in {SUBSCRIBE, UNSUBSCRIBE} and version_of(message) < MODERN:
            return self._subscription(message)
        try:
            response = server.post(self._address, line, self._headers(message))
        except BigMindError as error:
            return error_answer(message["id"], SERVER_ERROR, str(error))
        return answer_in(response, message["id"])

    def _headers(self, message: Json) -> dict[str, str]:
        params = as_object(message.get("params"))
        meta = as_object(params.get("_meta"))
        method = str(message["method"])
        self._learn_client(params.get("clientInfo") if method == "initialize" else meta.get(CLIENT_KEY))
        if method == "initialize":
            self._workspace.meet(params.get("capabilities"))
        headers = {
            "Accept": "application/json",
            "Idempotency-Key": os.urandom(16).hex(),
            "BigMind-Connection": self._connection,
        }
        if self._client and self._token == BRIDGE:
            headers["BigMind-Client"] = self._client
        if self._agent:
            headers[AGENT] = header_value(self._agent)
        if method in PLACED and (project := self._workspace.project(patient=params.get("name") == START)):
            headers["BigMind-Project"] = header_value(project)
        if method in PLACED and (folder := self._workspace.folder()):
            headers[WORKSPACE] = header_value(folder)  # this server is of this machine
        version = version_of(message) or self._version
        if version and method != "initialize":
            headers["MCP-Protocol-Version"] = header_value(version)
        if version >= MODERN:
            headers["Mcp-Method"] = header_value(method)
            name = params.get("uri") if method == "resources/read" else params.get("name")
            if isinstance(name, str) and method in PLACED:
                headers["Mcp-Name"] = header_value(name)
        return headers

    def _learn_client(self, about: object) -> None:
        name = as_object(about).get("name")
        if not self._named and isinstance(name, str):
            self._client = safe_name(name)

    def _emit(self, message: bytes) -> None:
        with self._output:
            try:
                sys.stdout.buffer.write(message + b"\n")
                sys.stdout.buffer.flush()
            except OSError:
                os._exit(0)  # the client is gone; nobody is left to answer


class _Server:
    """The server as one worker sees it: a connection that is made again when it breaks."""

    def __init__(self, home: Path, token: str, starting: threading.Lock) -> None:
        self._home = home
        self._token = token
        self._starting = starting
        self._open: ServerConnection | None = None

    def prepare(self) -> None:
        """Connect ahead of the first request; a failure is told to that request."""
        with suppress(BigMindError):
            self.connect()

    def connect(self) -> ServerConnection:
        """The connection, made where there is none; starts the server where none runs.

        Raises:
            BigMindError: when that fails.
        """
        if self._open is None:
            with self._starting:  # one worker starts a server, the others find it
                self._open = connected(self._home, self._token)
        return self._open

    def post(self, address: str, body: bytes, headers: dict[str, str]) -> Response:
        """Send a request until it is answered, also across restarts of the server.

        Raises:
            NotRunningError: when no server can be reached or started.
            TokenRefusedError: when it does not accept the client's own token.
        """
        for tried in range(1, MOST_TRIES + 1):
            try:
                response = self.connect().request("POST", address, body, headers)
            except OSError as error:
                self.close()
                if tried == MOST_TRIES:
                    raise NotRunningError(f"BigMind broke off {MOST_TRIES} times: {error!r}.") from error
                continue
            if response.status == 401 and tried == 1:  # noqa: PLR2004 - the token was replaced: read it again
                self.close()
                continue
            if response.status == 401 and self._token != BRIDGE:  # noqa: PLR2004
                raise TokenRefusedError(self._token)
            return response
        raise NotRunningError("BigMind does not accept the bridge's token.")

    def close(self) -> None:
        """Drop the connection."""
        if self._open is not None:
            self._open.close()
            self._open = None
