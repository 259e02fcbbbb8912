"""The MCP server: the catalogue's operations as tools, with resources, prompts and completions beside them."""

import copy
import difflib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import mcp_types as types
from mcp.server.context import CallNext, HandlerResult
from mcp.server.lowlevel import Server
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from bigmind import VERSION
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Effect, Offer, Operation, Surface, first_offered, offered_part
from bigmind.core.plain_text import all_visible, visible
from bigmind.core.shapes import is_object
from bigmind.mcp.calls import Context, caller_of, wishes_of
from bigmind.mcp.prompts import Prompts
from bigmind.mcp.resources import Resources
from bigmind.mcp.roots import Roots
from bigmind.mcp.subscriptions import Subscriptions
from bigmind.memory.context.instructions import rules
from bigmind.operations.catalogue import Answer, input_schema
from bigmind.operations.dispatch import Dispatcher
from bigmind.operations.tools import definition_tokens
from bigmind.settings.live import LiveSettings
from bigmind.text.tokens import about_tokens

START = "memory_start_session"
START_RUN = "session_start"


def mcp_server(dispatcher: Dispatcher, subscriptions: Subscriptions, roots: Roots) -> "BigMindServer":
    """The server, ready for a transport. Tool definitions are made once; a person may switch some of them off."""
    tools = Tools(dispatcher, roots, subscriptions)
    resources = Resources(dispatcher)
    prompts = Prompts(dispatcher)

    async def complete(context: Context, given: types.CompleteRequestParams) -> types.CompleteResult:
        caller = caller_of(context)
        if isinstance(given.ref, types.PromptReference):
            return await prompts.complete(caller, given)
        return await resources.complete(caller, given)

    server = BigMindServer(
        "bigmind",
        version=VERSION,
        title="BigMind",
        description="One long-term memory for every AI assistant on this machine.",
        instructions=rules(None),
        get_tool_input_schema=tools.schema,
        on_list_tools=tools.list,
        on_call_tool=tools.call,
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
    server.middleware.append(_instruct)
    server.add_notification_handler("notifications/roots/list_changed", types.NotificationParams, roots.changed)
    return server


async def _instruct(ctx: Context, call_next: CallNext) -> HandlerResult:
    """Have who connects be told of the tools that it is offered, and of no others."""
    result = await call_next(ctx)
    if ctx.method in {"initialize", "server/discover"} and is_object(result):
        result["instructions"] = rules(caller_of(ctx).offer)
    return result


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


class Tools:
    """The operations as tools."""

    def __init__(self, dispatcher: Dispatcher, roots: Roots, subscriptions: Subscriptions) -> None:
        self._dispatcher = dispatcher
        self._roots = roots
        self._subscriptions = subscriptions
        self._operations = {each.name: each for each in dispatcher.catalogue.on(Surface.MCP)}
        self._schemas = {name: input_schema(each) for name, each in self._operations.items()}
        definitions = [_definition(each, self._schemas[each.name]) for each in self._operations.values()]
        self._definitions = {each.name: each for each in definitions}
        self._tokens: dict[str, int] = {}

    def schema(self, name: str) -> Mapping[str, Any] | None:
        """The input schema of a tool, for header validation."""
        return self._schemas.get(name)

    async def list(self, context: Context, given: types.PaginatedRequestParams | None) -> types.ListToolsResult:
        """The tools of the client's toolsets, in a stable order. A session that asks is told when they are others."""
        del given
        self._subscriptions.follow_tools(context)
        caller = caller_of(context)
        offered = [name for name in self._operations if first_offered(caller.offer, name)]
        self._note_served(caller, sum(self._tokens_of(name) for name in offered))
        return types.ListToolsResult(tools=[self._definitions[name] for name in offered])

    async def call(self, context: Context, given: types.CallToolRequestParams) -> types.CallToolResult:
        """Run the operation. A fault the caller can mend is a tool error, which the model reads, no protocol error.

        The text is the answer: several clients hand their model structured content alone, and drop the text. So that
        is sent to who asks for it only; programs that need every character as it is stored have the API.
        """
        data: dict[str, Any] | None
        is_structured, fault, drawn_from = wishes_of(context).is_structured, False, 0
        try:
            answer = await self._answer(context, given)
            text = answer.in_words(caller_of(context).offer)
            data, fault = answer.model_dump(mode="json") if is_structured else None, answer.is_refusal
            drawn_from = answer.drawn_from
        except BigMindError as error:
            error.hint = offered_part(caller_of(context).offer, error.hint)
            text, data, fault = str(error), {"error": _problem(error)} if is_structured else None, True
        text = visible(text)
        activity = self._dispatcher.store.host.activity
        activity.note_delivery(
            caller_of(context), given.name, text, about_tokens, is_error=fault, drawn_from=drawn_from
        )
        content = all_visible(data) if data is not None else None
        return types.CallToolResult(content=[types.TextContent(text=text)], structured_content=content, is_error=fault)

    async def _answer(self, context: Context, given: types.CallToolRequestParams) -> Answer:
        operation = self._find(given.name, caller_of(context).offer)
        self._settings().permit(operation.name)
        key = context.request.headers.get("idempotency-key") if context.request else None
        return await self._dispatcher.call(operation, await self._caller(context, given), given.arguments or {}, key)

    async def _caller(self, context: Context, given: types.CallToolRequestParams) -> Caller:
        """Who calls; the first call of a conversation also finds out where the client works, if nobody said it."""
        caller, said = caller_of(context), given.arguments or {}
        is_unplaced = given.name == START and not (caller.project or said.get("project"))
        if is_unplaced or (given.name == START_RUN and not (caller.workspace or said.get("workspace"))):
            place = await self._roots.place(context)
            return replace(caller, project=caller.project or place.project, workspace=caller.workspace or place.folder)
        return caller

    def _tokens_of(self, name: str) -> int:
        """What a definition takes; counted when it is first listed, because the start waits for what is made here."""
        if name not in self._tokens:
            self._tokens[name] = definition_tokens(self._operations[name], self._schemas[name])
        return self._tokens[name]

    def _note_served(self, caller: Caller, tokens: int) -> None:
        self._dispatcher.store.host.activity.note_served(caller, tokens)

    def _settings(self) -> LiveSettings:
        return self._dispatcher.store.host.settings

    def _find(self, name: str, offer: Offer) -> Operation:
        operation = self._operations.get(name)
        if operation is None:
            offered = [each for each in self._operations if first_offered(offer, each)]
            near = difflib.get_close_matches(name[:80], offered, n=3, cutoff=0.5)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"The tools are: {', '.join(offered) or 'none'}."
            raise BigMindError(Code.NOT_FOUND, f"Unknown tool: {name[:80]!r}.", hint)
        return operation


def _definition(operation: Operation, schema: dict[str, Any]) -> types.Tool:
    return types.Tool(
        name=operation.name,
        title=operation.title,
        description=" ".join(operation.description.split()),
        input_schema=schema,
        annotations=types.ToolAnnotations(
            title=operation.title,
            read_only_hint=operation.effect is Effect.READ or operation.is_harmless,
            destructive_hint=operation.effect is Effect.DESTRUCTIVE,
            idempotent_hint=operation.idempotent,
            open_world_hint=False,
        ),
    )


def _problem(error: BigMindError) -> dict[str, Any]:
    fields = [{"field": each.field, "value": each.value, "expected": each.expected} for each in error.problems]
    return {"code": str(error.code), "message": error.message, "hint": error.hint, "fields": fields}
