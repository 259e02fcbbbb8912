"""No question, no start; no contribution, no review: what counts, what does not, and that each refusal says why."""

import json
import re
from pathlib import Path

import pytest

from bigmind.core.operation import Mode
from bigmind.store.restore_time import RESTORED_AT
from bigmind.store.tables import StoreProperty
from tests.work.office import NOTHING, TITLE, Office, Worker, office_in


@pytest.fixture
def cursor(office: Office) -> Worker:
    return office.agent()


# The question.


def test_without_a_question_nothing_starts_and_with_one_it_does(office: Office, cursor: Worker):
    slug = office.task()
    assert "asked the brain nothing" in cursor.stays(slug, "active")
    cursor.ask()
    answer = cursor.moves(slug, "active")
    assert answer.item.context.holder == "cursor"
    assert answer.item.dna["memory_query_session"].startswith("q-")


def test_a_refusals_own_advice_mends_it(office: Office, cursor: Worker):
    slug = office.task()
    [gate] = cursor.move(slug, "active").blocked_by
    assert gate.remedy == f'Ask about it: query_brain(prompt="{TITLE}: what is known?").'
    cursor.ask(f"{TITLE}: what is known?")
    assert cursor.move(slug, "active").moved


@pytest.mark.parametrize(("seconds", "counts"), [(3_599, True), (3_600, True), (3_601, False)])
def test_a_question_counts_for_an_hour(office: Office, cursor: Worker, seconds: int, counts: bool):
    slug = office.task()
    cursor.ask()
    office.forward(seconds=seconds)
    answer = cursor.move(slug, "active")
    assert answer.moved is counts
    assert counts or "more than an hour old" in answer.refusal


@pytest.mark.parametrize(("minutes", "counts"), [(5, True), (6, False)])
def test_a_clock_that_was_set_back_makes_no_old_question_new(
    office: Office, cursor: Worker, minutes: int, counts: bool
):
    slug = office.task()
    cursor.ask()
    office.forward(minutes=-minutes)
    answer = cursor.move(slug, "active")
    assert answer.moved is counts
    assert counts or "clock was set back" in answer.refusal


def test_a_question_put_before_the_item_was_there_does_not_count(office: Office, cursor: Worker):
    cursor.ask()
    slug = office.task()
    assert "it was asked before the item moved to pending" in cursor.stays(slug, "active")


@pytest.mark.parametrize(
    "change", [{"title": f"{TITLE} and a half"}, {"topic": "pay"}, {"description": "All of them."}]
)
def test_a_question_put_before_the_item_was_described_anew_does_not_count(
    office: Office, cursor: Worker, change: dict[str, str]
):
    slug = office.task()
    cursor.ask(f"{TITLE} and a half, in pay")
    office.agent("planner")("work_edit_task", slug=slug, **change)
    assert "title, topic or description were changed since" in cursor.stays(slug, "active")


def test_a_question_put_before_the_item_came_into_its_state_does_not_count(office: Office, cursor: Worker):
    slug = office.task()
    cursor.claim(slug)
    cursor.learn()
    cursor.moves(slug, "review")
    cursor.ask()
    office.person.moves(slug, "rework", revision=office.item(slug).revision)
    assert "before the item moved to rework" in cursor.stays(slug, "active")
    cursor.claim(slug)


def test_one_question_lets_one_item_in_once(office: Office, cursor: Worker):
    first, second = office.task(), office.task()
    session = cursor.ask()
    cursor.moves(first, "active")
    for fields in ({}, {"memory_query_session": session}):
        assert "let an item in already" in cursor.stays(second, "active", fields=fields)


@pytest.mark.parametrize("other", ["codex", "cursor/reviewer"])
def test_another_agents_question_does_not_count(office: Office, cursor: Worker, other: str):
    slug = office.task()
    session = office.agent(other).ask()
    assert "asked" in cursor.stays(slug, "active")
    told = cursor.stays(slug, "active", fields={"memory_query_session": session})
    assert f"no question of cursor in the brain session '{session}'" in told


def test_a_new_name_behind_the_slash_is_named_as_the_reason(office: Office, cursor: Worker):
    slug = office.task()
    cursor.ask()
    told = office.agent("cursor/reviewer").stays(slug, "active")
    assert "cursor/reviewer asked nothing; cursor did, and another name is another agent" in told


def test_a_made_up_session_does_not_count(office: Office, cursor: Worker):
    slug = office.task()
    cursor.ask()
    for made_up in ("q-aaaaaaaaaaaa", "x" * 300, "' OR 1=1 --", "%"):
        told = cursor.stays(slug, "active", fields={"memory_query_session": made_up})
        assert "no question of cursor in the brain session" in told


def test_a_question_on_another_connection_counts_only_where_it_is_named(office: Office, cursor: Worker):
    slug = office.task()
    session = office.agent("cursor", connection="another").ask()
    assert "on this connection" in cursor.stays(slug, "active")
    cursor.moves(slug, "active", fields={"memory_query_session": session})


def test_a_client_without_a_connection_names_its_session(office: Office):
    slug, stateless = office.task(), office.agent("script", connection=None)
    session = stateless.ask()
    told = stateless.stays(slug, "active")
    assert "cannot tell which question" in told
    assert f'fields={{"memory_query_session": "{session}"}}' in told
    stateless.moves(slug, "active", fields={"memory_query_session": session})


def test_what_an_earlier_phase_rested_on_hinders_no_later_one(office: Office, cursor: Worker):
    """The fields of the first claim and hand-over still stand there: the next agent need not know of them."""
    slug = office.task(type="task")
    office.agent("planner").moves(slug, "ready", role="pdsa")
    cursor.claim(slug, role="pdsa")
    cursor.learn()
    cursor.moves(slug, "approval", role="pdsa", fields={"pdsa_ref": "docs/design.md"})
    office.person.moves(slug, "approved", revision=office.item(slug).revision)
    tester = office.agent("tester")
    tester.claim(slug, role="qa")
    tester.moves(slug, "testing", role="qa")
    tester.ask(session_id=None)
    tester.moves(slug, "active", role="qa")
    office.agent("tester").moves(slug, "testing", role="qa")
    tester.moves(slug, "ready", role="qa")
    codex = office.agent("codex")
    codex.claim(slug, role="dev")
    codex.learn()
    codex.moves(slug, "review", role="dev")


def test_a_question_about_something_else_does_not_count(office: Office, cursor: Worker):
    slug = office.task()
    cursor.ask("How long do walruses sleep in water?")
    assert "not about this item" in cursor.stays(slug, "active")


def test_an_older_question_that_counts_is_found_behind_newer_ones_that_do_not(office: Office, cursor: Worker):
    slug = office.task()
    cursor.ask()
    cursor.ask("How long do walruses sleep in water?")
    cursor.moves(slug, "active")


def test_what_was_stored_is_no_question(office: Office, cursor: Worker):
    slug = office.task()
    cursor.learn()
    assert "asked the brain nothing" in cursor.stays(slug, "active")


def test_a_question_whose_words_were_forgotten_does_not_count(office: Office, cursor: Worker):
    slug = office.task()
    cursor.ask()
    office.run("UPDATE brain_query SET text = '', context = ''")
    assert "words were forgotten" in cursor.stays(slug, "active")


def restored(office: Office) -> None:
    """A backup takes the place of the store: so it is noted."""
    with office.memory.mind.store.write(office.memory.caller, "test") as work:
        work.session.merge(StoreProperty(name=RESTORED_AT, value=work.now.isoformat()))


def test_after_a_restore_it_is_said_that_something_may_be_gone_behind_that_nothing_is_there(
    office: Office, cursor: Worker
):
    slug = office.task()
    restored(office)
    told = cursor.stays(slug, "active")
    gone = "A backup was restored: what was asked since it was made may be gone."
    assert f"cursor asked the brain nothing yet on this connection. {gone}" in told
    told = cursor.stays(slug, "active", fields={"memory_query_session": "q-1234"})
    assert f"There is no question of cursor in the brain session 'q-1234'. {gone}" in told
    cursor.claim(slug)
    gone = "A backup was restored: what was contributed since it was made may be gone."
    assert f"You contributed nothing yet. {gone}" in cursor.stays(slug, "review")


def test_after_a_restore_a_thought_from_before_the_claim_is_named(office: Office, cursor: Worker):
    slug = office.task()
    thought = cursor.learn()
    cursor.claim(slug)
    restored(office)
    told = cursor.stays(slug, "review")
    assert f"({thought[:8]}) does not count: it was stored before the item was claimed. A backup was restored:" in told


# The contribution.


@pytest.fixture
def claimed(office: Office, cursor: Worker) -> str:
    slug = office.task()
    cursor.claim(slug)
    return slug


def test_without_a_contribution_nothing_is_handed_over_and_with_one_it_is(office: Office, cursor: Worker, claimed: str):
    assert "You contributed nothing" in cursor.stays(claimed, "review")
    thought = cursor.learn()
    answer = cursor.moves(claimed, "review")
    assert answer.item.dna["memory_contribution_id"] == thought
    assert office.rows("SELECT gated_at IS NOT NULL FROM thought WHERE uid = :uid", uid=thought) == [(1,)]


def test_the_call_that_a_refusal_names_is_one_that_the_tool_takes(office: Office, cursor: Worker, claimed: str):
    told = cursor.stays(claimed, "review")
    source = re.search(r"source_ref=({[^}]+})", told)
    assert source is not None, told
    named = json.loads(source[1])
    assert named == {"type": "task", "value": claimed}
    thought = office.memory("brain_get_thought", id=cursor.learn(source_ref=named))
    assert (thought.source_ref.type, thought.source_ref.value) == ("task", claimed)


def test_a_thought_from_before_the_claim_does_not_count(office: Office, cursor: Worker):
    slug = office.task()
    cursor.learn()
    cursor.claim(slug)
    assert "before the item was claimed" in cursor.stays(slug, "review")


def test_one_thought_opens_one_gate_once(office: Office, cursor: Worker, claimed: str):
    other = office.task()
    cursor.claim(other)
    thought = cursor.learn()
    cursor.moves(claimed, "review")
    for fields in ({}, {"memory_contribution_id": thought}, {"memory_contribution_id": thought[:8]}):
        assert "opened a gate already" in cursor.stays(other, "review", fields=fields)


@pytest.mark.parametrize("other", ["codex", "cursor/reviewer"])
def test_another_agents_thought_does_not_count(office: Office, cursor: Worker, claimed: str, other: str):
    thought = office.agent(other).learn()
    assert "You contributed nothing" in cursor.stays(claimed, "review")
    assert "No thought" in cursor.stays(claimed, "review", fields={"memory_contribution_id": thought})


def test_a_thought_from_another_connection_counts_only_where_it_is_named(office: Office, cursor: Worker, claimed: str):
    thought = office.agent("cursor", connection="another").learn()
    told = cursor.stays(claimed, "review")
    assert (
        "You contributed nothing on this connection. What you contributed on another counts where it is named" in told
    )
    answer = cursor.moves(claimed, "review", fields={"memory_contribution_id": thought})
    assert answer.item.dna["memory_contribution_id"] == thought


def test_a_thought_on_the_own_connection_from_before_the_claim_hides_no_newer_one_elsewhere(
    office: Office, cursor: Worker
):
    slug = office.task()
    cursor.learn()
    cursor.claim(slug)
    office.agent("cursor", connection="another").learn()
    assert "counts where it is named" in cursor.stays(slug, "review")


def test_a_client_without_a_connection_names_its_thought(office: Office):
    slug, stateless = office.task(), office.agent("script", connection=None)
    session = stateless.ask()
    answer = stateless.moves(slug, "active", fields={"memory_query_session": session})
    assert 'Name the thought with the move: fields={"memory_contribution_id": "…"}.' in answer.in_words()
    told = stateless.stays(slug, "review")
    assert 'Then pass the id of the thought: fields={"memory_contribution_id": "…"}.' in told
    answer = stateless("contribute_to_brain", prompt=f"{TITLE}: Norway rounds to ten øre since 2012, as its law says.")
    assert "Hand it over with work_transition and name this thought in memory_contribution_id." in answer.in_words()
    thought = answer.trace.thought_id
    told = stateless.stays(slug, "review")
    assert "cannot tell which thought" in told
    assert f'Name the thought: fields={{"memory_contribution_id": "{thought}"}}.' in told
    stateless.moves(slug, "review", fields={"memory_contribution_id": thought})


def test_a_thought_about_something_else_does_not_count(cursor: Worker, claimed: str):
    cursor.learn(NOTHING)
    assert "not about this item" in cursor.stays(claimed, "review")


@pytest.mark.parametrize("flag", ["keyword_echo", "near_duplicate", "naked_statement", "orphaned_reference"])
def test_a_flagged_thought_does_not_count(office: Office, cursor: Worker, claimed: str, flag: str):
    thought = cursor.learn()
    office.run("UPDATE thought SET flags = :flags WHERE uid = :uid", flags=f'["{flag}"]', uid=thought)
    assert f"flagged {flag}" in cursor.stays(claimed, "review")


def test_a_thought_without_anything_to_act_on_says_what_it_lacks(cursor: Worker, claimed: str):
    naked = f"{TITLE}: they round each line up, as their support answered us today."
    lacks = "flagged naked_statement (it has no number, name, date, path or reason: say one, such as why)"
    assert lacks in cursor.memory("contribute_to_brain", prompt=naked).in_words()
    assert lacks in cursor.stays(claimed, "review")
    cursor.learn(f"{TITLE}: the sum is off because each line is rounded up, and banks settle the rounded lines.")
    cursor.moves(claimed, "review")


@pytest.mark.parametrize("flag", ["missing_fields", "contradicts_correction"])
def test_other_flags_do_not_hinder(office: Office, cursor: Worker, claimed: str, flag: str):
    thought = cursor.learn()
    office.run("UPDATE thought SET flags = :flags WHERE uid = :uid", flags=f'["{flag}"]', uid=thought)
    cursor.moves(claimed, "review")


def test_a_refinement_of_a_near_duplicate_that_names_the_item_counts(office: Office, cursor: Worker, claimed: str):
    text = f"{TITLE}: banks round half to even, as 12 of 40 ledgers of Zurich show."
    office.agent("codex").learn(text)
    cursor.learn(text)
    answer = cursor.move(claimed, "review")
    assert "near_duplicate" in answer.refusal
    refined = answer.blocked_by[0].remedy.split("refines=")[1][:8]
    cursor.learn(f"{TITLE}: the Swiss franc is rounded to 5 Rappen, which 3 tests of checkout miss.", refines=refined)
    cursor.moves(claimed, "review")


def test_what_is_noise_corrected_or_forgotten_does_not_count(office: Office, cursor: Worker, claimed: str):
    noise = cursor.learn()
    office.person("brain_mark_noise", id=noise)
    assert "marked it as noise" in cursor.stays(claimed, "review")
    corrected = cursor.learn()
    office.agent("codex").learn(
        f"{TITLE}: banks round down, not half to even, as the law of 1998 says.",
        category="correction",
        supersedes=[corrected],
        corrected_fact="half to even",
        correct_fact="down",
    )
    assert "a correction took its place" in cursor.stays(claimed, "review")
    forgotten = cursor.learn()
    office.person("memory_forget", id=forgotten, kind="thought")
    assert "it was forgotten" in cursor.stays(claimed, "review")
    cursor.learn()
    cursor.moves(claimed, "review")


def test_a_private_thought_counts_where_one_person_works_and_not_in_a_team(home: Path, cursor: Worker, claimed: str):
    cursor.learn(space="private")
    cursor.moves(claimed, "review")
    with office_in(home.with_name("team"), Mode.TEAM) as team:
        agent = team.agent()
        team.run("INSERT INTO agent_work_roles (user_id, agent, roles) VALUES (1, 'cursor', '[\"dev\"]')")
        slug = team.person("work_create_task", title=TITLE, type="solo").slug
        agent.claim(slug)
        agent.learn(space="private")
        assert "it is private" in agent.stays(slug, "review")
        agent.learn(space="shared")
        agent.moves(slug, "review")


# The title.


@pytest.mark.parametrize("title", ["the", "It is", "Fix it", "Do the test"])
def test_no_task_gets_a_title_that_stands_in_any_text(office: Office, title: str):
    slug, planner = office.task(), office.agent("planner")
    for refused in (
        planner.refuses("work_create_task", title=title),
        planner.refuses("work_edit_task", slug=slug, title=title, role="pdsa"),
    ):
        [problem] = refused.problems
        assert problem.field == "title"
        assert "a word that says what it is about" in problem.expected
    assert office.item(slug).title == TITLE


def test_an_old_title_that_says_nothing_opens_no_gate_and_the_refusal_says_so(office: Office, cursor: Worker):
    slug = office.task()
    office.run("UPDATE work_item SET title = 'the' WHERE slug = :slug", slug=slug)  # as an earlier version let it be
    cursor.ask("What is the capital of Norway?")
    told = cursor.stays(slug, "active")
    assert "is not about this item" in told
    assert "Its title says nothing by itself" in told
