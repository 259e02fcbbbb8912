"""A token's scope cuts the work roles of its agents: a person's word and the scope must both allow one."""

from dataclasses import replace

import pytest

from bigmind.core.operation import Mode, TokenScope
from bigmind.work.processes import shipped
from bigmind.work.roles import roles_of
from tests.work.office import Office, Worker, office_in

QA = TokenScope(work_roles=("qa",))


def limited(worker: Worker, scope: TokenScope = QA) -> Worker:
    memory = worker.memory
    return Worker(replace(memory, caller=replace(memory.caller, scope=scope)))


def roles(office: Office, worker: Worker) -> tuple[str, ...]:
    with office.memory.mind.store.read(worker.memory.caller, "test") as work:
        return roles_of(work, shipped("task"))


def test_of_all_roles_those_of_the_scope_are_left(office: Office) -> None:
    assert roles(office, office.agent()) == shipped("task").roles
    assert roles(office, limited(office.agent())) == ("qa",)
    assert roles(office, limited(office.agent(), TokenScope(read_only=True))) == shipped("task").roles


def test_what_a_person_gave_and_the_scope_both_count(office: Office) -> None:
    office.person("token_create", client="cursor")
    office.person("work_set_roles", agent="cursor", roles=["dev", "qa"])
    assert roles(office, limited(office.agent(), TokenScope(work_roles=("qa", "pdsa")))) == ("qa",)
    assert roles(office, limited(office.agent(), TokenScope(work_roles=("pdsa",)))) == ()
    office.person("work_set_roles", agent="cursor", roles=[])
    assert roles(office, limited(office.agent())) == ()


def test_a_move_in_another_role_is_refused_with_who_can_change_that(office: Office) -> None:
    slug = office.task(type="task")
    agent = limited(office.agent())
    told = agent.stays(slug, "ready", role="pdsa")
    assert "lets it work as qa alone" in told
    assert "ada can make another token" in told
    assert office.state(slug) == "pending"
    asked = agent("work_next", role="dev")
    assert asked.item is None
    assert "lets it work as qa alone" in asked.note
    assert agent("work_next", role="qa").item is None
    edit = agent.refuses("work_edit_task", slug=slug, title="Other", role="liaison")
    assert edit.code == "forbidden"


def test_the_same_agents_token_without_a_scope_may(office: Office) -> None:
    """The control."""
    slug = office.task(type="task")
    office.agent().moves(slug, "ready", role="pdsa")
    office.agent()("work_edit_task", slug=slug, title="Round refunds to the tenth", role="liaison")


def test_in_a_team_a_scope_gives_no_role(home) -> None:
    with office_in(home, Mode.TEAM) as office:
        assert roles(office, limited(office.agent())) == ()


@pytest.mark.parametrize("scope", [TokenScope(fault="it is no JSON")])
def test_a_scope_that_cannot_be_read_has_no_role(office: Office, scope: TokenScope) -> None:
    assert roles(office, limited(office.agent(), scope)) == ()
