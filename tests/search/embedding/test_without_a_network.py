"""Offline from the first minute: a fresh install with the network cut, and who opens which socket."""

import json
import os
import subprocess
import sys
import sysconfig
import venv
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from bigmind.embedding.models import DEFAULT
from tests.search.embedding import cut_off
from tests.search.embedding.choosing import found, is_done, until
from tests.support import environment, running_server

ROOT = Path(__file__).resolve().parents[3]
LISTENS = """
import json, os, sys

def told(event, arguments):
    if event in ("socket.connect", "socket.bind", "socket.sendto", "socket.getaddrinfo", "socket.gethostbyname"):
        address = arguments[0] if event.startswith("socket.get") else arguments[1]
        host = address[0] if isinstance(address, tuple) else address
        with open(os.path.join(os.path.dirname(__file__), "sockets.jsonl"), "a") as file:
            file.write(json.dumps([" ".join(sys.orig_argv[-2:]), event, str(host)]) + "\\n")

sys.addaudithook(told)
"""
CUT_OFF = [["unshare", "--net"], ["unshare", "--map-root-user", "--net"]]


def namespace() -> list[str]:
    """The command that runs another one without any network but loopback."""
    if sys.platform != "linux":
        pytest.skip("namespaces are Linux's")
    for command in CUT_OFF:
        if (
            subprocess.run([*command, "ip", "link", "set", "lo", "up"], check=False, capture_output=True).returncode
            == 0
        ):
            return [*command, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]
    return pytest.skip("unshare may not make a network namespace here")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of a fresh install of the wheel, which finds its dependencies where the tests find theirs."""
    folder = tmp_path_factory.mktemp("install")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = [*pip, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(folder), str(ROOT)]
    subprocess.run(build, check=True)
    venv.create(folder / "venv")
    python = folder / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    (wheel,) = folder.glob("bigmind-*.whl")
    subprocess.run([*pip, "--python", str(python), "install", "--no-deps", "--no-index", str(wheel)], check=True)
    packages = subprocess.run(
        [str(python), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    (Path(packages) / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


def test_an_installed_wheel_finds_its_model_in_the_installation(installed: Path) -> None:
    program = (
        "import bigmind.paths, sys; from bigmind.embedding.loader import load;"
        "print(bigmind.paths.asset('model')); print(len(load(sys.argv[1]).query('a question')))"
    )
    command = [str(installed), "-P", "-c", program, DEFAULT]
    told = subprocess.run(command, check=True, capture_output=True, text=True, cwd="/").stdout.split()
    assert told == [str(installed.parent.parent / "share" / "bigmind" / "model"), "384"]


def test_with_the_network_cut_a_fresh_install_embeds_and_finds(installed: Path, home: Path) -> None:
    told = subprocess.run(
        [*namespace(), str(installed), cut_off.__file__, str(installed), str(home)],
        env=environment(home, BIGMIND_MEANING="on"),
        capture_output=True,
        text=True,
        check=False,
        timeout=200,
    )
    assert told.returncode == 0, told.stderr
    answer = json.loads(told.stdout)
    assert "unreachable" in answer["unreachable"]
    assert answer["models"]["active"] == DEFAULT
    assert answer["models"]["state"] == "ready"
    hit = answer["found"]["hits"][0]
    assert hit["excerpt"] == "The office cat sleeps on the keyboard all day"
    assert "meaning" in hit["why"]
    assert answer["found"]["words_only"] == ""


def test_no_socket_is_opened_that_is_not_loopback(home: Path, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(LISTENS)
    noted = tmp_path / "sockets.jsonl"
    with running_server(home, BIGMIND_MEANING="on", PYTHONPATH=str(tmp_path)) as server:
        server.call("memory_store_fact", category="team", fact="The office cat sleeps on the keyboard all day")
        until(server, is_done)
        assert found(server, "a pet lying on a computer")
    seen = [json.loads(line) for line in noted.read_text().splitlines()]
    assert any("serve" in process for process, _, _ in seen)
    assert {host for _, _, host in seen} <= {"127.0.0.1", "::1"}  # urllib3 tries whether there is IPv6, by ::1
    reached = [each for each in seen if each[1] != "socket.bind"]
    assert reached == []  # the server listens; nobody connects or asks for a name


def test_no_library_in_c_opens_a_socket_or_leaves_anything_behind(home: Path, tmp_path: Path) -> None:
    """What no audit hook sees. onnxruntime writes into the home at once what it sends some ten seconds later."""
    own = tmp_path / "own"
    own.mkdir()
    with running_server(
        home, BIGMIND_MEANING="on", **dict.fromkeys(("HOME", "USERPROFILE", "XDG_CACHE_HOME", "TMPDIR"), str(own))
    ) as server:
        server.call("memory_store_fact", category="team", fact="The office cat sleeps on the keyboard all day")
        seen = set[str]()
        watched = psutil.Process(server.process.pid)

        def is_embedded(told: dict) -> bool:
            family = [watched, *watched.children(recursive=True)]
            for each in family:
                with suppress(psutil.NoSuchProcess):
                    seen.update(sockets_of(each))
            return is_done(told) and len(family) > 1

        until(server, is_embedded)
        assert found(server, "a pet lying on a computer")
        until(server, is_embedded)
        children = [" ".join(each.cmdline()[-1:]) for each in watched.children()]
    assert children == ["embedder"]
    assert seen == {"127.0.0.1"}  # the server listens, and the test is its client
    assert [each.relative_to(own) for each in own.rglob("*")] == []


def sockets_of(process: psutil.Process) -> set[str]:
    """The hosts of each end of its sockets, but those of other families than the internet's."""
    return {end.ip for each in process.net_connections("inet") for end in (each.laddr, each.raddr) if end}


def test_the_models_are_nobody_elses(home: Path) -> None:
    models = home / "models"
    models.mkdir(parents=True, mode=0o755)
    with running_server(home, BIGMIND_MEANING="on") as server:
        server.call("memory_list_models")
    assert os.name == "nt" or models.stat().st_mode & 0o777 == 0o700


def test_what_notes_the_sockets_is_in_every_process(home: Path, tmp_path: Path) -> None:
    """So that the test above could fail: the process that downloads is noted when it asks, here for a dead port."""
    (tmp_path / "sitecustomize.py").write_text(LISTENS)
    noted = tmp_path / "sockets.jsonl"
    with running_server(
        home,
        BIGMIND_MEANING="on",
        PYTHONPATH=str(tmp_path),
        HF_ENDPOINT="http://127.0.0.1:9",
    ) as server:
        server.call("memory_use_model", model="BAAI/bge-small-en-v1.5", download=True)
        told = until(server, lambda told: "was not downloaded" in told["download"])
    seen = [json.loads(line) for line in noted.read_text().splitlines()]
    assert any("download" in process and host == "127.0.0.1" for process, _, host in seen), seen
    assert "Could not download" in told["download"]
