"""What only people may do: no agent's token, on no surface."""

import pytest

from bigmind.core.operation import Mode, Surface
from bigmind.people.token_format import TokenKind
from bigmind.wiring import catalogue
from tests.http.good import GOOD, make_all, own_things
from tests.http.inside import Inside

PEOPLE_ONLY = {
    "memory_accept",
    "passphrase_set",
    "passphrase_remove",
    "passphrase_see_tries",
    "passphrase_see_changes",
    "memory_forget",
    "memory_list_flagged",
    "memory_place",
    "memory_reindex",
    "memory_list_models",
    "memory_use_model",
    "memory_edit_fact",
    "memory_reinstate_fact",
    "memory_keep_both_facts",
    "project_list_aliases",
    "project_join_alias",
    "project_undo_alias",
    "memory_edit_profile",
    "memory_edit_global",
    "memory_edit_hypothesis",
    "memory_reopen_hypothesis",
    "secrets_scan",
    "backup_create",
    "backup_list",
    "backup_restore",
    "backup_start_empty",
    "backup_encrypt",
    "backup_stop_encrypting",
    "token_create",
    "token_list",
    "token_revoke",
    "server_status",
    "server_sign_in_link",
    "server_show",
    "server_pause",
    "server_start_at_login",
    "server_stop",
    "settings_change",
    "settings_show",
    "tools_list",
    "tools_serve",
    "user_add",
    "user_disable",
    "user_enable",
    "user_list",
    "audit_list",
    "user_rename",
    "user_role",
    "user_sign_out",
    "user_token",
    "clients_list",
    "clients_show",
    "clients_install",
    "clients_remove",
    "clients_doctor",
    "clients_show_repair",
    "clients_repair",
    "clients_bundle",
    "clients_toolsets",
    "memory_close_forgotten",
    "learn_sources",
    "learn_proposals",
    "learn_accept",
    "learn_dismiss",
    "learn_decided",
    "learn_undo",
    "brain_list_queue",
    "brain_keep_thought",
    "brain_mark_noise",
    "brain_unmark_noise",
    "mindspace_delete_node",
    "mindspace_export",
    "mindspace_import",
    "protocol_approve_commands",
    "protocol_check_run",
    "protocol_close_workspace",
    "protocol_leave_text",
    "protocol_list_runs",
    "protocol_open_workspace",
    "protocol_take_text",
    "protocol_withdraw_commands",
    "usage_show",
    "work_accept_standing",
    "work_confirm",
    "work_let_agents_create",
    "work_migrate_items",
    "work_move",
    "work_remove_process",
    "work_set_roles",
    "work_take_process",
    "work_verify",
    "work_withdraw",
    "work_write_field",
}
NO_TOOLS = {"brain_list_highways", "brain_list_uncategorized", "protocol_read_text"}
"""What agents ask for over plain HTTP (`/api/v1/memory`), and over MCP as resources or not at all."""
IN_TEAM = {"directory_list", "directory_find", "directory_choose"}
"""Tools of a team's assistants alone."""
IN_PERSON = {
    "memory_accept",
    "passphrase_set",
    "passphrase_remove",
    "passphrase_see_tries",
    "passphrase_see_changes",
    "mindspace_delete_node",
    "work_accept_standing",
    "work_confirm",
    "work_let_agents_create",
    "work_migrate_items",
    "work_move",
    "work_remove_process",
    "work_set_roles",
    "work_take_process",
    "work_withdraw",
    "protocol_approve_commands",
    "protocol_close_workspace",
    "protocol_leave_text",
    "protocol_open_workspace",
    "protocol_take_text",
    "protocol_withdraw_commands",
}
AGENTS = [kind for kind in TokenKind if not kind.is_person]


def test_the_list_of_what_only_people_may_do_is_this() -> None:
    assert {operation.name for operation in catalogue() if operation.people_only} == PEOPLE_ONLY
    assert {operation.name for operation in catalogue() if operation.in_person} == IN_PERSON
    assert set(AGENTS) == {TokenKind.BRIDGE, TokenKind.CLIENT}


def test_it_is_the_part_that_models_are_not_offered_beside_what_hooks_ask() -> None:
    offered = {operation.name for operation in catalogue().on(Surface.MCP)}
    hooks = {operation.name for operation in catalogue() if operation.toolset == "hooks"}
    assert offered == {operation.name for operation in catalogue()} - PEOPLE_ONLY - NO_TOOLS - IN_TEAM - hooks
    assert {each.name for each in catalogue().tools(Mode.PERSONAL)} == offered
    assert {each.name for each in catalogue().tools(Mode.TEAM)} == offered | IN_TEAM
    moments = ("session_start", "given", "prompt", "pre_compact", "stop", "session_end", "edit")
    assert hooks == {f"hook_{moment}" for moment in moments}


@pytest.mark.parametrize("kind", AGENTS)
def test_an_agents_token_is_refused_and_changes_nothing(inside: Inside, kind: TokenKind) -> None:
    ids = own_things(inside, "ada")
    make_all(ids)
    agent = inside.token(kind=kind)
    before = inside.everything()
    with inside.http(agent) as http:
        for name in PEOPLE_ONLY:
            for arguments in (GOOD[name](ids), {"no": "such field"}):
                answered = http.post(f"/api/v1/{name}", json=arguments)
                assert (answered.status_code, answered.json()["code"]) == (403, "forbidden"), name
    assert inside.everything() == before


@pytest.mark.parametrize("kind", [*AGENTS, TokenKind.CLI])
def test_they_are_no_tools_whoever_asks(inside: Inside, kind: TokenKind) -> None:
    ids = own_things(inside, "ada")
    make_all(ids)
    secret = inside.token(kind=kind)
    before = inside.everything()
    with inside.http(secret) as http:
        answered = http.post("/mcp?toolsets=all", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    listed = {tool["name"] for tool in answered.json()["result"]["tools"]}
    assert listed == {operation.name for operation in catalogue().on(Surface.MCP)}
    assert listed & PEOPLE_ONLY == set()
    for name in PEOPLE_ONLY:
        result = inside.rpc(secret, "tools/call", name=name, arguments=GOOD[name](ids))["result"]
        assert result["isError"]
        assert result["structuredContent"]["error"]["code"] == "not_found", name
    assert inside.everything() == before


def test_a_person_may(inside: Inside) -> None:
    """The control."""
    ids = own_things(inside, "ada")
    with inside.http(inside.token(kind=TokenKind.CLI)) as http:
        # What is forgotten goes after what needs it.
        for name in sorted(PEOPLE_ONLY - IN_PERSON, key=lambda each: (each == "memory_forget", each)):
            answered = http.post(f"/api/v1/{name}", json=GOOD[name](ids))
            assert answered.status_code == 200, (name, answered.text)
    assert inside.stops == ["stop"]


def test_an_agent_that_opens_the_profile_page_learns_no_code(inside: Inside) -> None:
    agent = inside.token(kind=TokenKind.CLIENT)
    result = inside.rpc(agent, "tools/call", name="memory_open_profile", arguments={})["result"]
    assert not result["isError"]
    assert "sign-in" not in str(result)
    assert "code" not in str(result["structuredContent"])
