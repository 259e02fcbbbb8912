"""Every move that the processes `task`, `bug`, `solo` and `node` allow, written by hand from the specification.

It was written without a look at the engine or at the process documents, so that a test can hold the two against each
other: what stands here is allowed once its gates are met, and everything else is refused. `CHOICES`, at the end, names
each place where the specification can be read in more than one way, and why it is read so here.
"""

from typing import NamedTuple

AGENTS = ("pdsa", "dev", "qa", "liaison", "orchestrator")
ROLES = AGENTS  # an item's role is one of the work roles, and so is a node's owner
ACTORS = (*AGENTS, "system", "human")

OWN = ("own",)  # in the tables below: the actor is the item's own role
TARGET = "$rework_target_role"
RESTORE = "restore"  # the move back to what was saved, as `to_state`


class Expected(NamedTuple):
    """One allowed move; it is made when every gate is met, and refused when one is not.

    `item_role` is the item's role before the move (a node's owner), `role_after` its role afterwards: None where it
    stays, `$rework_target_role` where that field names it. `holder_only`: of all agents in the role `actor` only the
    one that holds the item makes it. `when` is a condition on the work that came before, which is no gate.
    """

    process: str
    from_state: str
    to_state: str
    item_role: str
    actor: str
    gates: frozenset[str]
    role_after: str | None
    effects: frozenset[str]
    holder_only: bool
    when: str


GATES = frozenset(
    {
        "memory_queried",
        "memory_contributed",
        "human_confirmed",  # in no row of `human`: a person who makes the move confirms by that (effect `confirm`)
        "dependencies_complete",
        "field:pdsa_ref",
        "field:abstract_ref",
        "field:blocked_reason",
        "field:rework_target_role",  # present, and one of REWORK_TARGETS
        "inputs_satisfied",
        "input_withdrawn",
        "outputs_present",
        "quality_gates_passed",
        "quality_gate_failed",
        "child_open",  # for something found on the way
        "children_done",  # complete or deleted
    }
)

EFFECTS = frozenset(
    {
        "claim",  # the agent that makes the move holds the item from now on
        "release",  # nobody holds it any more
        "save",  # state, role, holder, time of entry and fields are kept for the restore, and the holder stays
        "restore",  # exactly those come back; nothing is cleared but the reason of the block, whatever state it is
        "clear_memory_fields",  # memory_query_session and memory_contribution_id
        "confirm",  # the person's move is the confirmation
        "ready_dependents",  # pending items that depend on nothing else unfinished become ready
        "satisfy_inputs",  # inputs of other nodes that wait for this node's outputs
    }
)

CONDITIONS = frozenset(
    {
        "",
        "work_of_liaison",  # the last active phase was in the role liaison
        "work_of_another",  # it was in another role, or nobody can say in which
    }
)

STATES = {
    "task": (
        "backlog",
        "pending",
        "ready",
        "active",
        "approval",
        "approved",
        "testing",
        "review",
        "rework",
        "complete",
        "blocked",
        "cancelled",
    ),
    "bug": ("backlog", "pending", "ready", "active", "review", "rework", "complete", "blocked", "cancelled"),
    "solo": ("pending", "active", "review", "rework", "complete", "blocked", "cancelled"),
    "node": ("pending", "ready", "active", "review", "rework", "complete", "paused"),
}
INITIAL = {"task": ("backlog", "pending"), "bug": ("backlog", "pending"), "solo": ("pending",), "node": ("pending",)}
CLAIMED = {"task": ("active",), "bug": ("active",), "solo": ("active",), "node": ("active",)}
# The work has ended there; `complete` of task, bug and solo can be opened again, and `cancelled` of solo.
FINAL = {
    "task": ("complete", "cancelled"),
    "bug": ("complete", "cancelled"),
    "solo": ("complete", "cancelled"),
    "node": ("complete",),
}
# The states whose only way out is the restore; they keep the holder.
PAUSES = {"task": ("blocked",), "bug": ("blocked",), "solo": ("blocked",), "node": ("paused",)}
# Where whoever held the item when it came there still holds it; nobody holds it anywhere else but in CLAIMED.
KEEPING = {**PAUSES, "node": ("review", "rework", "paused")}
# The values of the field `rework_target_role` that meet its gate.
REWORK_TARGETS: dict[str, tuple[str, ...]] = {"task": ROLES, "bug": ("dev",), "solo": (), "node": ()}

# `any`: every state but complete, cancelled and blocked.
ANY = {
    "task": ("backlog", "pending", "ready", "active", "approval", "approved", "testing", "review", "rework"),
    "bug": ("backlog", "pending", "ready", "active", "review", "rework"),
    "solo": ("pending", "active", "review", "rework"),
}
UNHELD = {process: tuple(state for state in states if state != "active") for process, states in ANY.items()}


def moves(
    process: str,
    arrow: str,
    roles: tuple[str, ...],
    actors: tuple[str, ...],
    gates: str = "",
    *,
    role: str | None = None,
    effects: str = "",
    holder_only: bool = False,
    when: str = "",
) -> list[Expected]:
    """Write one line of the specification out, an entry for each role of the item and each actor."""
    source, target = arrow.split(" -> ")
    return [
        Expected(
            process,
            source,
            target,
            item_role,
            item_role if actor == "own" else actor,
            frozenset(gates.split()),
            role,
            frozenset(effects.split()),
            holder_only,
            when,
        )
        for item_role in roles
        for actor in actors
    ]


DEV, QA, PDSA, LIAISON, ORCHESTRATOR = ("dev",), ("qa",), ("pdsa",), ("liaison",), ("orchestrator",)
HUMAN, SYSTEM = ("human",), ("system",)
PLANNERS = ("liaison", "system", "pdsa")
STEWARDS = ("liaison", "system")

REFERENCE = "field:abstract_ref"
REASON = "field:blocked_reason"
NAMED = "field:rework_target_role"
QUERIED = "memory_queried"
CONTRIBUTED = "memory_contributed"
CONFIRMED = "human_confirmed"
CLEAR = "clear_memory_fields"

TASK = [
    # Open to the actors named, whatever the item's role.
    *moves("task", "backlog -> pending", ROLES, PLANNERS),
    *moves("task", "pending -> backlog", ROLES, PLANNERS),
    *moves("task", "pending -> ready", ROLES, PLANNERS, "dependencies_complete", role="pdsa"),
    *moves("task", "approved -> testing", ROLES, STEWARDS, role="qa"),
    *moves("task", "approved -> ready", ROLES, STEWARDS, role="dev"),
    # In the item's own role; the claims.
    *moves("task", "ready -> active", ROLES, OWN, QUERIED, effects="claim"),
    *moves("task", "rework -> active", ROLES, OWN, QUERIED, effects="claim"),
    *moves("task", "approved -> active", QA, OWN, QUERIED, effects="claim"),
    *moves("task", "testing -> active", QA, OWN, QUERIED, effects="claim"),
    # Out of the claimed state: the holder.
    *moves(
        "task",
        "active -> approval",
        PDSA,
        OWN,
        f"field:pdsa_ref {CONTRIBUTED}",
        role="liaison",
        effects="release",
        holder_only=True,
    ),
    *moves("task", "active -> testing", QA, OWN, effects="release", holder_only=True),
    *moves("task", "active -> review", DEV, OWN, CONTRIBUTED, role="qa", effects="release", holder_only=True),
    *moves("task", "active -> review", LIAISON, OWN, CONTRIBUTED, effects="release", holder_only=True),
    *moves(
        "task", "active -> review", ORCHESTRATOR, OWN, CONTRIBUTED, role="liaison", effects="release", holder_only=True
    ),
    # The plan is approved. A person is bound to no role, and confirms by moving.
    *moves("task", "approval -> approved", LIAISON, OWN, CONFIRMED, role="qa"),
    *moves("task", "approval -> approved", ROLES, HUMAN, role="qa", effects="confirm"),
    *moves("task", "approval -> complete", LIAISON, OWN, f"{CONFIRMED} {REFERENCE}", effects="ready_dependents"),
    *moves("task", "approval -> rework", LIAISON, OWN, role="pdsa", effects=CLEAR),
    *moves("task", "approval -> rework", ROLES, HUMAN, role="pdsa", effects=CLEAR),
    # Tests before code.
    *moves("task", "testing -> ready", QA, OWN, role="dev"),
    # The review chain.
    *moves("task", "review -> review", QA, OWN, role="pdsa"),
    *moves("task", "review -> review", PDSA, OWN, role="liaison"),
    *moves("task", "review -> complete", LIAISON, OWN, f"{CONFIRMED} {REFERENCE}", effects="ready_dependents"),
    # Rework.
    *moves("task", "review -> rework", QA, OWN, role="dev", effects=CLEAR),
    *moves("task", "review -> rework", PDSA, OWN, role="dev", effects=CLEAR),
    *moves("task", "review -> rework", LIAISON, OWN, role="liaison", effects=CLEAR, when="work_of_liaison"),
    *moves("task", "review -> rework", LIAISON, OWN, NAMED, role=TARGET, effects=CLEAR, when="work_of_another"),
    *moves("task", "complete -> rework", LIAISON, OWN, NAMED, role=TARGET, effects=CLEAR),
    # The special ones. Blocking and cancelling are not the holder's alone.
    *(
        move
        for state in ANY["task"]
        for move in moves("task", f"{state} -> blocked", ROLES, ACTORS, REASON, effects="save")
    ),
    *moves("task", "blocked -> restore", ROLES, STEWARDS, effects="restore"),
    *(move for state in UNHELD["task"] for move in moves("task", f"{state} -> cancelled", ROLES, LIAISON, REFERENCE)),
    *(move for state in UNHELD["task"] for move in moves("task", f"{state} -> cancelled", ROLES, SYSTEM)),
    *moves("task", "active -> cancelled", ROLES, LIAISON, REFERENCE, effects="release"),
    *moves("task", "active -> cancelled", ROLES, SYSTEM, effects="release"),
]

BUG = [
    *moves("bug", "backlog -> pending", ROLES, PLANNERS),
    *moves("bug", "pending -> backlog", ROLES, PLANNERS),
    *moves("bug", "pending -> ready", ROLES, PLANNERS, "dependencies_complete", role="dev"),
    *moves("bug", "ready -> active", DEV, OWN, QUERIED, effects="claim"),
    *moves("bug", "active -> review", DEV, OWN, CONTRIBUTED, role="qa", effects="release", holder_only=True),
    # The review chain.
    *moves("bug", "review -> review", QA, OWN, role="pdsa"),
    *moves("bug", "review -> review", PDSA, OWN, role="liaison"),
    *moves("bug", "review -> complete", LIAISON, OWN, f"{CONFIRMED} {REFERENCE}", effects="ready_dependents"),
    # Rework: always the developer's, who alone can hand over again.
    *moves("bug", "review -> rework", QA, OWN, role="dev", effects=CLEAR),
    *moves("bug", "review -> rework", PDSA, OWN, role="dev", effects=CLEAR),
    *moves("bug", "review -> rework", LIAISON, OWN, NAMED, role=TARGET, effects=CLEAR),
    *moves("bug", "complete -> rework", LIAISON, OWN, NAMED, role=TARGET, effects=CLEAR),
    *moves("bug", "rework -> active", DEV, OWN, QUERIED, effects="claim"),
    # The same special ones.
    *(
        move
        for state in ANY["bug"]
        for move in moves("bug", f"{state} -> blocked", ROLES, ACTORS, REASON, effects="save")
    ),
    *moves("bug", "blocked -> restore", ROLES, STEWARDS, effects="restore"),
    *(move for state in UNHELD["bug"] for move in moves("bug", f"{state} -> cancelled", ROLES, LIAISON, REFERENCE)),
    *(move for state in UNHELD["bug"] for move in moves("bug", f"{state} -> cancelled", ROLES, SYSTEM)),
    *moves("bug", "active -> cancelled", ROLES, LIAISON, REFERENCE, effects="release"),
    *moves("bug", "active -> cancelled", ROLES, SYSTEM, effects="release"),
]

SOLO = [
    # Whatever the role: the item's, and the one that the agent acts in.
    *moves("solo", "pending -> active", ROLES, AGENTS, QUERIED, effects="claim"),
    *moves("solo", "rework -> active", ROLES, AGENTS, QUERIED, effects="claim"),
    *moves("solo", "active -> review", ROLES, AGENTS, CONTRIBUTED, effects="release", holder_only=True),
    *moves("solo", "review -> complete", ROLES, AGENTS, CONFIRMED, effects="ready_dependents"),
    *moves("solo", "review -> complete", ROLES, HUMAN, effects="confirm ready_dependents"),
    *moves("solo", "review -> rework", ROLES, HUMAN, effects=CLEAR),
    *moves("solo", "complete -> rework", ROLES, HUMAN, effects=CLEAR),
    *moves("solo", "cancelled -> pending", ROLES, HUMAN, effects=CLEAR),
    # The special ones, of people in every state.
    *(
        move
        for state in ANY["solo"]
        for move in moves("solo", f"{state} -> blocked", ROLES, HUMAN, REASON, effects="save")
    ),
    *moves("solo", "blocked -> restore", ROLES, HUMAN, effects="restore"),
    *(move for state in UNHELD["solo"] for move in moves("solo", f"{state} -> cancelled", ROLES, HUMAN)),
    *moves("solo", "active -> cancelled", ROLES, HUMAN, effects="release"),
    # And of the holder where there is one: in `active`, and in `blocked` after it.
    *moves("solo", "active -> blocked", ROLES, AGENTS, REASON, effects="save", holder_only=True),
    *moves("solo", "blocked -> restore", ROLES, AGENTS, effects="restore", holder_only=True),
    *moves("solo", "active -> cancelled", ROLES, AGENTS, effects="release", holder_only=True),
]

NODE = [
    *moves("node", "pending -> ready", ROLES, SYSTEM, "inputs_satisfied"),
    *moves("node", "ready -> pending", ROLES, SYSTEM, "input_withdrawn"),
    *moves("node", "ready -> active", ROLES, OWN, QUERIED, effects="claim"),
    *moves("node", "rework -> active", ROLES, OWN, QUERIED, effects="claim"),
    *moves("node", "active -> review", ROLES, OWN, f"outputs_present {CONTRIBUTED}", holder_only=True),
    *moves("node", "review -> complete", ROLES, SYSTEM, "quality_gates_passed", effects="release satisfy_inputs"),
    *moves("node", "review -> rework", ROLES, SYSTEM, "quality_gate_failed", effects=CLEAR),
    *moves("node", "ready -> paused", ROLES, OWN, "child_open", effects="save"),
    *moves("node", "active -> paused", ROLES, OWN, "child_open", effects="save", holder_only=True),
    *moves("node", "paused -> restore", ROLES, SYSTEM, "children_done", effects="restore"),
]

EXPECTED = (*TASK, *BUG, *SOLO, *NODE)


class Choice(NamedTuple):
    """Where the specification can be read in more than one way: the point, the reading taken here, and why."""

    processes: str
    point: str
    choice: str
    reason: str


CHOICES = (
    Choice(
        "task bug",
        "May a person make a move whose actors do not name `human`?",
        "No: in `task` only approval -> approved, approval -> rework and blocking; in `bug` only blocking.",
        "Not declared is refused. `people aside` frees people of the holder's rule, and gives them no move.",
    ),
    Choice(
        "task bug",
        "Who is `anyone` in any -> blocked?",
        "The five work roles, `system` and `human`, whether they hold the item or not.",
        "Who acts names these three kinds; blocking is taken out of the holder's rule.",
    ),
    Choice(
        "task",
        "Must the item's role be liaison when a person moves it out of approval?",
        "No: any role. It is liaison in every case that can be reached.",
        "`every other move of an agent is made in the item's own role`: a person is no agent.",
    ),
    Choice(
        "task",
        "Does approval -> rework need a confirmation?",
        "No gate, neither for the liaison nor for a person.",
        "The line names only the role; `human confirmed` stands at the other two moves out of approval.",
    ),
    Choice(
        "task",
        "How does an item of the liaison, the orchestrator or qa come into ready?",
        "Not at all: pending -> ready always makes it pdsa's. They work after a rework with rework_target_role.",
        "`role becomes pdsa` has no exception. ready -> active is in the table for all five roles all the same.",
    ),
    Choice(
        "task",
        "What is `the liaison's own work` in review -> rework?",
        "The last active phase was in the role liaison. Else, or where unknown, rework_target_role is needed; where "
        "it was the liaison's own the field is neither asked for nor looked at.",
        "The orchestrator's work comes to the liaison too, so the item's role alone does not tell.",
    ),
    Choice(
        "task bug",
        "Does a rework_target_role left from an earlier move meet the gate?",
        "None is left: the move that names it clears it.",
        "`which it must name` means in this very move.",
    ),
    Choice(
        "task",
        "Which roles may rework_target_role name?",
        "All five work roles.",
        "Each of them has a way from active to complete. `system`, `human` and other words fail the gate.",
    ),
    Choice(
        "bug",
        "Which roles may rework_target_role name?",
        "`dev` alone.",
        "Only dev has a way out of active; any other role would be held there for ever.",
    ),
    Choice(
        "bug",
        "Does the liaison send to itself in bug?",
        "No row: the work on a bug is always dev's, so the liaison names rework_target_role each time.",
        "active -> review is declared for dev only.",
    ),
    Choice(
        "bug",
        "rework -> active in `own role`: which?",
        "dev alone. The other four cannot be reached, and are refused.",
        "The strict reading; ready -> active says dev too.",
    ),
    Choice(
        "bug",
        "Has it a backlog, and backlog <-> pending?",
        "Yes, with the actors of task.",
        "`An item begins in backlog or pending`; a bug in a backlog without a way out would be a trap.",
    ),
    Choice(
        "bug",
        "Who moves pending -> ready, and is dependencies_complete asked?",
        "liaison, system, pdsa; yes.",
        "The line names only what differs from task (the role). Every item has dependencies.",
    ),
    Choice(
        "bug",
        "Has it complete -> rework?",
        "Yes, as in task.",
        "`the review chain, rework, and the same special ones` follows the order of task's list, where complete -> "
        "rework stands with the moves of rework.",
    ),
    Choice(
        "bug",
        "`The same special ones`: with whose actors?",
        "With task's: anyone blocks; liaison and system restore and cancel.",
        "`open to the holder and to people` belongs to solo, which is for one person.",
    ),
    Choice(
        "solo",
        "Where does an item begin?",
        "In pending. It has neither backlog nor ready.",
        "Its list is complete as it stands and begins with pending -> active; from a backlog nothing would lead on.",
    ),
    Choice(
        "solo",
        "`Whatever the role`: the item's, or the agent's too?",
        "Both: any agent in any of its work roles, whatever the item's role, which never changes.",
        "One person's assistants have no stations; the own-role rule is what the phrase lifts.",
    ),
    Choice(
        "solo",
        "Which moves without a named actor may a person make?",
        "review -> complete alone, and it is the confirmation. Not pending -> active, active -> review and "
        "rework -> active.",
        "The memory gates pass for the agent that asks for the move; a person is none. `system` is named nowhere.",
    ),
    Choice(
        "solo",
        "Has it complete -> rework?",
        "Yes, by a person alone.",
        "`the special ones below` follow complete -> rework in task's list; else nothing undid a yes given by mistake.",
    ),
    Choice(
        "solo",
        "Who blocks, restores or cancels an item that nobody holds?",
        "People alone. A block from active keeps the holder, who may restore; after another block only a person may.",
        "`open to the holder and to people`, and in pending, review and rework there is no holder.",
    ),
    Choice(
        "solo",
        "Does cancelling ask for abstract_ref?",
        "Of nobody.",
        "`whatever the role`: one person's assistants have no stations, and a holder is asked for no more as liaison.",
    ),
    Choice(
        "solo",
        "Are dependencies asked for?",
        "No.",
        "pending -> active names the query alone, and there is no ready that completing a dependency could lead to.",
    ),
    Choice(
        "task bug solo",
        "Which states are claimed?",
        "active alone. Handing over (approval, testing, review) and cancelling release; blocking does not.",
        "A claim is the move into active, and the next in the chain, another role, must be able to move the item.",
    ),
    Choice(
        "task bug solo",
        "Does the reason of a block outlive it?",
        "No: the restore clears blocked_reason, and nothing else.",
        "`to exactly what was saved`, and the reason came with the block; left over, it would name the next one.",
    ),
    Choice(
        "node",
        "Who holds a node in review and rework?",
        "Whoever handed it over, until another agent of the owner claims the rework, or it is complete.",
        "Outputs are submitted by the holder, `in active and rework only`: so somebody holds it in rework.",
    ),
    Choice(
        "task bug solo",
        "Does a restore into rework clear the memory fields?",
        "No.",
        "`A block and its restore keep role, state, holder, time of entry and fields`; it is no new entry.",
    ),
    Choice(
        "task bug solo",
        "Can a blocked item be cancelled, or a blocked one blocked again?",
        "No: restore is its only way out.",
        "`any` leaves out complete, cancelled and blocked.",
    ),
    Choice(
        "task bug solo node",
        "Is the take-over of a lapsed claim a move of the table?",
        "No: it is two in one transaction, back to where it was claimed from, then that state's claim with its gates.",
        "active -> active is declared nowhere. A test of the table needs leases that have not run out.",
    ),
    Choice(
        "node",
        "Which stations can own a node?",
        "The five work roles of tasks.",
        "`a station, that is a work role`; a node of `human` could never be claimed by an agent.",
    ),
    Choice(
        "node",
        "Who pauses an active node: any agent of the owner, or the holder?",
        "The holder; out of ready any agent of the owner.",
        "`Out of a claimed state the holder alone moves the item`; a pause is neither blocking nor cancelling.",
    ),
    Choice(
        "node",
        "How is a child opened, if the owner is neither orchestrator nor pdsa?",
        "Whoever may creates it; the pause is the owner's move, and refused while there is no such child.",
        "The table of moves names the owner as who pauses, the list of tools names who creates.",
    ),
    Choice(
        "node",
        "Does a pause keep the holder, and a withdrawn input reach further than ready?",
        "It keeps it, like a block. An input withdrawn in active or later moves nothing.",
        "`where it was`; `back` stands in the row of pending -> ready, and nothing else leads anywhere.",
    ),
    Choice(
        "node",
        "Are memory fields cleared on the way into rework?",
        "Yes.",
        "`Every entry into rework`; rework -> active asks for a new question.",
    ),
    Choice(
        "node",
        "Does a person, or an agent, ever move review -> complete or pending -> ready?",
        "No: `system` alone; the verifier records the gate, and BigMind moves.",
        "The table of moves says BigMind, and nothing jumps to complete.",
    ),
)
