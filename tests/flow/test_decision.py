"""What the engine decides: levels of gates up to the end, force, roles, holders, restore; it always answers."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigmind.flow.decision import Fault, Move, MoveRequest, Refusal, Violation, decide, gates_to, options
from bigmind.flow.gates import GATES, Finding
from bigmind.flow.workflow import Actor, ActorKind, Gate, Interruption, Item, Level, Process, Severity
from tests.flow.processes import FAILED, HUMAN, PASSED, SYSTEM, agent, ask, moved, process, refused
from tests.flow.shipped import FILES, shipped

CLAIM = "{from: open, to: work, by: [own]}"
HAND_OVER = "{from: work, to: check, by: [own], effects: [{set_role: qa}]}"
END = "{from: check, to: done, by: [own, system]}"
HOLD = "{from: any, to: held, by: [anyone], open: true, by_others: true}"
RESTORE = "{from: held, to: restore, by: [anyone], open: true, by_others: true}"
FRAME = (CLAIM, HAND_OVER, END, HOLD, RESTORE)
OPEN = Item("open", "dev")
WORK = Item("work", "dev", 3, holder="ann")
CHECK = Item("check", "qa", 4, worked_by="ann", worked_as="dev")


def with_gate(gate: str, at: str = HAND_OVER, head: str = "") -> Process:
    """The small process with a gate at one of its moves."""
    rules = [each if each != at else each[:-1] + f", gates: [{gate}]}}" for each in FRAME]
    return process(*rules, **({"head": head} if head else {}))


def level(word: str) -> str:
    return f"{{memory_contributed: {{level: {word}}}}}"


class TestLevels:
    def test_a_must_refuses(self) -> None:
        small = with_gate("memory_contributed")
        refusal = refused(small, WORK, "check", agent("dev"), {"memory_contributed": FAILED})
        assert refusal.fault is Fault.GATES
        assert [each.finding for each in refusal.blocked_by] == [FAILED]
        move = moved(small, WORK, "check", agent("dev"), {"memory_contributed": PASSED})
        assert (move.violations, move.item.due, move.warnings) == ((), (), [])

    def test_a_must_by_the_end_lets_pass_and_closes_the_end_until_it_holds(self) -> None:
        small = with_gate(level("MUST_BY_END"))
        move = moved(small, WORK, "check", agent("dev"), {"memory_contributed": FAILED})
        assert [each.gate.name for each in move.warnings] == ["memory_contributed"]
        assert move.violations == ()
        assert move.item.due == (Gate("memory_contributed", level=Level.BY_END),)
        assert gates_to(small, move.item, "done") == list(move.item.due)
        refusal = refused(small, move.item, "done", agent("qa"), {"memory_contributed": FAILED})
        assert [each.gate.name for each in refusal.blocked_by] == ["memory_contributed"]
        assert refused(small, move.item, "done", SYSTEM).fault is Fault.GATES
        ended = moved(small, move.item, "done", agent("qa"), {"memory_contributed": PASSED})
        assert (ended.item.due, ended.violations) == ((), ())

    def test_what_is_due_outlives_the_moves_between(self) -> None:
        small = with_gate(level("MUST_BY_END"))
        item = moved(small, WORK, "check", agent("dev"), {"memory_contributed": FAILED}).item
        item = moved(small, item, "held", agent("dev")).item
        item = moved(small, item, "restore", agent("dev")).item
        assert [each.name for each in item.due] == ["memory_contributed"]

    def test_what_is_due_at_another_level_than_the_last_move_has_it_is_asked_once_at_the_stricter(self) -> None:
        small = with_gate(level("SHOULD"), at=END)
        item = replace(CHECK, due=(Gate("memory_contributed", level=Level.BY_END),))
        refusal = refused(small, item, "done", agent("qa"), {"memory_contributed": FAILED})
        assert [(each.gate.name, each.gate.level) for each in refusal.results] == [("memory_contributed", Level.BY_END)]

    def test_what_passed_is_not_due(self) -> None:
        small = with_gate(level("MUST_BY_END"))
        assert moved(small, WORK, "check", agent("dev"), {"memory_contributed": PASSED}).item.due == ()

    def test_what_is_due_twice_is_due_once_and_asked_once(self) -> None:
        small = with_gate(level("MUST_BY_END"))
        due = (Gate("memory_contributed", level=Level.BY_END),)
        item = moved(small, replace(WORK, due=due), "check", agent("dev"), {"memory_contributed": FAILED}).item
        assert item.due == due
        at_end = with_gate(level("MUST_BY_END"), at=END)
        refusal = refused(at_end, replace(CHECK, due=due), "done", agent("qa"))
        assert len(refusal.blocked_by) == 1
        assert len(gates_to(at_end, replace(CHECK, due=due), "done")) == 1

    def test_gates_that_differ_in_their_options_alone_are_two(self) -> None:
        small = with_gate("{field: {name: a, level: MUST_BY_END}}, {field: {name: b, level: MUST_BY_END}}")
        assert len(moved(small, WORK, "check", agent("dev")).item.due) == 2

    def test_a_must_by_the_end_at_the_last_move_refuses_it(self) -> None:
        small = with_gate(level("MUST_BY_END"), at=END)
        assert refused(small, CHECK, "done", agent("qa")).fault is Fault.GATES

    def test_a_should_warns_and_is_a_violation_when_it_still_fails_at_the_end(self) -> None:
        small = with_gate(level("SHOULD"))
        move = moved(small, WORK, "check", agent("dev"), {"memory_contributed": FAILED})
        assert (len(move.warnings), move.violations) == (1, ())
        ended = moved(small, move.item, "done", agent("qa"), {"memory_contributed": FAILED})
        assert ended.violations == (Violation("memory_contributed", Severity.WARNING, FAILED.reason),)
        assert ended.item.due == ()
        made_good = moved(small, move.item, "done", agent("qa"), {"memory_contributed": PASSED})
        assert made_good.violations == ()

    def test_a_should_at_the_last_move_is_a_violation_at_once(self) -> None:
        small = with_gate(level("SHOULD"), at=END)
        assert [each.severity for each in moved(small, CHECK, "done", agent("qa")).violations] == [Severity.WARNING]

    def test_a_may_informs_and_is_forgotten(self) -> None:
        small = with_gate(level("MAY"))
        move = moved(small, WORK, "check", agent("dev"), {"memory_contributed": FAILED})
        assert [each.finding.reason for each in move.warnings] == [FAILED.reason]
        assert (move.violations, move.item.due) == ((), ())
        assert moved(with_gate(level("MAY"), at=END), CHECK, "done", agent("qa")).violations == ()

    def test_a_gate_made_of_others_has_a_level(self) -> None:
        small = with_gate("{any_of: [memory_contributed, {field: {name: why}}], level: MUST_BY_END}")
        item = moved(small, WORK, "check", agent("dev")).item
        assert [each.name for each in gates_to(small, item, "done")] == ["memory_contributed", "field:why"]
        assert refused(small, item, "done", agent("qa")).fault is Fault.GATES
        assert moved(small, item, "done", agent("qa"), fields={"why": "nothing learned"}).violations == ()

    def test_everything_that_is_missing_is_told_at_once(self) -> None:
        small = with_gate("memory_contributed, {field: {name: a}}, {field: {name: b, level: MAY}}, other_agent")
        refusal = refused(small, replace(WORK, worked_by="ann"), "check", agent("dev"))
        assert [each.gate.name for each in refusal.blocked_by] == ["memory_contributed", "field:a", "other_agent"]
        assert [each.gate.name for each in refusal.results if not each.passed][-2:] == ["field:b", "other_agent"]


class TestForce:
    HEAD = "process: small\nversion: 1\nroles: [dev, qa]\nforced_by: [qa, human]\nstates:\n"

    def test_who_may_force_passes_by_a_gate_and_leaves_a_violation(self) -> None:
        small = with_gate("memory_contributed, {field: {name: a}}", at=END, head=self.HEAD)
        move = moved(small, CHECK, "done", agent("qa"), {"memory_contributed": FAILED}, force=True)
        assert [(each.gate, each.severity) for each in move.violations] == [
            ("memory_contributed", Severity.CRITICAL),
            ("field:a", Severity.CRITICAL),
        ]
        assert move.item.state == "done"

    def test_without_force_it_is_refused(self) -> None:
        assert refused(with_gate("memory_contributed", at=END, head=self.HEAD), CHECK, "done", agent("qa"))

    def test_who_may_not_force_is_refused(self) -> None:
        small = with_gate("memory_contributed", at=HAND_OVER, head=self.HEAD)
        assert refused(small, WORK, "check", agent("dev"), force=True).fault is Fault.GATES
        at_end = with_gate("memory_contributed", at=END, head=self.HEAD)
        assert refused(at_end, CHECK, "done", SYSTEM, force=True).fault is Fault.GATES

    def test_where_the_process_names_nobody_nobody_forces(self) -> None:
        assert refused(with_gate("memory_contributed", at=END), CHECK, "done", agent("qa"), force=True)

    def test_no_force_leads_where_no_transition_does_or_past_the_holder(self) -> None:
        small = process(*FRAME, head=self.HEAD)
        assert refused(small, OPEN, "done", agent("qa"), force=True).fault is Fault.UNDECLARED
        held = replace(WORK, role="qa", holder="bob")
        assert refused(small, held, "check", agent("qa"), force=True).fault is Fault.HELD
        assert refused(small, WORK, "check", HUMAN, force=True).fault is Fault.ROLE

    def test_leaving_without_what_was_due_by_the_end_is_critical(self) -> None:
        small = with_gate(level("MUST_BY_END"), head=self.HEAD)
        item = moved(small, WORK, "check", agent("dev")).item
        move = moved(small, item, "done", agent("qa"), {"memory_contributed": FAILED}, force=True)
        assert move.violations == (Violation("memory_contributed", Severity.CRITICAL, FAILED.reason),)

    def test_forced_past_a_field_that_names_a_role_the_item_keeps_its_own(self) -> None:
        rule = "{from: check, to: open, by: [qa], gates: [{field: {name: to, one_of: [dev, qa]}}], "
        small = process(*FRAME, rule + "effects: [{set_role: $to}]}", head=self.HEAD)
        for fields in ({}, {"to": "human"}, {"to": 3}, {"to": None}):
            assert moved(small, CHECK, "open", agent("qa"), fields=fields, force=True).item.role == "qa"
        assert moved(small, CHECK, "open", agent("qa"), fields={"to": " dev "}).item.role == "dev"


class TestRoles:
    def test_a_move_is_made_in_the_role_of_the_item(self) -> None:
        small = process(*FRAME)
        assert refused(small, OPEN, "work", agent("qa")).fault is Fault.ROLE
        assert moved(small, OPEN, "work", agent("dev")).item.holder == "ann"

    def test_left_out_the_role_is_found(self) -> None:
        small = process(*FRAME)
        move = moved(small, OPEN, "work", agent(roles=("qa", "dev")))
        assert move.actor.role == "dev"
        assert refused(small, OPEN, "work", agent(roles=("qa",))).fault is Fault.ROLE

    def test_of_several_roles_the_one_that_can_move_counts(self) -> None:
        small = process(*FRAME, "{from: open, to: check, by: [qa], open: true, gates: [memory_queried]}")
        assert moved(small, OPEN, "check", agent(), {"memory_queried": PASSED}).actor.role == "qa"
        refusal = refused(small, OPEN, "check", agent())
        assert refusal.fault is Fault.GATES
        assert refusal.actor is not None
        assert refusal.actor.role == "qa"

    def test_a_role_that_the_agent_may_not_take_moves_nothing_not_even_what_anyone_may(self) -> None:
        small = process(*FRAME)
        for role in ("qa", "human", "system", "anyone", "own"):
            refusal = refused(small, OPEN, "held", agent(role, roles=("dev",)))
            assert refusal.fault is Fault.ROLE
            assert "dev" in refusal.message
            assert refusal.actor == agent("", roles=("dev",))

    def test_an_agent_without_roles_moves_nothing(self) -> None:
        assert refused(process(*FRAME), OPEN, "held", agent(roles=())).fault is Fault.ROLE

    @pytest.mark.parametrize("word", ["human", "system", "anyone", "own", "holder", ""])
    def test_no_agent_is_a_word_of_the_engine(self, word: str) -> None:
        small = process(*FRAME, "{from: open, to: done, by: [human, system], open: true}")
        assert refused(small, OPEN, "done", agent(word, roles=(word,))).fault is Fault.ROLE
        assert refused(small, OPEN, "done", agent(roles=(word, "dev"))).fault is Fault.ROLE

    def test_anyone_is_people_and_bigmind_too(self) -> None:
        for actor in (HUMAN, SYSTEM, agent("qa"), agent("dev")):
            assert moved(process(*FRAME), OPEN, "held", actor).item.state == "held"

    def test_who_stands_nowhere_is_refused_and_told_who_may(self) -> None:
        small = process(*FRAME)
        told = refused(small, CHECK, "done", HUMAN).message
        assert "qa" in told
        assert "a person" in told
        assert refused(small, OPEN, "work", SYSTEM).fault is Fault.ROLE


class TestSpecificity:
    def test_the_work_before_comes_first_then_the_role_then_the_states(self) -> None:
        rules = [
            "{from: check, to: open, by: [own], role: qa, worked_as: dev, label: work}",
            "{from: check, to: open, by: [own], role: qa, label: role}",
            "{from: check, to: open, by: [own], label: states}",
            "{from: any, to: open, by: [own], label: any}",
        ]
        for order in (rules, rules[::-1]):
            small = process(*FRAME, *order)
            assert moved(small, CHECK, "open", agent("qa")).transition.label == "work"
            assert moved(small, replace(CHECK, worked_as="qa"), "open", agent("qa")).transition.label == "role"
            dev = Item("check", "dev", worked_as="dev")
            assert moved(small, dev, "open", agent("dev")).transition.label == "states"
            assert moved(small, Item("open", "dev"), "open", agent("dev")).transition.label == "any"

    def test_from_anywhere_who_is_named_comes_before_anyone(self) -> None:
        rules = [
            "{from: any, to: open, by: [anyone], open: true, label: anyone}",
            "{from: any, to: open, by: [qa], open: true, label: qa}",
        ]
        for order in (rules, rules[::-1]):
            small = process(*FRAME, *order)
            assert moved(small, CHECK, "open", agent("qa")).transition.label == "qa"
            assert moved(small, CHECK, "open", agent("dev")).transition.label == "anyone"
            assert moved(small, CHECK, "open", HUMAN).transition.label == "anyone"

    def test_a_narrower_rule_is_not_escaped_to_a_wider_one(self) -> None:
        small = process(
            *FRAME, "{from: open, to: done, by: [qa], open: true}", "{from: any, to: done, by: [anyone], open: true}"
        )
        assert refused(small, OPEN, "done", agent("dev")).fault is Fault.ROLE
        assert moved(small, WORK, "done", agent("dev"))

    def test_any_is_neither_what_is_final_nor_what_interrupts(self) -> None:
        small = process(*FRAME, "{from: any, to: open, by: [anyone], open: true, by_others: true}")
        held = Item("held", "dev", saved=Interruption("work", "dev", "ann"))
        assert refused(small, held, "open", agent("dev")).fault is Fault.UNDECLARED
        assert refused(small, Item("done", "dev"), "open", agent("dev")).fault is Fault.FINISHED


class TestHolder:
    def test_who_claims_holds_and_alone_moves_on(self) -> None:
        small = process(*FRAME)
        item = moved(small, OPEN, "work", agent("dev")).item
        assert item.holder == "ann"
        refusal = refused(small, item, "check", agent("dev", "bob"))
        assert refusal.fault is Fault.HELD
        assert "ann" in refusal.message
        after = moved(small, item, "check", agent("dev")).item
        assert (after.holder, after.worked_by, after.worked_as, after.role) == ("", "ann", "dev", "qa")

    def test_who_would_claim_what_another_holds_is_told_who_holds_it(self) -> None:
        refusal = refused(process(*FRAME), WORK, "work", agent("dev", "bob"))
        assert refusal.fault is Fault.HELD
        assert "ann" in refusal.message
        assert refused(process(*FRAME), WORK, "work", agent("dev")).fault is Fault.UNDECLARED

    def test_another_name_behind_the_slash_is_another_holder(self) -> None:
        assert refused(process(*FRAME), WORK, "check", agent("dev", "ann/two")).fault is Fault.HELD

    def test_what_others_may_do_they_may(self) -> None:
        after = moved(process(*FRAME), WORK, "held", agent("qa", "bob")).item
        assert (after.holder, after.saved) == ("ann", Interruption("work", "dev", "ann"))

    def test_bigmind_and_people_are_no_other_agents(self) -> None:
        small = process(*FRAME, "{from: work, to: done, by: [human, system]}")
        assert moved(small, WORK, "done", HUMAN).item.holder == ""
        assert moved(small, WORK, "done", SYSTEM).item.holder == ""

    def test_where_nobody_holds_it_no_one_is_the_holder(self) -> None:
        small = process(*FRAME, "{from: any, to: open, by: [holder], open: true}")
        for name in ("ann", ""):
            assert refused(small, CHECK, "open", agent("dev", name)).fault is Fault.ROLE
        assert moved(small, WORK, "open", agent("qa")).item.state == "open"

    def test_a_person_who_moves_it_into_a_claimed_state_holds_nothing(self) -> None:
        small = process(*FRAME, "{from: check, to: work, by: [human]}")
        assert moved(small, CHECK, "work", HUMAN).item.holder == ""

    def test_work_that_a_person_did_is_handed_over_in_its_role(self) -> None:
        small = process(*FRAME, "{from: work, to: done, by: [human]}")
        before = Item("work", "qa", worked_by="ann", worked_as="dev")
        after = moved(small, before, "done", HUMAN).item
        assert (after.worked_by, after.worked_as) == ("ann", "qa")


class TestRestore:
    SAVED = Interruption("work", "dev", "ann")
    HELD = Item("held", "qa", 5, "ann", {"why": "no answer"}, "bob", "qa", SAVED)

    @pytest.mark.parametrize("target", ["restore", "work"])
    def test_it_leads_to_exactly_what_was_saved(self, target: str) -> None:
        after = moved(process(*FRAME), self.HELD, target, HUMAN).item
        assert after == Item("work", "dev", 6, "ann", {"why": "no answer"}, "bob", "qa")

    def test_there_and_back_nothing_changed_but_the_revision(self) -> None:
        small = process(*FRAME)
        for item in (OPEN, WORK, CHECK, replace(WORK, fields={"a": 1}, due=(Gate("memory_queried"),))):
            held = moved(small, item, "held", SYSTEM).item
            assert replace(moved(small, held, "restore", SYSTEM).item, revision=item.revision) == item

    def test_it_leads_nowhere_else(self) -> None:
        for target in ("open", "check", "done", "held", "any", "nowhere"):
            assert refused(process(*FRAME), self.HELD, target, HUMAN).fault is Fault.UNDECLARED

    def test_without_anything_saved_or_saved_of_a_state_that_is_gone_it_is_refused(self) -> None:
        for saved in (None, Interruption("gone", "dev")):
            item = replace(self.HELD, saved=saved)
            assert refused(process(*FRAME), item, "restore", HUMAN).fault is Fault.UNDECLARED
            assert refused(process(*FRAME), item, "gone", HUMAN).fault is Fault.UNDECLARED

    def test_from_elsewhere_there_is_no_restore(self) -> None:
        assert refused(process(*FRAME), replace(OPEN, saved=self.SAVED), "restore", HUMAN).fault is Fault.UNDECLARED

    def test_another_way_out_leaves_nothing_saved(self) -> None:
        small = process(*FRAME, "{from: held, to: open, by: [human]}")
        assert moved(small, self.HELD, "open", HUMAN).item.saved is None

    def test_a_restore_into_the_end_asks_for_what_is_due(self) -> None:
        small = process(*FRAME)
        item = replace(self.HELD, saved=Interruption("done", "dev"), due=(Gate("memory_queried", level=Level.BY_END),))
        assert refused(small, item, "restore", HUMAN).fault is Fault.GATES
        assert [each.name for each in gates_to(small, item, "restore")] == ["memory_queried"]


class TestAnswers:
    def test_who_knows_an_older_revision_is_refused_before_anything_else(self) -> None:
        small = process(*FRAME)
        refusal = refused(small, WORK, "nowhere", agent("dev"), revision=2)
        assert refusal.fault is Fault.STALE
        assert "3" in refusal.message
        assert "2" in refusal.message
        assert refused(small, WORK, "check", agent("dev"), revision=0).fault is Fault.STALE
        assert moved(small, WORK, "check", agent("dev"), revision=3).item.revision == 4

    def test_a_state_that_the_process_does_not_know_is_refused(self) -> None:
        small = process(*FRAME)
        item = Item("gone", "dev")
        assert refused(small, item, "work", agent("dev")).fault is Fault.UNDECLARED
        assert options(small, item, agent("dev"), {}) == []
        assert gates_to(small, item, "work") == []

    def test_an_unknown_target_is_told_with_where_it_can_go(self) -> None:
        told = refused(process(*FRAME), OPEN, "x" * 500, agent("dev")).message
        assert "work, held" in told
        assert len(told) < 200

    def test_the_fields_of_the_request_count_and_are_written(self) -> None:
        small = with_gate("{field: {name: a}}")
        item = replace(WORK, fields={"a": "", "b": 1})
        assert refused(small, item, "check", agent("dev")).fault is Fault.GATES
        assert moved(small, item, "check", agent("dev"), fields={"a": "x"}).item.fields == {"a": "x", "b": 1}

    def test_effects_happen_with_the_move(self) -> None:
        small = process(*FRAME, "{from: check, to: open, by: [qa], effects: [{clear_fields: [a, b]}, {emit: told}]}")
        move = moved(small, replace(CHECK, fields={"a": 1, "c": 2}), "open", agent("qa"), fields={"b": 3})
        assert move.item.fields == {"c": 2}
        assert (move.cleared, move.events, move.source) == (("a", "b"), ("told",), "check")

    def test_options_are_the_moves_from_here_each_decided(self) -> None:
        small = with_gate("memory_contributed")
        found = options(small, WORK, agent(), {"memory_contributed": FAILED})
        assert [each.target for each in found] == ["check", "held"]
        check, held = (each.decision for each in found)
        assert isinstance(check, Refusal)
        assert [each.gate.name for each in check.blocked_by] == ["memory_contributed"]
        assert isinstance(held, Move)
        assert [each.transition.target for each in found] == ["check", "held"]

    def test_options_of_who_may_do_nothing_tell_the_moves_all_the_same(self) -> None:
        found = options(process(*FRAME), WORK, agent(roles=()), {})
        assert [(each.target, type(each.decision)) for each in found] == [("check", Refusal), ("held", Refusal)]

    def test_options_name_a_restore_only_where_something_was_saved(self) -> None:
        small = process(*FRAME)
        assert [each.target for each in options(small, TestRestore.HELD, HUMAN, {})] == ["restore"]
        assert options(small, replace(TestRestore.HELD, saved=None), HUMAN, {}) == []

    def test_what_has_to_be_looked_up_is_of_every_rule_that_leads_there(self) -> None:
        small = process(
            *FRAME,
            "{from: check, to: open, by: [own], role: qa, gates: [{all_of: [memory_queried, other_agent]}]}",
            "{from: check, to: open, by: [own], gates: [memory_contributed]}",
        )
        names = [each.name for each in gates_to(small, CHECK, "open")]
        assert names == ["memory_queried", "other_agent", "memory_contributed"]
        assert gates_to(small, replace(CHECK, due=(Gate("memory_queried"),)), "open")[0].name == "memory_queried"
        assert gates_to(small, CHECK, "nowhere") == []


texts = st.text(max_size=8)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
states = st.sampled_from([*dict.fromkeys(name for file in FILES for name in shipped(file).states), "restore", "any"])
names = texts | st.sampled_from(["dev", "qa", "pdsa", "liaison", "writer", "human", "system", "ann", "ann/two"])
option_names = texts | st.sampled_from(["name", "url", "least", "one_of", "kind", "path", "level"])
leaves = st.builds(
    Gate,
    texts | st.sampled_from([*GATES]),
    st.dictionaries(option_names, json_values, max_size=4),
    st.sampled_from([*Level]),
)
gates = leaves | st.builds(
    Gate,
    st.sampled_from(["all_of", "any_of", "field"]),
    level=st.sampled_from([*Level]),
    parts=st.lists(leaves, max_size=3).map(tuple),
)
fields = st.dictionaries(texts | st.sampled_from(["rework_target_role", "pdsa_ref", "abstract_ref"]), json_values)
findings = st.dictionaries(
    st.sampled_from([*GATES]) | texts, st.builds(Finding, st.booleans(), texts, texts, texts), max_size=8
)
interruptions = st.builds(Interruption, states | texts, names, names)
items = st.builds(
    Item,
    states | texts,
    names,
    st.integers(),
    names,
    fields,
    names,
    names,
    st.none() | interruptions,
    st.lists(gates, max_size=4).map(tuple),
)
actors = st.builds(Actor, st.sampled_from([*ActorKind]), names, names, st.lists(names, max_size=4))
requests = st.builds(MoveRequest, states | texts, actors, fields, st.none() | st.integers(), st.booleans())


@settings(max_examples=200, deadline=None)
@given(st.sampled_from([*FILES]), items, requests, findings)
def test_every_request_has_an_answer(name: str, item: Item, request: MoveRequest, found: dict[str, Finding]) -> None:
    known = shipped(name)
    decision: Any = decide(known, item, request, found)
    assert isinstance(decision, Move | Refusal)
    assert gates_to(known, item, request.target) is not None
    for option in options(known, item, request.actor, found):
        again = decide(known, item, MoveRequest(option.target, request.actor), found)
        assert type(option.decision) is type(again)
    if isinstance(decision, Move):
        assert decision.item.state in known.states
        assert decision.item.revision == item.revision + 1
        assert decision.actor.kind is not ActorKind.AGENT or decision.actor.role in request.actor.roles
        assert decision.transition in known.leaving(item.state)
    else:
        assert decision.message
        assert all(each.finding.reason for each in decision.blocked_by if each.gate.name not in found)


@pytest.mark.parametrize(
    "gate", [Gate("field"), Gate("field", {"name": 3}), Gate("gone"), Gate("all_of"), Gate("any_of")]
)
def test_a_gate_that_is_not_understood_does_not_pass(gate: Gate) -> None:
    item = replace(CHECK, due=(replace(gate, level=Level.BY_END),))
    refusal = refused(process(*FRAME), item, "done", agent("qa"), {gate.name: PASSED})
    assert "not understood" in refusal.blocked_by[0].finding.reason
    assert isinstance(ask(process(*FRAME), item, "open", agent("qa")), Refusal)
