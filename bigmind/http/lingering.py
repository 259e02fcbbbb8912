"""The end of a connection whose request was refused before its body was read.

A system that closes a connection with bytes unread resets it, and most clients read no answer before all of their body
is sent: they would see a broken pipe in place of what was wrong. So the answer goes out at once, and what still comes
is thrown away for a while.
"""

import anyio

from bigmind.http.asgi import Message, Receive, Send

MOST_BYTES = 64 * 1024 * 1024
"""Who sends more is not heard to the end."""
SECONDS = 2.0
QUIET_SECONDS = 0.5
"""Who waits so long has either read the answer, or sends nothing."""


def lingering(send: Send, receive: Receive) -> Send:
    """A `send` that ends its answer only once the rest of the request was thrown away, within the bounds above."""

    async def send_and_linger(message: Message) -> None:
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            await send({**message, "more_body": True})
            await _throw_away(receive)
            message = {"type": "http.response.body", "body": b""}
        await send(message)

    return send_and_linger


async def _throw_away(receive: Receive) -> None:
    left, has_more = MOST_BYTES, True
    with anyio.move_on_after(SECONDS):
        while has_more and left > 0:
            has_more = False
            with anyio.move_on_after(QUIET_SECONDS):
                message = await receive()
                left -= len(message.get("body", b""))
                has_more = message.get("more_body", False)
