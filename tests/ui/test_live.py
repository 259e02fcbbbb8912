"""What an IDE writes shows on an open page by itself."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.serving import Noise, Running

pytestmark = pytest.mark.browser

REFUSED = "Failed to load resource: the server responded with a status of 503 (Service Unavailable)"
PLACE = "[document.activeElement.id, window.marker]"
TOP = "document.activeElement.getBoundingClientRect().top"


def _open(page: Page, path: str) -> None:
    page.goto(path)
    page.locator("#connection[data-state=live]").wait_for()
    page.evaluate("window.marker = 'kept'")


def test_a_new_fact_appears_on_the_profile_without_a_reload(page: Page, filled: Running, noise: Noise) -> None:
    _open(page, "/")
    page.locator(".recent .headline").nth(2).focus()
    before = page.evaluate(PLACE)
    navigations = list(noise.navigations)
    filled.call("memory_store_fact", category="decision", fact="Uses uv for everything <b>new</b>", confidence=0.9)
    expect(page.locator("#learned")).to_contain_text("Uses uv for everything <b>new</b>")
    expect(page.locator("#totals")).to_contain_text("7")
    assert page.evaluate(PLACE) == before
    assert noise.navigations == navigations


def test_a_part_that_did_not_change_is_left_alone(page: Page, filled: Running) -> None:
    _open(page, "/")
    page.evaluate("document.getElementById('hypotheses').mark = 'same element'")
    filled.call("memory_store_fact", category="decision", fact="Another fact", confidence=0.9)
    expect(page.locator("#learned")).to_contain_text("Another fact")
    assert page.evaluate("document.getElementById('hypotheses').mark") == "same element"


def test_an_empty_profile_fills_itself_with_the_first_conversation(page: Page, server: Running) -> None:
    _open(page, "/")
    expect(page.locator("#connect-title")).to_be_visible()
    server.call("memory_start_session", project="first-project")
    expect(page.locator("#recent")).to_contain_text("first-project")
    expect(page.locator("#nav-sessions .count")).to_have_text("1")
    server.call("memory_store_fact", category="decision", fact="Known from now on", confidence=0.9)
    expect(page.locator("#learned")).to_contain_text("Known from now on")


def test_the_list_keeps_its_loaded_rows_its_filter_and_its_place(page: Page, filled: Running) -> None:
    _open(page, "/sessions?topic=postgres")
    page.locator("#load-more").click()
    expect(page.locator("[data-row]")).to_have_count(80)
    page.locator("[data-row]").nth(60).focus()
    before, top = page.evaluate(PLACE), page.evaluate(TOP)
    filled.call("memory_start_session", topics=["postgres"])
    filled.call("memory_end_session", one_liner="Live one", topics=["postgres"], outcome="Seen at once")
    expect(page.locator(".headline").first).to_have_text("Live one")
    expect(page.locator("[data-row]")).to_have_count(80)
    assert page.evaluate(PLACE) == before
    assert abs(page.evaluate(TOP) - top) < 2, "the row stays where it stood in the window"
    assert page.url.endswith("/sessions?topic=postgres")


def test_an_open_session_gains_its_moments_and_keeps_unfolded_ones(page: Page, filled: Running) -> None:
    opened = filled.call("memory_start_session")
    filled.call("memory_flag_important", content="long " * 400 + "the end", flag_reason="a long one")
    _open(page, f"/sessions/{opened.session_id}")
    page.get_by_text("Show all 2,007 characters").click()
    expect(page.locator("#moment-text-1")).to_contain_text("the end")
    filled.call("memory_flag_important", content="And a short one", flag_reason="second")
    expect(page.locator("#moment-2")).to_contain_text("And a short one")
    expect(page.locator("#moment-text-1")).to_contain_text("the end")
    expect(page.locator("#moments .note")).to_have_text("2")


def test_the_status_says_when_the_connection_is_lost(page: Page, filled: Running, noise: Noise) -> None:
    _open(page, "/")
    filled.ui.close()
    expect(page.locator("#connection")).to_have_text("Reconnecting")
    # The browser and the extension both note it in the console, as they should.
    page.goto("about:blank")
    assert set(noise.console) <= {"[object Event]", REFUSED}
    noise.console.clear()
