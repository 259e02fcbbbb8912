"""The use cases of the mindspace, in one place for its operations."""

from bigmind.mindspace.judgement import record_gate
from bigmind.mindspace.listing import get_ready_nodes, get_scope_stack, get_tree
from bigmind.mindspace.planning import NodeDraft, create_node, delete_node, move_node, set_focus, update_node
from bigmind.mindspace.production import book_transition, look_at, submit_output

__all__ = [
    "NodeDraft",
    "book_transition",
    "create_node",
    "delete_node",
    "get_ready_nodes",
    "get_scope_stack",
    "get_tree",
    "look_at",
    "move_node",
    "record_gate",
    "set_focus",
    "submit_output",
    "update_node",
]
