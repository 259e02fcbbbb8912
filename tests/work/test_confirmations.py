"""A person's yes: for the item as it was shown, until anything of it changes, and in the ledger with its place."""

import pytest

from bigmind.tasks.item_record import waiting_records
from bigmind.work.in_person.confirmations import ConfirmedItem, last_yes
from bigmind.work.items import item_named
from tests.work.office import TITLE, Office, Worker


@pytest.fixture
def agent(office: Office) -> Worker:
    return office.agent()


@pytest.fixture
def slug(office: Office, agent: Worker) -> str:
    """A solo item in review."""
    made = office.task(description="Refunds are off by a cent.")
    agent.claim(made)
    agent.learn()
    agent.moves(made, "review")
    return made


def revision(office: Office, slug: str) -> int:
    return office.item(slug).revision


def confirm(office: Office, slug: str, note: str = "") -> None:
    office.person("work_confirm", slug=slug, revision=revision(office, slug), note=note)


def kinds(office: Office) -> list[str]:
    return [each for (each,) in office.rows("SELECT kind FROM work_ledger ORDER BY number")]


def test_a_yes_lets_the_agent_finish_once_and_stands_in_the_ledger(office: Office, agent: Worker, slug: str) -> None:
    assert "No person confirmed it" in agent.stays(slug, "complete")
    confirm(office, slug, "Looks right")
    [(place, note, number)] = office.rows("SELECT place, note, ledger_number FROM work_confirmation")
    assert (place, note) == ("window", "Looks right")
    texts = dict(office.rows("SELECT name, text FROM work_ledger_text WHERE number = :number", number=number))
    assert texts["title"] == TITLE
    assert texts["description"] == "Refunds are off by a cent."
    assert agent.moves(slug, "complete").state == "complete"
    assert kinds(office)[-2:] == ["confirmed", "moved"]


def test_it_is_given_in_person_alone(office: Office, agent: Worker, slug: str) -> None:
    given = {"slug": slug, "revision": revision(office, slug)}
    assert agent.refuses("work_confirm", **given).code == "forbidden"
    assert agent.refuses("work_move", **given, to="complete").code == "forbidden"
    assert agent.refuses("work_withdraw", slug=slug).code == "forbidden"


def test_another_revision_than_the_one_shown_is_refused_with_what_changed(
    office: Office, agent: Worker, slug: str
) -> None:
    shown = revision(office, slug)
    office.forward(minutes=1)
    agent("work_update_dna", slug=slug, fields={"abstract_ref": "docs/a.md"})
    office.forward(minutes=1)
    office.person("work_edit_task", slug=slug, description="Refunds over 500 EUR are off by a cent.")
    refused = office.person.refuses("work_confirm", slug=slug, revision=shown)
    assert refused.code == "conflict"
    assert "its description; abstract_ref by cursor" in refused.message
    assert "Nothing was confirmed" in refused.message
    assert office.rows("SELECT * FROM work_confirmation") == []


@pytest.mark.parametrize("change", ["field", "text", "move"])
def test_a_change_takes_it_back(office: Office, agent: Worker, slug: str, change: str) -> None:
    confirm(office, slug)
    if change == "field":
        agent("work_update_dna", slug=slug, fields={"abstract_ref": "docs/a.md"})
    elif change == "text":
        office.person("work_edit_task", slug=slug, title=f"{TITLE}, half even")
    else:
        office.person("work_move", slug=slug, to="rework", revision=revision(office, slug))
        agent.claim(slug)
        agent.learn()
        agent.moves(slug, "review")
    assert "changed since a person confirmed it" in agent.stays(slug, "complete")


def test_the_memory_fields_take_nothing_back(office: Office, agent: Worker, slug: str) -> None:
    confirm(office, slug)
    agent("work_update_dna", slug=slug, fields={"memory_query_session": "q-1"})
    agent.moves(slug, "complete")


def last(office: Office, slug: str) -> ConfirmedItem:
    with office.memory.mind.store.read(office.memory.caller, "test") as work:
        found = last_yes(work, item_named(work, slug))
    assert found is not None
    return found


def test_what_changed_since_tells_dependencies_moves_and_a_yes_that_was_taken_back_apart(
    office: Office, agent: Worker, slug: str
) -> None:
    old, new = office.task("Old ledger of kronor"), office.task("New ledger of kronor")
    office.person("work_edit_task", slug=slug, depends_on=[old])
    confirm(office, slug)
    same = last(office, slug)
    assert (same.is_withdrawn, same.needs_added, same.needs_removed, same.path) == (False, [], [], [])
    office.person("work_edit_task", slug=slug, depends_on=[new])
    shown = last(office, slug)
    assert (shown.needs_added, shown.needs_removed, shown.path) == ([new], [old], [])
    refused = office.person.refuses("work_confirm", slug=slug, revision=revision(office, slug) - 1)
    assert "what it waits for" in refused.message
    assert "its text" not in refused.message
    office.person("work_move", slug=slug, to="rework", revision=revision(office, slug))
    agent.claim(slug)
    assert last(office, slug).path == ["review", "rework", "active"]


def test_a_yes_that_was_taken_back_is_told_as_that(office: Office, agent: Worker, slug: str) -> None:
    confirm(office, slug)
    office.person("work_withdraw", slug=slug)
    assert last(office, slug).is_withdrawn
    refused = agent.stays(slug, "complete")
    assert "A person confirmed it, and took that back." in refused
    assert "changed" not in refused


def test_it_is_taken_back_until_the_move(office: Office, agent: Worker, slug: str) -> None:
    assert office.person.refuses("work_withdraw", slug=slug).code == "conflict"
    confirm(office, slug)
    assert office.person.refuses("work_confirm", slug=slug, revision=revision(office, slug)).code == "conflict"
    office.person("work_withdraw", slug=slug)
    assert kinds(office)[-1] == "withdrawn"
    agent.stays(slug, "complete")
    confirm(office, slug)
    agent.moves(slug, "complete")
    assert office.person.refuses("work_withdraw", slug=slug).code == "conflict"


def test_where_nothing_needs_a_yes_none_is_taken(office: Office) -> None:
    made = office.task()
    refused = office.person.refuses("work_confirm", slug=made, revision=revision(office, made))
    assert "nothing there needs your yes" in refused.message


def test_who_moves_it_in_person_says_yes_by_that(office: Office, slug: str) -> None:
    moved = office.person("work_move", slug=slug, to="complete", revision=revision(office, slug), reason="Fine")
    assert moved.moved
    assert kinds(office)[-2:] == ["moved", "confirmed"]
    [(place, note)] = office.rows("SELECT place, note FROM work_confirmation")
    assert (place, note) == ("window", "Fine")


def test_a_move_of_agents_alone_is_refused_to_a_person_and_says_who(office: Office) -> None:
    made = office.task()
    answer = office.person("work_move", slug=made, to="active", revision=revision(office, made))
    assert not answer.moved
    assert "is made by dev" in answer.message
    assert office.rows("SELECT * FROM work_confirmation") == []


def test_an_item_that_was_changed_behind_the_back_takes_no_yes(office: Office, slug: str) -> None:
    office.run("UPDATE work_item SET role = 'qa' WHERE slug = :slug", slug=slug)
    assert office.person.refuses("work_confirm", slug=slug, revision=revision(office, slug)).code == "conflict"


def test_the_statistics_count_what_waits(office: Office, slug: str) -> None:
    office.task("Retry the gateway")

    def counted() -> tuple[int, int]:
        found = office.memory("memory_get_stats")
        return found.open_work, found.work_waiting

    assert counted() == (2, 1)
    confirm(office, slug)
    assert counted() == (2, 0)
    office.person("work_move", slug=slug, to="complete", revision=revision(office, slug))
    assert counted() == (1, 0)


def test_a_field_is_written_by_a_person_while_nobody_holds_it(office: Office, agent: Worker, slug: str) -> None:
    agent("work_update_dna", slug=slug, fields={"tries": [1, 2]})
    office.person("work_write_field", slug=slug, name="abstract_ref", value="docs/a.md")
    assert office.person.refuses("work_write_field", slug=slug, name="tries", value="no JSON").code == "invalid_input"
    office.person("work_write_field", slug=slug, name="tries", value="[3]")
    assert office.item(slug).dna["tries"] == [3]
    office.person("work_write_field", slug=slug, name="abstract_ref")
    assert "abstract_ref" not in office.item(slug).dna
    named = {"slug": slug, "name": "memory_contribution_id", "value": "made up"}
    assert office.person.refuses("work_write_field", **named).code == "invalid_input"
    office.person("work_move", slug=slug, to="rework", revision=revision(office, slug))
    agent.claim(slug)
    assert office.person.refuses("work_write_field", slug=slug, name="note", value="x").code == "conflict"


def test_the_yes_shows_what_counted_under_another_title(office: Office, agent: Worker) -> None:
    made, planner = office.task(), office.agent("planner")
    planner("work_edit_task", slug=made, title="Lorries ferry", role="pdsa")
    agent.claim(made, "Why is the lorries ferry late?")
    agent.learn("The lorries ferry of Poland waits 3 hours since May, because gate 9 closes.")
    agent.moves(made, "review")
    planner("work_edit_task", slug=made, title=TITLE, role="pdsa")
    with office.memory.mind.store.read(office.person.memory.caller, "test") as work:
        [item] = waiting_records(work, 5).waiting
        assert [(each.kind, each.titled) for each in item.thoughts] == [
            ("thought", "Lorries ferry"),
            ("question", "Lorries ferry"),
        ]
