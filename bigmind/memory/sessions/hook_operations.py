"""What the hooks of IDEs ask: they run at the client's own moments, whether its model thinks of the memory or not.

While BigMind is paused they are answered all the same, and write nothing: an IDE is never told of an error. What they
store of the assistant's words is masked where it is written: the rules take longer to load than a client waits.
"""

from datetime import datetime
from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect, Offer, Surface, first_offered, offered_part
from bigmind.memory.context.builder import block_of_start
from bigmind.memory.context.selection import topics_of
from bigmind.memory.sessions import closing, conversations
from bigmind.memory.tables import Conversation, MemorySession
from bigmind.operations.catalogue import Answer, operation
from bigmind.operations.inputs import Line, Since, Text
from bigmind.store.work import Work
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.tokens import about_tokens
from bigmind.usage.offer import offer_to

FOR_HOOKS = frozenset({Surface.API})

_SAVING = ("memory_start_session", "memory_end_session", "memory_flag_important", "memory_store_fact")
"""What hooks ask a model to call."""

FIRST_REMINDER = 4
MANY_PROMPTS = 12
"""After so many prompts without a word to the memory, and after each so many more, one carries a reminder."""

LONGEST_LAST_MESSAGE = 4_000

Key = Annotated[Line, Field(max_length=120, description="The client's own id of the conversation; empty: unknown.")]
LastMessage = Annotated[
    Text, Field(max_length=LONGEST_LAST_MESSAGE, description="What the assistant said last; empty: unknown.")
]


Attended = Annotated[
    bool | None, Field(description="Whether a person follows the conversation, as the client shows it; null: unknown.")
]


class HookAnswer(Answer):
    """What a client's hook passes on; empty: nothing."""

    context: str = Field(default="", description="For the model to read.")
    notice: str = Field(default="", description="For the person: an edit was let pass that nobody looked at.")
    given_at: datetime | None = Field(
        default=None, description="What was known then is in the context: hook_given acknowledges it, once it was read."
    )

    def as_text(self) -> str:
        return self.context or "Nothing to say."


@operation(
    "Hook: a conversation starts", Effect.WRITE, toolset="hooks", while_paused=True, masks=False, surfaces=FOR_HOOKS
)
def hook_session_start(
    work: Work,
    conversation: Key = "",
    source: Annotated[Line, Field(max_length=40, description="What started it, as the client says.")] = "startup",
    attended: Attended = None,
) -> HookAnswer:
    """Run by a client when a conversation starts, is resumed, or was compacted: what is known, for its model."""
    session = None
    if conversation and not _is_paused(work):
        closing.close_forgotten(work)
        met = conversations.met(work, conversation, begins=source == "startup")
        met.given_at = None
        session = conversations.session_of(work, met)
    words = _opening_words(work, session, is_compacted=source == "compact", is_single=attended is False)
    return _begun(work, conversation, session, words)


def _begun(work: Work, conversation: str, session: MemorySession | None, words: str) -> HookAnswer:
    """What a conversation begins with: that it has a memory, and what that knows."""
    if loss := work.store.safekeeping.loss:
        return HookAnswer(context=f"{loss.in_words} Tell the user. {loss.remedy}")
    about = topics_of(work, session) if session is not None else ()
    project = (session.project if session is not None else None) or work.caller.project
    known = block_of_start(work, project, words=words, topics=about).as_text()
    if damage := work.store.safekeeping.condition.in_words:
        words = f"{damage} Tell the user.\n{words}"
    told = f"{words}\n\n{known}"
    work.host.activity.note_delivery(work.caller, "hook session-start", told, about_tokens)
    is_noted = bool(conversation) and not _is_paused(work)
    return HookAnswer(context=told, given_at=work.now if is_noted else None)


@operation("Hook: the context was given", Effect.WRITE, toolset="hooks", masks=False, surfaces=FOR_HOOKS)
def hook_given(
    work: Work, conversation: Key, at: Annotated[Since, Field(description="As the context's answer said.")]
) -> HookAnswer:
    """Run by a client's hook once it printed the context: memory_start_session need not give that again."""
    if (known := conversations.known(work, conversation)) is not None:
        known.given_at = min(at, work.now)
        work.session.add(known)
    return HookAnswer()


@operation("Hook: a prompt was sent", Effect.WRITE, toolset="hooks", while_paused=True, masks=False, surfaces=FOR_HOOKS)
def hook_prompt(work: Work, conversation: Key = "", attended: Attended = None) -> HookAnswer:
    """Run by a client at every prompt, whose text is not passed: what the session lacks, rarely; mostly nothing.

    Where nobody follows the conversation nothing is ever asked for.
    """
    if not conversation or _is_paused(work):
        return HookAnswer()
    is_new = conversations.known(work, conversation) is None
    met = conversations.met(work, conversation)
    met.prompts, met.turns, met.busy_since = met.prompts + 1, met.turns + 1, work.now
    session = conversations.session_of(work, met)
    if session is not None:
        closing.go_on(work, met, session)
    if is_new:  # its start was not told, as when BigMind itself was only starting
        words = _opening_words(work, session, is_compacted=False, is_single=attended is False)
        return _begun(work, conversation, session, words)
    return HookAnswer(context="" if attended is False else _lacking(work, met, session))


def _lacking(work: Work, met: Conversation, session: MemorySession | None) -> str:
    """What a session lacks, to be said with this prompt; mostly nothing."""
    is_makeshift = session is not None and met.noted_at is not None and conversations.is_made_by_hook(work, session)
    is_further = session is not None and is_makeshift and conversations.is_further(work, met, session)
    if session is None or (is_makeshift and not is_further):
        is_second = met.turns == 2  # noqa: PLR2004
        return _asking(offer_to(work), NOT_STARTED) if is_second and not conversations.was_forgotten(met) else ""
    is_due = met.prompts == FIRST_REMINDER or met.prompts % MANY_PROMPTS == 0
    return _asking(offer_to(work), _reminder(met, session, is_further=is_further)) if is_due else ""


@operation("Hook: a conversation is compacted", Effect.READ, toolset="hooks", surfaces=FOR_HOOKS)
def hook_pre_compact(work: Work, conversation: Key = "") -> HookAnswer:
    """Run by a client before it compacts a conversation: what of the memory has to survive that."""
    met = conversations.known(work, conversation) if conversation else None
    session = conversations.session_of(work, met) if met is not None else None
    if session is None or session.ended_at is not None:
        return HookAnswer(context=_asking(offer_to(work), COMPACTING))
    told = f"The session {session.uid} of BigMind is open, keep this id. {COMPACTING}"
    return HookAnswer(context=_asking(offer_to(work), told))


@operation("Hook: the model stops", Effect.WRITE, toolset="hooks", while_paused=True, masks=False, surfaces=FOR_HOOKS)
def hook_stop(
    work: Work,
    conversation: Key = "",
    last_message: LastMessage = "",
    attended: Attended = None,
    is_again: Annotated[bool, Field(description="The same turn stopped before: a hook kept it going.")] = False,
) -> HookAnswer:
    """Run by a client when its model stops: notes what is known. Nothing is said, and no stop is ever held.

    Whatever a model is given to do at its stop takes the place of its answer, for the person and for a script.
    """
    if not conversation or _is_paused(work):
        return HookAnswer()
    met = conversations.met(work, conversation)
    if met.busy_since is None and not is_again:
        met.turns += 1  # of a client that tells of no prompts
    closing.stop(work, met, last_message, attended=attended)
    return HookAnswer()


@operation(
    "Hook: a conversation ends", Effect.WRITE, toolset="hooks", while_paused=True, masks=False, surfaces=FOR_HOOKS
)
def hook_session_end(
    work: Work, conversation: Key = "", last_message: LastMessage = "", attended: Attended = None
) -> HookAnswer:
    """Run by a client when a conversation is over: closes its session from what is known, if nobody did."""
    if not conversation or _is_paused(work) or conversations.known(work, conversation) is None:
        return HookAnswer()
    closing.end(work, conversations.met(work, conversation), last_message, attended=attended)
    return HookAnswer()


def _is_paused(work: Work) -> bool:
    """Whether nothing may be noted: while it is paused, or the memory missing or damaged; with a token that only reads.

    `token_scope.KEEPS_NOTHING` rests on it.
    """
    keeping, scope = work.store.safekeeping, work.caller.scope
    only_reads = scope is not None and scope.read_only
    return only_reads or work.host.activity.is_paused or keeping.loss is not None or bool(keeping.condition.damage)


def _asking(offer: Offer, words: str) -> str:
    """What of some words can be called; empty where that is nothing, for then they ask for nothing."""
    told = offered_part(offer, words)
    return told if any(name in told for name in _SAVING) else ""


NOT_STARTED = (
    "BigMind: no memory session was started in this conversation. Call memory_start_session now, and "
    "memory_end_session before the conversation ends."
)
COMPACTING = (
    "List in the summary what was decided, corrected or found out and is not flagged yet. After the compaction call "
    "memory_get_context, then memory_flag_important for each of them."
)

_START = "memory_start_session"
_PLAIN_PROJECT = lazy_pattern(r"[\w.@:/+-]{1,80}")
"""A name that ends nothing it is quoted in, and says nothing."""


def _opening_words(work: Work, session: MemorySession | None, *, is_compacted: bool, is_single: bool) -> str:
    """What stands before the context: that it is there already, and what of it is offered is still to be called.

    The project is named, for a client may say nothing of its folder where its model calls a tool, and the model may
    call it otherwise: with two windows open, a session would else begin in the other one's project. A repository that
    was cloned chooses the name: one that could be read as words to the model is left out.
    """
    offer = offer_to(work)
    if session is not None and session.ended_at is None:
        why = "The conversation was compacted, so here it is again. " if is_compacted else ""
        told = offered_part(
            offer,
            f"The session {session.uid} of this conversation is open: do not start another.\n"
            "Flag with memory_flag_important what matters and is not kept yet; close with memory_end_session.",
        )
        is_saved = first_offered(offer, *_SAVING)
        return f"BigMind, your memory: what is known follows. {why}{told if is_saved else ''}".strip()
    named = work.caller.project or ""
    start = f'{_START} with project "{named}"' if _PLAIN_PROJECT.fullmatch(named) else _START
    if is_single:
        told = (
            "This is a single call: to answer a question, start no session. For work that the next conversation should "
            f"know of, call {start} first, and memory_end_session before your answer."
        )
    else:
        told = f"The session is not open yet: call {start} first; call memory_end_session before the conversation ends."
    return f"BigMind, your memory: what is known is loaded already and follows.\n{_asking(offer, told)}".strip()


def _reminder(met: Conversation, session: MemorySession, *, is_further: bool) -> str:
    since = f"BigMind: nothing was written to the memory for {met.prompts} prompts."
    if is_further:
        return (
            f"{since} The session was ended before them: flag with memory_flag_important what was decided or found out "
            "since, and call memory_end_session again when the work is done. That is kept as a session of its own."
        )
    if session.ended_at is not None:
        return (
            f'{since} If the work went on since, call memory_end_session again with session_id "{session.uid}": '
            "it corrects the record."
        )
    return (
        f"{since} Call memory_flag_important for what was decided, corrected or found out, and memory_store_fact for "
        "what stays true."
    )


OPERATIONS = (hook_session_start, hook_given, hook_prompt, hook_pre_compact, hook_stop, hook_session_end)
"""What only `bigmind hook` calls."""
