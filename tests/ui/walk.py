"""The ways through the pages: every place and state, and how each is looked at."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import CDPSession, Error, Page

from tests.retries import note_retry
from tests.thorough import THOROUGH
from tests.ui.serving import ARTEFACTS, Noise, Running
from ui.pages import PAGES

WALK = ARTEFACTS / "walk"
AXE = Path(__file__).parents[1] / "node" / "node_modules" / "axe-core" / "axe.min.js"
ASKING = Path(__file__).with_name("walk.js")


@dataclass(frozen=True)
class View:
    """How a page is looked at: `scale` 2 is a window at 200 %, which leaves half the CSS pixels."""

    name: str
    width: int
    height: int
    scheme: str
    scale: int = 1


SIZES = (("360", 360, 800, 1), ("1360", 1360, 900, 1), ("2560", 2560, 1440, 1), ("200%", 680, 450, 2))
VIEWS = tuple(
    View(f"{scheme}-{name}", width, height, scheme, scale)
    for scheme in ("light", "dark")
    for name, width, height, scale in SIZES
)
LIGHT, DARK, NARROW = VIEWS[1], VIEWS[5], VIEWS[4]
"""Those in which what opens is looked at: a window in both lights, and a telephone in the dark."""


@dataclass(frozen=True)
class Place:
    """An address, and the memory that is shown there. `status` is what the server answers."""

    name: str
    path: str
    memory: str = "full"
    status: int = 200


PLACES = (
    *(Place(entry.name, entry.path) for entry in PAGES),
    *(Place(f"{entry.name}-empty", entry.path, "empty") for entry in PAGES),
    *(Place(f"{entry.name}-paused", entry.path, "paused") for entry in PAGES if entry.name in {"profile", "facts"}),
    Place("brain-asked", "/brain?prompt=refunds+gateway"),
    Place("brain-unknown", "/brain?prompt=zzqqy"),
    Place("brain-highways", "/brain/highways"),
    Place("brain-highways-empty", "/brain/highways", "empty"),
    Place("brain-queue", "/brain/queue"),
    Place("brain-queue-empty", "/brain/queue", "empty"),
    Place("brain-noise", "/brain/queue?show=noise"),
    Place("brain-merge", "/brain/merge"),
    Place("work-solo", "/work?process=solo"),
    Place("work-no-match", "/work?role=nobody"),
    Place("work-item", "/work/solo-9"),
    Place("work-item-moved-to", "/work/task-7?to=ready"),
    Place("work-item-long", "/work/text-0"),
    Place("work-item-missing", "/work/nonsense", status=404),
    Place("work-processes", "/work/processes"),
    Place("work-process", "/work/processes/task"),
    Place("work-process-own", "/work/processes/content?version=1"),
    Place("work-roles", "/work/assistants"),
    Place("work-roles-empty", "/work/assistants", "empty"),
    Place("usage-year", "/usage?days=366"),
    Place("learn-proposals", "/learn?workspace=~/apollo"),
    Place("learn-no-folder", "/learn?workspace=nowhere"),
    Place("search-found", "/search?q=importer"),
    Place("search-nothing", "/search?q=zzqqy"),
    Place("search-long", f"/search?q={'word+' * 300}"),
    Place("sessions-filtered", "/sessions?topic=postgres&project=checkout-service"),
    Place("sessions-no-match", "/sessions?topic=nowhere"),
    Place("sessions-bad-cursor", "/sessions?cursor=nonsense", status=422),
    Place("session-missing", "/sessions/nonsense", status=404),
    Place("missing", "/nowhere", status=404),
)

OK = 200
LONGEST = 6_000
LISTS = ("sessions", "facts", "hypotheses", "knowledge", "brain", "work", "waiting")
"""The lists whose rows lead to a page of their own, or open in place."""


PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())))"
NO_FRAME = "Unable to capture screenshot"
OPENERS = "main [data-opens], main details > summary"


@dataclass
class Walker:
    """One page of a browser that goes everywhere; what is wrong is gathered by place and view."""

    page: Page
    faults: dict[str, list[str]] = field(default_factory=dict)
    advice: set[str] = field(default_factory=set)
    noise: Noise = field(default_factory=lambda: Noise("http://127.0.0.1:"))

    def __post_init__(self) -> None:
        self._cdp: CDPSession = self.page.context.new_cdp_session(self.page)
        for script in (AXE, ASKING):
            self.page.add_init_script(path=script)
        self.noise.watch(self.page)

    def found(self) -> str:
        """What was wrong since this was asked last, a line each."""
        lines = [f"{fault} [{', '.join(dict.fromkeys(views))}]" for fault, views in self.faults.items()]
        lines += [f"logged: {said}" for said in self.noise.console]
        lines += [f"asked: {address}" for address in self.noise.requests]
        self.forget()
        return "\n".join(lines)

    def forget(self) -> None:
        """Begin anew."""
        for kept in (self.faults, self.noise.console, self.noise.requests):
            kept.clear()

    def go(self, server: Running, place: "Place") -> None:
        """Be there, with the page at rest."""
        self.forget()
        answer = self.page.goto(server.url + place.path)
        assert answer is not None
        assert answer.status == place.status
        self.page.locator("#connection[data-state=live]").wait_for()
        if place.status != OK:
            self.noise.console.clear()

    def look(self, name: str, view: View) -> None:
        """Arrange the window as the view says, judge the layout, and keep a picture in a thorough run."""
        self.arrange(view)
        for fault in self.page.evaluate("walk.shape()"):
            self._note(f"{name}: {fault}", view)
        if THOROUGH:
            self.picture(f"{name}-{view.name}")

    def arrange(self, view: View) -> None:
        """Give the window the view's size, scale and colours."""
        self.page.emulate_media(color_scheme=view.scheme)
        size = {"width": view.width, "height": view.height, "deviceScaleFactor": view.scale, "mobile": False}
        self._cdp.send("Emulation.setDeviceMetricsOverride", size)

    def picture(self, name: str) -> None:
        """The page to its end, into the artefacts."""
        size = self._cdp.send("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": min(size["height"], LONGEST), "scale": 1}
        asked = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": True, "clip": clip}
        (WALK / f"{name}.png").write_bytes(base64.b64decode(self._captured(asked)))

    def _captured(self, asked: dict[str, Any]) -> str:
        """The picture, in base64. On a busy machine the browser may have no frame of a size that was just set."""
        for is_last in (False, False, True):
            self.page.evaluate(PAINTED)
            try:
                return self._cdp.send("Page.captureScreenshot", asked)["data"]
            except Error as error:
                if is_last or NO_FRAME not in error.message:
                    raise
                note_retry("Chromium had no frame to take a picture of")
        raise AssertionError("the last try returns or raises")

    def judge(self, name: str, view: View, only: str = "") -> None:
        """Ask axe; of the best practices it knows, what is missed is advice."""
        for is_advice, said in self.page.evaluate("only => walk.judge(only)", only):
            if is_advice:
                self.advice.add(f"{name}: {said}")
            else:
                self._note(f"{name}: {said}", view)

    def openers(self) -> Iterator[tuple[str, Any]]:
        """What can be opened here, one of each kind: its name, and the element that opens it."""
        places = self.page.evaluate("all => walk.openers(all)", OPENERS)
        for name, place in places:
            yield name, self.page.locator(OPENERS).nth(place)

    def close(self, opener: Any) -> None:
        """Close what the element opened: a dialog by Escape, a fold by itself."""
        dialog = self.page.locator("dialog[open]")
        if dialog.count():
            self.page.keyboard.press("Escape")
            dialog.wait_for(state="hidden")
            if not opener.evaluate("each => each === document.activeElement"):
                self._note(f"closing leads not back to “{opener.inner_text()[:40]}”, which opened it", LIGHT)
        elif opener.evaluate("each => each.tagName === 'SUMMARY'"):
            opener.evaluate("each => { each.parentElement.open = false }")

    def _note(self, fault: str, view: View) -> None:
        self.faults.setdefault(fault, []).append(view.name)
