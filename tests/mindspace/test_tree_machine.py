"""A tree that agents and persons do anything to, in any order: what has to hold of every node after every step."""

import json
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from sqlmodel import select

from bigmind.core.errors import BigMindError
from bigmind.work.ledger.ledger_rows import agrees
from bigmind.work.ledger.ledger_verification import verify
from bigmind.work.tables import WorkItem
from tests.mindspace.grove import CODE, Grove, done, grove_in, source
from tests.thorough import often

AGENTS = ("cursor", "codex", "cursor/two")
STATES = ("pending", "ready", "active", "review", "rework", "paused", "complete", "restore")
PICK = st.integers(0, 10**6)


class Tree(RuleBasedStateMachine):
    """Agents with every tool of the mindspace, a planner, and a person; what is refused changes nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.opened = grove_in(Path(self.folder.name) / "home")
        self.grove: Grove = self.opened.__enter__()
        self.count = 0

    def teardown(self) -> None:
        self.opened.__exit__(None, None, None)
        self.folder.cleanup()

    def nodes(self) -> list[str]:
        return [slug for (slug,) in self.grove.office.rows("SELECT slug FROM work_item ORDER BY id")]

    def picked(self, number: int) -> str:
        nodes = self.nodes()
        return nodes[number % len(nodes)] if nodes else "nothing"

    def tries(self, worker: str, operation: str, **arguments: Any) -> None:
        """Call what may be refused."""
        agent = self.grove.person if worker == "person" else self.grove.office.agent(worker)
        with suppress(BigMindError):
            agent(operation, **arguments)

    @initialize()
    def begins(self) -> None:
        for number in range(3):
            self.grove.make(f"Piece of cake {number}", *(["piece-of-cake-0"] if number == 2 else []))

    @rule(agent=st.sampled_from((*AGENTS, "planner")), parent=PICK, first=PICK, second=PICK, inputs=st.integers(0, 2))
    def makes(self, agent: str, parent: int, first: int, second: int, inputs: int) -> None:
        self.count += 1
        given = [source(self.picked(each)) for each in (first, second)[:inputs]]
        self.tries(
            agent,
            "mindspace_create_node",
            title=f"Piece of pie {self.count}",
            owner="dev",
            parent_id=self.picked(parent) if parent % 3 else "",
            definition_of_done=done(),
            definition_of_ready={"inputs": given},
        )

    @rule(agent=st.sampled_from(AGENTS), node=PICK)
    def asks(self, agent: str, node: int) -> None:
        named = self.picked(node)
        self.tries(agent, "query_brain", prompt=self.grove.title(named) if named != "nothing" else "nothing")

    @rule(agent=st.sampled_from(AGENTS), node=PICK)
    def learns(self, agent: str, node: int) -> None:
        named = self.picked(node)
        if named != "nothing":
            self.grove.learn(named, self.grove.office.agent(agent))

    @rule(agent=st.sampled_from((*AGENTS, "person")), node=PICK, to=st.sampled_from(STATES))
    def books(self, agent: str, node: int, to: str) -> None:
        self.tries(agent, "mindspace_book_transition", node_id=self.picked(node), target_state=to)

    @rule(agent=st.sampled_from(AGENTS), node=PICK)
    def works(self, agent: str, node: int) -> None:
        """The honest way, as far as it leads."""
        named = self.picked(node)
        self.asks(agent, node)
        self.tries(agent, "mindspace_book_transition", node_id=named, target_state="active")
        self.submits(agent, node)
        self.learns(agent, node)
        self.tries(agent, "mindspace_book_transition", node_id=named, target_state="review")

    @rule(agent=st.sampled_from(AGENTS), node=PICK)
    def submits(self, agent: str, node: int) -> None:
        self.tries(agent, "mindspace_submit_output", node_id=self.picked(node), outputs=[CODE])

    @rule(agent=st.sampled_from((*AGENTS, "person")), node=PICK, status=st.sampled_from(["pass", "pass", "fail"]))
    def judges(self, agent: str, node: int, status: str) -> None:
        named = self.picked(node)
        more = {"revision": self.grove.revision(named)} if agent == "person" and named != "nothing" else {}
        told = {"node_id": named, "gate": "tests pass", "status": status, "evidence": "I ran it.", **more}
        self.tries(agent, "mindspace_record_gate", **told)

    @rule(node=PICK, other=PICK, said=st.booleans())
    def needs(self, node: int, other: int, said: bool) -> None:
        given = [source(self.picked(other)), {"type": "state", "description": "outside", "satisfied": said}]
        change = {"inputs": given[other % 2 :]}
        self.tries("planner", "mindspace_update_node", node_id=self.picked(node), definition_of_ready=change)

    @rule(node=PICK, parent=PICK, position=st.integers(0, 3))
    def places(self, node: int, parent: int, position: int) -> None:
        told = {"node_id": self.picked(node), "parent_id": self.picked(parent), "position": position}
        self.tries("planner", "mindspace_move_node", **told)

    @rule(node=PICK)
    def deletes(self, node: int) -> None:
        self.tries("person", "mindspace_delete_node", node_id=self.picked(node))

    @rule(in_person=st.booleans(), old=st.sampled_from(["ready", "active", "review", "pending"]))
    def takes_in(self, in_person: bool, old: str) -> None:
        text = self.grove.person("mindspace_export").text
        forged = text.replace(f"state: {old}", "state: complete").replace("- id: piece", "- id: forged-piece")
        worker = "person" if in_person else "planner"
        self.tries(worker, "mindspace_import", text=forged if not in_person else text)

    @rule(hours=st.integers(1, 3))
    def passes(self, hours: int) -> None:
        self.grove.office.forward(hours=hours)

    @invariant()
    def what_is_complete_was_produced_and_judged(self) -> None:
        wrong = """
            SELECT i.slug FROM work_item i WHERE i.state = 'complete' AND (
                NOT EXISTS (SELECT 1 FROM work_node_output o WHERE o.item_id = i.id)
                OR EXISTS (SELECT 1 FROM work_node_output o WHERE o.item_id = i.id AND o.produced_at IS NULL)
                OR NOT EXISTS (SELECT 1 FROM work_node_gate g WHERE g.item_id = i.id)
                OR EXISTS (SELECT 1 FROM work_node_gate g WHERE g.item_id = i.id AND g.status != 'pass'))
        """
        assert self.grove.office.rows(wrong) == []

    @invariant()
    def a_node_is_ready_if_and_only_if_its_inputs_are_there(self) -> None:
        waits = """
            SELECT i.slug, i.state, EXISTS (
                SELECT 1 FROM work_node_input g LEFT JOIN work_item s ON s.id = g.source_id WHERE g.item_id = i.id
                AND CASE WHEN g.source = '' THEN NOT g.satisfied ELSE coalesce(s.state, '') != 'complete' END)
            FROM work_item i WHERE i.state IN ('pending', 'ready')
        """
        wrong = [
            (slug, state) for slug, state, does in self.grove.office.rows(waits) if (state == "pending") != bool(does)
        ]
        assert wrong == []

    @invariant()
    def one_that_is_paused_waits_for_an_open_child_of_its_own(self) -> None:
        wrong = """
            SELECT i.slug FROM work_item i WHERE i.state = 'paused' AND NOT EXISTS (
                SELECT 1 FROM work_node n JOIN work_item c ON c.id = n.item_id
                WHERE n.interrupts = i.id AND c.state != 'complete')
        """
        assert self.grove.office.rows(wrong) == []

    @invariant()
    def no_claim_without_a_question_and_no_review_without_a_contribution(self) -> None:
        for item, body in self.grove.office.rows("SELECT item_uid, body FROM work_ledger WHERE kind = 'moved'"):
            told = json.loads(body)
            passed = {each["gate"] for each in told["gates"] if each["passed"]}
            if told["to"] == "active" and told["from"] in {"ready", "rework"}:
                assert "memory_queried" in passed, item
            if told["from"] == "active" and told["to"] == "review":
                assert {"memory_contributed", "outputs_present"} <= passed, item
            if told["to"] in {"complete", "rework"} or told["from"] in {"pending", "paused"}:
                assert told["actor"] == "system", item

    @invariant()
    def who_judged_did_not_produce(self) -> None:
        wrong = """
            SELECT g.id FROM work_node_gate g JOIN work_node_output o ON o.item_id = g.item_id
            WHERE g.status != 'pending' AND NOT g.in_person AND g.by = o.produced_by
        """
        assert self.grove.office.rows(wrong) == []

    @invariant()
    def every_node_stands_as_the_ledger_says_and_the_chain_holds(self) -> None:
        memory = self.grove.office.memory
        with memory.mind.store.read(memory.caller, "test") as work:
            assert all(agrees(work, each) for each in work.session.exec(select(WorkItem)).all())
            assert verify(work).faults == []


Tree.TestCase.settings = settings(max_examples=often(60, 6), stateful_step_count=often(60, 30), deadline=None)
TestTree = Tree.TestCase
