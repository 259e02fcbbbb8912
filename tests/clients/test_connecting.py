"""Connecting a client and taking it back, over the API of a real server, with the files of a real home."""

import json
import socket
import stat
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from bigmind.clients.targets import TARGETS
from bigmind.core.toolsets import DEFAULT_TOOLS
from tests.clients.machine import Machine, machine_in, tree_of
from tests.clients.real import commands_in
from tests.support import environment

CLAUDE = '{\n  "numStartups": 7,\n  // mine\n  "mcpServers": {\n    "other": { "command": "x" }\n  }\n}\n'
SETTINGS = '{ "hooks": { "Stop": [ { "hooks": [ { "type": "command", "command": "say done" } ] } ] } }\r\n'


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    with machine_in(tmp_path) as started:
        yield started


def with_claude(machine: Machine) -> dict[str, bytes | None]:
    """Claude Code's files as a person has them; returns the whole home."""
    machine.file(".claude.json", CLAUDE)
    machine.file(".claude/settings.json", SETTINGS)
    return machine.tree()


def entry(machine: Machine) -> dict:
    return json.loads((machine.home / ".claude.json").read_text().replace("// mine", ""))["mcpServers"]["bigmind"]


def secret(machine: Machine) -> str:
    return entry(machine)["headers"]["Authorization"].removeprefix("Bearer ")


def test_a_client_is_connected_as_it_was_shown_and_taken_back_byte_for_byte(machine: Machine) -> None:
    before = with_claude(machine)
    plan = machine.show("claude-code")

    assert machine.tree() == before  # to show is not to write
    assert {each["action"] for each in plan["changes"]} == {"create", "change"}
    assert plan["makes_token"]
    done = machine.server.call("clients_install", client="claude-code", plan=plan["plan"])

    assert done["check"]["ok"], done["check"]["said"]
    assert done["check"]["tools"] > 5
    assert sorted(done["files"]) == sorted(each["path"] for each in plan["changes"])
    assert entry(machine)["url"] == f"{machine.server.address}/mcp"
    assert stat.S_IMODE((machine.home / ".claude.json").stat().st_mode) == 0o600
    assert machine.state("claude-code")["state"] == "connected"

    machine.remove("claude-code")
    assert machine.tree() == before
    assert machine.tokens("claude-code") == []
    assert machine.state("claude-code")["state"] == "available"


def test_what_is_shown_holds_no_token(machine: Machine) -> None:
    with_claude(machine)
    machine.install("claude-code")
    token = secret(machine)
    machine.file(".claude.json", (machine.home / ".claude.json").read_text().replace("/mcp", "/elsewhere"))

    for shown in (machine.show("claude-code"), machine.show("claude-code", remove=True)):
        assert shown["changes"]
        assert token not in json.dumps(shown)


def test_a_second_install_changes_nothing_and_makes_no_second_token(machine: Machine) -> None:
    with_claude(machine)
    machine.install("claude-code")
    after = machine.tree()

    again = machine.show("claude-code")
    assert again["changes"] == []
    assert not again["makes_token"]
    assert machine.install("claude-code")["files"] == []

    assert machine.tree() == after
    assert len(machine.tokens("claude-code")) == 1


def test_what_others_wrote_since_stays_when_the_connection_is_taken_back(machine: Machine) -> None:
    with_claude(machine)
    machine.install("claude-code")
    path = machine.home / ".claude.json"
    path.write_text(path.read_text().replace('"numStartups": 7', '"numStartups": 8'))

    machine.remove("claude-code")

    assert path.read_text() == CLAUDE.replace('"numStartups": 7', '"numStartups": 8')
    assert (machine.home / ".claude" / "settings.json").read_bytes() == SETTINGS.encode()


def test_a_yes_to_another_plan_changes_nothing(machine: Machine) -> None:
    with_claude(machine)
    plan = machine.show("claude-code")["plan"]
    machine.file(".claude.json", CLAUDE.replace("7", "9"))
    before = machine.tree()

    refused = machine.post("clients_install", client="claude-code", plan=plan)

    assert refused.status_code == 409
    assert "was changed since" in refused.text
    assert machine.tree() == before
    assert machine.tokens("claude-code") == []


def test_when_one_file_cannot_be_written_none_is(machine: Machine) -> None:
    with_claude(machine)
    (machine.home / ".claude" / "settings.json").chmod(0o444)
    before = machine.tree()

    refused = machine.post("clients_install", client="claude-code", plan=machine.show("claude-code")["plan"])

    assert refused.status_code == 409
    assert "settings.json is read-only" in refused.text
    assert machine.tree() == before
    assert machine.tokens("claude-code") == []
    assert machine.state("claude-code")["state"] == "available"


def test_a_file_that_does_not_parse_is_left_alone_and_named(machine: Machine) -> None:
    machine.file(".claude.json", '{\n  "mcpServers": {,}\n}\n')
    before = machine.tree()

    refused = machine.post("clients_show", client="claude-code")

    assert refused.status_code == 409
    assert ".claude.json does not parse: line 2, column 18" in refused.text
    assert machine.state("claude-code")["state"] == "broken"
    assert machine.tree() == before


def test_a_file_that_parses_and_has_another_form_is_not_said_not_to_parse(machine: Machine) -> None:
    machine.file(".claude.json", '{\n  "mcpServers": []\n}\n')
    refused = machine.post("clients_show", client="claude-code").json()["title"]
    said = (
        ".claude.json cannot be changed: line 2, column 17: a list stands at 'mcpServers' where an object is expected."
    )
    assert refused.endswith(said)


def test_a_link_out_of_the_clients_folder_is_refused(machine: Machine, tmp_path: Path) -> None:
    elsewhere = tmp_path / "dotfiles.json"
    elsewhere.write_bytes(SETTINGS.encode())
    (machine.home / ".claude").mkdir()
    (machine.home / ".claude" / "settings.json").symlink_to(elsewhere)

    refused = machine.post("clients_show", client="claude-code")

    assert refused.status_code == 403
    assert "is a link that leads out of" in refused.text
    assert elsewhere.read_bytes() == SETTINGS.encode()


def test_a_connection_that_drifted_is_seen_and_repaired(machine: Machine) -> None:
    before = with_claude(machine)
    machine.install("claude-code")
    path = machine.home / ".claude.json"
    path.write_text(path.read_text().replace(machine.server.address, "http://127.0.0.1:1"))

    assert machine.state("claude-code")["state"] == "drifted"
    [check] = machine.server.call("clients_doctor")["checks"]
    assert not check["ok"]
    machine.install("claude-code")

    assert machine.state("claude-code")["state"] == "connected"
    assert len(machine.tokens("claude-code")) == 1
    [check] = machine.server.call("clients_doctor")["checks"]
    assert check["ok"], check["said"]
    machine.remove("claude-code")
    assert machine.tree() == before


def test_a_token_that_a_person_revoked_is_replaced(machine: Machine) -> None:
    with_claude(machine)
    machine.install("claude-code")
    old = secret(machine)
    [token] = machine.tokens("claude-code")
    machine.server.call("token_revoke", token_id=token["token_id"])

    assert machine.state("claude-code")["state"] == "drifted"
    done = machine.install("claude-code")

    assert done["check"]["ok"]
    assert secret(machine) != old


def test_files_that_two_clients_share_stay_until_the_last_one_leaves(machine: Machine, tmp_path: Path) -> None:
    workspace = tmp_path / "deck"
    workspace.mkdir()
    (workspace / "AGENTS.md").write_text("# Deck\n\nMine.")
    before = tree_of(workspace)
    sharing = [
        each.name for each in TARGETS if each.for_workspace and _writes_agents_file(machine, each.name, workspace)
    ]
    assert len(sharing) > 1

    for name in sharing:
        machine.install(name, workspace=str(workspace))
    for name in sharing[:-1]:
        machine.remove(name, workspace=str(workspace))
        assert "BEGIN BIGMIND" in (workspace / "AGENTS.md").read_text()
    machine.remove(sharing[-1], workspace=str(workspace))

    assert tree_of(workspace) == before


def _writes_agents_file(machine: Machine, name: str, workspace: Path) -> bool:
    changes = machine.show(name, workspace=str(workspace))["changes"]
    return str(workspace / "AGENTS.md") in {each["path"] for each in changes}


def test_no_token_is_ever_written_into_a_workspace(machine: Machine, tmp_path: Path) -> None:
    for each in TARGETS:
        if each.for_workspace:
            workspace = tmp_path / each.name
            workspace.mkdir()
            machine.install(each.name, workspace=str(workspace))
            assert len(machine.tokens(each.name)) <= 1
            written = b"".join(data or b"" for data in tree_of(workspace).values())
            assert b"bm_" not in written
            assert b"Bearer" not in written


@pytest.mark.parametrize("workspace", ["relative/folder", "/nowhere/at/all", "~"])
def test_a_workspace_is_a_folder_of_its_own(machine: Machine, workspace: str) -> None:
    named = str(machine.home) if workspace == "~" else workspace

    refused = machine.post("clients_show", client="claude-code", workspace=named)

    assert refused.status_code == 422
    assert "workspace" in refused.text


def test_an_assistant_may_not_connect_anything(machine: Machine) -> None:
    with machine.server.http("bridge") as http:
        for operation in ("clients_list", "clients_show", "clients_install", "clients_remove", "clients_doctor"):
            refused = http.post(f"/api/v1/{operation}", json={"client": "claude-code", "plan": "0" * 64})
            assert refused.status_code == 403
            assert "is for people" in refused.text


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop"])
def test_what_we_try_is_no_use_of_the_client_and_what_it_asks_itself_is(machine: Machine, client: str) -> None:
    """One connects by HTTP, the other by the bridge."""
    done = machine.install(client)
    assert done["check"]["ok"]
    assert done["check"]["tools"] == len(DEFAULT_TOOLS)
    assert [check["ok"] for check in machine.server.call("clients_doctor")["checks"]] == [True]
    never = machine.state(client)
    assert (never["last_at"], never["calls"], never["tokens"]) == (None, 0, 0)

    lists_its_tools(machine, json.loads(Path(done["files"][0]).read_text())["mcpServers"]["bigmind"])

    seen = machine.state(client)
    assert seen["last_at"] is not None
    assert seen["tokens"] > 0


def lists_its_tools(machine: Machine, entry: dict) -> None:
    """As the client does when it starts, with what stands in its file."""
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    if "url" in entry:
        headers = {**entry["headers"], "Accept": "application/json"}
        answer = httpx.post(entry["url"], json=message, headers=headers, trust_env=False).text
    else:
        answer = subprocess.run(
            [entry["command"], *entry["args"]],
            input=json.dumps(message) + "\n",
            env=environment(machine.server.home),
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        ).stdout
    assert len(json.loads(answer)["result"]["tools"]) == len(DEFAULT_TOOLS)


@pytest.mark.node
def test_what_the_clients_own_program_asks_while_we_try_is_no_use_of_it_either(tmp_path: Path) -> None:
    with machine_in(tmp_path, PATH=commands_in(tmp_path / "programs")) as machine:
        done = machine.install("claude-code")
        assert "`claude mcp list` says that BigMind is connected." in done["check"]["said"]
        never = machine.state("claude-code")
        assert (never["last_at"], never["calls"], never["tokens"]) == (None, 0, 0)


def test_a_workspace_in_which_somebody_put_another_command_is_not_tried(machine: Machine, tmp_path: Path) -> None:
    workspace = tmp_path / "deck"
    workspace.mkdir()
    machine.install("claude-code", workspace=str(workspace))
    file = workspace / ".mcp.json"
    document = json.loads(file.read_text())
    document["mcpServers"]["bigmind"]["args"] = ["token", "create", "evil"]
    file.write_text(json.dumps(document))

    [check] = machine.server.call("clients_doctor")["checks"]

    assert not check["ok"]
    assert "starts something else" in check["said"][0]
    assert machine.tokens("evil") == []


def test_a_token_is_sent_to_no_other_address(machine: Machine) -> None:
    with_claude(machine)
    machine.install("claude-code")
    with socket.create_server(("127.0.0.1", 0)) as stranger:
        stranger.setblocking(False)
        path, port = machine.home / ".claude.json", stranger.getsockname()[1]
        path.write_text(path.read_text().replace(machine.server.address, f"http://127.0.0.1:{port}"))

        [check] = machine.server.call("clients_doctor")["checks"]

        assert "names another address" in check["said"][0]
        with pytest.raises(BlockingIOError):  # nobody has knocked
            stranger.accept()


def test_a_workspace_has_one_name_however_it_is_spelt(machine: Machine, tmp_path: Path) -> None:
    (tmp_path / "deck").mkdir()
    (tmp_path / "alias").symlink_to("deck")
    machine.install("agents-md", workspace=str(tmp_path / "deck"))

    assert machine.show("agents-md", workspace=str(tmp_path / "alias"))["changes"] == []
    machine.remove("agents-md", workspace=str(tmp_path / "alias"))

    assert machine.state("agents-md")["workspaces"] == []


def test_a_workspace_that_is_gone_is_not_made_anew_and_can_be_disconnected(machine: Machine, tmp_path: Path) -> None:
    (workspace := tmp_path / "a project").mkdir()
    (tmp_path / "alias").symlink_to(tmp_path)
    for client in ("claude-code", "cursor"):
        machine.install(client, workspace=str(workspace))
    workspace.rename(tmp_path / "elsewhere")

    repair = machine.repair()
    assert [each["client"] for each in repair["failed"]] == ["claude-code", "cursor"]
    told = f"The folder {workspace} is gone.\n`bigmind clients remove cursor --workspace '{workspace}'`"
    assert repair["failed"][1]["said"].startswith(told)  # and no token was ended: it may come back with its drive
    assert machine.post("clients_show", client="cursor", workspace=str(workspace)).json()["code"] == "not_found"
    for client in ("claude-code", "cursor"):
        assert machine.tokens(client) != []
        machine.remove(client, workspace=str(tmp_path / "alias" / workspace.name))  # however it is spelt
        assert machine.state(client)["workspaces"] == machine.tokens(client) == []
    assert not workspace.exists()
    answer = machine.post("clients_show", client="cursor", workspace=str(workspace), remove=True)
    assert answer.json()["code"] == "invalid_input"  # it is connected nowhere of that name


def test_of_three_installs_at_once_one_wins_and_can_be_taken_back(machine: Machine) -> None:
    before = with_claude(machine)
    plan = machine.show("claude-code")["plan"]
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: machine.post("clients_install", client="claude-code", plan=plan), range(3)))

    assert sorted(each.status_code for each in done) == [200, 409, 409]
    assert len(machine.tokens("claude-code")) == 1
    machine.remove("claude-code")
    assert machine.tree() == before


def test_a_file_that_the_client_itself_ignores_is_warned_of(machine: Machine) -> None:
    machine.file(".claude/settings.json", '{\n  // mine\n  "model": "opus"\n}\n')

    [warning] = [each for each in machine.show("claude-code")["warnings"] if "ignores the whole of" in each]
    check = machine.install("claude-code")["check"]

    assert "settings.json because of line 2" in warning
    assert not check["ok"]
    assert any("no hook of BigMind runs" in each for each in check["said"])


def test_one_whose_files_say_it_already_is_noted_and_keeps_them_when_another_leaves(
    machine: Machine, tmp_path: Path
) -> None:
    workspace = str(tmp_path / "deck")
    (tmp_path / "deck").mkdir()
    machine.install("codex", workspace=workspace)
    plan = machine.show("agents-md", workspace=workspace)
    assert plan["changes"] == []
    assert not plan["connected"]

    machine.install("agents-md", workspace=workspace)
    machine.remove("codex", workspace=workspace)

    assert "BEGIN BIGMIND" in (tmp_path / "deck" / "AGENTS.md").read_text()
    assert machine.show("agents-md", workspace=workspace)["connected"]
