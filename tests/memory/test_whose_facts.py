"""Whose a fact is, and the one name of each project: for whoever says it, wherever it is given."""

import pytest

from bigmind.core.errors import Code
from tests.memory.living import Memory
from tests.memory.parts import FACTS, parts_of

PAY = "github.com/acme/pay"


def store(memory: Memory, category: str, fact: str, **more: object):
    return memory("memory_store_fact", category=category, fact=fact, **more)


@pytest.fixture
def here(memory: Memory) -> Memory:
    """Somebody who works in the project."""
    return memory.working_in(PAY)


@pytest.mark.parametrize("category", ["identity", "Preference"])
def test_what_a_person_is_and_likes_belongs_to_no_project(here: Memory, category: str) -> None:
    assert store(here, category, "Likes tea").fact.project is None
    answer = store(here, category, "Likes coffee", project="loom")
    assert answer.fact.project is None
    assert "loom was set aside" in answer.as_text()


def test_a_star_is_every_project_and_nothing_is_the_current_one(here: Memory) -> None:
    assert store(here, "decision", "Two reviewers", project="*").fact.project is None
    assert store(here, "decision", "Three reviewers").fact.project == PAY
    assert here("memory_add_hypothesis", hypothesis="I believe it", project="*").hypothesis.project is None
    listed = here("memory_list_facts", project="*").facts
    assert [row.fact for row in listed] == ["Two reviewers"]
    assert here("memory_start_session", project="*").project == PAY


@pytest.mark.parametrize("name", ["pay", "Pay", "acme/pay", "GitHub.com/acme/PAY", f"https://{PAY}.git"])
def test_the_last_part_of_ones_own_project_means_it(here: Memory, name: str) -> None:
    fact = store(here, "codebase", "The ledger is append-only", project=name).fact
    session = here("memory_start_session", project=name)
    here("memory_flag_important", content="ledger words", flag_reason="kept")
    belief = here("memory_add_hypothesis", hypothesis="I believe the ledger", project=name).hypothesis
    assert {fact.project, session.project, belief.project} == {PAY}
    assert len(here("memory_list_facts", project=name).facts) == 1
    assert len(here("memory_list_sessions", project=name).sessions) == 1
    assert len(here("memory_search_chunks", query="ledger", project=name).hits) == 1
    kinds = {hit.kind for hit in here("memory_semantic_search", query="ledger", project=name).hits}
    assert {"fact", "hypothesis"} <= kinds
    assert "append-only" in here("memory_get_context", project=name).context


def test_the_current_sessions_project_tells_it_too(memory: Memory) -> None:
    memory("memory_start_session", project=PAY)
    assert store(memory, "codebase", "One", project="pay").fact.project == PAY
    assert store(memory, "codebase", "Two", project="ay").fact.project == "ay"
    assert store(memory, "codebase", "Three", project="repay").fact.project == "repay"


def test_for_others_the_short_name_is_a_name_of_its_own(memory: Memory) -> None:
    store(memory.working_in(PAY), "codebase", "One")
    assert store(memory.working_in("github.com/ada/loom"), "codebase", "Two", project="pay").fact.project == "pay"


def test_a_session_left_open_elsewhere_takes_no_folder_of_the_same_name(memory: Memory) -> None:
    memory("memory_start_session", project="pay")
    memory("memory_end_session", one_liner="Payroll looked at", topics=[], outcome="")
    memory.over("service")("memory_start_session", project=PAY)
    memory.clock.forward(hours=2)
    payroll = memory.over("payroll")
    assert payroll("memory_start_session", project="pay").project == "pay"
    assert store(payroll, "constraint", "Payroll is due on the 23rd").fact.project == "pay"
    assert store(memory.over("service"), "codebase", "One", project="pay").fact.project == PAY


def test_an_edit_keeps_a_persons_fact_out_of_every_project(here: Memory) -> None:
    me = here.as_person()
    fact = store(me, "decision", "Tea at four").fact
    assert fact.project == PAY
    edited = me("memory_edit_fact", fact_id=fact.fact_id, category="preference")
    assert (edited.fact.project, edited.changed) == (None, ["category", "project"])
    again = me("memory_edit_fact", fact_id=fact.fact_id, project="loom")
    assert again.fact.project is None
    assert "set aside" in again.as_text()
    moved = me("memory_edit_fact", fact_id=fact.fact_id, category="decision", project="pay")
    assert moved.fact.project == PAY


def test_a_person_joins_an_alias_and_undoes_it(memory: Memory) -> None:
    me = memory.as_person()
    old = store(memory, "decision", "Old", project="payments").fact.fact_id
    memory("memory_start_session", project="payments")
    memory("memory_flag_important", content="old words", flag_reason="kept")
    other = store(memory.of("charles"), "decision", "Old", project="payments").fact.fact_id
    joined = me("project_join_alias", alias="payments", project=PAY)
    assert joined.moved == 3
    new = store(memory, "decision", "New", project="Payments").fact
    assert new.project == PAY
    assert store(memory.working_in("payments"), "decision", "Newer").fact.project == PAY
    assert [row.alias for row in me("project_list_aliases").aliases] == ["payments"]
    history = memory("memory_get_fact_history", fact_id=old)
    assert history.fact.project == PAY
    assert (history.events[-1].action, history.events[-1].reason) == ("moved", "project was: payments")
    parted = me("project_undo_alias", alias="Payments")
    assert parted.moved == 3
    assert memory("memory_get_fact_history", fact_id=old).fact.project == "payments"
    assert memory("memory_get_fact_history", fact_id=new.fact_id).fact.project == PAY
    assert memory.of("charles")("memory_get_fact_history", fact_id=other).fact.project == "payments"
    assert me("project_list_aliases").aliases == []
    assert me.refuses("project_undo_alias", alias="payments").code is Code.NOT_FOUND


def test_an_alias_means_one_project_and_no_alias_means_another(memory: Memory) -> None:
    me = memory.as_person()
    me("project_join_alias", alias="payments", project=PAY)
    assert me("project_join_alias", alias="payments", project=PAY).moved == 0
    assert me.refuses("project_join_alias", alias="payments", project="loom").code is Code.CONFLICT
    assert me.refuses("project_join_alias", alias=PAY, project="loom").code is Code.CONFLICT
    assert me.refuses("project_join_alias", alias=PAY.upper(), project="payments").code is Code.INVALID_INPUT
    assert me("project_join_alias", alias="till", project="payments").project == PAY
    assert memory.refuses("project_join_alias", alias="x", project="y").code is Code.FORBIDDEN


def test_what_the_profile_says_is_not_told_again_as_a_fact(memory: Memory):
    memory("memory_update_profile", preferences="- Answers in German.\n- Short", pinned_facts=["Never push to main."])
    for category, text in (
        ("preference", "answers in German"),
        ("decision", "Never push to main"),
        ("decision", "Brass"),
    ):
        memory("memory_store_fact", category=category, fact=text)
    part = parts_of(memory("memory_get_context").context)[FACTS]
    assert (len(part.lines), part.left_out) == (1, 0)
    memory("memory_update_profile", pinned_facts=[])
    assert len(parts_of(memory("memory_get_context").context)[FACTS].lines) == 2


def test_the_same_of_another_project_is_not_told_again(here: Memory):
    store(here, "codebase", "The invoice number comes from a sequence")
    store(here, "codebase", "The invoice number comes from a sequence.", project="loom")
    store(here, "codebase", "The loom is of steel", project="loom")
    part = parts_of(here("memory_get_context").context)[FACTS]
    assert (len(part.lines), part.left_out) == (2, 0)
    assert PAY not in part.text


def test_what_the_profile_says_stands_as_a_fact_too_where_another_may_contradict_it(memory: Memory):
    """The newer limit stood without its mark beside a pin of the older one."""
    memory("memory_update_profile", pinned_facts=["Uploads are limited to 25 MB"])
    ids: list[str] = []
    for megabytes in (25, 50):
        memory.clock.forward(minutes=1)
        text = f"Uploads are limited to {megabytes} MB"
        answer = memory("memory_store_fact", category="constraint", fact=text, project="shop")
        ids.append(answer.fact.fact_id)
    told = memory("memory_get_context", project="shop").context
    assert f"50 MB `{ids[1][:8]}` (may contradict the older `{ids[0][:8]}`)" in told
    assert f"25 MB `{ids[0][:8]}`" in told
    memory.as_person()("memory_keep_both_facts", fact_id=ids[0], other_id=ids[1])
    assert ids[0][:8] not in memory("memory_get_context", project="shop").context
