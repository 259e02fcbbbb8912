"""Texts of every script and length run as their first letter does, and stay within what they stand in."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.ui.serving import Running
from tests.ui.work_items import runner

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("scripts")]

HEBREW = "מסד הנתונים מאופס בכל לילה, ולכן הגירה נעלמת בבוקר."
CHINESE = "数据库每天晚上都会被重置因此迁移会消失" * 40
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
BEGINS_AT_THE_RIGHT = """element => {
  const range = document.createRange();
  const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
  range.setStart(text, 0);
  range.setEnd(text, 1);
  return element.getBoundingClientRect().right - range.getBoundingClientRect().right < 12;
}"""


def as_fact(server: Running) -> tuple[str, str]:
    server.call("memory_store_fact", fact=HEBREW, category="preference")
    return "/facts", ".fact .said"


def as_role(server: Running) -> tuple[str, str]:
    server.call("memory_update_profile", preferences=HEBREW, pinned_facts=[HEBREW])
    server.call("memory_start_session", project="apollo")
    return "/profile", ".who .prose p, .pinned li"


def as_hypothesis(server: Running) -> tuple[str, str]:
    server.call("memory_add_hypothesis", hypothesis=HEBREW, confidence=0.7)
    return "/hypotheses", ".belief-text"


@pytest.mark.parametrize("kept", [as_fact, as_role, as_hypothesis])
def test_words_that_run_from_right_to_left_begin_at_the_right(
    page: Page, server: Running, kept: Callable[[Running], tuple[str, str]]
) -> None:
    path, words = kept(server)
    page.goto(path)
    expect(page.locator(words).first).to_be_visible()
    for each in page.locator(words).all():
        assert each.evaluate(BEGINS_AT_THE_RIGHT), words


def test_long_preferences_stay_within_their_card_on_a_narrow_screen(page: Page, server: Running) -> None:
    server.call("memory_update_profile", preferences=CHINESE)
    server.call("memory_start_session", project="apollo")
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/profile")
    assert page.evaluate(OVERFLOW) <= 0
    inside = "card => card.scrollWidth <= card.clientWidth"
    assert page.locator(".card.who").evaluate(inside)


@pytest.mark.parametrize("width", [1280, 1360])
def test_the_totals_of_a_large_memory_stay_within_their_columns(page: Page, server: Running, width: int) -> None:
    server.call("memory_start_session", project="apollo")
    page.set_viewport_size({"width": width, "height": 800})
    page.goto("/profile")
    page.locator(".totals dd").last.evaluate("number => { number.textContent = '1,123.5 MB' }")
    assert page.locator(".totals dd").last.evaluate("number => number.scrollWidth <= number.clientWidth")


def test_a_board_wider_than_its_window_has_ways_to_its_columns(page: Page, server: Running) -> None:
    run = runner(server.mind, server.caller)
    run("work_create_task", title="Round refunds to the cent", type="task")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto("/work")
    page.locator(".jumps a").last.click()
    column = page.locator(page.locator(".jumps a").last.get_attribute("href") or "")
    expect(column).to_be_in_viewport()


def test_a_long_command_stays_within_the_sign_in_page(page: Page) -> None:
    page.context.clear_cookies()
    page.set_viewport_size({"width": 320, "height": 640})
    page.goto("/sign-in")
    page.locator("main p").first.evaluate("words => { words.textContent = 'bigmind'.repeat(12) }")
    assert page.evaluate(OVERFLOW) <= 0
