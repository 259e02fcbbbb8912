"""The server that is attacked: its users, its valid and its invalid tokens, and a good request for each route."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from litestar.routes import ASGIRoute, BaseRoute, HTTPRoute

from bigmind.people.service import revoke_token
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind, new_secret
from tests.http.good import GOOD, Owned, own_things
from tests.http.inside import Inside
from tests.http.owned_work import a_process
from tests.http.raw import Raw
from ui.forms.csrf import signed_form_token

JSON_TYPE = "application/json"
FORM_TYPE = "application/x-www-form-urlencoded"
FILE_TYPE = "application/octet-stream"
FORM_TOKEN = "BigMind-Form-Token"
API = "/api/v1/"
BRAIN = "/api/v1/memory"
"""The brain's own routes, beside those of its operations."""
BY_HAND: dict[str, dict[str, Any]] = {
    BRAIN: {"prompt": "Learned: the door holds because the hinges were oiled before the winter.", "agent_id": "tester"},
    f"{BRAIN}/thought/{{thought_id:str}}/metadata": {"topic": "gates"},
    f"{BRAIN}/thought/{{thought_id:str}}/share": {},
}
NOWHERE = "/{path:path}"
"""What answers where no other route does."""
SMALL_FORMS = {"/sign-in", "/sign-in/from-file", "/sign-in/passphrase", "/sign-out"}
PUBLIC = {"/sign-in", "/sign-in/from-file", "/livez"}
ACTION = "memory_add_hypothesis"
NO_JOB = "0190aaaa-0000-7000-8000-000000000000"
NO_PROPOSAL = "0" * 64
NOTHING_OWNED = Owned("", "", "", "", "", "")


@dataclass
class World:
    """One server with everything an attacker could have got hold of."""

    inside: Inside
    ids: Owned
    cli: str
    client: str
    browser: str
    expired: str
    expired_browser: str
    revoked: str
    revoked_browser: str
    foreign: str

    @property
    def port(self) -> int:
        return self.inside.port

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"


def build_world(inside: Inside) -> World:
    def ended(kind: TokenKind) -> str:
        return inside.token(kind=kind, lifetime=timedelta(seconds=-1))

    def revoked(kind: TokenKind) -> str:
        secret = inside.token(kind=kind)
        caller = inside.caller(secret)
        with inside.mind.store.write(caller, "test") as work:
            revoke_token(work, work.session.get_one(Token, caller.token_id).uid)
        return secret

    things = own_things(inside, "ada")
    things.work.all()
    return World(
        inside,
        things,
        cli=inside.token(),
        client=inside.token(kind=TokenKind.CLIENT),
        browser=inside.token(kind=TokenKind.UI),
        expired=ended(TokenKind.CLIENT),
        expired_browser=ended(TokenKind.UI),
        revoked=revoked(TokenKind.CLIENT),
        revoked_browser=revoked(TokenKind.UI),
        foreign=new_secret(),
    )


@dataclass(frozen=True)
class Route:
    """One route of the application, by one of its methods."""

    method: str
    path: str

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def is_public(self) -> bool:
        return self.path in PUBLIC

    @property
    def is_bearer(self) -> bool:
        return self.path.startswith(("/api/", "/mcp"))

    @property
    def is_sign_in(self) -> bool:
        """Whether it is a form that is small: it takes a code, or nothing."""
        return self.path in SMALL_FORMS and self.method == "POST"

    @property
    def is_action(self) -> bool:
        """Whether it is a form of a page."""
        return self.path.startswith(("/actions/", "/knowledge/")) and self.method == "POST"

    @property
    def is_form(self) -> bool:
        return self.is_sign_in or self.is_action

    @property
    def is_upload(self) -> bool:
        return self.path == "/uploads" and self.method == "POST"

    @property
    def has_body(self) -> bool:
        return self.method in {"POST", "PUT", "PATCH"}

    @property
    def is_json(self) -> bool:
        return self.has_body and not self.is_form and not self.is_upload


def routes_of(inside: Inside) -> list[Route]:
    """Every route and method of the assembled application; a kind of route that is not known here is an error."""
    return [route for each in inside.routes for route in _routes(each)]


def _routes(each: BaseRoute) -> Iterator[Route]:
    match each:
        case HTTPRoute():
            yield from (Route(method, each.path) for method in sorted(each.methods))
        case ASGIRoute():
            yield from (Route(method, each.path) for method in ("DELETE", "GET", "OPTIONS", "POST"))
        case _:
            raise AssertionError(f"no hostile requests are written for {type(each).__name__} {each.path}")


def good_request(world: World, route: Route) -> Raw:
    """What a legitimate client of the route sends."""
    headers = [("Host", world.host.encode())]
    if route.is_bearer:
        headers.append(("Authorization", f"Bearer {world.cli}".encode()))
    elif not route.is_public:
        headers.append(("Cookie", f"{world.inside.cookie}={world.browser}".encode()))
    body = b""
    if route.is_json:
        headers.append(("Content-Type", JSON_TYPE.encode()))
        body = json.dumps(_document(world, route)).encode()
    elif route.is_upload:
        headers += [("Content-Type", FILE_TYPE.encode()), (FORM_TOKEN, signed_form_token(world.browser).encode())]
        body = b"what is in a file"
    elif route.is_action:
        headers += [("Content-Type", FORM_TYPE.encode()), (FORM_TOKEN, signed_form_token(world.browser).encode())]
        body = urlencode(_fields(route)).encode()
    elif route.is_form:
        headers.append(("Content-Type", FORM_TYPE.encode()))
        body = urlencode({"code": "none", "form_token": signed_form_token(world.browser)}).encode()
    return Raw(route.method, target_of(world, route), tuple(headers), body)


def target_of(world: World, route: Route) -> str:
    """The route's path with something real in each of its parameters."""
    values = {
        "{session_id:str}": world.ids.session,
        "{seq:int}": "1",
        "{file_path:path}": "app.css",
        "{slug:str}": world.ids.work.task,
        "{node_id:str}": world.ids.work.node,
        "{run_id:str}": world.ids.work.run,
        "{workspace_id:str}": world.ids.work.workspace,
        "{name:str}": "task" if route.path.startswith("/work/processes/") else ACTION,
        "{job_id:str}": NO_JOB,
        "{fact_id:str}": world.ids.fact,
        "{hypothesis_id:str}": world.ids.hypothesis,
        "{entry_id:str}": world.ids.entry,
        # The operations do the same to the other.
        "{thought_id:str}": world.ids.noise if route.is_bearer else world.ids.thought,
        NOWHERE: "/nowhere/at/all",
    }
    path = route.path
    for parameter, value in values.items():
        path = path.replace(parameter, value)
    assert "{" not in path, f"nothing is known of the parameters of {route}"
    if route == Route("GET", BRAIN):
        return f"{path}?prompt=door&agent_id=tester"
    return f"{path}?kind=fact&id={world.ids.fact}" if path == "/context/line" else path


def _fields(route: Route) -> dict[str, str]:
    """What the form of a page says."""
    match route.path:
        case "/actions/portable/import":
            return {"path": GOOD["memory_import"](NOTHING_OWNED)["path"]}
        case "/actions/learn/read":
            return {"path": GOOD["learn_proposals"](NOTHING_OWNED)["file"]}
        case "/actions/learn/accept" | "/actions/learn/dismiss":
            # What is in the file is left for the operations themselves to decide about.
            return {"path": GOOD["learn_proposals"](NOTHING_OWNED)["file"], "digests": NO_PROPOSAL}
        case "/actions/work/check":
            return {"text": a_process()(1)}
        case _:
            return {"hypothesis": "it holds because it did"}


def _document(world: World, route: Route) -> dict[str, Any]:
    if route.path == "/mcp":
        arguments = {"name": "memory_add_hypothesis", "arguments": {"hypothesis": "it holds because it did"}}
        return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}
    if route.path == NOWHERE:
        return {"asked": "in vain"}
    return BY_HAND[route.path] if route.path in BY_HAND else GOOD[route.path.removeprefix(API)](world.ids)
