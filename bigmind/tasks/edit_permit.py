"""Whether an agent may change files where a person holds edits to claimed work: what the edit hook of a client asks."""

from dataclasses import replace

from sqlmodel import select

from bigmind.brain.evidence import questions
from bigmind.caution.detect import pending
from bigmind.core.operation import Offer, first_offered
from bigmind.core.plain_text import one_line, shortened
from bigmind.operations.token_scope import offer_within
from bigmind.store.work import Work
from bigmind.work.holding.current_item import MOVES_NODES, MOVES_TASKS, held_items, is_under_way
from bigmind.work.tables import WorkEvidence, WorkItem

FINDS_TASKS, FINDS_NODES = "work_next", "mindspace_get_ready_nodes"

NOTHING_CLAIMED = (
    "BigMind: in this workspace no file is changed before the work is claimed. Call {next} for the item, ask the brain "
    "about it (query_brain, with its title), and claim it with {move}. Then change the file again."
)
NOT_ASKED = (
    "BigMind: you hold `{slug}`, and did not ask the brain about it yet. Call query_brain with its title, “{title}”. "
    "Then change the file again."
)
NO_TOOLS = (
    "BigMind: in this workspace no file is changed before the work is claimed, and you are not offered the tools for "
    "that. Tell the user: `bigmind clients toolsets {client} default,work` offers them."
)
NOT_ALLOWED = (
    "BigMind: in this workspace no file is changed before the work is claimed, and the scope of your token keeps you "
    "from that: {scope}. Tell the user: a token that may work is needed, or another folder."
)


def reason_against(work: Work, offer: Offer) -> str:
    """Why the caller may not change a file now, and what to call first; empty where it may.

    It may while it holds an item that is under way, and asked the brain about it: the question that let it in, or
    another one since. `offer`: the tools that it is offered.
    """
    held = [each for each in held_items(work) if is_under_way(work, each)]
    if any(_was_asked(work, each) for each in held):
        return ""
    moves = first_offered(offer, MOVES_TASKS, MOVES_NODES)
    calls = ("query_brain", moves, FINDS_NODES if moves == MOVES_NODES else FINDS_TASKS)
    if not all(first_offered(offer, each) for each in calls):
        return _no_tools(work)
    if held:
        title = "…" if pending(held[0]) else shortened(one_line(held[0].title), 80)
        return NOT_ASKED.format(slug=held[0].slug, title=title)
    return NOTHING_CLAIMED.format(next=calls[-1], move=moves)


def _no_tools(work: Work) -> str:
    """What lets the caller have the tools that it lacks: another choice of a person, or another token."""
    scope = work.caller.scope
    allowed = offer_within(scope, work.tools, frozenset(work.tools.operations))
    if scope is None or first_offered(allowed, MOVES_TASKS, MOVES_NODES):
        return NO_TOOLS.format(client=work.caller.agent)
    return NOT_ALLOWED.format(scope=scope.in_words())


def _was_asked(work: Work, row: WorkItem) -> bool:
    is_entry = (WorkEvidence.kind == "question", WorkEvidence.item_uid == row.uid)
    if work.session.exec(select(WorkEvidence.uid).where(*is_entry).limit(1)).first() is not None:
        return True
    caller = work.caller
    work.caller = replace(caller, client=row.holder_client)
    try:
        return any(each.key > row.claimed_after for each in questions(work))
    finally:
        work.caller = caller
