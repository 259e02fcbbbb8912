"""The use cases of the mindspace, in one place for its operations."""

from bigmind.mindspace.judgement import record_gate
from bigmind.mindspace.listing import get_ready_nodes, get_scope_stack, get_tree, node_ids
from bigmind.mindspace.planning import NodeDraft, create_node, delete_node, get_node, move_node, set_focus, update_node
from bigmind.mindspace.production import book_transition, look_at, look_at_files, see_files, submit_output
from bigmind.mindspace.tree_document import read_tree
from bigmind.mindspace.tree_export import export_tree
from bigmind.mindspace.tree_import import import_tree
from bigmind.work.moving import see_evidence

__all__ = [
    "NodeDraft",
    "book_transition",
    "create_node",
    "delete_node",
    "export_tree",
    "get_node",
    "get_ready_nodes",
    "get_scope_stack",
    "get_tree",
    "import_tree",
    "look_at",
    "look_at_files",
    "move_node",
    "node_ids",
    "read_tree",
    "record_gate",
    "see_evidence",
    "see_files",
    "set_focus",
    "submit_output",
    "update_node",
]
