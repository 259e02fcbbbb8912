"""The mindspace: the tree with the scope stack, a node whole, and gates that a person judges."""

from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from bigmind.work.processes import SHIPPED, shipped
from tests.ui.acting import act
from tests.ui.serving import Running
from tests.ui.work_items import Run, runner
from ui.show.work_words import gate_in_words

pytestmark = pytest.mark.xdist_group("pages")

CODE = {"type": "file", "path": "src/pay.py", "description": "the code"}
EVIL = "<img src=x onerror=alert(1)>"


@pytest.fixture
def run(server: Running) -> Run:
    return runner(server.mind, server.caller)


def make(run: Run, title: str, **more: Any) -> str:
    gates = [{"name": "tests pass", "verifier": "qa"}, {"name": "reads well", "verifier": "human"}]
    done = {"action": f"Write {title}.", "outputs": [CODE], "quality_gates": gates}
    told = {"title": title, "owner": "dev", "definition_of_done": done, **more}
    return run("mindspace_create_node", by="planner", **told).node.node_id


def hand_over(run: Run, node: str, title: str) -> None:
    run("query_brain", by="codex", prompt=f"{title}: what is known?")
    assert run("mindspace_book_transition", by="codex", node_id=node, target_state="active").transitioned
    run("mindspace_submit_output", by="codex", node_id=node, outputs=[CODE])
    run("contribute_to_brain", by="codex", prompt=f"Learned: {title} is off, because halves are rounded up on page 7.")
    assert run("mindspace_book_transition", by="codex", node_id=node, target_state="review").transitioned


def test_before_there_is_any_the_page_says_what_will_stand_there(server: Running, run: Run, page: Page) -> None:
    page.goto(f"{server.url}/mindspace")
    expect(page.get_by_role("heading", name="No nodes yet")).to_be_visible()
    make(run, "Round the refunds")
    expect(page.get_by_role("link", name="Round the refunds")).to_be_visible()  # by itself: the page is live


def test_the_tree_is_walked_by_keyboard_to_a_node_and_the_focus_is_set(server: Running, run: Run, page: Page) -> None:
    root = make(run, "Refunds")
    make(run, "Round the refunds", parent_id=root)
    page.goto(f"{server.url}/mindspace")
    link = page.locator("#tree").get_by_role("listitem").get_by_role("link", name="Round the refunds")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Round the refunds", level=1)).to_be_visible()
    page.get_by_role("button", name="Set the focus here").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#node .chip", has_text="focus")).to_be_visible()
    page.goto(f"{server.url}/mindspace")
    expect(page.locator(".scope li")).to_have_text(["Refunds", "Round the refunds"])


def test_a_node_is_shown_whole_and_stored_text_is_text(run: Run, client: httpx.Client) -> None:
    node = make(run, f"Round {EVIL}", definition_of_ready={"context": f"It is off. {EVIL}"})
    for path in ("/mindspace", f"/mindspace/{node}"):
        text = client.get(path).text
        assert EVIL not in text
        assert "&lt;img src=x onerror=alert(1)&gt;" in text
    text = client.get(f"/mindspace/{node}").text
    for told in (
        "src/pay.py",
        "tests pass",
        "reads well",
        "Gates are judged while the node is in review.",
        "station dev",
    ):
        assert told in text
    assert client.get("/mindspace/nothing-there").status_code == 404


def test_a_person_judges_any_gate_for_what_was_shown(run: Run, client: httpx.Client, window: httpx.Client) -> None:
    node = make(run, "Round the refunds")
    hand_over(run, node, "Round the refunds")
    judged = {"node_id": node, "gate": "tests pass", "status": "pass", "evidence": "I ran them."}
    revision = run("mindspace_update_node", by="planner", node_id=node).node.revision
    assert act(client, "mindspace_record_gate", **judged, revision=revision).status_code == 403  # without a passphrase
    assert act(window, "mindspace_record_gate", **judged, revision=revision - 1).status_code == 409
    assert act(window, "mindspace_record_gate", **judged, revision=revision).status_code == 200
    assert (
        act(window, "mindspace_record_gate", **judged | {"gate": "reads well"}, revision=revision + 1).status_code
        == 200
    )
    assert "complete</span>" in client.get(f"/mindspace/{node}").text


def test_deleting_is_done_in_person(run: Run, client: httpx.Client, window: httpx.Client) -> None:
    node = make(run, "Round the refunds")
    assert act(client, "mindspace_delete_node", node_id=node).status_code == 403
    assert act(window, "mindspace_delete_node", node_id=node).status_code in {200, 204}
    assert client.get(f"/mindspace/{node}").status_code == 404


@pytest.mark.parametrize("name", SHIPPED)
def test_each_gate_of_an_items_process_is_said_in_words(name: str) -> None:
    process = shipped(name)
    rules = [rule for state in process.states for rule in process.leaving(state)]
    gates = {part.name for rule in rules for gate in rule.gates for part in gate.each()}
    assert [each for each in gates if gate_in_words(each) == each] == []
