"""The brain over plain HTTP, `/api/v1/memory`: a hand-written form of the operations, with the errors it documents.

What may be done, by whom and how large is decided by the operations that are called, as everywhere.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from litestar import Response, Router, get, patch, post
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath

from bigmind.brain import operations as brain
from bigmind.brain.answers import BrainAnswer
from bigmind.brain.contribution import NotStored, not_stored, why_not
from bigmind.brain.rules import LONGEST_AGENT, LONGEST_AGENT_NAME
from bigmind.core.client_names import named, of_agent
from bigmind.core.errors import invalid
from bigmind.core.operation import Caller, Operation
from bigmind.core.plain_text import clean, one_line, visible
from bigmind.http.api import AnyRequest, arguments_in, caller_of
from bigmind.http.problems import BRAIN_ROOT
from bigmind.operations.catalogue import Answer
from bigmind.operations.dispatch import Dispatcher
from bigmind.secrets.client_names_masking import without_secrets

ADAPTED = frozenset({"agent_id", "agent_name", "read_only"})
"""Fields that are this form's own: the operations know none of them."""

_ASKING = frozenset(brain.query_brain.input_model.model_fields)
_CONTRIBUTING = frozenset(brain.contribute_to_brain.input_model.model_fields)
_ONLY_ASKING, _ONLY_CONTRIBUTING = _ASKING - _CONTRIBUTING, _CONTRIBUTING - _ASKING

Fields = Mapping[str, Any]
JsonResponse = Response[bytes]


class _Calls:
    """Runs the operations for these routes."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def answer(self, request: AnyRequest, operation: Operation, given: Fields) -> Answer:
        """What an operation answers, for the agent that the fields name."""
        arguments = {name: value for name, value in given.items() if name not in ADAPTED}
        key = request.headers.get("idempotency-key")
        return await self._dispatcher.call(operation, _caller(request, given), arguments, key)

    async def __call__(self, request: AnyRequest, operation: Operation, given: Fields) -> JsonResponse:
        return _response(await self.answer(request, operation, given))


def brain_routes(dispatcher: Dispatcher) -> Router:
    """All of them."""
    run = _Calls(dispatcher)
    handlers = [*_asking(run), *_thoughts(run), *_lists(run)]
    return Router(BRAIN_ROOT, route_handlers=handlers)


def _asking(run: _Calls) -> list[HTTPRouteHandler]:
    """Asking, and contributing."""

    @post("/", name="brain_ask_or_contribute", status_code=200)
    async def ask_or_contribute(request: AnyRequest) -> JsonResponse:
        given = arguments_in(await request.body())
        operation, fields, reason = _request_of(given)
        answer = cast("BrainAnswer", await run.answer(request, operation, fields))
        if reason is not None:
            answer.result.response = f"{not_stored(reason)}\n\n{answer.result.response}".strip()
        return _response(answer)

    @get("/", name="brain_ask")
    async def ask(request: AnyRequest) -> JsonResponse:
        return await run(request, brain.query_brain, _query(request))

    return [ask_or_contribute, ask]


def _thoughts(run: _Calls) -> list[HTTPRouteHandler]:
    """What is done with one thought."""

    @get("/thought/{thought_id:str}", name="brain_thought")
    async def thought(request: AnyRequest, thought_id: FromPath[str]) -> JsonResponse:
        return await run(request, brain.brain_get_thought, {**_query(request), "id": thought_id})

    @get("/thought/{thought_id:str}/lineage", name="brain_thought_lineage")
    async def lineage(request: AnyRequest, thought_id: FromPath[str]) -> JsonResponse:
        return await run(request, brain.brain_get_lineage, {**_query(request), "id": thought_id})

    @patch("/thought/{thought_id:str}/metadata", name="brain_describe_thought", status_code=200)
    async def describe(request: AnyRequest, thought_id: FromPath[str]) -> JsonResponse:
        given = arguments_in(await request.body())
        return await run(request, brain.brain_update_thought, {**given, "id": thought_id})

    @post("/thought/{thought_id:str}/share", name="brain_share", status_code=200)
    async def share(request: AnyRequest, thought_id: FromPath[str]) -> JsonResponse:
        given = arguments_in(await request.body())
        return await run(request, brain.brain_share_thought, {**given, "id": thought_id})

    return [thought, lineage, describe, share]


def _lists(run: _Calls) -> list[HTTPRouteHandler]:
    """What lists thoughts, domains and highways."""

    @get("/thoughts/uncategorized", name="brain_uncategorized")
    async def uncategorized(request: AnyRequest) -> JsonResponse:
        return await run(request, brain.brain_list_uncategorized, _query(request))

    @get("/domains", name="brain_domains")
    async def domains(request: AnyRequest) -> JsonResponse:
        return await run(request, brain.brain_list_domains, _query(request))

    @get("/highways", name="brain_highways")
    async def highways(request: AnyRequest) -> JsonResponse:
        return await run(request, brain.brain_list_highways, _query(request))

    return [uncategorized, domains, highways]


def _query(request: AnyRequest) -> dict[str, Any]:
    """The fields of the address: an empty one says nothing, one that stands there several times is a list."""
    fields: dict[str, list[str]] = {}
    for name, value in request.query_params.multi_items():
        if value:
            fields.setdefault(clean(name), []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in fields.items()}


def _request_of(given: Fields) -> tuple[Operation, Fields, NotStored | None]:
    """What a POST asks for, with its fields, and why nothing is stored where that is clear already.

    `read_only` only asks; else what is stated is contributed, and what is asked is answered. Options that the one takes
    and the other does not (`refines`, `limit`) are set aside where they mean nothing.

    Raises:
        BigMindError: `invalid_input` for a `read_only` that is neither true nor false: in doubt nothing is contributed.
    """
    asking = {name: value for name, value in given.items() if name not in _ONLY_CONTRIBUTING and value is not None}
    if _is_read_only(given):
        return brain.query_brain, asking, None
    prompt, rests = given.get("prompt"), bool(given.get("refines") or given.get("consolidates"))
    reason = why_not(prompt.strip()) if isinstance(prompt, str) and not rests else None
    if reason is not None and not _ONLY_ASKING.isdisjoint(asking):
        return brain.query_brain, asking, reason
    return brain.contribute_to_brain, {name: each for name, each in given.items() if name not in _ONLY_ASKING}, None


def _is_read_only(given: Fields) -> bool:
    value = given.get("read_only")
    told = value.strip().lower() if isinstance(value, str) else value
    if told not in (None, "", True, False, "true", "false"):
        raise invalid("read_only", value, "true or false")
    return told in (True, "true")


def _caller(request: AnyRequest, given: Fields) -> Caller:
    """The token's agent and, behind a slash, what it says it is; it can be taken for no other token's.

    Raises:
        BigMindError: `invalid_input` for an id or a name that is too long, or no text.
    """
    caller = caller_of(request)
    if agent := _line(given, "agent_id", LONGEST_AGENT):
        caller = replace(caller, client=named(caller.client, of_agent(agent)))
    name = _line(given, "agent_name", LONGEST_AGENT_NAME)
    return replace(caller, agent_name=name) if name else caller


def _line(given: Fields, field: str, most: int) -> str:
    value = given.get(field)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > most:
        raise invalid(field, value, f"a text of at most {most} characters")
    return without_secrets(one_line(visible(clean(value))))[:most].strip()


def _response(answer: Answer) -> JsonResponse:
    # A browser may keep what it fetched by GET.
    told = {"cache-control": "no-store"}
    return Response(answer.model_dump_json().encode(), media_type="application/json", headers=told)
