"""Other web pages: those that the owner named may call with a token, all others are refused as before."""

from dataclasses import replace

import httpx
import pytest

from bigmind.core.errors import BigMindError
from bigmind.people.token_format import TokenKind
from bigmind.settings.live import LiveSettings
from bigmind.settings.parsers import wanted_origins
from tests.http.inside import Inside

PAGE = "https://chat.example.com"
FOREIGN = (
    "https://evil.example.com",
    "https://chat.example.com.evil.org",
    "http://chat.example.com",
    "null",
    f"{PAGE}:8",
)
PREFLIGHT = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization,content-type"}


@pytest.fixture
def named(inside: Inside) -> Inside:
    """A server whose owner named one page."""
    store = inside.mind.store
    settings = LiveSettings(inside.home, {"BIGMIND_ORIGINS": f"{PAGE}, http://localhost:3000"})
    store.host = replace(store.host, settings=settings)
    return inside


def ask(inside: Inside, method: str, path: str, origin: str, token: str = "", **more: object) -> httpx.Response:
    headers = {"Origin": origin, "Sec-Fetch-Site": "cross-site", **more.pop("headers", {})}  # type: ignore[dict-item]
    with inside.http(token, headers=headers) as http:
        return http.request(method, path, **more)


@pytest.mark.parametrize("path", ["/mcp", "/api/v1/memory", "/api/v1/query_brain"])
def test_a_named_page_is_told_what_it_may_send(named: Inside, path: str) -> None:
    answered = ask(named, "OPTIONS", path, PAGE, headers=PREFLIGHT)
    assert answered.status_code == 204
    told = answered.headers
    assert told["access-control-allow-origin"] == PAGE
    assert told["vary"] == "Origin"
    assert {"POST", "PATCH"} <= {*told["access-control-allow-methods"].split(", ")}
    assert {"authorization", "content-type"} <= {*told["access-control-allow-headers"].split(", ")}
    assert "access-control-allow-credentials" not in told


def test_a_named_page_calls_with_a_token_and_reads_the_answer(named: Inside) -> None:
    token = named.token(kind=TokenKind.CLIENT, client="web")
    asked = {"prompt": "What is known of refunds?"}
    answered = ask(named, "POST", "/api/v1/memory", PAGE, token, json=asked)
    assert (answered.status_code, answered.headers["access-control-allow-origin"]) == (200, PAGE)
    rpc = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "query_brain", "arguments": asked}}
    answered = ask(named, "POST", "/mcp", PAGE, token, json=rpc)
    assert (answered.status_code, answered.headers["access-control-allow-origin"]) == (200, PAGE)
    refused = ask(named, "POST", "/api/v1/memory", PAGE, json=asked)
    assert refused.status_code == 401, "the token is asked for as ever"


@pytest.mark.parametrize("origin", FOREIGN)
@pytest.mark.parametrize("path", ["/mcp", "/api/v1/memory"])
def test_any_other_page_is_refused_before_and_after_it_asks(named: Inside, path: str, origin: str) -> None:
    token = named.token(kind=TokenKind.CLIENT, client="web")
    before = named.everything()
    for method, more in (("OPTIONS", {"headers": PREFLIGHT}), ("POST", {"json": {"prompt": "x"}}), ("GET", {})):
        answered = ask(named, method, path, origin, token, **more)
        assert answered.status_code == 403, f"{method} {path}"
        assert "access-control-allow-origin" not in answered.headers
    assert named.everything() == before


def test_a_named_page_reaches_no_page_of_ours_and_no_form(named: Inside) -> None:
    with named.browser(
        named.token(kind=TokenKind.UI), headers={"Origin": PAGE, "Sec-Fetch-Site": "cross-site"}
    ) as http:
        for method, path in (("GET", "/profile"), ("POST", "/actions/memory_store_fact"), ("OPTIONS", "/profile")):
            answered = http.request(method, path, headers=PREFLIGHT)
            assert answered.status_code == 403, path
            assert "access-control-allow-origin" not in answered.headers


def test_where_none_is_named_none_is_answered(inside: Inside) -> None:
    assert ask(inside, "OPTIONS", "/mcp", PAGE, headers=PREFLIGHT).status_code == 403


def test_origins_are_named_one_by_one() -> None:
    assert wanted_origins("it", "") == frozenset()
    assert wanted_origins("it", "https://A.example.com/, http://localhost:3000") == {
        "https://a.example.com",
        "http://localhost:3000",
    }
    for wrong in ("*", "https://*", "null", "a.example.com", "https://a.example.com/path", "ftp://a", "https://a b"):
        with pytest.raises(BigMindError, match="must be at most"):
            wanted_origins("it", wrong)
