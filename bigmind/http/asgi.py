"""The ASGI types, as plain as the protocol has them."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

STOP = "stop"
"""Under which the state of a request holds what stops it when its client ends its side of the connection."""


def header_values(scope: Scope, name: bytes) -> list[str]:
    """Every value of a header, in order; names are lower case in ASGI."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def replaying(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives a body that was read already, then goes on with the real one."""
    waiting = True

    async def replay() -> Message:
        nonlocal waiting
        if waiting:
            waiting = False
            return {"type": "http.request", "body": body, "more_body": False}
        return await receive()

    return replay
