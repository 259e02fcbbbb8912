"""The prompts: begin, end, recall, and the beginning and end of work; each where a step of it is offered."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import mcp_types as types
from mcp.shared.exceptions import MCPError

from bigmind.core.clock import local
from bigmind.core.operation import Caller, Offer
from bigmind.core.plain_text import clean, one_line, shortened
from bigmind.mcp.calls import Context, caller_of
from bigmind.mcp.resources import completions, read
from bigmind.mcp.tool_calls import instructions
from bigmind.memory.context.builder import DEFAULT_SESSIONS, build_context
from bigmind.memory.context.instructions import (
    end_prompt,
    open_prompt,
    perhaps_open_prompt,
    recall_prompt,
    rule_steps,
    rules,
    start_prompt,
    work_begin_prompt,
    work_end_prompt,
)
from bigmind.memory.rules import first_of_caller, is_on_connection
from bigmind.memory.sessions.choice import current_session
from bigmind.memory.sessions.service import SessionQuery, list_sessions
from bigmind.operations.dispatch import Dispatcher
from bigmind.store.work import Work
from bigmind.tasks.service import next_task
from bigmind.text.tokens import about_tokens
from bigmind.usage.offer import offer_to
from bigmind.work.processes import shipped

INIT, END, RECALL = "bigmind_init", "bigmind_end", "bigmind_recall"
WORK_BEGIN, WORK_END = "work_begin", "work_end"
CONTEXT_TOOL, NEXT_TOOL = "memory_get_context", "work_next"
"""What tells the same as the prompts do: a token whose scope does not allow it is told nothing by them either."""
LONGEST_ROLE = 40
LONGEST_TOPIC = 500
T = TypeVar("T")


class Prompts:
    """What a person starts by hand where an assistant does not by itself."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self._dispatcher = dispatcher

    async def list(self, context: Context, given: types.PaginatedRequestParams | None) -> types.ListPromptsResult:
        """Those that have a step for the tools that are offered."""
        del given
        offer = caller_of(context).offer
        return types.ListPromptsResult(prompts=[each for each in _PROMPTS if _has_step(offer, each.name)])

    async def get(self, context: Context, given: types.GetPromptRequestParams) -> types.GetPromptResult:
        """One prompt, as a user's message."""
        caller = caller_of(context)
        _permit(caller.offer, given.name)
        text = await self._text(caller, given)
        self._dispatcher.store.host.activity.note_delivery(caller, f"prompt {given.name}", text, about_tokens)
        message = types.PromptMessage(role="user", content=types.TextContent(text=text))
        return types.GetPromptResult(messages=[message])

    async def _text(self, caller: Caller, given: types.GetPromptRequestParams) -> str:
        match given.name:
            case "bigmind_init":
                may_know = self._dispatcher.may_read(caller, CONTEXT_TOOL)
                return await self._read(caller, CONTEXT_TOOL, _beginning) if may_know else instructions(caller)
            case "bigmind_recall":
                return recall_prompt(caller.offer, _topic(given))
            case "work_begin":
                role = _line(given, "role", LONGEST_ROLE)
                first = work_begin_prompt(caller.offer, role)
                return f"{first}\n\n{await self._read(caller, NEXT_TOOL, lambda work: _next(work, role))}"
            case "work_end":
                return work_end_prompt(caller.offer)
            case _:
                return end_prompt(caller.offer)

    async def complete(self, caller: Caller, given: types.CompleteRequestParams) -> types.CompleteResult:
        """Topics of the newest sessions, or work roles, that begin with what was typed."""
        typed = given.argument.value.lower()
        if given.argument.name == "role":
            return completions([each for each in shipped("task").roles if each.startswith(typed)])
        sessions = SessionQuery(limit=100)
        page = await self._read(caller, CONTEXT_TOOL, lambda work: list_sessions(work, sessions))
        topics = dict.fromkeys(topic for row in page.sessions for topic in row.topics if topic.startswith(typed))
        return completions([*topics])

    async def _read(self, caller: Caller, purpose: str, query: Callable[[Work], T]) -> T:
        return await read(self._dispatcher, caller, purpose, query)


def _beginning(work: Work) -> str:
    """The rules, whether a session is open for the conversation already, and what is known."""
    known = build_context(work, DEFAULT_SESSIONS, work.caller.project, offered=offer_to(work))
    return f"{rules(work.caller.offer)}\n\n{_next_step(work)}\n\n{known}"


def _next_step(work: Work) -> str:
    session = current_session(work)
    if session is None or first_of_caller([session], work.caller) is None:
        return start_prompt(work.caller.offer)
    if is_on_connection(session, work.caller):
        return open_prompt(work.caller.offer, session.uid)
    return perhaps_open_prompt(work.caller.offer, session.uid, local(session.started_at))


def _next(work: Work, role: str) -> str:
    """The item that `work_next` names now."""
    return next_task(work, role, None).in_words(work.caller.offer)


def _line(given: types.GetPromptRequestParams, name: str, most: int) -> str:
    return shortened(one_line(clean((given.arguments or {}).get(name, ""))), most)


def _topic(given: types.GetPromptRequestParams) -> str:
    topic = _line(given, "topic", LONGEST_TOPIC)
    if not topic:
        raise MCPError(types.INVALID_PARAMS, "topic: got nothing; expected what to recall, in a few words.")
    return topic


_PROMPTS = (
    types.Prompt(name=INIT, title="Begin with memory", description="The rules of the memory, and what is known."),
    types.Prompt(name=END, title="End and remember", description="How to close this conversation."),
    types.Prompt(
        name=RECALL,
        title="Recall",
        description="Find what is known of a topic.",
        arguments=[types.PromptArgument(name="topic", description="What to recall.", required=True)],
    ),
    types.Prompt(
        name=WORK_BEGIN,
        title="Begin a task",
        description="Take up the best task: ask, claim, go on.",
        arguments=[
            types.PromptArgument(name="role", description="As which you work: pdsa, dev, qa, liaison, orchestrator.")
        ],
    ),
    types.Prompt(name=WORK_END, title="Hand a task over", description="Contribute what was learned, and hand over."),
)
_STEPS: Mapping[str, Callable[[Offer], object]] = {
    INIT: rule_steps,
    END: end_prompt,
    RECALL: lambda offer: recall_prompt(offer, ""),
    WORK_BEGIN: lambda offer: work_begin_prompt(offer, ""),
    WORK_END: work_end_prompt,
}
"""What a prompt says to do with the tools that are offered; empty where that is nothing."""


def _has_step(offer: Offer, name: str) -> bool:
    return bool(_STEPS[name](offer))


def _permit(offer: Offer, name: str) -> None:
    """Refuse a prompt that there is not, or that has nothing to say to who asks."""
    offered = ", ".join(each for each in _STEPS if _has_step(offer, each))
    known = f"There are {offered}." if offered else "None is offered."
    if name not in _STEPS:
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {name[:80]!r}. {known}")
    if not _has_step(offer, name):
        raise MCPError(types.INVALID_PARAMS, f"Not offered: {name} has no step for the tools of this client. {known}")
