"""How a browser gets in, and out again."""

import base64
import hashlib
import re
from dataclasses import replace

import httpx
import pytest
from playwright.sync_api import Browser, expect

from bigmind.people.service import NOBODY, ensure_user
from tests.ui.serving import ARTEFACTS, Noise, Running
from ui.sign_in import sign_in_page

PARTS = {
    "content-security-policy",
    "x-content-type-options",
    "referrer-policy",
    "cache-control",
    "cross-origin-opener-policy",
}


def _form_token(page: str) -> str:
    found = re.search(r'name="form_token" value="([^"]+)"', page)
    assert found is not None
    return found[1]


@pytest.fixture
def browser(server: Running) -> httpx.Client:
    """A browser that nobody knows yet."""
    with httpx.Client(base_url=server.url) as opened:
        yield opened


def test_a_link_signs_in_once(server: Running, browser: httpx.Client) -> None:
    link = server.link()
    answer = browser.get(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    cookie = next(each for each in answer.headers.get_list("set-cookie") if each.startswith(f"{server.cookie}="))
    assert {"HttpOnly", "SameSite=strict", "Path=/", "Max-Age=2592000"} <= set(cookie.split("; "))
    assert browser.get("/").status_code == 200
    again = httpx.get(link)
    assert again.status_code == 401
    assert "A code works once" in again.text
    assert server.cookie + "=" not in str(again.headers.get_list("set-cookie"))


def test_a_link_of_somebody_elses_asks_before_it_changes_who_is_signed_in(
    server: Running, client: httpx.Client
) -> None:
    """Else a link that somebody left for ada to click would have her write into their memory."""
    with server.mind.store.write(NOBODY, "test") as work:
        bob = ensure_user(work, "b<i>ob")
    of_bob = replace(server.caller, user_id=bob.id or 0, username="b<i>ob")
    code, before = server.sign_in.new_code(of_bob), client.cookies[server.cookie]
    asked = client.get(f"/sign-in?code={code}")
    assert asked.status_code == 200
    assert "Sign in as b&lt;i&gt;ob" in asked.text
    assert "signed in as <b>ada</b>" in asked.text
    assert client.cookies[server.cookie] == before
    assert client.post("/sign-in", data={"code": code, "form_token": "guessed"}).status_code == 403
    token = _form_token(client.get(f"/sign-in?code={code}").text)
    assert client.post("/sign-in", data={"code": code, "form_token": token}).status_code == 303
    principal = server.mind.authenticator.principal(client.cookies[server.cookie])
    assert principal is not None
    assert principal.caller.user_id == bob.id
    assert client.get(server.link()).status_code == 200, "ada's link asks bob"


def test_a_link_of_ones_own_signs_in_at_once(server: Running, client: httpx.Client) -> None:
    assert client.get(server.link()).status_code == 303


@pytest.mark.parametrize("pasted", ["{code}", "  {code}\n", "{link}"])
def test_a_pasted_code_or_link_signs_in(server: Running, browser: httpx.Client, pasted: str) -> None:
    page = browser.get("/sign-in")
    assert page.status_code == 200
    assert "bigmind open" in page.text
    link = server.link()
    code = pasted.format(link=link, code=link.split("code=")[1])
    answer = browser.post("/sign-in", data={"code": code, "form_token": _form_token(page.text)})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")
    assert browser.get("/").status_code == 200


@pytest.mark.parametrize("form_token", ["", "guessed", "ü"])
def test_a_form_of_somebody_elses_is_refused(server: Running, browser: httpx.Client, form_token: str) -> None:
    browser.get("/sign-in")
    code = server.sign_in.new_code(server.caller)
    answer = browser.post("/sign-in", data={"code": code, "form_token": form_token})
    assert answer.status_code == 403
    assert "Nothing was done" in answer.text
    assert httpx.post(f"{server.url}/sign-in", data={"code": code, "form_token": form_token}).status_code == 403
    assert server.sign_in.redeem(code) is not None, "the code was not spent"


def test_a_wrong_code_says_what_would_be_right(browser: httpx.Client) -> None:
    token = _form_token(browser.get("/sign-in").text)
    answer = browser.post("/sign-in", data={"code": '"><script>', "form_token": token})
    assert answer.status_code == 401
    assert "within ten minutes" in answer.text
    assert "<script>" not in answer.text


def test_signing_out_ends_this_browsers_token_and_no_other(server: Running, browser: httpx.Client) -> None:
    browser.get(server.link())
    with httpx.Client(base_url=server.url) as other:
        other.get(server.link())
        token = _form_token(browser.get("/").text)
        secret = browser.cookies[server.cookie]
        assert other.post("/sign-out", data={"form_token": token}).status_code == 403
        answer = browser.post("/sign-out", data={"form_token": token})
        assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in")
        assert any("Max-Age=0" in each for each in answer.headers.get_list("set-cookie"))
        assert server.mind.authenticator.principal(secret) is None
        assert browser.get("/").status_code == 401
        assert other.get("/").status_code == 200


def test_the_sign_in_page_may_use_its_own_style_and_nothing_else(browser: httpx.Client) -> None:
    answer = browser.get("/sign-in")
    style = re.search(r"<style>(.*?)</style>", answer.text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    policy = answer.headers["content-security-policy"]
    assert f"style-src 'sha256-{digest}';" in policy
    assert "script-src" not in policy
    assert "default-src 'none'" in policy
    assert not re.search(r"<script|<link(?! rel=\"icon\" href=\"data:)|src=| style=", answer.text)
    assert set(answer.headers) >= PARTS


def test_the_guards_page_carries_the_headers_it_does_not_add_itself() -> None:
    body, headers = sign_in_page("Signed out", cookie="bigmind_7700")
    names = [name.decode() for name, _ in headers]
    assert b"Signed out" in body
    assert set(names) == PARTS - {"cache-control"} | {"set-cookie"}
    assert len(names) == len(set(names))
    cookie = dict(headers)[b"set-cookie"].decode()
    assert cookie.startswith(f"bigmind_7700_form={_form_token(body.decode())};")


@pytest.mark.parametrize("path", ["/", "/sessions", "/sessions/nonsense", "/events", "/static/live.js"])
def test_every_answer_keeps_to_itself(client: httpx.Client, path: str) -> None:
    with client.stream("GET", path) as answer:
        headers = answer.headers
    assert set(headers) >= PARTS
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert "script-src 'self';" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    wanted = "private, max-age=" if path.startswith("/static") else "no-store"
    assert headers.get_list("cache-control")[0].startswith(wanted)
    assert len(headers.get_list("cache-control")) == 1


def test_a_browser_nobody_knows_is_shown_the_sign_in_page_wherever_it_goes(browser: httpx.Client) -> None:
    for path in ("/", "/sessions", "/nowhere"):
        answer = browser.get(path, headers={"Accept": "text/html,*/*;q=0.8"})
        assert answer.status_code == 401
        assert "bigmind open" in answer.text
        assert set(answer.headers) >= PARTS


@pytest.mark.usefixtures("filled")
@pytest.mark.parametrize("path", ["/", "/sessions", "/sessions/nonsense"])
def test_pages_hold_no_inline_script_or_style(client: httpx.Client, path: str) -> None:
    text = client.get(path).text
    assert not re.search(r"<style|\sstyle=|<script(?! src=\"/static/)|\son[a-z]+=\"", text)
    assert all("?v=" in address for address in re.findall(r'"(/static/[^"]+)"', text))


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_person_signs_in_and_out(chromium: Browser, server: Running, noise: Noise, scheme: str) -> None:
    context = chromium.new_context(base_url=server.url, color_scheme=scheme)
    page = context.new_page()
    noise.watch(page)
    page.goto("/sign-in")
    page.screenshot(path=ARTEFACTS / f"sign-in-{scheme}.png")
    page.get_by_label("Or paste the link").fill(server.link())
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("h1")).to_have_text("Profile")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator("h1")).to_have_text("Sign in")
    context.close()


@pytest.mark.browser
def test_an_open_page_of_a_browser_that_was_signed_out_leads_to_the_sign_in(
    chromium: Browser, server: Running, noise: Noise
) -> None:
    context = chromium.new_context(base_url=server.url)
    page, other = context.new_page(), context.new_page()
    for each in (page, other):
        each.goto(server.link() if each is page else "/")
        each.locator("#connection[data-state=live]").wait_for()
    noise.watch(page)
    other.get_by_role("button", name="Sign out").click()
    expect(page.locator("h1")).to_have_text("Sign in", timeout=15_000)
    context.close()
    noise.console.clear()
