"""The brain in a browser: asked, added to, cleaned up, walked along, by mouse and by keyboard; live."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from bigmind.core.operation import Presence
from tests.ui.serving import Noise, Running
from tests.ui.trodden import tread

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("brain")]

REFUNDS = "Refunds over 500 EUR fail at the gateway unless the idempotency key is set, because it retries twice."
STAGING = "The staging database is reset at 02:00 UTC, so a migration tried there at night is gone in the morning."
BARE = "The new approach is somewhat better than the old one in most of the cases we have"
MAP = "svg.trail-map:visible a.spot"


def stated(server: Running, text: str = REFUNDS, **more: object) -> str:
    """What an assistant contributed; its id."""
    caller = replace(server.caller, client="codex", is_person=False, presence=Presence.PROGRAM)
    return replace(server, caller=caller).call("contribute_to_brain", prompt=text, **more).trace.thought_id


def at_rest(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#connection[data-state=live]").wait_for()


def test_what_is_typed_is_looked_for_and_only_asking_is_noted(server: Running, page: Page) -> None:
    stated(server)
    stated(server, STAGING)
    at_rest(page, "/brain")
    page.keyboard.press("f")
    expect(page.locator("#prompt")).to_be_focused()
    page.keyboard.type("refunds gateway")
    expect(page.locator("#list .thought")).to_have_count(1)
    expect(page.locator("#list")).to_contain_text("1 thought would answer")
    page.wait_for_url("**/brain?prompt=refunds+gateway")
    expect(page.locator("#asked")).to_contain_text("so that you can ask it again")
    page.keyboard.press("Tab")
    expect(page.locator("#ask-button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Noted. 1 thought answers, and weighs more from now on.")
    expect(page.locator("#list")).to_contain_text("read once by 1 agent")
    expect(page.locator("#asked")).to_contain_text("refunds gateway")
    expect(page.locator("#ask-button")).to_be_focused()
    page.locator("#category-all").focus()
    page.locator("#list").evaluate("(list) => { list.dataset.former = '' }")
    page.locator("#topic").select_option(index=0)
    expect(page.locator("#list[data-former]")).to_have_count(0)  # a link that is put anew under a click is not followed
    page.get_by_role("link", name="Show all").click()
    expect(page.locator("#list .thought")).to_have_count(2)


def test_a_thought_is_added_and_what_is_not_stored_stays_in_the_form(page: Page, noise: Noise) -> None:
    at_rest(page, "/brain")
    page.keyboard.press("n")
    text = page.locator("#text-new")
    expect(text).to_be_focused()
    page.locator("#category-new").select_option(label="Decision")
    expect(page.locator(".for-decision_record")).to_be_visible()
    expect(page.locator(".for-any")).to_be_hidden()
    text.fill("How do refunds over 500 EUR work at the gateway, and who pays for them?")
    page.get_by_role("button", name="Add it").click()
    expect(page.locator("#add .fault")).to_contain_text("it asks, and states nothing")
    expect(text).to_have_value("How do refunds over 500 EUR work at the gateway, and who pays for them?")
    noise.console.clear()  # the browser tells of the refusal, as it should
    text.fill(REFUNDS)
    page.locator("#topic-new").fill("pay/refunds")
    page.locator("#source-type-new").select_option(label="Task")
    page.locator("#source-value-new").fill("PAY-311")
    text.press("Control+Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Stored: the thought.")
    expect(page.locator("#list .thought")).to_have_count(1)
    page.locator("[data-toast] a").click()
    expect(page.locator("h1")).to_have_text("Decision on pay/refunds")
    expect(page.locator("#thought")).to_contain_text("Task: PAY-311")


def test_the_queue_is_worked_off_by_keyboard(server: Running, page: Page) -> None:
    stated(server, BARE)
    stated(server, STAGING)
    kept = stated(server, REFUNDS, topic="pay")
    at_rest(page, "/brain/queue")
    expect(page.locator("#nav-brain .chip")).to_contain_text("3")
    page.locator(f"#category-{kept}").select_option(label="Learning")
    page.locator(f"#t-{kept}").focus()
    page.keyboard.press("c")
    expect(page.locator("[data-toast]").last).to_contain_text("Categorized.")
    expect(page.locator("#list .thought")).to_have_count(2)
    expect(page.locator("#nav-brain .chip")).to_contain_text("2")
    expect(page.locator("body")).not_to_be_focused()
    page.keyboard.press("j")
    for key in ("k", "k", "x", "j", "x"):
        page.keyboard.press(key)
    expect(page.locator("#list :checked:not(option)")).to_have_count(2)
    page.get_by_role("button", name="Merge chosen").press("Enter")
    page.wait_for_url("**/brain/merge?id=**")
    text = page.locator("#text-merge")
    assert STAGING in text.input_value()
    text.fill("Staging is reset at 02:00 UTC; the new approach of 2026 migrates at noon instead, which is better.")
    page.locator("#category-merge").select_option(label="Learning")
    page.locator("#topic-merge").fill("deploy/staging")
    page.get_by_role("button", name="Merge 2 thoughts").click()
    page.wait_for_url("**/brain/queue")
    expect(page.locator("[data-toast]")).to_contain_text("Stored: the thought.")
    expect(page.locator("#list")).to_contain_text("Nothing to settle")


def test_noise_goes_and_comes_back(server: Running, page: Page) -> None:
    stated(server, BARE)
    at_rest(page, "/brain/queue")
    page.locator("[data-row]").first.focus()
    page.keyboard.press("d")
    expect(page.locator("#list")).to_contain_text("Nothing to settle")
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#list .thought")).to_have_count(1)
    page.get_by_role("button", name="Noise").click()
    expect(page.locator("#list")).to_contain_text("Nothing to settle")
    page.get_by_role("link", name="Noise 1").click()
    page.get_by_role("button", name="Not noise").click()
    expect(page.locator("#list")).to_contain_text("Nothing is kept out of answers")


def test_what_an_assistant_states_appears_and_nobody_loses_what_they_type(server: Running, page: Page) -> None:
    first = stated(server)
    at_rest(page, "/brain")
    stated(server, STAGING)
    expect(page.locator("#list .thought")).to_have_count(2)
    page.locator("#prompt").fill("staging database")
    expect(page.locator("#list .thought")).to_have_count(1)
    at_rest(page, f"/brain/thoughts/{first}")
    page.keyboard.press("e")
    page.locator("#text-refine").fill("Half typed")
    with page.expect_response(lambda answer: answer.url.endswith(first)):
        stated(server, f"{REFUNDS} Since version 4.2 it retries 3 times.", refines=first)
    expect(page.locator("#text-refine")).to_have_value("Half typed")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="superseded: see what holds")).to_be_visible()


def test_a_thought_is_refined_where_it_stands(server: Running, page: Page) -> None:
    first = stated(server, topic="pay/refunds")
    at_rest(page, f"/brain/thoughts/{first}")
    page.keyboard.press("e")
    page.keyboard.press("Control+End")
    page.keyboard.type(" Since version 4.2 it retries 3 times.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Stored: the thought.")
    box = page.locator(".lineage.wide a.box")
    expect(box).to_have_count(1)
    box.focus()
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: first not in address)
    expect(page.locator("#thought .prose")).to_contain_text("it retries 3 times")
    expect(page.locator(".kin")).to_contain_text("This thought refines")


def test_sharing_asks_first(server: Running, page: Page) -> None:
    private = stated(server, space="private")
    at_rest(page, f"/brain/thoughts/{private}")
    page.get_by_role("button", name="Share…").click()
    expect(page.get_by_role("dialog")).to_contain_text("That can’t be taken back: sharing goes one way.")
    page.get_by_role("dialog").get_by_role("button", name="Keep it private").click()
    page.get_by_role("button", name="Share…").click()
    page.get_by_role("dialog").get_by_role("button", name="Share it").click()
    expect(page.locator("[data-toast]")).to_contain_text("Shared.")
    expect(page.get_by_role("button", name="Share…")).to_have_count(0)


@pytest.mark.parametrize(("width", "kind"), [(1360, "wide"), (360, "narrow")])
def test_the_map_is_walked_by_keyboard(server: Running, page: Page, width: int, kind: str) -> None:
    tread(server.mind, server.caller)
    page.set_viewport_size({"width": width, "height": 800})
    at_rest(page, "/brain/highways")
    expect(page.locator("svg.trail-map:visible")).to_have_count(1)
    assert kind in (page.locator("svg.trail-map:visible").get_attribute("class") or "")
    sizes = page.locator(f"{MAP} text").evaluate_all("all => all.map(each => each.getBoundingClientRect().height)")
    assert min(sizes) >= 11
    page.locator("#content").focus()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('a.spot')"):
            break
    first = page.evaluate("document.activeElement.getAttribute('href')")
    page.keyboard.press("Tab")
    second = page.evaluate("document.activeElement.getAttribute('href')")
    assert first != second
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{second}")


def test_a_fact_and_a_moment_are_made_thoughts_with_one_click(server: Running, page: Page) -> None:
    fact = server.call("memory_store_fact", category="decision", fact="psycopg is pinned to 3.2", confidence=0.9)
    at_rest(page, "/facts")
    page.locator(f"#f-{fact.fact.fact_id}").click()
    page.get_by_role("button", name="Make it a thought").click()
    expect(page.locator("[data-toast]")).to_contain_text("It is a thought now: the thought.")
    page.locator("[data-toast] a").click()
    page.wait_for_url("**/brain/thoughts/*")
    page.locator("#origin").click()
    page.wait_for_url(f"**/facts/{fact.fact.fact_id}")
    session = server.call("memory_start_session", project="mill").session_id
    server.call(
        "memory_flag_important", content="The vendor promised version 5 for the 3rd of May.", flag_reason="date"
    )
    at_rest(page, f"/sessions/{session}")
    page.locator("#at-1").focus()
    page.keyboard.press("t")
    expect(page.locator("[data-toast]")).to_contain_text("It is a thought now")
    page.locator("[data-toast] a").click()
    page.locator("#origin").click()
    page.wait_for_url(f"**/sessions/{session}?after=0#moment-1")
