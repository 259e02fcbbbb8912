"""Answers requests that stand alone, past the SDK: the call of a tool first of all, and what comes before it.

`plain_messages` says which they are; the answers are those of the SDK's server (`server`), byte for byte.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from bigmind import VERSION
from bigmind.core.operation import Caller
from bigmind.http.asgi import Scope, header_values
from bigmind.mcp import plain_messages as wire
from bigmind.mcp.plain_messages import Json, PlainRequest, PlainResponse
from bigmind.mcp.tool_calls import ToolCall, ToolDefinition, Tools, instructions

log = logging.getLogger(__name__)

IDENTITY = {
    "name": "bigmind",
    "title": "BigMind",
    "version": VERSION,
    "description": "One long-term memory for every AI assistant on this machine.",
}
_STAMP = {"_meta": {"io.modelcontextprotocol/serverInfo": IDENTITY}}
_CAPABILITIES = {
    "completions": {},
    "prompts": {"listChanged": False},
    "resources": {"listChanged": False, "subscribe": False},
    "tools": {"listChanged": False},
}
"""Without a session nobody can be told of anything."""
_SCHEMA_FIRST, _SCHEMA_FIRST_MODERN = ("properties", "required", "type"), ("type",)
"""The fields of a schema that the two eras put first."""
FAILED, FAILED_MODERN = 0, -32603


class PlainRequests:
    """What stands in front of the SDK."""

    def __init__(self, tools: Tools) -> None:
        self._tools = tools

    async def answer(self, scope: Scope, body: bytes) -> PlainResponse | None:
        """The response to a POST that no session serves; None where that is for the SDK to say."""
        request = wire.plain_request(scope, body)
        if request is None:
            return None
        try:
            return await self._answered(scope, request)
        except Exception as error:  # noqa: BLE001 - whatever it is: it is told as the SDK tells it
            return _failed(request, error)

    async def _answered(self, scope: Scope, request: PlainRequest) -> PlainResponse:
        caller: Caller = scope["state"]["caller"]
        match request.method:
            case wire.CALL:
                return wire.answered(request, await self._called(scope, caller, request))
            case wire.LIST:
                return wire.answered(request, _listed(self._tools.offered(caller), is_modern=request.is_modern))
            case wire.INITIALIZE:
                return wire.answered(request, _initialized(caller, request.params))
            case wire.PING:
                return wire.answered(request, {})
            case _:
                return wire.accepted()

    async def _called(self, scope: Scope, caller: Caller, request: PlainRequest) -> Json:
        key = next(iter(header_values(scope, b"idempotency-key")), None)
        arguments = request.params.get("arguments", {})
        call = ToolCall(request.params["name"], arguments, key, scope["state"]["wishes"].is_structured)
        result = await self._tools.call(caller, call)
        said: Json = {"content": [{"text": result.text, "type": "text"}], "isError": result.is_error}
        if request.is_modern:
            said["resultType"] = "complete"
        if result.content is not None:
            said["structuredContent"] = result.content
        return {**said, **_STAMP} if request.is_modern else said


def _initialized(caller: Caller, params: Json) -> Json:
    asked = params["protocolVersion"]
    return {
        "capabilities": _CAPABILITIES,
        "instructions": instructions(caller),
        "protocolVersion": asked if asked in wire.HANDSHAKES else wire.LATEST_HANDSHAKE,
        "serverInfo": {name: IDENTITY[name] for name in sorted(IDENTITY)},
    }


def _listed(tools: Sequence[ToolDefinition], *, is_modern: bool) -> Json:
    listed = [_tool(each, _SCHEMA_FIRST_MODERN if is_modern else _SCHEMA_FIRST) for each in tools]
    if not is_modern:
        return {"tools": listed}
    return {"cacheScope": "private", "resultType": "complete", "tools": listed, "ttlMs": 0, **_STAMP}


def _tool(tool: ToolDefinition, first: Sequence[str]) -> Json:
    return {
        "annotations": {
            "destructiveHint": tool.is_destructive,
            "idempotentHint": tool.is_idempotent,
            "openWorldHint": False,
            "readOnlyHint": tool.is_read_only,
            "title": tool.title,
        },
        "description": tool.description,
        "inputSchema": _in_order(tool.input_schema, first),
        "name": tool.name,
        "title": tool.title,
    }


def _in_order(schema: Mapping[str, Any], first: Sequence[str]) -> Json:
    return {
        **{name: schema[name] for name in first if name in schema},
        **{name: schema[name] for name in schema if name not in first},
    }


def _failed(request: PlainRequest, error: Exception) -> PlainResponse:
    """As the SDK tells what a handler raised: in its own words in the eras with a handshake, in none of them since."""
    from mcp.shared.inbound import ERROR_CODE_HTTP_STATUS  # noqa: PLC0415 - rare, and heavy
    from mcp.shared.jsonrpc_dispatcher import handler_exception_to_error_data  # noqa: PLC0415

    if (known := handler_exception_to_error_data(error)) is not None:
        status = ERROR_CODE_HTTP_STATUS.get(known.code, 200) if request.is_modern else 200
        return wire.failed(request, known.code, known.message, known.data)._replace(status=status)
    log.error("handler for %r raised", request.method, exc_info=error)
    if request.is_modern:
        return wire.failed(request, FAILED_MODERN, "Internal server error")
    return wire.failed(request, FAILED, str(error))
