"""Parts of pages that a narrow window made unreadable: words stay whole, lines stay wide, dialogs open at their top."""

import pytest
from playwright.sync_api import Page, expect

from tests.ui.serving import Running
from tests.ui.test_mindspace_page import make
from tests.ui.work_items import runner

DEEP = 30
BROKEN = """selector => [...document.querySelectorAll(selector)].filter(each => each.offsetParent).flatMap(each => {
  const walker = document.createTreeWalker(each, NodeFilter.SHOW_TEXT), found = [];
  for (let node; node = walker.nextNode();) for (const word of node.data.matchAll(/[A-Za-z]{2,}/g)) {
    const range = document.createRange();
    range.setStart(node, word.index);
    range.setEnd(node, word.index + word[0].length);
    if (new Set([...range.getClientRects()].map(({top}) => Math.round(top))).size > 1) found.push(word[0]);
  }
  return found;
})"""
OVERFLOW = "document.documentElement.scrollWidth - innerWidth"
IN_ONE_LINE = """() => {
  const [search, tools] = ['.to-search', '.tools'].map(each => document.querySelector(each).getBoundingClientRect());
  return [Math.abs(search.top + search.height / 2 - tools.top - tools.height / 2) < 8, innerWidth - tools.right < 64];
}"""


def test_a_deep_tree_stays_readable(server: Running, page: Page) -> None:
    run, above = runner(server.mind, server.caller), ""
    for number in range(DEEP):
        above = make(run, f"Level {number + 1} of the payments", **({"parent_id": above} if above else {}))
    for width in (380, 1100):
        page.set_viewport_size({"width": width, "height": 800})
        page.goto("/mindspace")
        assert page.evaluate(OVERFLOW) <= 0
        assert page.evaluate(BROKEN, ".node-line") == []
        expect(page.locator(".node-line").last).to_contain_text(f"level {DEEP}")
        assert page.locator(".node-line").last.evaluate("each => each.offsetWidth") > width / 2


@pytest.mark.parametrize("width", [1000, 1100, 1180, 380])
def test_words_of_tables_and_filters_stay_whole(server: Running, page: Page, width: int) -> None:
    server.call("token_create", client="laptop")
    server.call("backup_create")
    page.set_viewport_size({"width": width, "height": 800})
    for path, part in (
        ("/settings", "#tokens-now table"),
        ("/portable", ".list-of-backups"),
        ("/context", ".filter label"),
        ("/usage", ".filter label"),
    ):
        page.goto(path)
        assert page.evaluate(BROKEN, part) == [], path
        assert page.evaluate(OVERFLOW) <= 0, path
    page.goto("/settings")
    over = "each => each.getBoundingClientRect().right - each.parentElement.getBoundingClientRect().right"
    assert page.locator("#tokens-now table").evaluate(over) <= 1


@pytest.mark.parametrize(("width", "height"), [(380, 700), (1000, 560)])
def test_a_long_dialog_opens_at_its_top(server: Running, page: Page, width: int, height: int) -> None:
    for number in range(8):
        server.call("memory_store_fact", category="decision", fact=f"Number {number}")
    server.call("memory_start_session", project="acme")
    server.call("memory_add_hypothesis", hypothesis="It holds, because it did")
    server.call("memory_promote_to_global", category="standard", title="A rule", content="A rule of all")
    server.call("backup_create")
    server.call("memory_store_fact", category="decision", fact="And one more")
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/portable")
    page.locator("#restore-1").click()
    dialog = page.locator("dialog[open]")
    expect(dialog.get_by_role("button", name="Keep what is here")).to_be_focused()
    expect(dialog.get_by_role("button", name="Keep what is here")).to_be_in_viewport()
    assert dialog.evaluate("each => each.scrollTop") == 0
    page.keyboard.press("Enter")
    expect(page.locator("dialog[open]")).to_have_count(0)
    page.keyboard.press("?")
    expect(dialog.get_by_role("button", name="Close")).to_be_focused()
    expect(dialog.get_by_role("button", name="Close")).to_be_in_viewport()
    assert dialog.evaluate("each => each.scrollTop") == 0
    page.keyboard.press("Escape")
    expect(page.locator("dialog[open]")).to_have_count(0)


@pytest.mark.parametrize("width", [1020, 1100, 1180])
def test_the_header_stays_in_one_line(page: Page, width: int) -> None:
    """The window that BigMind opens is 1180 wide."""
    page.set_viewport_size({"width": width, "height": 800})
    wide = ("/brain", "/context", "/learn", *(("/work", "/mindspace") if width > 1020 else ()))
    for path in wide:
        page.goto(path)
        assert page.evaluate(IN_ONE_LINE) == [True, True], path
