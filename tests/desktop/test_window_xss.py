"""The strings of tests/ui/xss_strings.py in the real window: none runs there either, and none loads anything."""

from pathlib import Path

import pytest
from playwright.sync_api import Playwright

from tests.desktop.windowed import app, desktop, page_of
from tests.thorough import often, spread
from tests.ui.serving import opened
from tests.ui.xss import AT_ONCE, FOUND_BY, PLANTED, Trap, plant
from ui.pages import PAGES

STRINGS = spread(PLANTED, often(len(PLANTED), AT_ONCE))
"""In the gate as many as one session holds: the rest are on the same pages in the same engine, without its window."""


@pytest.mark.browser
def test_stored_text_is_text_in_the_real_window(playwright: Playwright, tmp_path: Path, managed_display: str) -> None:
    home = tmp_path / "home"
    with opened(home) as (mind, caller), mind.store.write(caller, "plant") as work:
        sessions = plant(work, STRINGS)
    paths = [*(entry.path for entry in PAGES), *(f"/sessions/{uid}" for uid in sessions)]
    with app(home, desktop(home, managed_display)) as running, page_of(playwright, running) as page:
        trap = Trap(page)
        trap.set()
        for path in (*spread(paths, 5), f"/search?q={FOUND_BY}"):
            trap.visit(running.address + path, to_its_end=False)
        assert not (found := trap.found()), found
        page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=/canary.png onerror=trap(1)>')")
        page.wait_for_function("() => springs.sprung.length > 0")
        trap.look()
        assert "canary" in trap.found(), "the trap works in this engine too"
