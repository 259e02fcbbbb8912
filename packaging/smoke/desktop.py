"""A desktop for a bare Debian: an X server and a window manager of this machine's, the person's own bus, a panel."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from debian import PERSON, Debian
from installed import Installed, said
from PIL import Image
from playwright.sync_api import expect, sync_playwright

from tests.desktop.display import window_manager, x_server
from tests.desktop.panel import Panel
from tests.desktop.screen import Screen

PAINTED = Path(__file__).resolve().parents[2] / "dist" / "smoke-window.png"
BUS = """<busconfig><type>session</type><listen>unix:path=/tmp/runtime/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
<allow user="*"/></policy></busconfig>"""
"""A session's own, but for its last line: the panel is another user's here."""
LEAST_COLOURS = 200
"""A window that waits for its page shows one; a page with text and icons has far more."""


@dataclass
class Desktop:
    """What a person sees, and what their programs are told of it."""

    display: str
    panel: Panel
    around: dict[str, str]

    def sees_window(self) -> None:
        """Wait until a page is painted in a window; the picture is kept, to be looked at."""
        with closing(Screen(self.display)) as screen:
            picture = screen.until(lambda image: colours(image) > LEAST_COLOURS)
        picture.save(PAINTED)
        said(f"the window is painted ({PAINTED.name})")

    def sees_icon(self) -> None:
        """Wait until the icon is in the tray, and its menu can be read."""
        self.panel.until(lambda: self.panel.icons)
        labels = self.panel.labels()
        assert any(each.startswith("Open") for each in labels), labels
        self.panel.icons.clear()
        said("the icon is in the tray, with its menu")


def colours(image: Image.Image) -> int:
    """How many different ones a picture has."""
    return len(image.getcolors(1 << 24) or ())


@contextmanager
def desktop_session(debian: Debian) -> Iterator[Desktop]:
    """One, for the length of a block."""
    with ExitStack() as stack:
        display = stack.enter_context(x_server())
        stack.enter_context(window_manager(display))
        runtime = debian.root / "tmp/runtime"
        runtime.mkdir(mode=0o700)
        debian.run("chown", f"{PERSON}:", "/tmp/runtime")  # noqa: S108 - in its own root
        address = stack.enter_context(bus(debian))
        panel = Panel(address.replace("/tmp/", f"{debian.root}/tmp/"))  # noqa: S108
        stack.callback(panel.close)
        panel.open()
        panel.begin()
        around = {
            "DISPLAY": display,
            "DBUS_SESSION_BUS_ADDRESS": address,
            "XDG_RUNTIME_DIR": "/tmp/runtime",  # noqa: S108
            "XDG_CURRENT_DESKTOP": "XFCE",
            "BROWSER": "/bin/false",
        }
        yield Desktop(display, panel, around)


@contextmanager
def bus(debian: Debian) -> Iterator[str]:
    """The person's message bus, once it answers; its address as they see it."""
    (debian.root / "tmp/runtime/bus.conf").write_text(BUS)
    command = ["dbus-daemon", "--config-file=/tmp/runtime/bus.conf", "--nofork", "--print-address"]
    around = {"PATH": os.defpath, "HOME": f"/home/{PERSON}"}
    process = subprocess.Popen(
        [*debian.entering(), *command], env=around, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(20)


def clicked_together(installed: Installed) -> None:
    """An IDE is connected on the page, by a click in a browser."""
    link = installed.operation("server_sign_in_link")["url"]
    path = "/usr/bin/chromium-headless-shell"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto(link)
        page.goto(f"{link.partition('/sign-in')[0]}/ides")
        page.locator("#on-claude-code").click()
        page.locator("#plan").get_by_role("button", name="Connect", exact=True).click()
        expect(page.locator("#ides-told").get_by_role("heading", name="is connected")).to_be_visible(timeout=60_000)
        browser.close()
    assert "bigmind" in (installed.person / ".claude.json").read_text(encoding="utf-8")
    assert "Connected" in installed.run("clients", "doctor")
    said("an IDE is connected by a click on the page, and tried")
