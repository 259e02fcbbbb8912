"""The protocol in a browser: a workspace is opened, a text taken, commands approved; a run is looked at. Live."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.protocol.places import HANDOFF, Place, new_place
from tests.ui.hands import Hand, Keys, Mouse
from tests.ui.serving import ARTEFACTS, Running
from tests.ui.work_items import Run, runner

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("work")]

BOTH = pytest.mark.parametrize("kind", [Mouse, Keys], ids=["mouse", "keys"])
DOCUMENT = """format: bigmind-protocol
checks:
  - {name: tests, command: "test -f src/refunds.py", defined_by: [pyproject.toml]}
"""


@pytest.fixture
def run(server: Running) -> Run:
    return runner(server.mind, server.caller)


@pytest.fixture
def person(server: Running, page: Page) -> Page:
    """The page as BigMind's own window shows it."""
    page.goto(server.window_link())
    return page


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return new_place(tmp_path / "refunds")


def at_rest(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#connection[data-state=live]").wait_for()
    page.locator("#content").focus()


def rested(page: Page, name: str) -> Locator:
    """A button of what is done in person, after its first second."""
    button = page.get_by_role("button", name=name)
    expect(button).to_be_enabled()
    return button


def seen(page: Page, name: str) -> None:
    ARTEFACTS.mkdir(parents=True, exist_ok=True)
    page.screenshot(path=ARTEFACTS / f"{name}.png", full_page=True)


@BOTH
def test_a_workspace_is_opened_its_text_taken_and_its_commands_approved(
    person: Page, place: Place, run: Run, kind: type[Hand]
) -> None:
    hand = kind(person)
    at_rest(person, "/protocol")
    expect(person.locator("#workspaces")).to_contain_text("No workspace is open yet")
    hand.write(person.locator("#workspace-path"), str(place.root))
    hand.press(rested(person, "Open the workspace"))
    expect(person.locator("#workspaces .chip.good")).to_have_text("open")
    place.write(".bigmind/protocol.yaml", DOCUMENT)
    person.reload()
    person.locator("#connection[data-state=live]").wait_for()
    expect(person.locator("#workspaces .chip.warn")).to_have_text("waits for you")
    hand.press(person.locator("#workspaces .neighbours a"))
    person.wait_for_url("**/protocol/workspaces/*")
    person.locator("#connection[data-state=live]").wait_for()
    expect(person.locator("#document .difference")).to_contain_text("test -f src/refunds.py")
    hand.press(rested(person, "Take it"))
    expect(person.locator("#document")).to_have_count(0)
    expect(person.locator("#commands")).to_contain_text("not approved")
    hand.press(rested(person, "Approve 1 command"))
    expect(person.locator("#commands")).to_contain_text("approved as they are")
    seen(person, f"protocol-workspace-{kind.__name__.lower()}")
    begun = run("session_start", by="claude-code", objective="Round refunds", workspace=str(place.root))
    answer = run("validate_gate", by="claude-code", phase="QUALITY_CHECKS", session_id=begun.session_id)
    assert answer.status == "PASS"
    hand.holds()


def test_a_run_is_shown_with_its_gates_and_follows_it(person: Page, place: Place, run: Run) -> None:
    run("protocol_open_workspace", path=str(place.root))
    begun = run("session_start", by="claude-code", objective="Round refunds to the cent", workspace=str(place.root))
    run("advance_phase", by="claude-code", target_phase="WORKING")
    person.clock.install()
    at_rest(person, "/protocol")
    person.locator("#runs tbody a").click()
    person.locator("#connection[data-state=live]").wait_for()
    expect(person.locator("#run-title")).to_have_text("Round refunds to the cent")
    expect(person.locator(".phases")).to_contain_text("was not read in this run")
    run(
        "record_evidence", by="claude-code", phase="CONTEXT_RETRIEVAL", evidence_type="content_hash",
        evidence=place.digest(HANDOFF),
    )  # fmt: skip
    expect(person.locator(".phases")).to_contain_text(f"{HANDOFF} was read (hash)")
    log = person.locator(".phases li").filter(has=person.get_by_text("SESSION_LOG", exact=True))
    # No call tells of a file: the page looks for itself, as long as the run is open.
    expect(log).to_contain_text("There is no")
    expect(log).to_have_css("position", "static")  # what is ahead lay over the top of the page
    place.log(begun.session_id, begun.starting_commit)
    person.clock.run_for(6_000)
    expect(log).to_contain_text("is there, with its headings")
    run("advance_phase", by="claude-code", target_phase="WORKING")
    expect(person.locator(".chip.state")).to_have_text("WORKING")
    run("session_end", by="claude-code", summary="Stopped early.", next_session_notes="Go on with yen.")
    expect(person.locator(".chip.state")).to_have_text("INCOMPLETE")
    expect(person.locator("#violations-title")).to_be_visible()
    expect(log).to_contain_text("passed")  # it was owed, and made good; nothing is ahead of a run that ended
    expect(person.locator(".phases")).not_to_contain_text("ahead")
    expect(person.locator("[data-watched]")).to_have_count(0)
    seen(person, "protocol-run")
    person.set_viewport_size({"width": 360, "height": 800})
    seen(person, "protocol-run-narrow")
