"""The memory as MCP resources: to read without a tool call, and for people to attach."""

from collections.abc import Callable
from typing import TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from bigmind.brain.thoughts import get_thought, list_domains, list_highways, thought_ids
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller
from bigmind.core.plain_text import visible
from bigmind.mcp.addresses import CONTEXT, DOMAINS, HIGHWAYS, HYPOTHESES, KNOWLEDGE, PROFILE, THOUGHTS
from bigmind.mcp.calls import Context, caller_of
from bigmind.memory.context.builder import DEFAULT_SESSIONS, build_context
from bigmind.memory.facts.service import get_profile, list_facts
from bigmind.memory.hypotheses.service import list_hypotheses
from bigmind.memory.knowledge.service import list_entries
from bigmind.memory.sessions.service import SessionQuery, list_sessions, session_detail
from bigmind.operations.dispatch import Dispatcher
from bigmind.store.work import Work
from bigmind.text.tokens import about_tokens
from bigmind.usage.offer import offer_to

MARKDOWN = "text/markdown"
SESSION = "memory://sessions/"
THOUGHT = f"{THOUGHTS}/"
BRAIN_TOOL = "query_brain"
"""Who is offered it is offered the brain's resources."""
MOST_HIGHWAYS = 50
MOST_FACTS = 500
MOST_IDS = 101
"""One more than are told, so that it can be said that there are more."""
MOST_ENTRIES = 50

T = TypeVar("T")


class Resources:
    """What there always is, `memory://context` for example, and `memory://sessions/{id}`."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def list(self, context: Context, given: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """What there always is, and the brain where it is offered; sessions and thoughts are named by templates."""
        del given
        brain = [
            _resource(HIGHWAYS, "highways", "Highways", "Thoughts that several agents read again and again."),
            _resource(DOMAINS, "domains", "Domains", "What the brain knows about, with a summary each."),
        ]
        return types.ListResourcesResult(
            resources=[
                _resource(
                    "memory://context", "context", "Memory context", "What is known, as a conversation starts with it."
                ),
                _resource(
                    "memory://profile", "profile", "Profile and facts", "Who the user is, and every stored fact."
                ),
                _resource("memory://hypotheses", "hypotheses", "Hypotheses", "What is believed and not yet shown."),
                _resource("memory://knowledge", "knowledge", "Company knowledge", "What everybody knows: approved."),
                *(brain if _has_brain(context) else []),
            ]
        )

    async def templates(
        self, context: Context, given: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Of a session, and where the brain is offered, of a thought."""
        del given
        session = types.ResourceTemplate(
            uri_template=SESSION + "{id}",
            name="session",
            title="Session detail",
            description="Summary, key facts and code references of a session; the id may be shortened to 8 characters.",
            mime_type=MARKDOWN,
        )
        thought = types.ResourceTemplate(
            uri_template=THOUGHT + "{id}",
            name="thought",
            title="Thought",
            description="A thought of the brain, whole; the id may be shortened to 8 characters.",
            mime_type=MARKDOWN,
        )
        templates = [session, thought] if _has_brain(context) else [session]
        return types.ListResourceTemplatesResult(resource_templates=templates)

    async def read(self, context: Context, given: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The resource as markdown."""
        uri = str(given.uri)
        try:
            text = await self._dispatcher.read(caller_of(context), "read_resource", lambda work: _text_of(work, uri))
        except BigMindError as error:
            raise MCPError(types.INVALID_PARAMS, f"{uri[:120]}: {error}", {"uri": uri}) from None
        if text is None:
            known = (
                "memory://context, memory://profile, memory://hypotheses, memory://knowledge, memory://sessions/{id}, "
                "brain://highways, brain://domains, brain://thought/{id}"
            )
            raise MCPError(types.INVALID_PARAMS, f"Unknown resource: {uri[:120]}. There are {known}.", {"uri": uri})
        text = visible(text)
        self._dispatcher.store.host.activity.note_delivery(caller_of(context), uri, text, about_tokens(text))
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=given.uri, mime_type=MARKDOWN, text=text)]
        )

    async def complete(self, caller: Caller, given: types.CompleteRequestParams) -> types.CompleteResult:
        """The newest sessions, or thoughts, whose id begins with what was typed."""
        typed = given.argument.value.lower()
        if isinstance(given.ref, types.ResourceTemplateReference) and given.ref.uri.startswith(THOUGHT):
            found = await read(self._dispatcher, caller, "complete", lambda work: thought_ids(work, typed, MOST_IDS))
            return completions(found)
        page = await read(
            self._dispatcher, caller, "complete", lambda work: list_sessions(work, SessionQuery(limit=100))
        )
        return completions([row.session_id for row in page.sessions if row.session_id.startswith(typed)])


async def read(dispatcher: Dispatcher, caller: Caller, purpose: str, query: Callable[[Work], T]) -> T:
    """What a query finds; its fault is told to the client in words.

    Raises:
        MCPError: what the store says.
    """
    try:
        return await dispatcher.read(caller, purpose, query)
    except BigMindError as error:
        raise MCPError(types.INTERNAL_ERROR, str(error)) from None


def completions(values: list[str]) -> types.CompleteResult:
    """At most 100 values, as the protocol demands."""
    return types.CompleteResult(
        completion=types.Completion(values=values[:100], total=len(values), has_more=len(values) > 100)  # noqa: PLR2004
    )


def _text_of(work: Work, uri: str) -> str | None:
    offer = work.caller.offer
    if uri.startswith(SESSION):
        return session_detail(work, uri.removeprefix(SESSION)).in_words(offer)
    if uri.startswith(THOUGHT):
        return get_thought(work, uri.removeprefix(THOUGHT)).in_words(offer)
    told = _TEXTS.get(uri)
    return told(work) if told is not None else None


def _profile(work: Work) -> str:
    facts = list_facts(work, None, None, MOST_FACTS)
    return f"# Profile\n\n{get_profile(work).in_words(work.caller.offer)}\n\n# Facts\n\n{facts.as_text()}"


_TEXTS: dict[str, Callable[[Work], str]] = {
    CONTEXT: lambda work: build_context(work, DEFAULT_SESSIONS, work.caller.project, offered=offer_to(work)),
    PROFILE: _profile,
    HYPOTHESES: lambda work: list_hypotheses(work, None, 100).in_words(work.caller.offer),
    KNOWLEDGE: lambda work: list_entries(work, None, "approved", MOST_ENTRIES).in_words(work.caller.offer),
    HIGHWAYS: lambda work: list_highways(work, MOST_HIGHWAYS).in_words(work.caller.offer),
    DOMAINS: lambda work: list_domains(work).in_words(work.caller.offer),
}


def _has_brain(context: Context) -> bool:
    offer = caller_of(context).offer
    return offer is None or BRAIN_TOOL in offer


def _resource(uri: str, name: str, title: str, description: str) -> types.Resource:
    return types.Resource(uri=uri, name=name, title=title, description=description, mime_type=MARKDOWN)
