"""Process documents: what is read, what is refused and how it is told, the published schema, gates there and back."""

import json
from dataclasses import replace
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from bigmind.core.errors import BigMindError, Code
from bigmind.flow.gates import GATES
from bigmind.flow.process_document import dropped_gates, gate_as_form, gate_from, read_process, schema
from bigmind.flow.workflow import Effect, Gate, Level, Transition
from bigmind.work.rules import FIELD_NAME
from tests.flow.processes import STATES, document
from tests.flow.shipped import FILES, FOLDER, shipped

CLAIM = "{from: open, to: work, by: [own]}"
HAND_OVER = "{from: work, to: check, by: [own]}"
END = "{from: check, to: done, by: [own]}"
HOLD = "{from: any, to: held, by: [anyone], open: true}"
RESTORE = "{from: held, to: restore, by: [anyone], open: true}"
FRAME = (CLAIM, HAND_OVER, END, HOLD, RESTORE)
GOOD = document(*FRAME)


def refusal(text: str) -> str:
    with pytest.raises(BigMindError) as raised:
        read_process(text, "small.yaml")
    assert raised.value.code is Code.INVALID_INPUT
    assert raised.value.hint
    return raised.value.message


def with_rule(rule: str) -> str:
    """The good document with one more transition; its line is 16."""
    return document(*FRAME, rule)


class TestReading:
    def test_a_document_becomes_a_process(self) -> None:
        small = read_process(
            document(
                *FRAME,
                "{from: check, to: open, by: [qa, human], role: qa, worked_as: dev, by_others: true, "
                "gates: [{field: {name: a, least: 3, level: SHOULD}}], effects: [{set_role: dev}], "
                "label: Back, prompt: Go.}",
            ),
            "small.yaml",
        )
        rule = small.transitions[-1]
        assert (rule.source, rule.target, rule.actors) == ("check", "open", {"qa", "human"})
        assert (rule.role, rule.worked_as, rule.is_open, rule.by_others) == ("qa", "dev", False, True)
        assert rule.gates == (Gate("field", {"name": "a", "least": 3}, Level.SHOULD),)
        assert rule.effects == (Effect("set_role", "dev"),)
        assert (rule.label, rule.prompt) == ("Back", "Go.")
        assert (small.name, small.version, small.title, small.first_role) == ("small", 1, "Small", "dev")
        assert (small.states["held"].saves, small.states["held"].keeps_holder) == (True, True)
        assert small.transitions[0].label == "To work"

    def test_a_field_is_called_like_nothing_that_is_granted(self) -> None:
        gates = "gates: [{any_of: [other_agent, {field: {name: state}}]}, {field: {name: note}}]"
        text = with_rule(f"{{from: check, to: open, by: [own], {gates}, effects: [{{clear_fields: [lease, note]}}]}}")
        with pytest.raises(BigMindError) as raised:
            read_process(text, "small.yaml", {"state", "lease"})
        told = "is no field: BigMind itself keeps it; call yours otherwise, such as"
        assert raised.value.message.splitlines() == [
            f"small.yaml, line 16: transitions[5].gates[0]: state {told} own_state.",
            f"small.yaml, line 16: transitions[5].effects[0]: lease {told} own_lease.",
        ]
        assert read_process(text, "small.yaml").name == "small"  # one that was taken before goes on

    def test_a_field_is_called_as_one_of_an_item_can_be(self) -> None:
        gates = "gates: [{any_of: [other_agent, {field: {name: Story-Points}}]}, "
        gates += "{field: {name: note_2}}, {field: {name: été}}]"
        text = with_rule(f"{{from: check, to: open, by: [own], {gates}, effects: [{{clear_fields: [7up, note_2]}}]}}")
        with pytest.raises(BigMindError) as raised:
            read_process(text, "small.yaml", (), FIELD_NAME)
        right = "small letters, digits and _, at most 60, a letter first"
        other = "such as story_points"
        assert raised.value.message.splitlines() == [
            f"small.yaml, line 16: transitions[5].gates[0]: no item can have a field 'Story-Points': {right}, {other}.",
            f"small.yaml, line 16: transitions[5].gates[2]: no item can have a field 'été': {right}.",
            f"small.yaml, line 16: transitions[5].effects[0]: no item can have a field '7up': {right}.",
        ]
        assert read_process(text, "small.yaml").name == "small"  # one that was taken before goes on

    def test_it_is_known_by_its_hash(self) -> None:
        assert read_process(GOOD, "a.yaml").digest != read_process(GOOD + "\n", "a.yaml").digest
        assert read_process(GOOD, "a.yaml") == read_process(GOOD, "b.yaml")
        assert len(read_process(GOOD, "a.yaml").digest) == 64

    def test_where_an_item_begins_is_told_the_usual_state_first(self) -> None:
        assert shipped("task").begins_in == ("pending", "backlog")

    @pytest.mark.parametrize("name", FILES)
    def test_every_shipped_document_is_read(self, name: str) -> None:
        assert shipped(name).name == name


FAULTS = {
    "an unknown gate": (
        with_rule("{from: check, to: open, by: [own], gates: [memory_quried]}"),
        16,
        "transitions[5].gates[0]",
        "there is no kind of gate 'memory_quried'",
    ),
    "an unknown gate within another": (
        with_rule("{from: check, to: open, by: [own], gates: [other_agent, {any_of: [other_agent, nothing]}]}"),
        16,
        "transitions[5].gates[1].any_of[1]",
        "there is no kind of gate 'nothing'",
    ),
    "an unknown option": (
        with_rule("{from: check, to: open, by: [own], gates: [{field: {name: a, most: 3}}]}"),
        16,
        "transitions[5].gates[0]",
        "field knows no 'most'",
    ),
    "a missing option": (
        with_rule("{from: check, to: open, by: [own], gates: [field]}"),
        16,
        "transitions[5].gates[0]",
        "field needs 'name'",
    ),
    "a wrong option": (
        with_rule("{from: check, to: open, by: [own], gates: [{field: {name: a, least: x}}]}"),
        16,
        "transitions[5].gates[0]",
        "least is a number of characters",
    ),
    "options that are none": (
        with_rule("{from: check, to: open, by: [own], gates: [{memory_queried: [1]}]}"),
        16,
        "transitions[5].gates[0]",
        "memory_queried with [1]",
    ),
    "a skip of a memory gate": (
        with_rule("{from: check, to: open, by: [own], gates: [{memory_queried: {skip: true}}]}"),
        16,
        "transitions[5].gates[0]",
        "memory_queried knows no 'skip'",
    ),
    "an unknown level": (
        with_rule("{from: check, to: open, by: [own], gates: [{other_agent: {level: SHALL}}]}"),
        16,
        "transitions[5].gates[0]",
        "level 'SHALL'",
    ),
    "an unknown level of several": (
        with_rule("{from: check, to: open, by: [own], gates: [{any_of: [other_agent], level: SHALL}]}"),
        16,
        "transitions[5].gates[0]",
        "level 'SHALL'",
    ),
    "a level within another": (
        with_rule("{from: check, to: open, by: [own], gates: [{all_of: [{other_agent: {level: MAY}}]}]}"),
        16,
        "transitions[5].gates[0]",
        "the level of all_of stands beside it",
    ),
    "two gates as one": (
        with_rule("{from: check, to: open, by: [own], gates: [{memory_queried: {}, other_agent: {}}]}"),
        16,
        "transitions[5].gates[0]",
        "memory_queried with other_agent",
    ),
    "a key beside several": (
        with_rule("{from: check, to: open, by: [own], gates: [{all_of: [other_agent], levl: MAY}]}"),
        16,
        "transitions[5].gates[0]",
        "all_of with levl",
    ),
    "no gate at all": (
        with_rule("{from: check, to: open, by: [own], gates: [{}]}"),
        16,
        "transitions[5].gates[0]",
        "there is no kind of gate ''",
    ),
    "all of nothing": (
        with_rule("{from: check, to: open, by: [own], gates: [{all_of: []}]}"),
        16,
        "transitions[5].gates[0]",
        "all_of needs a list of gates",
    ),
    "all of no list": (
        with_rule("{from: check, to: open, by: [own], gates: [{all_of: other_agent}]}"),
        16,
        "transitions[5].gates[0]",
        "all_of needs a list of gates",
    ),
    "parts that are no gates": (
        with_rule("{from: check, to: open, by: [own], gates: [{all_of: [1, [2], {3: 4}]}]}"),
        16,
        "transitions[5].gates[0].all_of[1]",
        "there is no kind of gate '[2]'",
    ),
    "evidence of one name that means two things": (
        document(
            *FRAME,
            "{from: check, to: open, by: [own], gates: [{evidence: {name: a, kind: file, path: b}}]}",
            "{from: open, to: check, by: [own], gates: [{evidence: {name: a, kind: file, path: c}}]}",
        ),
        17,
        "transitions[6].gates",
        "evidence:a looks at something else elsewhere",
    ),
    "an unknown effect": (
        with_rule("{from: check, to: open, by: [own], effects: [{send: x}]}"),
        16,
        "transitions[5].effects[0]",
        "there is no effect 'send'; there are clear_fields, emit, set_role",
    ),
    "two effects as one": (
        with_rule("{from: check, to: open, by: [own], effects: [{emit: a, set_role: dev}]}"),
        16,
        "transitions[5].effects[0]",
        "at most 1",
    ),
    "a role set that no one has": (
        with_rule("{from: check, to: open, by: [own], effects: [{set_role: boss}]}"),
        16,
        "transitions[5].effects[0]",
        "no one has the role 'boss'",
    ),
    "a role set that is none": (
        with_rule("{from: check, to: open, by: [own], effects: [{set_role: 3}]}"),
        16,
        "transitions[5].effects[0]",
        "set_role takes a role",
    ),
    "a role from a field that no gate looks at": (
        with_rule("{from: check, to: open, by: [own], effects: [{set_role: $to}]}"),
        16,
        "transitions[5].effects[0]",
        "no gate says which roles to may be",
    ),
    "a role from a field that may be anything": (
        with_rule("{from: check, to: open, by: [own], gates: [{field: {name: to}}], effects: [{set_role: $to}]}"),
        16,
        "transitions[5].effects[0]",
        "no gate says which roles to may be",
    ),
    "a role from a field that only should be one": (
        with_rule(
            "{from: check, to: open, by: [own], gates: [{field: {name: to, one_of: [dev], level: SHOULD}}], "
            "effects: [{set_role: $to}]}"
        ),
        16,
        "transitions[5].effects[0]",
        "no gate says which roles to may be",
    ),
    "a role from a field that may be another": (
        with_rule(
            "{from: check, to: open, by: [own], gates: [{field: {name: to, one_of: [dev, boss]}}], "
            "effects: [{set_role: $to}]}"
        ),
        16,
        "transitions[5].effects[0]",
        "no gate says which roles to may be",
    ),
    "fields cleared that are no list": (
        with_rule("{from: check, to: open, by: [own], effects: [{clear_fields: a}]}"),
        16,
        "transitions[5].effects[0]",
        "clear_fields takes a list",
    ),
    "an event without a name": (
        with_rule("{from: check, to: open, by: [own], effects: [{emit: [a]}]}"),
        16,
        "transitions[5].effects[0]",
        "emit takes the name of an event",
    ),
    "a source that is no state": (
        with_rule("{from: opn, to: done, by: [own]}"),
        16,
        "transitions[5].from",
        "there is no state 'opn'",
    ),
    "a target that is no state": (
        with_rule("{from: open, to: don, by: [own]}"),
        16,
        "transitions[5].to",
        "there is no state 'don'",
    ),
    "a restore from what saves nothing": (
        with_rule("{from: open, to: restore, by: [own]}"),
        16,
        "transitions[5].to",
        "restore leads from a state with `saves: true` alone",
    ),
    "a restore from anywhere": (
        with_rule("{from: any, to: restore, by: [own]}"),
        16,
        "transitions[5].to",
        "restore leads from a state with `saves: true` alone",
    ),
    "what interrupts what interrupts": (
        with_rule("{from: held, to: held, by: [own]}"),
        16,
        "transitions[5].to",
        "a state that saves leads to no other that saves",
    ),
    "an actor that no one is": (
        with_rule("{from: check, to: open, by: [boss]}"),
        16,
        "transitions[5].by",
        "no one has the role 'boss'",
    ),
    "a role that no item has": (
        with_rule("{from: check, to: open, by: [own], role: boss}"),
        16,
        "transitions[5].role",
        "no one has the role 'boss'",
    ),
    "work in a role that no item has": (
        with_rule("{from: check, to: open, by: [own], worked_as: boss}"),
        16,
        "transitions[5].worked_as",
        "no one has the role 'boss'",
    ),
    "a move that nobody can make": (
        with_rule("{from: check, to: open, by: [qa], role: dev}"),
        16,
        "transitions[5].by",
        "none of these can make it in the role 'dev'",
    ),
    "a move of the holder where nobody holds": (
        with_rule("{from: check, to: open, by: [holder], role: dev}"),
        16,
        "transitions[5].by",
        "none of these can make it in the role 'dev'",
    ),
    "nobody": (with_rule("{from: check, to: open, by: []}"), 16, "transitions[5].by", "at least 1"),
    "two rules of equal rank": (
        with_rule("{from: open, to: work, by: [qa], open: true}"),
        16,
        "transitions[5]",
        "two rules of equal rank: it says the same as transition 1: open to work",
    ),
    "two rules from anywhere for one actor": (
        document(*FRAME, "{from: any, to: done, by: [qa, dev]}", "{from: any, to: done, by: [qa]}"),
        17,
        "transitions[6]",
        "two rules of equal rank: it says the same as transition 6",
    ),
    "two rules from anywhere for anyone": (
        with_rule("{from: any, to: held, by: [anyone, qa]}"),
        16,
        "transitions[5]",
        "two rules of equal rank",
    ),
    "two rules from anywhere, one by role": (
        document(*FRAME, "{from: any, to: done, by: [qa], open: true}", "{from: any, to: done, by: [qa], role: qa}"),
        17,
        "transitions[6]",
        "two rules of equal rank",
    ),
    "two rules from anywhere, of own and named": (
        document(*FRAME, "{from: any, to: done, by: [own]}", "{from: any, to: done, by: [qa]}"),
        17,
        "transitions[6]",
        "two rules of equal rank",
    ),
    "two rules by the work before": (
        document(
            *FRAME,
            "{from: check, to: open, by: [own], worked_as: dev}",
            "{from: check, to: open, by: [own], role: qa, worked_as: dev}",
        ),
        17,
        "transitions[6]",
        "two rules of equal rank",
    ),
    "no begin": (GOOD.replace("{begins: true}", "{}"), 4, "states", "no state begins"),
    "no final": (GOOD.replace("{final: true}", "{}"), 4, "states", "no state is final"),
    "a first role that no one has": (
        GOOD.replace("states:", "first_role: boss\nstates:"),
        4,
        "first_role",
        "no one has the role 'boss'",
    ),
    "force of a role that no one has": (
        GOOD.replace("states:", "forced_by: [system]\nstates:"),
        4,
        "forced_by",
        "no one has the role 'system'",
    ),
    "a role that is a word of the engine": (
        GOOD.replace("[dev, qa]", "[dev, human]"),
        3,
        "roles[1]",
        "'human' is a word of the engine, and no role",
    ),
    "a state that is a word of the engine": (
        GOOD.replace("  check: {}", "  any: {}\n  check: {}"),
        7,
        "states.any",
        "'any' is a word of the engine, and no state",
    ),
    "a claimed state that saves": (
        GOOD.replace("{claimed: true}", "{claimed: true, saves: true}"),
        6,
        "states.work",
        "what interrupts is not claimed",
    ),
    "a state that is not reached": (
        GOOD.replace("  check: {}", "  far: {}\n  check: {}"),
        7,
        "states.far",
        "unreachable",
    ),
    "a dead end": (
        document(*FRAME, "{from: open, to: stuck, by: [own]}", states=STATES + "  stuck: {}\n"),
        10,
        "states.stuck",
        "dead end: in the role dev",
    ),
    "a dead end in one role": (
        document(
            CLAIM,
            HAND_OVER[:-1] + ", effects: [{set_role: qa}]}",
            "{from: check, to: done, by: [dev]}",
            HOLD,
            RESTORE,
            "{from: work, to: done, by: [own]}",
        ),
        7,
        "states.check",
        "dead end: in the role qa",
    ),
    "a dead end but for what interrupts and what leads there from anywhere": (
        document(
            CLAIM,
            HAND_OVER,
            "{from: work, to: done, by: [own]}",
            "{from: any, to: gone, by: [own]}",
            HOLD,
            RESTORE,
            "{from: check, to: held, by: [own]}",
            states=STATES + "  gone: {final: true}\n",
        ),
        7,
        "states.check",
        "dead end: in the role dev",
    ),
    "a state that saves and restores nothing": (
        document(CLAIM, HAND_OVER, END, HOLD),
        9,
        "states.held",
        "dead end: in the role dev",
    ),
    "a state that is restored by nobody": (
        document(CLAIM, HAND_OVER, END, HOLD, "{from: held, to: restore, by: [qa]}"),
        9,
        "states.held",
        "dead end: in the role dev",
    ),
    "a way on for its holder alone where nobody holds": (
        document(CLAIM, HAND_OVER, "{from: check, to: done, by: [holder]}", HOLD, RESTORE),
        8,
        "states.done",
        "unreachable",
    ),
    "an unknown key": (GOOD.replace("version: 1", "version: 1\nversions: 2"), 3, "versions", "not permitted"),
    "an unknown key of a state": (
        GOOD.replace("{begins: true}", "{begin: true}"),
        5,
        "states.open.begin",
        "not permitted",
    ),
    "an unknown key of a transition": (
        with_rule("{from: open, to: done, by: [own], gate: []}"),
        16,
        "transitions[5].gate",
        "not permitted",
    ),
    "a missing key": (with_rule("{from: open, by: [own]}"), 16, "transitions[5].to", "required"),
    "no process": (GOOD.replace("process: small\n", ""), 1, "process", "required"),
    "a name that is none": (GOOD.replace("process: small", "process: Small one"), 1, "process", "match"),
    "a state's name that is none": (GOOD.replace("  check: {}", "  check it: {}"), 7, "states.check it", "match"),
    "a version of nothing": (GOOD.replace("version: 1", "version: 0"), 2, "version", "greater than"),
    "a version as a text": (GOOD.replace("version: 1", "version: '1'"), 2, "version", "integer"),
    "a yes that is a text": (GOOD.replace("{begins: true}", "{begins: yes}"), 5, "states.open.begins", "boolean"),
    "a list that is a text": (GOOD.replace("roles: [dev, qa]", "roles: dev"), 3, "roles", "list"),
    "states in a list": (GOOD.replace("states:\n", "states: [open]\nothers:\n"), 4, "states", "dictionary"),
    "a gate that is a number": (
        with_rule("{from: open, to: done, by: [own], gates: [3]}"),
        16,
        "transitions[5].gates[0]",
        "string",
    ),
    "a title that is a date": (GOOD.replace("version: 1", "version: 1\ntitle: 2001-01-01"), 3, "title", "string"),
    "a title that is too long": (
        GOOD.replace("version: 1", f"version: 1\ntitle: {'x' * 61}"),
        3,
        "title",
        "at most 60",
    ),
    "another format": (GOOD.replace("version: 1", "version: 1\nformat: bpmn"), 3, "format", "bigmind-process"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_names_file_line_and_key(fault: str) -> None:
    text, line, key, told = FAULTS[fault]
    found = refusal(text).splitlines()
    assert [each for each in found if each.startswith(f"small.yaml, line {line}: {key}: ") and told in each], found


def test_all_faults_are_told_at_once_the_first_ten() -> None:
    rules = [f"{{from: open, to: nowhere{number}, by: [boss]}}" for number in range(3)]
    assert len(refusal(document(*FRAME, *rules)).splitlines()) == 6
    rules = [f"{{from: open, to: nowhere{number}, by: [boss]}}" for number in range(6)]
    assert refusal(document(*FRAME, *rules)).splitlines()[10:] == ["and 2 more."]


NO_YAML = {
    "a key twice": (GOOD.replace("version: 1", "version: 1\nversion: 2"), "small.yaml, line 3: ", "duplicate key"),
    "a state twice": (GOOD.replace("  check: {}", "  check: {}\n  check: {}"), "small.yaml, line 8: ", "duplicate key"),
    "an alias": (GOOD.replace("[dev, qa]", "&a [dev, qa]") + "forced_by: *a\n", "small.yaml, line 16: ", "aliases"),
    "a merge": (
        GOOD.replace("{begins: true}", "&a {begins: true}").replace("  check: {}", "  check: {<<: *a}"),
        "small.yaml, line 7: ",
        "aliases",
    ),
    "a tab": (GOOD.replace("  check", "\tcheck"), "small.yaml, line 7: ", "'\\t'"),
    "an open bracket": (GOOD.replace("[dev, qa]", "[dev, qa"), "small.yaml, line 4: ", ""),
    "a zero": (GOOD.replace("roles", "ro\0les"), "small.yaml, line 3: ", "U+0000"),
    "half a character": (GOOD.replace("roles", "ro\ud800les"), "small.yaml, line 3: ", "U+D800"),
    "two documents": (GOOD + "---\n" + GOOD, "small.yaml, line 16: ", ""),
    "nothing": ("", "small.yaml, line 1: the document: ", ""),
    "a comment": ("# nothing\n", "small.yaml, line 1: the document: ", ""),
    "a text": ("process", "small.yaml, line 1: the document: ", ""),
    "a list": ("- process\n", "small.yaml, line 1: the document: ", ""),
    "a number without end": (GOOD.replace("version: 1", f"version: {'9' * 5000}"), "small.yaml", ""),
}


@pytest.mark.parametrize("fault", NO_YAML)
def test_what_is_no_document_is_refused_with_its_line(fault: str) -> None:
    text, begins, told = NO_YAML[fault]
    found = refusal(text)
    assert found.startswith(begins), found
    assert told in found


@pytest.mark.parametrize("deep", ["[" * 5000, "{a: " * 5000, "- " * 5000, "[" * 3000 + "]" * 3000])
def test_what_is_nested_too_deep_is_refused(deep: str) -> None:
    assert refusal(deep).startswith("small.yaml")
    assert refusal(GOOD.replace("[dev, qa]", deep)).startswith("small.yaml")


@pytest.mark.parametrize("depth", [1, 15, 20, 900])
def test_gates_nested_as_deep_as_one_likes_are_read_or_refused(depth: int) -> None:
    gate = "{all_of: [" * depth + "other_agent" + "]}" * depth
    text = with_rule(f"{{from: check, to: open, by: [own], gates: [{gate}]}}")
    if depth > 15:
        assert refusal(text) == "small.yaml, line 16: more than 40 things within each other."
    else:
        small = read_process(text, "small.yaml")
        assert [each.kind for each in small.transitions[-1].gates[0].each()] == ["other_agent"]


def test_what_is_too_large_is_refused_before_it_is_read() -> None:
    with pytest.raises(BigMindError) as raised:
        read_process(GOOD + "#" * 200_000, "small.yaml")
    assert raised.value.code is Code.TOO_LARGE
    assert "200,000" in raised.value.message
    assert read_process(GOOD + "#" * (200_000 - len(GOOD)), "small.yaml").name == "small"


@example("{}")
@example("roles: {}\nstates: []")
@given(st.text() | st.text(alphabet="[]{}:,-#&*!|>'\"%@` \n\tab"))
def test_any_text_is_a_process_or_refused(text: str) -> None:
    refusal(text)
    refusal(GOOD.replace("[dev, qa]", text) + "  x")


class TestAccepted:
    def test_an_end_that_is_reached_from_anywhere_alone_is_an_end(self) -> None:
        small = read_process(document(CLAIM, HAND_OVER, "{from: any, to: done, by: [own]}", HOLD, RESTORE), "a.yaml")
        assert small.transitions[2].source == "any"

    def test_rules_from_anywhere_for_different_actors_go_together(self) -> None:
        rules = [
            "{from: any, to: done, by: [qa]}",
            "{from: any, to: done, by: [dev]}",
            "{from: any, to: done, by: [system]}",
        ]
        assert len(read_process(document(*FRAME, *rules), "a.yaml").transitions) == 8

    def test_a_state_without_properties_needs_no_braces(self) -> None:
        assert not read_process(GOOD.replace("check: {}", "check:"), "a.yaml").states["check"].is_final

    def test_a_role_from_a_field_is_one_that_its_gate_lets_pass(self) -> None:
        gates = "gates: [{field: {name: to, one_of: [dev]}}], effects: [{set_role: $to}]"
        assert read_process(with_rule(f"{{from: check, to: open, by: [own], {gates}}}"), "a.yaml")


class TestSchema:
    VALIDATOR = Draft202012Validator(schema())

    def test_it_is_the_published_one(self) -> None:
        published = json.loads((FOLDER.parent / "process.schema.json").read_text(encoding="utf-8"))
        assert published == schema(), "run packaging/process_schema.py"

    def test_it_is_a_schema(self) -> None:
        Draft202012Validator.check_schema(schema())

    @pytest.mark.parametrize("name", FILES)
    def test_it_accepts_the_shipped_documents(self, name: str) -> None:
        tree = yaml.safe_load(FILES[name].read_text(encoding="utf-8"))
        assert [each.message for each in self.VALIDATOR.iter_errors(tree)] == []

    def test_it_accepts_the_small_one(self) -> None:
        assert [*self.VALIDATOR.iter_errors(yaml.safe_load(GOOD))] == []

    @pytest.mark.parametrize(
        "fault",
        [
            "an unknown key",
            "an unknown key of a state",
            "an unknown key of a transition",
            "a missing key",
            "no process",
            "a name that is none",
            "a state's name that is none",
            "a version of nothing",
            "a version as a text",
            "a list that is a text",
            "states in a list",
            "a gate that is a number",
            "a title that is too long",
            "another format",
            "nobody",
            "two effects as one",
        ],
    )
    def test_it_refuses_a_broken_one(self, fault: str) -> None:
        assert [*self.VALIDATOR.iter_errors(yaml.safe_load(FAULTS[fault][0]))]


scalars = st.text(max_size=5) | st.integers() | st.booleans()
levels = st.sampled_from([*Level])
kinds = st.sampled_from(sorted({*GATES} - {"all_of", "any_of"}))
options = st.dictionaries(st.sampled_from(["name", "least", "one_of", "url"]), scalars | st.lists(scalars, max_size=2))
leaves = st.builds(Gate, kinds, options, levels)
gates = st.recursive(
    leaves,
    lambda inner: st.builds(
        Gate,
        st.sampled_from(["all_of", "any_of"]),
        level=levels,
        parts=st.lists(inner, min_size=1, max_size=3).map(tuple),
    ),
    max_leaves=6,
)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["all_of", "any_of", "field", "level", "name", "x", 3]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(gates)
def test_a_gate_as_a_document_writes_it_is_the_gate(gate: Gate) -> None:
    form = gate_as_form(gate)
    assert gate_from(form) == gate
    assert gate_from(json.loads(json.dumps(form))) == gate


@given(json_values)
def test_whatever_stands_for_a_gate_becomes_one(form: Any) -> None:
    assert isinstance(gate_from(form), Gate)


def test_the_shortest_form_is_written() -> None:
    assert gate_as_form(Gate("other_agent")) == "other_agent"
    assert gate_as_form(Gate("other_agent", level=Level.MAY)) == {"other_agent": {"level": "MAY"}}
    assert gate_as_form(Gate("field", {"name": "a"})) == {"field": {"name": "a"}}
    both = Gate("any_of", level=Level.BY_END, parts=(Gate("other_agent"), Gate("human_confirmed")))
    assert gate_as_form(both) == {"any_of": ["other_agent", "human_confirmed"], "level": "MUST_BY_END"}


class TestDroppedGates:
    @staticmethod
    def dropped(before: str, after: str) -> list[str]:
        documents = (with_rule(f"{{from: check, to: open, by: [own], {each}}}") for each in (before, after))
        return dropped_gates(*(read_process(each, "small.yaml") for each in documents))

    def test_the_same_document_drops_nothing(self) -> None:
        assert self.dropped("gates: [other_agent]", "gates: [other_agent]") == []
        assert self.dropped("label: a", "gates: [other_agent]") == []

    def test_a_gate_that_is_gone_is_told_with_its_transition(self) -> None:
        assert self.dropped("gates: [other_agent, human_confirmed]", "gates: [human_confirmed]") == [
            "check to open: other_agent"
        ]
        assert self.dropped("role: qa, gates: [other_agent]", "role: qa") == ["check to open (qa): other_agent"]
        worked = "role: qa, worked_as: dev"
        assert self.dropped(f"{worked}, gates: [other_agent]", worked) == [
            "check to open (qa, work of dev): other_agent"
        ]

    def test_a_gate_that_asks_for_less_is_told(self) -> None:
        assert self.dropped("gates: [other_agent]", "gates: [{other_agent: {level: SHOULD}}]") == [
            "check to open: other_agent"
        ]
        strict = "gates: [{field: {name: a, least: 20, level: MUST_BY_END}}]"
        assert self.dropped(strict, "gates: [{field: {name: a, least: 1, level: MUST_BY_END}}]") == [
            "check to open: field:a, least 20, MUST BY END"
        ]
        assert self.dropped("gates: [other_agent]", "gates: [{any_of: [other_agent, human_confirmed]}]") == [
            "check to open: other_agent"
        ]

    def test_a_transition_that_is_gone_takes_its_gates_along(self) -> None:
        before = read_process(with_rule("{from: check, to: open, by: [own], gates: [other_agent]}"), "small.yaml")
        assert dropped_gates(before, read_process(GOOD, "small.yaml")) == ["check to open: other_agent"]
        assert dropped_gates(read_process(GOOD, "small.yaml"), before) == []

    def test_a_narrower_transition_past_a_gate_is_told(self) -> None:
        before = with_rule("{from: check, to: open, by: [own], gates: [other_agent]}")
        after = before + "  - {from: check, to: open, by: [own], role: qa}\n"
        found = dropped_gates(read_process(before, "small.yaml"), read_process(after, "small.yaml"))
        assert found == ["check to open (qa): other_agent"]

    def test_a_new_way_past_what_all_others_ask_for_is_told(self) -> None:
        before = shipped("task")
        way = Transition("ready", "complete", frozenset({"pdsa"}), gates=(Gate("field", {"name": "abstract_ref"}),))
        after = replace(before, transitions=(*before.transitions, way))
        assert dropped_gates(before, after) == ["ready to complete: human_confirmed"]

    def test_from_anywhere_each_actor_has_gates_of_its_own(self) -> None:
        gated = "{from: any, to: done, by: [qa], gates: [other_agent]}"
        free = "{from: any, to: done, by: [system], open: true}"
        before, after = (document(*FRAME, gated, free), document(*FRAME, gated.replace("other_agent", ""), free))
        found = dropped_gates(read_process(before, "small.yaml"), read_process(after, "small.yaml"))
        assert found == ["any to done: other_agent"]
