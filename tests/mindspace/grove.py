"""A store where nodes are planned, worked on and judged."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from bigmind.core.operation import Mode
from tests.work.office import Office, Worker, office_in

WORDS = ("heron", "quartz", "ferry", "basil", "anvil", "glacier", "lantern", "meadow", "orchid", "piston", "saddle")
_numbers = count(1)
CODE = {"type": "file", "description": "the code", "path": "src/pay.py"}
TESTED = {"name": "tests pass", "verifier": "qa"}


def done(*outputs: dict[str, Any], gates: tuple[dict[str, Any], ...] = (TESTED,), **more: Any) -> dict[str, Any]:
    """A definition of done."""
    return {"action": "Write it.", "acceptance": "It works.", **more, "outputs": [*(outputs or (CODE,))]} | {
        "quality_gates": [*gates]
    }


def source(node: str, **more: Any) -> dict[str, Any]:
    """An input from a node."""
    return {"from": node, "type": "file", **more}


@dataclass
class Grove:
    """The tree, and who works at it."""

    office: Office

    @property
    def dev(self) -> Worker:
        return self.office.agent("cursor")

    @property
    def verifier(self) -> Worker:
        return self.office.agent("codex")

    @property
    def planner(self) -> Worker:
        return self.office.agent("planner")

    @property
    def person(self) -> Worker:
        return self.office.person

    def make(self, title: str, *sources: str, by: Worker | None = None, **more: Any) -> str:
        """Plan a node with inputs from those nodes; its id."""
        given = {"owner": "dev", "definition_of_done": done(), **more}
        given.setdefault("definition_of_ready", {"inputs": [source(each) for each in sources]})
        return (by or self.planner)("mindspace_create_node", title=title, **given).node.node_id

    def node(self, node: str) -> Any:
        """A node as the database has it."""
        statement = "SELECT n.* FROM work_node n JOIN work_item i ON i.id = n.item_id WHERE i.slug = :slug"
        return self.office.rows(statement, slug=node)

    def state(self, node: str) -> str:
        return self.office.state(node)

    def title(self, node: str) -> str:
        return self.office.rows("SELECT title FROM work_item WHERE slug = :slug", slug=node)[0][0]

    def revision(self, node: str) -> int:
        return self.office.rows("SELECT revision FROM work_item WHERE slug = :slug", slug=node)[0][0]

    def gates(self, node: str) -> dict[str, str]:
        """The state of each quality gate."""
        statement = (
            "SELECT g.name, g.status FROM work_node_gate g JOIN work_item i ON i.id = g.item_id WHERE i.slug = :slug"
        )
        return {str(name): str(status) for name, status in self.office.rows(statement, slug=node)}

    def book(self, node: str, to: str, by: Worker | None = None) -> Any:
        return (by or self.dev)("mindspace_book_transition", node_id=node, target_state=to)

    def books(self, node: str, to: str, by: Worker | None = None) -> Any:
        """Book what must be booked."""
        answer = self.book(node, to, by)
        assert answer.transitioned, answer.in_words()
        return answer

    def claim(self, node: str, by: Worker | None = None) -> None:
        """Ask, and claim."""
        worker = by or self.dev
        worker.ask(self.title(node))
        self.books(node, "active", worker)

    def submit(self, node: str, *outputs: dict[str, Any], by: Worker | None = None) -> Any:
        return (by or self.dev)("mindspace_submit_output", node_id=node, outputs=[*(outputs or (CODE,))])

    def learn(self, node: str, by: Worker | None = None) -> None:
        """Contribute something about a node."""
        number = next(_numbers)
        said = " ".join(f"{WORDS[(number * each) % len(WORDS)]}{number + each}" for each in (1, 2, 3, 5))
        (by or self.dev).learn(f"{self.title(node)}: {said} was slower by {number} ms, because of the {said[:9]}.")

    def hand_over(self, node: str, by: Worker | None = None) -> None:
        """Claim, produce, contribute, and submit for review."""
        if self.state(node) in {"ready", "rework"}:
            self.claim(node, by)
        assert self.submit(node, by=by).accepted
        self.learn(node, by)
        self.books(node, "review", by)

    def judge(self, node: str, status: str = "pass", gate: str = "tests pass", by: Worker | None = None) -> Any:
        worker = by or self.verifier
        more = {"revision": self.revision(node)} if worker.memory.caller.presence.is_in_person else {}
        told = {"node_id": node, "gate": gate, "status": status, "evidence": "I ran it.", **more}
        return worker("mindspace_record_gate", **told)

    def complete(self, node: str) -> None:
        """All the way."""
        self.hand_over(node)
        self.judge(node)
        assert self.state(node) == "complete"

    def delete(self, node: str) -> Any:
        return self.person("mindspace_delete_node", node_id=node)


@contextmanager
def grove_in(home: Path, mode: Mode = Mode.PERSONAL) -> Generator[Grove]:
    """A grove for the length of a block."""
    with office_in(home, mode) as office:
        yield Grove(office)
