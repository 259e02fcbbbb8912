"""The real window: what `bigmind app` opens, driven over the protocol of its own engine."""

import os
import re
import socket
from itertools import cycle
from pathlib import Path

import httpx
import psutil
import pytest
from playwright.sync_api import Page, Playwright, expect

from tests.desktop.display import pasted
from tests.desktop.windowed import (
    DEBUGGING,
    App,
    app,
    command_of,
    desktop,
    on_screen,
    page_of,
    ports_of,
    window_processes,
)
from tests.support import Watched

STATIC = Path(__file__).parents[2] / "ui" / "static"
pytestmark = pytest.mark.xdist_group("window")

BY_HAND = """([markup, selector]) => {
  document.body.insertAdjacentHTML("beforeend", markup);
  Object.assign(document.querySelector(selector).style, {position: "fixed", top: 0, left: 0, zIndex: 9999});
}"""

COPY = """() => copy.addEventListener("click", () => {
  navigator.clipboard.writeText("Fünfzig Stellen").then(() => { copy.textContent = "Copied"; });
})"""

TYPED = "The staging database is reset at noon"
TAKEN_AWAY = """(there) => addEventListener("mousemove", () => {
  window.open(there);
  location.href = there;
  requestAnimationFrame(() => requestAnimationFrame(() => { document.title = "It was tried"; }));
}, {once: true})"""


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
    let_go(opened)


def let_go(fifo: Path) -> None:
    """Have whoever waits to write into it go on; who comes later writes a file."""
    reading = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    fifo.unlink()
    os.set_blocking(reading, True)
    with os.fdopen(reading) as said:
        said.read()


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
    assert pasted(shown.around["DISPLAY"]) == "Fünfzig Stellen"


def test_control_and_plus_enlarge_the_page_and_zero_takes_it_back(shown: App, page: Page) -> None:
    # Functions, not strings: a string is evaluated anew at each look, which the page's policy refuses.
    same, larger, smaller = (f"(width) => innerWidth {sign} width" for sign in ("===", "<", ">"))
    width = page.evaluate("innerWidth")
    found = on_screen(shown.around, "xdotool", "search", "--sync", "--onlyvisible", "--name", "BigMind$").split()[0]
    on_screen(shown.around, "xdotool", "windowactivate", "--sync", found, "key", "ctrl+plus")
    page.wait_for_function(larger, arg=width)
    on_screen(shown.around, "xdotool", "key", "ctrl+0")
    page.wait_for_function(same, arg=width)
    on_screen(shown.around, "xdotool", "key", "ctrl+minus")
    page.wait_for_function(smaller, arg=width)
    on_screen(shown.around, "xdotool", "key", "ctrl+0")
    page.wait_for_function(same, arg=width)


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
    assert saved.read_bytes() == (STATIC / "app.css").read_bytes()


def test_a_page_with_words_that_were_not_saved_is_left_when_the_person_says_so(
    shown: App, playwright: Playwright
) -> None:
    with page_of(playwright, shown) as page:
        type_a_fact(shown, page)
        page.locator("#nav-sessions").focus()
    # Nobody is connected while it asks: Playwright would answer.
    found = on_screen(shown.around, "xdotool", "search", "--sync", "--onlyvisible", "--name", "BigMind$").split()[0]
    for keys, title in ((("Escape",), "Facts · BigMind"), (("Tab", "Return"), "Sessions · BigMind")):
        on_screen(shown.around, "xdotool", "windowactivate", "--sync", found, "key", "Return")
        asking = on_screen(shown.around, "xdotool", "search", "--sync", "--onlyvisible", "--name", "^Unsaved changes$")
        on_screen(shown.around, "xdotool", "windowactivate", "--sync", asking.split()[0], "key", *keys)
        shown.until(lambda title=title: titles_of(shown) == [title])


def test_the_window_with_words_that_were_not_saved_closes_when_the_person_says_so(
    shown: App, playwright: Playwright
) -> None:
    with page_of(playwright, shown) as page:
        type_a_fact(shown, page)
        closing = Watched(window_processes(shown))
    answered(shown, "Escape")
    with page_of(playwright, shown) as page:
        expect(page.locator("#add textarea")).to_have_value(TYPED)
    answered(shown, "Tab", "Return")
    assert closing.have_ended()
    assert shown.bigmind("app").returncode == 0
    with page_of(playwright, shown):
        assert shown.window() is not None


def type_a_fact(shown: App, page: Page) -> None:
    """Leave the words of a fact on the page, not saved."""
    page.goto(f"{shown.address}/facts")
    page.keyboard.press("n")
    page.keyboard.type(TYPED)


def answered(shown: App, *keys: str) -> None:
    """Close the window, and answer what it asks. Nobody is connected meanwhile: Playwright would answer."""
    on_screen(shown.around, "wmctrl", "-c", "BigMind")
    asking = on_screen(shown.around, "xdotool", "search", "--sync", "--onlyvisible", "--name", "^Unsaved changes$")
    on_screen(shown.around, "xdotool", "windowactivate", "--sync", asking.split()[0], "key", *keys)


@pytest.mark.parametrize("target", ["", "target='_blank' rel='noopener'"], ids=["here", "in a new window"])
def test_a_link_to_elsewhere_opens_in_the_persons_browser(shown: App, page: Page, target: str) -> None:
    page.evaluate(BY_HAND, [f"<a id='away' href='https://example.invalid/x?y' {target}>Away</a>", "#away"])
    page.click("#away", no_wait_after=True)
    opened = Path(shown.around["BROWSER"].split()[0]).with_name("opened")
    shown.until(lambda: "https://example.invalid/x?y clean" in opened.read_text().splitlines())
    assert page.url in {f"{shown.address}/profile", f"{shown.address}/"}
    assert len(page.context.pages) == 1


@pytest.mark.parametrize("address", ["http://127.0.0.1:{other}/", "https://example.invalid/", "file:///etc/passwd"])
def test_a_script_takes_the_window_nowhere_else(shown: App, playwright: Playwright, address: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        there = address.format(other=elsewhere.getsockname()[1])
        with page_of(playwright, shown) as page:
            page.goto(f"{shown.address}/profile")
            page.evaluate(TAKEN_AWAY, there)
        # Nobody is connected while it happens: Playwright would hold the script at the window that it opens, and wait
        # for ever for a navigation that was refused.
        found = on_screen(shown.around, "xdotool", "search", "--sync", "--onlyvisible", "--name", "BigMind$").split()[0]
        places = cycle(("40", "80"))

        def was_tried() -> bool:
            place = next(places)  # another each time: a pointer that is back by the next frame has not moved
            on_screen(shown.around, "xdotool", "mousemove", "--window", found, place, place)
            return titles_of(shown) == ["It was tried"]

        shown.until(was_tried)
        with page_of(playwright, shown) as seen:
            assert seen.url == f"{shown.address}/profile"
            assert seen.title() == "It was tried"
            assert len(seen.context.pages) == 1
        elsewhere.setblocking(False)
        with pytest.raises(BlockingIOError):  # nobody came
            elsewhere.accept()


def titles_of(running: App) -> list[str]:
    """The titles of the pages in the window, as its engine lists them to who is not connected."""
    with httpx.Client(trust_env=False) as http:
        listed = http.get(f"http://127.0.0.1:{running.around[DEBUGGING]}/json/list").json()
    return [each["title"] for each in listed if each["type"] == "page"]


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


def test_the_test_sees_the_port_that_it_looks_through(shown: App, page: Page) -> None:
    assert page.url.startswith(shown.address)
    assert ports_of(window_processes(shown)) == [int(shown.around[DEBUGGING])]


def renderers_of(running: App) -> list[psutil.Process]:
    return [each for each in window_processes(running) if "--type=renderer" in command_of(each)]


def test_a_code_for_a_browser_stands_in_the_window_until_it_was_used(shown: App, page: Page) -> None:
    page.locator("#connection[data-state=live]").wait_for()
    with httpx.Client(base_url=shown.address, trust_env=False) as browser:

        def post(**fields: str) -> httpx.Response:
            token = re.search(r'name="form_token" value="([^"]+)"', browser.get("/sign-in").text)
            assert token is not None
            return browser.post("/sign-in", data={**fields, "form_token": token[1]})

        assert post(show="code").status_code == 303
        code = page.locator("#sign-in-code .digits")
        expect(code).to_have_text(re.compile(r"\d{3} \d{3}"))
        assert post(code=code.inner_text()).headers["location"] == "/"
    expect(code).to_have_count(0)
