"""The endpoint's path and the resources that can be subscribed to, for whoever does not load the MCP library."""

PATH = "/mcp"

CONTEXT, PROFILE = "memory://context", "memory://profile"
HYPOTHESES, KNOWLEDGE = "memory://hypotheses", "memory://knowledge"
SESSIONS = "memory://sessions"
"""All sessions; who subscribes to it is told of each by its own address (as MCP has it, of a sub-resource)."""

HIGHWAYS, DOMAINS = "brain://highways", "brain://domains"
THOUGHTS = "brain://thought"
"""Of each thought by its own address."""

TASKS = "work://tasks"
"""All items; of each by its own address, which ends with its slug."""
PROCESSES = "work://process"
"""Of each process by its own address."""

TREE, SCOPE = "mindspace://tree", "mindspace://scope"
NODES = "mindspace://node"
"""Of each node by its own address, which ends with its id."""

RUN_STATE, RUN_CHECKLIST = "session://state", "session://checklist"
RUN_HISTORY, RUN_VIOLATIONS = "session://history", "session://violations"
"""Of the caller's protocol run."""
RUNS = "session://runs"
"""Of any run by its name: `session://runs/{id}/state` and so on."""
HANDOFF, SKILLS = "session://handoff", "session://skills"

TOOLS_CHANGED = "notifications/tools/list_changed"

OF_RUNS = (RUN_STATE, RUN_CHECKLIST, RUN_HISTORY, RUN_VIOLATIONS)
EVERYTHING = (CONTEXT, PROFILE, HYPOTHESES, KNOWLEDGE, SESSIONS, HIGHWAYS, DOMAINS, TASKS, TREE, SCOPE, *OF_RUNS)

TOLD_BY = {
    **dict.fromkeys((CONTEXT, PROFILE, HYPOTHESES, KNOWLEDGE), "memory_get_context"),
    SESSIONS: "memory_get_session_detail",
    HIGHWAYS: "brain_list_highways",
    DOMAINS: "brain_list_domains",
    THOUGHTS: "brain_get_thought",
    TASKS: "work_list_tasks",
    PROCESSES: "work_get_process",
    **dict.fromkeys((TREE, NODES), "mindspace_get_tree"),
    SCOPE: "mindspace_get_scope_stack",
    **dict.fromkeys((*OF_RUNS, RUNS), "protocol_list_runs"),
    **dict.fromkeys((HANDOFF, SKILLS), "protocol_read_text"),
}
"""What tells the same as a resource does: a token whose scope does not allow it is told nothing by either."""


def told_by(uri: str) -> str:
    """The operation that tells what a resource tells; empty for an address that is none."""
    return next((name for each, name in TOLD_BY.items() if uri == each or uri.startswith(f"{each}/")), "")


SHORTEST = 8
"""Characters of an id, that it may be shortened to."""

MOST_URIS = 100
LONGEST_URI = 500
TOO_MUCH = f"At most {MOST_URIS} resources can be subscribed to, of at most {LONGEST_URI} characters each."
