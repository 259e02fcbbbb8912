"""Who stands behind an MCP request."""

from collections.abc import Callable
from typing import Any

from mcp.server.context import ServerRequestContext
from starlette.requests import Request

from bigmind.core.operation import Caller
from bigmind.mcp.requested_tools import ToolRequest

Context = ServerRequestContext[dict[str, Any], Request]


def caller_of(context: Context) -> Caller:
    """Who calls, as the guard found out before the request came here."""
    return _state(context)["caller"]


def is_allowed(context: Context) -> Callable[[], bool]:
    """Tells, at any later time, whether the token that the request came with still holds."""
    return _state(context)["is_allowed"]


def wishes_of(context: Context) -> ToolRequest:
    """What the address of the request asks for."""
    return _state(context)["wishes"]


def session_of(context: Context) -> str | None:
    """The id of the session that the request names; it need not be a live one."""
    return context.request.headers.get("mcp-session-id") if context.request else None


def _state(context: Context) -> dict[str, Any]:
    if context.request is None:
        raise RuntimeError("an MCP request came in without HTTP: only the guard may let requests in")
    return context.request.scope["state"]
