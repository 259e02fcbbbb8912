"""A model that must be downloaded: only after a yes, with progress, and without harm when it fails."""

from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from bigmind.embedding.models import DEFAULT
from tests.search.embedding.choosing import SECONDS, found, is_done, refused, until
from tests.search.embedding.hub import MODEL, Hub, hub
from tests.support import Server, running_server

pytestmark = pytest.mark.xdist_group("models")


@pytest.fixture
def source() -> Iterator[Hub]:
    with hub() as running:
        yield running


@pytest.fixture
def server(home: Path, source: Hub) -> Iterator[Server]:
    with running_server(home, BIGMIND_MEANING="on", HF_ENDPOINT=source.address, HF_TOKEN="a-secret") as started:
        started.call("memory_store_fact", category="team", fact="The office cat sleeps on the keyboard all day")
        until(started, is_done)
        yield started


def test_without_a_yes_nothing_is_downloaded_and_the_size_is_told(server: Server, source: Hub) -> None:
    told = refused(server, "memory_use_model", model=MODEL)
    assert told["code"] == "conflict"
    assert "90 MB" in str(told)
    assert f"bigmind memory use-model {MODEL} --download" in str(told)
    assert server.call("memory_list_models")["next"] is None
    assert source.asked == []


def test_with_a_yes_it_is_downloaded_with_progress_and_used(server: Server, source: Hub, home: Path) -> None:
    source.gate.clear()
    server.call("memory_use_model", model=MODEL, download=True)
    assert source.is_asked_for_weights.wait(SECONDS)
    told = until(server, lambda told: "being downloaded: " in told["download"])
    assert told["active"] == DEFAULT
    assert "is being downloaded" in str(refused(server, "memory_use_model", model=MODEL, download=True))
    assert found(server, "a pet lying on a computer")  # search goes on
    source.gate.set()
    told = until(server, lambda told: told["active"] == MODEL and is_done(told))
    assert told["download"] == f"{MODEL} was downloaded."
    assert next(each for each in told["models"] if each["name"] == MODEL)["is_here"]
    assert found(server, "a pet lying on a computer")
    assert source.tokens == {""}  # nobody's token of Hugging Face is sent
    assert (home / "models").stat().st_mode & 0o077 == 0
    asked = len(source.asked)
    server.call("memory_use_model", model=DEFAULT)
    until(server, lambda told: told["active"] == DEFAULT and is_done(told))
    server.call("memory_use_model", model=MODEL)  # it is here now: no yes is needed, and nobody is asked
    until(server, lambda told: told["active"] == MODEL and is_done(told))
    assert len(source.asked) == asked


def test_a_download_that_fails_says_why_and_changes_nothing(server: Server, source: Hub) -> None:
    source.is_broken = True
    server.call("memory_use_model", model=MODEL, download=True)
    told = until(server, lambda told: "was not downloaded" in told["download"])
    assert "503" in told["download"]
    assert (told["active"], told["next"]) == (DEFAULT, None)
    assert found(server, "a pet lying on a computer")
    source.is_broken = False
    server.call("memory_use_model", model=MODEL, download=True)
    until(server, lambda told: told["active"] == MODEL and is_done(told))


def test_a_server_that_ends_ends_its_download(server: Server, source: Hub) -> None:
    source.gate.clear()
    server.call("memory_use_model", model=MODEL, download=True)
    assert source.is_asked_for_weights.wait(SECONDS)
    children = psutil.Process(server.process.pid).children()
    assert len(children) == 2
    server.kill()
    for child in children:
        child.wait(SECONDS)
