"""The port is kept once a client is connected; a start on another one is said, and mended with one command."""

import os
import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from time import monotonic

import httpx
import pytest

from bigmind.clients.port_change import PortChange, StaleClient, ports_called
from bigmind.clients.targets import TARGETS
from bigmind.core.operation import Caller
from bigmind.local.ports import keep_port, kept_port, listen
from bigmind.paths import port_file
from bigmind.wiring import Mind
from tests.app.terminal import serving
from tests.clients.machine import Machine, machine_in
from tests.local.wire import bridge
from tests.support import completed, own_environment, process_wait
from tests.thorough import often, spread

pytestmark = pytest.mark.xdist_group("moved")

CHOSEN_BY_BIGMIND = {"BIGMIND_PORT": ""}
"""No port is set: BigMind takes the one that it keeps, or a free one."""
CURSOR = ".cursor/mcp.json"


@contextmanager
def held(port: int) -> Iterator[None]:
    """Another program listens there."""
    with closing(listen(port)):
        yield


@pytest.fixture
def data(tmp_path: Path) -> Path:
    return tmp_path / "data"


def connected_on_any(folder: Path, *clients: str) -> int:
    """A machine with these clients connected; the port that they call."""
    with machine_in(folder, BIGMIND_PORT="0") as machine:
        for each in clients:
            assert machine.install(each)["connected"]
        return machine.server.port


def moved_by(machine: Machine) -> str:
    return machine.server.call("server_status")["moved"]


def token_in(machine: Machine, name: str = CURSOR) -> str:
    found = re.search(r"bm_[A-Za-z0-9_-]+", (machine.home / name).read_text())
    assert found is not None
    return found[0]


def test_the_port_that_clients_call_is_taken_again_and_else_none_is_kept(tmp_path: Path, data: Path) -> None:
    with machine_in(tmp_path, BIGMIND_PORT="0") as machine:
        assert kept_port(data) == 0
        machine.install("claude-desktop")
        port = machine.server.port
        assert kept_port(data) == port
        machine.install("cursor")
    assert kept_port(data) == port
    with machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        assert machine.server.port == port
        assert moved_by(machine) == ""
        machine.remove("cursor")
        assert kept_port(data) == port
        machine.remove("claude-desktop")
        assert not port_file(data).exists()


def test_the_port_of_clients_that_an_older_version_connected_is_kept_too(tmp_path: Path, data: Path) -> None:
    port = connected_on_any(tmp_path, "cursor")
    port_file(data).unlink()
    with machine_in(tmp_path, BIGMIND_PORT="0") as machine:  # it is noted behind the start
        deadline = monotonic() + 30
        while kept_port(data) != port and monotonic() < deadline:
            process_wait(machine.server.process, 0.02)
    assert kept_port(data) == port
    with machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        assert machine.server.port == port


def test_a_repair_that_one_client_withstands_is_no_way_back(tmp_path: Path, data: Path) -> None:
    """Those that were repaired are not left behind by the next start, for the one that was not."""
    port = connected_on_any(tmp_path, "cursor", "gemini-cli")
    with held(port), machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        settings = machine.home / CURSOR
        settings.with_name("kept.json").write_bytes(settings.read_bytes())
        settings.unlink()
        settings.symlink_to(tmp_path / "outside.json")  # a link that leads out of the home is not written to
        (tmp_path / "outside.json").write_bytes(settings.with_name("kept.json").read_bytes())
        done = machine.repair()
        assert [each["client"] for each in done["repaired"]] == ["gemini-cli"]
        assert [each["client"] for each in done["failed"]] == ["cursor"]
        assert kept_port(data) == machine.server.port


@pytest.mark.parametrize("written", spread(["HTTP://LocalHost:{}/mcp", "http://127.0.0.1:{}/mcp?structured=1"], 1))
def test_an_address_that_a_person_edited_is_read_as_it_is_meant(tmp_path: Path, written: str) -> None:
    port = connected_on_any(tmp_path, "cursor")
    settings = tmp_path / "ada" / CURSOR
    settings.write_text(settings.read_text().replace(f"http://127.0.0.1:{port}/mcp", written.format(port)))
    with held(port), machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        assert f"One assistant still uses {port}." in moved_by(machine)
    settings.write_text(settings.read_text().replace(str(port), "99999"))
    with machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        assert moved_by(machine) == ""


def test_where_the_table_of_what_clients_call_cannot_be_read_no_page_and_no_start_fails(
    mind: Mind, caller: Caller, caplog: pytest.LogCaptureFixture
) -> None:
    with mind.store.write(caller, "test") as work:
        work.session.connection().exec_driver_sql("ALTER TABLE client_part RENAME TO elsewhere")
        assert ports_called(work) == []
    assert "cannot be read: no such table" in caplog.text


def test_a_start_on_another_port_is_said_everywhere_and_the_next_one_goes_back(tmp_path: Path, data: Path) -> None:
    port = connected_on_any(tmp_path, "cursor", "claude-desktop")
    with held(port), machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        sentence = f"BigMind moved to port {machine.server.port}. One assistant still uses {port}."
        said = moved_by(machine)
        assert said.startswith(f"{sentence} Cursor sends its token to whatever listens there.")
        status = completed(data, "status", COLUMNS="400", **own_environment(machine.home))
        assert sentence in status.stdout
        findings = {each["code"]: each for each in machine.server.call("memory_health_check")["findings"]}
        assert findings["clients_on_old_port"]["meaning"].startswith(sentence)
        assert "clients repair" in findings["clients_on_old_port"]["remedy"]
        with httpx.Client(trust_env=False, follow_redirects=True) as browser:
            assert sentence in browser.get(machine.server.call("server_sign_in_link")["url"]).text
            for path in ("/facts", "/health", "/ides"):  # in the sidebar of each page
                assert sentence in browser.get(f"{machine.server.address}{path}").text, path
            page = browser.get(f"{machine.server.address}/ides").text
            assert "Repair all…" in page
            assert 'action="/actions/clients_repair"' not in page, "what would be changed is shown first"
            dialog = browser.get(f"{machine.server.address}/ides/repair").text
            assert 'action="/actions/clients_repair"' in dialog
            assert f'value="{machine.server.call("clients_show_repair")["plan"]}"' in dialog
            assert f"http://127.0.0.1:{machine.server.port}/mcp" in dialog
        # What asks the server for proof first goes on.
        with bridge(data, "--client", "claude-desktop", **own_environment(machine.home)) as wire:
            wire.initialize()
            assert wire.ask_tool("memory_get_context")
        assert kept_port(data) == port
    with held(port), serving(data, HOME=str(tmp_path / "ada"), **CHOSEN_BY_BIGMIND) as terminal:
        assert "One assistant still uses" in terminal.said
    with machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        assert machine.server.port == port
        assert moved_by(machine) == ""


def test_repairing_gives_the_new_port_and_a_token_that_nobody_else_heard(tmp_path: Path, data: Path) -> None:
    port = connected_on_any(tmp_path, "cursor", "gemini-cli")
    with held(port), machine_in(tmp_path, **CHOSEN_BY_BIGMIND) as machine:
        before = token_in(machine)
        assert "2 assistants still use" in moved_by(machine)
        done = machine.repair()
        assert {each["client"] for each in done["repaired"]} == {"cursor", "gemini-cli"}
        assert all(each["check"]["ok"] for each in done["repaired"])
        assert done["failed"] == []
        assert f":{machine.server.port}/mcp" in (machine.home / CURSOR).read_text()
        assert moved_by(machine) == ""
        assert kept_port(data) == machine.server.port
        assert is_accepted(machine, token_in(machine))
        assert not is_accepted(machine, before)
        again = machine.repair()
        assert (again["repaired"], again["failed"], again["connected"]) == ([], [], 2)


def is_accepted(machine: Machine, secret: str) -> bool:
    headers = {"Authorization": f"Bearer {secret}"}
    answered = httpx.post(
        f"{machine.server.address}/api/v1/memory_get_context", json={}, headers=headers, trust_env=False
    )
    return answered.status_code == 200


@pytest.mark.parametrize("seed", range(often(12, 1)))
def test_whatever_moves_and_whoever_is_repaired_what_is_said_is_what_stands_in_the_files(
    tmp_path: Path, data: Path, seed: int
) -> None:
    random = Random(seed)
    with machine_in(tmp_path, BIGMIND_PORT="0") as machine:
        every = [each for each in TARGETS if each.for_user and machine.show(each.name)["makes_token"]]
    port_of: dict[str, int] = {}
    broken = ""
    for _ in range(4):
        with machine_in(tmp_path, BIGMIND_PORT="0") as machine:
            here = machine.server.port
            for each in random.sample(every, random.randint(0, 3)):
                if each.title != broken and machine.install(each.name)["connected"]:
                    port_of[each.title] = here
            if port_of and not broken and random.random() < 0.4:
                broken = spoilt(machine, random.choice(sorted(port_of)))
            if random.random() < 0.4:
                failed = {each["title"] for each in machine.repair()["failed"]}
                assert failed == ({broken} if broken else set())
                port_of = dict.fromkeys(port_of, here)
            still = {title: port for title, port in port_of.items() if port != here and title != broken}
            said = moved_by(machine)
            if still:
                assert said.startswith(PortChange(here, [StaleClient(*each) for each in still.items()]).in_words)
                assert all(title in said for title in still)
            else:
                assert said == ""
            called = {port for title, port in port_of.items() if title != broken}
            assert kept_port(data) in called or not called


def spoilt(machine: Machine, title: str) -> str:
    """A client's file that does not parse any more; its title."""
    name = next(each.name for each in TARGETS if each.title == title)
    for each in machine.show(name, remove=True)["changes"]:
        if "/mcp" in (text := Path(each["path"]).read_text()):
            Path(each["path"]).write_text(text + "\n{ [ : not ours\n")
    return title


@pytest.mark.parametrize(
    ("still", "words"),
    [
        ([("Cursor", 7702)], "One assistant still uses 7702."),
        ([("Cursor", 7702), ("Zed", 7702)], "2 assistants still use 7702."),
        ([("Cursor", 7702), ("Zed", 7701), ("Goose", 7705)], "3 assistants still use 7701, 7702 and 7705."),
    ],
)
def test_the_sentence(still: list[tuple[str, int]], words: str) -> None:
    assert PortChange(7703, [StaleClient(*each) for each in still]).in_words == f"BigMind moved to port 7703. {words}"


@pytest.mark.parametrize(
    "said", ["", "no port", "-1", "65536", "99999999999999999999", "7 7", "٧٧٠٠", "\0", "7700\n7701"]
)
def test_nonsense_in_the_place_of_the_port_is_none(tmp_path: Path, said: str) -> None:
    port_file(tmp_path).write_text(said, encoding="utf-8")
    assert kept_port(tmp_path) == 0
    keep_port(tmp_path, 7700)
    assert kept_port(tmp_path) == 7700


def test_what_is_no_file_there_is_none(tmp_path: Path) -> None:
    port_file(tmp_path).mkdir()
    assert kept_port(tmp_path) == 0
    port_file(tmp_path).rmdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(port_file(tmp_path))
        assert kept_port(tmp_path) == 0
