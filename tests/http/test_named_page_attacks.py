"""What a page that the owner named sends is checked like everything else: the table of hostile requests, from there."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from bigmind.settings.live import LiveSettings
from tests.http.attacks import Attack, attacks
from tests.http.inside import server_inside
from tests.http.raw import Answered, Raw, exchange
from tests.http.world import BRAIN, Route, World, build_world, good_request, routes_of

pytestmark = pytest.mark.xdist_group("http-named-pages")

PAGE, OTHER = "https://chat.example.com", "http://localhost:3000"
ROUTES = (
    Route("POST", "/mcp"),
    Route("POST", "/api/v1/query_brain"),
    Route("POST", BRAIN),
    Route("GET", BRAIN),
    Route("PATCH", f"{BRAIN}/thought/{{thought_id:str}}/metadata"),
)
ABOUT_SENDERS = ("origin", "two origins", "the same origin twice", "sec-fetch-site", "a good origin from another site")
"""What is wrong of these is where they come from, which is what a name in the settings changes."""
ATTACKS = [each for each in attacks() if not each.name.startswith(ABOUT_SENDERS) and any(map(each.concerns, ROUTES))]
EVIL = (
    "https://evil.example.com",
    "https://chat.example.com.evil.org",
    "https://evil-chat.example.com",
    "https://x.chat.example.com",
    "https://example.com",
    "http://chat.example.com",
    "https://chat.example.com:443",
    "https://chat.example.com:8",
    "https://chat.example.com/",
    "https://chat.example.com, https://evil.example.com",
    "https://user@chat.example.com",
    "http://localhost",
    "http://localhost:30000",
    "http://127.0.0.1:3000",
    "null",
    "*",
    "",
)
ASKED = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}
READABLE = {"access-control-allow-origin", "access-control-expose-headers", "vary"}


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    with server_inside(tmp_path_factory.mktemp("named") / "home") as inside:
        store = inside.mind.store
        settings = LiveSettings(inside.home, {"BIGMIND_ORIGINS": f"{PAGE},{OTHER}"})
        store.host = replace(store.host, settings=settings)
        yield build_world(inside)


def from_page(raw: Raw, origin: str = PAGE) -> Raw:
    return raw.having("Origin", origin).having("Sec-Fetch-Site", "cross-site").having("Sec-Fetch-Mode", "cors")


def preflight(world: World, target: str, *origins: str, method: str = "POST") -> Raw:
    raw = Raw("OPTIONS", target).having("Host", world.host).having("Origin", *origins)
    for name, value in (ASKED | {"Access-Control-Request-Method": method}).items():
        raw = raw.adding(name, value)
    return raw.adding("Sec-Fetch-Site", "cross-site")


def said(answered: Answered) -> dict[str, bytes]:
    """What the answer says of who may read it."""
    lines = [line.partition(b":")[::2] for line in answered.head.split(b"\r\n")[1:]]
    found = {name.decode().lower(): value.strip() for name, value in lines}
    return {name: value for name, value in found.items() if name in READABLE or name.startswith("access-control")}


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_a_hostile_request_of_a_named_page_is_refused(named: World, attack: Attack) -> None:
    before, wrong = named.inside.everything(), []
    for route in filter(attack.concerns, ROUTES):
        answered = exchange(named.port, attack.spoil(named, from_page(good_request(named, route))))
        if answered.status != attack.status:
            wrong.append(f"{route}: {answered.status} {answered.body[:120]!r}")
    assert wrong == []
    assert named.inside.everything() == before


@pytest.mark.parametrize("route", ROUTES, ids=str)
def test_a_good_request_of_a_named_page_is_answered_and_it_alone_may_read_it(named: World, route: Route) -> None:
    for origin in (PAGE, OTHER):
        answered = exchange(named.port, from_page(good_request(named, route), origin))
        assert answered.status == 200, answered.body
        assert said(answered) == {
            "access-control-allow-origin": origin.encode(),
            "access-control-expose-headers": b"mcp-session-id",
            "vary": b"Origin",
        }


def test_a_named_page_reads_why_it_was_refused_and_reaches_nothing_without_a_token(named: World) -> None:
    request = from_page(good_request(named, Route("POST", BRAIN)).without("Authorization"))
    answered = exchange(named.port, request)
    assert (answered.status, said(answered)["access-control-allow-origin"]) == (401, PAGE.encode())
    with_cookie = request.adding("Cookie", f"{named.inside.cookie}={named.browser}")
    assert exchange(named.port, with_cookie).status == 401


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
@pytest.mark.parametrize("target", ["/mcp", "/mcp?toolsets=brain", BRAIN, f"{BRAIN}/domains", "/api/v1/query_brain"])
def test_a_good_preflight_is_permitted_for_a_while_and_without_cookies(named: World, target: str, method: str) -> None:
    answered = exchange(named.port, preflight(named, target, PAGE, method=method))
    assert (answered.status, answered.body) == (204, b"")
    told = said(answered)
    assert told.keys() == {
        "access-control-allow-origin",
        "access-control-allow-methods",
        "access-control-allow-headers",
        "access-control-max-age",
        "vary",
    }
    assert (told["access-control-allow-origin"], told["vary"]) == (PAGE.encode(), b"Origin")
    assert method.encode() in told["access-control-allow-methods"].split(b", ")
    allowed = set(told["access-control-allow-headers"].split(b", "))
    assert {b"authorization", b"content-type", b"idempotency-key", b"bigmind-project", b"bigmind-client"} <= allowed
    assert {b"bigmind-agent", b"mcp-protocol-version", b"mcp-session-id"} <= allowed
    assert int(told["access-control-max-age"]) <= 600


@pytest.mark.parametrize("origin", EVIL)
def test_an_evil_preflight_or_request_is_refused_and_may_not_be_read(named: World, origin: str) -> None:
    before, wrong = named.inside.everything(), []
    for route in ROUTES:
        good = good_request(named, route)
        for request in (preflight(named, good.target, origin, method=route.method), from_page(good, origin)):
            answered = exchange(named.port, request)
            if answered.status != 403 or said(answered):
                wrong.append(f"{request.method} {good.target}: {answered.status} {said(answered)}")
    assert wrong == []
    assert named.inside.everything() == before


def test_two_origins_are_none(named: World) -> None:
    for origins in ((PAGE, PAGE), (PAGE, OTHER), (PAGE, "https://evil.example.com")):
        assert exchange(named.port, preflight(named, BRAIN, *origins)).status == 403
        request = from_page(good_request(named, Route("POST", BRAIN))).having("Origin", *origins)
        assert exchange(named.port, request).status == 403


def test_a_preflight_with_a_foreign_host_is_refused(named: World) -> None:
    answered = exchange(named.port, preflight(named, BRAIN, PAGE).having("Host", "evil.com"))
    assert (answered.status, said(answered)) == (421, {})


def test_a_named_page_reaches_no_page_and_no_form(named: World) -> None:
    before, wrong = named.inside.everything(), []
    for route in routes_of(named.inside):
        if route.is_bearer:
            continue
        good = good_request(named, route)
        for request in (preflight(named, good.target, PAGE, method=route.method), from_page(good)):
            answered = exchange(named.port, request)
            if answered.status != 403 or said(answered):
                wrong.append(f"{request.method} {route}: {answered.status} {said(answered)}")
    assert wrong == []
    assert named.inside.everything() == before


def test_options_that_ask_for_nothing_need_a_token_as_ever(named: World) -> None:
    asked = preflight(named, "/mcp", PAGE).without("Access-Control-Request-Method")
    assert exchange(named.port, asked).status == 401


def test_a_page_that_is_taken_out_of_the_settings_is_refused_at_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    with server_inside(tmp_path_factory.mktemp("live") / "home") as inside:
        world = build_world(inside)
        request = from_page(good_request(world, Route("POST", BRAIN)))
        assert exchange(world.port, request).status == 403
        inside.host.settings.change({"origins": PAGE})
        assert exchange(world.port, request).status == 200
        inside.host.settings.change({"origins": ""})
        assert exchange(world.port, request).status == 403
