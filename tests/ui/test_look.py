"""The pages in every light and width: nothing overflows, nothing is logged, nothing leaves the machine."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.thorough import THOROUGH, crossed
from tests.ui.serving import ARTEFACTS, Noise, Running
from tests.ui.years import server, year

__all__ = ["server", "year"]

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("look")]

WIDTHS = (360, 1360, 2560)
LEAST_TARGET = 24
"""Pixels of what is pressed (WCAG 2.5.8)."""
OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.mark.parametrize(("width", "scheme"), crossed(WIDTHS, ("light", "dark")))
def test_pages_fit_their_window_in_both_themes(
    chromium: Browser, year: Running, noise: Noise, scheme: str, width: int
) -> None:
    height = 800 if width < 1000 else 1000 if width < 2000 else 1440
    context = chromium.new_context(base_url=year.url, viewport={"width": width, "height": height}, color_scheme=scheme)
    page = context.new_page()
    noise.watch(page)
    page.goto(year.link())
    for name, path in (("profile", "/"), ("sessions", "/sessions"), ("session", _newest(page))):
        page.goto(path)
        page.locator("#connection[data-state=live]").wait_for()
        assert page.evaluate(OVERFLOW) == 0, name
        if THOROUGH:
            page.screenshot(path=ARTEFACTS / f"{name}-{scheme}-{width}.png", full_page=width < 2000)
    context.close()


@pytest.mark.usefixtures("year")
def test_a_laptop_shows_the_whole_side_of_a_page(page: Page) -> None:
    """Its foot says how many are connected, that BigMind moved, and when it was backed up."""
    page.set_viewport_size({"width": 1180, "height": 768})
    page.goto("/facts")
    side = page.locator(".side")
    assert side.evaluate("side => side.scrollHeight - side.clientHeight") == 0
    heights = page.locator("#nav a").evaluate_all("links => links.map((each) => each.offsetHeight)")
    assert min(heights) >= LEAST_TARGET


@pytest.mark.usefixtures("year")
def test_who_wants_less_motion_sees_no_flicker_at_each_letter(page: Page) -> None:
    """What was found is dimmed after a while only, and then at once."""
    page.emulate_media(reduced_motion="reduce")
    page.goto("/search")
    style = page.locator("#found").evaluate(
        "found => (({ transitionDuration: took, transitionDelay: after }) => [took, after])(getComputedStyle(found))"
    )
    assert style == ["0s", "0.3s"]


@pytest.mark.usefixtures("server")
def test_without_scripts_what_a_button_would_open_stands_there_and_works(chromium: Browser, year: Running) -> None:
    context = chromium.new_context(base_url=year.url, java_script_enabled=False)
    page = context.new_page()
    page.goto(year.link())
    for path in ("/facts", "/hypotheses", "/knowledge", "/work", "/settings", "/sessions"):
        page.goto(path)
        assert page.locator(":is([data-opens], [data-copies], [data-closes]):visible").count() == 0, path
    page.goto("/hypotheses")
    belief = page.locator(".belief", has=page.locator("dialog")).first
    expect(belief.locator("dialog textarea")).to_be_visible()
    expect(belief.get_by_role("button", name="Resolve")).to_be_visible()
    context.close()


@pytest.mark.usefixtures("year")
def test_on_paper_a_page_is_dark_on_white_and_has_nothing_to_press(page: Page) -> None:
    page.emulate_media(media="print", color_scheme="dark")
    for path in ("/facts", "/profile", "/sessions"):
        page.goto(path)
        page.evaluate("document.documentElement.dataset.theme = 'dark'")
        assert page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 29, 31)", path
        for pressed in ("#nav", ".tools", "#filter", "#toasts"):
            assert not page.locator(pressed).is_visible(), (path, pressed)
        assert page.locator("main button:visible").count() == 0, path
        assert page.locator("main [data-row]:visible, main .headline:visible").count() > 0, path


def _newest(page: Page) -> str:
    address = page.locator(".recent .headline").first.get_attribute("href")
    assert address is not None
    return address
