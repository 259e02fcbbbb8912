"""Processes of a team's own: looked at with what falls away, taken in person, and items led over past no gate."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.core.operation import Mode, Role
from bigmind.work.in_person.item_migration import MigrationPlan, plan
from bigmind.work.in_person.process_shelf import OfferedProcess, offered
from tests.work.office import Office, Worker, office_in

FIRST = """process: content
version: 1
roles: [writer, editor]
states:
  draft: {begins: true}
  writing: {claimed: true}
  review: {reviews: true}
  published: {final: true}
transitions:
  - {from: draft, to: writing, by: [own], gates: [memory_queried]}
  - {from: writing, to: review, by: [own], gates: [memory_contributed]}
  - {from: review, to: published, by: [human], gates: [human_confirmed]}
"""
LOOSER = FIRST.replace("version: 1", "version: 2").replace(", gates: [memory_contributed]", "")
READING = FIRST.replace("version: 1", "version: 3").replace(" review", " reading")
TITLE = "Announce the release"


@pytest.fixture
def team(home: Path) -> Iterator[Office]:
    with office_in(home, Mode.TEAM) as opened:
        yield opened


def look(office: Office, text: str) -> OfferedProcess:
    with office.memory.mind.store.read(office.memory.caller, "test") as work:
        return offered(work, text)


def planned(office: Office, version: int, *slugs: str) -> MigrationPlan:
    with office.memory.mind.store.read(office.memory.caller, "test") as work:
        found = plan(work, "content", version, slugs)
        work.session.expunge_all()
        return found


def take(office: Office, text: str, replaces: int = 0, **more: bool) -> None:
    office.person("work_take_process", text=text, replaces=replaces, **more)


def kinds(office: Office) -> list[str]:
    return [each for (each,) in office.rows("SELECT kind FROM work_ledger ORDER BY number")]


def test_a_document_is_taken_in_person_and_agents_make_items_where_a_person_says_so(office: Office) -> None:
    agent = office.agent()
    assert agent.refuses("work_take_process", text=FIRST, replaces=0).code == "forbidden"
    take(office, FIRST)
    assert agent.refuses("work_create_task", title=TITLE, type="content").code == "forbidden"
    office.person("work_let_agents_create", name="content", version=1, allowed=True)
    assert agent("work_create_task", title=TITLE, type="content").context.state == "draft"
    assert kinds(office) == ["taken", "allowed", "created"]


def as_role(office: Office, role: Role) -> Worker:
    person = office.person.memory
    return Worker(replace(person, caller=replace(person.caller, role=role)))


def test_what_holds_for_all_of_a_team_is_done_by_its_curators_and_admins(team: Office) -> None:
    member = as_role(team, Role.MEMBER)
    asked = {
        "work_take_process": {"text": FIRST, "replaces": 0},
        "work_let_agents_create": {"name": "content", "version": 1, "allowed": True},
        "work_migrate_items": {"name": "content", "version": 1, "shown": "0"},
        "work_remove_process": {"name": "content", "version": 1},
    }
    for operation, given in asked.items():
        refusal = member.refuses(operation, **given)
        assert (operation, refusal.code, "curator" in str(refusal)) == (operation, "forbidden", True)
    as_role(team, Role.CURATOR)("work_take_process", text=FIRST, replaces=0)
    assert kinds(team) == ["taken"]


def test_where_no_team_is_every_person_decides_of_processes(office: Office) -> None:
    second = as_role(office, Role.MEMBER)  # as whoever comes after the first user
    second("work_take_process", text=FIRST, replaces=0)
    second("work_let_agents_create", name="content", version=1, allowed=True)
    slug = office.task(TITLE, "content")
    second("work_take_process", text=LOOSER, replaces=1)
    shown = planned(office, 2).shown
    assert second("work_migrate_items", name="content", version=2, shown=shown).slugs == [slug]
    second("work_remove_process", name="content", version=1)
    assert kinds(office) == ["taken", "allowed", "created", "taken", "migrated", "removed"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (FIRST.replace("to: review", "to: nowhere"), "line 11: transitions[1].to: there is no state 'nowhere'"),
        (FIRST.replace("memory_queried", "magic"), "there is no kind of gate 'magic'"),
        (FIRST.replace("process: content", "process: task"), "task is one of BigMind's own processes"),
        (FIRST.replace("[memory_queried]", "[{field: {name: human_confirmed}}]"), "human_confirmed is no field"),
        ("process: [", "line "),
    ],
)
def test_a_wrong_document_is_refused_with_the_place(office: Office, text: str, said: str) -> None:
    refused = office.person.refuses("work_take_process", text=text, replaces=0)
    assert said in str(refused)
    assert office.rows("SELECT * FROM work_process") == []


def test_a_version_is_new_and_what_falls_away_is_shown(office: Office) -> None:
    take(office, FIRST)
    assert "version 1 is not new" in str(office.person.refuses("work_take_process", text=FIRST, replaces=1))
    found = look(office, LOOSER)
    assert found.replaces is not None
    assert any("memory_contributed" in each for each in found.dropped)
    assert "-version: 1" in found.difference
    assert office.person.refuses("work_take_process", text=LOOSER, replaces=0).code == "conflict"
    take(office, LOOSER, replaces=1)
    assert [each for (each,) in office.rows("SELECT text FROM work_ledger_text WHERE name = 'dropped'")] == [
        "\n".join(found.dropped)
    ]


def test_items_finish_under_their_version_or_are_led_over_as_shown(office: Office) -> None:
    take(office, FIRST, agents_may_create=True)
    slug = office.task(TITLE, "content")
    take(office, LOOSER, replaces=1)
    assert office.item(slug).version == 1
    found = planned(office, 2)
    assert [each.why_not for each in found.steps] == [""]
    given = {"name": "content", "version": 2}
    assert office.person.refuses("work_remove_process", name="content", version=1).code == "conflict"
    assert office.person.refuses("work_migrate_items", **given, shown="another").code == "conflict"
    assert office.agent().refuses("work_migrate_items", **given, shown=found.shown).code == "forbidden"
    assert office.person("work_migrate_items", **given, shown=found.shown).slugs == [slug]
    assert office.item(slug).version == 2
    assert kinds(office)[-1] == "migrated"
    office.person("work_remove_process", name="content", version=1)
    assert kinds(office)[-1] == "removed"


def test_a_change_between_the_look_and_the_yes_takes_it_back(office: Office) -> None:
    take(office, FIRST, agents_may_create=True)
    slug = office.task(TITLE, "content")
    take(office, LOOSER, replaces=1)
    shown = planned(office, 2, slug).shown
    office.person("work_edit_task", slug=slug, topic="releases")
    refused = office.person.refuses("work_migrate_items", name="content", version=2, slugs=[slug], shown=shown)
    assert "changed since you looked" in refused.message
    assert office.item(slug).version == 1


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (LOOSER, FIRST.replace("version: 1", "version: 3"), "it would come past memory_contributed"),
        (FIRST, READING, "has no state review"),
        (FIRST, FIRST.replace("version: 1", "version: 3").replace("writer", "author"), "has no role writer"),
    ],
)
def test_no_item_is_led_past_a_gate_or_to_nowhere(office: Office, first: str, second: str, why: str) -> None:
    take(office, first, agents_may_create=True)
    slug, agent = office.task(TITLE, "content"), office.agent()
    agent.ask(TITLE)
    agent.moves(slug, "writing")
    agent.learn(f"{TITLE}: it goes out on the 12th of May, as 7 of 9 teams asked for.")
    agent.moves(slug, "review")
    version = 2 if first == LOOSER else 1
    take(office, second, replaces=version)
    found = planned(office, 3)
    assert why in found.steps[0].why_not
    refused = office.person.refuses("work_migrate_items", name="content", version=3, shown=found.shown)
    assert why in refused.message
    assert office.item(slug).version == version


def test_which_roles_an_agent_may_take_is_said_in_person(office: Office) -> None:
    office.person("token_create", client="cursor")
    agent, slug = office.agent(), office.task(type="task")
    assert agent.refuses("work_set_roles", agent="cursor", roles=["dev"]).code == "forbidden"
    office.person("work_set_roles", agent="cursor", roles=["dev"])
    assert not agent.move(slug, "ready").moved
    office.person("work_set_roles", agent="cursor", roles=["dev", "liaison"])
    assert agent.move(slug, "ready").moved
    office.person("work_set_roles", agent="cursor", roles=[])
    assert not agent.move(slug, "active").moved
    office.person("work_set_roles", agent="cursor", as_usual=True)
    assert office.rows("SELECT * FROM agent_work_roles") == []
    assert kinds(office).count("roles") == 4
    assert office.person.refuses("work_set_roles", agent="cursor", roles=["king"]).code == "invalid_input"
    assert office.person.refuses("work_set_roles", agent="nobody", roles=["dev"]).code == "invalid_input"


def test_a_gate_ahead_that_falls_away_is_named_before_the_yes_and_one_behind_is_not(office: Office) -> None:
    take(office, FIRST, agents_may_create=True)
    ahead, behind, agent = office.task(TITLE, "content"), office.task("Explain the ledger", "content"), office.agent()
    agent.ask("Explain the ledger")
    agent.moves(behind, "writing")
    agent.learn("Explain the ledger: it goes out on the 12th of May, as 7 of 9 teams asked for.")
    agent.moves(behind, "review")
    take(office, LOOSER, replaces=1)
    found = planned(office, 2)
    assert {each.row.slug: [*each.dropped] for each in found.steps} == {
        ahead: ["writing to review: memory_contributed"],
        behind: [],
    }
    assert found.dropped == ["writing to review: memory_contributed"]
    office.person("work_migrate_items", name="content", version=2, shown=found.shown)
    told = office.person("work_get_ledger", slug=ahead).in_words()
    assert "migrated from version 1 to 2; 1 gate fell away" in told
    assert "fell away" not in office.person("work_get_ledger", slug=behind).in_words()


def test_a_weaker_gate_ahead_falls_away_too(office: Office) -> None:
    weaker = "gates: [{memory_contributed: {level: SHOULD}}]"
    take(office, FIRST, agents_may_create=True)
    office.task(TITLE, "content")
    take(office, FIRST.replace("version: 1", "version: 2").replace("gates: [memory_contributed]", weaker), replaces=1)
    assert planned(office, 2).dropped == ["writing to review: memory_contributed"]
