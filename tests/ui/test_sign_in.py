"""How a browser gets in, and out again."""

import base64
import hashlib
import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import Browser, expect

from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.sign_in_file import write_sign_in_file
from tests.thorough import turn
from tests.ui.serving import ARTEFACTS, Noise, Running
from tests.ui.years import server, year
from ui.sign_in import sign_in_page

__all__ = ["server", "year"]

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


def test_who_cannot_be_signed_in_now_reads_why_and_the_same_link_works_later(
    new_server: Running, browser: httpx.Client
) -> None:
    def writable(yes: bool) -> None:
        with new_server.mind.store.alone() as connection:
            connection.execute(f"PRAGMA query_only={int(not yes)}")

    link = new_server.link()
    writable(False)
    refused = browser.get(link)
    assert (refused.status_code, refused.headers["content-type"]) == (503, "text/html; charset=utf-8")
    assert '<p class="fault" role="alert">The store cannot be written to. Check the permissions' in refused.text
    writable(True)
    assert browser.get(link).status_code == 303
    writable(False)
    left = browser.post("/sign-out", data={"form_token": _form_token(browser.get("/").text)})
    assert (left.status_code, "The store cannot be written to." in left.text) == (503, True)
    assert browser.get("/").status_code == 200
    writable(True)


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


@pytest.mark.parametrize("way", ["link", "code"])
def test_signing_in_goes_on_to_the_page_that_was_asked_for(server: Running, browser: httpx.Client, way: str) -> None:
    page = "/facts?category=codebase&text=a%20b"
    refused = browser.get(page, headers={"Accept": "text/html"})
    assert refused.status_code == 401
    link = server.link()
    if way == "link":
        answer = browser.get(link)
    else:
        token = _form_token(refused.text)
        answer = browser.post("/sign-in", data={"code": link.split("code=")[1], "form_token": token})
    assert (answer.status_code, answer.headers["location"]) == (303, page)
    assert browser.get(server.link()).headers["location"] == "/", "once"


ELSEWHERE = (
    "//evil.example/",
    "/\\evil.example",
    "https://evil.example/",
    "javascript:alert(1)",
    "/a\r\nX: y",
    "/\t/x",
)


@pytest.mark.parametrize("planted", ELSEWHERE)
def test_signing_in_leads_to_no_other_site(server: Running, browser: httpx.Client, planted: str) -> None:
    """A cookie has no port: any other server of this machine can write one."""
    cookie = f"{server.cookie}_asked={quote(planted, safe='')}"
    answer = browser.get(server.link(), headers={"Cookie": cookie})
    assert (answer.status_code, answer.headers["location"]) == (303, "/")


def test_an_address_in_disguise_leads_to_no_other_site(server: Running, browser: httpx.Client) -> None:
    for path in ("//evil.example/x", "/%2F/evil.example", "/%5Cevil.example", "/a%0d%0ab"):
        browser.cookies.clear()
        assert browser.get(f"{server.url}{path}", headers={"Accept": "text/html"}).status_code == 401
        location = browser.get(server.link()).headers["location"]
        assert location.startswith("/")
        assert location[1:2] not in {"/", "\\"}
        assert location.isprintable()


def test_a_part_of_an_open_page_is_refused_without_the_sign_in_page(browser: httpx.Client) -> None:
    """Its form would end the one that stands in another tab."""
    answer = browser.get("/facts", headers={"Accept": "text/html, */*", "HX-Request": "true"})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


@dataclass
class Display:
    """A screen that somebody looks at."""

    seen: list[str] = field(default_factory=list)

    def can_show(self) -> bool:
        return True

    def show_code(self, code: str) -> None:
        self.seen.append(code)


@pytest.fixture
def display(server: Running) -> Iterator[Display]:
    """The server's, for one test."""
    shown, codes = Display(), server.sign_in.screen
    codes._unused = 0
    codes.offer(server.caller, shown)
    yield shown
    codes._live = codes._screen = None


def _shown_code(browser: httpx.Client, path: str = "/sign-in") -> httpx.Response:
    return browser.post("/sign-in", data={"show": "code", "form_token": _form_token(browser.get(path).text)})


def _typed(browser: httpx.Client, code: str) -> httpx.Response:
    return browser.post("/sign-in", data={"code": code, "form_token": _form_token(browser.get("/sign-in").text)})


def test_a_code_on_the_screen_signs_in_the_browser_that_asked_for_it(
    server: Running, browser: httpx.Client, display: Display, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asked = _shown_code(browser)
    assert (asked.status_code, asked.headers["location"]) == (303, "/sign-in")
    waiting = next(each for each in asked.headers.get_list("set-cookie") if "_waiting=" in each)
    assert {"HttpOnly", "SameSite=strict", "Path=/sign-in", "Max-Age=120"} <= set(waiting.split("; "))
    page = browser.get("/sign-in").text
    assert 'autocomplete="one-time-code"' in page
    [code] = display.seen
    assert code not in page
    with httpx.Client(base_url=server.url) as other:
        assert _typed(other, code).status_code == 401
    digits = code.replace(" ", "")
    wrong = _typed(browser, f"{(int(digits) + 1) % 1_000_000:06d}")
    assert wrong.status_code == 401
    assert "the code that BigMind shows" in wrong.text
    signed_in = _typed(browser, f" {code} ")
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, "/")
    assert browser.get("/").status_code == 200
    assert "form_token" in browser.get("/sign-in").text
    assert browser.post("/api/v1/server_stop", json={}).status_code == 401
    with httpx.Client(base_url=server.url) as other:
        assert "invalid or has expired" in _typed(other, code).text
    assert not {code, digits} & set(caplog.text.split())


def test_the_forms_of_the_code_are_ours_alone(server: Running, browser: httpx.Client, display: Display) -> None:
    token = _form_token(browser.get("/sign-in").text)
    assert browser.post("/sign-in", data={"show": "code", "form_token": "guessed"}).status_code == 403
    evil = {"Origin": "http://evil.example"}
    assert browser.post("/sign-in", data={"show": "code", "form_token": token}, headers=evil).status_code == 403
    cross = {"Sec-Fetch-Site": "cross-site"}
    assert browser.post("/sign-in", data={"show": "code", "form_token": token}, headers=cross).status_code == 403
    plain = browser.post("/sign-in", content="show=code", headers={"Content-Type": "text/plain"})
    assert plain.status_code == 415
    assert display.seen == []
    assert not server.sign_in.screen.awaits("")


def test_asking_on_and_on_shows_one_code(server: Running, browser: httpx.Client, display: Display) -> None:
    answers = [_shown_code(browser) for _ in range(5)]
    assert [each.status_code for each in answers] == [303, 429, 429, 429, 429]
    assert "Try again in" in answers[-1].text
    assert "one-time-code" in answers[-1].text
    with httpx.Client(base_url=server.url) as other:
        answer = _shown_code(other)
        assert (answer.status_code, "another browser" in answer.text) == (429, True)
        assert "one-time-code" not in answer.text
    assert len(display.seen) == 1


def test_a_waiting_cookie_that_somebody_planted_is_not_used(
    server: Running, browser: httpx.Client, display: Display
) -> None:
    browser.cookies.set(f"{server.cookie}_waiting", "known-to-a-neighbor", path="/sign-in")
    assert _shown_code(browser).status_code == 303
    assert len(display.seen) == 1
    assert not server.sign_in.screen.awaits("known-to-a-neighbor")


def test_without_window_or_tray_the_page_names_the_command(browser: httpx.Client) -> None:
    page = browser.get("/sign-in").text
    assert "Show a code in BigMind" not in page
    assert "no window or tray icon" in page
    assert "bigmind open" in page
    assert _shown_code(browser).status_code == 429


def test_only_the_persons_window_shows_the_code(server: Running, client: httpx.Client, display: Display) -> None:
    with server.mind.store.write(server.caller, "test") as work:
        bob = replace(server.caller, user_id=ensure_user(work, "bob").id or 0, username="bob")
    with httpx.Client(base_url=server.url) as window, httpx.Client(base_url=server.url) as of_bob:
        window.get("/sign-in", params={"code": server.sign_in.new_window_code(server.caller)})
        of_bob.get("/sign-in", params={"code": server.sign_in.new_window_code(bob)})
        with httpx.Client(base_url=server.url) as browser:
            _shown_code(browser)
            [code] = display.seen
            for path in ("/profile", "/sessions", "/search", "/nowhere"):
                assert code in window.get(path).text
                assert code not in client.get(path).text
                assert code not in of_bob.get(path).text
            _typed(browser, code)
        assert code not in window.get("/profile").text


@pytest.mark.browser
@pytest.mark.parametrize("scheme", turn(["light", "dark"], 0))
def test_a_person_types_the_code_that_the_window_shows(
    chromium: Browser, server: Running, noise: Noise, display: Display, scheme: str
) -> None:
    context, outside = (chromium.new_context(base_url=server.url, color_scheme=scheme) for _ in range(2))
    window, page = context.new_page(), outside.new_page()
    for each in (window, page):
        noise.watch(each)
    window.goto(f"/sign-in?code={server.sign_in.new_window_code(server.caller)}")
    window.locator("#connection[data-state=live]").wait_for()
    page.goto("/sign-in")
    page.screenshot(path=ARTEFACTS / f"sign-in-code-offered-{scheme}.png")
    page.get_by_role("button", name="Show a code in BigMind").click()
    shown = window.locator("#sign-in-code .digits")
    expect(shown).to_have_text(re.compile(r"\d{3} \d{3}"))
    window.screenshot(path=ARTEFACTS / f"sign-in-code-window-{scheme}.png")
    page.screenshot(path=ARTEFACTS / f"sign-in-code-asked-{scheme}.png")
    page.keyboard.type(shown.inner_text())
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Profile")
    expect(shown).to_have_count(0)
    assert len(display.seen) == 1
    context.close()
    outside.close()


@pytest.mark.usefixtures("year")
@pytest.mark.parametrize("path", ["/", "/sessions", "/sessions/nonsense"])
def test_pages_hold_no_inline_script_or_style(client: httpx.Client, path: str) -> None:
    text = client.get(path).text
    assert not re.search(r"<style|\sstyle=|<script(?! src=\"/static/)|\son[a-z]+=\"", text)
    assert all("?v=" in address for address in re.findall(r'"(/static/[^"]+)"', text))


@pytest.mark.browser
@pytest.mark.parametrize("scheme", turn(["light", "dark"], 1))
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


def test_the_file_that_a_browser_is_opened_with_signs_it_in_and_is_gone(server: Running, chromium: Browser) -> None:
    file = write_sign_in_file(server.mind.store.home, server.link())
    with chromium.new_context() as context:
        page = context.new_page()
        noise: list[str] = []
        page.on("console", lambda message: noise.append(message.text))
        page.goto(file.as_uri())
        page.wait_for_url(f"{server.url}/")
        expect(page.get_by_role("button", name="Sign out")).to_be_attached()
        assert noise == []
        assert not file.exists()
        page.goto(f"{server.url}/facts")
        expect(page).to_have_title(re.compile("Facts"))


def test_it_asks_before_it_changes_who_is_signed_in(server: Running, chromium: Browser) -> None:
    with server.mind.store.write(NOBODY, "test") as work:
        bob = ensure_user(work, "bob")
    of_bob = replace(server.caller, user_id=bob.id or 0, username="bob")
    file = write_sign_in_file(server.mind.store.home, f"{server.url}/sign-in?code={server.sign_in.new_code(of_bob)}")
    with chromium.new_context() as context:
        page = context.new_page()
        page.goto(server.link())
        page.goto(file.as_uri())
        expect(page.get_by_role("button", name="Sign in as bob")).to_be_visible()


def test_a_page_of_another_origin_with_no_code_gets_nowhere(server: Running, chromium: Browser) -> None:
    """Any page can make a frame whose origin is `null`, and post from there."""
    form = f"<form method=post action='{server.url}/sign-in/from-file' target=_top><input name=code value=guess></form>"
    script = "<script>document.forms[0].submit()</script>"
    with chromium.new_context() as context:
        page = context.new_page()
        page.set_content(f'<iframe sandbox="allow-scripts allow-forms allow-top-navigation" srcdoc="{form}{script}">')
        page.wait_for_url(f"{server.url}/sign-in/from-file")
        assert "Requests from other web pages are not answered." in page.content()
        assert context.cookies() == []
