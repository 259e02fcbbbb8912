"""BigMind with its window on an X server of our own, and Playwright at that very window."""

import os
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psutil
from playwright.sync_api import Browser, Error, Page, Playwright

from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.runfile import published
from bigmind.store.ownership import is_held
from tests.retries import note_retry
from tests.support import Server, environment, process_wait

SECONDS = 60
DEBUGGING = "DEBUGGING_PORT_OF_THE_TEST"
ATTACHING_MILLISECONDS = 10_000
"""Playwright now and then waits for ever for a page that goes elsewhere while it attaches; the next try succeeds."""
BIGMIND = str(Path(sys.executable).with_name("bigmind"))


def desktop(home: Path, display: str, **more: str) -> dict[str, str]:
    """The environment of a session that has nothing of this machine's user; here, tests run as root."""
    scratch, person = home.parent / "scratch", home.parent / "person"
    for each in (scratch, person, person / "Downloads"):
        each.mkdir(exist_ok=True)
    own = {
        "DISPLAY": display,
        "HOME": str(person),
        "TMPDIR": str(scratch),
        "XDG_CONFIG_HOME": str(person / ".config"),
        "XDG_RUNTIME_DIR": str(scratch),
        "DBUS_SESSION_BUS_ADDRESS": "",
        "BROWSER": "/bin/false",
        "QTWEBENGINE_DISABLE_SANDBOX": "1",
        DEBUGGING: str(free_port()),
    }
    open_to_tests(home, own[DEBUGGING])
    return environment(home, **{**own, **more})


def open_to_tests(home: Path, port: str) -> None:
    """Have the engine of that home's windows listen on a port; no environment reaches it, so a file beside it says so.

    What reads the file is installed into the tests' own environment.
    """
    beside = home.with_name(f"{home.name}.debugging-port")
    beside.unlink(missing_ok=True)
    if port:
        beside.write_text(port)
    hook = Path(sysconfig.get_path("purelib"), "bigmind_opened_to_tests.pth")
    wanted = f"{Path(__file__).parent / 'debugging'}\nimport opened_to_tests\n"
    if not hook.is_file() or hook.read_text() != wanted:
        made = hook.with_name(f"{hook.stem}.{os.getpid()}")
        made.write_text(wanted)
        made.replace(hook)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@dataclass
class App(Server):
    """A `bigmind app` of our own.

    Attributes:
        around: its environment.
    """

    around: dict[str, str]

    def bigmind(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """A command of the person who has it running."""
        return subprocess.run(
            [BIGMIND, *arguments], env=self.around, text=True, capture_output=True, timeout=SECONDS, check=False
        )

    def window(self) -> psutil.Process | None:
        """The process of its window."""
        return window_of(self.process.pid)

    def until(self, holds: Callable[[], bool]) -> None:
        """Look again and again, as long as it runs."""
        until(holds, self.process)


def until(holds: Callable[[], bool], process: "subprocess.Popen[bytes]") -> None:
    """Look again and again, as long as a process runs, and no longer than a minute."""
    for _ in range(SECONDS * 20):
        if holds():
            return
        process_wait(process, 0.05)
    raise AssertionError("it did not come to be")


def window_of(pid: int) -> psutil.Process | None:
    """The window's process among the children of a process."""
    return next((each for each in psutil.Process(pid).children() if command_of(each)[-1:] == ["window"]), None)


def window_processes(running: App) -> list[psutil.Process]:
    window = running.window()
    return [window, *window.children(recursive=True)]


def ports_of(processes: list[psutil.Process]) -> list[int]:
    """The ports that these processes listen on."""
    sockets = [each for process in processes for each in process.net_connections("tcp")]
    return [each.laddr.port for each in sockets if each.status == psutil.CONN_LISTEN]


def command_of(process: psutil.Process) -> list[str]:
    """The command line; nothing of a process that has ended."""
    try:
        return process.cmdline()
    except psutil.Error:
        return []


@contextmanager
def app(home: Path, around: dict[str, str], *arguments: str) -> Iterator[App]:
    """`bigmind app` for the length of a block, from when it answers."""
    open_to_tests(home, around.get(DEBUGGING, ""))
    process = subprocess.Popen(
        [BIGMIND, "app", *arguments], env=around, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=home.parent
    )
    try:
        until(lambda: process.poll() is not None or _answers(home), process)
        if process.poll() is not None:
            raise AssertionError(process.stderr.read().decode())
        yield App(home, process, published(home).port, around)
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(SECONDS)
        process.stdout.close()
        process.stderr.close()


def _answers(home: Path) -> bool:
    try:
        ServerConnection(home, "cli").close()
    except NotRunningError:
        return False
    return True


@contextmanager
def page_of(playwright: Playwright, running: App) -> Iterator[Page]:
    """The page in the window that is open, signed in and painted."""
    browser = connected(playwright, running)
    try:
        page = browser.contexts[0].pages[0]
        page.wait_for_selector("h1")
        yield page
    finally:
        browser.close()  # only ends the connection


def connected(playwright: Playwright, running: App) -> Browser:
    """A connection to the engine of the app's window, once it shows a page of BigMind."""
    running.until(lambda: running.window() is not None)
    running.until(lambda: _shows_a_page(_engine(running.around)))
    return engine_of(playwright, running.around, running.process)


def engine_of(playwright: Playwright, around: dict[str, str], process: "subprocess.Popen[bytes]") -> Browser:
    """A connection to the engine of a process's only window, once it takes one."""
    address = _engine(around)
    until(lambda: bool(_pages(address)), process)
    for is_last in (False, False, True):
        try:
            return playwright.chromium.connect_over_cdp(
                address, no_defaults=True, is_local=True, timeout=ATTACHING_MILLISECONDS
            )
        except Error:
            if is_last or process.poll() is not None:
                raise
            note_retry("Playwright did not attach to the window")
    raise AssertionError("the last try returns or raises")


def _engine(around: dict[str, str]) -> str:
    return f"http://127.0.0.1:{around[DEBUGGING]}"


def _shows_a_page(engine: str) -> bool:
    """Whether one is there that goes nowhere else: signing in leads on to the next."""
    return any(url.startswith("http://127.0.0.1:") and "/sign-in?code=" not in url for url in _pages(engine))


def _pages(engine: str) -> list[str]:
    """The addresses of what an engine shows; none before it takes a connection."""
    with httpx.Client(trust_env=False) as http:
        try:
            return [each["url"] for each in http.get(f"{engine}/json/list").json()]
        except httpx.TransportError:
            return []


def is_over(home: Path, pid: int) -> bool:
    """Whether nothing of a BigMind is left but its store."""
    return not is_held(home, pid) and not list(home.glob("bigmind.db-*")) and published(home) is None


def on_screen(around: dict[str, str], *command: str) -> str:
    """What a program of the desktop says."""
    told = {name: around[name] for name in ("DISPLAY", "PATH", "HOME")}
    return subprocess.run(
        command, env={**os.environ, **told}, text=True, capture_output=True, timeout=SECONDS, check=True
    ).stdout
