"""The JSON API: `POST /api/v1/<operation>` for each operation of the catalogue, and its OpenAPI document."""

import json
import logging
from collections.abc import Awaitable, Mapping, Sequence
from functools import cache
from typing import Any, cast

from litestar import Request, Response, get, post
from litestar.exceptions import HTTPException
from litestar.handlers import HTTPRouteHandler
from litestar.response import Stream

from bigmind.core.errors import HTTP_STATUS, BigMindError, Code, shown
from bigmind.core.operation import Caller, Operation, Surface
from bigmind.core.progress import Cancellation, Progress, nobody_waits
from bigmind.core.shapes import is_object
from bigmind.http.asgi import STOP, Receive
from bigmind.http.body import named_once
from bigmind.http.long_calls import JSON_LINES, ProgressLines, while_connected
from bigmind.http.openapi import openapi_document
from bigmind.http.problems import error_form, fault_of_ours, waiting
from bigmind.operations.catalogue import Answer
from bigmind.operations.dispatch import Dispatcher

log = logging.getLogger(__name__)

PREFIX = "/api/v1"
REFUSED = HTTP_STATUS[Code.CONFLICT]
"""Of an answer that says that what was asked for was not done; its body is that of the operation, no problem's."""

ROUTER_NAMES = {404: "NOT_FOUND", 405: "METHOD_NOT_ALLOWED"}
"""What the brain's form calls that there is no such address or method; `THOUGHT_NOT_FOUND` would be of a thought."""

AnyRequest = Request[Any, Any, Any]


def caller_of(request: AnyRequest) -> Caller:
    """Who calls, as the guard found out."""
    return request.scope["state"]["caller"]


def api_routes(dispatcher: Dispatcher) -> list[HTTPRouteHandler]:
    """The routes of all operations, and of the document that describes them."""
    operations = dispatcher.catalogue.on(Surface.API)

    @cache
    def document() -> bytes:  # made when it is asked for: it would cost every start 40 ms
        return json.dumps(openapi_document(operations)).encode()

    @get(f"{PREFIX}/openapi.json", name="openapi")
    async def openapi() -> Response[bytes]:
        return Response(document(), media_type="application/json")

    return [openapi, _route(dispatcher, operations)]


def _route(dispatcher: Dispatcher, operations: Sequence[Operation]) -> HTTPRouteHandler:
    """One handler at the paths of all of them: at each start Litestar looks at what a handler takes and gives."""
    of_path = {f"{PREFIX}/{each.name}": each for each in operations}

    @post([*of_path], name="operations", status_code=200)
    async def call(request: AnyRequest) -> Response[bytes] | Stream:
        operation, arguments = of_path[request.scope["path_template"]], arguments_in(await request.body())
        if operation.takes_access:
            return await _long_answer(dispatcher, operation, request, arguments)
        answer = await dispatcher.call(operation, caller_of(request), arguments, request.headers.get("idempotency-key"))
        return _answered(answer)

    return call


async def _long_answer(
    dispatcher: Dispatcher, operation: Operation, request: AnyRequest, arguments: dict[str, Any]
) -> Response[bytes] | Stream:
    """With its progress before it, for who accepts that; ended when nobody waits for it any more."""
    caller, key = caller_of(request), request.headers.get("idempotency-key")

    def begin(progress: Progress, cancellation: Cancellation) -> Awaitable[Answer]:
        return dispatcher.call(operation, caller, arguments, key, progress, cancellation)

    receive = cast("Receive", request.receive)
    if request.headers.get("accept") == JSON_LINES:
        told = ProgressLines(begin, receive, _status)
        request.scope["state"][STOP] = told.stop
        return Stream(told.lines(), media_type=JSON_LINES)
    return _answered(await while_connected(begin, nobody_waits, receive))


def _answered(answer: Answer) -> Response[bytes]:
    body = answer.model_dump_json().encode()
    return Response(body, status_code=_status(answer), media_type="application/json")


def _status(answer: Answer) -> int:
    return REFUSED if answer.is_refusal else 200


def arguments_in(body: bytes) -> dict[str, Any]:
    """The fields that a body holds; an empty one holds none.

    Raises:
        BigMindError: `bad_request` for anything but a JSON object, and for one that names a field twice.
    """
    try:
        arguments: object = json.loads(body or b"{}", object_pairs_hook=named_once)
    except json.JSONDecodeError as error:
        raise BigMindError(Code.BAD_REQUEST, f"The body is not JSON: {error}.") from None
    except ValueError:  # of thousands of digits: Python's own words are for programmers
        raise BigMindError(Code.BAD_REQUEST, "A number in the body is too long.", "Send fewer digits.") from None
    if not is_object(arguments):
        raise BigMindError(
            Code.BAD_REQUEST, f"The body is {shown(arguments, 40)}.", "Send a JSON object of the fields."
        )
    return arguments


def bigmind_error(request: AnyRequest, error: BigMindError) -> Response[bytes]:
    """The one mapper of faults to HTTP."""
    return _error(request, error, headers=waiting(error))


def http_error(request: AnyRequest, error: HTTPException) -> Response[bytes]:
    """What the router itself refuses: no such route, no such method."""
    code = Code.NOT_FOUND if error.status_code == 404 else Code.BAD_REQUEST  # noqa: PLR2004
    fault = BigMindError(code, f"{request.method} {request.url.path[:120]}: {error.detail}", "")
    # With 405, the headers are the methods that are right.
    return _error(request, fault, error.status_code, ROUTER_NAMES.get(error.status_code, ""), error.headers)


def unexpected(request: AnyRequest, error: Exception) -> Response[bytes]:
    """A fault of ours: the log has the traceback, the client a code and no inner detail."""
    log.error("%s %s failed", request.method, request.url.path, exc_info=error)
    return _error(request, fault_of_ours())


def _error(
    request: AnyRequest,
    error: BigMindError,
    status: int | None = None,
    name: str = "",
    headers: Mapping[str, str] | None = None,
) -> Response[bytes]:
    form = error_form(request.url.path, error, status, name)
    # A browser may keep what it fetched by GET.
    told = {"cache-control": "no-store", **(headers or {})}
    return Response(form.body, status_code=form.status, media_type=form.media_type, headers=told)
