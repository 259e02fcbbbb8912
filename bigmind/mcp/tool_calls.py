"""The operations as tools: which there are, what each says of itself, and what a call of one is answered with.

Nothing here knows the SDK: `plain_requests`, in front of it, and `server`, behind it, call this alike.
"""

import difflib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Effect, Offer, Operation, first_offered, offered_part
from bigmind.core.plain_text import all_visible, visible
from bigmind.memory.context.instructions import rules
from bigmind.operations.catalogue import Answer, input_schema
from bigmind.operations.dispatch import Dispatcher
from bigmind.operations.tools import definition_tokens
from bigmind.text.tokens import about_tokens

START = "memory_start_session"
START_RUN = "session_start"


class Place(NamedTuple):
    """Where a client works: its project, and its folder; as far as it says."""

    project: str | None
    folder: str


NOWHERE = Place(None, "")

WhereClientWorks = Callable[[], Awaitable[Place]]


def instructions(caller: Caller) -> str:
    """What who connects is told: the rules for the tools that it is offered, and what its token is limited to."""
    if caller.scope is None:
        return rules(caller.offer)
    return f"{rules(caller.offer)}\nThe scope of your token: {caller.scope.in_words()}."


async def nobody_knows() -> Place:
    """Where a client works that cannot be asked."""
    return NOWHERE


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """What a model reads of a tool."""

    name: str
    title: str
    description: str
    input_schema: Mapping[str, Any]
    is_read_only: bool
    is_destructive: bool
    is_idempotent: bool


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool, with an idempotency key where it has one; `is_structured`: data are wanted beside the text."""

    name: str
    arguments: Mapping[str, Any]
    key: str | None
    is_structured: bool


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a call is answered with. `is_error`: the text says what was wrong, and the model reads it."""

    text: str
    content: dict[str, Any] | None
    is_error: bool


class Tools:
    """The operations as tools. Their definitions are made once; a person may switch some of them off."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher
        self._operations = {each.name: each for each in dispatcher.catalogue.tools(dispatcher.store.mode)}
        self._schemas = {name: input_schema(each) for name, each in self._operations.items()}
        self._definitions = {
            each.name: _definition(each, self._schemas[each.name]) for each in self._operations.values()
        }
        self._tokens: dict[str, int] = {}

    def schema(self, name: str) -> Mapping[str, Any] | None:
        """The input schema of a tool, for header validation."""
        return self._schemas.get(name)

    def offered(self, caller: Caller) -> list[ToolDefinition]:
        """The tools of the caller's toolsets, in a stable order; it is noted what that costs the caller."""
        offered = [name for name in self._operations if first_offered(caller.offer, name)]
        tokens = sum(self._tokens_of(name) for name in offered)
        self._dispatcher.store.host.activity.note_served(caller, tokens)
        return [self._definitions[name] for name in offered]

    async def call(self, caller: Caller, call: ToolCall, where: WhereClientWorks = nobody_knows) -> ToolResult:
        """Run the operation. A fault the caller can mend is a tool error, which the model reads, no protocol error.

        The text is the answer: several clients hand their model structured content alone, and drop the text. So that
        is sent to who asks for it only; programs that need every character as it is stored have the API. `where` is
        asked by the first call of a conversation, where nobody said in which folder the client works.
        """
        data: dict[str, Any] | None
        fault, drawn_from = False, 0
        try:
            answer = await self._answer(caller, call, where)
            text = answer.in_words(caller.offer)
            data, fault = answer.model_dump(mode="json") if call.is_structured else None, answer.is_refusal
            drawn_from = answer.drawn_from
        except BigMindError as error:
            error.hint = offered_part(caller.offer, error.hint)
            text, data, fault = str(error), {"error": _problem(error)} if call.is_structured else None, True
        text = visible(text)
        activity = self._dispatcher.store.host.activity
        activity.note_delivery(caller, call.name, text, about_tokens, is_error=fault, drawn_from=drawn_from)
        return ToolResult(text, all_visible(data) if data is not None else None, fault)

    async def _answer(self, caller: Caller, call: ToolCall, where: WhereClientWorks) -> Answer:
        operation = self._find(call.name, caller.offer)
        self._dispatcher.store.host.settings.permit(operation.name)
        placed = await _placed(caller, call, where)
        return await self._dispatcher.call(operation, placed, call.arguments, call.key)

    def _tokens_of(self, name: str) -> int:
        """What a definition takes; counted when it is first listed, because the start waits for what is made here."""
        if name not in self._tokens:
            self._tokens[name] = definition_tokens(self._operations[name], self._schemas[name])
        return self._tokens[name]

    def _find(self, name: str, offer: Offer) -> Operation:
        operation = self._operations.get(name) or self._of_a_team(name)
        if operation is None:
            offered = [each for each in self._operations if first_offered(offer, each)]
            near = difflib.get_close_matches(name[:80], offered, n=3, cutoff=0.5)
            hint = f"Did you mean {' or '.join(near)}?" if near else f"The tools are: {', '.join(offered) or 'none'}."
            raise BigMindError(Code.NOT_FOUND, f"Unknown tool: {name[:80]!r}.", hint)
        return operation

    def _of_a_team(self, name: str) -> Operation | None:
        """A tool of a team's server, which answers elsewhere what it is for."""
        found = self._dispatcher.catalogue.get(name)
        return found if found is not None and found.in_team else None


async def _placed(caller: Caller, call: ToolCall, where: WhereClientWorks) -> Caller:
    """Who calls; the first call of a conversation also finds out where the client works, if nobody said it."""
    is_unplaced = call.name == START and not (caller.project or call.arguments.get("project"))
    if is_unplaced or (call.name == START_RUN and not (caller.workspace or call.arguments.get("workspace"))):
        place = await where()
        return replace(caller, project=caller.project or place.project, workspace=caller.workspace or place.folder)
    return caller


def _definition(operation: Operation, schema: dict[str, Any]) -> ToolDefinition:
    return ToolDefinition(
        name=operation.name,
        title=operation.title,
        description=" ".join(operation.description.split()),
        input_schema=schema,
        is_read_only=operation.effect is Effect.READ or operation.is_harmless,
        is_destructive=operation.effect is Effect.DESTRUCTIVE,
        is_idempotent=operation.idempotent,
    )


def _problem(error: BigMindError) -> dict[str, Any]:
    fields = [{"field": each.field, "value": each.value, "expected": each.expected} for each in error.problems]
    return {"code": str(error.code), "message": error.message, "hint": error.hint, "fields": fields}
