"""One-time sign-in codes."""

import logging
import threading
from datetime import timedelta

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.people.sign_in_codes import MOST_CODES, SignIn
from bigmind.people.sign_in_file import CODE_LIFETIME
from bigmind.people.token_format import TokenKind
from bigmind.wiring import Mind
from tests.http.inside import FakeClock, Inside


@pytest.fixture
def sign_in(mind: Mind, clock: FakeClock) -> SignIn:
    return SignIn(mind.store, clock)


def test_a_code_works_once_and_signs_in_whoever_asked_for_it(mind: Mind, caller, sign_in: SignIn) -> None:
    code = sign_in.new_code(caller)
    minted = sign_in.redeem(code)
    assert minted is not None
    principal = mind.authenticator.principal(minted.secret)
    assert principal is not None
    assert principal.kind is TokenKind.UI
    assert principal.caller.user_id == caller.user_id
    assert sign_in.redeem(code) is None


def test_a_code_works_for_ten_minutes(caller, sign_in: SignIn, clock: FakeClock) -> None:
    assert timedelta(minutes=10) == CODE_LIFETIME
    in_time, late = sign_in.new_code(caller), sign_in.new_code(caller)
    clock.forward(CODE_LIFETIME - timedelta(microseconds=1))
    assert sign_in.redeem(in_time) is not None
    clock.forward(timedelta(microseconds=1))
    assert sign_in.redeem(late) is None
    clock.forward(-CODE_LIFETIME)
    assert sign_in.redeem(late) is None, "a code that was found too old came back to life"


def test_other_text_is_no_code(caller, sign_in: SignIn) -> None:
    code = sign_in.new_code(caller)

    @given(st.text(max_size=100))
    def is_none(text: str) -> None:
        assert sign_in.redeem(text) is None

    is_none()
    for near in ("", code[:-1], code + "A", code.swapcase(), f" {code}", f"{code}\x00"):
        assert sign_in.redeem(near) is None
    assert sign_in.redeem(code) is not None


def test_of_more_than_a_hundred_codes_the_newest_work(caller, sign_in: SignIn) -> None:
    codes = [sign_in.new_code(caller) for _ in range(MOST_CODES + 5)]
    assert len(set(codes)) == len(codes)
    assert MOST_CODES == 100
    assert [sign_in.redeem(code) is not None for code in codes] == [False] * 5 + [True] * MOST_CODES


def test_of_many_who_use_one_code_at_once_one_is_signed_in(caller, sign_in: SignIn) -> None:
    code = sign_in.new_code(caller)
    found = []
    together = threading.Barrier(20)

    def redeem() -> None:
        together.wait()
        found.append(sign_in.redeem(code))

    threads = [threading.Thread(target=redeem) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 20
    assert sum(minted is not None for minted in found) == 1


def test_codes_are_not_kept_readable_and_end_with_the_process(mind: Mind, caller, sign_in: SignIn) -> None:
    code = sign_in.new_code(caller)
    assert code not in repr(vars(sign_in))
    for file in mind.store.home.rglob("*"):
        assert not file.is_file() or code.encode() not in file.read_bytes()
    assert SignIn(mind.store).redeem(code) is None


def new_link(inside: Inside) -> str:
    with inside.http(inside.token()) as person:
        return person.post("/api/v1/server_sign_in_link", json={}).json()["url"]


def test_the_link_signs_a_browser_in_once(inside: Inside) -> None:
    link = new_link(inside)
    assert link.startswith(f"{inside.address}/sign-in?code=")
    with inside.http() as browser, inside.http() as thief:
        first = browser.get(link)
        assert first.status_code == 303
        assert first.headers["location"] == "/"
        cookie = next(each for each in first.headers.get_list("set-cookie") if each.startswith(f"{inside.cookie}="))
        attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
        assert {"httponly", "samesite=strict", "path=/"} <= attributes
        assert not any(attribute.startswith("domain") for attribute in attributes)
        assert browser.get("/profile").status_code == 200
        assert thief.get(link).status_code == 401
        assert thief.get("/profile").status_code == 401


def test_a_code_can_be_typed_or_its_link_pasted(inside: Inside) -> None:
    for pasted in (new_link(inside).partition("code=")[2], f"  {new_link(inside)} "):
        with inside.http() as browser:
            assert post_code(browser, pasted, form_token_of(browser)).status_code == 303
            assert browser.get("/profile").status_code == 200


def test_a_form_of_another_page_signs_nobody_in_and_spends_no_code(inside: Inside) -> None:
    code = new_link(inside).partition("code=")[2]
    with inside.http() as browser:
        for token in ("", "guessed"):
            assert post_code(browser, code, token).status_code == 403
        good = form_token_of(browser)
        assert post_code(browser, code, good[:-1]).status_code == 403
        assert post_code(browser, code, good).status_code == 403, "each page has a token of its own"
        assert browser.get("/profile").status_code == 401
        assert post_code(browser, code, form_token_of(browser)).status_code == 303


def form_token_of(browser: httpx.Client) -> str:
    page = browser.get("/sign-in")
    assert page.status_code == 200
    return page.text.partition('name="form_token" value="')[2].partition('"')[0]


def post_code(browser: httpx.Client, code: str, form_token: str) -> httpx.Response:
    return browser.post("/sign-in", data={"code": code, "form_token": form_token})


@pytest.mark.parametrize(
    "code", ["no-such-code", "%00", "%ff", "x" * 5_000, "<script>alert(1)</script>", "%0d%0aSet-Cookie:a=b"]
)
def test_what_is_no_code_gets_the_page_again_and_nothing_of_it_is_shown(inside: Inside, code: str) -> None:
    with inside.http() as browser:
        answered = browser.get(f"/sign-in?code={code}")
    assert answered.status_code == 401
    assert "<script" not in answered.text
    assert code not in answered.text
    assert inside.cookie not in [cookie.name for cookie in answered.cookies.jar]


def test_no_code_and_no_token_is_logged(inside: Inside, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = inside.token()
    code = inside.sign_in.new_code(inside.caller(secret))
    with inside.http(secret) as person, inside.http() as browser:
        person.post("/api/v1/token_list", json={})
        person.post("/api/v1/nothing", json={})
        browser.get("/sign-in", params={"code": "wrong-code"})
        browser.get("/sign-in", params={"code": code}, headers={"Host": "evil.com"})
        browser.get("/sign-in", params={"code": code})
        browser.get("/profile")
        cookie = browser.cookies[inside.cookie]
    # The test's own client logs each address; and pytest hangs itself onto the access log, which is off otherwise:
    # that it is off in a real process is shown in tests/http/test_secrets.py.
    others = ("httpx", "httpcore", "uvicorn.access")
    said = [record.getMessage() for record in caplog.records if not record.name.startswith(others)]
    for hidden in (code, secret, cookie, "wrong-code"):
        assert not any(hidden in line for line in said)
    assert any(code in record.getMessage() for record in caplog.records), "the log was not read at all"


def test_signing_out_ends_this_browser_and_no_other(inside: Inside) -> None:
    with inside.http() as one, inside.http() as other:
        for browser in (one, other):
            assert browser.get(new_link(inside)).status_code == 303
        page = one.get("/profile").text
        token = page.partition('name="form_token" value="')[2].partition('"')[0]
        assert one.post("/sign-out", data={"form_token": "guessed"}).status_code == 403
        assert one.get("/profile").status_code == 200
        kept = one.cookies[inside.cookie]
        assert one.post("/sign-out", data={"form_token": token}).status_code == 303
        with inside.browser(kept) as thief:
            assert thief.get("/profile").status_code == 401
        assert other.get("/profile").status_code == 200
