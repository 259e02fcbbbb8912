"""What the bridge reads in messages of JSON-RPC, and what it answers itself; some of it the endpoint too."""

import json
import sys
from typing import Any, TypeGuard

from bigmind.core.shapes import as_object, is_object
from bigmind.local.connection import Response

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""What some programs of Windows begin with when they write UTF-8."""
PARSE_ERROR, INVALID_REQUEST, INTERNAL_ERROR, SERVER_ERROR = -32700, -32600, -32603, -32000

Json = dict[str, Any]

WRONG_ID = "The id of a request is a string or an integer."
NO_BATCH = "A message must be one JSON object; batches are not supported: send each message by itself."
_NO_MESSAGE = "no message of JSON-RPC"


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
        return WRONG_ID
    if not is_object(message.get("params", {})):
        return "The params of a request are an object."
    return ""


def error_answer(request_id: object, code: int, message: str) -> bytes:
    """The answer that says what was wrong."""
    return json.dumps({"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": message}}).encode()


def answer_in(response: Response, number: str | int) -> bytes:
    """The server's answer to a request, on one line; where none came, the error that says what did.

    Args:
        response: whatever the server, or what stands in its place, sent.
        number: the request's id. Its sender waits for it without end, so what does not carry it is no answer.
    """
    body = response.body.strip()
    is_json = response.content_type.startswith("application/json")
    if is_json and _is_answer_at_sight(body, number):
        return body
    message = parsed(body)
    fault = _fault_of_answer(message, number) if is_json else _NO_MESSAGE
    if fault:
        return error_answer(number, SERVER_ERROR, refusal_in(response.status, message, fault))
    return json.dumps({**as_object(message), "id": number}).encode()


def _is_answer_at_sight(body: bytes, number: str | int) -> bool:
    """Whether it begins and ends as our server's answers do: to parse each, only to pass it on, would cost too much."""
    begin = b'{"jsonrpc":"2.0","id":%b,' % json.dumps(number, ensure_ascii=False).encode(errors="replace")
    if not body.startswith((begin + b'"result":{', begin + b'"error":{"code":')) or not body.endswith(b"}}"):
        return False
    return b"\n" not in body and (body.isascii() or _is_utf_8(body))


def _is_utf_8(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def _fault_of_answer(message: object, number: str | int) -> str:
    """Why it is no answer to the request; empty when it is one."""
    if not is_object(message) or message.get("jsonrpc") != "2.0":
        return _NO_MESSAGE
    answered, is_refusal = message.get("id"), "error" in message
    if not (is_error(message["error"]) if is_refusal else is_object(message.get("result"))):
        return _NO_MESSAGE
    # A server that cannot read the id of what it refuses answers null.
    is_ours = (is_id(answered) and answered == number) or (is_refusal and answered is None)
    return "" if is_ours else "the answer to another request"


def parsed(body: bytes) -> object:
    """The JSON that somebody sent; None where it is none."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return None


def is_error(value: object) -> TypeGuard[Json]:
    """Whether it is an error of JSON-RPC, in words."""
    error = as_object(value)
    code, words = error.get("code"), error.get("message")
    return isinstance(code, int) and not isinstance(code, bool) and isinstance(words, str) and bool(words)


def refusal_in(status: int, message: object, fault: str = _NO_MESSAGE) -> str:
    """Why the server refused, in its own words where it has some.

    Args:
        status: of its response.
        message: what came, parsed.
        fault: what is wrong with it, where it has no words.
    """
    problem = as_object(message)
    if words := [str(problem[key]) for key in ("title", "hint") if problem.get(key)]:
        return " ".join(words)
    return f"BigMind answered with HTTP status {status}, and what came is {fault}."


def failure(error: Exception) -> str:
    """What nobody expected, in words for who asked; the whole of it goes to the log that clients keep of us."""
    sys.excepthook(type(error), error, error.__traceback__)  # to standard error, without importing a thing
    return f"BigMind's bridge failed: {type(error).__name__}: {error}"


def negotiated(answer: bytes) -> tuple[bytes, str]:
    """The answer to `initialize` as the client gets it, and the version in it.

    Without a session the server offers to tell of nothing in these eras; the bridge does.
    """
    try:
        message = json.loads(answer)
        offered = message["result"]["capabilities"]
        offered["resources"]["subscribe"] = offered["tools"]["listChanged"] = True
        return json.dumps(message).encode(), str(message["result"]["protocolVersion"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return answer, ""
