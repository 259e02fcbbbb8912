"""Cross-origin requests: answered for the web pages that the owner named in the settings, and for no others.

They reach what takes a token in a header, never the pages, whose cookie a browser would send along. Everything else
that the guard checks holds for them too. A page that is not named gets no answer that it could read.
"""

from collections.abc import Callable

from bigmind.http.asgi import Message, Scope, Send, header_values

Origins = Callable[[], frozenset[str]]
"""The origins of the web pages that may call, as the settings have them now."""

METHODS = "GET, POST, PATCH, DELETE"
REQUEST_HEADERS = (
    "authorization, content-type, idempotency-key, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, "
    "last-event-id, bigmind-project, bigmind-client, bigmind-agent, bigmind-connection"
)
EXPOSED = "mcp-session-id"
SECONDS = "600"
"""For how long a browser need not ask again; a page that is taken from the settings is refused at its next request."""


def named_origin(scope: Scope, bearer_paths: tuple[str, ...], origins: Origins) -> str | None:
    """The origin of a request to a path that takes a token, where it is one that the owner named; else None."""
    found = header_values(scope, b"origin")
    if len(found) != 1 or not scope["path"].startswith(bearer_paths):
        return None
    return found[0] if found[0].lower() in origins() else None


def is_preflight(scope: Scope) -> bool:
    """Whether a browser asks for permission before it sends what a page wants sent."""
    return scope["method"] == "OPTIONS" and bool(header_values(scope, b"access-control-request-method"))


async def permit(send: Send, origin: str) -> None:
    """Answer a preflight: what the page may send, without any cookie."""
    headers = [
        *_shared(origin),
        (b"access-control-allow-methods", METHODS.encode()),
        (b"access-control-allow-headers", REQUEST_HEADERS.encode()),
        (b"access-control-max-age", SECONDS.encode()),
        (b"content-length", b"0"),
        (b"cache-control", b"no-store"),
    ]
    await send({"type": "http.response.start", "status": 204, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


def readable_by(send: Send, origin: str) -> Send:
    """A `send` whose responses that page may read."""

    async def tell(message: Message) -> None:
        if message["type"] == "http.response.start":
            exposed = (b"access-control-expose-headers", EXPOSED.encode())
            message = {**message, "headers": [*message.get("headers", ()), *_shared(origin), exposed]}
        await send(message)

    return tell


def _shared(origin: str) -> list[tuple[bytes, bytes]]:
    return [(b"access-control-allow-origin", origin.encode("latin-1")), (b"vary", b"Origin")]
