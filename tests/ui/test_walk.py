"""Every page in every state, light and width: it fits, it can be read by all, it logs nothing and asks nobody."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.thorough import spread, turn
from tests.ui.rich import fill_richly
from tests.ui.serving import Running, opened, serving
from tests.ui.walk import DARK, LIGHT, LISTS, NARROW, PLACES, VIEWS, WALK, Place, Walker
from ui.pages import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.node, pytest.mark.xdist_group("walk")]

WALKED = [*PLACES[: len(PAGES)], *spread(PLACES[len(PAGES) :], 6)]
"""Each page, and of those in other states some in the gate."""

JUDGED = ((LIGHT, ""), (NARROW, ""), (DARK, "color-contrast"))
OPENED = ((LIGHT, ""), (DARK, "color-contrast"), (NARROW, "target-size"))
"""How places, and what opens there, are judged, and which of axe's rules may say something else; all in the first.

A thorough run does all, and keeps pictures; in the gate each page takes its turn, so that each view and rule occurs.
"""


@pytest.fixture(scope="module")
def servers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Running]]:
    """A memory with everything in it, and one with nothing."""
    homes = tmp_path_factory.mktemp("walk")
    with opened(homes / "full") as full, opened(homes / "empty") as empty:
        fill_richly(*full)
        with serving(*full) as rich, serving(*empty) as poor:
            yield {"full": rich, "empty": poor}


@pytest.fixture(scope="module")
def walker(whole_chromium: Browser, servers: dict[str, Running]) -> Iterator[Walker]:
    """A browser that is signed in at both."""
    WALK.mkdir(parents=True, exist_ok=True)
    context = whole_chromium.new_context(viewport={"width": 1360, "height": 900})
    page = context.new_page()
    for server in servers.values():
        page.goto(server.link())
    yield Walker(page)
    context.close()


@pytest.fixture
def server(servers: dict[str, Running], place: Place) -> Iterator[Running]:
    """The one whose memory the place shows."""
    running = servers["empty" if place.memory == "empty" else "full"]
    if place.memory == "paused":
        running.call("server_pause", paused=True)
    yield running
    if place.memory == "paused":
        running.call("server_pause", paused=False)


@pytest.mark.parametrize("place", WALKED, ids=lambda place: place.name)
def test_a_page_fits_every_window_and_can_be_read_by_all(walker: Walker, server: Running, place: Place) -> None:
    walker.go(server, place)
    number = WALKED.index(place)
    for view in turn(VIEWS, number):
        walker.look(place.name, view)
    for view, rule in turn(JUDGED, number):
        walker.look(place.name, view)
        walker.judge(place.name, view, rule)
    assert not (found := walker.found()), found


@pytest.mark.parametrize("place", spread(PLACES[: len(PAGES)], 5), ids=lambda place: place.name)
def test_what_opens_on_a_page_fits_too_and_closes_again(walker: Walker, server: Running, place: Place) -> None:
    walker.go(server, place)
    walker.arrange(LIGHT)
    for number, (kind, opener) in enumerate(walker.openers(), PLACES.index(place)):
        if kind == "shortcuts" and place != PLACES[0]:
            continue  # the same on every page
        name = f"{place.name}-open-{kind}"
        opener.scroll_into_view_if_needed()
        opener.click()
        for view, rule in turn(OPENED, number):
            walker.look(name, view)
            walker.judge(name, view, rule)
        walker.close(opener)
    assert not (found := walker.found()), found


@pytest.mark.parametrize(
    "place", spread((place for place in PLACES if place.name in LISTS), 3), ids=lambda place: place.name
)
def test_what_a_list_leads_to_fits_too(walker: Walker, server: Running, place: Place) -> None:
    walker.go(server, place)
    addresses = walker.page.locator("main a[data-row]").evaluate_all("all => all.map(each => each.pathname)")
    for number, address in enumerate(spread(dict.fromkeys(addresses[:3]), 1)):
        row = Place(f"{place.name}-row-{number}", address)
        walker.go(server, row)
        for view, rule in turn(OPENED, LISTS.index(place.name) + number):
            walker.look(row.name, view)
            walker.judge(row.name, view, rule)
    assert not (found := walker.found()), found


@pytest.mark.parametrize("place", spread(PLACES[: len(PAGES)], 2), ids=lambda place: place.name)
def test_forced_colours_and_less_motion_leave_a_page_whole(walker: Walker, server: Running, place: Place) -> None:
    walker.page.emulate_media(forced_colors="active", reduced_motion="reduce")
    walker.go(server, place)
    walker.look(f"{place.name}-forced", LIGHT)
    moving = "document.getAnimations().filter(each => each.playState === 'running').length"
    assert walker.page.evaluate(moving) == 0
    walker.page.emulate_media(forced_colors="none", reduced_motion="no-preference")
    assert not (found := walker.found()), found


def test_the_page_that_asks_who_it_is_can_be_read_by_all(whole_chromium: Browser, servers: dict[str, Running]) -> None:
    context = whole_chromium.new_context()
    stranger = Walker(context.new_page())
    asked = (("sign-in", "/sign-in", 200), ("sign-in-refused", "/sign-in?code=spent", 401))
    for number, (name, path, status) in enumerate(asked):
        answer = stranger.page.goto(servers["full"].url + path)
        assert answer is not None
        assert answer.status == status
        for view, rule in turn(OPENED, number):
            stranger.look(name, view)
            stranger.judge(name, view, rule)
    stranger.noise.console.clear()  # the browser tells of the refusal, as it should
    assert not (found := stranger.found()), found
    context.close()


def test_the_menu_of_a_narrow_window_and_what_was_told_fit_too(walker: Walker, servers: dict[str, Running]) -> None:
    walker.go(servers["full"], PLACES[0])
    walker.arrange(NARROW)
    walker.page.locator("#menu").click()
    walker.look("profile-menu", NARROW)
    walker.judge("profile-menu", NARROW)
    walker.page.locator("#menu").click()
    walker.page.locator("#edit-profile > summary").click()
    walker.page.locator("#edit-profile").get_by_role("button", name="Save").click()
    walker.page.locator("#toasts [data-toast]").wait_for()
    walker.look("profile-told", NARROW)
    walker.judge("profile-told", NARROW)
    assert not (found := walker.found()), found
