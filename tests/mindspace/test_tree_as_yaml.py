"""The tree as YAML (work.md, "Mindspace"): in and out, twice the same, and what is wrong said with line and node."""

from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from bigmind.core.errors import Code
from tests.mindspace.grove import TESTED, Grove, done, grove_in, source
from tests.thorough import often
from tests.work.office import Worker, as_command_line

NODES = often(2_000, 300)
SMALL = """\
- id: refunds
  title: Refunds
  owner: orchestrator
  done:
    outputs:
      - type: state
        description: refunds are right
  children:
    - id: plan
      title: Plan the refunds
      owner: pdsa
      type: design
      phase: plan
      plan:
        url: https://example.org/plan
        path: docs/plan.md
      ready:
        context: Refunds are off by a cent.
      done:
        action: |-
          Write it down.

          All of it: "quoted", 'too'.
        acceptance: It is read.
        outputs:
          - type: file
            description: the plan
            path: docs/plan.md
        gates:
          - name: reads well
            verifier: liaison
            independent: true
    - id: code
      title: Round refunds to the cent
      owner: dev
      ready:
        inputs:
          - from: plan
            type: file
            path: docs/plan.md
      done:
        outputs:
          - type: file
            path: src/pay.py
"""


def take(grove: Grove, text: str, *, in_person: bool = False) -> Any:
    worker = grove.person if in_person else terminal(grove)
    return worker("mindspace_import", text=text)


def terminal(grove: Grove) -> Worker:
    return as_command_line(grove.planner)


def given(grove: Grove, root: str | None = None) -> str:
    return grove.person("mindspace_export", **({"root_id": root} if root else {})).text


def test_a_tree_is_taken_in_as_new_and_is_ready_by_itself(grove: Grove):
    answer = take(grove, SMALL)
    assert (answer.created, answer.changed, answer.unchanged) == (["refunds", "plan", "code"], [], 0)
    assert {each: grove.state(each) for each in answer.created} == {
        "refunds": "ready",
        "plan": "ready",
        "code": "pending",
    }
    assert grove.gates("code") == {"accepted": "pending"}
    assert [each[0] for each in grove.office.rows("SELECT kind FROM work_ledger")] == ["imported"] * 3
    tree = grove.dev("mindspace_get_tree").nodes
    assert [(each.node_id, each.depth, each.parent_id) for each in tree] == [
        ("refunds", 0, ""),
        ("plan", 1, "refunds"),
        ("code", 1, "refunds"),
    ]


def test_the_tree_that_the_page_shows_is_taken_as_it_stands(grove: Grove):
    page = (Path(__file__).parents[2] / "docs" / "mindspace.md").read_text(encoding="utf-8")
    shown = page.partition("```yaml\n")[2].partition("```")[0]
    assert take(grove, shown).created == ["audit", "refunds"]
    assert (grove.state("audit"), grove.state("refunds")) == ("ready", "pending")


def test_what_was_imported_moves_on_like_any_other(grove: Grove):
    take(grove, SMALL)
    grove.claim("plan")
    grove.submit("plan", {"type": "file", "description": "the plan", "path": "docs/plan.md"})
    grove.learn("plan")
    grove.books("plan", "review")
    grove.judge("plan", gate="reads well")
    assert (grove.state("plan"), grove.state("code")) == ("complete", "ready")


def test_importing_twice_changes_nothing(grove: Grove):
    take(grove, SMALL)
    before = grove.office.rows("SELECT max(number), count(*) FROM work_ledger")
    changes = grove.office.rows("SELECT max(id) FROM change")
    answer = take(grove, SMALL)
    assert (answer.created, answer.changed, answer.unchanged, answer.moved) == ([], [], 3, [])
    assert grove.office.rows("SELECT max(number), count(*) FROM work_ledger") == before
    assert grove.office.rows("SELECT max(id) FROM change") == changes


def test_an_export_is_an_import_byte_for_byte_after_one_normalisation(grove: Grove, tmp_path: Path):
    take(grove, SMALL)
    first = given(grove)
    take(grove, first)
    assert given(grove) == first
    with grove_in(tmp_path / "other") as other:
        other.person("mindspace_import", text=first)
        assert given(other) == first
        below = given(other, "plan")
        assert below.startswith("- id: plan\n")
        assert take(other, below).unchanged == 1


def test_an_export_in_the_middle_of_work_can_be_taken_in_again(grove: Grove):
    node = grove.make(
        "Round refunds to the cent", definition_of_done=done(gates=(TESTED, {"name": "b", "verifier": "qa"}))
    )
    grove.hand_over(node)
    grove.judge(node)
    text = given(grove)
    for words in ("state: review", "produced: ", "status: pass", "by: codex", "evidence: I ran it."):
        assert words in text
    assert take(grove, text, in_person=True).unchanged == 1
    assert given(grove) == text


def test_states_and_results_are_believed_in_person_alone(grove: Grove, tmp_path: Path):
    node = grove.make("Round refunds to the cent")
    grove.make("Tell the customers of rounding", node)
    grove.complete(node)
    text = given(grove)
    with grove_in(tmp_path / "agent") as other:
        take(other, text)
        assert (other.state(node), other.state("tell-the-customers-of-rounding")) == ("ready", "pending")
        assert other.gates(node) == {"tests pass": "pending"}
        assert other.office.rows("SELECT count(*) FROM work_node_output WHERE produced_at IS NOT NULL") == [(0,)]
    with grove_in(tmp_path / "person") as other:
        take(other, text, in_person=True)
        assert (other.state(node), other.state("tell-the-customers-of-rounding")) == ("complete", "ready")
        assert given(other) == text
        assert other.office.rows("SELECT is_imported, holder FROM work_item WHERE slug = :slug", slug=node) == [(1, "")]


def test_a_lease_is_not_imported(grove: Grove, tmp_path: Path):
    node = grove.make("Round refunds to the cent")
    grove.claim(node)
    text = given(grove)
    with grove_in(tmp_path / "person") as other:
        take(other, text, in_person=True)
        assert other.state(node) == "ready"
        assert [each.gate for each in other.book(node, "active").blocked_by] == ["memory_queried"]


def test_a_state_that_its_results_do_not_bear_is_refused(grove: Grove):
    text = "id: a\ntitle: All refunds\nowner: dev\nstate: complete\ndone:\n  outputs:\n  - type: file\n"
    refused = grove.person.refuses("mindspace_import", text=text)
    assert "line 1, node a: state: complete does not fit" in str(refused)
    assert take(grove, text).created == ["a"]
    assert grove.state("a") == "ready"


def test_a_document_changes_and_places_what_is_there(grove: Grove):
    take(grove, SMALL)
    other = SMALL.replace("Refunds are off by a cent.", "Refunds are off by two cents.").replace(
        "phase: plan", "phase: do"
    )
    answer = take(grove, other)
    assert (answer.changed, answer.unchanged) == (["plan"], 2)
    head = "- id: later\n  title: Balalaika\n  owner: dev\n  done:\n    outputs:\n      - type: state\n  children:\n"
    code = "    " + SMALL[SMALL.index("- id: code") :].strip()
    answer = take(grove, head + code + "\n")
    assert (answer.created, answer.changed) == (["later"], ["code"])
    assert [each.parent_id for each in grove.dev("mindspace_get_tree").nodes if each.node_id == "code"] == ["later"]


def test_what_was_claimed_is_changed_in_person_alone(grove: Grove):
    take(grove, SMALL)
    grove.claim("plan")
    other = SMALL.replace("acceptance: It is read.", "acceptance: It is there.")
    refused = terminal(grove).refuses("mindspace_import", text=other)
    assert "line 9, node plan" in str(refused)
    assert take(grove, other, in_person=True).changed == ["plan"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("phase: plan", "fase: plan", "line 13, node 'plan': fase: there is no such key"),
        ("phase: plan", "phase: later", "line 13, node 'plan': phase: "),
        ("from: plan", "from: nowhere", "line 33, node code: ready.inputs[0].from: there is no node 'nowhere'"),
        ("from: plan", "from: code", "line 33, node code: ready.inputs: a circle: code → code"),
        ("owner: pdsa", "owner: chef", "line 9, node plan: "),
        ("id: code", "id: plan", "line 33, node plan: id: line 9 has the same"),
        ("docs/plan.md\n      ready", "../plan.md\n      ready", "line 16, node 'plan': plan.path: a path inside"),
        ("verifier: liaison", "verifier: nobody", "line 9, node plan: "),
        ("title: Refunds\n", "title: &a Refunds\n", "line 2: a tree has no anchors"),
        ("title: Refunds\n", "title: !x Refunds\n", "line 2: a tree has no tags"),
        ("title: Refunds\n", "title: Refunds\n  title: Twice\n", "line 3: the key 'title' stands there twice"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_node(grove: Grove, old: str, new: str, told: str):
    assert old in SMALL
    refused = terminal(grove).refuses("mindspace_import", text=SMALL.replace(old, new, 1))
    assert told in str(refused)
    assert refused.code is Code.INVALID_INPUT
    assert grove.office.rows("SELECT count(*) FROM work_item") == [(0,)]


def test_a_circle_with_what_is_there_is_refused(grove: Grove):
    take(grove, SMALL)
    text = SMALL.replace(
        "        context: Refunds are off by a cent.\n", "        inputs:\n          - {from: code, type: file}\n"
    )
    assert "a circle: plan → code → plan" in str(terminal(grove).refuses("mindspace_import", text=text))


def test_a_node_does_not_come_below_itself(grove: Grove):
    take(grove, SMALL)
    part = "{outputs: [{type: file, description: the plan, path: docs/plan.md}]}"
    text = f"id: plan\ntitle: Plan the refunds\nowner: pdsa\ndone: {part}\nchildren:\n- id: refunds\n  title: Refunds\n"
    text += "  owner: orchestrator\n  done: {outputs: [{type: state, description: refunds are right}]}\n"
    assert "below itself" in str(terminal(grove).refuses("mindspace_import", text=text))


def test_an_id_of_a_task_is_no_node(grove: Grove):
    grove.planner("work_create_task", title="Plan the rounding", slug="plan")
    assert "line 9, node plan: id: a task has it" in str(terminal(grove).refuses("mindspace_import", text=SMALL))


def tree_of(count: int) -> str:
    """A tree of that many nodes, ten below each, every third with an input from the one before."""
    children: dict[int, list[int]] = {}
    for number in range(1, count):
        children.setdefault((number - 1) // 10, []).append(number)

    def lines(number: int, indent: str) -> list[str]:
        found = [f"{indent}- id: n{number}", f"{indent}  title: Piece of work {number}", f"{indent}  owner: dev"]
        if number % 3 == 2:
            found += [f"{indent}  ready:", f"{indent}    inputs:", f"{indent}      - from: n{number - 1}"]
            found += [f"{indent}        type: file"]
        found += [f"{indent}  done:", f"{indent}    outputs:", f"{indent}      - type: file"]
        found += [f"{indent}        path: src/{number}.py"]
        below = children.get(number, [])
        return [
            *found,
            *([f"{indent}  children:"] if below else []),
            *(x for one in below for x in lines(one, indent + "    ")),
        ]

    return "\n".join(lines(0, "")) + "\n"


def test_many_nodes_are_imported_twice_and_the_second_changes_nothing(grove: Grove):
    text = tree_of(NODES)
    begun = perf_counter()
    assert len(take(grove, text).created) == NODES
    first = perf_counter() - begun
    assert take(grove, text).unchanged == NODES
    exported = given(grove)
    assert take(grove, exported, in_person=True).unchanged == NODES
    assert given(grove) == exported
    print(f"{NODES} nodes: imported in {first:.1f} s, all of it {perf_counter() - begun:.1f} s")


def test_the_tool_for_agents_is_none(grove: Grove):
    assert grove.dev.refuses("mindspace_import", text=SMALL).code is Code.FORBIDDEN
    assert grove.dev.refuses("mindspace_export").code is Code.FORBIDDEN
    assert source("a") == {"from": "a", "type": "file"}
