"""The passphrase at the very first sign-in: by the link of the start that made the user, at once, once, never again."""

import re
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from app.running import printed_link
from bigmind.backup.service import backup_now
from bigmind.people.passphrases import PassphrasePlace, Passphrases
from bigmind.people.service import person
from bigmind.people.sign_in_codes import MOST_CODES
from bigmind.people.sign_in_file import CODE_LIFETIME, FIRST_PASSPHRASE
from bigmind.people.token_format import TokenKind
from bigmind.store.sqlite.snapshots import connected
from bigmind.wiring import open_mind
from tests.http.good import PASSPHRASE, own_things
from tests.http.inside import FakeClock, Inside, server_inside
from tests.people.test_in_person import by_link, by_window, has_passphrase
from tests.ui.acting import act
from ui.forms.in_person import FIELD

pytestmark = [pytest.mark.xdist_group("in-person"), pytest.mark.usefixtures("quick")]

BOTH = {"passphrase": PASSPHRASE, "again": PASSPHRASE}
OTHER = "another gate over no river"
FORM_TOKEN = re.compile(r'name="form_token" value="([0-9a-f]{64})"')


@pytest.fixture
def first(inside: Inside) -> Iterator[httpx.Client]:
    """The browser that the printed link signed in."""
    with closing(inside.http()) as browser:
        answered = browser.get(first_link(inside))
        assert (answered.status_code, answered.headers["location"]) == (303, "/")
        assert is_offered(browser)
        yield browser


def is_offered(browser: httpx.Client) -> bool:
    """Whether its pages lead to where a passphrase is set."""
    return f'href="{FIRST_PASSPHRASE}"' in browser.get("/hypotheses").text


def first_link(inside: Inside) -> str:
    return inside.links.first(person(inside.mind.store, "ada"))


def form_token(browser: httpx.Client) -> str:
    """The value that its forms carry; of another page, where this one is not shown."""
    page = browser.get(FIRST_PASSPHRASE)
    found = FORM_TOKEN.search(page.text if page.status_code == 200 else browser.get("/hypotheses").text)
    assert found is not None
    return found[1]


def send(browser: httpx.Client, **fields: str) -> httpx.Response:
    return browser.post(FIRST_PASSPHRASE, data={"form_token": form_token(browser), **fields})


def was_never_set(inside: Inside) -> bool:
    return Passphrases(inside.home).is_untouched("ada")


def ledger(inside: Inside) -> list[tuple[str, str]]:
    """The kinds and bodies of the ledger's rows about a passphrase."""
    with closing(connected(inside.mind.store.path, read_only=True)) as store:
        found = store.execute("SELECT kind, body FROM work_ledger WHERE kind LIKE 'passphrase%' ORDER BY number")
        return list(found.fetchall())


def test_it_is_asked_for_twice_and_holds(inside: Inside, first: httpx.Client) -> None:
    page = first.get(FIRST_PASSPHRASE).text
    assert all(part in page for part in ('name="passphrase"', 'name="again"', "Not now"))
    done = send(first, **BOTH)
    assert (done.status_code, done.headers["location"]) == (303, "/")
    entry = own_things(inside, "ada").entry
    assert act(first, "memory_accept", id=entry, **{FIELD: PASSPHRASE}).status_code == 200
    [(kind, body)] = ledger(inside)
    assert kind == "passphrase_set"
    assert re.search(r'"place":\s*"first_sign_in"', body)
    assert "Your passphrase was set at the first sign-in" in first.get("/health").text


def test_what_is_wrong_is_said_and_can_be_typed_again(inside: Inside, first: httpx.Client) -> None:
    for typed, again in ((PASSPHRASE, OTHER), ("short", "short"), ("b" * 20, "b" * 20), ("x" * 300, "x" * 300)):
        refused = send(first, passphrase=typed, again=again)
        assert (refused.status_code, 'role="alert"' in refused.text) == (422, True)
        assert not any(f'value="{each}"' in refused.text for each in (typed, again))
    assert was_never_set(inside)
    assert ledger(inside) == []
    assert send(first, **BOTH).status_code == 303
    assert not was_never_set(inside)


def test_not_now_is_never_again_on_a_page(inside: Inside, first: httpx.Client) -> None:
    assert send(first, skip="1", **BOTH).headers["location"] == "/"
    assert send(first, **BOTH).status_code == 403
    assert first.get(FIRST_PASSPHRASE).headers["location"] == "/"
    assert was_never_set(inside)
    assert not is_offered(first)
    assert "passphrase set</code>" in first.get("/settings").text


def test_it_is_set_once_and_changed_there_by_nobody(inside: Inside, first: httpx.Client) -> None:
    token = form_token(first)
    assert send(first, **BOTH).status_code == 303
    again = first.post(FIRST_PASSPHRASE, data={"form_token": token, "passphrase": OTHER, "again": OTHER})
    assert (again.status_code, "Nothing was changed" in again.text) == (403, True)
    Passphrases(inside.home).prove("ada", PASSPHRASE, inside.mind.store.clock())


def test_a_form_of_another_page_sets_none(inside: Inside, first: httpx.Client) -> None:
    for token in ({}, {"form_token": ""}, {"form_token": "0" * 64}):
        assert first.post(FIRST_PASSPHRASE, data={**token, **BOTH}).status_code == 403
    given = {"form_token": form_token(first), **BOTH}
    assert first.post(FIRST_PASSPHRASE, data=given, headers={"Origin": "http://127.0.0.1:1"}).status_code == 403
    assert was_never_set(inside)
    assert first.post(FIRST_PASSPHRASE, data=given).status_code == 303


def test_no_other_way_in_leads_there(inside: Inside) -> None:
    """A link of a command, the window's, a cookie by a row of the store, and every token."""
    for browser in (by_link(inside), by_window(inside), inside.browser(inside.token(kind=TokenKind.UI))):
        with closing(browser):
            assert browser.get(FIRST_PASSPHRASE).status_code == 303
            assert send(browser, **BOTH).status_code == 403
    for kind in TokenKind:
        with inside.http(inside.token(kind=kind)) as http:
            assert http.get(FIRST_PASSPHRASE).status_code == 401
            assert http.post(FIRST_PASSPHRASE, data=BOTH).status_code == 401
            assert http.post("/api/v1/passphrase_set", json=BOTH).status_code in {401, 403}
    assert was_never_set(inside)


def test_the_link_works_once_and_its_right_for_ten_minutes(inside: Inside, clock: FakeClock) -> None:
    link, late = first_link(inside), first_link(inside)
    with closing(inside.http()) as browser, closing(inside.http()) as other:
        assert browser.get(link).status_code == 303
        assert other.get(link).status_code == 401
        clock.forward(CODE_LIFETIME - timedelta(seconds=1))
        assert browser.get(FIRST_PASSPHRASE).status_code == 200
        clock.forward(timedelta(seconds=1))
        assert send(browser, **BOTH).status_code == 403
        assert other.get(late).status_code == 401
    assert was_never_set(inside)


def test_the_browser_that_signs_out_takes_its_right_along(inside: Inside, first: httpx.Client) -> None:
    token, secret = form_token(first), first.cookies[inside.cookie]
    assert first.post("/sign-out", data={"form_token": token}).status_code == 303
    with closing(inside.browser(secret)) as stolen:
        assert stolen.post(FIRST_PASSPHRASE, data={"form_token": token, **BOTH}).status_code == 401
    assert was_never_set(inside)


def test_where_one_was_ever_set_the_right_that_is_left_sets_none(inside: Inside, first: httpx.Client) -> None:
    has_passphrase(inside)
    assert send(first, **BOTH).status_code == 403
    Passphrases(inside.home).remove("ada", inside.mind.store.clock(), PassphrasePlace.TERMINAL)
    assert send(first, **BOTH).status_code == 403
    (inside.home / "passphrases.json").write_text("{", encoding="utf-8")
    assert send(first, **BOTH).status_code == 403
    assert ledger(inside) == []


def test_many_codes_take_the_right_away_and_give_none(inside: Inside) -> None:
    link, caller = first_link(inside), inside.caller(inside.token())
    for _ in range(MOST_CODES):
        inside.links.browser(caller)
    with closing(inside.http()) as browser:
        assert browser.get(link).status_code == 401


def test_only_the_start_that_makes_the_user_is_the_first(tmp_path: Path) -> None:
    """No file says it: what is deleted beside the database gives no right, nor does a database that backups miss."""
    home = tmp_path / "home"
    mind = open_mind(home, "ada")
    assert mind.is_first_start
    mind.close()
    with server_inside(home) as inside:
        assert not inside.mind.is_first_start
        own_things(inside, "ada")
        backup_now(inside.mind.store, "manual")
    for file in ("passphrases.json", "tokens/cli", "bigmind.db"):
        (home / file).unlink(missing_ok=True)
        mind = open_mind(home, "ada")
        assert not mind.is_first_start, file
        mind.close()


def test_only_the_first_start_without_a_window_prints_the_link(tmp_path: Path) -> None:
    with server_inside(tmp_path / "home") as inside:
        owner = person(inside.mind.store, "ada")
        offers: list[bool] = []
        for is_first, is_alone in ((True, True), (True, False), (False, True)):
            mind = replace(inside.mind, is_first_start=is_first)
            offers.append(offers_one(inside, printed_link(mind, inside.links, owner, is_alone=is_alone)))
        assert offers == [True, False, False]
        has_passphrase(inside)
        mind = replace(inside.mind, is_first_start=True)
        assert not offers_one(inside, printed_link(mind, inside.links, owner, is_alone=True))


def offers_one(inside: Inside, link: str) -> bool:
    """Whether who signs in by a link may set a passphrase."""
    with closing(inside.http()) as browser:
        assert browser.get(link).headers["location"] == "/"
        return is_offered(browser)
