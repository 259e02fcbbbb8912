"""What an IDE writes shows on an open page by itself."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support import lasting_port, running_server
from tests.ui.serving import Noise, Running

pytestmark = pytest.mark.browser

REFUSED = "Failed to load resource: the server responded with a status of 503 (Service Unavailable)"
PLACE = "[document.activeElement.id, window.marker]"
SEEN = """isSeen => {
    Object.defineProperty(document, "hidden", { value: !isSeen, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
}"""
NOTE_ASKING = (
    """globalThis.asked = []; document.addEventListener("htmx:beforeSend", () => asked.push(performance.now()))"""
)
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
    filled.close()
    expect(page.locator("#connection")).to_have_text("Reconnecting")
    # The browser notes it in the console, as it should.
    page.goto("about:blank")
    assert set(noise.console) <= {REFUSED}
    noise.console.clear()


def test_what_changed_while_nobody_looked_is_caught_up_with(page: Page, filled: Running) -> None:
    _open(page, "/sessions")
    listeners = len(filled.mind.store.events._listeners)
    page.evaluate(SEEN, False)
    while len(filled.mind.store.events._listeners) >= listeners:
        page.evaluate("document.hidden")  # the browser closes its stream beside this
    filled.call("memory_start_session", project="while-away")
    page.evaluate(SEEN, True)
    expect(page.locator("#list")).to_contain_text("while-away")
    page.locator("#connection[data-state=live]").wait_for()
    filled.call("memory_start_session", project="back-again")
    expect(page.locator("#list")).to_contain_text("back-again")
    assert page.evaluate("window.marker") == "kept"


def test_a_flood_of_changes_is_asked_for_about_once_a_second(page: Page, filled: Running) -> None:
    """By the page's own clock, which stands still but for our steps: how busy the machine is makes no difference."""
    page.clock.install()
    _open(page, "/sessions")
    page.clock.pause_at(datetime.now(UTC) + timedelta(seconds=10))
    page.evaluate(NOTE_ASKING)
    for number in range(60):
        filled.call("memory_start_session", project=f"flood-{number}")
    while "flood-59" not in (page.locator("#list").text_content() or ""):
        page.clock.run_for(100)
    asked = page.evaluate("asked")
    assert len(asked) > 1
    assert all(after - before >= 999 for before, after in pairwise(asked)), "milliseconds between two requests"


def test_what_is_typed_and_selected_stays(page: Page, filled: Running) -> None:
    opened = filled.call("memory_start_session")
    filled.call("memory_flag_important", content="select these words", flag_reason="first")
    _open(page, f"/sessions/{opened.session_id}")
    page.evaluate("getSelection().selectAllChildren(document.querySelector('#moment-text-1 .plain'))")
    filled.call("memory_flag_important", content="one more", flag_reason="second")
    expect(page.locator("#nav-sessions")).to_be_visible()
    filled.call("memory_store_fact", category="decision", fact="Seen beside it", confidence=0.9)
    expect(page.locator("#aside")).to_contain_text("Seen beside it")
    assert page.evaluate("String(getSelection()).trim()") == "select these words"
    expect(page.locator("#moment-2")).to_have_count(0)
    page.evaluate("getSelection().removeAllRanges()")
    expect(page.locator("#moment-2")).to_contain_text("one more")


def test_the_focus_goes_to_the_next_row_when_its_own_is_gone(page: Page, filled: Running) -> None:
    _open(page, "/sessions")
    rows = page.locator("[data-row]")
    gone, heir = (rows.nth(place).get_attribute("id") or "" for place in (3, 4))
    page.locator(f"#{gone}").focus()
    filled.call("memory_forget", id=gone.removeprefix("s-"), kind="session", confirm=True)
    expect(page.locator(f"#{gone}")).to_have_count(0)
    assert page.evaluate("document.activeElement.id") == heir


def test_a_pause_is_shown_on_every_page_and_ended_there(page: Page, filled: Running) -> None:
    _open(page, "/sessions")
    activity = filled.mind.store.host.activity
    activity.pause(paused=True)
    expect(page.locator("#paused")).to_contain_text("Paused: nothing new is remembered.")
    page.goto("/profile")
    page.locator("#connection[data-state=live]").wait_for()
    page.get_by_role("button", name="Resume").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".paused")).to_have_count(0)
    assert not activity.is_paused
    assert page.evaluate("document.activeElement !== document.body")


def test_while_the_server_is_gone_no_link_and_no_form_leaves_the_page(chromium: Browser, tmp_path: Path) -> None:
    home = tmp_path / "home"
    context = chromium.new_context()
    try:
        page = context.new_page()
        with running_server(home, BIGMIND_PORT=str(lasting_port())) as first:
            page.goto(first.call("server_sign_in_link")["url"])
            page.goto(f"{first.address}/sessions")
            page.locator("#connection[data-state=live]").wait_for()
        expect(page.locator("#connection")).to_have_text("Reconnecting")
        for link in ("#nav-facts", ".to-search"):
            page.locator(link).click()
            expect(page.locator("#toasts")).to_contain_text("BigMind is not running")
            assert page.url == f"{first.address}/sessions"
            page.evaluate("document.querySelector('#toasts').replaceChildren()")
        page.get_by_role("button", name="Sign out").click()
        expect(page.locator("#toasts")).to_contain_text("BigMind is not running")
        page.get_by_role("link", name="Skip to content").press("Enter")
        assert page.url == f"{first.address}/sessions#content"
        with running_server(home, BIGMIND_PORT=str(first.port)):
            expect(page.locator("#connection")).to_have_text("Live", timeout=20_000)
            expect(page.locator("#toasts")).to_be_empty()
            page.locator("#nav-facts").click()
            page.wait_for_url("**/facts")
    finally:
        context.close()


def test_a_link_is_followed_when_the_server_is_back_before_the_page_knows(chromium: Browser, tmp_path: Path) -> None:
    home = tmp_path / "home"
    context = chromium.new_context()
    try:
        page = context.new_page()
        with running_server(home, BIGMIND_PORT=str(lasting_port())) as first:
            page.goto(first.call("server_sign_in_link")["url"])
            page.goto(f"{first.address}/sessions")
            page.locator("#connection[data-state=live]").wait_for()
        expect(page.locator("#connection")).to_have_text("Reconnecting")
        page.route("**/events*", lambda route: route.abort())
        with running_server(home, BIGMIND_PORT=str(first.port)):
            page.locator("#nav-facts").click()
            page.wait_for_url("**/facts")
    finally:
        context.close()


def test_a_page_outlives_a_restart_of_the_server(chromium: Browser, tmp_path: Path) -> None:
    home = tmp_path / "home"
    context = chromium.new_context()
    try:
        page = context.new_page()
        with running_server(home, BIGMIND_PORT=str(lasting_port())) as first:
            page.goto(first.call("server_sign_in_link")["url"])
            page.goto(f"{first.address}/sessions")
            page.locator("#connection[data-state=live]").wait_for()
            page.evaluate("window.marker = 'kept'")
        expect(page.locator("#connection")).to_have_text("Reconnecting")
        with running_server(home, BIGMIND_PORT=str(first.port)) as second:
            assert second.port == first.port
            expect(page.locator("#connection")).to_have_text("Live", timeout=20_000)
            second.call("memory_start_session", project="after-the-restart")
            expect(page.locator("#page")).to_contain_text("after-the-restart")
            assert page.evaluate("window.marker") == "kept"
    finally:
        context.close()
