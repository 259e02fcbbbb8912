"""Who stands behind an MCP request."""

from typing import Any

from mcp.server.context import ServerRequestContext
from starlette.requests import Request

from bigmind.core.operation import Caller

Context = ServerRequestContext[dict[str, Any], Request]


def caller_of(context: Context) -> Caller:
    """Who calls, as the guard found out before the request came here."""
    if context.request is None:
        raise RuntimeError("an MCP request came in without HTTP: only the guard may let requests in")
    return context.request.scope["state"]["caller"]
