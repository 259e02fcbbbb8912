"""The memory as MCP resources: to read without a tool call, and for people to attach."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from bigmind.brain.thoughts import get_thought, list_domains, list_highways, thought_ids
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, first_offered
from bigmind.core.plain_text import visible
from bigmind.mcp import run_resources
from bigmind.mcp.addresses import (
    CONTEXT,
    DOMAINS,
    HIGHWAYS,
    HYPOTHESES,
    KNOWLEDGE,
    NODES,
    PROCESSES,
    PROFILE,
    RUNS,
    SCOPE,
    TASKS,
    THOUGHTS,
    TREE,
    told_by,
)
from bigmind.mcp.calls import Context, caller_of
from bigmind.mcp.run_resources import RunResources
from bigmind.memory.context.builder import DEFAULT_SESSIONS, build_context
from bigmind.memory.facts.service import get_profile, list_facts
from bigmind.memory.hypotheses.service import list_hypotheses
from bigmind.memory.knowledge.service import list_entries
from bigmind.memory.sessions.service import SessionQuery, list_sessions, session_detail
from bigmind.mindspace.service import get_node, get_scope_stack, get_tree, node_ids
from bigmind.operations.dispatch import Dispatcher
from bigmind.store.work import Work
from bigmind.tasks.item_listing import list_tasks, task_slugs
from bigmind.tasks.service import get_process, get_task
from bigmind.text.tokens import about_tokens
from bigmind.usage.offer import offer_to
from bigmind.work.processes import processes

MARKDOWN = "text/markdown"
SESSION = "memory://sessions/"
THOUGHT = f"{THOUGHTS}/"
TASK, PROCESS, NODE = f"{TASKS}/", f"{PROCESSES}/", f"{NODES}/"
BRAIN_TOOL, WORK_TOOL, MINDSPACE_TOOL = "query_brain", "work_get_task", "mindspace_get_tree"
"""Who is offered them is offered the resources of the brain, of work, and of the mindspace."""
MOST_TASKS = 100
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
        self._runs = RunResources(dispatcher)

    async def list(self, context: Context, given: types.PaginatedRequestParams | None) -> types.ListResourcesResult:
        """What there always is, brain and work where they are offered; what has an id is named by templates."""
        del given
        work = [_resource(TASKS, "tasks", "Tasks", "What work there is, the latest changed first.")]
        brain = [
            _resource(HIGHWAYS, "highways", "Highways", "Thoughts that several agents read again and again."),
            _resource(DOMAINS, "domains", "Domains", "What the brain knows about, with a summary each."),
        ]
        resources: list[types.Resource] = [
            *_MEMORY,
            *(brain if _is_offered(context, BRAIN_TOOL) else []),
            *(work if _is_offered(context, WORK_TOOL) else []),
            *(_MINDSPACE if _is_offered(context, MINDSPACE_TOOL) else []),
            *(run_resources.listed() if _is_offered(context, run_resources.TOOL) else []),
        ]
        return types.ListResourcesResult(resources=[each for each in resources if self._may_read(context, each.uri)])

    async def templates(
        self, context: Context, given: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        """Of a session; of a thought, a task and a process where brain and work are offered."""
        del given
        told = "Summary, key facts and code references of a session; the id may be shortened to 8 characters."
        templates = [_template(SESSION + "{id}", "session", "Session detail", told)]
        if _is_offered(context, BRAIN_TOOL):
            told = "A thought of the brain, whole; the id may be shortened to 8 characters."
            templates.append(_template(THOUGHT + "{id}", "thought", "Thought", told))
        if _is_offered(context, WORK_TOOL):
            told = "A task, whole: what leads on from there, and what each move still needs."
            templates.append(_template(TASK + "{slug}", "task", "Task", told))
            told = "A process: its states, and what leads where."
            templates.append(_template(PROCESS + "{name}", "process", "Process", told))
        if _is_offered(context, MINDSPACE_TOOL):
            templates.append(_template(NODE + "{id}", "node", "Node", "A node, whole, and what leads on from there."))
        if _is_offered(context, run_resources.TOOL):
            templates += run_resources.templates()
        readable = [each for each in templates if self._may_read(context, each.uri_template)]
        return types.ListResourceTemplatesResult(resource_templates=readable)

    def _may_read(self, context: Context, address: str) -> bool:
        return self._dispatcher.may_read(caller_of(context), told_by(address))

    async def read(self, context: Context, given: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        """The resource: markdown, and JSON of protocol runs."""
        uri = str(given.uri)
        try:
            text, media = await self._read(caller_of(context), uri)
        except BigMindError as error:
            raise MCPError(types.INVALID_PARAMS, f"{uri[:120]}: {error}", {"uri": uri}) from None
        if text is None:
            known = (
                "memory://context, memory://profile, memory://hypotheses, memory://knowledge, memory://sessions/{id}, "
                "brain://highways, brain://domains, brain://thought/{id}, work://tasks, work://tasks/{slug}, "
                "work://process/{name}, mindspace://tree, mindspace://scope, mindspace://node/{id}, session://state, "
                "session://checklist, session://history, session://violations, session://runs/{id}/state, "
                "session://handoff, session://skills/{name}"
            )
            raise MCPError(types.INVALID_PARAMS, f"Unknown resource: {uri[:120]}. There are {known}.", {"uri": uri})
        text = visible(text)
        self._dispatcher.store.host.activity.note_delivery(caller_of(context), uri, text, about_tokens)
        return types.ReadResourceResult(
            contents=[types.TextResourceContents(uri=given.uri, mime_type=media, text=text)]
        )

    async def _read(self, caller: Caller, uri: str) -> tuple[str | None, str]:
        """The text of a resource, and its media type; None for an address that is none."""
        of_run = await self._runs.text_of(caller, uri)
        if of_run is not None:
            return of_run
        if not told_by(uri):
            return None, MARKDOWN
        return await self._dispatcher.read(caller, told_by(uri), lambda work: _text_of(work, uri)), MARKDOWN

    async def complete(self, caller: Caller, given: types.CompleteRequestParams) -> types.CompleteResult:
        """The newest sessions, thoughts, tasks or processes whose id, or name, begins with what was typed."""
        typed = given.argument.value.lower()
        template = given.ref.uri if isinstance(given.ref, types.ResourceTemplateReference) else ""
        for beginning, names in _NAMES.items():
            if template.startswith(beginning):
                told = told_by(beginning)
                return completions(await read(self._dispatcher, caller, told, partial(names, typed=typed)))
        sessions = SessionQuery(limit=100)
        page = await read(self._dispatcher, caller, told_by(SESSION), lambda work: list_sessions(work, sessions))
        return completions([row.session_id for row in page.sessions if row.session_id.startswith(typed)])


async def read(dispatcher: Dispatcher, caller: Caller, purpose: str, query: Callable[[Work], T]) -> T:
    """What a query finds; its fault is told to the client in words.

    Raises:
        MCPError: what the store says.
    """
    try:
        return await dispatcher.read(caller, purpose, query)
    except BigMindError as error:
        code = types.INVALID_PARAMS if error.code is Code.FORBIDDEN else types.INTERNAL_ERROR
        raise MCPError(code, str(error)) from None


def completions(values: Sequence[str]) -> types.CompleteResult:
    """At most 100 values, as the protocol demands."""
    return types.CompleteResult(
        completion=types.Completion(values=[*values[:100]], total=len(values), has_more=len(values) > 100)  # noqa: PLR2004
    )


def _text_of(work: Work, uri: str) -> str | None:
    offer = work.caller.offer
    if uri.startswith(SESSION):
        return session_detail(work, uri.removeprefix(SESSION)).in_words(offer)
    if uri.startswith(THOUGHT):
        return get_thought(work, uri.removeprefix(THOUGHT)).in_words(offer)
    if uri.startswith(TASK):
        return get_task(work, uri.removeprefix(TASK)).in_words(offer)
    if uri.startswith(PROCESS):
        return get_process(work, uri.removeprefix(PROCESS)).in_words(offer)
    if uri.startswith(NODE):
        return get_node(work, uri.removeprefix(NODE)).in_words(offer)
    told = _TEXTS.get(uri)
    return told(work) if told is not None else None


def _profile(work: Work) -> str:
    offer, facts = work.caller.offer, list_facts(work, None, None, MOST_FACTS)
    return f"# Profile\n\n{get_profile(work).in_words(offer)}\n\n# Facts\n\n{facts.in_words(offer)}"


_TEXTS: dict[str, Callable[[Work], str]] = {
    CONTEXT: lambda work: build_context(work, DEFAULT_SESSIONS, work.caller.project, offered=offer_to(work)),
    PROFILE: _profile,
    HYPOTHESES: lambda work: list_hypotheses(work, None, 100).in_words(work.caller.offer),
    KNOWLEDGE: lambda work: list_entries(work, None, "approved", MOST_ENTRIES).in_words(work.caller.offer),
    HIGHWAYS: lambda work: list_highways(work, MOST_HIGHWAYS).in_words(work.caller.offer),
    DOMAINS: lambda work: list_domains(work).in_words(work.caller.offer),
    TASKS: lambda work: list_tasks(work, "", "", None, MOST_TASKS).in_words(work.caller.offer),
    TREE: lambda work: get_tree(work).in_words(work.caller.offer),
    SCOPE: lambda work: get_scope_stack(work).in_words(work.caller.offer),
}


class _Names(Protocol):
    def __call__(self, work: Work, typed: str) -> Sequence[str]: ...


_NAMES: dict[str, _Names] = {
    THOUGHT: lambda work, typed: thought_ids(work, typed, MOST_IDS),
    TASK: lambda work, typed: task_slugs(work, typed, MOST_IDS),
    PROCESS: lambda work, typed: [each.name for each in processes(work) if each.name.startswith(typed)],
    NODE: lambda work, typed: node_ids(work, typed, MOST_IDS),
    f"{RUNS}/": run_resources.names,
}
"""What completes a template, by the beginning of its address."""


def _is_offered(context: Context, tool: str) -> bool:
    return bool(first_offered(caller_of(context).offer, tool))


def _template(address: str, name: str, title: str, description: str) -> types.ResourceTemplate:
    return types.ResourceTemplate(
        uri_template=address, name=name, title=title, description=description, mime_type=MARKDOWN
    )


def _resource(uri: str, name: str, title: str, description: str) -> types.Resource:
    return types.Resource(uri=uri, name=name, title=title, description=description, mime_type=MARKDOWN)


_MEMORY = (
    _resource(CONTEXT, "context", "Memory context", "What is known, as a conversation starts with it."),
    _resource(PROFILE, "profile", "Profile and facts", "Who the user is, and every stored fact."),
    _resource(HYPOTHESES, "hypotheses", "Hypotheses", "What is believed and not yet shown."),
    _resource(KNOWLEDGE, "knowledge", "Company knowledge", "What everybody knows: approved."),
)
_MINDSPACE = (
    _resource(TREE, "tree", "Tree of nodes", "The mindspace: all nodes, with stations and states."),
    _resource(SCOPE, "scope", "Scope stack", "Where attention is: the nodes from the root to the focus."),
)
