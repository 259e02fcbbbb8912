"""What the pages offer to do: the operations that their forms name, and no other.

A browser's cookie is worth these. What is for a terminal alone (stopping the server, making a sign-in link, writing an
export to any path) is no form's to ask for.
"""

OFFERED = frozenset(
    {
        "backup_create",
        "backup_encrypt",
        "backup_list",
        "backup_restore",
        "backup_start_empty",
        "backup_stop_encrypting",
        "clients_doctor",
        "clients_install",
        "clients_remove",
        "clients_repair",
        "clients_toolsets",
        "learn_accept",
        "learn_dismiss",
        "learn_undo",
        "memory_accept",
        "memory_add_hypothesis",
        "memory_approve_global",
        "memory_close_forgotten",
        "memory_deprecate_fact",
        "memory_edit_fact",
        "memory_edit_global",
        "memory_edit_hypothesis",
        "memory_edit_profile",
        "memory_end_session",
        "memory_forget",
        "memory_health_check",
        "memory_place",
        "memory_promote_to_global",
        "memory_reindex",
        "memory_reinstate_fact",
        "memory_reopen_hypothesis",
        "memory_resolve_hypothesis",
        "memory_store_fact",
        "memory_use_model",
        "memory_vacuum",
        "passphrase_remove",
        "passphrase_see_tries",
        "passphrase_set",
        "project_join_alias",
        "project_undo_alias",
        "secrets_scan",
        "server_pause",
        "server_start_at_login",
        "settings_change",
        "token_create",
        "token_revoke",
        "tools_serve",
        "user_rename",
    }
)
"""Names of operations. Exports and imports have actions of their own (ui/pages/portable.py)."""
