"""A sign-in that ends while somebody types: nothing that was typed is lost."""

from playwright.sync_api import BrowserContext, Page, expect

from tests.ui.serving import Noise, Running

TEXT = "The queue is Redis, and that took an hour to find out"


def _only_refusals(noise: Noise) -> None:
    """The browser tells of each refusal."""
    assert [each for each in noise.console if "401" not in each] == []
    noise.console.clear()


def _typed(page: Page) -> None:
    page.goto("/facts")
    page.keyboard.press("n")
    page.get_by_label("What is true").fill(TEXT)


def test_what_was_typed_stays_and_is_saved_after_signing_in_again(
    server: Running, page: Page, context: BrowserContext, noise: Noise
) -> None:
    _typed(page)
    context.clear_cookies()
    page.get_by_label("What is true").press("Control+Enter")
    said = page.locator("#add .fault")
    expect(said).to_contain_text("You are signed out; nothing was saved.")
    expect(page).to_have_url(f"{server.url}/facts")
    expect(page.get_by_label("What is true")).to_have_value(TEXT)
    with context.expect_page() as opened:
        said.get_by_role("link").click()
    expect(opened.value).to_have_url(f"{server.url}/sign-in")
    page.bring_to_front()
    page.get_by_label("What is true").press("Control+Enter")
    expect(said).to_contain_text("You are signed out; nothing was saved.")
    opened.value.get_by_label("paste the link").fill(server.link())
    opened.value.get_by_role("button", name="Sign in").click()
    expect(opened.value).to_have_url(f"{server.url}/")
    page.bring_to_front()
    page.get_by_label("What is true").press("Control+Enter")
    expect(page.locator("[data-toast]")).to_contain_text("Added")
    assert [each.fact for each in server.call("memory_list_facts").facts] == [TEXT]
    _only_refusals(noise)


def test_a_page_that_asks_for_itself_takes_no_text_away(
    server: Running, page: Page, context: BrowserContext, noise: Noise
) -> None:
    _typed(page)
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    context.clear_cookies()
    server.call("memory_store_fact", category="decision", fact="Another one")
    expect(page.locator("[data-toast]")).to_contain_text("You are signed out")
    expect(page.get_by_label("What is true")).to_have_value(TEXT)
    _only_refusals(noise)


def test_where_nothing_is_typed_the_page_asks_to_sign_in_and_comes_back(
    server: Running, page: Page, context: BrowserContext, noise: Noise
) -> None:
    page.goto("/facts?category=decision")
    expect(page.locator("#connection")).to_have_attribute("data-state", "live")
    context.clear_cookies()
    server.call("memory_store_fact", category="decision", fact="Another one")
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    page.get_by_label("paste the link").fill(server.link())
    page.get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(f"{server.url}/facts?category=decision")
    _only_refusals(noise)


def test_what_was_typed_goes_into_nobody_elses_memory(
    server: Running, page: Page, context: BrowserContext, noise: Noise
) -> None:
    _typed(page)
    page.evaluate("document.querySelector('.whose').dataset.user = 'bob'")  # the page is another member's
    context.clear_cookies()
    page.get_by_label("What is true").press("Control+Enter")
    said = page.locator("#add .fault")
    expect(said).to_contain_text("You are signed out; nothing was saved.")
    other = context.new_page()
    other.goto(server.link())
    expect(other).to_have_url(f"{server.url}/")
    page.bring_to_front()
    page.get_by_label("What is true").press("Control+Enter")
    expect(said).to_contain_text("Somebody else is signed in by now; nothing was saved.")
    expect(page.get_by_label("What is true")).to_have_value(TEXT)
    assert server.call("memory_list_facts").facts == []
    _only_refusals(noise)
