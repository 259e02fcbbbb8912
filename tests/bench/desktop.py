"""The app on a desktop: from its start to the first painted page, the window opened again, memory, and quitting.

On an X server without a screen. "Painted" is two animation frames after the page's load event, asked of the very window
over the protocol of its engine, which costs some milliseconds that are counted in. The baseline is the smallest window
that pywebview can show, of a page that is its own, measured in turns in the same run.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter

import psutil
from playwright.sync_api import Browser, Playwright, sync_playwright

from tests.bench.filling import fill
from tests.bench.report import Table, median, ratio, verdict
from tests.bench.start import memory_of
from tests.desktop.display import session_bus, window_manager, x_server
from tests.desktop.windowed import BIGMIND, DEBUGGING, App, app, desktop, is_over
from tests.support import process_wait
from tests.ui.walk import PAINTED

RUNS = 5
STARTS = 200
CHUNKS = 1_000
FIRST, AGAIN, MOST_MEGABYTES = 1.0, 0.8, 140.0
BARE = """import sys, webview
webview.create_window("bare", html="<h1>Bare</h1>")
webview.start(gui="qt")
"""


def measure(folder: Path, *, quick: bool) -> Iterator[Table]:
    """Start, opening again, memory and quitting; then many starts and quits."""
    home = folder / "desktop" / "home"
    home.parent.mkdir(parents=True, exist_ok=True)
    fill(home, 50 if quick else CHUNKS)
    with x_server() as display, window_manager(display), session_bus(display) as bus:
        around = desktop(home, display, DBUS_SESSION_BUS_ADDRESS=bus)
        with sync_playwright() as playwright:
            yield from _windows(home, around, playwright, 2 if quick else RUNS)
        yield _starts(home, around, 3 if quick else STARTS)


def _windows(home: Path, around: dict[str, str], playwright: Playwright, runs: int) -> Iterator[Table]:
    bare: list[float] = []
    first: list[float] = []
    again: list[float] = []
    quits: list[float] = []
    memory: dict[str, list[float]] = {}
    for turn in range(runs + 1):
        times = _one_run(home, around, playwright, memory)
        alone = _bare(around, playwright)
        if turn:  # the first warms the disk's cache
            for kept, seconds in zip((bare, first, again, quits), (alone, *times), strict=True):
                kept.append(seconds)
    table = Table("The window, warm", ("what", "median s", "all", "× bare window", "target"))
    base = median(bare)
    rows = (("bare pywebview window, for scale", bare, None), ("`bigmind app` → painted", first, FIRST))
    for name, taken, most in (
        *rows,
        ("window opened again → painted", again, AGAIN),
        ("quit → process gone", quits, None),
    ):
        middle = median(taken)
        every = " ".join(f"{each:.2f}" for each in taken)
        table.add(name, f"{middle:.2f}", every, ratio(middle, base), verdict(middle, most, " s") if most else "—")
    table.notes.append(f"{runs} runs of each, in turns; load before: {os.getloadavg()[0]:.1f}.")
    yield table
    shown = Table("Memory of the app", ("when", "PSS MB", "target"))
    for when, sizes in memory.items():
        most = verdict(median(sizes), MOST_MEGABYTES, " MB") if "closed" in when else "—"
        shown.add(when, f"{median(sizes):.0f}", most)
    shown.notes.append("All processes of the app; PSS counts pages shared with other processes in parts.")
    yield shown


def _one_run(
    home: Path, around: dict[str, str], playwright: Playwright, memory: dict[str, list[float]]
) -> tuple[float, ...]:
    begin = perf_counter()
    with app(home, around) as running:
        _painted(playwright, around, running.process)
        first = perf_counter() - begin
        _use_mcp(running)
        memory.setdefault("window open", []).append(_pss(running.process.pid))
        window = running.window()
        subprocess.run(["wmctrl", "-c", "BigMind"], env=around, check=True)
        psutil.wait_procs([window], 20)
        memory.setdefault("window closed", []).append(_pss(running.process.pid))
        begin = perf_counter()
        with _asked(around):
            _painted(playwright, around, running.process)
            again = perf_counter() - begin
        begin = perf_counter()
        running.process.terminate()
        running.process.wait(30)
        return first, again, perf_counter() - begin


@contextmanager
def _asked(around: dict[str, str]) -> Iterator[None]:
    """The second start, which brings the window."""
    with subprocess.Popen([BIGMIND, "app"], env=around) as second:
        yield
        second.wait(20)


def _bare(around: dict[str, str], playwright: Playwright) -> float:
    begin = perf_counter()
    # What opens a window's engine to tests knows BigMind's windows alone (tests/desktop/debugging).
    own = {"QT_API": "pyside6", "QTWEBENGINE_REMOTE_DEBUGGING": around[DEBUGGING]}
    process = subprocess.Popen([sys.executable, "-c", BARE], env={**around, **own}, stderr=subprocess.DEVNULL)
    try:
        _painted(playwright, around, process)
        return perf_counter() - begin
    finally:
        process.terminate()
        process.wait(20)


def _painted(playwright: Playwright, around: dict[str, str], process: "subprocess.Popen[bytes]") -> None:
    """Wait until the window of a process has painted a page with a heading."""
    browser = _connected(playwright, around, process)
    page = browser.contexts[0].pages[0]
    page.wait_for_selector("h1")
    page.wait_for_load_state("load")
    page.evaluate(PAINTED)
    browser.close()


def _connected(playwright: Playwright, around: dict[str, str], process: "subprocess.Popen[bytes]") -> Browser:
    address = f"http://127.0.0.1:{around[DEBUGGING]}"
    while True:
        try:
            browser = playwright.chromium.connect_over_cdp(address, no_defaults=True, is_local=True)
        except Exception as error:
            if process.poll() is not None:
                raise AssertionError("the process ended") from error
            process_wait(process, 0.01)
            continue
        if browser.contexts and browser.contexts[0].pages:
            return browser
        browser.close()


def _use_mcp(running: App) -> None:
    """Have the endpoint loaded, as it is while an assistant is connected."""
    with running.http("bridge") as http:
        http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"}).raise_for_status()


def _pss(pid: int) -> float:
    root = psutil.Process(pid)
    total = 0.0
    for each in (root, *root.children(recursive=True)):
        try:
            total += memory_of(each.pid)[1]
        except psutil.Error:
            continue  # it has just ended
    return total


def _starts(home: Path, around: dict[str, str], starts: int) -> Table:
    """Start and quit, time after time; every other one hidden in the tray, the others without a desktop."""
    looks = [around, {**around, "DISPLAY": ""}]
    taken: list[float] = []
    left: list[str] = []
    before = _names(home)
    for number in range(starts):
        begin = perf_counter()
        with app(home, looks[number % 2], "--hidden") as running:
            _quit(running)
        taken.append(perf_counter() - begin)
        if not is_over(home, running.process.pid) or running.process.returncode != 0:
            left.append(f"start {number}: {running.process.returncode}")
    left += sorted(_names(home) - before - _expected(home))
    table = Table("Start and quit", ("times", "median s", "left behind"))
    table.add(f"{starts}", f"{median(taken):.2f}", ", ".join(left) or "nothing")
    return table


def _quit(running: App) -> None:
    running.process.terminate()
    running.process.wait(30)


def _names(home: Path) -> set[str]:
    """What lies in the home, and in the session's folder for what is temporary."""
    found = {str(each.relative_to(home)) for each in home.rglob("*")}
    return found | {f"temporary {each.name}" for each in (home.parent / "scratch").rglob("*")}


def _expected(home: Path) -> set[str]:
    del home
    return {
        "logs",
        "logs/server.log",
        "logs/server.log.1",
        "logs/server.log.2",
        "store.lock",
        "tokens",
        "tokens/bridge",
    }
