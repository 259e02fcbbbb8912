"""A client's hooks act by that client's own token, and by no other once it was revoked."""

import pytest

from bigmind.clients.targets import TARGETS
from bigmind.hooks.client_events import HOOKS
from tests.clients.machine import Machine, machine_in
from tests.hooks.documented import DOCUMENTED
from tests.hooks.running import Hooks, new_key
from tests.thorough import spread

TITLES = {each.name: each.title for each in TARGETS}
TRIED = spread(HOOKS, 1)
USED = dict.fromkeys((*TRIED, "claude-code", "codex"))
"""Each is held against one of the last two."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory):
    with machine_in(tmp_path_factory.mktemp("hooks")) as started:
        for client in USED:
            started.install(client)
        yield started


def kept_of(machine: Machine, client: str) -> int:
    """How many sessions are kept of a client."""
    rows = machine.server.call("memory_list_sessions", limit=100)["sessions"]
    return sum(each["client"] == client for each in rows)


def talks(machine: Machine, client: str) -> None:
    """A conversation of three turns, of which its model says nothing to the memory."""
    hooks, said = Hooks(machine.server.home), DOCUMENTED[client](new_key())
    events = [each for each in ("session-start", "prompt", "stop") if each in said]
    for event in [*events, *events[-2:], *events[-2:], *(["session-end"] if "session-end" in said else [])]:
        hooks(client, event, said[event])


@pytest.mark.parametrize("client", TRIED)
def test_what_hooks_keep_is_their_clients_until_its_own_token_is_revoked(machine: Machine, client: str) -> None:
    other = next(each for each in ("claude-code", "codex") if each != client)
    talks(machine, client)
    before = kept_of(machine, client)
    assert before > 0

    [token] = machine.tokens(client)
    machine.server.call("token_revoke", token_id=token["token_id"])
    sessions = machine.server.call("memory_list_sessions", limit=100)["sessions"]
    talks(machine, client)
    assert machine.server.call("memory_list_sessions", limit=100)["sessions"] == sessions

    of_other = kept_of(machine, other)
    talks(machine, other)
    assert kept_of(machine, other) > of_other
    machine.install(client)
    talks(machine, client)
    assert kept_of(machine, client) > before
