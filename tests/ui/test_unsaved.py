"""Words that were typed and not sent are not left without a question; what was sent is asked about no more."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, expect

from tests.ui.conftest import SEE_OTHER
from tests.ui.serving import Running
from tests.ui.test_brain_browser import REFUNDS, STAGING, stated

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("unsaved")]

WORDS = "The staging database is reset at noon"


@pytest.fixture
def page(context: BrowserContext, server: Running) -> Page:
    """A page that is signed in; what it asks is answered by each test."""
    assert context.request.get(server.link(), max_redirects=0).status == SEE_OTHER
    return context.new_page()


@pytest.fixture
def asked(page: Page) -> Iterator[list[str]]:
    """The kinds of questions that were asked, and answered with yes."""
    heard: list[str] = []

    def leave(dialog: Dialog) -> None:
        heard.append(dialog.type)
        dialog.accept()

    page.on("dialog", leave)
    yield heard
    page.remove_listener("dialog", leave)


def stay(page: Page, how: str) -> None:
    """Go away by a script, be asked, and stay."""
    with page.expect_event("dialog") as told:
        page.evaluate(f"() => {{ setTimeout(() => {how}) }}")
    assert told.value.type == "beforeunload"
    told.value.dismiss()


def test_typed_words_are_not_lost_by_a_reload_or_a_link(page: Page) -> None:
    page.goto("/facts")
    page.keyboard.press("n")
    page.keyboard.type(WORDS)
    for how in ("location.reload()", "document.getElementById('nav-brain').click()", "location.assign('/sessions')"):
        stay(page, how)
        assert page.url.endswith("/facts")
        expect(page.locator("#add textarea")).to_have_value(WORDS)


def test_what_was_sent_or_thrown_away_is_left_without_a_question(page: Page, asked: list[str]) -> None:
    page.goto("/facts")
    page.keyboard.press("n")
    page.keyboard.type(WORDS)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".fact-row")).to_have_count(1)
    page.goto("/facts")
    page.keyboard.press("n")
    page.keyboard.type("Thrown away")
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    page.goto("/settings")
    page.get_by_label("Name shown").fill("Ada Lovelace")
    page.keyboard.press("Enter")
    expect(page.locator("#toasts")).to_contain_text("Saved.")
    page.goto("/work")
    assert asked == []
    page.keyboard.press("n")
    page.keyboard.type("Round refunds")
    page.goto("/facts")
    assert asked == ["beforeunload"]


def test_what_leads_elsewhere_once_it_is_done_does_not_ask(page: Page, server: Running, asked: list[str]) -> None:
    page.goto(f"/brain/merge?id={stated(server, REFUNDS)}&id={stated(server, STAGING)}")
    page.locator("#text-merge").fill(
        "Refunds need the idempotency key, and the staging database is reset at 02:00 UTC."
    )
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/brain/queue")
    assert asked == []


def test_a_field_that_was_drawn_larger_leaves_no_error_of_the_policy(page: Page, server: Running) -> None:
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    fact = server.call("memory_store_fact", fact=WORDS, category="preference")
    page.goto(f"/facts/{fact.fact.fact_id}")
    page.locator("#connection[data-state=live]").wait_for()
    page.keyboard.press("e")
    page.locator("textarea").first.evaluate("field => { field.style.height = '200px' }")  # as its corner does
    page.keyboard.press("Escape")
    server.call("memory_edit_fact", fact_id=fact.fact.fact_id, fact="The staging database is reset at night")
    expect(page.locator("main")).to_contain_text("reset at night")
    assert errors == []


@pytest.mark.parametrize("path", ["/facts", "/knowledge", "/work", "/hypotheses"])
def test_the_field_has_the_focus_as_soon_as_its_key_was_pressed(page: Page, path: str) -> None:
    """What is typed right behind it went to the page, as keys, and was missing from the words."""
    page.goto(path)
    at_once = """() => {
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'n', bubbles: true, cancelable: true }));
        return document.activeElement.matches('input, textarea, select');
    }"""
    assert page.evaluate(at_once)
