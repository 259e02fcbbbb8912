"""The guard: the outermost layer around UI, API and MCP alike.

The local server is hostile territory: any web page the user visits can send requests to it, and rebind a host name to
it. In order, before a byte of the body is read: Host, Origin and Sec-Fetch-Site, content type, declared size, token,
and that its user has not too many requests open. Then the body, bounded in size and depth. A route is closed unless it
stands in `PUBLIC`.
"""

import re
from base64 import b64decode
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import parse_qs, quote

import anyio.to_thread

from bigmind.core.client_names import of_agent
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.core.plain_text import clean, one_line, visible
from bigmind.http.asgi import App, Receive, Scope, Send, header_values, replaying
from bigmind.http.body import MOST_BYTES, bounded, checked_json, declared_length, read_body
from bigmind.http.cors import Origins, is_preflight, named_origin, permit, readable_by
from bigmind.http.lingering import lingering
from bigmind.http.open_requests import MOST_OPEN, OpenRequests
from bigmind.http.problems import answer, refuse
from bigmind.local.project import LONGEST_PATH, MOST_CHARACTERS, normalised
from bigmind.people.authentication import Authenticator, Principal, over_connection
from bigmind.people.sign_in_file import FIRST_PASSPHRASE, FROM_FILE
from bigmind.people.token_format import TokenKind, looks_right
from bigmind.secrets.client_names_masking import without_secrets
from bigmind.store.backup_keeping import MISSING

PUBLIC = frozenset({"/sign-in", FROM_FILE, "/livez"})
FORMS = frozenset({"/sign-in", FROM_FILE, FIRST_PASSPHRASE, "/sign-out"})
BEARER_PATHS = ("/mcp", "/api")
LONGEST_NAME = 80
ACTIONS = "/actions/"
CHANGES = re.compile(r"/knowledge/[^/]+/changes")
"""What an edit of an entry would change: a form's text, compared and not kept."""
MOST_FORM_BYTES = 16 * 1024
MOST_ACTION_BYTES = 2 * 1024 * 1024
UPLOADS = "/uploads"
MOST_UPLOAD_BYTES = 2 * 1024**3
"""Of a file that a page sends, written to disk as it comes: no larger than what is imported at once."""

_OF_CALLER = frozenset(
    f"bigmind-{each}".encode() for each in ("connection", "client", "agent", "project", "workspace")
) | {b"mcp-session-id"}
"""The headers that say something of who asks, beside the token."""
MOST_KNOWN = 2_000
"""Bytes of them up to which it is known again who that is."""

_FORM_TYPE = "application/x-www-form-urlencoded"
_JSON_TYPE = "application/json"
_FILE_TYPE = "application/octet-stream"
_BASE64 = "=?base64?"

SignInPage = Callable[[str], tuple[bytes, list[tuple[bytes, bytes]]]]
KnowsCode = Callable[[str], bool]


class RefusalError(Exception):
    """The request goes no further; carries what the client is told."""

    def __init__(self, status: int, code: Code, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.error = BigMindError(code, message, hint)


@dataclass(frozen=True, slots=True)
class Door:
    """What is in front of one server.

    Attributes:
        port: where it listens.
        cookie: the name of the browser's cookie.
        sign_in_page: what a browser without a valid cookie is shown: body and headers. It is told the address that was
            asked for, empty where that is no page to come back to. Called on a worker thread; may raise a
            `BigMindError`, which whoever asked is told.
        knows_code: whether a code would sign somebody in; it does not use the code.
        origins: the web pages that may call, with a token; none unless the owner named them.
    """

    port: int
    cookie: str
    sign_in_page: SignInPage
    knows_code: KnowsCode
    origins: Origins = frozenset

    def hosts(self) -> frozenset[str]:
        """The Host headers that name this server; a page that rebinds its own name to 127.0.0.1 has another."""
        names = ("127.0.0.1", "localhost", "[::1]")
        with_port = [f"{name}:{self.port}" for name in names]
        return frozenset([*with_port, *names] if self.port == 80 else with_port)  # noqa: PLR2004 - HTTP's default


class Guard:
    """Wraps the application; refuses what should not reach it, and tells it who calls (`scope["state"]["caller"]`)."""

    def __init__(self, app: App, authenticator: Authenticator, door: Door) -> None:
        self._app = app
        self._authenticator = authenticator
        self._door = door
        self._open = OpenRequests()
        self._hosts = door.hosts()
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one ASGI connection."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        with ExitStack() as counted:
            await self._serve(scope, receive, send, counted)

    async def _serve(self, scope: Scope, receive: Receive, send: Send, counted: ExitStack) -> None:
        """Serve one request, which counts among its user's from when it is known whose it is."""
        plain = send
        # As the router reads it: both must speak of the same route.
        scope["path"] = f"/{'/'.join(part for part in scope['path'].split('/') if part)}"
        try:
            self._check_host(scope)
            is_file = _is_from_file(scope)
            page = named_origin(scope, BEARER_PATHS, self._door.origins)
            if page is not None:
                send = readable_by(send, page)
            elif not is_file:
                self._check_sender(scope)
            if page is not None and is_preflight(scope):
                await permit(plain, page)
                return
            self._check_content(scope)
            self._identify(scope)
            self._count(scope, counted)
            receive = await self._checked_body(scope, receive, is_file=is_file)
        except RefusalError as refusal:
            await self._refuse(scope, lingering(send, receive), refusal)
        except BigMindError as error:
            is_sending = error.code is Code.TOO_LARGE
            await refuse(lingering(send, receive) if is_sending else send, error, path=scope["path"])
        else:
            await self._app(scope, receive, send)

    def _check_host(self, scope: Scope) -> None:
        """The request was meant for this server."""
        hosts = header_values(scope, b"host")
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise RefusalError(
                421,
                Code.FORBIDDEN,
                "The Host header does not name this server.",
                f"Use http://127.0.0.1:{self._door.port}.",
            )

    def _check_sender(self, scope: Scope) -> None:
        """Origin and Sec-Fetch-Site: no other site made it."""
        origins = header_values(scope, b"origin")
        if len(origins) > 1 or any(origin.lower() not in self._origins for origin in origins):
            raise _foreign()
        sites = header_values(scope, b"sec-fetch-site")
        if len(sites) > 1 or any(site.lower() not in {"same-origin", "none"} for site in sites):
            raise _foreign("Type or paste the address.")

    def _check_content(self, scope: Scope) -> None:
        """Content type and declared size. A simple cross-site request can only be text/plain or a form."""
        length = declared_length(scope, MOST_UPLOAD_BYTES if _is_upload(scope) else MOST_BYTES)
        if scope["method"] in {"GET", "HEAD", "OPTIONS"} or (scope["method"] == "DELETE" and not length):
            return
        wanted = _content_type(scope)
        types = header_values(scope, b"content-type")
        if len(types) != 1 or types[0].split(";")[0].strip().lower() != wanted:
            got = ", ".join(types)[:80] or "nothing"
            raise RefusalError(415, Code.BAD_REQUEST, f"The content type is {got}.", f"Send {wanted}.")

    def _identify(self, scope: Scope) -> None:
        """The token: in the Authorization header for MCP and API, in the browser's cookie for the UI."""
        path: str = scope["path"]
        if path in PUBLIC:
            return
        bearer = path.startswith(BEARER_PATHS)
        secret = _bearer(scope) if bearer else cookie_value(header_values(scope, b"cookie"), self._door.cookie)
        principal = self._authenticator.principal(secret) if secret else None
        if principal is None and bearer and looks_right(secret) and self._authenticator.is_missing:
            # A client that hears 401 asks its person for another token, or gives up; this one comes back.
            raise RefusalError(503, Code.UNAVAILABLE, MISSING, "A person restores it: `bigmind status` says how.")
        if principal is None or (principal.kind is TokenKind.UI) == bearer:
            raise RefusalError(
                401,
                Code.UNAUTHENTICATED,
                "This needs a valid token.",
                "Send `Authorization: Bearer <token>`; `bigmind token create my-ide` makes one."
                if bearer
                else "Run `bigmind open` in a terminal: it prints a link that signs this browser in.",
            )
        state = scope.setdefault("state", {})
        state["caller"] = _on_connection(scope, principal)
        # For what stays open longer than the token may hold.
        state["is_allowed"] = lambda: self._authenticator.principal(secret) is not None

    def _count(self, scope: Scope, counted: ExitStack) -> None:
        """One more request of whoever asks."""
        caller: Caller | None = scope.get("state", {}).get("caller")
        if caller is None:
            return
        if not self._open.has_room(caller):
            raise RefusalError(
                503,
                Code.UNAVAILABLE,
                f"{MOST_OPEN} requests of yours are open already.",
                "Close event streams that nobody reads, or wait until something is answered.",
            )
        counted.enter_context(self._open.one_more(caller))

    async def _checked_body(self, scope: Scope, receive: Receive, *, is_file: bool) -> Receive:
        if scope["method"] in {"GET", "HEAD", "OPTIONS", "DELETE"}:
            return receive
        if _is_upload(scope):
            return bounded(receive, MOST_UPLOAD_BYTES)
        if most := _most_form_bytes(scope["path"]):
            form = await read_body(receive, most)
            if is_file and not self._door.knows_code(_code_in(form)):
                raise _foreign()
            return replaying(form, receive)
        return replaying(checked_json(await read_body(receive)), receive)

    async def _refuse(self, scope: Scope, send: Send, refusal: RefusalError) -> None:
        # A part of a page that is open asks for no page: it stays, and says that nobody is signed in.
        is_part = bool(header_values(scope, b"hx-request"))
        wants_page = not is_part and any("text/html" in accept for accept in header_values(scope, b"accept"))
        if refusal.status == 401 and wants_page and not scope["path"].startswith(BEARER_PATHS):  # noqa: PLR2004
            try:
                # The first one loads the pages.
                body, headers = await anyio.to_thread.run_sync(self._door.sign_in_page, _address(scope))
            except BigMindError as error:
                await refuse(send, error)
            else:
                await answer(send, 401, body, b"text/html; charset=utf-8", headers)
            return
        # No resource metadata in the challenge: a client would start an OAuth dance with a server that has none.
        challenge = [(b"www-authenticate", b'Bearer realm="bigmind"')] if refusal.status == 401 else []  # noqa: PLR2004
        await refuse(send, refusal.error, refusal.status, challenge, scope["path"])


def _address(scope: Scope) -> str:
    """The page that was asked for, to come back to it; empty where something was to be done."""
    if scope["method"] != "GET":
        return ""
    query: bytes = scope.get("query_string", b"")
    return quote(scope["path"]) + (f"?{query.decode('latin-1')}" if query else "")


def _foreign(hint: str = "") -> RefusalError:
    return RefusalError(403, Code.FORBIDDEN, "Requests from other web pages are not answered.", hint)


def _is_from_file(scope: Scope) -> bool:
    """Whether the private file may have sent it that a browser was opened with (`people/sign_in_file.py`).

    A file has the origin `null`, as has a frame that any page can make: so its code has to be valid, or it is refused.
    """
    if scope["method"] != "POST" or scope["path"] != FROM_FILE:
        return False
    wanted = {b"origin": "null", b"sec-fetch-site": "cross-site", b"sec-fetch-dest": "document"}
    sent = {name: header_values(scope, name) for name in wanted}
    return sent[b"origin"] == ["null"] and all(values in ([], [wanted[name]]) for name, values in sent.items())


def _code_in(form: bytes) -> str:
    """The one code of a form; empty where there is none, or more than one."""
    try:
        codes = parse_qs(form.decode("ascii"), keep_blank_values=True, max_num_fields=4).get("code", [])
    except ValueError:
        return ""
    return codes[0] if len(codes) == 1 else ""


def _is_upload(scope: Scope) -> bool:
    return scope["method"] == "POST" and scope["path"] == UPLOADS


def _content_type(scope: Scope) -> str:
    """What a body that is sent there has to be; neither JSON nor a file can be sent by a page of another site."""
    if _is_upload(scope):
        return _FILE_TYPE
    return _FORM_TYPE if _most_form_bytes(scope["path"]) else _JSON_TYPE


def _most_form_bytes(path: str) -> int:
    """How large a form may be that is sent there; 0 where none is taken."""
    if path in FORMS:
        return MOST_FORM_BYTES
    return MOST_ACTION_BYTES if path.startswith(ACTIONS) or CHANGES.fullmatch(path) else 0


def _bearer(scope: Scope) -> str:
    values = header_values(scope, b"authorization")
    if len(values) != 1:
        return ""
    scheme, _, secret = values[0].partition(" ")
    return secret.strip() if scheme.lower() == "bearer" else ""


def cookie_value(headers: list[str], name: str) -> str:
    """The value of one cookie among the Cookie headers; empty when there is none.

    Read by hand: cookies are shared by every port of this machine, and the standard library's parser gives up at the
    first one that another local site wrote in its own way.
    """
    for header in headers:
        for pair in header.split(";"):
            key, _, value = pair.partition("=")
            if key.strip() == name:
                return value.strip()
    return ""


def _on_connection(scope: Scope, principal: Principal) -> Caller:
    """The caller on the connection it names, with what an assistant calls itself, or the bridge says it speaks for."""
    said = tuple(each for each in scope["headers"] if each[0] in _OF_CALLER)
    is_short = sum(len(value) for _, value in said) <= MOST_KNOWN
    return (_said_on_connection if is_short else _said_on_connection.__wrapped__)(principal, said)


@lru_cache(maxsize=256)
def _said_on_connection(principal: Principal, said: tuple[tuple[bytes, bytes], ...]) -> Caller:
    """The same by the headers that tell it, which are the same in all requests of a client."""
    scope: Scope = {"headers": said}
    connection = _name(scope, b"bigmind-connection") or _name(scope, b"mcp-session-id")
    claimed = _claim(scope, principal.kind)
    caller = over_connection(principal.caller, connection, without_secrets(claimed) if claimed else None)
    return replace(caller, project=_project(scope), workspace=_folder(scope))


def _claim(scope: Scope, kind: TokenKind) -> str | None:
    """What stands behind the slash: the agent it calls itself, else the client; never on a page, which is a person's.

    Behind the bridge's token, which clients share, the client comes first: BigMind keeps its books by it.
    """
    client = None if kind.is_person else _name(scope, b"bigmind-client")
    agent = None if kind is TokenKind.UI else of_agent(without_secrets(_text(scope, b"bigmind-agent")))
    return (client or agent) if kind is TokenKind.BRIDGE else (agent or client)


def _project(scope: Scope) -> str | None:
    """The workspace that the client, or its bridge, says it works in; of at most 200 characters."""
    return without_secrets(normalised(_text(scope, b"bigmind-project")))[:MOST_CHARACTERS].strip() or None


def _folder(scope: Scope) -> str:
    """The folder that the client, or its bridge, says it works in, character by character; empty where none is said."""
    path = _raw(scope, b"bigmind-workspace").decode("utf-8", "replace")
    return path if path.isprintable() and len(path) <= LONGEST_PATH else ""


def _text(scope: Scope, header: bytes) -> str:
    """A name in any script, as one line of what can be seen; empty where there is none."""
    return one_line(visible(clean(_raw(scope, header).decode("utf-8", "replace")[: MOST_CHARACTERS * 10])))


def _raw(scope: Scope, header: bytes) -> bytes:
    """The bytes of a header: as it is, in UTF-8, or as MCP encodes a header's value; empty where there is none."""
    values = header_values(scope, header)
    if not values:
        return b""
    try:
        [value] = values
        plain = not (value.startswith(_BASE64) and value.endswith("?="))
        return value.encode("latin-1") if plain else b64decode(value[len(_BASE64) : -2], validate=True)
    except ValueError:
        raise RefusalError(400, Code.BAD_REQUEST, f"The {header.decode()} header is not one name.") from None


def _name(scope: Scope, header: bytes) -> str | None:
    values = header_values(scope, header)
    if not values:
        return None
    if len(values) > 1 or len(values[0]) > LONGEST_NAME or not values[0].isprintable():
        raise RefusalError(
            400, Code.BAD_REQUEST, f"The {header.decode()} header is not a name of at most 80 characters."
        )
    return values[0].strip() or None
