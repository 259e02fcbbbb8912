"""A model that says what a test has it say, with every request kept: the APIs of Anthropic and OpenAI on loopback."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Says:
    """An answer in words."""

    text: str


@dataclass(frozen=True)
class Calls:
    """An answer that calls a tool."""

    tool: str
    arguments: dict[str, Any]


Answer = Says | Calls | Callable[[dict[str, Any]], Says | Calls]
"""What the model answers, or what finds that out of all that it is told."""


@dataclass
class StubModel:
    """What the model is asked, and what it answers, one after the other; "done" when it has nothing left to say.

    `before_turn` is called each time it is asked.
    """

    address: str = ""
    script: list[Answer] = field(default_factory=list)
    requests: list[dict[str, Any]] = field(default_factory=list)
    before_turn: Callable[[], None] = lambda: None

    def will(self, *answers: Answer) -> None:
        """Answer so from now on; what was asked before is forgotten."""
        self.script = list(answers)
        self.requests = []

    def turn(self, request: dict[str, Any]) -> Says | Calls:
        """The next answer. Side requests, such as for a title, offer no tools: they get none of the script."""
        if not request.get("tools"):
            return Says("done")
        self.before_turn()
        self.requests.append(request)
        answer = self.script.pop(0) if self.script else Says("done")
        return answer if isinstance(answer, Says | Calls) else answer(request)

    def told(self, number: int) -> str:
        """All that the model was told with one request of the conversation, as text."""
        return json.dumps(self.requests[number], ensure_ascii=False)

    def tools(self) -> set[str]:
        """The names of all tools that it was offered."""
        return {each["name"] for request in self.requests for each in request.get("tools") or ()}

    def results(self) -> list[str]:
        """What the tools that it called gave back, in the last request that says it."""
        messages = self.requests[-1]["messages"] if self.requests else []
        blocks = [block for each in messages if isinstance(each["content"], list) for block in each["content"]]
        return [json.dumps(each["content"]) for each in blocks if each["type"] == "tool_result"]


@contextmanager
def stub_model() -> Iterator[StubModel]:
    """A model for the length of a block."""
    model, lock = StubModel(), threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._send(200, b"")

        def do_GET(self) -> None:
            self._send(404, b"{}")

        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
            stream = next((each for path, each in STREAMS.items() if self.path.startswith(path)), None)
            if stream is None:
                self._send(200, b"{}")
            elif "count_tokens" in self.path:
                self._send(200, b'{"input_tokens": 10}')
            else:
                with lock:
                    answer = model.turn(request)
                self._send(200, b"".join(stream(answer)), "text/event-stream")

        def _send(self, status: int, body: bytes, kind: str = "application/json") -> None:
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    model.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _message(answer: Says | Calls) -> Sequence[bytes]:
    """An answer as the messages API of Anthropic streams it."""
    if isinstance(answer, Says):
        block: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": answer.text}
        reason = "end_turn"
    else:
        block = {"type": "tool_use", "id": f"toolu_{id(answer)}", "name": answer.tool, "input": {}}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(answer.arguments)}
        reason = "tool_use"
    message = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-stub",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    }
    told: list[tuple[str, dict[str, Any]]] = [
        ("message_start", {"message": message}),
        ("content_block_start", {"index": 0, "content_block": block}),
        ("content_block_delta", {"index": 0, "delta": delta}),
        ("content_block_stop", {"index": 0}),
        ("message_delta", {"delta": {"stop_reason": reason, "stop_sequence": None}, "usage": {"output_tokens": 3}}),
        ("message_stop", {}),
    ]
    return [_event(name, data) for name, data in told]


def _response(answer: Says | Calls) -> Sequence[bytes]:
    """An answer as the responses API of OpenAI streams it; a tool's name begins with that of its server."""
    if isinstance(answer, Says):
        text = {"type": "output_text", "text": answer.text}
        item: dict[str, Any] = {"type": "message", "role": "assistant", "id": "msg_1", "content": [text]}
    else:
        server, _, name = answer.tool.rpartition("__")
        item = {"type": "function_call", "id": "fc_1", "call_id": f"call_{id(answer)}"}
        item |= {"namespace": server, "name": name, "arguments": json.dumps(answer.arguments)}
    usage = {"input_tokens": 10, "output_tokens": 3, "total_tokens": 13}
    told: list[tuple[str, dict[str, Any]]] = [
        ("response.created", {"response": {"id": "resp_1"}}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": {"id": "resp_1", "output": [item], "usage": usage}}),
    ]
    return [_event(name, data) for name, data in told]


def _event(name: str, data: dict[str, Any]) -> bytes:
    return f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n".encode()


STREAMS = {"/v1/messages": _message, "/v1/responses": _response}
"""How an answer is streamed, by the path that is asked."""
