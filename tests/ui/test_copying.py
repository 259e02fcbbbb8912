"""What a button copies is in the clipboard, or the button says that it is not."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.years import server, year

__all__ = ["server", "year"]

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("copying"), pytest.mark.usefixtures("year")]

WITHOUT_CLIPBOARD = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"
WITHOUT_COMMAND = "document.execCommand = () => false"


def test_a_button_that_is_pressed_twice_goes_back_to_its_own_words(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.clock.install()
    page.goto("/settings")
    button = page.locator("[data-copies=endpoint]")
    for _ in range(2):
        button.click()
        expect(button).to_have_text("Copied")
        page.clock.run_for(500)
    expect(page.locator("#endpoint ~ [role=status]")).to_have_text("Copied")
    page.clock.run_for(3_000)
    expect(button).to_have_text("Copy")
    expect(page.locator("#endpoint ~ [role=status]")).to_have_count(0)


def test_it_copies_where_the_browser_keeps_the_clipboard_from_pages_without_tls(page: Page) -> None:
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.add_init_script(f"window.kept = navigator.clipboard; {WITHOUT_CLIPBOARD}")
    page.goto("/settings")
    page.locator("[data-copies=endpoint]").click()
    expect(page.locator("[data-copies=endpoint]")).to_have_text("Copied")
    assert page.evaluate("kept.readText()") == page.locator("#endpoint").text_content()


def test_what_cannot_be_copied_is_selected_and_said(page: Page) -> None:
    page.add_init_script(f"{WITHOUT_CLIPBOARD}; {WITHOUT_COMMAND}")
    page.goto("/settings")
    page.locator("[data-copies=endpoint]").click()
    expect(page.locator("[data-copies=endpoint]")).to_have_text("Not copied: press Ctrl+C")
    assert page.evaluate("getSelection().toString()") == page.locator("#endpoint").text_content()
