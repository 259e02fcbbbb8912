"""The audit log: an admin reads who did what for the whole store, and nothing of what anybody keeps."""

from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlmodel import select

from bigmind.core.errors import BigMindError
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Mode
from bigmind.people.audit import AuditQuery, audit
from bigmind.people.audit_answers import AuditList
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.people.token_format import TokenKind
from bigmind.store.tables import ChangeRow
from bigmind.wiring import open_mind
from tests.http.inside import FakeClock, Inside, server_inside


@pytest.fixture
def team(home: Path, clock: FakeClock) -> Iterator[Inside]:
    with server_inside(home, clock, Mode.TEAM) as started:
        yield started


def asked(inside: Inside, secret: str = "", **given: object) -> httpx.Response:
    with inside.http(secret or inside.token()) as http:
        return http.post("/api/v1/audit_list", json=given)


def log(inside: Inside, **given: object) -> list[str]:
    """What it tells, without the tokens of the test's own commands."""
    answered = asked(inside, "", **{"limit": 500, **given})
    assert answered.status_code == 200, answered.text
    told = [f"{each['by']} {each['words']}" for each in answered.json()["acts"]]
    return [each for each in told if "command line" not in each and "assistants without" not in each]


def done(inside: Inside, operation: str, secret: str = "", **given: object) -> dict[str, Any]:
    with inside.http(secret or inside.token()) as http:
        answered = http.post(f"/api/v1/{operation}", json=given)
    assert answered.status_code == 200, f"{operation}: {answered.text}"
    return answered.json()


def test_it_says_who_did_what_to_whom(inside: Inside) -> None:
    bobs = done(inside, "user_add", username="bob", client="laptop")["token"]
    done(inside, "user_token", username="bob", client="desktop")
    done(inside, "settings_change", theme="dark", backup_hours="5")
    done(inside, "tools_serve", tool="memory_store_fact", served=False)
    own = done(inside, "token_create", client="codex")["token_id"]
    done(inside, "token_revoke", token_id=own)
    done(inside, "user_sign_out", username="bob")
    told = log(inside)
    assert told == [
        "ada signed bob out",
        "ada revoked the token desktop of bob",
        "ada revoked the token laptop of bob",
        "ada revoked the token codex",
        "ada made the token codex",
        "ada changed which tools assistants are offered",
        "ada set theme to dark",
        "ada changed the setting backup_hours",
        "ada made the token desktop for bob",
        "ada made the token laptop for bob",
        "ada added the user bob",
    ]
    assert bobs not in str(told)
    about_bob = log(inside, user="bob", kind="tokens")
    assert about_bob == [each for each in told if "bob" in each and "token" in each]
    assert asked(inside, user="nobody").status_code == 404


def test_it_says_which_role_somebody_was_given(inside: Inside) -> None:
    done(inside, "user_add", username="bob", role="admin")
    done(inside, "user_role", username="bob", role="curator")
    done(inside, "user_role", username="bob", role="member")
    done(inside, "user_role", username="bob", role="member")
    assert log(inside, kind="users") == [
        "ada made bob a member",
        "ada made bob a curator",
        "ada made bob an admin",
        "ada added the user bob",
    ]


def test_backups_restores_and_passphrases_leave_a_trace(inside: Inside) -> None:
    name = done(inside, "backup_create")["name"]
    done(inside, "backup_encrypt")
    done(inside, "backup_stop_encrypting")
    done(inside, "backup_restore", backup=name)
    told = log(inside)
    assert told[0] == "ada restored a backup"
    assert {
        "ada started a backup",
        "ada began to encrypt backups, with a new recovery key",
        "ada ended the encryption of backups",
    } <= set(told), "a restore keeps what was done since"


def test_a_backup_is_made_though_nothing_more_can_be_noted(inside: Inside) -> None:
    secret = inside.token()
    with inside.mind.store._writer.connect() as connection:
        cursor = connection.connection.cursor()
        [now] = cursor.execute("PRAGMA page_count").fetchone()
        cursor.execute(f"PRAGMA max_page_count={now}")

    def note() -> None:
        with inside.mind.store.write(inside.caller(secret), "backup_create") as work:
            work.changed(Kind.STORE, "backup", Action.CREATED)

    with pytest.raises(BigMindError, match="full"):
        [note() for _ in range(1_000)]
    done(inside, "backup_create", secret)


def test_an_import_of_what_others_keep_leaves_a_trace_and_one_of_ones_own_does_not(
    team: Inside, clock: FakeClock
) -> None:
    bob = team.token("bob")
    done(team, "memory_store_fact", bob, category="decision", fact="Bob keeps a walrus")
    bobs = done(team, "memory_export", bob)["path"]
    done(team, "memory_store_fact", bob, category="decision", fact="Bob keeps a seal")
    done(team, "memory_import", bob, path=bobs, mode="replace")
    assert log(team, kind="store") == []
    clock.forward(timedelta(hours=1))
    path = done(team, "memory_export")["path"]
    done(team, "memory_store_fact", category="decision", fact="Something else")
    done(team, "memory_import", path=path, mode="replace")
    assert log(team, kind="store") == [
        "ada imported what belongs to others too",
        "ada exported what belongs to others too",
    ]


def test_nothing_of_what_somebody_keeps_is_in_it(inside: Inside) -> None:
    bob = inside.token("bob")
    before = log(inside)
    session = done(inside, "memory_start_session", bob)["session_id"]
    fact = done(inside, "memory_store_fact", bob, category="decision", fact="The walrus sleeps")["fact"]["fact_id"]
    done(
        inside,
        "memory_flag_important",
        bob,
        content="A walrus, word for word",
        flag_reason="decision",
        session_id=session,
    )
    done(inside, "memory_add_hypothesis", bob, hypothesis="The walrus is asleep because it snores")
    done(inside, "memory_update_profile", bob, role="Keeper")
    done(inside, "memory_end_session", bob, session_id=session, one_liner="Walrus", topics=["zoo"], outcome="Slept")
    done(inside, "contribute_to_brain", bob, prompt="The walrus sleeps by day, as the log of the zoo of March shows.")
    done(inside, "memory_promote_to_global", bob, title="Walrus", content="It sleeps", category="standard")
    done(inside, "memory_forget", bob, kind="fact", id=fact)
    with inside.mind.store.read(NOBODY, "test") as work:
        written = work.session.exec(select(ChangeRow.kind).where(ChangeRow.user_id == 2)).all()
    assert len({*written}) > 6
    assert log(inside) == before


def test_a_page_goes_on_where_the_one_before_ended(inside: Inside) -> None:
    for number in range(7):
        done(inside, "token_create", client=f"client-{number}")
    secret, seen, cursor = inside.token(), list[str](), None
    while True:
        page = asked(inside, secret, limit=3, kind="tokens", **({"cursor": cursor} if cursor else {})).json()
        seen += [each["words"] for each in page["acts"]]
        cursor = page.get("cursor")
        if not cursor:
            break
    assert [each for each in seen if "client-" in each] == [f"made the token client-{n}" for n in (6, 5, 4, 3, 2, 1, 0)]
    assert asked(inside, secret, cursor="no").status_code == 422


@pytest.mark.parametrize("kind", [TokenKind.CLI, TokenKind.CLIENT])
def test_only_an_admin_in_person_reads_it(inside: Inside, kind: TokenKind) -> None:
    bob = inside.token("bob", kind)
    with inside.mind.store.write(NOBODY, "test") as work:
        user = work.session.exec(select(User).where(User.username == "bob")).one()
        user.role = "curator"
        work.session.add(user)
    assert asked(inside, bob).status_code == 403
    assert asked(inside, inside.token(kind=TokenKind.CLIENT)).status_code == 403


def test_who_becomes_a_user_by_a_start_and_another_mode_leave_a_trace(tmp_path: Path) -> None:
    def told(**given: Any) -> list[str]:
        with closing(open_mind(tmp_path / "home", **given)) as mind, mind.store.read(NOBODY, "test") as work:
            acts = audit(work, AuditQuery(), 100).acts
        return [f"{each.by} {each.words}" for each in acts if "token" not in each.words]

    assert told(username="ada") == []
    assert told(username="ada", mode=Mode.TEAM) == ["ada started BigMind in team mode"]
    assert told(username="bob", mode=Mode.TEAM)[0] == "bob became a user: BigMind was started with that name"
    assert told(username="ada", mode=Mode.PERSONAL)[0] == "ada started BigMind in personal mode"
    assert len(told(username="ada", mode=Mode.PERSONAL)) == 3


def test_of_knowledge_it_tells_who_judged_it(team: Inside) -> None:
    inside, bob = team, team.token("bob")
    entry = done(
        inside, "memory_promote_to_global", bob, title="Deploy on Mondays", content="After tests", category="standard"
    )["entry"]["entry_id"]
    assert log(inside, kind="knowledge") == []
    done(inside, "memory_approve_global", entry_id=entry, action="approve")
    assert log(inside, kind="knowledge") == ["ada approved company knowledge: “Deploy on Mondays”"]


def test_it_names_the_command_that_goes_on() -> None:
    assert AuditList(acts=[], cursor="abc").hints(None)[0].startswith("audit_list(cursor=abc) goes on")
    assert not AuditList(acts=[]).hints(None)
