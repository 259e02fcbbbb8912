"""What a command does, for a person at a terminal: an operation's own description tells a model when to call it."""

import re

from bigmind.cli.operation_commands.command_records import CommandRecord

_TO_DO = "Call this to "
_TO_SEE = re.compile("^Call this to see ")
_BLANK_LINE = re.compile(r"\n\s*\n")

FOR_PEOPLE = {
    "brain_get_thought": "Show one thought whole: text, source, readers, what superseded it.",
    "brain_share_thought": "Share a private thought of yours with everybody; it cannot be taken back.",
    "contribute_to_brain": "Contribute what was decided, learned or finished: a statement over 50 characters.",
    "directory_choose": "Choose what the directory of a team tells the others of you. It counts at once.",
    "directory_find": "Show who worked on something, by what they let be told, and what people shared of it.",
    "directory_list": "Show who works on what on a team's server, as far as each of them chose.",
    "get_blocked_reason": "Show what blocks the run: what is missing, and what mends it.",
    "memory_add_hypothesis": "Store what is believed and not shown yet, to be checked later.",
    "memory_approve_global": "Approve or deprecate an entry of company knowledge, as a curator.",
    "memory_deprecate_fact": "Mark a stored fact as wrong, or as no longer true.",
    "memory_end_session": "End a memory session, with what the next conversation is to know of it.",
    "memory_export": "Write everything of yours as JSON into a new file.",
    "memory_flag_important": "Keep a moment word for word, marked as important.",
    "memory_get_context": "Show what a conversation is told at its start.",
    "memory_get_fact_history": "Show what happened to a fact, also to one that no longer holds.",
    "memory_get_instructions": "Show the complete guide to the memory.",
    "memory_get_profile_url": "Show the address of the local profile page.",
    "memory_get_session_detail": "Show a session: its summary, key facts and code references.",
    "memory_get_stats": "Show how much is remembered: sizes on disk, backups, and counts by tier.",
    "memory_health_check": "Look for what is wrong with the memory.",
    "memory_import": "Bring in an export; --dry-run only shows what would change.",
    "memory_list_facts": "List the stored facts with their ids.",
    "memory_list_global": "List company knowledge, the most important first.",
    "memory_list_hypotheses": "List what is believed and not yet shown, or how earlier beliefs turned out.",
    "memory_open_profile": "Open the profile page.",
    "memory_promote_to_global": "Propose what holds for everybody: an architecture, standard, decision.",
    "memory_resolve_hypothesis": "Say of an open hypothesis that it is right, wrong, or not worth pursuing.",
    "memory_search_chunks": "Find what was kept word for word, by words, names or parts of identifiers.",
    "memory_search_global": "Find approved company knowledge by words.",
    "memory_semantic_search": "Find what is remembered about something, in whatever words.",
    "memory_start_session": "Start a memory session, and show what is known.",
    "memory_store_fact": "Store what stays true: about you, a decision, the code base, a constraint.",
    "memory_update_profile": "Change what assistants know of you. What is not given stays as it is.",
    "memory_vacuum": "Prune old moments (Tier 3); summaries stay.",
    "mindspace_create_node": "Plan a node, as orchestrator or pdsa; below one that is held, it pauses that one.",
    "mindspace_export": "Print the tree, or what is below one node, as YAML, with states and results.",
    "mindspace_get_ready_nodes": "List the nodes of a station: what each needs and gives, and what may be done next.",
    "mindspace_get_scope_stack": "Show where your attention is: the nodes from the root to the focus.",
    "mindspace_move_node": "Place a node elsewhere in the tree, as orchestrator or pdsa.",
    "mindspace_record_gate": "Judge a node in review, as verifier: pass or fail, and why.",
    "mindspace_set_focus": "Set the focus, as orchestrator or pdsa; prints the scope stack.",
    "mindspace_submit_output": "Submit what a node that is held declares, before its review is booked.",
    "mindspace_update_node": "Change a node, as orchestrator or pdsa; only a person changes what was claimed.",
    "advance_phase": "Move on to the next phase; stops at the first gate that blocks, and says what is missing.",
    "query_brain": "Ask what agents know of something.",
    "session_end": "End a protocol run: takes the gates that are left. One that must pass and does not is a violation.",
    "session_start": "Start a run of the session protocol; says what must be done when.",
    "work_edit_task": "Change what a task is about or depends on, as liaison or pdsa, while nobody holds it.",
    "work_get_task": "Show one task whole: text, DNA, what leads on from here, and what each move still needs.",
    "work_next": "Show the best task that a role can move now, and what it needs.",
}
"""By operation: its first paragraph, of those that do not begin with what they do."""

_WITH_THE_REST = frozenset(
    (
        *(
            "contribute_to_brain",
            "directory_find",
            "memory_import",
            "memory_promote_to_global",
            "memory_semantic_search",
            "memory_store_fact",
        ),
        "mindspace_create_node",
    )
)
"""Those of them of whose descriptions the other paragraphs are for people, too."""


def help_of(operation: CommandRecord) -> str:
    """What the command of an operation does, verb first."""
    first, *rest = _BLANK_LINE.split(operation.description)
    if operation.name in FOR_PEOPLE:
        told = FOR_PEOPLE[operation.name]
        rest = rest if operation.name in _WITH_THE_REST else []
    else:
        told = _TO_SEE.sub("Call this to show ", first).removeprefix(_TO_DO)
        told = told[0].upper() + told[1:]
    return " ".join(" ".join((told, *rest)).split())
