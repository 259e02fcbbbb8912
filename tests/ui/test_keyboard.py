"""Everything can be reached without a mouse."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.serving import Running
from tests.ui.years import server, year

__all__ = ["server", "year"]

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("keyboard")]

AT = "[...document.querySelectorAll('[data-row]')].indexOf(document.activeElement)"


@pytest.mark.usefixtures("year")
def test_g_and_a_letter_go_to_a_page(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.wait_for_url("**/sessions")
    page.keyboard.press("g")
    page.keyboard.press("p")
    page.wait_for_url("**/profile")


def test_a_question_mark_lists_the_keys_and_escape_closes_the_list(page: Page, year: Running) -> None:
    page.goto("/")
    page.keyboard.press("?")
    dialog = page.locator("dialog")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Keys").click()
    dialog.get_by_role("button", name="Close").click()
    expect(dialog).to_be_hidden()
    assert page.url.rstrip("/") == year.url


@pytest.mark.usefixtures("year")
def test_j_and_k_move_through_the_list_and_enter_opens(page: Page) -> None:
    page.goto("/sessions")
    for key, place in (("j", 0), ("j", 1), ("j", 2), ("k", 1), ("k", 0), ("k", 0)):
        page.keyboard.press(key)
        assert page.evaluate(AT) == place
    headline = page.locator(".headline").first.text_content()
    page.keyboard.press("Enter")
    page.wait_for_url("**/sessions/*")
    expect(page.locator("h1")).to_contain_text(headline or "")


@pytest.mark.usefixtures("year")
@pytest.mark.parametrize("path", ["/sessions", "/hypotheses"])
def test_back_from_what_a_row_opened_the_focus_is_on_that_row(page: Page, path: str) -> None:
    page.goto(path)
    row = page.locator("a[data-row]").nth(2)
    row.focus()
    followed = row.get_attribute("id")
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: not url.endswith(path))
    page.go_back()
    page.wait_for_function("id => document.activeElement.id === id", arg=followed)
    page.reload()
    assert page.evaluate("document.activeElement.id") != followed


@pytest.mark.usefixtures("year")
def test_j_at_the_end_loads_more_and_goes_on(page: Page) -> None:
    page.goto("/sessions")
    page.locator("[data-row]").nth(40).focus()
    page.keyboard.press("j")
    expect(page.locator("[data-row]")).to_have_count(81)
    page.keyboard.press("j")
    assert page.evaluate(AT) == 41


@pytest.mark.usefixtures("year")
def test_the_button_that_loads_more_hands_the_focus_to_the_first_new_row(page: Page) -> None:
    page.goto("/sessions")
    page.locator("#load-more").focus()
    page.keyboard.press("Enter")
    expect(page.locator("[data-row]")).to_have_count(81)
    page.wait_for_function(f"() => {AT} === 41")


@pytest.mark.usefixtures("year")
def test_keys_typed_into_a_field_are_text(page: Page) -> None:
    page.goto("/sessions")
    page.locator("#project").focus()
    page.keyboard.press("g")
    page.keyboard.press("p")
    expect(page.locator("#project")).to_be_focused()
    assert "/sessions" in page.url


@pytest.mark.usefixtures("year")
def test_the_first_tab_skips_to_the_content_and_focus_is_seen(page: Page) -> None:
    page.goto("/")
    page.keyboard.press("Tab")
    skip = page.get_by_text("Skip to content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("Tab")
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


@pytest.mark.usefixtures("year")
def test_in_a_narrow_window_a_menu_unfolds_and_escape_folds_it(page: Page) -> None:
    page.goto("/")
    page.set_viewport_size({"width": 360, "height": 700})
    menu = page.get_by_role("button", name="Menu")
    expect(page.locator("#nav")).to_be_hidden()
    menu.focus()
    page.keyboard.press("Enter")
    expect(menu).to_have_attribute("aria-expanded", "true")
    expect(page.locator("#nav-settings")).to_be_in_viewport()
    page.keyboard.press("Tab")
    expect(page.locator("#nav-profile")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#nav")).to_be_hidden()
    expect(menu).to_be_focused()


@pytest.mark.usefixtures("year")
def test_the_year_is_one_stop_and_arrows_go_from_day_to_day(page: Page) -> None:
    page.goto("/")
    page.locator("#heat").focus()
    page.keyboard.press("ArrowLeft")
    day = page.locator("#heat a[data-chosen]")
    latest = day.get_attribute("href")
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#heat-day")).to_contain_text("Enter opens it")
    earlier = day.get_attribute("href") or ""
    assert latest
    assert earlier < latest
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{earlier}")


@pytest.mark.usefixtures("year")
def test_each_page_lists_its_own_letters(page: Page) -> None:
    keys = page.locator("#shortcuts .keys")
    for path, letters in (("/knowledge", ("n",)), ("/hypotheses", ("n", "f", "r")), ("/facts", ("n", "f"))):
        page.goto(path)
        page.keyboard.press("?")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        for letter in letters:
            expect(keys.locator("tr:not(:has-text('g'))").get_by_text(letter, exact=True)).to_have_count(1)


@pytest.mark.usefixtures("year")
def test_escape_empties_a_filter_and_then_leaves_it(page: Page) -> None:
    page.goto("/hypotheses")
    page.keyboard.press("f")
    field = page.locator("#text")
    expect(field).to_be_focused()
    page.keyboard.type("order")
    page.keyboard.press("Escape")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("main")).to_be_focused()
    page.keyboard.press("n")
    expect(page.locator("#add")).to_be_visible()


@pytest.mark.usefixtures("filled")
def test_control_and_enter_save_and_the_focus_is_on_edit_again_also_after_undo(page: Page) -> None:
    page.goto("/profile")
    page.keyboard.press("e")
    page.locator("#preferences").fill("Tabs, not spaces")
    page.keyboard.press("Control+Enter")
    edit = page.locator("#edit-profile > summary")
    expect(page.locator("#who")).to_contain_text("Tabs, not spaces")
    expect(edit).to_be_focused()
    page.get_by_role("button", name="Undo").press("Enter")
    expect(page.locator("#who")).not_to_contain_text("Tabs, not spaces")
    expect(edit).to_be_focused()


@pytest.mark.usefixtures("filled")
def test_control_and_enter_save_from_the_fields_beside_the_text_too(page: Page) -> None:
    page.goto("/facts")
    page.keyboard.press("n")
    page.get_by_label("What is true").fill("The staging cluster is called heron")
    page.locator("#add").get_by_label("Category").fill("codebase")
    page.keyboard.press("Control+Enter")
    expect(page.locator("[data-toast]")).to_contain_text("heron")


@pytest.mark.usefixtures("year")
@pytest.mark.parametrize("path", ["/hypotheses", "/knowledge", "/work"])
def test_escape_leads_from_a_dialog_that_a_letter_opened_to_its_button(page: Page, path: str) -> None:
    page.goto(path)
    page.keyboard.press("n")
    expect(page.locator("dialog#add :is(textarea, input):focus")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("[data-opens=add]:visible").first).to_be_focused()


@pytest.mark.usefixtures("filled")
def test_z_takes_back_what_was_done_last_and_the_focus_stays(page: Page) -> None:
    page.goto("/profile")
    page.keyboard.press("e")
    page.locator("#preferences").fill("Tabs, not spaces")
    page.keyboard.press("Control+Enter")
    expect(page.locator("#who")).to_contain_text("Tabs, not spaces")
    page.keyboard.press("z")
    expect(page.locator("[data-toast]").last).to_contain_text("Undone.")
    expect(page.locator("#who")).not_to_contain_text("Tabs, not spaces")
    expect(page.locator("#edit-profile > summary")).to_be_focused()


@pytest.mark.usefixtures("year")
def test_words_that_were_typed_go_with_the_second_escape_alone(page: Page) -> None:
    page.goto("/facts")
    page.keyboard.press("n")
    text = page.get_by_label("What is true")
    expect(text).to_be_focused()
    page.keyboard.type("A thought of ten minutes")
    page.keyboard.press("Escape")
    expect(page.locator("#toasts")).to_have_text("You have unsaved changes. Press Esc again to discard them.")
    expect(text).to_be_focused()
    page.keyboard.type(" and one")
    expect(page.locator("[data-toast]")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(text).to_have_value("A thought of ten minutes and one")
    page.keyboard.press("Escape")
    expect(text).to_be_hidden()
    expect(page.locator("[data-toast]")).to_have_count(0)
    page.keyboard.press("n")
    expect(text).to_have_value("")
    page.keyboard.press("Escape")
    expect(text).to_be_hidden()


@pytest.mark.usefixtures("year")
def test_escape_that_ends_the_putting_together_of_a_letter_closes_nothing(page: Page) -> None:
    page.goto("/facts")
    page.keyboard.press("n")
    text = page.get_by_label("What is true")
    expect(text).to_be_focused()
    text.dispatch_event("keydown", {"key": "Escape", "isComposing": True, "bubbles": True})
    expect(text).to_be_visible()


def test_single_keys_can_be_switched_off_and_what_is_no_single_key_still_works(page: Page, new_server: Running) -> None:
    page.goto("/settings")
    page.get_by_role("switch", name="Single-key shortcuts").click()
    expect(page.get_by_role("switch", name="Single-key shortcuts")).to_have_attribute("aria-checked", "false")
    assert 'single_keys = "off"' in (new_server.mind.store.home / "settings.toml").read_text()
    page.goto("/facts")
    expect(page.locator("kbd:visible")).to_have_count(0)
    expect(page.locator("[aria-keyshortcuts]")).to_have_count(0)
    for key in ("?", "/", "g", "s", "n", "f"):
        page.keyboard.press(key)
    assert page.url == f"{new_server.url}/facts"
    expect(page.locator("dialog[open], #add[open], .ahead")).to_have_count(0)
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#shortcuts")).to_contain_text("Single-key shortcuts are off.")
    assert page.locator("#shortcuts kbd:visible").all_text_contents() == ["↓", "Enter", "Ctrl", "Enter", "Esc"]
    page.keyboard.press("Escape")
    page.locator("#add > summary").click()
    page.keyboard.type("The staging database is reset at noon")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".fact-row")).to_have_count(1)
