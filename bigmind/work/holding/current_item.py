"""What an agent is at work on when a conversation starts, else what waits for it. It asks no model: a client waits."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from sqlmodel import select

from bigmind.brain.evidence import contributions
from bigmind.caution.detect import pending
from bigmind.core.kind import CurrentItem
from bigmind.core.operation import Offer, first_offered
from bigmind.flow.workflow import Process
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.text.phrasing import part
from bigmind.work.answers import ASIDE, GateLine, MoveLine
from bigmind.work.memory_gates import CONTRIBUTED, Relevance
from bigmind.work.processes import OF_TASKS_ONLY, process_of
from bigmind.work.roles import agent_of
from bigmind.work.tables import WorkItem
from bigmind.work.work_queue import QueueQuery, held_items, is_under_way, next_item
from bigmind.work.workflow_context import context_of

MOVES_TASKS, MOVES_NODES = "work_transition", "mindspace_book_transition"
TELLS_TASK, TELLS_NODES = ("work_get_task", "work_next", MOVES_TASKS), ("mindspace_get_ready_nodes", MOVES_NODES)
MOST_NAMED = 3
"""Gates that are named of those that are missing."""


def current_item(work: Work, project: str | None, offer: Offer) -> CurrentItem | None:
    """The item that the caller claimed and is at work on, else the best one that waits for it.

    None where there is none, where its words wait for a person, and for who is offered no tool that moves it.

    Args:
        work: reads only.
        project: where the caller works: what waits elsewhere is not told.
        offer: what the caller is offered.
    """
    if not first_offered(offer, MOVES_TASKS, MOVES_NODES):
        return None
    if work.session.exec(select(WorkItem.id).limit(1)).first() is None:
        return None
    held = (each for each in held_items(work) if not pending(each) and is_under_way(work, each))
    mine = next((each for each in held if _tool_for(each.process, offer)), None)
    if mine is not None:
        return _of_holder(work, mine, offer)
    tasks, nodes = bool(_tool_for("", offer)), bool(_tool_for(OF_TASKS_ONLY, offer))
    waiting = next_item(work, QueueQuery("", project, allows_no_project=True, tasks=tasks, nodes=nodes))
    if waiting is None or pending(waiting):
        return None
    return _told(work, waiting, "waits for you", offer)


def _tool_for(process: str, offer: Offer) -> str:
    """What tells all of an item of a process, where the reader is offered what moves it."""
    moves, tells = (MOVES_NODES, TELLS_NODES) if process == OF_TASKS_ONLY else (MOVES_TASKS, TELLS_TASK)
    return first_offered(offer, *tells) if first_offered(offer, moves) else ""


def _of_holder(work: Work, row: WorkItem, offer: Offer) -> CurrentItem:
    """As its holder is told: a hook says no name behind its token's, and asks for every name behind it."""
    caller = work.caller
    name = "you" if row.holder == agent_of(work) else part(shown_agent(row.holder), 40)
    work.caller = replace(caller, client=row.holder_client)
    try:
        return _told(work, row, f"held by {name}", offer)
    finally:
        work.caller = caller


def _told(work: Work, row: WorkItem, whose: str, offer: Offer) -> CurrentItem:
    process = process_of(work, row.process, row.version)
    moves = context_of(work, row, process, Relevance()).moves
    return CurrentItem(
        id=row.uid,
        slug=row.slug,
        title=row.title,
        stand=f"({row.process}, {row.state}, {row.role}) {whose}",
        step=_step(work, row, _way_on(process, row.state, moves)),
        tool=_tool_for(row.process, offer),
        project=row.project,
        client=row.client,
        at=row.updated_at,
    )


def _way_on(process: Process, state: str, moves: Sequence[MoveLine]) -> MoveLine | None:
    """The reader's first move that leads on; one that goes back only where there is no other."""
    mine = [each for each in moves if each.yours and each.to not in ASIDE]
    return min(mine, key=lambda each: process.leads_back(state, each.to), default=None)


def _step(work: Work, row: WorkItem, move: MoveLine | None) -> str:
    if move is None:
        return "Nothing leads on from here for you."
    missing = [each.gate for each in _missing(work, row, move)]
    if not missing:
        return f"Next: `{move.to}`."
    more = f" and {len(missing) - MOST_NAMED} more" if len(missing) > MOST_NAMED else ""
    return f"To `{move.to}` it lacks {', '.join(missing[:MOST_NAMED])}{more}."


def _missing(work: Work, row: WorkItem, move: MoveLine) -> Iterator[GateLine]:
    """What a move lacks for all that is known without a model: a thought since then may count (`_has_contributed`)."""
    for each in move.gates:
        if not each.met and not (each.gate == CONTRIBUTED and _has_contributed(work, row)):
            yield each


def _has_contributed(work: Work, row: WorkItem) -> bool:
    """Whether the holder contributed since the claim: over the caller's connection, as the move counts it.

    A hook has none, and speaks for whichever its client's tools go over.
    """
    own = work.caller.connection
    newest = next((each for each in contributions(work) if not own or each.connection == own), None)
    return newest is not None and newest.key > row.claimed_after
