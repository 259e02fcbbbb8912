"""How an error looks over HTTP: RFC 9457 problem details; below the brain's own address, the form documented there."""

import json
import logging
from collections.abc import Sequence
from typing import NamedTuple

from bigmind.core.errors import HTTP_STATUS, RETRY_SECONDS, BigMindError, Code
from bigmind.http.asgi import App, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

PROBLEM_JSON = "application/problem+json"
BRAIN_ROOT = "/api/v1/memory"
BRAIN_NAMES = {
    Code.INVALID_INPUT: "VALIDATION_ERROR",
    Code.BAD_REQUEST: "VALIDATION_ERROR",
    Code.NOT_FOUND: "THOUGHT_NOT_FOUND",
}
BRAIN_STATUS = {Code.INVALID_INPUT: 400}


class ErrorForm(NamedTuple):
    """An error as a response has it."""

    status: int
    body: bytes
    media_type: str


def fault_of_ours() -> BigMindError:
    """What a client is told of one: a code, and no inner detail; the log has the traceback."""
    return BigMindError(
        Code.INTERNAL, "Something went wrong inside BigMind.", "Its log has the details; please report it."
    )


def error_form(path: str, error: BigMindError, status: int | None = None, name: str = "") -> ErrorForm:
    """An error in the form of the address where it happened.

    Args:
        path: of the request.
        error: what was wrong.
        status: where it is another one than its code's.
        name: what the brain's form calls it, where that is another one than its code's: the router knows no thought.
    """
    if path != BRAIN_ROOT and not path.startswith(f"{BRAIN_ROOT}/"):
        return ErrorForm(status or HTTP_STATUS[error.code], problem(error, status), PROBLEM_JSON)
    code = name or BRAIN_NAMES.get(error.code, error.code.value.upper())
    body = json.dumps({"error": {"code": code, "message": str(error)}}).encode()
    return ErrorForm(status or BRAIN_STATUS.get(error.code, HTTP_STATUS[error.code]), body, "application/json")


def problem(error: BigMindError, status: int | None = None) -> bytes:
    """The body: status, stable code, what was wrong, what would be right, and the fields that were not."""
    body: dict[str, object] = {
        "status": status or HTTP_STATUS[error.code],
        "code": error.code,
        "title": error.message,
    }
    if error.hint:
        body["hint"] = error.hint
    if error.problems:
        body["fields"] = [
            {"field": each.field, "value": each.value, "expected": each.expected} for each in error.problems
        ]
    return json.dumps(body).encode()


def waiting(error: BigMindError) -> dict[str, str]:
    """The header that says when to ask again, where an error is told that waiting helps against."""
    return {"retry-after": str(RETRY_SECONDS)} if error.code is Code.BRAIN_UNAVAILABLE else {}


async def refuse(
    send: Send,
    error: BigMindError,
    status: int | None = None,
    headers: Sequence[tuple[bytes, bytes]] = (),
    path: str = "",
) -> None:
    """Answer a request with an error and close its connection, so that an unread body is not taken for a request."""
    form = error_form(path, error, status)
    later = [(name.encode(), value.encode()) for name, value in waiting(error).items()]
    told = (*headers, *later, (b"connection", b"close"))
    await answer(send, form.status, form.body, form.media_type.encode(), told)


async def answered_or_told(app: App, scope: Scope, receive: Receive, send: Send) -> None:
    """Have an application answer; what it raises before that is told as the router tells what a route raises.

    Once an answer has begun no other one can: what is raised then is logged, and the server below closes the connection
    because of it.
    """
    has_begun = False

    async def noted(message: Message) -> None:
        nonlocal has_begun
        has_begun = has_begun or message["type"] == "http.response.start"
        await send(message)

    try:
        await app(scope, receive, noted)
    except Exception as error:
        is_ours = not isinstance(error, BigMindError)
        if is_ours or has_begun:  # the log has the traceback, the client a code and no inner detail, or half an answer
            log.exception("%s %s failed", scope["method"], scope["path"])
        if has_begun:
            raise
        await refuse(send, fault_of_ours() if is_ours else error, path=scope["path"])


async def answer(
    send: Send, status: int, body: bytes, content_type: bytes, headers: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """Send one whole response."""
    length = str(len(body)).encode()
    fixed = ((b"content-type", content_type), (b"content-length", length), (b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})
