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

SHORTEST = 8
"""Characters of an id, that it may be shortened to."""

MOST_URIS = 100
LONGEST_URI = 500
TOO_MUCH = f"At most {MOST_URIS} resources can be subscribed to, of at most {LONGEST_URI} characters each."
