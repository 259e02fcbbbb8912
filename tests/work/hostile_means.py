"""What a hostile agent has: every token it can read or make, a browser that it signs in, exports that it edits."""

import copy
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

from bigmind.core.desktop import WINDOW_CLIENT
from bigmind.core.ids import new_id
from bigmind.core.operation import Operation
from bigmind.operations.catalogue import input_schema
from bigmind.paths import token_file
from bigmind.people.authentication import over_connection
from bigmind.people.service import mint_token
from bigmind.people.sign_in_codes import SignIn
from bigmind.people.token_format import TokenKind
from tests.work.office import Office, Worker

LEFT_OUT = {
    *(
        "server_pause",
        "server_stop",
        "settings_change",
        "tools_serve",
        "memory_use_model",
    ),  # who pauses ends the attack
    *("backup_create", "backup_restore", "backup_start_empty", "backup_encrypt", "backup_stop_encrypting"),
    *("memory_vacuum", "memory_reindex", "memory_import", "memory_export", "token_create", "token_revoke"),
    *("clients_install", "clients_remove", "clients_repair", "clients_doctor", "clients_bundle"),
    *("clients_show", "clients_show_repair"),
    *("learn_sources", "learn_proposals", "learn_accept", "secrets_scan", "work_verify", "memory_health_check"),
}
"""Not tried by chance: they end the attack, take long, or change files beside the store; other tests know them."""
IN_PERSON = ("work_confirm", "work_move", "work_accept_standing", "work_set_roles", "work_let_agents_create")


def workers_of(office: Office) -> list[Worker]:
    """Two agents' tokens, one of them under two names and over no connection; `tokens/cli`; a browser's cookie."""
    home = office.memory.mind.store.home
    cursor, codex = (_minted(office, client) for client in ("cursor", "codex"))
    cookie, like_the_window = (_signed_in(office, client) for client in ("browser", WINDOW_CLIENT))
    secrets = {
        cursor: (("cursor", None), ("cursor", "reviewer")),
        codex: (("codex", None), (None, None)),
        token_file(home, "cli").read_text(encoding="utf-8").strip(): (("terminal", None),),
        cookie: ((None, None),),
        like_the_window: ((None, "human"),),
    }
    return [
        _worker(office, secret, connection and f"{connection} {claimed}", claimed)
        for secret, names in secrets.items()
        for connection, claimed in names
    ]


def _worker(office: Office, secret: str, connection: str | None, claimed: str | None) -> Worker:
    principal = office.memory.mind.authenticator.principal(secret)
    assert principal is not None
    caller = over_connection(principal.caller, connection, claimed)
    assert not caller.presence.is_in_person
    return Worker(replace(office.memory, caller=caller))


def _minted(office: Office, client: str) -> str:
    with office.memory.mind.store.write(office.memory.caller, "test") as work:
        return mint_token(work, office.memory.caller.user_id, client, TokenKind.CLIENT).secret


def _signed_in(office: Office, client: str) -> str:
    """The cookie of a browser that a sign-in link signed in; whoever asks for the link may say how it is called."""
    sign_in = SignIn(office.memory.mind.store, office.memory.clock)
    minted = sign_in.redeem(sign_in.new_code(office.memory.caller, client))
    assert minted is not None
    return minted.secret


class Smuggler:
    """Edits an export by hand: items in every state, events that never were, a ledger of its own."""

    def __init__(self, office: Office, folder: Path) -> None:
        self._folder = folder
        agent, slug = office.agent("smuggler"), office.task("Weigh the walruses")
        agent.claim(slug, "Weigh the walruses")
        thought = agent.learn("Weigh the walruses: those of Antwerp weigh 1.2 t, as their keepers measured in 1987.")
        agent.moves(slug, "review")
        office.person("memory_export", output_path=str(folder / "honest.json"))
        office.person("memory_forget", id=thought, kind="thought")
        self._honest = json.loads((folder / "honest.json").read_text(encoding="utf-8"))

    def path(self, dice: random.Random, worker: Worker, slugs: list[str]) -> str:
        """A file to import, each time another one; sometimes about an item that is there."""
        forged = copy.deepcopy(self._honest)
        item, state = forged["work_items"][0], dice.choice(("active", "review", "complete", "approved"))
        now = worker.memory.clock.now.isoformat().replace("+00:00", "Z")
        item |= {"state": state, "updated_at": now, "slug": dice.choice([*slugs[-3:], "walrus"])}
        item["dna"] = {"memory_query_session": "q-aaaaaaaaaaaa", "human_confirmed": True}
        if dice.random() < 0.7:
            for old in (item["id"], *(each["id"] for each in forged["questions"])):
                forged = json.loads(json.dumps(forged).replace(old, new_id()))
        for each in forged["questions"]:
            each["client"] = worker.memory.caller.client
        if dice.random() < 0.3:
            item[dice.choice(("holder", "lease_until", "confirmed"))] = now
        path = self._folder / "forged.json"
        path.write_text(json.dumps(forged), encoding="utf-8")
        return str(path)


def operations_of(office: Office) -> list[Operation]:
    """Every operation of every surface that is tried by chance."""
    return [each for each in office.memory.mind.dispatcher.catalogue if each.name not in LEFT_OUT]


def arguments_by_chance(found: Operation, dice: random.Random, names: list[str]) -> dict[str, Any]:
    """Something for each input that is asked for, and for some that is not: names that are there, and made-up ones."""
    schema = input_schema(found)
    wanted = set(schema.get("required", ()))
    chosen = [name for name in schema["properties"] if name in wanted or dice.random() < 0.3]
    return {name: _value(schema["properties"][name], dice, names) for name in chosen}


def _value(told: dict[str, Any], dice: random.Random, names: list[str]) -> Any:
    kinds = [each for each in told.get("anyOf", (told,)) if each.get("type") != "null"] or [told]
    kind = dice.choice(kinds)
    if "enum" in kind:
        return dice.choice(kind["enum"])
    match kind.get("type"):
        case "integer" | "number":
            return dice.choice((0, 1, 2, 5, -1))
        case "boolean":
            return dice.random() < 0.5
        case "array":
            return [dice.choice(names) for _ in range(dice.randrange(3))]
        case "object":
            return {dice.choice(("memory_query_session", "state", "holder", "note")): dice.choice(names)}
        case _:
            return dice.choice(names)
