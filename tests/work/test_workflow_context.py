"""The workflow context takes less than 400 tokens, in every state of every process, for every role."""

import pytest

from bigmind.core.operation import NO_TOOLS
from bigmind.text.tokens import count_tokens
from bigmind.work.answers import ASIDE
from bigmind.work.memory_gates import Relevance
from bigmind.work.processes import SHIPPED, shipped
from bigmind.work.tables import WorkItem
from bigmind.work.workflow_context import context_of
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
                named = [each.to for each in context.moves if each.yours or each.to not in ASIDE]
                assert all(f"`{each}`" in text for each in named)
                assert text.startswith("Next, by work_transition:" if context.moves else "Nothing leads on from here.")
            offered = context.as_text(frozenset({"work_get_task"}))
            assert "query_brain" not in offered
            assert not {"work_transition", "contribute_to_brain"} & {*offered.replace("`", " ").split()}
    assert "memory_queried" in NO_TOOLS


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
