"""Users: an admin adds and lists them; what each keeps stays theirs."""

from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlmodel import select

from bigmind.core.operation import Mode, Role
from bigmind.people.service import NOBODY, active_tokens
from bigmind.people.tables import Token, User
from bigmind.people.token_format import TokenKind
from bigmind.store.tables import ChangeRow
from tests.http.inside import FakeClock, Inside, server_inside


def added(inside: Inside, **given: object) -> dict[str, str]:
    with inside.http(inside.token()) as http:
        answered = http.post("/api/v1/user_add", json=given)
    assert answered.status_code == 200, answered.text
    return answered.json()


def refused(inside: Inside, status: int, code: str, **given: object) -> str:
    with inside.http(inside.token()) as http:
        answered = http.post("/api/v1/user_add", json=given)
    assert (answered.status_code, answered.json()["code"]) == (status, code)
    return answered.text


def listed(inside: Inside) -> dict[str, dict[str, object]]:
    with inside.http(inside.token()) as http:
        return {each["username"]: each for each in http.post("/api/v1/user_list", json={}).json()["users"]}


def test_who_is_added_works_at_once_as_themselves(inside: Inside) -> None:
    made = added(inside, username="Bob Müller", client="bobs-laptop", days=30)
    assert (made["username"], made["role"], made["client"]) == ("Bob Müller", "member", "bobs-laptop")
    bob = inside.caller(made["token"])
    assert (bob.username, bob.role, bob.is_person) == ("Bob Müller", Role.MEMBER, False)
    with inside.http(made["token"]) as http:
        kept = http.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": "Bob keeps zebras"})
        assert kept.status_code == 200
    with inside.http(inside.token()) as http:
        listed_for_ada = http.post("/api/v1/memory_list_facts", json={})
    with inside.http(made["token"]) as http:
        listed_for_bob = http.post("/api/v1/memory_list_facts", json={})
    assert "zebras" in listed_for_bob.text
    assert (listed_for_ada.status_code, "zebras" in listed_for_ada.text) == (200, False)


def test_without_a_client_the_token_is_called_like_the_user(inside: Inside) -> None:
    assert added(inside, username="bob")["client"] == "bob"
    text = refused(inside, 422, "invalid_input", username="corp/zoe")
    assert "slash" in text
    assert added(inside, username="corp/zoe", client="laptop")["username"] == "corp/zoe"


def test_the_audit_log_says_who_added_whom(inside: Inside) -> None:
    made = added(inside, username="bob")
    with inside.mind.store.read(NOBODY, "test") as work:
        bob = work.session.exec(select(User).where(User.username == "bob")).one()
        ada = work.session.exec(select(User).where(User.username == "ada")).one()
        rows = work.session.exec(select(ChangeRow).where(ChangeRow.operation == "user_add")).all()
        token = work.session.exec(select(Token).where(Token.uid == made["token_id"])).one()
    assert [(row.user_id, row.kind, row.action, row.entity) for row in rows] == [
        (ada.id, "user", "created", bob.uid),
        (ada.id, "token", "created", made["token_id"]),
    ]
    assert (token.user_id, token.kind) == (bob.id, TokenKind.CLIENT)


@pytest.mark.parametrize("name", ["ada", "ADA", " Ada ", "\uff41da"])
def test_a_name_that_looks_taken_is_taken(inside: Inside, name: str) -> None:
    assert "There is a user called ada already." in refused(inside, 409, "conflict", username=name)
    assert set(listed(inside)) == {"ada"}


@pytest.mark.parametrize("name", ["ada\u200b", "\u202eada", "a\u00adda", "a\x1bda", "bob\ufe0f", "b\u034fob"])
def test_a_name_with_characters_that_nobody_sees_is_refused(inside: Inside, name: str) -> None:
    assert "that nobody sees" in refused(inside, 422, "invalid_input", username=name)
    assert set(listed(inside)) == {"ada"}


def test_a_name_that_a_command_would_take_for_an_option_is_refused(inside: Inside) -> None:
    assert "take it for an option" in refused(inside, 422, "invalid_input", username="--help")
    assert set(listed(inside)) == {"ada"}


def test_a_name_that_holds_a_secret_is_refused_and_not_repeated(inside: Inside) -> None:
    secret = "ghp_" + "a8Kd93hfLq02mZx7Vb51Nw64Rt" + "0123456789"
    for given in ({"username": secret}, {"username": "bob", "client": secret}):
        assert secret not in refused(inside, 422, "invalid_input", **given)
    assert set(listed(inside)) == {"ada"}


def test_the_list_says_when_somebody_was_here_and_how_many_tokens_work(inside: Inside, clock: FakeClock) -> None:
    made = added(inside, username="bob")
    new = listed(inside)["bob"]
    assert (new["last_seen_at"], new["tokens"], new["is_you"]) == (None, 1, False)
    clock.forward(timedelta(hours=1))
    with inside.http(made["token"]) as http:
        http.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": "Seen"}).raise_for_status()
    assert listed(inside)["bob"]["last_seen_at"] == "2026-03-30T10:15:00Z", "who begins no conversation is seen too"
    clock.forward(timedelta(hours=1))
    inside.rpc(made["token"], "tools/call", name="memory_start_session", arguments={})
    assert listed(inside)["bob"]["last_seen_at"] == "2026-03-30T11:15:00Z"
    assert listed(inside)["ada"]["is_you"] is True
    assert made["token"] not in str(listed(inside))


def signed_out(inside: Inside, username: str) -> httpx.Response:
    with inside.http(inside.token()) as http:
        return http.post("/api/v1/user_sign_out", json={"username": username})


def test_who_is_signed_out_is_so_at_once_everywhere_and_loses_nothing(inside: Inside) -> None:
    kinds = [inside.token("bob", kind) for kind in TokenKind]
    eves = inside.token("eve", TokenKind.CLIENT)
    with inside.http(kinds[-1]) as at_work:
        kept = at_work.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": "Bob was here"})
        assert kept.status_code == 200
        assert signed_out(inside, "bob").json()["tokens"] == len(kinds)
        refusal = at_work.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": "Bob is gone"})
        assert refusal.status_code == 401
    assert all(inside.mind.authenticator.principal(each) is None for each in kinds)
    assert inside.caller(eves).username == "eve"
    with inside.http(inside.token("bob")) as http:
        assert [each["fact"] for each in http.post("/api/v1/memory_list_facts", json={}).json()["facts"]] == [
            "Bob was here"
        ]


def test_the_audit_log_says_who_signed_whom_out(inside: Inside) -> None:
    made = added(inside, username="bob")
    signed_out(inside, "bob")
    with inside.mind.store.read(NOBODY, "test") as work:
        rows = work.session.exec(select(ChangeRow).where(ChangeRow.operation == "user_sign_out")).all()
        ada, bob = (work.session.exec(select(User).where(User.username == name)).one() for name in ("ada", "bob"))
    assert [(row.user_id, row.kind, row.action, row.entity) for row in rows] == [
        (ada.id, "token", "revoked", made["token_id"]),
        (ada.id, "user", "revoked", bob.uid),
    ]


def test_nobody_signs_themselves_or_a_stranger_out(inside: Inside) -> None:
    added(inside, username="bob")
    assert signed_out(inside, "ada").status_code == 409
    assert signed_out(inside, "Bob").status_code == 404
    assert set(listed(inside)) == {"ada", "bob"}


def test_an_open_page_of_who_is_signed_out_hears_nothing_more(inside: Inside) -> None:
    bobs = inside.token("bob", TokenKind.UI)
    with inside.browser(bobs) as browser, browser.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert stream.status_code == 200
        signed_out(inside, "bob")
        assert all("fact" not in line for line in lines), "the stream ends"
    with inside.browser(bobs) as browser:
        assert browser.get("/events").status_code == 401


def fresh_token(inside: Inside, **given: object) -> httpx.Response:
    with inside.http(inside.token()) as http:
        return http.post("/api/v1/user_token", json=given)


def test_who_lost_the_token_gets_another_and_finds_everything_again(inside: Inside) -> None:
    lost = added(inside, username="bob")["token"]
    with inside.http(lost) as http:
        http.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": "Bob keeps zebras"})
    signed_out(inside, "bob")
    made = fresh_token(inside, username="bob", client="bobs-desktop", days=30)
    assert (made.status_code, made.json()["client"], made.json().get("others", 0)) == (200, "bobs-desktop", 0)
    caller = inside.caller(made.json()["token"])
    assert (caller.username, caller.role, caller.is_person) == ("bob", Role.MEMBER, False)
    with inside.http(made.json()["token"]) as http:
        assert "zebras" in http.post("/api/v1/memory_list_facts", json={}).text
    assert inside.mind.authenticator.principal(lost) is None
    assert fresh_token(inside, username="bob").json()["others"] == 1


def test_a_token_for_another_is_seen_by_both(inside: Inside) -> None:
    added(inside, username="bob")
    made = fresh_token(inside, username="bob", client="bobs-desktop").json()
    with inside.mind.store.read(NOBODY, "test") as work:
        ada = work.session.exec(select(User).where(User.username == "ada")).one()
        [row] = work.session.exec(select(ChangeRow).where(ChangeRow.operation == "user_token")).all()
        mine = [each.uid for each in active_tokens(work) if each.client == "bobs-desktop"]
    assert (row.user_id, row.kind, row.action, row.entity) == (ada.id, "token", "created", made["token_id"])
    assert mine == [made["token_id"]]
    assert listed(inside)["bob"]["tokens"] == 2


def test_a_token_for_oneself_a_stranger_or_with_a_slash_is_refused(inside: Inside) -> None:
    added(inside, username="bob")
    assert fresh_token(inside, username="ada").status_code == 409
    assert fresh_token(inside, username="Bob").status_code == 404
    assert fresh_token(inside, username="bob", client="bob/x").status_code == 422
    assert listed(inside)["bob"]["tokens"] == 1


@pytest.mark.parametrize("name", ["user_add", "user_token", "user_list", "user_sign_out"])
def test_a_member_is_refused_and_learns_of_nobody(inside: Inside, name: str) -> None:
    inside.token("ada")
    with inside.http(inside.token("bob")) as http:
        answered = http.post(f"/api/v1/{name}", json={} if name == "user_list" else {"username": "eve"})
    assert (answered.status_code, answered.json()["code"]) == (403, "forbidden")
    assert "ada" not in answered.text
    assert "eve" not in listed(inside)


def test_in_a_team_what_the_new_member_promotes_waits(tmp_path: Path) -> None:
    entry = {"category": "standard", "title": "Doors", "content": "They are shut.", "importance": 7}
    with server_inside(tmp_path / "home", mode=Mode.TEAM) as inside, inside.http(inside.token()) as http:
        made = http.post("/api/v1/user_add", json={"username": "bob"}).json()
        with inside.http(made["token"]) as bobs:
            assert bobs.post("/api/v1/memory_promote_to_global", json=entry).json()["entry"]["status"] == "pending"
