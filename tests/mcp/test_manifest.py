"""The manifest, the catalogue and the tests agree, in every direction."""

import ast
from pathlib import Path

from bigmind.core.operation import Mode
from bigmind.wiring import catalogue
from tests.mcp.manifest import BEHAVIOURS, BEYOND_THE_TABLE, GAPS

TESTS = Path(__file__).parents[1]
FOLDERS = ("mcp", "memory", "search", "protocol")

# The tools of memory.md, of brain.md and of work.md; a tool that is added there belongs here and into the manifest.
TABLE = """
memory_start_session memory_end_session memory_flag_important memory_append_chunk memory_get_context
memory_get_session_detail memory_search_chunks memory_semantic_search memory_list_sessions memory_store_fact
memory_deprecate_fact memory_update_profile memory_promote_to_global memory_list_global memory_search_global
memory_approve_global memory_add_hypothesis memory_resolve_hypothesis memory_list_hypotheses memory_get_stats
memory_vacuum memory_health_check memory_export memory_import memory_open_profile memory_get_profile_url
memory_get_instructions

query_brain contribute_to_brain brain_get_thought brain_get_lineage brain_list_domains brain_update_thought
brain_share_thought

work_create_task work_edit_task work_list_tasks work_get_task work_update_dna work_transition work_next work_get_process

mindspace_get_ready_nodes mindspace_get_tree mindspace_get_scope_stack mindspace_submit_output mindspace_book_transition
mindspace_record_gate mindspace_create_node mindspace_update_node mindspace_move_node mindspace_set_focus

session_start validate_gate advance_phase record_evidence session_end get_blocked_reason
"""


def offered() -> set[str]:
    return {each.name for each in catalogue().tools(Mode.TEAM)}


def entered() -> set[str]:
    return {behaviour.partition(".")[0] for behaviour in BEHAVIOURS}


def shown() -> dict[str, list[str]]:
    """Every behaviour that some test says it shows, with those tests."""
    found: dict[str, list[str]] = {}
    for file in (each for folder in FOLDERS for each in (TESTS / folder).glob("test_*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                for behaviour in _claims(node):
                    found.setdefault(behaviour, []).append(f"{file.name}::{node.name}")
    return found


def _claims(test: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    calls = [each for each in test.decorator_list if isinstance(each, ast.Call) and ast.unparse(each.func) == "shows"]
    return [ast.literal_eval(argument) for call in calls for argument in call.args]


def test_every_tool_that_is_offered_has_an_entry():
    assert offered() - entered() == set()


def test_every_entry_is_of_a_tool_that_is_offered():
    assert entered() - offered() == set()


def test_every_entry_has_a_test():
    assert set(BEHAVIOURS) - set(shown()) == set()


def test_every_tool_shows_what_it_refuses():
    assert {f"{tool}.refuses" for tool in offered()} <= set(BEHAVIOURS)


def test_a_gap_is_closed_when_its_tool_appears():
    assert offered() & set(GAPS) == set()


def test_every_tool_of_the_table_is_offered_or_a_known_gap():
    assert set(TABLE.split()) == (offered() - set(BEYOND_THE_TABLE)) | set(GAPS)


def test_the_scan_of_the_tests_sees_what_they_claim():
    assert (
        "test_tools_of_sessions.py::test_start_opens_a_session_and_tells_what_is_known"
        in shown()["memory_start_session.opens"]
    )
