"""Bad input is a tool error that the model reads: it names the field, the value, and what would be right."""

import sys
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.operation import Surface
from bigmind.wiring import catalogue
from tests.mcp.clients import MODES, bad, over_http
from tests.mcp.manifest import BEHAVIOURS, shows
from tests.support import Server
from tests.thorough import turn

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("shared_server")]

ID = "ffffffff-0000-4000-8000-000000000000"
LONG = "x" * 2_001
END = {"one_liner": "x", "topics": ["y"], "outcome": "z"}
FACT = {"category": "decision", "fact": "x"}
KEEP = {"content": "x", "flag_reason": "y"}
TURN = KEEP | {"role": "user"}
PROMOTE = {"category": "decision", "title": "x", "content": "y"}
REVIEW = {"entry_id": ID, "action": "approve"}
ASK = {"prompt": "x"}
PLAN = {"title": "Oil the hinges"}
MOVE = {"slug": "oil-the-hinges", "to": "ready"}
NODE = {"title": "Oil it", "owner": "dev"}
GATE = {"node_id": ID, "gate": "tests pass", "status": "pass", "evidence": "I ran them."}
RESOLVE = {"id": ID, "status": "confirmed", "resolution": "x"}
ROOT = Path.cwd().anchor
NO_FILE = ROOT if sys.platform == "win32" else "/dev/zero"

# tool, what is wrong with otherwise good input (None: left out), the field, what the answer says of it
SHOWN = {"phase": "GIT_STATE", "evidence_type": "manual", "evidence": "I looked."}
BAD: list[tuple[str, dict[str, Any], dict[str, Any], str, str]] = [
    ("memory_start_session", {}, {"project": ""}, "project", "at least 1 character"),
    ("memory_start_session", {}, {"project": "p" * 201}, "project", "at most 200 characters"),
    ("memory_start_session", {}, {"project": 7}, "project", "got 7; expected a valid string"),
    ("memory_start_session", {}, {"topics": 7}, "topics", "got 7; expected a valid list"),
    ("memory_start_session", {}, {"topics": ["a"] * 5 + [7]}, "topics.5", "got 7; expected a valid string"),
    ("memory_start_session", {}, {"topics": list(map(str, range(1_001)))}, "topics", "at most 1,000 items"),
    ("memory_start_session", {}, {"topics": ",".join(map(str, range(1_001)))}, "topics", "at most 1,000 items"),
    ("memory_start_session", {}, {"topics": ["x" * 100_001]}, "topics.0", "at most 100,000 characters"),
    ("memory_start_session", {}, {"client": "\n "}, "client", "at least 1 character"),
    ("memory_start_session", {}, {"projekt": "x"}, "projekt", "no such field; the fields are: project, topics, client"),
    ("memory_end_session", END, {"one_liner": None}, "one_liner", "got nothing; expected a value: the field is req"),
    ("memory_end_session", END, {"topics": None}, "topics", "required"),
    ("memory_end_session", END, {"outcome": None}, "outcome", "required"),
    ("memory_end_session", END, {"one_liner": "x" * 100_001}, "one_liner", "at most 100,000 characters"),
    ("memory_end_session", END, {"one_liner": "\n\t "}, "one_liner", "at least 1 character"),
    ("memory_end_session", END, {"outcome": "x" * 100_001}, "outcome", "at most 100,000 characters"),
    ("memory_end_session", END, {"summary": "x" * 20_001}, "summary", "at most 20,000 characters"),
    ("memory_end_session", END, {"importance": 0}, "importance", "got 0; expected at least 1"),
    ("memory_end_session", END, {"importance": 11}, "importance", "got 11; expected at most 10"),
    ("memory_end_session", END, {"importance": "high"}, "importance", "got 'high'; expected a whole number"),
    ("memory_end_session", END, {"importance": 1.5}, "importance", "got 1.5; expected a whole number"),
    ("memory_end_session", END, {"key_facts": [5]}, "key_facts.0", "got 5; expected a valid string"),
    ("memory_end_session", END, {"code_refs": {"a": 1}}, "code_refs", "got {'a': 1}; expected a valid list"),
    ("memory_end_session", END, {"session_id": "abc"}, "session_id", "got 'abc'; expected"),
    ("memory_end_session", END, {"session_id": "no uuid at all"}, "session_id", "at least its first 8 characters"),
    ("memory_flag_important", KEEP, {"content": None}, "content", "required"),
    ("memory_flag_important", KEEP, {"content": ""}, "content", "got ''; expected"),
    ("memory_flag_important", KEEP, {"content": " \n "}, "content", "expected text that says something"),
    ("memory_flag_important", KEEP, {"content": "\u200b"}, "content", "expected text that says something"),
    ("memory_flag_important", KEEP, {"content": "\x00"}, "content", "at least 1 character"),
    ("memory_flag_important", KEEP, {"content": "x" * 1_000_001}, "content", "at most 1,000,000 characters"),
    ("memory_flag_important", KEEP, {"content": ["x"]}, "content", "got ['x']; expected a valid string"),
    ("memory_flag_important", KEEP, {"flag_reason": None}, "flag_reason", "required"),
    ("memory_flag_important", KEEP, {"flag_reason": " "}, "flag_reason", "at least 1 character"),
    ("memory_flag_important", KEEP, {"role": "human"}, "role", "got 'human'; expected 'user', 'assistant' or 'system'"),
    ("memory_append_chunk", TURN, {"role": None}, "role", "required"),
    ("memory_append_chunk", TURN, {"role": "tool"}, "role", "got 'tool'; expected 'user', 'assistant' or 'system'"),
    ("memory_append_chunk", TURN, {"content": None}, "content", "required"),
    ("memory_append_chunk", TURN, {"flag_reason": "x" * 501}, "flag_reason", "at most 500 characters"),
    ("memory_append_chunk", TURN, {"session_id": "zzzzzzzz"}, "session_id", "got 'zzzzzzzz'; expected the id of"),
    ("memory_get_context", {}, {"sessions": -1}, "sessions", "got -1; expected at least 0"),
    ("memory_get_context", {}, {"sessions": 51}, "sessions", "got 51; expected at most 50"),
    ("memory_get_context", {}, {"sessions": "all"}, "sessions", "got 'all'; expected a whole number"),
    ("memory_get_context", {}, {"project": []}, "project", "got []; expected a valid string"),
    ("memory_get_session_detail", {"session_id": ID}, {"session_id": None}, "session_id", "required"),
    ("memory_get_session_detail", {}, {"session_id": "1234567"}, "session_id", "got '1234567'; expected"),
    ("memory_get_session_detail", {}, {"session_id": "x" * 37}, "session_id", "at most 36 characters"),
    ("memory_search_chunks", {"query": "x"}, {"query": None}, "query", "required"),
    ("memory_search_chunks", {}, {"query": ""}, "query", "got ''; expected"),
    ("memory_search_chunks", {}, {"query": " "}, "query", "at least 1 character that is not white space"),
    ("memory_search_chunks", {}, {"query": "x" * 100_001}, "query", "at most 100,000 characters"),
    ("memory_search_chunks", {"query": "x"}, {"limit": 0}, "limit", "got 0; expected at least 1"),
    ("memory_search_chunks", {"query": "x"}, {"limit": 101}, "limit", "got 101; expected at most 100"),
    ("memory_search_chunks", {"query": "x"}, {"since": "once"}, "since", "got 'once'; expected a date or time like"),
    ("memory_search_chunks", {"query": "x"}, {"since": "2026"}, "since", "got '2026'; expected a date or time like"),
    ("memory_search_chunks", {"query": "x"}, {"since": "2026-13-40"}, "since", "got '2026-13-40'; expected"),
    ("memory_search_chunks", {"query": "x"}, {"session_id": "abc"}, "session_id", "got 'abc'; expected"),
    ("memory_list_sessions", {}, {"limit": 1_000}, "limit", "got 1000; expected at most 100"),
    ("memory_list_sessions", {}, {"since": "soon"}, "since", "got 'soon'; expected a date or time like"),
    ("memory_list_sessions", {}, {"topic": "x" * 81}, "topic", "at most 80 characters"),
    ("memory_list_sessions", {}, {"cursor": "!!"}, "cursor", "got '!!'; expected the cursor of the page before"),
    ("memory_list_sessions", {}, {"cursor": "bm90IGEgY3Vyc29y"}, "cursor", "expected the cursor of the page before"),
    ("memory_store_fact", FACT, {"fact": None}, "fact", "required"),
    ("memory_store_fact", FACT, {"category": None}, "category", "required"),
    ("memory_store_fact", FACT, {"fact": "  "}, "fact", "at least 1 character"),
    ("memory_store_fact", FACT, {"fact": "\u200b\u200d\ufeff"}, "fact", "at least 1 character"),
    ("memory_store_fact", FACT, {"fact": LONG}, "fact", "at most 2,000 characters"),
    ("memory_store_fact", FACT, {"category": "x" * 41}, "category", "at most 40 characters"),
    ("memory_store_fact", FACT, {"confidence": 1.01}, "confidence", "got 1.01; expected at most 1"),
    ("memory_store_fact", FACT, {"confidence": -0.5}, "confidence", "got -0.5; expected at least 0"),
    ("memory_store_fact", FACT, {"confidence": "sure"}, "confidence", "got 'sure'; expected a number"),
    ("memory_deprecate_fact", {"fact_id": ID, "reason": "x"}, {"fact_id": None}, "fact_id", "required"),
    ("memory_deprecate_fact", {"fact_id": ID, "reason": "x"}, {"reason": ""}, "reason", "at least 1 character"),
    ("memory_deprecate_fact", {"reason": "x"}, {"fact_id": "fact"}, "fact_id", "got 'fact'; expected"),
    ("memory_deprecate_fact", {"fact_id": ID, "reason": "x"}, {"replaced_by": "new"}, "replaced_by", "got 'new'; exp"),
    ("memory_get_fact_history", {"fact_id": ID}, {"fact_id": None}, "fact_id", "required"),
    ("memory_get_fact_history", {}, {"fact_id": "fact"}, "fact_id", "got 'fact'; expected"),
    ("memory_get_fact_history", {}, {"fact_id": "not-an-id"}, "fact_id", "expected the id of a fact"),
    ("memory_list_facts", {}, {"limit": 0}, "limit", "got 0; expected at least 1"),
    ("memory_list_facts", {}, {"category": 3}, "category", "got 3; expected a valid string"),
    ("memory_update_profile", {}, {"role": "x" * 501}, "role", "at most 500 characters"),
    ("memory_update_profile", {}, {"preferences": 1}, "preferences", "got 1; expected a valid string"),
    ("memory_update_profile", {}, {"pinned_facts": ["x" * 1_001]}, "pinned_facts.0", "at most 1,000 characters"),
    ("memory_update_profile", {}, {"name": "Ada"}, "name", "the fields are: role, preferences, pinned_facts"),
    ("memory_add_hypothesis", {"hypothesis": "x"}, {"hypothesis": None}, "hypothesis", "required"),
    ("memory_add_hypothesis", {}, {"hypothesis": "\u3164"}, "hypothesis", "at least 1 character"),
    ("memory_add_hypothesis", {}, {"hypothesis": LONG}, "hypothesis", "at most 2,000 characters"),
    ("memory_add_hypothesis", {"hypothesis": "x"}, {"confidence": 2}, "confidence", "expected at most 1"),
    ("memory_resolve_hypothesis", RESOLVE, {"status": "open"}, "status", "got 'open'; expected 'confirmed', 'refuted'"),
    ("memory_resolve_hypothesis", RESOLVE, {"resolution": None}, "resolution", "required"),
    ("memory_resolve_hypothesis", RESOLVE, {"id": "seven"}, "id", "got 'seven'; expected"),
    ("memory_resolve_hypothesis", RESOLVE, {"id": "not-an-id"}, "id", "expected the id of a hypothesis"),
    ("memory_list_hypotheses", {}, {"status": "done"}, "status", "got 'done'; expected 'open', 'confirmed', 'refuted'"),
    ("memory_list_hypotheses", {}, {"limit": 101}, "limit", "got 101; expected at most 100"),
    ("memory_get_stats", {}, {"tier": 3}, "tier", "got 3; expected no such field; the fields are: none"),
    ("memory_health_check", {}, {"stale_days": 0}, "stale_days", "got 0; expected at least 1"),
    ("memory_health_check", {}, {"stale_days": "old"}, "stale_days", "got 'old'; expected a whole number"),
    ("memory_vacuum", {"days": 30}, {"days": None}, "days", "required"),
    ("memory_vacuum", {}, {"days": 0}, "days", "got 0; expected at least 1"),
    ("memory_vacuum", {}, {"days": 1.5}, "days", "got 1.5; expected a whole number"),
    ("memory_vacuum", {"days": 30}, {"dry_run": "perhaps"}, "dry_run", "got 'perhaps'; expected true or false"),
    ("memory_get_instructions", {}, {"topic": "x"}, "topic", "no such field"),
    ("memory_get_profile_url", {}, {"tab": "x"}, "tab", "no such field"),
    ("memory_open_profile", {}, {"tab": "x"}, "tab", "no such field"),
    ("memory_export", {}, {"output_path": ""}, "output_path", "at least 1 character"),
    ("memory_export", {}, {"output_path": "here.json"}, "output_path", "expected an absolute path"),
    ("memory_export", {}, {"output_path": f"{ROOT}export.txt"}, "output_path", "expected a path that ends in .json"),
    ("memory_export", {}, {"output_path": 7}, "output_path", "got 7; expected a valid string"),
    ("memory_export", {}, {"path": f"{ROOT}a.json"}, "path", "no such field; the fields are: output_path"),
    ("memory_import", {"path": f"{ROOT}a.json"}, {"path": None}, "path", "required"),
    ("memory_import", {}, {"path": "here.json"}, "path", "expected an absolute path"),
    ("memory_import", {}, {"path": NO_FILE}, "path", "expected an ordinary file"),
    ("memory_import", {"path": f"{ROOT}a.json"}, {"mode": "mix"}, "mode", "got 'mix'; expected 'merge' or 'replace'"),
    ("memory_import", {"path": f"{ROOT}a.json"}, {"dry_run": "perhaps"}, "dry_run", "expected true or false"),
    ("memory_promote_to_global", PROMOTE, {"category": None}, "category", "required"),
    ("memory_promote_to_global", PROMOTE, {"category": "gossip"}, "category", "expected 'architecture', 'standard',"),
    ("memory_promote_to_global", PROMOTE, {"title": "x" * 81}, "title", "at most 80 characters"),
    ("memory_promote_to_global", PROMOTE, {"title": " \n"}, "title", "at least 1 character"),
    ("memory_promote_to_global", PROMOTE, {"content": " "}, "content", "at least 1 character"),
    ("memory_promote_to_global", PROMOTE, {"content": "x" * 20_001}, "content", "at most 20,000 characters"),
    ("memory_promote_to_global", PROMOTE, {"importance": 11}, "importance", "got 11; expected at most"),
    ("memory_promote_to_global", PROMOTE, {"source_session": "abc"}, "source_session", "got 'abc'; expected"),
    ("memory_promote_to_global", PROMOTE, {"status": "approved"}, "status", "no such field"),
    ("memory_list_global", {}, {"category": "gossip"}, "category", "got 'gossip'; expected 'architecture'"),
    ("memory_list_global", {}, {"status": "all"}, "status", "got 'all'; expected 'pending', 'approved' or"),
    ("memory_list_global", {}, {"limit": 51}, "limit", "got 51; expected at most 50"),
    ("memory_semantic_search", {"query": "x"}, {"query": None}, "query", "required"),
    ("memory_semantic_search", {}, {"query": ""}, "query", "got ''; expected"),
    ("memory_semantic_search", {}, {"query": " "}, "query", "at least 1 character that is not white space"),
    ("memory_semantic_search", {}, {"query": "x" * 100_001}, "query", "at most 100,000 characters"),
    ("memory_semantic_search", {"query": "x"}, {"limit": 101}, "limit", "got 101; expected at most 100"),
    ("memory_semantic_search", {"query": "x"}, {"kinds": ["fact", "dream"]}, "kinds.1", "got 'dream'; expected"),
    ("memory_semantic_search", {"query": "x"}, {"kinds": "dream"}, "kinds.0", "got 'dream'; expected"),
    ("memory_semantic_search", {"query": "x"}, {"kinds": "tasks"}, "kinds.0", "expected 'work_item' for each task (of"),
    ("memory_semantic_search", {"query": "x"}, {"kinds": ["node"]}, "kinds.0", "expected 'work_item' for each node"),
    ("memory_semantic_search", {"query": "x"}, {"kinds": ["fact"] * 10}, "kinds", "at most 9 items"),
    ("memory_semantic_search", {"query": "x"}, {"since": "once"}, "since", "got 'once'; expected a date or time like"),
    ("memory_search_global", {"query": "x"}, {"query": None}, "query", "required"),
    ("memory_search_global", {}, {"query": ""}, "query", "got ''; expected"),
    ("memory_search_global", {}, {"query": " "}, "query", "at least 1 character that is not white space"),
    ("memory_search_global", {"query": "x"}, {"limit": 0}, "limit", "got 0; expected at least 1"),
    ("memory_approve_global", REVIEW, {"entry_id": None}, "entry_id", "required"),
    ("memory_approve_global", REVIEW, {"entry_id": "no uuid at all"}, "entry_id", "expected the id of an entry"),
    ("memory_approve_global", REVIEW, {"action": "reject"}, "action", "got 'reject'; expected 'approve' or"),
    ("memory_approve_global", REVIEW, {"notes": "x" * 1_001}, "notes", "at most 1,000 characters"),
    ("query_brain", ASK, {"prompt": None}, "prompt", "required"),
    ("query_brain", ASK, {"prompt": " \n"}, "prompt", "at least 1 character"),
    ("query_brain", ASK, {"prompt": " \n "}, "prompt", "at least 1 character"),
    ("query_brain", ASK, {"prompt": "x" * 10_001}, "prompt", "at most 10,000 characters"),
    ("query_brain", ASK, {"context": "x" * 2_001}, "context", "at most 2,000 characters"),
    ("query_brain", ASK, {"category": "gossip"}, "category", "expected 'state_snapshot', 'decision_record',"),
    ("query_brain", ASK, {"topic": "/ /"}, "topic", "at least 1 character"),
    ("query_brain", ASK, {"tags": ["a"] * 9}, "tags", "expected at most 8 items"),
    ("query_brain", ASK, {"space": "team"}, "space", "got 'team'; expected 'shared' or 'private'"),
    ("query_brain", ASK, {"limit": 51}, "limit", "got 51; expected at most 50"),
    ("query_brain", ASK, {"full_content": "perhaps"}, "full_content", "expected true or false"),
    ("query_brain", ASK, {"session_id": "x" * 101}, "session_id", "at most 100 characters"),
    ("query_brain", ASK, {"refines": ID}, "refines", "no such field; the fields are: prompt, context, session_id"),
    ("contribute_to_brain", ASK, {"prompt": None}, "prompt", "required"),
    ("contribute_to_brain", ASK, {"prompt": 7}, "prompt", "got 7; expected a valid string"),
    ("contribute_to_brain", ASK, {"temporal_scope": "last week"}, "temporal_scope", "expected a date like 2026-03-30"),
    ("contribute_to_brain", ASK, {"source_ref": {"type": "rumor", "value": "x"}}, "source_ref.type", "expected 'task'"),
    ("contribute_to_brain", ASK, {"source_ref": {"type": "file"}}, "source_ref.value", "required"),
    (
        "contribute_to_brain", ASK, {"source_ref": ["a"]},
        "source_ref", "expected an object with type (task, file, commit, url), value, project",
    ),
    ("contribute_to_brain", ASK, {"refines": "abc"}, "refines", "got 'abc'; expected"),
    ("contribute_to_brain", ASK, {"consolidates": [ID, "abc"]}, "consolidates.1", "got 'abc'; expected"),
    ("contribute_to_brain", ASK, {"corrected_fact": "x" * 2_001}, "corrected_fact", "at most 2,000 characters"),
    ("contribute_to_brain", ASK, {"limit": 5}, "limit", "no such field"),
    ("brain_get_thought", {"id": ID}, {"id": None}, "id", "required"),
    ("brain_get_thought", {}, {"id": "thought"}, "id", "got 'thought'; expected"),
    ("brain_get_thought", {}, {"id": "not-an-id"}, "id", "expected the id of a thought"),
    ("brain_get_lineage", {"id": ID}, {"id": None}, "id", "required"),
    ("brain_get_lineage", {}, {"id": 7}, "id", "got 7; expected a valid string"),
    ("brain_list_domains", {}, {"topic": "pay"}, "topic", "no such field; the fields are: none"),
    ("brain_update_thought", {"id": ID}, {"id": None}, "id", "required"),
    ("brain_update_thought", {"id": ID}, {"category": "gossip"}, "category", "expected 'state_snapshot',"),
    ("brain_update_thought", {"id": ID}, {"related": ["abc"]}, "related.0", "got 'abc'; expected"),
    ("brain_update_thought", {"id": ID}, {"content": "x"}, "content", "no such field"),
    ("brain_share_thought", {}, {"id": "thought"}, "id", "got 'thought'; expected"),
    ("brain_share_thought", {"id": ID}, {"space": "private"}, "space", "no such field; the fields are: id"),
    ("brain_promote", {}, {"id": "fact"}, "id", "got 'fact'; expected"),
    ("brain_promote", {}, {"id": "not-an-id"}, "id", "expected the id of a fact or a moment"),
    ("brain_promote", {"id": ID}, {"space": "team"}, "space", "expected 'shared' or 'private'"),
    ("work_create_task", {}, {"title": None}, "title", "required"),
    ("work_create_task", {}, {"title": "ab"}, "title", "at least 3 characters"),
    ("work_create_task", PLAN, {"slug": "No Slug!"}, "slug", "small letters, digits, - . and _"),
    ("work_create_task", PLAN, {"state": "active"}, "state", "one of pending, backlog"),
    ("work_create_task", PLAN, {"description": "x" * 10_001}, "description", "at most 10,000 characters"),
    ("work_create_task", PLAN, {"dna": "pdsa_ref"}, "dna", 'JSON like {"pdsa_ref": "docs/design.md"}'),
    ("work_create_task", PLAN, {"dna": {"Not a name": 1}}, "fields.Not a name", "small letters, digits and _"),
    ("work_edit_task", {}, {"slug": None}, "slug", "required"),
    ("work_edit_task", {}, {"slug": "x", "holder": "me"}, "holder", "no such field"),
    ("work_list_tasks", {}, {"limit": 101}, "limit", "at most 100"),
    ("work_get_task", {}, {"slug": None}, "slug", "required"),
    ("work_get_task", {}, {"slug": "x" * 81}, "slug", "at most 80 characters"),
    ("work_update_dna", {}, {"slug": "x", "fields": None}, "fields", "required"),
    ("work_update_dna", {}, {"slug": "x", "fields": ["a"]}, "fields", "got ['a']; expected an object"),
    ("work_transition", MOVE, {"to": None}, "to", "required"),
    ("work_transition", MOVE, {"to": ""}, "to", "at least 1 character"),
    ("work_transition", MOVE, {"revision": -1}, "revision", "at least 0"),
    ("work_transition", MOVE, {"reason": "x" * 1_001}, "reason", "at most 1,000 characters"),
    ("work_transition", MOVE, {"force": True}, "force", "no such field"),
    ("work_transition", MOVE, {"skip_memory": True}, "skip_memory", "no such field"),
    ("work_next", {}, {"role": 7}, "role", "got 7; expected a valid string"),
    ("work_next", {}, {"state": "ready"}, "state", "no such field; the fields are: role, project"),
    ("work_get_process", {}, {"name": None}, "name", "required"),
    ("work_get_ledger", {}, {"slug": ""}, "slug", "at least 1 character"),
    ("mindspace_get_ready_nodes", {}, {"station": None}, "station", "required"),
    ("mindspace_get_tree", {}, {"depth": -1}, "depth", "at least 0"),
    ("mindspace_get_scope_stack", {}, {"depth": 1}, "depth", "no such field; the fields are: none"),
    ("mindspace_submit_output", {"node_id": ID}, {"outputs": []}, "outputs", "at least 1 item"),
    ("mindspace_book_transition", {"node_id": ID}, {"target_state": ""}, "target_state", "at least 1 character"),
    ("mindspace_record_gate", GATE, {"status": "perhaps"}, "status", "'pass'"),
    ("mindspace_record_gate", GATE, {"evidence": ""}, "evidence", "at least 1 character"),
    ("mindspace_create_node", {"title": "Oil it", "owner": "dev"}, {}, "definition_of_done", "required"),
    ("mindspace_create_node", NODE, {"definition_of_done": ["oil"]}, "definition_of_done", "an object with action, "),
    (
        "mindspace_create_node", NODE, {"definition_of_done": {"outputs": ["notes"]}},
        "definition_of_done.outputs.0", "expected an object with type (file, state, analysis), description, path",
    ),
    (
        "mindspace_create_node", NODE, {"definition_of_done": {"quality_gates": ["reviewed"]}},
        "definition_of_done.quality_gates.0", "expected an object with name, verifier, independent",
    ),
    (
        "mindspace_create_node", NODE, {"definition_of_done": {}, "definition_of_ready": {"inputs": ["plan"]}},
        "definition_of_ready.inputs.0", "expected an object with from, type (file, state, analysis), description",
    ),
    ("mindspace_update_node", {"node_id": ID}, {"state": "complete"}, "state", "no such field"),
    ("mindspace_move_node", {"node_id": ID}, {}, "parent_id", "required"),
    ("mindspace_set_focus", {}, {"node_id": ""}, "node_id", "at least 1 character"),
    ("session_start", {}, {}, "objective", "required"),
    ("session_start", {"objective": "Look"}, {"workspace": "here"}, "workspace", "the absolute path of a folder"),
    ("validate_gate", {}, {"phase": "NOWHERE"}, "phase", "MEMORY_INIT"),
    ("advance_phase", {}, {"force": "perhaps"}, "force", "true or false"),
    ("record_evidence", SHOWN, {"evidence_type": "belief"}, "evidence_type", "'manual'"),
    ("record_evidence", SHOWN, {"evidence": ""}, "evidence", "at least 1 character"),
    ("session_end", {}, {}, "summary", "required"),
    ("get_blocked_reason", {}, {"session_id": "short"}, "session_id", "at least 8 characters"),
]  # fmt: skip


@shows(
    "memory_start_session.refuses", "memory_end_session.refuses", "memory_flag_important.refuses",
    "memory_append_chunk.refuses", "memory_get_context.refuses", "memory_get_session_detail.refuses",
    "memory_search_chunks.refuses", "memory_list_sessions.refuses", "memory_store_fact.refuses",
    "memory_deprecate_fact.refuses", "memory_get_fact_history.refuses", "memory_list_facts.refuses",
    "memory_update_profile.refuses",
    "memory_add_hypothesis.refuses", "memory_resolve_hypothesis.refuses", "memory_list_hypotheses.refuses",
    "memory_health_check.refuses", "memory_vacuum.refuses",
    "memory_get_stats.refuses", "memory_get_instructions.refuses", "memory_get_profile_url.refuses",
    "memory_open_profile.refuses", "memory_export.refuses", "memory_import.refuses",
    "memory_promote_to_global.refuses", "memory_list_global.refuses",
    "memory_search_global.refuses", "memory_approve_global.refuses", "memory_semantic_search.refuses",
    "query_brain.refuses", "contribute_to_brain.refuses", "brain_get_thought.refuses", "brain_get_lineage.refuses",
    "brain_list_domains.refuses", "brain_update_thought.refuses", "brain_share_thought.refuses",
    "brain_promote.refuses",
    "work_create_task.refuses", "work_edit_task.refuses", "work_list_tasks.refuses", "work_get_task.refuses",
    "work_update_dna.refuses", "work_transition.refuses", "work_next.refuses", "work_get_process.refuses",
    "work_get_ledger.refuses",
    "mindspace_get_ready_nodes.refuses", "mindspace_get_tree.refuses", "mindspace_get_scope_stack.refuses",
    "mindspace_submit_output.refuses", "mindspace_book_transition.refuses", "mindspace_record_gate.refuses",
    "mindspace_create_node.refuses", "mindspace_update_node.refuses", "mindspace_move_node.refuses",
    "mindspace_set_focus.refuses", "session_start.refuses",
)  # fmt: skip
@pytest.mark.parametrize("tool", [each.name for each in catalogue().on(Surface.MCP)])
async def test_bad_input_is_named_with_what_would_be_right(shared_server: Server, tool: str):
    cases = [case[1:] for case in BAD if case[0] == tool]
    assert cases
    async with over_http(shared_server) as client:
        for right, wrong, field, said in cases:
            arguments = {name: value for name, value in (right | wrong).items() if value is not None}
            text, error = await bad(client, tool, **arguments)
            assert error["code"] == "invalid_input", (tool, wrong)
            assert [each["field"] for each in error["fields"]] == [field], (tool, wrong)
            assert said in text, (tool, wrong, text)
            assert f"- {field}: got " in text
            assert len(text) < 600


@pytest.mark.parametrize(
    ("tool", "arguments", "remedy"),
    [
        ("memory_end_session", {**END, "session_id": ID}, "memory_list_sessions"),
        ("memory_flag_important", {**KEEP, "session_id": ID}, "memory_list_sessions"),
        ("memory_append_chunk", {**TURN, "session_id": ID[:8]}, "memory_list_sessions"),
        ("memory_search_chunks", {"query": "x", "session_id": ID}, "memory_list_sessions"),
        ("memory_get_session_detail", {"session_id": ID}, "memory_list_sessions"),
        ("memory_deprecate_fact", {"fact_id": ID, "reason": "x"}, "memory_list_facts"),
        ("memory_get_fact_history", {"fact_id": ID}, "memory_list_facts"),
        ("memory_resolve_hypothesis", RESOLVE, "memory_list_hypotheses"),
        ("memory_promote_to_global", {**PROMOTE, "source_session": ID}, "memory_list_sessions"),
        ("memory_approve_global", REVIEW, "memory_list_global"),
        ("contribute_to_brain", {**ASK, "refines": ID}, "query_brain"),
        ("contribute_to_brain", {**ASK, "related": [ID[:8]]}, "query_brain"),
        ("brain_get_thought", {"id": ID}, "query_brain"),
        ("brain_get_lineage", {"id": ID}, "query_brain"),
        ("brain_update_thought", {"id": ID}, "query_brain"),
        ("brain_share_thought", {"id": ID[:8]}, "query_brain"),
        ("work_get_task", {"slug": ID}, "work_list_tasks"),
        ("work_get_ledger", {"slug": ID}, "work_list_tasks"),
        ("work_transition", {**MOVE, "slug": ID}, "work_list_tasks"),
        ("work_update_dna", {"slug": ID, "fields": {}}, "work_list_tasks"),
        ("work_edit_task", {"slug": ID}, "work_list_tasks"),
    ],
)
async def test_an_id_that_does_not_exist_is_named_with_the_tool_that_lists(
    shared_server: Server, tool: str, arguments: dict[str, Any], remedy: str
):
    async with over_http(shared_server) as client:
        text, error = await bad(client, tool, **arguments)
        assert error["code"] == "not_found"
        assert "'ffffffff" in text
        assert remedy in error["hint"]


async def test_every_wrong_field_is_named_at_once(shared_server: Server):
    async with over_http(shared_server) as client:
        text, error = await bad(client, "memory_end_session", importance=99, topics=5, surprise=1)
        assert {each["field"] for each in error["fields"]} == {
            "one_liner",
            "topics",
            "outcome",
            "importance",
            "surprise",
        }
        assert text.startswith("The input of memory_end_session is not valid.\n- ")


@pytest.mark.parametrize("mode", turn(MODES, 0))
async def test_an_unknown_tool_is_answered_with_the_one_that_was_meant(shared_server: Server, mode: str):
    async with over_http(shared_server, mode) as client:
        text, error = await bad(client, "memory_serch_chunk", query="x")
        assert error["code"] == "not_found"
        assert "Did you mean memory_search_chunks" in text
        text, _ = await bad(client, "zzz")
        assert "memory_start_session" in text
        # What people manage is no tool.
        text, error = await bad(client, "token_create", client="x")
        assert error["code"] == "not_found"


async def test_a_refused_write_leaves_nothing_behind(server: Server):
    async with over_http(server) as client:
        for tool, right, wrong, _, _ in BAD:
            given = {name: value for name, value in (right | wrong).items() if value is not None}
            await bad(client, tool, **given)
        stats = await client.call_tool("memory_get_stats", {})
        counts = dict(stats.structured_content)
        assert counts.pop("newest_backup_at") is None
        assert {
            count for name, count in counts.items() if not name.startswith("bytes_") and isinstance(count, int)
        } == {0}


def test_each_tool_is_given_bad_input():
    of_a_team = {each.name for each in catalogue() if each.in_team}  # test_tools_of_directory.py gives those theirs
    assert {case[0] for case in BAD} | of_a_team == {name.partition(".")[0] for name in BEHAVIOURS}
