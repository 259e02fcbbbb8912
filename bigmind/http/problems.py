"""How an error looks over HTTP: RFC 9457 problem details, the same everywhere."""

import json
from collections.abc import Sequence

from bigmind.core.errors import HTTP_STATUS, BigMindError
from bigmind.http.asgi import Send

PROBLEM_JSON = "application/problem+json"


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


async def refuse(
    send: Send, error: BigMindError, status: int | None = None, headers: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """Answer a request with an error and close its connection, so that an unread body is not taken for a request."""
    body = problem(error, status)
    await answer(
        send, status or HTTP_STATUS[error.code], body, PROBLEM_JSON.encode(), (*headers, (b"connection", b"close"))
    )


async def answer(
    send: Send, status: int, body: bytes, content_type: bytes, headers: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """Send one whole response."""
    length = str(len(body)).encode()
    fixed = ((b"content-type", content_type), (b"content-length", length), (b"cache-control", b"no-store"))
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})
