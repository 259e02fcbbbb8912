"""The workflow context takes less than 400 tokens, in every state of every process, for every role."""

import pytest

from bigmind.core.operation import NO_TOOLS
from bigmind.text.tokens import count_tokens
from bigmind.work.answers import LEFT_OUT
from bigmind.work.memory_gates import Relevance
from bigmind.work.processes import SHIPPED, shipped
from bigmind.work.tables import WorkItem
from bigmind.work.workflow_context import context_of
from tests.work.letters import claimed_letter
from tests.work.office import Office

MOST = 400
STATES = [(name, state) for name in SHIPPED for state in shipped(name).states]


@pytest.mark.parametrize(("process", "state"), STATES)
def test_it_lets_an_agent_go_on_without_a_manual_and_costs_little(office: Office, process: str, state: str):
    told = shipped(process)
    with office.memory.mind.store.read(office.agent("cursor").memory.caller, "test") as work:
        for role in told.roles:
            row = WorkItem(
                id=1, uid="0190aaaa-0000-7000-8000-000000000000", slug="x" * 60, user_id=1, created_at=work.now,
                updated_at=work.now, client="cursor", process=process, state=state, role=role, entered_at=work.now,
                title="Round refunds to the cent, as the bank of each country does it" * 3, holder="",
            )  # fmt: skip
            for acts in (role, ""):
                context = context_of(work, row, told, Relevance(), acts)
                text = context.as_text()
                assert count_tokens(text) < MOST, text
                assert {each.to for each in context.moves} <= {*told.targets(state)}
                named = [each.to for each in context.moves if each.yours or each.to not in LEFT_OUT]
                assert all(f"`{each}`" in text for each in named)
                assert text.startswith("Next, by work_transition:" if context.moves else "Nothing leads on from here.")
            offered = context.as_text(frozenset({"work_get_task"}))
            assert "query_brain" not in offered
            assert not {"work_transition", "contribute_to_brain"} & {*offered.replace("`", " ").split()}
    assert "memory_queried" in NO_TOOLS


def test_moves_that_are_always_open_are_told_with_label_gates_and_prompt(office: Office):
    cursor = office.agent("cursor")
    slug = office.task(type="task")
    told = cursor("work_get_task", slug=slug).in_words()
    assert "- `blocked` (Block): field:blocked_reason missing. Pass blocked_reason." in told
    assert "- `cancelled` (Cancel): field:abstract_ref missing. Pass abstract_ref." in told


def test_who_is_in_the_way_is_named_and_no_word_of_the_document(office: Office):
    cursor, codex = office.agent("cursor"), office.agent("codex")
    slug = office.task(type="task")
    cursor.moves(slug, "ready")
    assert "- `active` (Claim): by pdsa\n" in codex.stays(slug, "active", role="dev") + "\n"
    cursor.claim(slug)
    told = codex("work_get_task", slug=slug).in_words()
    assert "- `approval` (Submit for approval): by cursor, who holds it" in told
    assert "who holds it" not in cursor("work_get_task", slug=slug).in_words()


def test_a_blocked_item_says_who_takes_it_up_again_and_who_may_write_to_it(office: Office):
    cursor, given = office.agent("cursor"), {"blocked_reason": "no database"}
    slug = office.task(type="task")
    blocked = cursor.moves(slug, "blocked", role="dev", fields=given).in_words()
    assert "- `restore` (Take up again): by liaison, BigMind" in blocked
    assert "Nothing leads on" not in blocked
    refused = cursor.refuses("work_update_dna", slug=slug, fields={"a": 1}, role="dev")
    assert refused.message == f"{slug} is blocked: its next move, and so its DNA, is for liaison."
    assert refused.hint == "Pass role=liaison."
    cursor("work_update_dna", slug=slug, fields={"a": 1}, role="liaison")


def test_beside_a_refused_move_a_field_that_came_along_is_not_told_as_missing(office: Office):
    cursor, given = office.agent("cursor"), {"pdsa_ref": "docs/refunds.md"}
    slug = office.task(type="task")
    cursor.moves(slug, "ready")
    cursor.claim(slug)
    refused = cursor.stays(slug, "approval", fields=given)
    assert "Refused. Missing:\n- memory_contributed: " in refused
    assert "- `approval` (Submit for approval): field:pdsa_ref met, memory_contributed missing." in refused
    assert "Pass the same fields again" in refused
    without = cursor.stays(slug, "approval")
    assert "field:pdsa_ref missing, memory_contributed missing" in without
    assert "Pass the same fields again" not in without
    assert office.item(slug).dna.keys() == {"memory_query_session"}
    cursor.learn()
    cursor.moves(slug, "approval", fields=given)


def test_what_closes_the_end_what_warns_and_what_informs_are_told_apart(office: Office):
    cursor, codex = office.agent("cursor"), office.agent("codex")
    slug = claimed_letter(office, cursor)
    before = cursor("work_get_task", slug=slug).in_words()
    assert "field:report missing (by the end), field:summary missing (only warns)" in before
    assert "field:extra missing (only informs)" in before
    handed = cursor.moves(slug, "reading")
    text = handed.in_words()
    assert "\nOwed by the end, which it closes until then: field:report: report is missing." in text
    assert "\nWarning: field:summary: summary is missing." in text
    assert "\nNote: field:extra: extra is missing." in text
    assert "Owed by the end: field:report (it closes the end), field:summary." in text
    assert [each.level for each in handed.warnings] == ["MUST_BY_END", "SHOULD", "MAY"]
    assert "field:report" in codex.stays(slug, "sent")
    codex("work_update_dna", slug=slug, fields={"report": "Sent on Friday."})
    assert "Owed by the end: field:summary." in codex("work_get_task", slug=slug).in_words()
    assert "Violations, in the ledger: field:summary (WARNING)." in codex.moves(slug, "sent").in_words()


def test_what_is_read_in_order_to_do_it_is_whole_and_elsewhere_says_where_it_is(office: Office):
    """A description may have 10,000 characters; its end was in no answer, and what stood there was never done."""
    last, found = "Last: never touch the table of payouts.", "The last thing found."
    story = f"{'Each line of a refund is rounded by itself. ' * 200}{last}"
    slug = office.task(description=story)
    cursor = office.agent("cursor")
    cursor.claim(slug)
    written = cursor("work_update_dna", slug=slug, fields={"notes": f"{'A thing that was found. ' * 200}{found}"})
    assert "…" in written.in_words()
    assert "It is cut here; work_get_task shows it whole." in written.in_words()
    for answer in (cursor("work_get_task", slug=slug), cursor("work_next")):
        told = answer.in_words()
        assert last in told
        assert found in told
        assert "…" not in told
        assert "cut here" not in told


def test_why_work_was_sent_back_is_told_to_its_end(office: Office):
    cursor, reviewer = office.agent("cursor"), office.agent("codex")
    slug = office.task(type="bug")
    cursor.moves(slug, "ready", role="pdsa")
    cursor.claim(slug)
    cursor.learn()
    cursor.moves(slug, "review")
    reason = f"{'The sum of the lines differs from the total. ' * 20}Begin with the fees."
    reviewer.moves(slug, "rework", role="qa", reason=reason)
    assert f"Sent back by codex: {reason}" in cursor("work_next", role="dev").in_words()


def test_who_acts_in_the_wrong_role_is_told_which_one_to_pass_where_it_may_take_one(office: Office):
    cursor = office.agent("cursor")
    slug = office.task(type="bug")
    told = cursor.stays(slug, "ready", role="dev")
    assert "pending to ready is made by liaison, pdsa, BigMind; you act as dev. Pass role=pdsa." in told
    cursor.moves(slug, "ready", role="pdsa")
    cursor.claim(slug)
    cursor.moves(slug, "blocked", fields={"blocked_reason": "The vendor has to answer."})
    assert "Pass role=liaison." in cursor.stays(slug, "active", role="dev")
    office.run("INSERT INTO agent_work_roles (user_id, agent, roles) VALUES (1, 'cursor', '[\"dev\"]')")
    told = cursor.stays(slug, "restore", role="dev")
    assert "is made by liaison, BigMind; you act as dev." in told
    assert "Pass role" not in told


def test_a_field_beside_a_yes_that_is_awaited_is_to_be_written_first(office: Office):
    """It said to pass the field with the move: that takes back the yes it waits for, and a person had to come twice."""
    cursor, slug = office.agent("cursor"), office.task(type="bug")
    cursor.moves(slug, "ready", role="pdsa")
    cursor.claim(slug, role="dev")
    cursor.learn()
    for role in ("dev", "qa", "pdsa"):
        cursor.moves(slug, "review", role=role)
    told = cursor.stays(slug, "complete", role="liaison")
    assert "Write it before that: work_update_dna(fields={'abstract_ref': …})." in told
    assert "with the move" not in told
    cursor("work_update_dna", slug=slug, fields={"abstract_ref": "docs/abstract.md"})
    office.person("work_confirm", slug=slug, revision=office.item(slug).revision)
    cursor.moves(slug, "complete", role="liaison")
    told = cursor.stays(slug, "rework", role="liaison")
    assert "Pass fields={'rework_target_role': …} with the move." in told
