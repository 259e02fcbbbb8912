"""`bigmind app`: starts BigMind with its window, or brings forward the one that runs."""

import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from app.desktop.browser import open_signed_in
from app.desktop.preflight import why_no_desktop
from bigmind.cli.exit_codes import exit_code_of
from bigmind.cli.remote import call
from bigmind.core.errors import BigMindError, Code
from bigmind.local.connection import NotRunningError, UnresponsiveError
from bigmind.local.launch import READY_SECONDS
from bigmind.local.moved_folder import MovedFolderError
from bigmind.paths import data_folder

if TYPE_CHECKING:
    from bigmind.local.runfile import RunningServer
    from bigmind.store.store import Store

POLL_SECONDS = 0.05


def start_app(*, hidden: bool) -> int:
    """Be the app, or show the one that runs already. Returns the process's exit code.

    Args:
        hidden: begin without the window, in the tray.
    """
    try:
        home = data_folder()
        if not _shown(home, hidden=hidden):
            try:
                _run(hidden=hidden)
            except BigMindError as error:
                if error.code is not Code.STORE_IN_USE:
                    raise
                _show_once_ready(home, error, hidden=hidden)
    except BigMindError as error:
        from app.desktop.failure_window import tell  # noqa: PLC0415 - for a failure only

        print(error, file=sys.stderr, flush=True)  # noqa: T201 - the command's answer
        tell(str(error))
        return exit_code_of(error)
    return 0


def _run(*, hidden: bool) -> None:
    from app.core import Presentation, serve  # noqa: PLC0415 - not for the second start
    from app.greeting import greeting, notices  # noqa: PLC0415
    from app.logs import PrivateLog, log_to  # noqa: PLC0415
    from bigmind.settings.precedence import read_settings  # noqa: PLC0415

    why = why_no_desktop()
    if not why:
        log_to(PrivateLog(data_folder()))
    settings = read_settings()

    def ready(server: "RunningServer", store: "Store", printed_link: Callable[[], str]) -> None:
        # Not where a window shows it: what a desktop starts has its output in the session's journal.
        in_terminal = bool(why) or not store.host.desktop.has_window()
        link = printed_link() if in_terminal else ""
        lines = (greeting(server.address, link), *notices(store, settings.user), "Ctrl+C stops it.")
        print(*lines, sep="\n", flush=True)  # noqa: T201 - the command's answer
        if link and not hidden:
            open_signed_in(settings.home, link)

    if why:
        say_no_window(why)
        serve(settings, "bigmind app", ready, Presentation.SERVER)
    else:
        serve(settings, "bigmind app", ready, Presentation.HIDDEN if hidden else Presentation.WINDOW)


def say_no_window(why: str) -> None:
    """The one line where there can be none."""
    print(f"BigMind: no window ({why}). The server runs alone.", file=sys.stderr, flush=True)  # noqa: T201


def _shown(home: Path, *, hidden: bool, is_owned: bool = False) -> bool:
    """Bring the window of the running BigMind forward; False when none runs, or is about to.

    Raises:
        UnresponsiveError: when one runs and does not answer, and its store `is_owned` for sure.
        MovedFolderError: when one runs whose data folder was moved.
    """
    try:
        about = call(home, "server_status", {}, start=False, reads=True)
    except MovedFolderError:
        raise
    except UnresponsiveError as error:
        if is_owned and error.holder.state == "ready":
            raise
        return False
    except NotRunningError:
        return False
    if hidden:
        return True
    if about["desktop"]:
        call(home, "server_show", {}, start=False)
    else:
        _own_window(home)
    return True


def _show_once_ready(home: Path, error: BigMindError, *, hidden: bool) -> None:
    """Another start was a moment earlier: its window is shown once it can be."""
    deadline = time.monotonic() + READY_SECONDS
    while not _shown(home, hidden=hidden, is_owned=True):
        if time.monotonic() > deadline:
            raise error
        time.sleep(POLL_SECONDS)


def _own_window(home: Path) -> None:
    """A window onto a server that has none of its own, such as `bigmind serve` in a terminal; until it is closed."""
    if why := why_no_desktop():
        link = call(home, "server_sign_in_link", {}, start=False)["url"]
        print(f"BigMind: no window ({why}). Its server runs; its pages: {link}", file=sys.stderr)  # noqa: T201
        return
    from app.desktop.window_process import WindowEvents, WindowProcess  # noqa: PLC0415 - heavy

    closed = threading.Event()
    name = f"BigMind's window {os.getpid()}"
    told = WindowEvents(lambda: None, closed.set, say_no_window, lambda: None)
    window = WindowProcess(home, told, lived_seconds=float("inf"))
    link = call(home, "server_sign_in_link", {"client": name}, start=False)["url"]
    window.serve(lambda: link)
    try:
        window.start()
        closed.wait()
    finally:
        window.close()
        _sign_out(home, name)


def _sign_out(home: Path, client: str) -> None:
    try:
        for token in call(home, "token_list", {}, start=False)["tokens"]:
            if token["client"] == client:
                call(home, "token_revoke", {"token_id": token["token_id"]}, start=False)
    except NotRunningError:
        return  # nobody can use it until that server runs again, and it ends within a month
