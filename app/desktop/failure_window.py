"""The words of a start that failed, in a small window: who starts BigMind by a double click sees no terminal."""

import html
import json
import logging
import os
import subprocess
import sys
import threading
from importlib import import_module
from typing import Any

from app.desktop.browser import open_page
from app.desktop.preflight import why_no_desktop, why_no_window
from app.desktop.web_view import native_view
from app.desktop.web_view.view import DARK, LIGHT, ViewHooks
from app.desktop.window import ICON, IMPOSSIBLE, quiet_engine
from bigmind.local.program import again
from bigmind.named_environment import window_environment
from bigmind.paths import asset

log = logging.getLogger(__name__)

TITLE = "BigMind does not run"
SIZE = (560, 300)
PAGE = """<!doctype html><meta charset="utf-8"><title>{title}</title>
<style>body{{font:1rem/1.5 system-ui,sans-serif;margin:1.5rem;overflow-wrap:anywhere}}h1{{font-size:1.25rem}}
p{{white-space:pre-line}}:root{{color-scheme:light dark}}</style><h1>{title}</h1><p>{words}</p>"""


def tell(words: str) -> None:
    """Write them into the log, if there is one yet. Where nobody reads a terminal, show them until that is closed."""
    if log.hasHandlers():
        log.error("%s", words)
    is_read = sys.stderr is not None and sys.stderr.isatty()
    if is_read or why_no_desktop():
        return
    quiet = subprocess.DEVNULL
    with subprocess.Popen(
        again("failure"),
        stdin=subprocess.PIPE,
        stdout=quiet,
        stderr=quiet,
        env=window_environment(os.environ),
        text=True,
    ) as window:
        if window.stdin is not None:
            window.stdin.write(f"{json.dumps(words)}\n")
            window.stdin.flush()
        window.wait()


def main() -> int:
    """Be that window: the words come on standard input, whose end ends it. Returns the process's exit code."""
    words = json.loads(sys.stdin.readline())
    if why_no_window():
        return IMPOSSIBLE
    quiet_engine()
    webview: Any = import_module("webview")  # heavy; after the preflight
    native = native_view()
    native.prepare(ViewHooks(lambda _: False, open_page, lambda: None))
    window = webview.create_window(
        TITLE,
        html=page(words),
        width=SIZE[0],
        height=SIZE[1],
        background_color=DARK if native.is_dark() else LIGHT,
        text_select=True,
    )
    window.events.before_show += lambda: native.attach(window)
    threading.Thread(target=_end_with_the_pipe, name="leash", daemon=True).start()
    webview.start(gui=native.gui, private_mode=True, icon=str(asset(ICON)))
    return 0


def page(words: str) -> str:
    """The page that shows them as they are."""
    return PAGE.format(title=TITLE, words=html.escape(words))


def _end_with_the_pipe() -> None:
    sys.stdin.read()
    os._exit(0)  # nothing is kept by it
