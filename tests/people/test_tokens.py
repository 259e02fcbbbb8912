"""Tokens: their form, what is kept of them, and that they end when they should."""

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sqlmodel import select

from bigmind.core.operation import Role
from bigmind.people.operations import NewToken
from bigmind.people.service import NOBODY, UI_SESSION, ensure_user
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind, digest, looks_right, new_secret
from bigmind.wiring import Mind
from tests.http.inside import FakeClock, Inside

STREAMS = {"Accept": "application/json, text/event-stream"}
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}


def test_a_new_token_has_the_form_and_each_is_another() -> None:
    made = {new_secret() for _ in range(500)}
    assert len(made) == 500
    for secret in made:
        assert secret.startswith("bm_")
        assert len(secret) == len("bm_") + 43 + 8
        assert looks_right(secret)


@given(st.integers(0, 53), st.characters(min_codepoint=33, max_codepoint=126))
def test_a_mistyped_character_is_noticed(place: int, character: str) -> None:
    secret = new_secret()
    other = secret[:place] + character + secret[place + 1 :]
    assert looks_right(other) == (other == secret)


@given(st.integers(0, 52))
def test_two_characters_in_the_wrong_order_are_noticed(place: int) -> None:
    secret = new_secret()
    other = secret[:place] + secret[place + 1] + secret[place] + secret[place + 2 :]
    assert looks_right(other) == (other == secret)


@given(st.text(st.characters() | st.characters(categories=["Cs"]), max_size=120))
@example("")
@example("bm_")
@example("bm_\udfff00000000")
@example("bm_" + "\u0660" * 51)
@example("bm_" + "a" * 1_000_000)
def test_other_text_has_not_the_form(text: str) -> None:
    assert not looks_right(text)


def whole_home(home: Path) -> dict[str, bytes]:
    return {str(file.relative_to(home)): file.read_bytes() for file in home.rglob("*") if file.is_file()}


def test_of_a_token_only_its_digest_is_kept(inside: Inside) -> None:
    with inside.http(inside.token()) as http:
        made = http.post("/api/v1/token_create", json={"client": "ide"}, headers={"Idempotency-Key": "k"}).json()
    secret = made["token"]
    with inside.http(secret) as http:
        http.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": "It was used"})
        http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    inside.rpc(secret, "tools/call", name="memory_start_session", arguments={})
    files = whole_home(inside.home)
    assert any(b"It was used" in content for content in files.values()), "the search itself finds nothing"
    assert [name for name, content in files.items() if secret.encode() in content] == []
    with inside.mind.store.read(NOBODY, "test") as work:
        row = work.session.exec(select(Token).where(Token.uid == made["token_id"])).one()
    assert row.digest == digest(secret)
    assert secret not in repr(row)


def test_a_token_is_shown_once_also_to_a_retry(inside: Inside) -> None:
    with inside.http(inside.token(), headers={"Idempotency-Key": "again"}) as http:
        made = http.post("/api/v1/token_create", json={"client": "ide"})
        retried = http.post("/api/v1/token_create", json={"client": "ide"})
        listed = http.post("/api/v1/token_list", json={})
    secret = made.json()["token"]
    assert retried.status_code == 409
    assert "only once" in retried.json()["title"]
    assert secret not in retried.text
    assert secret not in listed.text
    assert [row["client"] for row in listed.json()["tokens"]].count("ide") == 1


class Everywhere:
    """One user's token for programs and one for the browser, in use on every surface, on connections kept open."""

    def __init__(self, inside: Inside, secret: str, browser: str) -> None:
        self._http = inside.http(secret, headers=STREAMS)
        self._browser = inside.browser(browser)
        opened = self._rpc("initialize", HELLO)
        assert opened.status_code == 200
        self._session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}

    def _rpc(self, method: str, params: dict[str, Any], **headers: str) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return self._http.post("/mcp", json=message, headers=headers)

    def statuses(self) -> dict[str, int]:
        return {
            "api": self._http.post("/api/v1/memory_get_stats", json={}).status_code,
            "mcp": self._rpc("tools/list", {}).status_code,
            "open mcp session": self._rpc("tools/list", {}, **self._session).status_code,
            "page": self._browser.get("/profile").status_code,
            "fragment": self._browser.get("/sessions/more").status_code,
            "static": self._browser.get("/static/app.css").status_code,
        }

    def statuses_of_what_would_end_or_never_end(self) -> dict[str, int]:
        """Only to be asked when nothing is open any more."""
        return {
            "listening to the session": self._http.get("/mcp", headers=self._session).status_code,
            "ending the session": self._http.delete("/mcp", headers=self._session).status_code,
            "live page": self._browser.get("/events").status_code,
        }

    def close(self) -> None:
        self._http.close()
        self._browser.close()


@pytest.fixture
def used(inside: Inside):
    everywhere = Everywhere(
        inside,
        inside.token(kind=TokenKind.CLIENT, lifetime=timedelta(days=1)),
        inside.token(kind=TokenKind.UI, lifetime=timedelta(days=1)),
    )
    yield everywhere
    everywhere.close()


def assert_in(used: Everywhere) -> None:
    statuses = used.statuses()
    assert statuses == dict.fromkeys(statuses, 200)


def assert_out(used: Everywhere) -> None:
    statuses = {**used.statuses(), **used.statuses_of_what_would_end_or_never_end()}
    assert statuses == dict.fromkeys(statuses, 401)


def test_a_revoked_token_is_over_at_once_everywhere(inside: Inside, used: Everywhere) -> None:
    assert_in(used)
    with inside.http(inside.token()) as person:
        for row in person.post("/api/v1/token_list", json={}).json()["tokens"]:
            if row["kind"] in {"client", "ui"}:
                person.post("/api/v1/token_revoke", json={"token_id": row["token_id"]}).raise_for_status()
    assert_out(used)


def test_an_expired_token_is_over_everywhere(clock: FakeClock, used: Everywhere) -> None:
    clock.forward(timedelta(days=1) - timedelta(microseconds=1))
    assert_in(used)
    clock.forward(timedelta(microseconds=1))
    assert_out(used)


def test_a_revoked_browsers_open_stream_ends(inside: Inside) -> None:
    browser = inside.token(kind=TokenKind.UI)
    with inside.browser(browser) as page, page.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": listening"
        with inside.http(inside.token()) as person:
            rows = person.post("/api/v1/token_list", json={}).json()["tokens"]
            uid = next(row["token_id"] for row in rows if row["kind"] == "ui")
            person.post("/api/v1/token_revoke", json={"token_id": uid}).raise_for_status()
        list(lines)  # comes to an end by itself
        assert page.get("/events").status_code == 401


def test_a_token_that_created_with_days_ends_after_them(inside: Inside, clock: FakeClock) -> None:
    with inside.http(inside.token()) as person:
        made = person.post("/api/v1/token_create", json={"client": "ide", "days": 3}).json()
        with inside.http(made["token"]) as http:
            clock.forward(timedelta(days=3) - timedelta(seconds=1))
            assert http.post("/api/v1/memory_get_stats", json={}).status_code == 200
            clock.forward(timedelta(seconds=1))
            assert http.post("/api/v1/memory_get_stats", json={}).status_code == 401
        assert made["token_id"] not in person.post("/api/v1/token_list", json={}).text


def test_another_token_of_a_name_is_made_and_said_to_be_one(inside: Inside) -> None:
    with inside.http(inside.token()) as person:
        first, second, third = (person.post("/api/v1/token_create", json={"client": "ide"}).json() for _ in range(3))
        assert "others" not in first
        assert (second["others"], third["others"]) == (1, 2)
        for each in (first, second, third):
            with inside.http(each["token"]) as http:
                assert http.post("/api/v1/memory_get_stats", json={}).status_code == 200
        other = person.post("/api/v1/token_create", json={"client": "other"}).json()
    told = [NewToken.model_validate(each).in_words() for each in (other, second, third)]
    assert "of that name" not in told[0]
    assert "There is another token of that name, and it stays valid" in told[1]
    assert "There are 2 other tokens of that name, and they stay valid" in told[2]


def test_a_browser_stays_signed_in_for_thirty_days(inside: Inside, clock: FakeClock) -> None:
    assert timedelta(days=30) == UI_SESSION
    code = inside.sign_in.new_code(inside.caller(inside.token()))
    with inside.http() as browser:
        browser.get("/sign-in", params={"code": code})
        clock.forward(UI_SESSION - timedelta(seconds=1))
        assert browser.get("/profile").status_code == 200
        clock.forward(timedelta(seconds=1))
        assert browser.get("/profile").status_code == 401


def test_a_token_is_revoked_once_and_by_as_much_of_its_id_as_is_needed(inside: Inside) -> None:
    with inside.http(inside.token()) as person:
        made = [person.post("/api/v1/token_create", json={"client": name}).json() for name in ("a", "b")]
        short = made[0]["token_id"][:8]
        assert person.post("/api/v1/token_revoke", json={"token_id": short}).status_code == 200
        again = person.post("/api/v1/token_revoke", json={"token_id": short})
        assert again.status_code == 404
        for nothing in ("zzzzzzzz", "%%%%%%%%", "________", "        ", made[1]["token"][:30]):
            answered = person.post("/api/v1/token_revoke", json={"token_id": nothing})
            assert answered.status_code in {404, 422}, nothing
        left = {row["client"] for row in person.post("/api/v1/token_list", json={}).json()["tokens"]}
    assert "b" in left
    assert "a" not in left


def test_a_person_who_revokes_the_token_in_their_hand_is_out(inside: Inside) -> None:
    secret = inside.token(client="in my hand")
    with inside.http(secret) as http:
        rows = http.post("/api/v1/token_list", json={}).json()["tokens"]
        mine = next(row["token_id"] for row in rows if row["client"] == "in my hand")
        assert http.post("/api/v1/token_revoke", json={"token_id": mine}).status_code == 200
        assert http.post("/api/v1/token_list", json={}).status_code == 401
        assert json.loads(http.post("/api/v1/token_list", json={}).text)["code"] == "unauthenticated"


def test_only_the_first_user_of_a_store_is_its_admin(mind: Mind):
    with mind.store.write(NOBODY, "test") as work:
        assert ensure_user(work, "ada").role == Role.ADMIN
        assert ensure_user(work, "bob").role == Role.MEMBER
