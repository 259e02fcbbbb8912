"""Everything a person does, once by mouse and once by keyboard alone: the focus is seen, and never lost."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.thorough import often, spread
from tests.ui.hands import FOCUS, Hand, Keys, Mouse
from tests.ui.rich import fill_richly
from tests.ui.serving import Noise, Running, opened, serving
from ui.page import Page as Record
from ui.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("hands")]

MOST_STOPS = often(60, 12)
FOCUS_UNTIL_THE_END = f"() => document.activeElement === document.body ? null : ({FOCUS})()"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with opened(tmp_path_factory.mktemp("hands") / "home") as memory:
        fill_richly(*memory)
        with serving(*memory) as running:
            yield running


@pytest.fixture(scope="module")
def signed_in(whole_chromium: Browser, server: Running) -> Iterator[tuple[Page, Noise]]:
    context = whole_chromium.new_context(base_url=server.url, viewport={"width": 1360, "height": 900})
    page, noise = context.new_page(), Noise(server.url)
    noise.watch(page)
    page.goto(server.link())
    yield page, noise
    context.close()


@pytest.fixture
def page(signed_in: tuple[Page, Noise]) -> Iterator[Page]:
    """Shadows the one of conftest.py: here one page serves all."""
    page, noise = signed_in
    page.set_viewport_size({"width": 1360, "height": 900})
    yield page
    assert noise.console == []
    assert noise.requests == []


@pytest.fixture
def hand(request: pytest.FixtureRequest, page: Page) -> Hand:
    return request.param(page)


def by(first: type[Hand]) -> pytest.MarkDecorator:
    """By this hand in the gate, by both in a thorough run; the other one does much of it in tests of single pages."""
    hands = sorted((Mouse, Keys), key=lambda each: each is not first)
    return pytest.mark.parametrize("hand", hands[: often(2, 1)], indirect=True, ids=lambda each: each.__name__.lower())


def at(page: Page, path: str) -> None:
    """Be on a page, at rest, where its content begins."""
    page.goto(path)
    page.locator("#connection[data-state=live]").wait_for()
    page.evaluate("document.getElementById('content').focus()")


def told(page: Page, words: str) -> None:
    expect(page.locator("#toasts .toast").last).to_contain_text(words)


@by(Keys)
def test_the_navigation_leads_to_every_page(hand: Hand) -> None:
    at(hand.page, "/profile")
    shown = [each for each in PAGES if hand.page.locator(f"#nav-{each.name}").count()]  # a person alone has no team
    for entry in (*spread(shown[1:], 4), shown[0]):
        if hand.page.evaluate("document.activeElement.matches('input')"):
            hand.page.keyboard.press("Shift+Tab")
        hand.go(entry.name, entry.key)
        hand.page.wait_for_url(f"**{entry.path}")
        expect(hand.page.locator("h1")).to_contain_text(entry.title)


@pytest.mark.parametrize("entry", spread(PAGES, 5), ids=lambda entry: entry.name)
def test_tab_goes_through_a_page_and_the_focus_is_always_seen(page: Page, entry: Record) -> None:
    at(page, entry.path)
    faults, seen = [], 0
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if (fault := page.evaluate(FOCUS_UNTIL_THE_END)) is None:
            break
        seen += 1
        faults.append(fault)
    assert seen >= 1
    assert not (found := "\n".join(dict.fromkeys(filter(None, faults)))), found


@by(Keys)
def test_sessions_are_filtered_opened_and_left_again(hand: Hand) -> None:
    page = hand.page
    at(page, "/sessions")
    hand.choose(page.locator("#topic"), "postgres")
    page.wait_for_url("**topic=postgres**")
    hand.holds()
    hand.press(page.locator("[data-row]").nth(1))
    page.wait_for_url("**/sessions/*-*")
    page.go_back()
    expect(page.locator("#topic")).to_have_value("postgres")


@by(Keys)
def test_the_keys_are_shown_and_put_away(hand: Hand) -> None:
    at(hand.page, "/facts")
    button = hand.page.get_by_role("button", name="Keys")
    hand.page.evaluate("document.activeElement.blur()")
    hand.press(button)
    dialog = hand.page.locator("#shortcuts")
    expect(dialog).to_be_visible()
    hand.press(dialog.get_by_role("button", name="Close"))
    expect(dialog).to_be_hidden()
    expect(button).to_be_focused()


@by(Keys)
def test_the_profile_is_edited_and_taken_back(hand: Hand) -> None:
    page = hand.page
    at(page, "/profile")
    before = page.locator(".who .shown h2").inner_text()
    hand.press(page.locator("#edit-profile > summary"))
    hand.write(page.locator("#role"), "Somebody else")
    hand.press(page.locator("#edit-profile").get_by_role("button", name="Save"))
    expect(page.locator(".who .shown h2")).to_have_text("Somebody else")
    hand.holds()
    hand.press(page.locator("#toasts").get_by_role("button", name="Undo").last)
    expect(page.locator(".who .shown h2")).to_have_text(before)
    hand.holds()


@by(Mouse)
def test_a_fact_is_put_away_with_a_reason(hand: Hand) -> None:
    page = hand.page
    at(page, "/facts?text=rule")
    row = page.locator("details.fact").nth(2)
    words = row.locator(".said").first.inner_text()
    hand.press(row.locator("summary").first)
    hand.press(row.get_by_role("button", name="Archive"))
    dialog = page.locator("dialog[open]")
    hand.write(dialog.get_by_label("Why"), "We agreed on another one")
    hand.press(dialog.get_by_role("button", name="Archive", exact=True))
    told(page, "Archived")
    expect(page.locator("details.fact .said", has_text=words).first).to_be_hidden()
    hand.holds()


@by(Keys)
def test_a_belief_is_resolved(hand: Hand) -> None:
    page = hand.page
    at(page, "/hypotheses")
    opener = page.locator("[data-opens^=resolve-]").nth(1)
    hand.press(opener)
    dialog = page.locator("dialog[open]")
    hand.choose(dialog.locator("[value=refuted]"), "refuted")
    hand.write(dialog.get_by_label("What showed it"), "The figures of May")
    hand.press(dialog.get_by_role("button", name="Resolve"))
    told(page, "Resolved")
    hand.holds()


@by(Mouse)
def test_an_entry_is_approved(hand: Hand) -> None:
    page = hand.page
    at(page, "/knowledge")
    row = page.locator(".waiting").nth(1)
    title = row.locator("[data-row]").inner_text()
    hand.press(row.get_by_role("button", name="Approve"))
    dialog = page.locator("dialog[open]")
    hand.write(dialog.get_by_label("Notes"), "Holds for everybody")
    hand.press(dialog.get_by_role("button", name="Approve"))
    told(page, "Approved")
    expect(page.locator(".waiting [data-row]", has_text=title)).to_have_count(0)
    hand.holds()


@by(Mouse)
def test_the_look_is_chosen(hand: Hand) -> None:
    page = hand.page
    at(page, "/settings")
    for theme, scheme in (("dark", "dark"), ("light", "light"), ("system", "light dark")):
        hand.press(page.locator(f"#theme-{theme}"))
        expect(page.locator(f"#theme-{theme}")).to_have_attribute("aria-pressed", "true")
        expect(page.locator("html")).to_have_css("color-scheme", scheme)
        hand.holds()


@by(Keys)
def test_the_health_is_checked(hand: Hand) -> None:
    at(hand.page, "/health")
    hand.press(hand.page.locator("#check"))
    expect(hand.page.locator("#findings .finding").first).to_be_visible()
    hand.holds()


@by(Mouse)
def test_a_backup_is_made(hand: Hand) -> None:
    at(hand.page, "/portable")
    hand.press(hand.page.get_by_role("button", name="New backup now"))
    expect(hand.page.locator(".job.done").first).to_be_visible()
    hand.holds()


@by(Keys)
def test_something_is_found_and_opened(hand: Hand) -> None:
    page = hand.page
    at(page, "/search")
    hand.write(page.locator("#q"), "importer")
    expect(page.locator("#found [data-row]").first).to_be_visible()
    hand.press(page.locator("#found [data-row]").first)
    page.wait_for_url(lambda address: "/search" not in address)


@by(Keys)
def test_a_narrow_window_has_a_menu(hand: Hand) -> None:
    page = hand.page
    page.set_viewport_size({"width": 360, "height": 800})
    at(page, "/profile")
    page.evaluate("document.activeElement.blur()")
    hand.press(page.locator("#menu"))
    expect(page.locator("#nav")).to_be_visible()
    hand.press(page.locator("#nav-facts"))
    page.wait_for_url("**/facts")
