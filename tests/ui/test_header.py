"""The head of a page: its title, its places, the search field and the tools are on one line, whatever one is called."""

import pytest
from playwright.sync_api import Browser

from tests.ui.serving import ARTEFACTS, Running
from tests.ui.years import server, year
from ui.pages import PAGES

__all__ = ["server", "year"]

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("look")]

WIDTHS = (900, 962, 990, 1000, 1100, 1160, 1290)
PLACES = ("/work", "/work/processes", "/work/assistants", "/mindspace", "/brain", "/brain/highways", "/brain/queue")
LINES = """() => {
  const parts = [...document.querySelectorAll(".top > *, .top .places > *, .top .tools > *")]
  const shown = parts.map((each) => each.getBoundingClientRect()).filter((each) => each.height)
  return Math.max(...shown.map((each) => each.top)) < Math.min(...shown.map((each) => each.bottom))
}"""
WORD_IS_CUT = """() => {
  const words = document.querySelector(".to-search span")
  if (!words?.clientWidth) return false
  const word = new Range()
  word.setStart(words.firstChild, 0)
  word.setEnd(words.firstChild, "Search".length)
  return words.clientWidth < word.getBoundingClientRect().width + parseFloat(getComputedStyle(words).fontSize)
}"""
LONG_NAME = """addEventListener("DOMContentLoaded", () => {
  document.querySelector(".whose").textContent = "Bartholomew Featherstonehaugh-Cholmondeley"
})"""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize("width", WIDTHS)
def test_the_head_of_every_page_is_one_line(chromium: Browser, year: Running, width: int) -> None:
    context = chromium.new_context(base_url=year.url, viewport={"width": width, "height": 700})
    page = context.new_page()
    page.goto(year.link())
    page.add_init_script(LONG_NAME)
    two = list[str]()
    for path in dict.fromkeys((*(each.path for each in PAGES), *PLACES)):
        page.goto(path)
        if not page.evaluate(LINES):
            two.append(path)
        assert page.evaluate(OVERFLOW) == 0, path
        assert not page.evaluate(WORD_IS_CUT), path
        page.screenshot(path=ARTEFACTS / f"head-{width}{path.replace('/', '-')}.png")
    context.close()
    assert two == []
