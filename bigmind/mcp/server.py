"""The MCP server: the catalogue's operations as tools, with resources, prompts and completions beside them."""

import copy
from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from bigmind.core.errors import shown
from bigmind.core.shapes import as_object, is_object
from bigmind.mcp.calls import Context, caller_of, wishes_of
from bigmind.mcp.plain_messages import CALL
from bigmind.mcp.plain_requests import IDENTITY
from bigmind.mcp.prompts import Prompts
from bigmind.mcp.resources import Resources
from bigmind.mcp.roots import Roots
from bigmind.mcp.subscriptions import Subscriptions
from bigmind.mcp.tool_calls import ToolCall, ToolDefinition, Tools, instructions
from bigmind.memory.context.instructions import rules
from bigmind.operations.dispatch import Dispatcher

LONGEST_SHOWN = 40


def mcp_server(dispatcher: Dispatcher, tools: Tools, subscriptions: Subscriptions, roots: Roots) -> "BigMindServer":
    """The server, ready for a transport."""
    handlers = _ToolHandlers(tools, roots, subscriptions)
    resources = Resources(dispatcher)
    prompts = Prompts(dispatcher)

    async def complete(context: Context, given: types.CompleteRequestParams) -> types.CompleteResult:
        caller = caller_of(context)
        if isinstance(given.ref, types.PromptReference):
            return await prompts.complete(caller, given)
        return await resources.complete(caller, given)

    server = BigMindServer(
        IDENTITY["name"],
        version=IDENTITY["version"],
        title=IDENTITY["title"],
        description=IDENTITY["description"],
        instructions=rules(None),
        get_tool_input_schema=tools.schema,
        on_list_tools=handlers.list,
        on_call_tool=handlers.call,
        on_list_resources=resources.list,
        on_list_resource_templates=resources.templates,
        on_read_resource=resources.read,
        on_subscribe_resource=subscriptions.subscribe,
        on_unsubscribe_resource=subscriptions.unsubscribe,
        on_subscriptions_listen=subscriptions.listen,
        on_list_prompts=prompts.list,
        on_get_prompt=prompts.get,
        on_completion=complete,
    )
    server.middleware += [_instruct, _refuse_wrong_call]
    server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, roots.changed)
    return server


async def _instruct(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Have who connects be told of the tools that it is offered, and of no others."""
    result = await call_next(ctx)
    if ctx.method in {"initialize", "server/discover"} and is_object(result):
        result["instructions"] = instructions(caller_of(ctx))
    return result


async def _refuse_wrong_call(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Say what is wrong with the form of a call: the SDK says of any request that its parameters are invalid."""
    if ctx.method == CALL and (wrong := _wrong_in_call(as_object(ctx.params))):
        raise MCPError(types.INVALID_PARAMS, wrong)
    return await call_next(ctx)


def _wrong_in_call(params: Mapping[str, Any]) -> str:
    """What of a call's name and arguments is not right, and what would be; empty where both are."""
    if not isinstance(params.get("name"), str):
        found = shown(params["name"], LONGEST_SHOWN) if "name" in params else "nothing"
        return f'name must be the name of a tool, as "memory_semantic_search"; {found} was sent.'
    arguments = params.get("arguments")
    if arguments is None or is_object(arguments):
        return ""
    found = "a string" if isinstance(arguments, str) else shown(arguments, LONGEST_SHOWN)
    return f'arguments must be an object, as {{"query": "…"}}; {found} was sent.'


class BigMindServer(Server[dict[str, Any]]):
    """The SDK's server, that promises what it keeps.

    Of its lists only that of the tools changes, so it offers to tell of that one; and in the eras with sessions it
    offers this, and subscriptions, to sessions only.
    """

    has_sessions = True

    def without_sessions(self) -> "BigMindServer":
        """The same server, for requests that stand alone."""
        alone = copy.copy(self)
        alone.has_sessions = False
        return alone

    def get_capabilities(self, *given: Any, **named: Any) -> types.ServerCapabilities:
        """What is offered, in the era that the client speaks."""
        offered = super().get_capabilities(*given, **named)
        can_tell = self.has_sessions or named.get("protocol_version") in MODERN_PROTOCOL_VERSIONS
        if offered.tools:
            offered.tools.list_changed = can_tell
        if offered.prompts:
            offered.prompts.list_changed = False
        if offered.resources:
            offered.resources.list_changed = False
            offered.resources.subscribe = bool(offered.resources.subscribe) and can_tell
        return offered


class _ToolHandlers:
    """The tools, as the SDK's server calls them."""

    def __init__(self, tools: Tools, roots: Roots, subscriptions: Subscriptions) -> None:
        self._tools = tools
        self._roots = roots
        self._subscriptions = subscriptions

    async def list(self, context: Context, given: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """The tools that are offered. A session that asks is told when they are others."""
        del given
        self._subscriptions.follow_tools(context)
        return types.ListToolsResult(tools=[_definition(each) for each in self._tools.offered(caller_of(context))])

    async def call(self, context: Context, given: types.CallToolRequestParams) -> types.CallToolResult:
        """As `Tools.call`."""
        key = context.request.headers.get("idempotency-key") if context.request else None
        call = ToolCall(given.name, given.arguments or {}, key, wishes_of(context).is_structured)
        result = await self._tools.call(caller_of(context), call, lambda: self._roots.place(context))
        return types.CallToolResult(
            content=[types.TextContent(text=result.text)],
            structured_content=result.content,
            is_error=result.is_error,
        )


def _definition(tool: ToolDefinition) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.input_schema),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.is_read_only,
            destructive_hint=tool.is_destructive,
            idempotent_hint=tool.is_idempotent,
            open_world_hint=False,
        ),
    )
