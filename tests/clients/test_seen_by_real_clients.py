"""The page of what an assistant sees shows the block that the model of a real client is given, byte for byte.

Three clients, connected by our installer alone, each against a model that keeps what it is told: Claude Code and Codex,
whose hooks give the block, and opencode without its plugins, whose model asks for it with memory_start_session. The
memory holds more than fits, and what the conversations before left open. The minute of loading alone is left open.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.clients.conversing import Client, claude_code, codex, hold, opencode, project_folder, texts
from tests.clients.machine import Machine, machine_in
from tests.clients.stub_model import Calls, Says, StubModel, stub_model

pytestmark = pytest.mark.xdist_group("seen by real clients")

DECK, ENGINE = "example.org/ada/deck", "example.org/ada/engine"
MINUTE = re.compile(r"loaded \d{4}-\d\d-\d\d \d\d:\d\d")
ODD = r'<b>&amp;</b> "naïve" \n 日本 🧪 {{x}}'


@dataclass(frozen=True)
class Desk:
    """A machine with a memory, a page open on it, and a model for whichever client is started."""

    machine: Machine
    model: StubModel
    page: httpx.Client
    folder: Path

    def block(self, client: str, project: str) -> str:
        """The block, as the page shows it whole."""
        answer = self.page.get("/context", params={"client": client, "project": project})
        found = re.search(r'<pre id="exact"[^>]*>(.*?)</pre>', answer.text, re.DOTALL)
        assert found is not None
        return without_minute(html.unescape(found[1]).removeprefix("\n"))

    def told(self) -> list[str]:
        """All texts of the newest request to the model."""
        return [without_minute(each) for each in texts(self.model.requests[-1])]


def without_minute(text: str) -> str:
    return MINUTE.sub("loaded", text)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    with (
        machine_in(tmp_path_factory.mktemp("seen")) as machine,
        stub_model() as model,
        httpx.Client(base_url=machine.server.address, timeout=60, trust_env=False) as page,
    ):
        page.get(machine.server.call("server_sign_in_link")["url"])
        with machine.server.http() as http:
            remember(http)
        yield Desk(machine, model, page, project_folder(machine, "deck", DECK))


def remember(http: httpx.Client) -> None:
    """More than a conversation can start with, of every kind."""

    def call(operation: str, **arguments: object) -> dict[str, Any]:
        answer = http.post(f"/api/v1/{operation}", json=arguments)
        assert answer.status_code == 200, answer.text
        return answer.json()

    call(
        "memory_update_profile",
        role=f"Engineer of billing at a bank, who writes {ODD}",
        preferences=f"Short answers, tests first, and no surprises before noon. {'Words that go on. ' * 30}",
        pinned_facts=[f"Ada pinned this: {each} - {ODD}" for each in range(6)],
    )
    for number in range(36):
        project = (DECK, ENGINE, "*")[number % 3]
        about = f"Part {number} of {project} answers on port 90{number:02}, and says {ODD} to those who call it"
        call("memory_store_fact", fact=about, category="codebase", project=project)
    pinned = call("memory_store_fact", fact="Settlements run at noon", category="decision", project=DECK)
    call("memory_place", kind="fact", id=pinned["fact"]["fact_id"], placement="pinned")
    for number in range(5):
        call("memory_add_hypothesis", hypothesis=f"Queue {number} stalls because its lock is held", project=DECK)
        call("memory_promote_to_global", category="standard", title=f"Standard {number}", content=f"Do {number}. {ODD}")
        call("memory_start_session", project=(DECK, ENGINE)[number % 2])
        call("memory_flag_important", content=f"Decided: {number}", flag_reason="decision")
        call("memory_end_session", one_liner=f"Moved settlement {number}", topics=["settlement"], outcome="It runs.")
    call("memory_start_session", project=ENGINE, topics=["left open"])


BY_HOOK = (Says("Goodbye."),)
BY_TOOL = (Calls("bigmind_memory_start_session", {"project": DECK}), Says("Goodbye."))


@pytest.mark.parametrize(
    ("name", "client", "script"),
    [("claude-code", claude_code, BY_HOOK), ("codex", codex, BY_HOOK), ("opencode", opencode, BY_TOOL)],
)
def test_the_model_is_given_the_block_that_the_page_shows(
    desk: Desk, name: str, client: Client, script: tuple[Says | Calls, ...]
) -> None:
    desk.machine.install(name)
    block = desk.block(name, DECK)
    assert "Settlements run at noon" in block
    assert re.search(r"… \d\d more: memory_semantic_search", block)  # it is full
    assert ODD in block

    desk.model.will(*script)
    hold(desk.machine, desk.folder, client(desk.model, "Where does it run?"))

    assert len(desk.model.requests) == len(script)
    told = desk.told()
    assert [each for each in told if block in each], next(each for each in told if "BigMind context — loaded" in each)
    assert desk.block(name, ENGINE) != block
