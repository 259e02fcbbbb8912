"""What the bridge reads in messages of JSON-RPC, and what it answers itself."""

import json
from typing import Any

from bigmind.core.shapes import as_object, is_object
from bigmind.local.connection import Response

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
PARSE_ERROR, INVALID_REQUEST, SERVER_ERROR = -32700, -32600, -32000

Json = dict[str, Any]


def version_of(message: Json) -> str:
    """The protocol's version that a request itself names; empty in the eras that agree on it beforehand."""
    return str(as_object(as_object(message.get("params")).get("_meta")).get(VERSION_KEY) or "")


def is_id(value: object) -> bool:
    """Whether it may be the id of a request."""
    return isinstance(value, str | int) and not isinstance(value, bool)


def fault_of(message: Json) -> str:
    """What is wrong with a request; empty when nothing is.

    Said here, because the server's own answer to it would not carry the id that its sender waits for.
    """
    if message.get("jsonrpc") != "2.0":
        return 'A message needs "jsonrpc": "2.0".'
    if not isinstance(message.get("method"), str):
        return "A request needs a method, which is a string."
    if not is_id(message.get("id")):
        return "The id of a request is a string or an integer."
    if not is_object(message.get("params", {})):
        return "The params of a request are an object."
    return ""


def error_answer(request_id: object, code: int, message: str) -> bytes:
    """The answer that says what was wrong."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}).encode()


def refusal_in(response: Response) -> str:
    """Why the server refused, in its own words where it has some."""
    try:
        problem = json.loads(response.body)
        return " ".join(str(problem[key]) for key in ("title", "hint") if problem.get(key))
    except (ValueError, AttributeError, KeyError):
        return f"BigMind answered with HTTP status {response.status}."


def negotiated(answer: bytes) -> tuple[bytes, str]:
    """The answer to `initialize` as the client gets it, and the version in it.

    Without a session the server offers to tell of nothing in these eras; the bridge does.
    """
    try:
        message = json.loads(answer)
        offered = message["result"]["capabilities"]
        offered["resources"]["subscribe"] = offered["tools"]["listChanged"] = True
        return json.dumps(message).encode(), str(message["result"]["protocolVersion"])
    except (ValueError, KeyError, TypeError):
        return answer, ""
