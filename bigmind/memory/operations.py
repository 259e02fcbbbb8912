"""What memory offers to the outside. The docstrings are read by models on every call: when to call comes first."""

from typing import Annotated

from pydantic import Field

from bigmind.core.desktop import Shown
from bigmind.core.operation import Effect
from bigmind.memory.answers import (
    ChunkHits,
    Context,
    EndedSession,
    HypothesisAnswer,
    HypothesisList,
    Instructions,
    KeptChunk,
    OpenedSession,
    ProfilePage,
    SessionDetail,
    SessionList,
)
from bigmind.memory.context.builder import DEFAULT_SESSIONS, block_of_start, build_context
from bigmind.memory.context.instructions import guide
from bigmind.memory.facts import service as facts
from bigmind.memory.facts.answers import DeprecatedFact, FactList, StoredFact
from bigmind.memory.hypotheses import service as journal
from bigmind.memory.profile.answers import ProfileAnswer
from bigmind.memory.recall import service as recall
from bigmind.memory.sessions import conversations
from bigmind.memory.sessions import service as sessions
from bigmind.memory.sessions.closing import close_forgotten
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import (
    LONGEST_HEADLINE,
    LONGEST_OUTCOME,
    Bullets,
    ChunkRole,
    ClientName,
    Confidence,
    Content,
    FlagReason,
    Importance,
    LastBullets,
    Line,
    OneLiner,
    Outcome,
    Project,
    ProjectOrPerson,
    Query,
    Reference,
    SessionFilter,
    SessionReference,
    Since,
    Text,
    Topic,
    Topics,
)
from bigmind.people.service import seen
from bigmind.store.work import Work
from bigmind.text.lengths import Truncations
from bigmind.text.tokens import count_tokens
from bigmind.usage.offer import offer_to

Category = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=40,
        description="identity, preference, decision, codebase, constraint, or a word of your own.",
        examples=["preference"],
    ),
]
OF_A_FACT = "Another than the current; * for all. Identity and preference hold in all."
OF_FACTS = "Git remote, or folder name; * for those of no project alone."
Limit = Annotated[int, Field(ge=1, le=100, description="How many at most.")]
SessionCount = Annotated[int, Field(ge=0, le=50, description="How many closed sessions to show.")]


@operation("Start session", Effect.WRITE)
def memory_start_session(
    work: Work, project: Project | None = None, topics: Topics | None = None, client: ClientName | None = None
) -> OpenedSession:
    """CALL THIS FIRST, before anything else, in every conversation.

    Opens a session and returns what is known: who the user is, facts, open hypotheses, recent sessions.
    """
    closed = close_forgotten(work)
    cuts = Truncations()
    about = cuts.topics(topics or ())
    given_at = conversations.take_given(work, project or work.caller.project)
    session = sessions.open_session(work, sessions.Opening(project, about, claimed=client))
    seen(work)
    opened = OpenedSession(
        session_id=session.uid,
        project=session.project,
        auto_closed=closed,
        context="",
        caution=session.caution,
        cut=cuts.note,
        is_given=given_at is not None,
    )
    known = block_of_start(
        work, session.project, words=opened.as_text(), topics=about, without=session.uid, since=given_at
    )
    opened.context = known.as_text() if given_at is None or known.parts else ""
    return opened


@operation("End session", Effect.WRITE, idempotent=True)
def memory_end_session(
    work: Work,
    one_liner: OneLiner,
    topics: Topics,
    outcome: Outcome,
    summary: Annotated[Text, Field(max_length=20_000, description="The story, in markdown.")] | None = None,
    key_facts: Annotated[LastBullets, Field(description="What must be known next time.")] | None = None,
    code_refs: Annotated[LastBullets, Field(description="Paths, repositories, pull requests.")] | None = None,
    importance: Importance | None = None,
    session_id: SessionReference | None = None,
) -> EndedSession:
    """CALL THIS LAST, before the conversation ends or the user says goodbye.

    Writes what the next conversation will know of this one; pass summary whenever real work was done.
    """
    cuts = Truncations()
    ending = sessions.Ending(
        cuts.text("one_liner", one_liner, LONGEST_HEADLINE),
        cuts.topics(topics),
        cuts.text("outcome", outcome, LONGEST_OUTCOME),
        summary,
        key_facts or (),
        code_refs or (),
        importance,
    )
    ended = sessions.end_session(work, session_id, ending)
    ended.cut = cuts.note
    return ended


@operation("Flag as important", Effect.WRITE)
def memory_flag_important(
    work: Work,
    content: Content,
    flag_reason: FlagReason,
    role: ChunkRole = "user",
    session_id: SessionReference | None = None,
) -> KeptChunk:
    """CALL THIS at once, unasked, when something is decided, corrected or found out, or the user says "remember this".

    Keeps the words as they are.
    """
    return sessions.keep_chunk(work, session_id, role, content, flag_reason)


@operation("Keep a turn", Effect.WRITE)
def memory_append_chunk(
    work: Work, role: ChunkRole, content: Content, flag_reason: FlagReason, session_id: SessionReference | None = None
) -> KeptChunk:
    """Call this to keep one important turn of the conversation word for word; never every turn.

    Four occasions: a decision, code that was not trivial, a fault found and mended, a preference or constraint.
    """
    return sessions.keep_chunk(work, session_id, role, content, flag_reason)


@operation("Get context", Effect.READ)
def memory_get_context(
    work: Work, sessions: SessionCount = DEFAULT_SESSIONS, project: Project | None = None
) -> Context:
    """Call this when the conversation was compacted or its start was missed.

    Returns what is known, without opening a session.
    """
    text = build_context(work, sessions, project or work.caller.project, offered=offer_to(work))
    return Context(context=text, tokens=count_tokens(text))


@operation("Get session detail", Effect.READ)
def memory_get_session_detail(work: Work, session_id: Reference) -> SessionDetail:
    """Call this when a session in the context (📄) matters for the task: its summary, key facts and code references."""
    return sessions.session_detail(work, session_id)


@operation("Search moments", Effect.READ)
def memory_search_chunks(
    work: Work,
    query: Query,
    limit: Limit = 5,
    session_id: SessionFilter | None = None,
    project: Project | None = None,
    since: Since | None = None,
) -> ChunkHits:
    """CALL THIS before you answer from memory or ask the user again.

    Finds what was kept word for word, by words, names or parts of identifiers.
    """
    return recall.find_chunks(work, recall.ChunkQuery(query, limit, session_id, project, since))


@operation("List sessions", Effect.READ)
def memory_list_sessions(
    work: Work,
    topic: Annotated[Topic, Field(description="One of its topics.")] | None = None,
    project: Project | None = None,
    since: Since | None = None,
    limit: Limit = 20,
    cursor: Annotated[Line, Field(max_length=200, description="From the page before.")] | None = None,
) -> SessionList:
    """Call this to look for a conversation by topic, project or time."""
    return sessions.list_sessions(work, sessions.SessionQuery(topic, project, since, limit, cursor))


@operation("Store a fact", Effect.WRITE)
def memory_store_fact(
    work: Work,
    category: Category,
    fact: Annotated[Text, Field(min_length=1, max_length=2_000, description="One statement that stays true.")],
    confidence: Confidence = 1.0,
    project: Annotated[ProjectOrPerson, Field(description=OF_A_FACT)] | None = None,
) -> StoredFact:
    """CALL THIS when you learn something that stays true: about the user, a decision, the code base, a constraint.

    One statement per call. The answer names facts that it repeats or contradicts, and what to call then.
    """
    return facts.store_fact(work, category.lower(), fact, confidence, project)


@operation("Deprecate a fact", Effect.DESTRUCTIVE)
def memory_deprecate_fact(
    work: Work,
    fact_id: Reference,
    reason: Annotated[Text, Field(min_length=1, max_length=500, description="Why it no longer holds.")],
    replaced_by: Annotated[Reference, Field(description="The fact that holds in its place.")] | None = None,
) -> DeprecatedFact:
    """Call this when a stored fact is wrong or no longer holds."""
    return facts.deprecate_fact(work, fact_id, reason, replaced_by)


@operation("List facts", Effect.READ)
def memory_list_facts(
    work: Work,
    category: Category | None = None,
    project: Annotated[ProjectOrPerson, Field(description=OF_FACTS)] | None = None,
    limit: Annotated[int, Field(ge=1, le=500, description="How many, at most.")] = 50,
) -> FactList:
    """Call this to see the stored facts with their ids, when the context left some out or one must be deprecated."""
    return facts.list_facts(work, category.lower() if category else None, project, limit)


@operation("Update profile", Effect.WRITE, idempotent=True)
def memory_update_profile(
    work: Work,
    role: Annotated[Text, Field(max_length=500, description="Job and field.")] | None = None,
    preferences: Annotated[
        Text, Field(max_length=4_000, description="How the user likes to work. Replaces all: include what stays.")
    ]
    | None = None,
    pinned_facts: Annotated[Bullets, Field(description="Replaces the whole list: include all that stay pinned.")]
    | None = None,
) -> ProfileAnswer:
    """Call this when the user says who they are or how they like to work. What is not given stays as it is."""
    return facts.update_profile(work, role, preferences, pinned_facts)


@operation("Add a hypothesis", Effect.WRITE)
def memory_add_hypothesis(
    work: Work,
    hypothesis: Annotated[Text, Field(min_length=1, max_length=2_000, description="I believe X because Y.")],
    confidence: Confidence = 0.7,
    project: ProjectOrPerson | None = None,
) -> HypothesisAnswer:
    """Call this when you believe something that is not shown yet, so that a later session can check it."""
    return journal.add_hypothesis(work, hypothesis, confidence, project)


@operation("Resolve a hypothesis", Effect.WRITE)
def memory_resolve_hypothesis(
    work: Work,
    id: Reference,  # noqa: A002 - the tool's documented parameter
    status: Annotated[journal.Resolved, Field(description="How it turned out.")],
    resolution: Annotated[Text, Field(min_length=1, max_length=2_000, description="What showed it.")],
) -> HypothesisAnswer:
    """Call this when an open hypothesis turned out to be right, wrong, or not worth pursuing."""
    return journal.resolve_hypothesis(work, id, status, resolution)


@operation("List hypotheses", Effect.READ)
def memory_list_hypotheses(
    work: Work,
    status: Annotated[journal.Status, Field(description="Leave it out for all.")] | None = None,
    limit: Limit = 20,
) -> HypothesisList:
    """Call this to see what is believed and not yet shown, or how earlier beliefs turned out."""
    return journal.list_hypotheses(work, status, limit)


@operation("How to use the memory", Effect.READ, beside_memory=True)
def memory_get_instructions(work: Work) -> Instructions:
    """Call this when you are unsure how to use the memory: the complete guide."""
    return Instructions(instructions=guide(offer_to(work), work.kinds))


@operation("Profile page address", Effect.READ, beside_memory=True)
def memory_get_profile_url(work: Work) -> ProfilePage:
    """Call this when the user asks where to see their memory: the address of the local profile page."""
    note = "The person signs in with the link that `bigmind open` prints."
    return ProfilePage(url=work.host.profile_url, opened=False, note=note)


@operation("Open profile page", Effect.READ, beside_memory=True)
def memory_open_profile(work: Work) -> ProfilePage:
    """Call this when the user asks to see their memory: opens the profile page for them."""
    shown = work.host.open_profile(work.caller)
    note = {
        Shown.WINDOW: "It is open in BigMind's window.",
        Shown.BROWSER: "It is open in the browser; if that shows an error, `bigmind open` prints a link to paste.",
        Shown.NOTHING: "No browser could be opened here; run `bigmind open` in a terminal.",
    }[shown]
    if shown is Shown.NOTHING and work.host.owner_id not in {None, work.caller.user_id}:
        note = "The screen there is another user's, so nothing was opened. Open the address where you are signed in."
    return ProfilePage(url=work.host.profile_url, opened=shown is not Shown.NOTHING, note=note)


OPERATIONS = (
    memory_start_session,
    memory_end_session,
    memory_flag_important,
    memory_append_chunk,
    memory_get_context,
    memory_get_session_detail,
    memory_search_chunks,
    memory_list_sessions,
    memory_store_fact,
    memory_deprecate_fact,
    memory_list_facts,
    memory_update_profile,
    memory_add_hypothesis,
    memory_resolve_hypothesis,
    memory_list_hypotheses,
    memory_get_instructions,
    memory_get_profile_url,
    memory_open_profile,
)
