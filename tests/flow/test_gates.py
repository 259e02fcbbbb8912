"""Each kind of gate, at, below and above what it asks for."""

from typing import Any

import pytest

from bigmind.flow.gates import COMBINED, GATES, Finding, RecordedGate, check, faults_of
from bigmind.flow.workflow import Actor, Gate, Item
from tests.flow.processes import FAILED, HUMAN, PASSED, SYSTEM, agent

ITEM = Item("work", "dev", holder="ann")


def judged(gate: Gate, *, actor: Actor | None = None, item: Item = ITEM, **found: Finding) -> Finding:
    return check(gate, item, actor or agent("dev"), found).finding


def of_field(value: Any, **wanted: Any) -> Finding:
    return judged(Gate("field", {"name": "ref", **wanted}), item=Item("work", "dev", fields={"ref": value}))


class TestField:
    @pytest.mark.parametrize("value", [None, "", " ", "\t\n", "\u3000", [], {}])
    def test_what_is_empty_is_missing(self, value: Any) -> None:
        finding = of_field(value)
        assert (finding.passed, finding.reason) == (False, "ref is missing.")
        assert "'ref'" in finding.remedy

    def test_what_is_not_there_is_missing(self) -> None:
        assert judged(Gate("field", {"name": "ref"})).reason == "ref is missing."

    @pytest.mark.parametrize("value", ["x", " x ", 0, False, 1.5, [0], {"a": None}])
    def test_what_is_there_passes_as_stated(self, value: Any) -> None:
        assert of_field(value) == Finding(passed=True, evidence="ref, as stated")

    @pytest.mark.parametrize(
        "value", ["http://a", "https://docs.example/a?b#c", "HTTPS://A.example", " https://a ", "https://[::1]:8000/"]
    )
    def test_an_address_passes(self, value: str) -> None:
        assert of_field(value, url=True).passed

    @pytest.mark.parametrize(
        "value",
        [
            "docs/a.md",
            "ftp://a",
            "file:///a",
            "javascript:alert(1)",
            "http:",
            "http://",
            "https:///a",
            "http://:80",
            "http://[",
            "http://a b",
            "https://a\n.example",
            3,
            ["https://a"],
        ],
    )
    def test_what_is_no_address_fails(self, value: Any) -> None:
        finding = of_field(value, url=True)
        assert not finding.passed
        assert "https://" in finding.reason
        assert of_field(value, url=False).passed

    def test_at_least_so_many_characters(self) -> None:
        assert not of_field("abc", least=4).passed
        assert of_field("abcd", least=4).passed
        assert of_field("abcde", least=4).passed
        assert not of_field(" abc ", least=4).passed, "space around it is none of its characters"
        assert of_field("äöüß", least=4).passed
        assert not of_field(["abcdefgh"], least=4).passed
        assert not of_field(12345, least=4).passed
        assert of_field("a", least=0).passed
        assert "4" in of_field("abc", least=4).reason

    def test_one_of(self) -> None:
        assert of_field("dev", one_of=["dev", "qa"]).passed
        assert of_field(" dev ", one_of=["dev", "qa"]).passed
        for wrong in ("Dev", "pdsa", ["dev"], {"dev": 1}):
            finding = of_field(wrong, one_of=["dev", "qa"])
            assert not finding.passed
            assert "dev, qa" in finding.reason

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ({}, "needs 'name'"),
            ({"name": ""}, "name is"),
            ({"name": " "}, "name is"),
            ({"name": 3}, "name is"),
            ({"name": "a", "url": "no"}, "url is"),
            ({"name": "a", "least": -1}, "least is"),
            ({"name": "a", "least": "3"}, "least is"),
            ({"name": "a", "least": True}, "least is"),
            ({"name": "a", "one_of": []}, "one_of is"),
            ({"name": "a", "one_of": "dev"}, "one_of is"),
            ({"name": "a", "one_of": [["dev"]]}, "one_of is"),
            ({"name": "a", "most": 3}, "knows no 'most'"),
        ],
    )
    def test_wrong_options_are_a_fault_and_pass_nobody(self, options: dict[str, Any], told: str) -> None:
        gate = Gate("field", options)
        assert told in " ".join(faults_of(gate))
        assert told in judged(gate, item=Item("work", "dev", fields={"a": "dev", "": "x"})).reason


class TestRecorded:
    KINDS = sorted(name for name, kind in GATES.items() if type(kind) is RecordedGate)

    @pytest.mark.parametrize("kind", KINDS)
    def test_it_is_judged_by_what_was_looked_up(self, kind: str) -> None:
        assert judged(Gate(kind), **{kind: PASSED}) == PASSED
        assert judged(Gate(kind), **{kind: FAILED}) == FAILED

    @pytest.mark.parametrize("kind", [*KINDS, "human_confirmed"])
    def test_what_nobody_looked_up_fails(self, kind: str) -> None:
        finding = judged(Gate(kind), **{f"{kind}:x": PASSED})
        assert not finding.passed
        assert kind in finding.reason

    def test_they_are_those_of_the_specification(self) -> None:
        named = {"memory_queried", "memory_contributed", "dependencies_complete", "inputs_satisfied"}
        named |= {"outputs_present", "quality_gates_passed"}
        assert named | {"input_withdrawn", "quality_gate_failed", "child_open", "children_done"} == {*self.KINDS}
        assert {"field", "human_confirmed", "other_agent", "evidence", *COMBINED} == GATES.keys() - {*self.KINDS}

    def test_options_are_a_fault(self) -> None:
        assert [*faults_of(Gate("memory_queried", {"skip": True}))] == ["memory_queried knows no 'skip'"]
        assert not judged(Gate("memory_queried", {"skip": True}), memory_queried=PASSED).passed


class TestEvidence:
    def test_it_is_judged_by_its_own_name(self) -> None:
        gate = Gate("evidence", {"name": "tests", "kind": "file", "path": "report.xml"})
        found = {"evidence:tests": PASSED, "evidence:docs": FAILED}
        assert judged(gate, **found) == PASSED
        assert judged(Gate("evidence", {"name": "docs", "kind": "file"}), **found) == FAILED
        assert not judged(Gate("evidence", {"name": "more", "kind": "file"}), **found).passed

    @pytest.mark.parametrize("options", [{}, {"name": "a"}, {"kind": "a"}, {"name": "a", "kind": 3}])
    def test_it_needs_a_name_and_a_kind(self, options: dict[str, Any]) -> None:
        assert [*faults_of(Gate("evidence", options))]

    def test_a_path_is_a_text(self) -> None:
        assert [*faults_of(Gate("evidence", {"name": "a", "kind": "b", "path": ["c"]}))] == ["path is a text"]


class TestHumanConfirmed:
    def test_a_yes_that_was_found_passes(self) -> None:
        assert judged(Gate("human_confirmed"), human_confirmed=PASSED).passed
        assert not judged(Gate("human_confirmed"), human_confirmed=FAILED).passed

    def test_who_moves_in_person_says_it_by_that(self) -> None:
        assert judged(Gate("human_confirmed"), actor=HUMAN, human_confirmed=FAILED).passed

    def test_nobody_else_does(self) -> None:
        assert not judged(Gate("human_confirmed"), actor=SYSTEM).passed
        assert not judged(Gate("human_confirmed"), actor=agent("human", roles=["human"])).passed


class TestOtherAgent:
    @pytest.mark.parametrize("name", ["ann", "ann/reviewer", "ann/"])
    @pytest.mark.parametrize("worked_by", ["ann", "ann/writer"])
    def test_who_held_the_work_is_no_other_also_behind_the_slash(self, name: str, worked_by: str) -> None:
        finding = judged(Gate("other_agent"), actor=agent("qa", name), item=Item("check", "qa", worked_by=worked_by))
        assert not finding.passed
        assert name in finding.reason
        assert finding.remedy

    @pytest.mark.parametrize("name", ["bob", "annabel", "an", "bob/ann"])
    def test_another_is(self, name: str) -> None:
        item = Item("check", "qa", worked_by="ann/writer")
        assert judged(Gate("other_agent"), actor=agent("qa", name), item=item).passed

    def test_a_person_and_bigmind_are_others_and_where_nobody_worked_everybody_is(self) -> None:
        item = Item("check", "qa", worked_by="ann")
        assert judged(Gate("other_agent"), actor=HUMAN, item=item).passed
        assert judged(Gate("other_agent"), actor=SYSTEM, item=item).passed
        assert judged(Gate("other_agent"), item=Item("check", "qa")).passed


class TestCombined:
    A, B, C = Gate("memory_queried"), Gate("memory_contributed"), Gate("field", {"name": "c"})

    @staticmethod
    def found(*passed: str) -> dict[str, Finding]:
        kinds = ("memory_queried", "memory_contributed")
        return {
            kind: Finding(kind in passed, f"{kind} seen", f"{kind} is not there.", f"Do {kind}.", {kind: "1"})
            for kind in kinds
        }

    def test_all_of_needs_each(self) -> None:
        gate = Gate("all_of", parts=(self.A, self.B))
        assert judged(gate, **self.found("memory_queried", "memory_contributed")).passed
        assert not judged(gate, **self.found("memory_queried")).passed
        assert not judged(gate, **self.found()).passed

    def test_any_of_needs_one(self) -> None:
        gate = Gate("any_of", parts=(self.A, self.B))
        assert judged(gate, **self.found("memory_queried", "memory_contributed")).passed
        assert judged(gate, **self.found("memory_contributed")).passed
        assert not judged(gate, **self.found()).passed

    def test_it_tells_what_is_missing_and_only_that(self) -> None:
        finding = judged(Gate("all_of", parts=(self.A, self.B)), **self.found("memory_queried"))
        assert finding.reason == "memory_contributed is not there."
        assert finding.remedy == "Do memory_contributed."
        finding = judged(Gate("any_of", parts=(self.A, self.B)), **self.found())
        assert finding.reason == "memory_queried is not there. memory_contributed is not there."

    def test_it_tells_what_was_seen(self) -> None:
        finding = judged(Gate("any_of", parts=(self.A, self.B)), **self.found("memory_contributed"))
        assert (finding.evidence, finding.seen) == ("memory_contributed seen", {"memory_contributed": "1"})

    def test_they_nest(self) -> None:
        gate = Gate("all_of", parts=(self.C, Gate("any_of", parts=(self.A, Gate("all_of", parts=(self.B, self.C))))))
        assert gate.name == "(field:c and (memory_queried or (memory_contributed and field:c)))"
        assert [each.name for each in gate.each()] == ["field:c", "memory_queried", "memory_contributed", "field:c"]
        given = Item("work", "dev", fields={"c": "x"})
        assert judged(gate, item=given, **self.found("memory_contributed")).passed
        assert not judged(gate, **self.found("memory_contributed")).passed
        assert not judged(gate, item=given, **self.found()).passed

    def test_a_part_that_is_not_understood_does_not_pass(self) -> None:
        assert not judged(Gate("all_of", parts=(self.A, Gate("gone"))), memory_queried=PASSED, gone=PASSED).passed
        assert not judged(Gate("any_of", parts=(Gate("gone"),)), gone=PASSED).passed

    @pytest.mark.parametrize("kind", sorted(COMBINED))
    def test_of_nothing_it_is_a_fault_and_passes_nobody(self, kind: str) -> None:
        assert [*faults_of(Gate(kind))] == [f"{kind} needs a list of gates"]
        assert not judged(Gate(kind)).passed


def test_a_kind_that_is_not_known_does_not_pass_and_is_told_with_those_that_are() -> None:
    finding = judged(Gate("memory_quried"), memory_quried=PASSED)
    assert not finding.passed
    assert "memory_queried" in finding.reason
