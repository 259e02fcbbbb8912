"""Search as a person uses it: typing, keys, going back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support import Server, process_wait, running_server
from tests.thorough import THOROUGH, crossed
from tests.ui.data import EVIL
from tests.ui.searched import searched
from tests.ui.serving import ARTEFACTS, Noise, Running

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("search")]

LETTERS = """word => [...word].forEach((letter, place) => {
    const field = document.getElementById("q");
    field.value = word.slice(0, place + 1);
    field.dispatchEvent(new InputEvent("input", { bubbles: true }));
})"""
FOCUSED = "document.activeElement.id"
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """One for all of the tests here: what they add to it, none of the others looks for."""
    with searched(tmp_path_factory.mktemp("searched") / "home") as running:
        yield running


def _open(page: Page, path: str = "/search") -> None:
    page.goto(path)
    page.locator("#connection[data-state=live]").wait_for()
    page.evaluate("window.marker = 'kept'")


def test_results_come_while_typing_without_a_reload(page: Page, noise: Noise) -> None:
    _open(page)
    expect(page.locator("#q")).to_be_focused()
    navigations = list(noise.navigations)
    page.keyboard.insert_text("psycopg")
    expect(page.locator(".hit")).to_have_count(4)
    expect(page.locator("#found-count")).to_have_text("4 found, best first")
    expect(page.locator("mark").first).to_have_text("psycopg")
    page.wait_for_url("**/search?q=psycopg")
    page.keyboard.insert_text(" debug level")
    page.wait_for_url("**/search?q=psycopg+debug+level")
    expect(page.locator(".hit").first).to_contain_text("at debug level")
    page.locator("#q").fill("")
    expect(page.locator("#found")).to_contain_text("Ask the way you would ask a colleague")
    page.wait_for_url("**/search")
    expect(page.locator("#q")).to_be_focused()
    assert page.evaluate("window.marker") == "kept"
    assert noise.navigations == navigations


def test_back_from_a_hit_the_focus_is_on_that_hit(page: Page) -> None:
    _open(page)
    page.keyboard.insert_text("psycopg")
    page.wait_for_url("**/search?q=psycopg")
    expect(page.locator(".hit")).to_have_count(4)
    for key in ("ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    followed = page.evaluate(FOCUSED)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda address: "/search" not in address)
    page.go_back()
    assert followed.startswith("hit-")
    page.wait_for_function(f"id => {FOCUSED} === id", arg=followed)


def test_a_burst_of_letters_is_one_question(page: Page) -> None:
    _open(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/search?" in request.url else None)
    page.evaluate(LETTERS, "psycopg")
    expect(page.locator(".hit")).to_have_count(4)
    assert len(asked) == 1
    assert asked[0].endswith("?q=psycopg&kind=&project=&since=")


def test_a_newer_question_ends_the_older_request(page: Page) -> None:
    _open(page)

    def never_answered(route: Route) -> None:
        del route

    page.route("**/search?q=routine*", never_answered)
    with page.expect_request("**/search?q=routine*"):
        page.locator("#q").fill("routine")
    with page.expect_event("requestfailed") as aborted:
        page.locator("#q").fill("psycopg")
    assert "q=routine" in aborted.value.url
    expect(page.locator(".hit")).to_have_count(4)
    expect(page.locator("mark").first).to_have_text("psycopg")


def test_a_filter_is_a_step_that_back_takes_back(page: Page) -> None:
    _open(page, "/search?q=psycopg")
    page.get_by_label("Facts").check()
    expect(page.locator(".hit")).to_have_count(1)
    page.wait_for_url("**/search?q=psycopg&kind=fact")
    page.get_by_label("All", exact=True).check()
    page.wait_for_url("**/search?q=psycopg")
    page.get_by_label("Project").select_option("platform-tools")
    expect(page.locator(".hit")).to_have_count(1)
    page.wait_for_url("**/search?q=psycopg&project=platform-tools")
    page.get_by_label("Since").select_option("A week ago")
    page.wait_for_url("**/search?q=psycopg&project=platform-tools&since=week")
    assert page.evaluate("window.marker") == "kept"
    for address, label, count in (
        ("?q=psycopg&project=platform-tools", "All", 1),
        ("?q=psycopg", "All", 4),
        ("?q=psycopg&kind=fact", "Facts", 1),
        ("?q=psycopg", "All", 4),
    ):
        page.locator("html").evaluate("(page) => { page.dataset.before = ''; history.back() }")
        page.wait_for_url(f"**/search{address}")
        expect(page.locator("html[data-before]")).to_have_count(0)  # another page by now
        expect(page.get_by_label(label, exact=True)).to_be_checked()
        expect(page.locator(".hit")).to_have_count(count)
        page.locator("#connection[data-state=live]").wait_for()
        page.evaluate("window.marker = 'kept'")


def test_a_result_leads_to_its_moment_and_back_to_the_results(page: Page) -> None:
    _open(page)
    page.keyboard.insert_text("chose psycopg over asyncpg")
    page.wait_for_url("**/search?q=chose+psycopg+over+asyncpg")
    page.locator(".hit-moments a", has_text="We chose psycopg 3").click()
    page.wait_for_url("**/sessions/*#moment-61")
    expect(page.locator("#moment-61")).to_be_in_viewport()
    expect(page.locator("#moment-61")).to_contain_text("We chose psycopg 3 over asyncpg")
    page.go_back()
    expect(page.locator("#q")).to_have_value("chose psycopg over asyncpg")
    expect(page.locator(".hit").first).to_contain_text("We chose psycopg 3")


def test_slash_reaches_the_field_from_everywhere(page: Page) -> None:
    _open(page, "/sessions")
    page.keyboard.press("/")
    page.wait_for_url("**/search")
    expect(page.locator("#q")).to_be_focused()
    expect(page.locator("#q")).to_have_value("")
    _open(page, "/search?q=psycopg")
    page.keyboard.press("/")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type("a/b")
    expect(page.locator("#q")).to_have_value("a/b")


@pytest.mark.parametrize("milliseconds", [0, 40, 200])
def test_what_is_typed_at_once_behind_the_slash_is_searched_whole(page: Page, milliseconds: int) -> None:
    _open(page, "/sessions")
    page.keyboard.type("/psycopg debug", delay=milliseconds)
    page.wait_for_url("**/search?q=psycopg+debug")
    expect(page.locator("#q")).to_have_value("psycopg debug")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.type(" level")
    page.wait_for_url("**/search?q=psycopg+debug+level")


def test_escape_leaves_the_search_that_a_slash_began_and_enter_begins_it_at_once(page: Page) -> None:
    _open(page, "/sessions")
    page.keyboard.press("/")
    page.keyboard.press("Escape")
    expect(page.locator(".ahead")).to_have_count(0)
    page.keyboard.type("/psycopg\n")
    page.wait_for_url("**/search?q=psycopg")


def test_arrows_move_through_the_results_and_enter_opens_one(page: Page) -> None:
    _open(page)
    page.keyboard.insert_text("psycopg")
    expect(page.locator(".hit")).to_have_count(4)
    rows = page.locator("#found [data-row]")
    for key, place in (("ArrowDown", 0), ("ArrowDown", 1), ("ArrowUp", 0), ("j", 1), ("k", 0)):
        page.keyboard.press(key)
        expect(rows.nth(place)).to_be_focused()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("ArrowUp")
    expect(page.locator("#q")).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/sessions/*")


def test_more_results_are_shown_and_the_keyboard_goes_on_there(page: Page, server: Running) -> None:
    for number in range(45):
        server.call("memory_add_hypothesis", hypothesis=f"parrot number {number} sings")
    _open(page, "/search?q=parrot+number")
    expect(page.locator(".hit")).to_have_count(20)
    page.locator("[data-row]").nth(19).focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".hit")).to_have_count(40)
    expect(page.locator("[data-row]").nth(19)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("[data-row]").nth(20)).to_be_focused()
    expect(page.locator("#q")).to_have_value("parrot number")


def test_what_an_assistant_keeps_meanwhile_joins_the_results(page: Page, server: Running) -> None:
    _open(page, "/search?q=statement")
    page.locator("[data-row]").first.focus()
    focused = page.evaluate(FOCUSED)
    server.call("memory_store_fact", category="decision", fact="Each statement is timed, everywhere", confidence=0.9)
    expect(page.locator(".hit")).to_have_count(2)
    expect(page.locator("#found-count")).to_have_text("2 found, best first")
    assert page.evaluate(FOCUSED) == focused
    assert page.evaluate("window.marker") == "kept"


def test_what_cannot_be_looked_for_is_said_where_its_results_would_stand(page: Page, noise: Noise) -> None:
    _open(page)
    page.evaluate("document.getElementById('project').options[1].value = 'x'.repeat(300)")
    page.locator("#q").fill("psycopg")
    expect(page.locator(".hit")).to_have_count(4)
    page.get_by_label("Project").select_option(index=1)
    expect(page.locator("#found .fault")).to_contain_text("at most 200 characters")
    page.get_by_label("Project").select_option(index=0)
    expect(page.locator(".hit")).to_have_count(4)
    assert [each for each in noise.console if "422" not in each] == []
    noise.console.clear()


def test_a_search_that_fails_says_so(page: Page, noise: Noise) -> None:
    _open(page)
    page.route("**/search?q=*", lambda route: route.fulfill(status=500, body="{}"))
    page.locator("#q").fill("psycopg")
    expect(page.locator("#found-count")).to_contain_text("This search failed")
    page.unroute("**/search?q=*")
    page.locator("#q").press("Enter")
    expect(page.locator("#found-count")).to_have_text("4 found, best first")
    noise.console.clear()


def test_more_than_the_field_takes_is_cut_and_answered(page: Page) -> None:
    _open(page)
    page.keyboard.insert_text("psycopg " + "連" * 100_000)
    expect(page.locator(".hit").first).to_contain_text("psycopg")
    assert page.evaluate("document.getElementById('q').value.length") == 5_000


def test_no_markup_from_memory_becomes_an_element(page: Page) -> None:
    _open(page)
    page.keyboard.insert_text("zebra")
    expect(page.locator(".hit")).to_have_count(3)
    expect(page.locator("#found")).to_contain_text(EVIL)
    page.goto("/search?q=ignore+previous+instructions")
    expect(page.locator(".hit .chip.warn")).to_have_count(1)
    assert page.locator("main img, #found b, #found script, #found code").count() == 0


def test_it_works_without_javascript(chromium: Browser, server: Running) -> None:
    context = chromium.new_context(base_url=server.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(server.link())
    page.get_by_role("link", name="Search", exact=True).click()
    page.get_by_label("What are you looking for?").fill("psycopg")
    page.get_by_label("Moments").check()
    page.get_by_role("button", name="Search").click()
    page.wait_for_url("**/search?q=psycopg&kind=moment**")
    expect(page.locator(".hit")).to_have_count(2)
    page.locator(".hit", has_text="Settled").locator(".hit-moments a").click()
    expect(page.locator("#moment-61")).to_be_visible()
    context.close()


@pytest.mark.parametrize(("width", "scheme"), crossed((360, 1360, 2560), ("light", "dark")))
def test_the_page_fits_its_window_in_both_themes(
    chromium: Browser, server: Running, noise: Noise, scheme: str, width: int
) -> None:
    context = chromium.new_context(base_url=server.url, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    noise.watch(page)
    page.goto(server.link())
    states = {"empty": "", "results": "?q=psycopg", "nothing": "?q=gnu&kind=fact", "flagged": "?q=zebra"}
    for name, query in states.items():
        _open(page, f"/search{query}")
        assert page.evaluate(OVERFLOW) == 0, name
        if THOROUGH:
            page.screenshot(path=ARTEFACTS / f"search-{name}-{scheme}-{width}.png", full_page=width < 2000)
    context.close()


@contextmanager
def _with_meaning(home: Path) -> Iterator[Server]:
    """A server of its own whose three moments have their vectors."""
    with running_server(home, BIGMIND_MEANING="on") as server:
        server.call("memory_start_session", project="home")
        for content in (
            "The cat sleeps on the keyboard all day",
            "Invoices are sent on the last Friday of the month",
            "The dashboard shows waiting requests",
        ):
            server.call("memory_flag_important", content=content, flag_reason="kept")
        while server.call("memory_get_stats")["waiting"] and server.process.poll() is None:
            process_wait(server.process, 0.1)
        yield server


def test_other_words_for_the_same_find_a_moment(chromium: Browser, tmp_path: Path) -> None:
    with _with_meaning(tmp_path / "home") as server:
        context = chromium.new_context(base_url=server.address)
        page = context.new_page()
        noise = Noise(server.address)
        noise.watch(page)
        page.goto(server.call("server_sign_in_link")["url"])
        _open(page)
        page.keyboard.insert_text("a pet lying on the computer")
        first = page.locator(".hit").first
        expect(first).to_contain_text("The cat sleeps on the keyboard", timeout=30_000)
        expect(page.locator("#found")).not_to_contain_text("by words only")
        context.close()
        assert (noise.console, noise.requests) == ([], [])
