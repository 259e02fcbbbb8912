"""What the installer wrote, as the real clients' own command lines read it, each in a home of its own, offline."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clients.machine import Machine, machine_in
from tests.clients.real import client_environment, commands_in, program
from tests.thorough import spread

SAYS_CONNECTED = {"claude-code": "claude", "gemini-cli": "gemini", "opencode": "opencode"}
LISTS = {"codex": "codex", "copilot-cli": "copilot"}


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    folder = tmp_path_factory.mktemp("real")
    with machine_in(folder, PATH=commands_in(folder / "programs")) as started:
        yield started


def run(machine: Machine, name: str, *arguments: str, cwd: Path | None = None) -> str:
    done = subprocess.run(
        [program(name), *arguments],
        env=client_environment(machine.home),
        cwd=cwd or machine.home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout.decode() + done.stderr.decode()
    return done.stdout.decode()


@pytest.mark.xdist_group("real clients")
@pytest.mark.parametrize("client", spread([*SAYS_CONNECTED, *LISTS], 2))
def test_the_client_itself_reads_what_was_written_and_forgets_it_after_a_removal(machine: Machine, client: str) -> None:
    command = {**SAYS_CONNECTED, **LISTS}[client]
    done = machine.install(client)

    check = done["check"]
    assert check["ok"], check["said"]
    wanted = "says that BigMind is connected" if client in SAYS_CONNECTED else "lists BigMind"
    said = [each for each in check["said"] if each.startswith(f"`{command} mcp list") and f"` {wanted}" in each]
    assert said, check["said"]
    machine.remove(client)
    assert "bigmind" not in run(machine, command, "mcp", "list").lower()
    for file in done["files"]:  # what the client wrote itself meanwhile stays
        assert not Path(file).exists() or "bigmind" not in Path(file).read_text()


@pytest.mark.xdist_group("real clients")
@pytest.mark.parametrize(
    ("client", "command"), spread([("codex", "codex"), ("claude-code", "claude"), ("copilot-cli", "copilot")], 1)
)
def test_the_entry_has_the_address_and_shows_no_token(machine: Machine, client: str, command: str) -> None:
    machine.install(client)

    told = run(machine, command, "mcp", "get", "bigmind")

    machine.remove(client)
    assert f"{machine.server.address}/mcp" in told
    assert "http" in told


@pytest.mark.xdist_group("real clients")
def test_codex_keeps_what_it_adds_itself_when_ours_goes(machine: Machine) -> None:
    machine.install("codex")
    run(machine, "codex", "mcp", "add", "other", "--", "/bin/true")

    machine.remove("codex")

    assert "other" in run(machine, "codex", "mcp", "list")
    assert "bigmind" not in (machine.home / ".codex" / "config.toml").read_text()
