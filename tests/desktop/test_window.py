"""The real window: what `bigmind app` opens, driven over the protocol of its own engine."""

import os
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.desktop.windowed import App, Watched, app, command_of, desktop, on_screen, page_of, window_processes

pytestmark = pytest.mark.xdist_group("window")

BY_HAND = """([markup, selector]) => {
  document.body.insertAdjacentHTML("beforeend", markup);
  Object.assign(document.querySelector(selector).style, {position: "fixed", top: 0, left: 0, zIndex: 9999});
}"""

COPY = """() => copy.addEventListener("click", () => {
  navigator.clipboard.writeText("Fünfzig Stellen").then(() => { copy.textContent = "Copied"; });
})"""


@pytest.fixture(scope="module")
def shown(year: Path, tmp_path_factory: pytest.TempPathFactory, managed_display: str):
    """One window for tests that leave it as it was."""
    folder = tmp_path_factory.mktemp("shown")
    opened, browser = folder / "opened", folder / "browser"
    os.mkfifo(opened)
    browser.write_text(f'#!/bin/sh\necho "$1 ${{QTWEBENGINE_CHROMIUM_FLAGS-clean}}" > "{opened}"\n')
    browser.chmod(0o700)
    home = folder / "home"
    copied(year, home)
    with app(home, desktop(home, managed_display, BROWSER=f"{browser} %s")) as running:
        yield running


def copied(year: Path, home: Path) -> None:
    home.mkdir(0o700)
    (home / "bigmind.db").write_bytes((year / "bigmind.db").read_bytes())


@pytest.fixture
def page(shown: App, playwright: Playwright):
    with page_of(playwright, shown) as opened:
        opened.goto(f"{shown.address}/profile")
        yield opened


def test_what_is_copied_is_on_the_clipboard(shown: App, page: Page) -> None:
    page.evaluate(BY_HAND, ["<button id='copy'>Copy</button>", "#copy"])
    page.evaluate(COPY)
    page.click("#copy")
    page.wait_for_selector("text=Copied")
    assert on_screen(shown.around, "xclip", "-o", "-selection", "clipboard") == "Fünfzig Stellen"


def test_control_and_plus_enlarge_the_page_and_zero_takes_it_back(shown: App, page: Page) -> None:
    width = int(page.evaluate("innerWidth"))
    found = on_screen(shown.around, "xdotool", "search", "--sync", "--onlyvisible", "--name", "BigMind$").split()[0]
    on_screen(shown.around, "xdotool", "windowactivate", "--sync", found, "key", "ctrl+plus")
    page.wait_for_function(f"innerWidth < {width}")
    on_screen(shown.around, "xdotool", "key", "ctrl+0")
    page.wait_for_function(f"innerWidth === {width}")
    on_screen(shown.around, "xdotool", "key", "ctrl+minus")
    page.wait_for_function(f"innerWidth > {width}")
    on_screen(shown.around, "xdotool", "key", "ctrl+0")
    page.wait_for_function(f"innerWidth === {width}")


def test_the_clipboard_cannot_be_read_nor_anything_else_be_granted(page: Page) -> None:
    for asked in (
        "navigator.clipboard.readText()",
        "navigator.mediaDevices.getUserMedia({audio: true})",
        "new Promise((yes, no) => navigator.geolocation.getCurrentPosition(yes, no))",
    ):
        refused = page.evaluate(f"{asked}.then(() => 'granted', (error) => 'refused')")
        assert refused == "refused", asked
    assert page.evaluate("Notification.requestPermission()") == "denied"


def test_a_download_is_asked_about_and_then_there(shown: App, page: Page) -> None:
    page.evaluate(BY_HAND, ["<a id='save' href='/static/app.css' download='a style.css'>Save</a>", "#save"])
    page.click("#save", no_wait_after=True)
    found = on_screen(shown.around, "xdotool", "search", "--sync", "--onlyvisible", "--name", "^Save$").split()[0]
    on_screen(shown.around, "xdotool", "windowactivate", "--sync", found, "key", "Return")
    saved = Path(shown.around["HOME"]) / "Downloads" / "a style.css"
    shown.until(lambda: saved.exists() and saved.stat().st_size > 0)
    assert "BigMind" in saved.read_text() or "{" in saved.read_text()


@pytest.mark.parametrize("target", ["", "target='_blank' rel='noopener'"], ids=["here", "in a new window"])
def test_a_link_to_elsewhere_opens_in_the_persons_browser(shown: App, page: Page, target: str) -> None:
    page.evaluate(BY_HAND, [f"<a id='away' href='https://example.invalid/x?y' {target}>Away</a>", "#away"])
    page.click("#away", no_wait_after=True)
    opened = Path(shown.around["BROWSER"].split()[0]).with_name("opened")
    assert opened.read_text().split() == ["https://example.invalid/x?y", "clean"]
    assert page.url in {f"{shown.address}/profile", f"{shown.address}/"}
    assert len(page.context.pages) == 1


@pytest.mark.parametrize("address", ["file:///etc/passwd", "data:text/html,<h1>x</h1>", "chrome://gpu"])
def test_a_script_takes_the_window_nowhere_else(shown: App, page: Page, playwright: Playwright, address: str) -> None:
    page.evaluate("(address) => { setTimeout(() => { window.open(address); location.href = address; }) }", address)
    # Playwright waits for ever for a navigation that was refused: look through another connection.
    with page_of(playwright, shown) as seen:
        seen.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert seen.url.startswith(f"{shown.address}/")
        assert len(seen.context.pages) == 1


def test_a_renderer_that_dies_is_started_again(shown: App, playwright: Playwright) -> None:
    with page_of(playwright, shown):
        dying = renderers_of(shown)
        assert dying
        ended = Watched(dying)
    for each in dying:
        each.kill()
    assert ended.have_ended()
    shown.until(lambda: bool(renderers_of(shown)))
    with page_of(playwright, shown) as back:
        expect(back.get_by_text("Principal engineer, platform")).to_be_visible()


def renderers_of(running: App) -> list[psutil.Process]:
    return [each for each in window_processes(running) if "--type=renderer" in command_of(each)]
