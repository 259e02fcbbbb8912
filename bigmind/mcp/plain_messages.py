"""Which requests stand alone and are plainly well-formed, and what an answer to one looks like on the wire.

Such a request is answered past the SDK (`plain_requests`), whose machinery costs more than most operations do. What is
read here is less than the protocol allows: whatever is rare, wrong or doubtful is None, and goes to the SDK, which says
what is wrong. tests/mcp/test_plain_requests.py holds that both ways answer alike, byte for byte.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import pydantic_core

from bigmind.core.shapes import as_object, is_object
from bigmind.http.asgi import Scope, header_values

INITIALIZE, PING, LIST, CALL = "initialize", "ping", "tools/list", "tools/call"
INITIALIZED = "notifications/initialized"
_INITIALIZED = {"jsonrpc": "2.0", "method": INITIALIZED}
_FIELDS_OF_REQUESTS = frozenset({"jsonrpc", "id", "method", "params"})
MODERN = "2026-07-28"
HANDSHAKES = frozenset({"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"})
LATEST_HANDSHAKE = "2025-11-25"
_OF_MODERN = frozenset({LIST, CALL})
_OF_HANDSHAKES = frozenset({INITIALIZE, PING, LIST, CALL})
_FIELDS = {
    INITIALIZE: frozenset({"protocolVersion", "capabilities", "clientInfo", "_meta"}),
    PING: frozenset({"_meta"}),
    LIST: frozenset({"_meta"}),
    CALL: frozenset({"name", "arguments", "_meta"}),
}
_RESERVED = "io.modelcontextprotocol/"
_VERSION, _CAPABILITIES = f"{_RESERVED}protocolVersion", f"{_RESERVED}clientCapabilities"
_CLIENT = f"{_RESERVED}clientInfo"
_PROGRESS = "progressToken"
_JSON = "application/json"
_ACCEPTED = frozenset({_JSON, "application/*", "*/*"})
_WORDS_ABOUT_CLIENT = frozenset({"name", "version", "title", "description", "websiteUrl"})
_PLAIN_CAPABILITIES = frozenset({"elicitation", "experimental", "sampling"})

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PlainRequest:
    """A request that stands alone; a notification where `number` is None.

    Attributes:
        method: one of those above.
        number: the id that the answer carries.
        params: of the request; empty where it has none.
        is_modern: whether it is of the era without a handshake.
    """

    method: str
    number: str | int | None
    params: Json
    is_modern: bool


class PlainResponse(NamedTuple):
    """An HTTP response, headers in the order in which the SDK sends them."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes


def plain_request(scope: Scope, body: bytes) -> PlainRequest | None:
    """The request, where it can be answered past the SDK; else None."""
    version = _version_of(scope)
    if version is None or not _is_plain_http(scope):
        return None
    is_modern = version == MODERN
    message = _message_in(body, is_modern=is_modern)
    if message == _INITIALIZED and not is_modern:
        return PlainRequest(INITIALIZED, None, {}, is_modern=False)
    request = _request_in(message, is_modern=is_modern)
    is_plain = request is not None and _is_well_formed(request) and (not is_modern or _is_repeated(scope, request))
    return request if is_plain else None


def _message_in(body: bytes, *, is_modern: bool) -> Json:
    """The message, read by the parser that the SDK has for each era; empty where it is none of JSON-RPC."""
    try:
        message: object = json.loads(body) if is_modern else pydantic_core.from_json(body)
    except (ValueError, RecursionError):
        return {}
    return message if is_object(message) and message.get("jsonrpc") == "2.0" else {}


def _request_in(message: Json, *, is_modern: bool) -> PlainRequest | None:
    method, number, params = message.get("method"), message.get("id"), message.get("params", {})
    is_known = isinstance(method, str) and method in (_OF_MODERN if is_modern else _OF_HANDSHAKES)
    if not is_known or not _is_id(number) or not is_object(params) or not message.keys() <= _FIELDS_OF_REQUESTS:
        return None
    return PlainRequest(str(method), number, params, is_modern)


def _version_of(scope: Scope) -> str | None:
    """The era's version: none is said before a handshake's has been agreed on. None where the SDK has to judge it."""
    versions = header_values(scope, b"mcp-protocol-version")
    if not versions:
        return ""
    known = len(versions) == 1 and (versions[0] == MODERN or versions[0] in HANDSHAKES)
    return versions[0] if known else None


def _is_plain_http(scope: Scope) -> bool:
    kinds, accepted = header_values(scope, b"content-type"), header_values(scope, b"accept")
    if len(kinds) != 1 or len(accepted) != 1 or kinds[0].partition(";")[0].strip() != _JSON:
        return False
    return any(each.strip().partition(";")[0].strip().lower() in _ACCEPTED for each in accepted[0].split(","))


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)


def _is_well_formed(request: PlainRequest) -> bool:
    params = request.params
    if not params.keys() <= _FIELDS[request.method] or not _is_plain_meta(params, is_modern=request.is_modern):
        return False
    match request.method:
        case "tools/call":
            return isinstance(params.get("name"), str) and is_object(params.get("arguments", {}))
        case "initialize":
            is_named = isinstance(params.get("protocolVersion"), str) and _is_client(params.get("clientInfo"))
            return is_named and _are_capabilities(params.get("capabilities"))
        case _:
            return True


def _is_plain_meta(params: Mapping[str, Any], *, is_modern: bool) -> bool:
    if "_meta" not in params and not is_modern:
        return True
    meta = params.get("_meta")
    if not is_object(meta) or not (_PROGRESS not in meta or _is_id(meta[_PROGRESS])):
        return False
    reserved = {each for each in meta if each.startswith(_RESERVED)}
    if not is_modern:
        return not reserved
    is_whole = {_VERSION, _CAPABILITIES} <= reserved <= {_VERSION, _CAPABILITIES, _CLIENT}
    return is_whole and _are_capabilities(meta[_CAPABILITIES]) and (_CLIENT not in meta or _is_client(meta[_CLIENT]))


def _is_client(about: object) -> bool:
    """Whether a client says of itself what it is, in words alone: pictures are the SDK's."""
    words = as_object(about)
    is_named = {"name", "version"} <= words.keys() <= _WORDS_ABOUT_CLIENT
    return is_named and all(isinstance(each, str) for each in words.values())


def _are_capabilities(value: object) -> bool:
    """Whether these are capabilities as most clients have them."""
    if not is_object(value):
        return False
    given = dict(value)
    if given.pop("roots", {}) not in ({}, {"listChanged": True}, {"listChanged": False}):
        return False
    parts = [as_object(each) for each in given.values() if is_object(each)]
    is_known = given.keys() <= _PLAIN_CAPABILITIES and len(parts) == len(given)
    return is_known and all(is_object(each) for part in parts for each in part.values())


def _is_repeated(scope: Scope, request: PlainRequest) -> bool:
    """Whether the headers say again what the body says, as that era wants it for who stands in between."""
    if any(name.startswith(b"mcp-param-") for name, _ in scope["headers"]):
        return False
    named = header_values(scope, b"mcp-name")
    if request.params["_meta"][_VERSION] != MODERN or header_values(scope, b"mcp-method") != [request.method]:
        return False
    if request.method == CALL:
        return named == [request.params["name"]] and not named[0].startswith("=?")
    return len(named) <= 1


def answered(request: PlainRequest, result: Json) -> PlainResponse:
    """The response that carries a result."""
    return _response(request, {"jsonrpc": "2.0", "id": request.number, "result": result})


def failed(request: PlainRequest, code: int, message: str, data: str | None = None) -> PlainResponse:
    """The response that carries an error of the server's, which HTTP knows nothing of."""
    error: Json = {"code": code, "message": message, **({} if data is None else {"data": data})}
    return _response(request, {"jsonrpc": "2.0", "id": request.number, "error": error})


def accepted() -> PlainResponse:
    """The response to a notification."""
    return PlainResponse(202, [(b"content-type", _JSON.encode()), (b"content-length", b"0")], b"")


def _response(request: PlainRequest, message: Json) -> PlainResponse:
    if request.is_modern:
        body = json.dumps(message, separators=(",", ":")).encode()
    else:
        body = pydantic_core.to_json(message, inf_nan_mode="null")
    kind, length = (b"content-type", _JSON.encode()), (b"content-length", str(len(body)).encode())
    return PlainResponse(200, [length, kind] if request.is_modern else [kind, length], body)
