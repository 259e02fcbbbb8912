"""The directory: what each person chose to let be told of them is told, and nothing else is, by no way."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, select

from bigmind.core.operation import Mode
from bigmind.memory.rules import CLOSED_FROM_KNOWN
from bigmind.memory.tables import MemorySession, SessionTopic
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.people.token_format import TokenKind
from tests.http.inside import FakeClock, Inside, server_inside


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def team(home: Path, clock: FakeClock) -> Iterator[Inside]:
    with server_inside(home, clock, Mode.TEAM) as started:
        yield started


@pytest.fixture
def ada(team: Inside) -> str:
    return team.token("ada")


@pytest.fixture
def bob(team: Inside) -> str:
    return team.token("bob")


def done(inside: Inside, secret: str, operation: str, **given: object) -> Any:
    with inside.http(secret) as http:
        answered = http.post(f"/api/v1/{operation}", json=given)
    assert answered.status_code == 200, f"{operation}: {answered.text}"
    return answered.json()


def worked(inside: Inside, secret: str, line: str, *topics: str, project: str = "", **more: Any) -> str:
    opened = done(inside, secret, "memory_start_session", **({"project": project} if project else {}))
    given = {"one_liner": line, "topics": topics, "outcome": "It is done", **more}
    done(inside, secret, "memory_end_session", session_id=opened["session_id"], **given)
    return opened["session_id"]


def people(inside: Inside, secret: str) -> dict[str, Any]:
    return {each["username"]: each for each in done(inside, secret, "directory_list")["people"]}


def found(inside: Inside, secret: str, query: str) -> dict[str, Any]:
    return done(inside, secret, "directory_find", query=query)


def choose(inside: Inside, secret: str, choice: str) -> None:
    done(inside, secret, "directory_choose", choice=choice)


def test_a_card_tells_topics_projects_and_days_unless_another_thing_is_chosen(
    team: Inside, ada: str, bob: str, clock: FakeClock
) -> None:
    worked(team, bob, "The walrus refunds", "payments", "refunds", project="github.com/acme/shop")
    clock.forward(timedelta(days=1))
    worked(team, bob, "More of it", "payments")
    card = people(team, ada)["bob"]
    assert (card["sessions"], card["days"], card["role"]) == (2, 2, "member")
    assert [(each["name"], each["sessions"]) for each in card["topics"]] == [("payments", 2), ("refunds", 1)]
    assert [each["name"] for each in card["projects"]] == ["github.com/acme/shop"]
    assert (card["first_seen"], card["last_seen"]) == ("2026-03-30", "2026-03-31")
    assert done(team, ada, "directory_list", person="bob")["people"][0]["headlines"] == []
    assert "walrus" not in str(done(team, ada, "directory_list"))
    choose(team, bob, "headlines")
    told = done(team, ada, "directory_list", person="bob")["people"][0]["headlines"]
    assert [(each["day"], each["text"]) for each in told] == [
        ("2026-03-31", "More of it"),
        ("2026-03-30", "The walrus refunds"),
    ]


def test_a_choice_counts_at_once_and_who_chose_off_is_not_there_for_anybody(team: Inside, ada: str, bob: str) -> None:
    worked(team, bob, "Refunds", "payments")
    assert done(team, ada, "directory_list")["sessions"] == 1
    choose(team, bob, "off")
    listed = done(team, ada, "directory_list")
    assert [each["username"] for each in listed["people"]] == ["ada"]
    assert (listed["sessions"], listed["lately"]) == (0, []), "no sum tells of them either"
    assert found(team, ada, "payments")["people"] == []
    with team.http(ada) as http:
        of_bob = http.post("/api/v1/directory_list", json={"person": "bob"})
        of_nobody = http.post("/api/v1/directory_list", json={"person": "eve"})
    assert of_bob.status_code == of_nobody.status_code == 404
    assert of_bob.text.replace("bob", "eve") == of_nobody.text
    assert done(team, bob, "directory_list")["your_choice"] == "off"
    choose(team, bob, "topics")
    assert "bob" in people(team, ada)


def test_who_worked_on_it_is_found_by_the_words_of_topics_projects_and_chosen_headlines(
    team: Inside, ada: str, bob: str
) -> None:
    eve = team.token("eve")
    worked(team, bob, "The walrus refunds", "payments/refunds", project="github.com/acme/shop")
    worked(team, eve, "Payment of a walrus", "zoo")
    names = [each["username"] for each in found(team, ada, "Who worked on payments?")["people"]]
    assert names == ["bob"], "a headline is not looked through before that is chosen"
    choose(team, eve, "headlines")
    told = {each["username"]: each for each in found(team, ada, "Who worked on payments?")["people"]}
    assert set(told) == {"bob", "eve"}
    assert [each["text"] for each in told["eve"]["headlines"]] == ["Payment of a walrus"]
    assert [each["username"] for each in found(team, ada, "acme shop")["people"]] == ["bob"]
    assert found(team, ada, "penguins")["people"] == []


def test_an_assistants_token_chooses_and_asks_for_its_user(team: Inside, ada: str, bob: str) -> None:
    worked(team, bob, "Refunds", "payments")
    agent = team.token("bob", TokenKind.CLIENT)
    choose(team, agent, "off")
    assert "bob" not in people(team, ada)
    choose(team, agent, "topics")
    assert "bob" in people(team, agent)
    assert [each["username"] for each in found(team, agent, "payments")["people"]] == ["bob"]


SECRET = "zanzibar"


def test_nothing_private_is_found_or_told_by_any_word_of_it(team: Inside, ada: str, bob: str) -> None:
    choose(team, bob, "headlines")
    worked(team, bob, "A day", "payments")
    before = (done(team, ada, "directory_list"), found(team, ada, SECRET))
    session = done(team, bob, "memory_start_session")["session_id"]
    done(team, bob, "memory_store_fact", category="decision", fact=f"The {SECRET} plan is off")
    done(team, bob, "memory_flag_important", content=f"{SECRET} word for word", flag_reason="why", session_id=session)
    done(team, bob, "memory_add_hypothesis", hypothesis=f"I believe {SECRET} holds because it did")
    done(team, bob, "memory_update_profile", role=f"Works on {SECRET}")
    text = f"Learned: the {SECRET} importer is slow because it commits each row by itself."
    done(team, bob, "contribute_to_brain", prompt=text, space="private", topic=SECRET)
    entry = {"category": "standard", "title": SECRET.title(), "content": "It waits for a curator"}
    done(team, bob, "memory_promote_to_global", **entry)
    assert (done(team, ada, "directory_list"), found(team, ada, SECRET)) == before
    assert found(team, bob, SECRET)["shared"] == [], "not one's own private thoughts either: they are not shared"


def test_the_story_and_the_outcome_of_a_session_are_never_looked_through(team: Inside, ada: str, bob: str) -> None:
    choose(team, bob, "headlines")
    worked(team, bob, "A day", "payments", summary=f"The {SECRET} story", key_facts=[f"{SECRET} holds"])
    assert SECRET not in str(done(team, ada, "directory_list", person="bob"))
    assert found(team, ada, SECRET)["people"] == []


def test_what_is_flagged_hidden_open_or_forgotten_is_not_told(team: Inside, ada: str, bob: str) -> None:
    choose(team, bob, "headlines")
    told = worked(team, bob, "Fine", "payments")
    uids = [worked(team, bob, f"Line {number}", f"{SECRET}-{number}", project=f"p/{SECRET}") for number in range(3)]
    opened = done(team, bob, "memory_start_session", project=f"p/{SECRET}")["session_id"]
    with team.mind.store.write(NOBODY, "test") as work:
        rows = {each.uid: each for each in work.session.exec(select(MemorySession))}
        rows[uids[0]].caution = "override"
        rows[uids[1]].placement = "hidden"
        work.session.add(SessionTopic(session_id=rows[opened].id or 0, topic=SECRET, position=0))
        work.session.add_all(rows.values())
    done(team, bob, "memory_forget", kind="session", id=uids[2])
    listed = done(team, ada, "directory_list", person="bob")["people"][0]
    assert SECRET not in str(listed)
    assert (listed["sessions"], [each["text"] for each in listed["headlines"]]) == (1, ["Fine"])
    assert found(team, ada, SECRET)["people"] == []
    done(team, bob, "memory_forget", kind="session", id=told)
    card = people(team, ada)["bob"]
    assert (card["sessions"], card["topics"]) == (0, [])


def test_a_headline_that_bigmind_wrote_of_moments_is_not_told(
    team: Inside, ada: str, bob: str, clock: FakeClock
) -> None:
    choose(team, bob, "headlines")
    for client in ("one", "two"):
        session = done(team, bob, "memory_start_session", client=client)["session_id"]
        given = {"content": f"{SECRET} word for word", "flag_reason": "decision", "session_id": session}
        done(team, bob, "memory_flag_important", **given)
    clock.forward(timedelta(hours=30))
    done(team, bob, "memory_close_forgotten")
    with team.mind.store.write(NOBODY, "test") as work:
        rows = work.session.exec(select(MemorySession).order_by(col(MemorySession.id))).all()
        assert all(SECRET in each.one_liner and each.ended_at for each in rows)
        rows[1].one_liner, rows[1].outcome = f"{SECRET} word for word", CLOSED_FROM_KNOWN
        work.session.add(rows[1])
    told = done(team, ada, "directory_list", person="bob")["people"][0]
    assert (told["sessions"], told["headlines"]) == (2, [])
    assert found(team, ada, SECRET)["people"] == []


def test_what_people_shared_is_found_with_who_did(team: Inside, ada: str, bob: str) -> None:
    text = f"Learned: the {SECRET} importer is slow because it commits each row by itself, as the trace shows."
    done(team, bob, "contribute_to_brain", prompt=text, space="shared", topic="importer")
    entry = {"category": "standard", "title": f"{SECRET.title()} rules", "content": "Commit in batches of a thousand"}
    entry_id = done(team, bob, "memory_promote_to_global", **entry)["entry"]["entry_id"]
    assert [(each["kind"], each["by"]) for each in found(team, ada, SECRET)["shared"]] == [("thought", "bob")]
    done(team, ada, "memory_approve_global", entry_id=entry_id, action="approve")
    told = found(team, ada, SECRET)["shared"]
    assert [(each["kind"], each["by"]) for each in told] == [("knowledge", "bob"), ("thought", "bob")]
    newest = done(team, ada, "directory_list")["newest"]
    assert [(each["title"], each["promoted_by"], each["approved_by"]) for each in newest] == [
        (f"{SECRET.title()} rules", "bob", "ada")
    ]
    assert people(team, ada)["bob"]["entries"] == 1


def test_who_is_disabled_is_not_in_it_and_a_choice_of_a_newer_version_tells_nothing(
    team: Inside, ada: str, bob: str
) -> None:
    del bob
    for given in ({"disabled_at": team.mind.store.clock()}, {"disabled_at": None, "directory": "all of it"}):
        with team.mind.store.write(NOBODY, "test") as work:
            user = work.session.exec(select(User).where(User.username == "bob")).one()
            for name, value in given.items():
                setattr(user, name, value)
            work.session.add(user)
        assert "bob" not in people(team, ada)


def test_a_restored_backup_does_not_tell_again_what_somebody_keeps_for_themselves_since(
    team: Inside, ada: str, bob: str
) -> None:
    name = done(team, ada, "backup_create")["name"]
    choose(team, bob, "off")
    done(team, ada, "backup_restore", backup=name)
    assert "bob" not in people(team, team.token("ada"))


def test_in_personal_mode_it_says_what_it_is_for_and_tells_nothing(home: Path, clock: FakeClock) -> None:
    with server_inside(home, clock) as alone:
        ada = alone.token("ada")
        worked(alone, ada, "A day", "payments")
        listed = done(alone, ada, "directory_list")
        assert (listed["is_team"], listed["people"], listed["newest"]) == (False, [], [])
        assert found(alone, ada, "payments")["people"] == []
