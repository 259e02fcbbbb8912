"""The table of hostile requests. Each spoils one thing of a request that would be served without it."""

import base64
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from bigmind.people.token_format import digest
from tests.http.raw import Raw, chunked
from tests.http.world import FORM_TOKEN, Route, World
from ui.forms.csrf import signed_form_token

MOST = 4 * 1024 * 1024
MOST_OF_A_FILE = 2 * 1024**3

Spoil = Callable[[World, Raw], Raw]


@dataclass(frozen=True)
class Attack:
    """A hostile request: what it spoils, and where; and the status it must be refused with.

    `parser` marks what the HTTP parser refuses before our code: its answer is no problem document.
    """

    name: str
    status: int
    spoil: Spoil
    concerns: Callable[[Route], bool] = lambda _: True
    parser: bool = False

    def __str__(self) -> str:
        return self.name


def attacks() -> list[Attack]:
    """All of them."""
    of_headers = [*_hosts(), *_origins(), *_content_types(), *_sizes(), *_bearers(), *_cookies(), *_form_tokens()]
    return [*of_headers, *_bodies(), *_names()]


def _of_host(*hosts: str) -> Spoil:
    def spoil(world: World, raw: Raw) -> Raw:
        return raw.having(
            "Host", *(host.replace("GOOD", world.host).replace("PORT", str(world.port)) for host in hosts)
        )

    return spoil


def _hosts() -> Iterator[Attack]:
    foreign = (
        "evil.com",
        "evil.com:PORT",
        "EVIL.COM:PORT",
        "127.0.0.1.evil.com:PORT",
        "localhost.evil.com:PORT",
        "0.0.0.0:PORT",
        "127.0.0.2:PORT",
        "127.1:PORT",
        "2130706433:PORT",
        "0x7f000001:PORT",
        "[::]:PORT",
        "[::ffff:127.0.0.1]:PORT",
        "127.0.0.1",
        "localhost",
        "127.0.0.1:1",
        "127.0.0.1:PORT0",
        "127.0.0.1:0PORT",
        "127.0.0.1:",
        "x@127.0.0.1:PORT",
        "127.0.0.1:PORT@evil.com",
        "127.0.0.1:PORT/docs?",
        "evil.com/127.0.0.1:PORT",
        "http://127.0.0.1:PORT",
        "localhost.:PORT",
        "127.0.0.1.:PORT",
        "127.0.0.1:PORT, evil.com",
        "127.0.0.1:PORT#",
        "127.0.0.1 :PORT",
        "",
        "\u0131localhost:PORT",
    )
    for host in foreign:
        yield Attack(f"host {host!r}", 421, _of_host(host))
    yield Attack("no host", 421, lambda _, raw: raw.without("Host"))
    yield Attack("two hosts, the first foreign", 421, _of_host("evil.com", "GOOD"))
    yield Attack("two hosts, the second foreign", 421, _of_host("GOOD", "evil.com"))
    yield Attack("the same host twice", 421, _of_host("GOOD", "GOOD"))
    for header in ("X-Forwarded-Host", "Forwarded", "X-Host", "X-Original-Host"):
        yield Attack(
            f"a foreign host with a good {header}",
            421,
            lambda world, raw, header=header: raw.having("Host", "evil.com").adding(header, world.host),
        )


def _of_origin(*origins: str, name: str = "Origin") -> Spoil:
    def spoil(world: World, raw: Raw) -> Raw:
        return raw.having(name, *(each.replace("PORT", str(world.port)) for each in origins))

    return spoil


def _origins() -> Iterator[Attack]:
    foreign = (
        "null",
        "http://evil.com",
        "http://evil.com:PORT",
        "https://127.0.0.1:PORT",
        "http://127.0.0.1:1",
        "http://127.0.0.1",
        "http://127.0.0.1:PORT.evil.com",
        "http://127.0.0.1.evil.com:PORT",
        "http://x@127.0.0.1:PORT",
        "http://127.0.0.1:PORT/",
        "http://127.0.0.1:PORT, http://evil.com",
        "127.0.0.1:PORT",
        "http://0.0.0.0:PORT",
        "file://",
        "chrome-extension://abcdefghijklmnop",
        "",
    )
    for origin in foreign:
        yield Attack(f"origin {origin!r}", 403, _of_origin(origin))
    yield Attack("two origins", 403, _of_origin("http://127.0.0.1:PORT", "http://evil.com"))
    yield Attack("the same origin twice", 403, _of_origin("http://127.0.0.1:PORT", "http://127.0.0.1:PORT"))
    for sites in (("cross-site",), ("same-site",), ("",), ("something-new",), ("same-origin", "cross-site")):
        yield Attack(f"sec-fetch-site {sites}", 403, _of_origin(*sites, name="Sec-Fetch-Site"))
    yield Attack("a good origin from another site", 403, _cross_site)


def _cross_site(world: World, raw: Raw) -> Raw:
    return raw.having("Origin", f"http://{world.host}").having("Sec-Fetch-Site", "cross-site")


def _of_type(*types: str) -> Spoil:
    return lambda _, raw: raw.having("Content-Type", *types)


def _content_types() -> Iterator[Attack]:
    simple = ("text/plain", "multipart/form-data; boundary=x", "", "text/json", "application/jsonp", "*/*")
    for each in simple:
        yield Attack(f"content type {each!r}", 415, _of_type(each), lambda route: route.has_body)
    yield Attack("no content type", 415, lambda _, raw: raw.without("Content-Type"), lambda route: route.has_body)
    form, document = "application/x-www-form-urlencoded", "application/json"
    tricks = ((form,), (document, document), (document, "text/plain"), ("text/plain; application/json",))
    for types in (*tricks, ("application/json, text/plain",), ("application/json\u00a0",)):
        yield Attack(f"content type {types} for JSON", 415, _of_type(*types), lambda route: route.is_json)
    yield Attack("JSON for a form", 415, _of_type(document), lambda route: route.is_form)
    for types in (
        (document,),
        (form,),
        ("application/octet-stream", document),
        ("application/octet-stream, text/plain",),
    ):
        yield Attack(f"content type {types} for a file", 415, _of_type(*types), lambda route: route.is_upload)


def _sizes() -> Iterator[Attack]:
    for length, concerns in (
        (MOST + 1, lambda route: not route.is_upload),
        (MOST_OF_A_FILE + 1, lambda route: route.is_upload),
        (10**12, lambda _: True),
        (10**17, lambda _: True),
    ):
        spoil = _of_length(length)
        yield Attack(f"length {length}", 413, spoil, concerns)
    for garbage in (b"-1", b"abc", b"1e3", b"0x10", b"+5", b"1_0", b"5, 5", b"\xb2", b"9" * 30):
        yield Attack(
            f"length {garbage!r}", 400, lambda _, raw, garbage=garbage: replace(raw, length=garbage), parser=True
        )
    yield Attack(
        "two lengths", 400, lambda _, raw: replace(raw, length=b"2").adding("Content-Length", b"2"), parser=True
    )
    yield Attack(
        "a length and chunks",
        400,
        lambda _, raw: replace(raw.adding("Transfer-Encoding", "chunked"), body=chunked(raw.body), length=b"2"),
        parser=True,
    )
    yield Attack("oversize in chunks", 413, _in_chunks(MOST + 1), lambda route: route.has_body and not route.is_upload)
    yield Attack("oversize form in chunks", 413, _in_chunks(16 * 1024 + 1), lambda route: route.is_sign_in)
    yield Attack("oversize action in chunks", 413, _in_chunks(2 * 1024 * 1024 + 1), lambda route: route.is_action)


def _of_length(length: int) -> Spoil:
    return lambda _, raw: replace(raw, length=str(length).encode())


def _in_chunks(size: int) -> Spoil:
    def spoil(_: World, raw: Raw) -> Raw:
        body = chunked(raw.body + b" " * size)
        return replace(raw.adding("Transfer-Encoding", "chunked"), body=body, length=None)

    return spoil


def _bearers() -> Iterator[Attack]:
    def closed(route: Route) -> bool:
        return route.is_bearer

    def of(name: str, *values: Callable[[World], str]) -> Attack:
        def spoil(world: World, raw: Raw) -> Raw:
            return raw.having("Authorization", *(value(world) for value in values))

        return Attack(f"bearer: {name}", 401, spoil, closed)

    yield of("none")
    yield of("empty", lambda _: "")
    yield of("no secret", lambda _: "Bearer ")
    yield of("no scheme", lambda world: world.cli)
    yield of("unknown", lambda world: f"Bearer {world.foreign}")
    yield of("wrong checksum", lambda world: f"Bearer {_twisted(world.cli)}")
    yield of("one character less", lambda world: f"Bearer {world.cli[:-1]}")
    yield of("in capitals", lambda world: f"Bearer {world.cli.upper()}")
    yield of("revoked", lambda world: f"Bearer {world.revoked}")
    yield of("expired", lambda world: f"Bearer {world.expired}")
    yield of("the browser's", lambda world: f"Bearer {world.browser}")
    yield of("the stored digest", lambda world: f"Bearer {digest(world.cli)}")
    yield of("very long", lambda world: f"Bearer {world.cli}{'x' * 5_000}")
    yield of("not ASCII", lambda world: f"Bearer {world.cli}\u00e9")
    yield of("two in one", lambda world: f"Bearer {world.cli}, Bearer {world.cli}")
    yield of("scheme twice", lambda world: f"Bearer Bearer {world.cli}")
    yield of("Basic", lambda world: f"Basic {world.cli}")
    yield of("Basic, encoded", lambda world: f"Basic {base64.b64encode(f'ada:{world.cli}'.encode()).decode()}")
    yield of("Token", lambda world: f"Token {world.cli}")
    yield of("twice", lambda world: f"Bearer {world.cli}", lambda world: f"Bearer {world.cli}")
    yield of("unknown, then good", lambda world: f"Bearer {world.foreign}", lambda world: f"Bearer {world.cli}")
    for place in ("token", "access_token", "authorization", "code"):
        yield Attack(
            f"bearer: in the address as {place}",
            401,
            lambda world, raw, place=place: _in_address(raw, place, world.cli).without("Authorization"),
            closed,
        )
    for header in ("X-Api-Key", "X-Authorization", "Proxy-Authorization", "Api-Key"):
        yield Attack(
            f"bearer: in {header}",
            401,
            lambda world, raw, header=header: raw.without("Authorization").adding(header, f"Bearer {world.cli}"),
            closed,
        )
    for name, secret in (("command line's", lambda world: world.cli), ("browser's", lambda world: world.browser)):
        yield Attack(
            f"bearer: the {name} token as a cookie",
            401,
            lambda world, raw, secret=secret: _with_cookie(world, raw.without("Authorization"), secret(world)),
            closed,
        )


def _cookies() -> Iterator[Attack]:
    def closed(route: Route) -> bool:
        return not route.is_bearer and not route.is_public

    def of(name: str, secret: Callable[[World], str]) -> Attack:
        return Attack(f"cookie: {name}", 401, lambda world, raw: _with_cookie(world, raw, secret(world)), closed)

    yield Attack("cookie: none", 401, lambda _, raw: raw.without("Cookie"), closed)
    yield Attack("cookie: none, and a page is wanted", 401, _as_page, closed)
    yield of("empty", lambda _: "")
    yield of("unknown", lambda world: world.foreign)
    yield of("wrong checksum", lambda world: _twisted(world.browser))
    yield of("revoked", lambda world: world.revoked_browser)
    yield of("expired", lambda world: world.expired_browser)
    yield of("the command line's", lambda world: world.cli)
    yield of("a client's", lambda world: world.client)
    yield of("the stored digest", lambda world: digest(world.browser))
    yield Attack(
        "cookie: of another server",
        401,
        lambda world, raw: raw.having("Cookie", f"bigmind_1={world.browser}; bigmind={world.browser}"),
        closed,
    )
    for name in ("browser", "cli"):
        yield Attack(
            f"cookie: the {name} token as bearer",
            401,
            lambda world, raw, name=name: raw.without("Cookie").adding(
                "Authorization", f"Bearer {getattr(world, name)}"
            ),
            closed,
        )
    yield Attack(
        "cookie: in the address",
        401,
        lambda world, raw: _in_address(raw, world.inside.cookie, world.browser).without("Cookie"),
        closed,
    )


def _form_tokens() -> Iterator[Attack]:
    """Proof that a page of ours asks, of what a browser sends by itself with its cookie."""

    def of(name: str, *values: Callable[[World], str]) -> Attack:
        def spoil(world: World, raw: Raw) -> Raw:
            return raw.having(FORM_TOKEN, *(value(world) for value in values))

        return Attack(f"form token: {name}", 403, spoil, lambda route: route.is_upload or route.is_action)

    yield of("none")
    yield of("empty", lambda _: "")
    yield of("unknown", lambda _: "0" * 64)
    yield of("not ASCII", lambda _: "\u00e9")
    yield of("of another browser", lambda world: signed_form_token(world.revoked_browser))
    yield of("the cookie itself", lambda world: world.browser)


def _as_page(_: World, raw: Raw) -> Raw:
    return raw.without("Cookie").adding("Accept", "text/html,application/xhtml+xml")


def _with_cookie(world: World, raw: Raw, secret: str) -> Raw:
    return raw.having("Cookie", f"{world.inside.cookie}={secret}")


def _in_address(raw: Raw, name: str, secret: str) -> Raw:
    return replace(raw, target=f"{raw.target}?{name}={secret}")


def _twisted(secret: str) -> str:
    """The secret with two characters of its middle changed, and so with the wrong checksum."""
    middle = "AA" if secret[10:12] != "AA" else "BB"
    return f"{secret[:10]}{middle}{secret[12:]}"


def _bodies() -> Iterator[Attack]:
    def of(name: str, body: Callable[[bytes], bytes]) -> Attack:
        def spoil(_: World, raw: Raw) -> Raw:
            return replace(raw, body=body(raw.body))

        return Attack(f"body: {name}", 400, spoil, lambda route: route.is_json)

    for depth in (65, 2_000, 100_000):
        yield of(f"lists nested {depth} deep", lambda good, depth=depth: _beside(good, b"[" * depth + b"]" * depth))
        yield of(f"objects nested {depth} deep", lambda good, depth=depth: _beside(good, _objects(depth)))
        yield of(f"lists nested {depth} deep and never closed", lambda good, depth=depth: _beside(good, b"[" * depth))
    # In UTF-16 an escaped quote hides the brackets behind it from whoever counts in bytes.
    hidden = '["\\"", ' + "[" * 100_000
    for encoding in ("utf-16-le", "utf-16-be", "utf-32-le", "utf-16"):
        yield of(f"nested deep in {encoding}", lambda _, encoding=encoding: hidden.encode(encoding))
        yield of(f"in {encoding}", lambda good, encoding=encoding: good.decode().encode(encoding))
    yield of("not UTF-8", lambda good: good.replace(b"{", b'{"\xff\xfe": 1, ', 1))
    yield of("an overlong NUL", lambda good: good.replace(b"{", b'{"\xc0\x80": 1, ', 1))
    yield of("a surrogate in UTF-8", lambda good: good.replace(b"{", b'{"\xed\xa0\x80": 1, ', 1))
    yield of("a raw NUL", lambda good: good.replace(b"{", b'{"\x00": 1, ', 1))
    yield of("cut off", lambda good: good[:-1] + b"\xe2\x82")


def _beside(good: bytes, value: bytes) -> bytes:
    """A good document with one more field in front."""
    more = json.loads(good)
    return good.replace(b"{", b'{"deep": ' + value + (b", " if more else b""), 1)


def _objects(depth: int) -> bytes:
    return b'{"a":' * depth + b"1" + b"}" * depth


def _names() -> Iterator[Attack]:
    """Headers of our own, that end up in the store."""

    def closed(route: Route) -> bool:
        return not route.is_public

    for header in ("BigMind-Connection", "Mcp-Session-Id"):
        for name, values in (("too long", ("x" * 81,)), ("twice", ("x", "y")), ("with a control", ("a\u0085b",))):
            yield Attack(
                f"{header} {name}",
                400,
                lambda _, raw, header=header, values=values: raw.adding(header, *values),
                closed,
            )
