"""The table of hostile requests against every route, taken from the assembled application."""

import json
import socket
from contextlib import suppress
from dataclasses import replace

import anyio
import pytest

from bigmind.core.operation import Surface
from bigmind.http import guard
from bigmind.http.api import PREFIX
from bigmind.wiring import catalogue
from tests.http.attacks import Attack, attacks
from tests.http.inside import server_inside
from tests.http.raw import Answered, Raw, exchange
from tests.http.world import BRAIN, NOWHERE, PUBLIC, Route, World, build_world, good_request, routes_of, target_of
from tests.thorough import turn

pytestmark = pytest.mark.xdist_group("http-guard")

ATTACKS = attacks()
"""In the gate each is tried on a twelfth of the routes that it concerns, whose turn it is: each route meets a dozen."""
MET_OTHERWISE = {
    # Without a session there is nothing to listen to or to end: the endpoint's own answer, behind the guard.
    "DELETE /mcp": {400, 404, 405},
    "GET /mcp": {400, 404, 405},
    # This server writes into no file.
    "GET /health/server.log": {404},
    # The form's own cookie is missing.
    "POST /sign-in": {403},
    # The code is none.
    "POST /sign-in/from-file": {401},
    "POST /sign-out": {303},
    # Only the very first sign-in of all leads there.
    "GET /sign-in/passphrase": {303},
    "POST /sign-in/passphrase": {403},
    "OPTIONS": {204},
    # No work was begun that could be followed, or whose file could be fetched.
    "GET /jobs/{job_id:str}": {404},
    "POST /actions/jobs/{job_id:str}/seen": {404},
    "POST /actions/jobs/{job_id:str}/cancel": {404},
    "GET /downloads/{job_id:str}": {404},
    # They are asked behind which one; without that there is nothing to tell.
    "GET /work/more": {404},
    "GET /hypotheses/more": {422},
    "GET /knowledge/more": {422},
    # The address that a kind's things have leads to the page of a thought.
    "GET /brain/{thought_id:str}": {302},
    # It is a team's.
    "GET /directory/{name:str}": {404},
    "POST /actions/{name:str}": {303},
    "POST /actions/portable/export": {303},
    "POST /actions/portable/import": {303},
    "POST /actions/learn/read": {303},
    "POST /actions/learn/accept": {303},
    "POST /actions/learn/dismiss": {303},
    NOWHERE: {404},
    # What is done in person: no token does it.
    **{f"POST /api/v1/{each.name}": {403} for each in catalogue().on(Surface.API) if each.in_person},
}


def test_the_table_is_long_enough_and_names_each_attack_once() -> None:
    assert len(ATTACKS) >= 40
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_a_hostile_request_is_refused_on_every_route_and_changes_nothing(world: World, attack: Attack) -> None:
    wrong: list[str] = []
    concerned = [route for route in routes_of(world.inside) if attack.concerns(route)]
    tried = turn(concerned, ATTACKS.index(attack), max(3, len(concerned) // 12))
    for route in tried:
        good_request(world, route)  # makes what it needs
    before = world.inside.everything()
    for route in tried:
        answered = exchange(world.port, attack.spoil(world, good_request(world, route)))
        if answered.status != attack.status:
            wrong.append(f"{route}: {answered.status} {answered.body[:120]!r}")
        elif not attack.parser:
            wrong += [f"{route}: {fault}" for fault in faults_of_refusal(route, answered)]
    assert concerned, "the attack concerns no route"
    assert wrong == []
    assert world.inside.everything() == before


def faults_of_refusal(route: Route, answered: Answered) -> list[str]:
    """What is wrong with how a refusal looks."""
    content_type = answered.header("content-type") or b""
    found = []
    if answered.header("connection") != b"close" and not content_type.startswith(b"text/html"):
        found.append("the connection stays open behind an unread body")
    if answered.header("access-control-allow-origin") is not None:
        found.append("another origin may read it")
    if route.method == "HEAD" or content_type.startswith(b"text/html"):
        return found
    problem = answered.json()
    if route.path.startswith("/api/v1/memory/") or route.path == "/api/v1/memory":
        is_right = content_type == b"application/json" and problem.keys() == {"error"}
        return (
            found
            if is_right and problem["error"].keys() == {"code", "message"}
            else [*found, f"not its form: {problem}"]
        )
    if content_type != b"application/problem+json" or problem["status"] != answered.status or not problem["title"]:
        found.append(f"no problem document: {content_type!r} {problem}")
    return found


NOTHING_TO_DO = {
    "memory_export",
    "memory_vacuum",
    "memory_reindex",
    "memory_close_forgotten",
    "secrets_scan",
    "backup_start_empty",
    "clients_bundle",
    "clients_repair",
}
"""What finds nothing old, wrong or secret here, and so leaves no trace; their own tests show what they change.

An export and a bundle are files, and no row.
"""


def test_without_the_attack_every_route_answers(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The control: what the table spoils is the only thing that keeps these requests out."""
    with server_inside(tmp_path_factory.mktemp("control") / "home") as inside:
        world = build_world(inside)
        # What is shown or edited must not be gone or over by then; nothing can be done behind the signing out.
        edits = ("/memory_edit_fact", "/memory_edit_hypothesis", "/memory_edit_global", "/memory_place")
        offered = inside.mind.dispatcher.catalogue.on(Surface.API)  # its order makes things before it changes them
        places = {f"{PREFIX}/{each.name}": place for place, each in enumerate(offered)}
        listed = sorted(routes_of(inside), key=lambda each: places.get(each.path, len(places)))
        order = sorted(listed, key=lambda each: (each.is_bearer, not each.path.endswith(edits)))
        for route in sorted(order, key=lambda each: each.is_sign_in):
            operation = inside.mind.dispatcher.catalogue.get(route.path.rpartition("/")[2])
            changes = operation is not None and operation.effect != "read" and operation.name not in NOTHING_TO_DO
            request = good_request(world, route)
            before = inside.everything() if changes else {}
            answered = exchange(world.port, request)
            wanted = MET_OTHERWISE.get(str(route)) or MET_OTHERWISE.get(route.method) or MET_OTHERWISE.get(route.path)
            wanted = wanted or {200}
            assert answered.status in wanted, (str(route), answered.status, answered.body[:300])
            if route.method == "POST" and answered.status == 200 and changes:
                assert inside.everything() != before, f"{route} would not have been missed"


def test_only_the_sign_in_page_and_the_probe_are_public(world: World) -> None:
    assert set(guard.PUBLIC) == PUBLIC == {"/sign-in", "/sign-in/from-file", "/livez"}
    assert unlocked(world) == PUBLIC


def test_a_route_that_is_opened_by_mistake_is_found(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: the search for open routes can fail."""
    monkeypatch.setattr(guard, "PUBLIC", frozenset({*PUBLIC, "/api/v1/openapi.json"}))
    assert unlocked(world) == {*PUBLIC, "/api/v1/openapi.json"}


def unlocked(world: World) -> set[str]:
    """The routes that answer anything but 401 to somebody who has no token."""
    found = set()
    for route in routes_of(world.inside):
        request = good_request(world, route).without("Authorization").without("Cookie")
        if exchange(world.port, request).status != 401:
            found.add(route.path)
    return found


WRITTEN = [
    "/{}/",
    "//{}",
    "///{}//",
    "/./{}",
    "/livez/../{}",
    "/sign-in/../{}",
    "/livez/{}",
    "/sign-in/{}",
    "/livez;/{}",
    "/livez%2f..%2f{}",
    "/livez%00/{}",
    "/static/../{}",
    "/{}?/livez",
    "/{}#/livez",
    "/{}%20",
    "/%2f{}",
    "/X{}",
]
"""In the gate each on a fourth of the routes, in turn."""


@pytest.mark.parametrize("path", WRITTEN)
def test_no_way_of_writing_a_path_opens_it(world: World, path: str) -> None:
    wrong = []
    for route in turn(routes_of(world.inside), WRITTEN.index(path), 60):
        target = path.format(target_of(world, route).lstrip("/"))
        if route.is_public or target.rstrip("/") in PUBLIC:
            continue
        request = good_request(world, route).without("Authorization").without("Cookie")
        answered = exchange(world.port, replace(request, target=target))
        # The parser itself refuses some of them.
        if answered.status not in {401, 415, 400}:
            wrong.append(f"{route} as {target}: {answered.status}")
    assert wrong == []


@pytest.mark.parametrize("path", ["//{}", "/{}/", "///{}//", "/%2f{}"])
def test_a_browsers_cookie_runs_no_operation_however_the_path_is_written(world: World, path: str) -> None:
    before = world.inside.everything()
    for route in routes_of(world.inside):
        if not route.is_bearer:
            continue
        request = (
            good_request(world, route)
            .having("Authorization")
            .adding("Cookie", f"{world.inside.cookie}={world.browser}")
        )
        target = path.format(target_of(world, route).lstrip("/"))
        answered = exchange(world.port, replace(request, target=target))
        assert answered.status == 401, f"{route} as {target}: {answered.status} {answered.body[:200]!r}"
    assert world.inside.everything() == before


OVERRIDES = (("X-HTTP-Method-Override", "POST"), ("X-Method-Override", "POST"), ("_method", "POST"))


@pytest.mark.parametrize("method", ["GET", "HEAD", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT", "PROPFIND"])
def test_another_method_is_refused_and_changes_nothing(world: World, method: str) -> None:
    before = world.inside.everything()
    routes = routes_of(world.inside)
    posts = [route for route in routes if route.method == "POST" and route.path.startswith("/api/")]
    posts = [route for route in posts if Route(method, route.path) not in routes]
    assert posts
    for number, route in enumerate(posts):
        for override in turn(OVERRIDES, number + len(method)):
            request = good_request(world, route).adding(*override)
            answered = exchange(world.port, replace(request, method=method))
            assert answered.status == 405, f"{method} {route}: {answered.status}"
    assert world.inside.everything() == before


@pytest.mark.parametrize("method", [b"BREW", b"post", b"POST\x00", b"", b"P" * 5_000])
def test_what_is_no_method_is_refused(world: World, method: bytes) -> None:
    before = world.inside.everything()
    request = good_request(world, Route("POST", "/api/v1/memory_store_fact")).to_bytes()
    assert exchange(world.port, request.replace(b"POST", method, 1)).status == 400
    assert world.inside.everything() == before


def test_lower_case_and_capitals_of_the_scheme_and_of_our_own_names_are_fine(world: World) -> None:
    good = good_request(world, Route("POST", "/api/v1/memory_get_stats"))
    for scheme in ("bearer", "BEARER", "Bearer"):
        assert exchange(world.port, good.having("Authorization", f"{scheme} {world.cli}")).status == 200
    for host in (f"LOCALHOST:{world.port}", f"localhost:{world.port}", f"[::1]:{world.port}"):
        assert exchange(world.port, good.having("Host", host)).status == 200
    for header, value in (
        ("Origin", f"http://{world.host}"),
        ("Origin", f"http://localhost:{world.port}"),
        ("Sec-Fetch-Site", "same-origin"),
        ("Sec-Fetch-Site", "none"),
        ("Content-Type", "Application/JSON; charset=utf-8"),
    ):
        assert exchange(world.port, good.having(header, value)).status == 200, (header, value)


def test_a_refused_body_is_never_taken_for_the_next_request(world: World) -> None:
    """Request smuggling: what follows a refusal on its connection is not served."""
    before = world.inside.everything()
    hidden = good_request(world, Route("POST", "/api/v1/memory_store_fact")).to_bytes()
    outer = good_request(world, Route("POST", "/api/v1/memory_get_stats"))
    refusals = {
        "the body of a refused request": replace(outer.having("Content-Type", "text/plain"), body=hidden).to_bytes(),
        "a request behind one of a foreign host": outer.having("Host", "evil.com").to_bytes() + hidden,
        "the body of one that is too large": replace(outer, body=hidden, length=b"99999999").to_bytes(),
    }
    for name, sent in refusals.items():
        answered = exchange(world.port, sent, to_the_end=True)
        assert answered.status in {415, 421, 413}, name
        assert answered.rest == b"", f"{name} was answered: {answered.rest[:200]!r}"
    assert world.inside.everything() == before


def test_a_preflight_of_another_origin_gets_no_permission(world: World) -> None:
    for route in routes_of(world.inside):
        if route.method != "OPTIONS":
            continue
        preflight = (
            Raw("OPTIONS", target_of(world, route)).having("Host", world.host).adding("Origin", "http://evil.com")
        )
        answered = exchange(world.port, preflight.adding("Access-Control-Request-Method", "POST"))
        assert answered.status == 403, str(route)
        assert b"access-control" not in answered.head.lower()


def test_a_websocket_handshake_is_never_accepted(world: World) -> None:
    asking = Route("GET", BRAIN)  # served as what it is, it notes that it was asked
    routes = [route for route in routes_of(world.inside) if route.method == "GET" and route != asking]
    before = world.inside.everything()
    for route in [*routes, asking]:
        if route == asking:
            assert world.inside.everything() == before
        request = (
            good_request(world, route)
            .adding("Connection", "Upgrade")
            .adding("Upgrade", "websocket")
            .adding("Sec-WebSocket-Version", "13")
            .adding("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ==")
        )
        answered = exchange(world.port, request)
        assert answered.status != 101, str(route)
        assert answered.header("sec-websocket-accept") is None


def test_the_guard_closes_a_websocket_before_anything_behind_it_hears_of_it(world: World) -> None:
    heard: list[object] = []
    sent: list[dict] = []

    async def behind(*connection) -> None:
        heard.append(connection)

    async def receive() -> dict:
        return {"type": "websocket.connect"}

    async def send(message: dict) -> None:
        sent.append(message)

    door = guard.Door(world.port, world.inside.cookie, lambda _: (b"", []), lambda _: False)
    guarded = guard.Guard(behind, world.inside.mind.authenticator, door)
    headers = [(b"host", world.host.encode()), (b"authorization", f"Bearer {world.cli}".encode())]
    anyio.run(guarded, {"type": "websocket", "path": "/mcp", "headers": headers}, receive, send)
    assert heard == []
    assert sent == [{"type": "websocket.close", "code": 1008}]


def test_a_page_that_is_asked_for_without_a_cookie_is_the_sign_in_page_and_nothing_else(world: World) -> None:
    wanted = {"Accept": "text/html"}
    with world.inside.http() as http:
        for path in ("/", "/profile", "/sessions", f"/sessions/{world.ids.session}", "/nowhere"):
            answered = http.get(path, headers=wanted)
            assert answered.status_code == 401
            assert '<form method="post" action="/sign-in">' in answered.text
            assert "door" not in answered.text
        assert http.get("/api/v1/openapi.json", headers=wanted).headers["content-type"] == "application/problem+json"


def test_a_refusal_says_what_would_be_right_and_starts_no_oauth(world: World) -> None:
    with world.inside.http() as http:
        answered = http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert answered.status_code == 401
    assert answered.headers["www-authenticate"] == 'Bearer realm="bigmind"'
    assert "bigmind token create my-ide`" in json.loads(answered.text)["hint"]
    assert "resource_metadata" not in str(answered.headers)


def test_headers_without_an_end_are_refused(world: World) -> None:
    with socket.create_connection(("127.0.0.1", world.inside.port), timeout=30) as connection:
        connection.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n")
        answered = b""
        with suppress(ConnectionError):
            for number in range(2_000):
                connection.sendall(b"X-%d: " % number + b"y" * 16_384 + b"\r\n")
            connection.shutdown(socket.SHUT_WR)
        with suppress(ConnectionError):
            answered = connection.recv(4_096)
    assert answered == b"" or answered.startswith(b"HTTP/1.1 400")
    assert answered != b"" or number < 1_999
