"""What admins do with users: a role that counts at once, and a person who is kept out, with what they kept."""

import dataclasses
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlmodel import select

from bigmind.core.errors import BigMindError
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Mode, Role
from bigmind.people.role_operations import EnabledUser
from bigmind.people.service import NOBODY, person
from bigmind.people.tables import User
from bigmind.people.token_format import TokenKind
from bigmind.store.tables import ChangeRow
from bigmind.wiring import open_mind
from tests.http.inside import Inside, server_inside

ENTRY = {"category": "standard", "title": "Doors", "content": "They are shut.", "importance": 7}


def asked(inside: Inside, token: str, name: str, **given: object) -> httpx.Response:
    with inside.http(token) as http:
        return http.post(f"/api/v1/{name}", json=given)


def by_ada(inside: Inside, name: str, **given: object) -> httpx.Response:
    return asked(inside, inside.token(), name, **given)


def done(inside: Inside, name: str, **given: object) -> dict[str, Any]:
    answered = by_ada(inside, name, **given)
    assert answered.status_code == 200, answered.text
    return answered.json()


def rows(inside: Inside) -> dict[str, dict[str, Any]]:
    return {each["username"]: each for each in done(inside, "user_list")["users"]}


def user(inside: Inside, name: str) -> User:
    with inside.mind.store.read(NOBODY, "test") as work:
        return work.session.exec(select(User).where(User.username == name)).one()


def test_a_role_counts_at_once_for_every_token_there_is(inside: Inside) -> None:
    inside.token()
    bobs = [inside.token("bob", kind) for kind in TokenKind]
    assert {inside.caller(each).role for each in bobs} == {Role.MEMBER}
    for role in (Role.CURATOR, Role.ADMIN, Role.MEMBER):
        assert done(inside, "user_role", username="bob", role=role)["role"] == role
        assert {inside.caller(each).role for each in bobs} == {role}
        assert rows(inside)["bob"]["role"] == role


def test_whoever_is_added_may_have_a_role_from_the_start(inside: Inside) -> None:
    made = done(inside, "user_add", username="cleo", role="curator")
    assert (made["role"], inside.caller(made["token"]).role) == ("curator", Role.CURATOR)
    assert by_ada(inside, "user_add", username="dan", role="owner").status_code == 422
    assert set(rows(inside)) == {"ada", "cleo"}


def test_the_last_admin_stays_one(inside: Inside) -> None:
    inside.token("bob")
    alone = by_ada(inside, "user_role", username="ada", role="member")
    assert (alone.status_code, "the only admin" in alone.text) == (409, True)
    done(inside, "user_role", username="bob", role="admin")
    done(inside, "user_disable", username="bob")
    assert by_ada(inside, "user_role", username="ada", role="curator").status_code == 409, "a disabled admin is none"
    assert by_ada(inside, "user_disable", username="ada").status_code == 409
    done(inside, "user_enable", username="bob")
    assert done(inside, "user_role", username="ada", role="member") == {
        "username": "ada",
        "role": "member",
        "is_you": True,
    }
    assert by_ada(inside, "user_list").status_code == 403
    assert [each.role for each in (user(inside, "ada"), user(inside, "bob"))] == ["member", "admin"]


def test_of_two_admins_who_demote_each_other_one_stays(inside: Inside) -> None:
    for turn in range(4):
        adas, bobs = inside.token("ada"), inside.token("bob")
        with inside.mind.store.write(inside.caller(adas), "test") as work:
            for found in work.session.exec(select(User)):
                found.role = Role.ADMIN
                work.session.add(found)
                work.changed(Kind.USER, found.uid, Action.UPDATED)
        operation, more = ("user_disable", {}) if turn % 2 else ("user_role", {"role": "member"})
        with ThreadPoolExecutor(2) as pool:
            both = [
                pool.submit(asked, inside, token, operation, username=other, **more)
                for token, other in ((adas, "bob"), (bobs, "ada"))
            ]
            statuses = sorted(each.result().status_code for each in both)
        assert statuses[0] == 200
        assert statuses[1] in {401, 403}
        admins = [each for each in (user(inside, "ada"), user(inside, "bob")) if each.role == Role.ADMIN]
        assert len([each for each in admins if each.disabled_at is None]) == 1
        with inside.mind.store.write(NOBODY, "test") as work:
            for found in work.session.exec(select(User)):
                found.disabled_at = None
                work.session.add(found)


def test_a_request_that_began_as_an_admins_does_nothing_once_that_role_was_taken(inside: Inside) -> None:
    """It was let in before: the role is asked for again where it writes."""
    inside.token()
    admin = dataclasses.replace(inside.caller(inside.token("bob")), role=Role.ADMIN)
    for name, given in (
        ("user_role", {"username": "bob", "role": "admin"}),
        ("user_disable", {"username": "ada"}),
        ("user_enable", {"username": "ada"}),
        ("user_add", {"username": "eve"}),
        ("user_token", {"username": "ada"}),
        ("user_sign_out", {"username": "ada"}),
    ):
        operation = inside.mind.dispatcher.catalogue.get(name)
        assert operation is not None
        with pytest.raises(BigMindError, match="not yours any more"):
            inside.mind.dispatcher.run(operation, admin, given)
    assert set(rows(inside)) == {"ada", "bob"}


@pytest.mark.parametrize("role", ["member", "curator"])
def test_who_is_no_admin_is_refused(inside: Inside, role: str) -> None:
    inside.token()
    bobs = inside.token("bob")
    done(inside, "user_role", username="bob", role=role)
    for name in ("user_role", "user_disable", "user_enable", "user_add", "user_token", "user_list"):
        given = {} if name == "user_list" else {"username": "bob"} | ({"role": "admin"} if name == "user_role" else {})
        answered = asked(inside, bobs, name, **given)
        assert (answered.status_code, answered.json()["code"]) == (403, "forbidden"), name
    assert (user(inside, "bob").role, user(inside, "bob").disabled_at) == (role, None)


def test_who_is_disabled_is_out_at_once_and_gets_no_new_token(inside: Inside) -> None:
    inside.token()
    tokens = [inside.token("bob", kind) for kind in TokenKind]
    code = inside.sign_in.new_code(inside.caller(tokens[0]))
    with inside.http(tokens[0]) as at_work:
        kept = at_work.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": "Bob keeps zebras"})
        assert kept.status_code == 200
        told = done(inside, "user_disable", username="bob")
        assert told["tokens"] == len(tokens)
        assert at_work.post("/api/v1/memory_list_facts", json={}).status_code == 401
    assert all(inside.mind.authenticator.principal(each) is None for each in tokens)
    refused = by_ada(inside, "user_token", username="bob")
    assert (refused.status_code, "disabled since" in refused.text) == (403, True)
    with inside.http() as browser:
        page = browser.get("/sign-in", params={"code": code})
    assert (page.status_code, "is disabled" in page.text, "set-cookie" in page.headers) == (403, True, True)
    assert inside.cookie + "=" not in page.headers["set-cookie"].replace(f"{inside.cookie}_form=", "")
    assert done(inside, "user_disable", username="bob")["tokens"] == 0, "to say it twice changes nothing"
    assert rows(inside)["bob"]["disabled_at"] == told["disabled_at"]
    assert done(inside, "user_enable", username="bob")["was_disabled"]
    assert rows(inside)["bob"]["disabled_at"] is None
    assert all(inside.mind.authenticator.principal(each) is None for each in tokens), "old tokens stay ended"
    made = done(inside, "user_token", username="bob")
    assert "zebras" in asked(inside, made["token"], "memory_list_facts").text


def test_a_screen_code_signs_nobody_in_who_was_disabled_meanwhile(inside: Inside) -> None:
    inside.token()
    bob = inside.caller(inside.token("bob"))

    class Screen:
        code = ""

        def can_show(self) -> bool:
            return True

        def show_code(self, code: str) -> None:
            self.code = code

    screen = Screen()
    inside.sign_in.screen.offer(bob, screen)
    inside.sign_in.screen.ask("browser")
    done(inside, "user_disable", username="bob")
    with pytest.raises(BigMindError, match="bob is disabled"):
        inside.sign_in.redeem_digits("browser", screen.code.replace(" ", ""))


def test_a_token_that_came_back_some_other_way_lets_nobody_in(inside: Inside) -> None:
    """As with a restored file: the column decides, whatever tokens there are."""
    inside.token()
    bobs = inside.token("bob")
    with inside.mind.store.write(inside.caller(bobs), "test") as work:
        found = work.session.exec(select(User).where(User.username == "bob")).one()
        found.disabled_at = work.now
        work.session.add(found)
        work.changed(Kind.USER, found.uid, Action.DISABLED)
    assert inside.mind.authenticator.principal(bobs) is None


def test_an_open_page_and_an_open_mcp_stream_of_who_is_disabled_end(inside: Inside) -> None:
    inside.token()
    bobs, at_work = inside.token("bob", TokenKind.UI), inside.token("bob", TokenKind.CLIENT)
    begun = {"jsonrpc": "2.0", "id": 1, "method": "initialize"}
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "a", "version": "1"}}
    accept = {"Accept": "application/json, text/event-stream"}
    with inside.browser(bobs) as browser, inside.http(at_work, headers=accept) as client:
        session = client.post("/mcp", json={**begun, "params": about}).headers["mcp-session-id"]
        with (
            browser.stream("GET", "/events") as page,
            client.stream("GET", "/mcp", headers={"Mcp-Session-Id": session}) as stream,
        ):
            assert (page.status_code, stream.status_code) == (200, 200)
            lines = page.iter_lines()
            next(lines)
            done(inside, "user_disable", username="bob")
            assert all("fact" not in line for line in lines), "the page's stream ends"
            for _ in stream.iter_lines():
                pass
        assert browser.get("/events").status_code == 401
        again = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
        assert client.post("/mcp", json=again, headers={"Mcp-Session-Id": session}).status_code == 401


def test_an_open_page_hears_that_the_role_of_its_user_changed(inside: Inside) -> None:
    inside.token()
    with inside.browser(inside.token("bob", TokenKind.UI)) as browser, browser.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        done(inside, "user_role", username="bob", role="curator")
        assert next(line for line in lines if line.startswith("data:") and "kinds" in line).count('"user"') == 1


def test_whom_the_server_runs_for_is_not_disabled(inside: Inside) -> None:
    inside.token()
    bob = inside.caller(inside.token("bob"))
    inside.mind.store.host = dataclasses.replace(inside.host, owner_id=bob.user_id)
    refused = by_ada(inside, "user_disable", username="bob")
    assert (refused.status_code, "This BigMind runs for bob." in refused.text) == (409, True)
    assert user(inside, "bob").disabled_at is None
    stopped = asked(inside, inside.token("bob"), "server_stop")
    assert (stopped.status_code, inside.stops) == (200, ["stop"]), "a member may stop the server of their machine"


def test_a_variant_of_a_name_is_nobody(inside: Inside) -> None:
    inside.token()
    inside.token("bob")
    for name in ("BOB", "Bob", "\uff42ob", "bob\u200b", "b\u043eb"):
        for operation, more in (("user_role", {"role": "admin"}), ("user_disable", {}), ("user_enable", {})):
            assert by_ada(inside, operation, username=name, **more).status_code == 404, name
    assert (user(inside, "bob").role, user(inside, "bob").disabled_at) == ("member", None)


def test_the_audit_log_says_who_did_what_to_whom(inside: Inside) -> None:
    inside.token()
    inside.token("bob")
    done(inside, "user_role", username="bob", role="curator")
    done(inside, "user_role", username="bob", role="curator")
    done(inside, "user_disable", username="bob")
    done(inside, "user_enable", username="bob")
    with inside.mind.store.read(NOBODY, "test") as work:
        found = work.session.exec(select(ChangeRow).where(ChangeRow.kind == "user")).all()
        told = [(row.operation, row.action, row.entity) for row in found if row.operation.startswith("user_")]
        assert {row.user_id for row in found if row.operation.startswith("user_")} == {user(inside, "ada").id}
    bob = user(inside, "bob").uid
    assert told == [
        ("user_role", "made_curator", bob),
        ("user_disable", "disabled", bob),
        ("user_enable", "enabled", bob),
    ]


@pytest.mark.parametrize("name", ["bob", "BOB"])
def test_a_server_does_not_start_as_who_is_disabled(home: Path, name: str) -> None:
    with server_inside(home) as inside:
        inside.token("bob")
        done(inside, "user_disable", username="bob")
    before = {each: each.read_bytes() for each in (home / "tokens").iterdir()}
    with pytest.raises(BigMindError, match="disabled") as refused:
        open_mind(home, name)
    assert "bob" in str(refused.value)
    assert {each: each.read_bytes() for each in (home / "tokens").iterdir()} == before
    mind = open_mind(home, "ada")
    try:
        assert person(mind.store, "ada").role is Role.ADMIN
        with mind.store.read(NOBODY, "test") as work:
            assert set(work.session.exec(select(User.username))) == {"ada", "bob"}
    finally:
        mind.close()


def test_the_refused_start_says_as_whom_to_start(home: Path) -> None:
    with server_inside(home) as inside:
        inside.token("bob")
        done(inside, "user_disable", username="bob")
    with pytest.raises(BigMindError) as refused:
        open_mind(home, "bob")
    assert "BIGMIND_USER=ada" in refused.value.hint
    assert "`bigmind user enable bob`" in refused.value.hint


def test_a_restore_of_an_older_backup_brings_no_access_and_no_role_back(inside: Inside) -> None:
    inside.token()
    tokens = {name: inside.token(name, TokenKind.CLIENT) for name in ("bob", "cleo")}
    done(inside, "user_role", username="cleo", role="admin")
    made = done(inside, "backup_create")
    done(inside, "user_disable", username="bob")
    done(inside, "user_role", username="cleo", role="member")
    done(inside, "backup_restore", backup=made["name"])
    assert inside.mind.authenticator.principal(tokens["bob"]) is None
    assert inside.caller(tokens["cleo"]).role is Role.MEMBER
    assert rows(inside)["bob"]["disabled_at"] is not None


def test_in_a_team_a_curator_approves_what_a_member_promoted_and_a_second_one_what_the_admin_did(
    tmp_path: Path,
) -> None:
    with server_inside(tmp_path / "home", mode=Mode.TEAM) as inside:
        inside.token()
        bobs, cleos = inside.token("bob", TokenKind.CLIENT), inside.token("cleo", TokenKind.CLIENT)

        def reviewed(token: str, entry: str) -> str:
            return asked(inside, token, "memory_approve_global", entry_id=entry, action="approve").text

        def promoted(token: str, title: str) -> dict[str, Any]:
            entry = asked(inside, token, "memory_promote_to_global", **{**ENTRY, "title": title}).json()["entry"]
            assert entry["status"] == "pending"
            return entry

        bobs_entry = promoted(bobs, "Doors")["entry_id"]
        assert "needs the role curator; yours is member" in reviewed(cleos, bobs_entry)
        done(inside, "user_role", username="cleo", role="curator")
        assert '"approved"' in reviewed(cleos, bobs_entry)
        assert "Doors" in asked(inside, bobs, "memory_list_global").text

        adas_entry = promoted(inside.token(), "Windows")["entry_id"]
        assert "Nobody approves their own words" in reviewed(inside.token(), adas_entry)
        done(inside, "user_disable", username="cleo")
        assert "There is no other curator" in reviewed(inside.token(), adas_entry), "a disabled curator is none"
        done(inside, "user_role", username="bob", role="curator")
        assert '"approved"' in reviewed(bobs, adas_entry)
        assert "Nobody approves their own words" in reviewed(bobs, promoted(bobs, "Roofs")["entry_id"])


def test_of_who_was_not_disabled_it_is_not_said_that_their_tokens_ended(inside: Inside) -> None:
    bobs = inside.token("bob")
    told = EnabledUser(**done(inside, "user_enable", username="bob"))
    assert (told.as_text(), [*told.hints(None)]) == ("bob was not disabled: nothing changed.", [])
    assert inside.mind.authenticator.principal(bobs) is not None
