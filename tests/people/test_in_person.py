"""What is done in person: in the app's window, or on a page with the passphrase that stands in the very form.

Every operation that asks for it, by every way in.
"""

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.core.desktop import WINDOW_CLIENT
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Operation, Presence, Surface
from bigmind.people.passphrases import PassphrasePlace, Passphrases
from bigmind.people.service import active_tokens, end_token
from bigmind.people.token_format import TokenKind
from bigmind.wiring import catalogue
from tests.http.good import GOOD, PASSPHRASE, Owned, own_things
from tests.http.inside import Inside, server_inside
from tests.thorough import crossed
from ui.forms.in_person import FIELD

pytestmark = pytest.mark.xdist_group("in-person")

IN_PERSON = [operation for operation in catalogue() if operation.in_person]
ON_PAGES = [operation for operation in IN_PERSON if not operation.in_window]
REFUSED = {
    True: "is done in BigMind&#39;s window, and nowhere else",
    False: "is done in person: in BigMind&#39;s window, or on its pages with your passphrase",
}
BEARERS = [kind for kind in TokenKind if kind is not TokenKind.UI]
OTHERS = [presence for presence in Presence if not presence.is_in_person]
NAMES = st.from_regex(r"(bigmind|x)-[a-z]{1,12}", fullmatch=True)
CLAIMS = st.sampled_from([*Presence, "true", "1", WINDOW_CLIENT])
RIGHT = b64encode(PASSPHRASE.encode()).decode()


class Screen:
    """Shows the six-digit code to the test."""

    code = ""

    def can_show(self) -> bool:
        return True

    def show_code(self, code: str) -> None:
        self.code = code


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Inside, Owned]]:
    with server_inside(tmp_path_factory.mktemp("in-person") / "home") as inside:
        has_passphrase(inside)
        things = own_things(inside, "ada")
        things.work.all()
        assert things.work.altered
        yield inside, things


def named(each: object) -> str:
    return each.name if isinstance(each, Operation) else str(each)


def has_passphrase(inside: Inside, text: str = PASSPHRASE) -> None:
    Passphrases(inside.home).set("ada", text, inside.mind.store.clock(), PassphrasePlace.WINDOW)


def by_link(inside: Inside, client: str = "browser") -> httpx.Client:
    """A browser that a sign-in link signed in, as `bigmind open` makes it."""
    with inside.http(inside.token()) as terminal:
        link = terminal.post("/api/v1/server_sign_in_link", json={"client": client}).json()["url"]
    browser = inside.http()
    assert browser.get(link).status_code == 303
    return browser


def by_digits(inside: Inside) -> httpx.Client:
    """A browser into which the code on the screen was typed."""
    screen = Screen()
    inside.sign_in.screen.offer(inside.caller(inside.token()), screen)
    browser = inside.http()
    page = browser.get("/sign-in").text
    token = re.search(r'name="form_token" value="([^"]+)"', page)
    assert token is not None
    browser.post("/sign-in", data={"form_token": token[1], "show": "1"})
    token = re.search(r'name="form_token" value="([^"]+)"', browser.get("/sign-in").text)
    assert token is not None
    assert browser.post("/sign-in", data={"form_token": token[1], "code": screen.code}).status_code == 303
    return browser


def by_window(inside: Inside) -> httpx.Client:
    """The app's window, signed in as the core does it."""
    window = inside.http()
    address = inside.links.window(inside.caller(inside.token()))
    assert window.get(address).status_code == 303
    return window


BROWSERS: dict[str, Callable[[Inside], httpx.Client]] = {
    "a link": by_link,
    "a link in the window's name": lambda inside: by_link(inside, WINDOW_CLIENT),
    "the code on the screen": by_digits,
    "a cookie": lambda inside: inside.browser(inside.token(kind=TokenKind.UI)),
    "a cookie in the window's name": lambda inside: inside.browser(
        inside.token(kind=TokenKind.UI, client=WINDOW_CLIENT)
    ),
}


def act(browser: httpx.Client, operation: Operation, arguments: dict[str, Any], **more: Any) -> httpx.Response:
    """Send the page's form."""
    token = re.search(r'name="form_token" value="([0-9a-f]{64})"', browser.get("/hypotheses").text)
    assert token is not None
    at = more.pop("at", "")
    headers = {"HX-Request": "true", **more.pop("headers", {})}
    return browser.post(
        f"/actions/{operation.name}{at}", data={"form_token": token[1], **arguments, **more}, headers=headers
    )


def test_accepting_flagged_text_is_among_them_and_no_model_is_offered_any() -> None:
    assert "memory_accept" in {operation.name for operation in IN_PERSON}
    for operation in IN_PERSON:
        assert operation.people_only, operation.name
        assert Surface.MCP not in operation.surfaces, operation.name


@pytest.mark.parametrize(("operation", "way"), crossed(IN_PERSON, BROWSERS), ids=named)
def test_no_browser_is_taken_for_the_person(served: tuple[Inside, Owned], operation: Operation, way: str) -> None:
    inside, ids = served
    with closing(BROWSERS[way](inside)) as browser:
        before = inside.everything()
        answered = act(browser, operation, GOOD[operation.name](ids))
        assert answered.status_code == 403
        assert REFUSED[operation.in_window] in answered.text
        assert inside.everything() == before


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(("operation", "way"), crossed(ON_PAGES, BROWSERS), ids=named)
def test_with_the_passphrase_a_page_does_it_and_asks_again_for_the_next(
    inside: Inside, operation: Operation, way: str
) -> None:
    first, second = (GOOD[operation.name](own_things(inside, "ada", about)) for about in ("door", "gate"))
    has_passphrase(inside)
    with closing(BROWSERS[way](inside)) as browser:
        done = act(browser, operation, first, **{FIELD: PASSPHRASE})
        assert done.status_code == 200, done.text
        assert PASSPHRASE not in done.text
        before = inside.everything()
        again = act(browser, operation, second)
        assert (again.status_code, REFUSED[False] in again.text) == (403, True)
        assert inside.everything() == before
        assert inside.caller(browser.cookies[inside.cookie]).presence is Presence.PAGE
        assert act(browser, operation, second, **{FIELD: PASSPHRASE}).status_code == 200


@pytest.mark.parametrize("operation", [each for each in IN_PERSON if each.in_window], ids=lambda each: each.name)
def test_what_is_the_windows_needs_more_than_the_passphrase(served: tuple[Inside, Owned], operation: Operation) -> None:
    inside, ids = served
    with closing(by_link(inside)) as browser:
        before = inside.everything()
        answered = act(browser, operation, GOOD[operation.name](ids), **{FIELD: PASSPHRASE})
        assert (answered.status_code, REFUSED[True] in answered.text) == (403, True)
        assert inside.everything() == before


@pytest.mark.parametrize("operation", IN_PERSON, ids=lambda each: each.name)
def test_the_passphrase_in_any_other_place_proves_nobody(served: tuple[Inside, Owned], operation: Operation) -> None:
    """It is a field of the page's form: none of the address, of a header or a cookie, and none of another surface."""
    inside, ids = served
    before = inside.everything()
    given = GOOD[operation.name](ids)
    with closing(by_link(inside)) as browser:
        places: list[dict[str, Any]] = [
            {"at": f"?{FIELD}={quote(PASSPHRASE)}"},
            {"headers": {FIELD: RIGHT, "Authorization": f"Basic {RIGHT}", "X-Passphrase": RIGHT}},
            {"passphrase.proof": PASSPHRASE, "proof": PASSPHRASE, f"{FIELD}.lines": PASSPHRASE},
        ]
        for each in places:
            assert act(browser, operation, given, **each).status_code in {400, 401, 403}, each
        browser.cookies.set(FIELD, RIGHT, path="/actions")
        assert act(browser, operation, given).status_code == 403
    for kind in BEARERS:
        secret = inside.token(kind=kind, client=WINDOW_CLIENT)
        with inside.http(secret) as http:
            body = {**given, FIELD: PASSPHRASE}
            for address in (f"/api/v1/{operation.name}", f"/api/v1/{operation.name}?{FIELD}={quote(PASSPHRASE)}"):
                answered = http.post(address, json=body, headers={FIELD: RIGHT})
                assert answered.status_code in {400, 403}, answered.text
            form = http.post(f"/actions/{operation.name}", data=body)
            assert form.status_code in {401, 403, 404}, form.text
        called = inside.rpc(secret, "tools/call", name=operation.name, arguments=body)
        assert called["result"]["isError"]
    after = inside.everything()
    assert {**after, "token": "", "change": ""} == {**before, "token": "", "change": ""}


@pytest.mark.parametrize(("operation", "kind"), crossed(IN_PERSON, BEARERS), ids=named)
def test_no_token_is_taken_for_the_person_whatever_it_claims(
    served: tuple[Inside, Owned], operation: Operation, kind: TokenKind
) -> None:
    inside, ids = served
    secret = inside.token(kind=kind, client=WINDOW_CLIENT)
    before = inside.everything()
    refused = Code.IN_PERSON if kind.is_person else Code.FORBIDDEN
    with inside.http(secret) as http:

        @given(st.dictionaries(NAMES, CLAIMS, max_size=3))
        def is_refused(claims: dict[str, str]) -> None:
            given = GOOD[operation.name](ids)
            answered = http.post(f"/api/v1/{operation.name}", json=given, headers=claims)
            assert answered.status_code in {400, 403}, answered.text
            if answered.status_code == 403:
                assert answered.json()["code"] == refused
                assert "window" in answered.text

        is_refused()
    called = inside.rpc(secret, "tools/call", name=operation.name, arguments=GOOD[operation.name](ids))
    assert called["result"]["isError"]
    assert inside.everything() == before


@pytest.mark.parametrize(("operation", "presence"), crossed(IN_PERSON, OTHERS), ids=named)
def test_no_other_place_is_taken_for_the_person(
    served: tuple[Inside, Owned], operation: Operation, presence: Presence
) -> None:
    """The tray and the command line among them; whoever says nothing is the program."""
    inside, ids = served
    caller = replace(inside.caller(inside.token()), presence=presence, client=WINDOW_CLIENT)
    before = inside.everything()
    with pytest.raises(BigMindError) as caught:
        inside.mind.dispatcher.run(operation, caller, GOOD[operation.name](ids))
    assert caught.value.code is Code.IN_PERSON
    assert "window" in str(caught.value)
    assert inside.everything() == before


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("operation", IN_PERSON, ids=lambda each: each.name)
def test_in_the_window_it_is_done(inside: Inside, operation: Operation) -> None:
    ids = own_things(inside, "ada")
    has_passphrase(inside)
    with closing(by_window(inside)) as window:
        assert act(window, operation, GOOD[operation.name](ids)).status_code == 200


def test_a_code_of_the_window_works_once_and_its_cookie_until_it_closes(inside: Inside) -> None:
    person = inside.caller(inside.token())
    code = inside.sign_in.new_window_code(person)
    assert inside.sign_in.redeem(code) is not None
    assert inside.sign_in.redeem(code) is None
    with closing(by_window(inside)) as window:
        secret = window.cookies[inside.cookie]
        assert inside.caller(secret).presence is Presence.WINDOW
        with inside.mind.store.write(person, "test") as work:
            [*_, row] = [each for each in active_tokens(work) if each.client == WINDOW_CLIENT]
            end_token(work, row)
        assert inside.mind.authenticator.principal(secret) is None


def test_no_row_of_the_store_makes_a_window(tmp_path: Path) -> None:
    """What a window left behind, or a file brought, is a browser's at most after the next start."""
    with server_inside(tmp_path / "home") as inside, closing(by_window(inside)) as window:
        secret = window.cookies[inside.cookie]
        assert inside.caller(secret).presence is Presence.WINDOW
    with server_inside(tmp_path / "home") as again:
        assert again.caller(secret).presence is Presence.PAGE


def test_a_page_accepts_the_words_that_it_showed_and_no_others(inside: Inside) -> None:
    """Whoever changes a text while a person reads it gets nothing accepted."""
    own_things(inside, "ada")
    with closing(by_window(inside)) as window:
        pages = {path: window.get(path).text for path in ("/health", "/profile", "/facts", "/knowledge")}
        forms = [form for text in pages.values() for form in re.findall(r"<form.*?</form>", text, re.DOTALL)]
        accepting = [form for form in forms if "/actions/memory_accept" in form]
        assert accepting
        assert all(re.search(r'name="shown" value="[0-9a-f]{32}"', form) for form in accepting)
