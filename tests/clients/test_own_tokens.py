"""Each connected client has a token of its own, over HTTP and over the bridge, which can be ended alone."""

import os
import stat
from collections.abc import Callable, Iterator
from itertools import count, pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.clients.targets import TARGETS
from bigmind.clients.trial import Http
from bigmind.paths import BRIDGE, client_token, token_file, token_sent_for
from bigmind.people.token_format import new_secret
from tests.clients.connections import entries, own_file, stores
from tests.clients.machine import Machine, machine_in
from tests.local.wire import bridge
from tests.thorough import spread

numbers = count(1)

BY_NAME = {each.name: each for each in TARGETS}
CONNECTED = spread((each for each in TARGETS if each.name != "agents-md"), 3)
"""Of those that call; the others only read a file: nobody knows who they are."""


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with machine_in(tmp_path) as started:
        yield started


@pytest.fixture(scope="module")
def with_junie(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """One on which Junie is connected, again and again."""
    with machine_in(tmp_path_factory.mktemp("junie")) as started:
        started.install("junie")
        yield started


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "apollo"
    folder.mkdir()
    return folder


def test_a_token_that_could_be_committed_is_warned_of(machine: Machine) -> None:
    files = [machine.file(name, "{}") for name in (".cursor/mcp.json", ".config/kilo/kilo.jsonc")]
    (machine.home / ".config" / ".git").mkdir()  # dotfiles, as many keep them

    assert not any("Git" in each for each in machine.show("cursor")["warnings"])
    [warning] = machine.show("kilo")["warnings"]
    assert warning.startswith(f"{files[1]} holds the token of Kilo then, and {files[1].parents[1]} is a Git repository")


def connect_all(machine: Machine, workspace: Path) -> None:
    """Each client wherever it can be connected."""
    for each in (*CONNECTED, BY_NAME["agents-md"]):
        if each.for_user:
            machine.install(each.name)
        if each.for_workspace:
            machine.install(each.name, workspace=str(workspace))


def revoke(machine: Machine, client: str) -> None:
    [token] = machine.tokens(client)
    machine.server.call("token_revoke", token_id=token["token_id"])


def files(machine: Machine) -> set[str]:
    """The names of the files in which tokens are."""
    return {each.name for each in (machine.server.home / "tokens").iterdir()}


def said_by(machine: Machine, client: str, workspace: Path | None = None) -> set[str]:
    """As whom each of a client's connections is answered, or why not."""
    found = entries(machine, BY_NAME[client], workspace)
    return {stores(machine, each, f"{client} says word{next(numbers)}x") for each in found}


def test_each_client_is_answered_under_its_own_name_until_its_own_token_ends(machine: Machine, workspace: Path) -> None:
    connect_all(machine, workspace)

    for each in CONNECTED:
        tokens = machine.tokens(each.name)
        assert [token["kind"] for token in tokens] == ["client"], each.name
        assert stat.S_IMODE(own_file(machine, each.name).stat().st_mode) == 0o600
        in_workspace = workspace if each.for_workspace else None
        assert said_by(machine, each.name) | said_by(machine, each.name, in_workspace) == {each.name}
        for entry in entries(machine, each, in_workspace):
            assert isinstance(entry, Http) or own_file(machine, each.name).read_text() not in " ".join(entry.command)
    assert files(machine) == {"cli", "bridge", *(client_token(each.name) for each in CONNECTED)}
    secrets = {own_file(machine, each.name).read_text() for each in CONNECTED}
    assert len(secrets) == len(CONNECTED)

    for one, following in pairwise(CONNECTED):
        revoke(machine, one.name)
        faults = said_by(machine, one.name, workspace if one.for_workspace else None)
        assert all("token" in fault for fault in faults), faults
        assert said_by(machine, following.name, workspace if following.for_workspace else None) <= {following.name}


def test_a_client_that_leaves_takes_its_token_and_no_other(machine: Machine, workspace: Path) -> None:
    connect_all(machine, workspace)
    here = {each.name for each in CONNECTED}

    for each in CONNECTED:
        if each.for_workspace:
            machine.remove(each.name, workspace=str(workspace))
        if each.for_user and each.for_workspace:  # it stayed for the user
            assert len(machine.tokens(each.name)) == int(each.for_user)
        if each.for_user:
            plan = machine.show(each.name, remove=True)
            assert plan["ends_token"]
            machine.remove(each.name)
        here.discard(each.name)
        assert machine.tokens(each.name) == []
        assert files(machine) == {"cli", "bridge", *map(client_token, here)}
        assert {token["client"] for token in machine.server.call("token_list")["tokens"]} == {"cli", "bridge", *here}


def test_the_user_and_workspaces_share_it_until_the_last_of_them_leaves(machine: Machine, tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        machine.install("claude-code", workspace=str(folder))
    machine.install("claude-code")
    [token] = machine.tokens("claude-code")

    assert not machine.show("claude-code", remove=True)["ends_token"]
    machine.remove("claude-code")
    machine.remove("claude-code", workspace=str(folders[0]))
    assert machine.tokens("claude-code") == [token]
    assert said_by(machine, "claude-code", folders[1]) == {"claude-code"}

    machine.remove("claude-code", workspace=str(folders[1]))
    assert machine.tokens("claude-code") == []
    assert not own_file(machine, "claude-code").exists()


def test_a_bridge_says_which_of_its_clients_agents_it_is(machine: Machine) -> None:
    machine.install("junie")
    with bridge(machine.server.home, "--agent", "reviewer", "--client", "junie") as client:
        client.initialize()
        client.ask_tool("memory_store_fact", category="decision", fact="Doors are oiled in spring.")
    [fact] = machine.server.call("memory_list_facts")["facts"]
    assert fact["client"] == "junie/reviewer"


def test_a_bridge_at_work_says_that_its_token_was_revoked_and_goes_on_once_it_has_another(machine: Machine) -> None:
    machine.install("junie")
    with bridge(machine.server.home, "--client", "junie") as client:
        client.initialize()
        client.ask_tool("memory_get_stats")
        revoke(machine, "junie")

        refused = client.ask("tools/call", name="memory_get_stats", arguments={})
        assert "BigMind does not accept the token of junie: it was revoked" in refused["error"]["message"]
        assert "bigmind clients install junie" in refused["error"]["message"]

        assert machine.state("junie")["state"] == "drifted"
        plan = machine.show("junie")
        assert (plan["changes"], plan["makes_token"]) == ([], True)
        machine.install("junie")
        client.ask_tool("memory_get_stats")
    assert machine.state("junie")["state"] == "connected"


def test_a_bridge_whose_client_was_removed_does_not_go_on_as_another(machine: Machine) -> None:
    machine.install("junie")
    with bridge(machine.server.home, "--client", "junie") as client:
        client.initialize()
        machine.remove("junie")
        refused = client.ask("tools/call", name="memory_get_stats", arguments={})
        assert "BigMind does not accept the token of junie" in refused["error"]["message"]


def empty(file: Path) -> None:
    file.write_text("")


def another_thing(file: Path) -> None:
    file.write_text("#!/bin/sh\nexit 0\n")


def unknown(file: Path) -> None:
    file.write_text(new_secret())


def folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def dead_link(file: Path) -> None:
    file.unlink()
    file.symlink_to("nowhere")


def link_to_the_persons(file: Path) -> None:
    file.unlink()
    file.symlink_to(token_file(file.parents[1], "cli"))


def large(file: Path) -> None:
    file.write_bytes(b"b" * 1_000_000)


SPOILS = [
    empty,
    another_thing,
    unknown,
    folder,
    dead_link,
    link_to_the_persons,
    large,
    *([pipe] if hasattr(os, "mkfifo") else []),
]


@pytest.mark.parametrize("spoil", spread(SPOILS, 4))
def test_a_spoilt_file_is_told_and_no_other_token_is_sent(with_junie: Machine, spoil: Callable[[Path], None]) -> None:
    machine = with_junie
    spoil(own_file(machine, "junie"))

    [said] = said_by(machine, "junie")
    assert "BigMind does not accept the token of junie" in said
    assert machine.state("junie")["state"] == "drifted"
    if spoil is folder:
        own_file(machine, "junie").rmdir()
    machine.install("junie")
    assert said_by(machine, "junie") == {"junie"}
    assert len(machine.tokens("junie")) == 1


@pytest.mark.parametrize("client", spread(["junie", "claude-desktop", "claude-code"], 2))
def test_what_an_earlier_version_installed_works_is_told_apart_and_gets_its_token_when_it_is_repaired(
    machine: Machine, client: str
) -> None:
    machine.install(client)
    home_before = machine.tree()
    own_file(machine, client).unlink()
    if client != "claude-code":  # over HTTP it had a token before
        revoke(machine, client)

    with bridge(machine.server.home, "--client", client) as old:
        old.initialize()
        old.ask_tool("memory_get_stats")
        assert machine.state(client)["state"] == "drifted"
        lacks = "Its hooks do not use" if client == "claude-code" else "It has no valid token of its own."
        assert lacks in machine.state(client)["detail"]
        [check] = machine.server.call("clients_doctor")["checks"]
        assert not check["ok"]

        machine.install(client)
        assert machine.tree() == home_before
        assert machine.state(client)["state"] == "connected"
        assert len(machine.tokens(client)) == 1
        assert said_by(machine, client) == {client}
        old.ask_tool("memory_get_stats")


def test_one_repair_gives_all_that_an_earlier_version_installed_their_tokens(machine: Machine, workspace: Path) -> None:
    others = {"agents-md", "cline", "goose", "jetbrains-ai"}
    stdio = spread((each for each in TARGETS if each.for_workspace and each.name not in others), 4)
    for each in stdio:
        machine.install(each.name, workspace=str(workspace))
        revoke(machine, each.name)
        own_file(machine, each.name).unlink()
    for each in stdio[:3]:
        assert said_by(machine, each.name, workspace) == {f"bridge/{each.name}"}

    done = machine.repair()

    assert {each["client"] for each in done["repaired"]} == {each.name for each in stdio}
    assert done["failed"] == []
    for each in stdio:
        assert len(machine.tokens(each.name)) == 1
    for each in stdio[:3]:
        assert said_by(machine, each.name, workspace) == {each.name}
    assert machine.repair()["repaired"] == []


def test_an_install_that_fails_leaves_no_token_and_one_that_stays_keeps_its_own(machine: Machine) -> None:
    machine.file(".claude/settings.json", "{}\n").chmod(0o444)
    plan = machine.show("claude-code")["plan"]
    assert machine.post("clients_install", client="claude-code", plan=plan).status_code == 409
    assert files(machine) == {"cli", "bridge"}

    settings = machine.home / ".claude" / "settings.json"
    settings.chmod(0o644)
    machine.install("claude-code")
    before = own_file(machine, "claude-code").read_text()
    settings.chmod(0o444)
    plan = machine.show("claude-code", remove=True)["plan"]
    assert machine.post("clients_remove", client="claude-code", plan=plan).status_code == 409
    assert own_file(machine, "claude-code").read_text() == before
    assert said_by(machine, "claude-code") == {"claude-code"}


@given(st.one_of(st.text(max_size=60), st.sampled_from(["cli", BRIDGE, "../cli", "client-a", "nul", "-", "A", "a/b"])))
def test_no_name_leads_to_another_file_than_its_own(name: str) -> None:
    assert token_sent_for(Path("nowhere"), name) == BRIDGE
    if own := client_token(name):
        assert own == f"client-{name}"
        assert token_file(Path("home"), own).parent == Path("home", "tokens")
        assert own not in {"cli", BRIDGE}


@pytest.mark.parametrize("name", ["cli", "bridge", "../cli", "", "Junie", "junie "])
def test_a_name_that_no_connected_client_has_gets_nobodys_token(with_junie: Machine, name: str) -> None:
    assert token_sent_for(with_junie.server.home, name) == BRIDGE


def test_every_client_can_have_a_token_by_its_name() -> None:
    assert all(client_token(each.name) == f"client-{each.name}" for each in TARGETS)


def test_a_limited_token_of_its_own_is_kept_and_said(machine: Machine) -> None:
    machine.install("junie")
    secret = machine.server.call("token_create", client="junie", read_only=True)["token"]
    own_file(machine, "junie").write_text(secret)
    machine.repair()
    row = machine.state("junie")
    assert row["state"] == "connected"
    assert row["detail"].startswith("Its token has a scope: only reading. Its hooks tell what is known")
    checks = machine.server.call("clients_doctor", client="junie")["checks"]
    assert "Its token has a scope: only reading." in str(checks)
    assert own_file(machine, "junie").read_text() == secret
