"""Request bodies at the door: bounded in size and depth, text cleaned by the one rule of `bigmind.core.plain_text`."""

import json
import re
from typing import Any

from bigmind.core.errors import BigMindError, Code, shown
from bigmind.core.plain_text import clean
from bigmind.core.shapes import is_list, is_object
from bigmind.http.asgi import Message, Receive, Scope, header_values

MOST_BYTES = 4 * 1024 * 1024
DEEPEST = 64
_LONGEST_NUMBER = 18

_STRING = re.compile(rb'"(?:[^"\\]+|\\.)*+(?:"|\Z)', re.DOTALL)
_BRACKET = re.compile(rb"[\[\]{}]")
_SURROGATE_ESCAPE = re.compile(rb"\\u[dD][89a-fA-F]")


def declared_length(scope: Scope, most: int = MOST_BYTES) -> int | None:
    """The Content-Length header, of at most `most`.

    Raises:
        BigMindError: `bad_request`, when it is not one number; `too_large`.
    """
    values = header_values(scope, b"content-length")
    if not values:
        return None
    if len(values) > 1 or not values[0].isdecimal() or len(values[0]) > _LONGEST_NUMBER:
        raise BigMindError(Code.BAD_REQUEST, "The Content-Length header is not a number.")
    length = int(values[0])
    if length > most:
        raise too_large(most)
    return length


async def read_body(receive: Receive, most: int = MOST_BYTES) -> bytes:
    """The whole body, of at most `most` bytes, however it is sent.

    Raises:
        BigMindError: `too_large`, as soon as it is; `bad_request`, when the client went away.
    """
    parts: list[bytes] = []
    total = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise BigMindError(Code.BAD_REQUEST, "The request ended before its body did.")
        part = message.get("body", b"")
        total += len(part)
        if total > most:
            raise too_large(most)
        parts.append(part)
        if not message.get("more_body", False):
            return b"".join(parts)


def bounded(receive: Receive, most: int) -> Receive:
    """A `receive` that gives a body on as it comes, and refuses it once it is larger than `most` bytes.

    Raises:
        BigMindError: `too_large`, in whoever receives.
    """
    total = 0

    async def counted() -> Message:
        nonlocal total
        message = await receive()
        total += len(message.get("body", b""))
        if total > most:
            raise too_large(most)
        return message

    return counted


def too_large(most: int = MOST_BYTES) -> BigMindError:
    """What is said of a body over the bound."""
    if most > MOST_BYTES:
        return BigMindError(Code.TOO_LARGE, f"The file is larger than {most // 1024**3} GB.", "Nothing was kept of it.")
    return BigMindError(
        Code.TOO_LARGE,
        f"The request is larger than {most // 1024:,} KiB.",
        "Keep long texts in several moments, or keep the part that matters.",
    )


def checked_json(body: bytes) -> bytes:
    """The body, safe to parse: UTF-8, not too deep, without lone surrogates. Says nothing about whether it is JSON.

    Where surrogates are looked for it is parsed, and a name that stands twice in an object is refused here already.

    Raises:
        BigMindError: `bad_request`.
    """
    if b"\x00" in body:
        # Not JSON in UTF-8; json.loads would take it for UTF-16 or UTF-32, in which the depth cannot be counted so.
        raise BigMindError(Code.BAD_REQUEST, "The body is not UTF-8: it holds a NUL byte.", "Leave it out.")
    if not body.isascii():
        try:
            body.decode()
        except UnicodeDecodeError as error:
            raise BigMindError(Code.BAD_REQUEST, f"The body is not UTF-8 (byte {error.start}).") from None
    if body.count(b"[") + body.count(b"{") > DEEPEST:
        _check_depth(body)
    if _SURROGATE_ESCAPE.search(body):
        return _without_lone_surrogates(body)
    return body


def _check_depth(body: bytes) -> None:
    depth = 0
    for match in _BRACKET.finditer(_STRING.sub(b"", body)):
        depth += 1 if match.group() in b"[{" else -1
        if depth > DEEPEST:
            raise BigMindError(Code.BAD_REQUEST, f"The JSON is nested deeper than {DEEPEST} levels.", "Flatten it.")


def _without_lone_surrogates(body: bytes) -> bytes:
    try:
        document = json.loads(body, object_pairs_hook=named_once)
    except ValueError:
        return body  # not JSON: the parser behind will say where
    return json.dumps(_cleaned(document)).encode()


def named_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a JSON document, for its parser, which else takes the last of two values and says nothing.

    Raises:
        BigMindError: `bad_request`, when a name stands in it twice.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        twice = next(name for name, _ in pairs if name in seen or seen.add(name))
        raise BigMindError(Code.BAD_REQUEST, f"The body names {shown(twice, 40)} twice.", "Send each field once.")
    return found


def _cleaned(node: object) -> object:
    if isinstance(node, str):
        return clean(node)
    if is_list(node):
        return [_cleaned(each) for each in node]
    if is_object(node):
        return {clean(key): _cleaned(value) for key, value in node.items()}
    return node
