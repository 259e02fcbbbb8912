"""What an administrative act was, in words: as far as its row tells it, which holds no content."""

from collections.abc import Mapping
from dataclasses import dataclass

from bigmind.core.events import Action, Kind
from bigmind.core.ids import short
from bigmind.core.toolsets import TOOLS
from bigmind.people.token_format import TokenKind


@dataclass(frozen=True, slots=True)
class AuditSubject:
    """To whom or what it was done.

    Attributes:
        username: of the user, or whose token it is; empty where there is none, or none any more.
        client: whom the token is for.
        token: its kind.
        title: of the entry of company knowledge.
        is_own: whether who did it is that user.
    """

    username: str = ""
    client: str = ""
    token: str = ""
    title: str = ""
    is_own: bool = False


def act_in_words(kind: str, action: str, operation: str, entity: str, subject: AuditSubject) -> str:
    """What was done, without who did it: `made the token codex for bob`."""
    match kind:
        case Kind.USER:
            return _of_user(action, operation, subject)
        case Kind.TOKEN:
            return _of_token(action, operation, subject)
        case Kind.SETTINGS:
            return _of_settings(operation, entity)
        case Kind.KNOWLEDGE:
            return _of_knowledge(action, entity, subject)
        case _:
            return _of_store(action, operation, entity)


_USER_ACTS: Mapping[str, str] = {
    "user_rename": "changed the name shown of {whom}",
    "user_disable": "disabled {whom}",
    "user_enable": "enabled {whom} again",
    "user_sign_out": "signed {whom} out",
    "passphrase_set": "set the passphrase of {whom}",
    "passphrase_remove": "removed the passphrase of {whom}",
    "bigmind passphrase set": "set the passphrase of {whom} at the server's terminal",
    "bigmind passphrase remove": "removed the passphrase of {whom} at the server's terminal",
    "provision": "became a user: BigMind was started with that name",
}


_ROLES: Mapping[str, str] = {
    Action.MADE_MEMBER: "a member",
    Action.MADE_CURATOR: "a curator",
    Action.MADE_ADMIN: "an admin",
}


def _of_user(action: str, operation: str, subject: AuditSubject) -> str:
    whom = subject.username or "a user who is gone"
    if action == Action.CREATED and operation != "provision":
        return f"added the user {whom}"
    if (role := _ROLES.get(action)) is not None:
        return f"made {whom} {role}"
    return _USER_ACTS.get(operation, "changed the user {whom}").format(whom=whom)


_TOKEN_OF: Mapping[str, str] = {
    TokenKind.CLI: "the command line's token",
    TokenKind.BRIDGE: "the token of assistants without their own",
    TokenKind.CLIENT: "the token {client}",
}


def _of_token(action: str, operation: str, subject: AuditSubject) -> str:
    if not subject.username:
        return "revoked a token that is gone" if action == Action.REVOKED else "made a token that is gone"
    whose = "" if subject.is_own else f" {'of' if action == Action.REVOKED else 'for'} {subject.username}"
    if subject.token == TokenKind.UI:
        return f"signed a browser {'out' if action == Action.REVOKED else 'in'}{whose}"
    token = _TOKEN_OF.get(subject.token, "the token {client}").format(client=subject.client)
    verbs = {Action.CREATED.value: "made", Action.REVOKED.value: "revoked"}
    told = f"{verbs.get(action, 'changed')} {token}{whose}"
    return f"{told} (at the start of the server)" if operation == "provision" else told


_SETTINGS: Mapping[str, str] = {
    "tools_serve": "changed which tools assistants are offered",
    "backup_encrypt": "began to encrypt backups, with a new recovery key",
    "backup_stop_encrypting": "ended the encryption of backups",
}
_PROCESS: Mapping[str, str] = {
    "work_take_process": "took a version of the process {name}",
    "work_remove_process": "removed a version of the process {name}",
    "work_let_agents_create": "changed whether assistants may create items of the process {name}",
    "work_migrate_items": "led items of the process {name} to another version",
}


def _of_settings(operation: str, entity: str) -> str:
    if operation in _SETTINGS or entity == TOOLS:
        return _SETTINGS.get(operation, _SETTINGS["tools_serve"])
    if entity.startswith("roles of "):
        return f"changed which work roles {entity.removeprefix('roles of ')} may take"
    if entity.startswith("process "):
        return _PROCESS.get(operation, "changed the process {name}").format(name=entity.removeprefix("process "))
    name, _, value = entity.partition("=")
    if operation == "provision":
        return f"started BigMind in {value} mode"
    return f"set {name} to {value}" if value else f"changed the setting {name}"


_STORE: Mapping[str, str] = {
    "export": "exported what belongs to others too",
    "import": "imported what belongs to others too",
    "backup": "started a backup",
    "empty": "began with an empty memory, where the memory was missing",
}


def _of_store(action: str, operation: str, entity: str) -> str:
    if action == Action.RESTORED:
        return "restored a backup"
    if action == Action.REINDEXED:
        return "had the search index made anew"
    if operation == "memory_use_model":
        return "changed the model of search by meaning"
    return _STORE.get(entity, f"changed the store ({operation.replace('_', ' ')})")


_JUDGED: Mapping[str, str] = {
    Action.APPROVED: "approved",
    Action.DEPRECATED: "deprecated",
    Action.ACCEPTED: "accepted, though it was flagged,",
    Action.FORGOTTEN: "removed for good",
}


def _of_knowledge(action: str, entity: str, subject: AuditSubject) -> str:
    entry = f"“{subject.title}”" if subject.title else f"an entry that is gone ({short(entity)})"
    return f"{_JUDGED.get(action, 'changed')} company knowledge: {entry}"
