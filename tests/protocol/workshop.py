"""A store in this process, and workspaces with real files and a real git, where agents run sessions by the protocol."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.protocol.places import HANDOFF, Place, new_place
from tests.work.office import Office, Worker, office_in


@dataclass
class Runner:
    """An agent that runs sessions in a workspace."""

    worker: Worker
    place: Place
    name: str = ""
    start: str = ""

    def __call__(self, operation: str, **arguments: Any) -> Any:
        return self.worker(operation, **arguments)

    def refuses(self, operation: str, **arguments: Any) -> Any:
        return self.worker.refuses(operation, **arguments)

    def begin(self, objective: str = "Round refunds to the cent", **more: Any) -> Any:
        """Start a run."""
        answer = self("session_start", objective=objective, workspace=str(self.place.root), **more)
        self.name, self.start = answer.session_id, answer.starting_commit
        return answer

    def read_handoff(self) -> Any:
        """State the hash of the handoff document."""
        return self(
            "record_evidence",
            phase="CONTEXT_RETRIEVAL",
            evidence_type="content_hash",
            evidence=self.place.digest(HANDOFF),
        )

    def to_work(self) -> Any:
        """Do all that comes before the work."""
        self.read_handoff()
        self.place.log(self.name, self.start, "")
        return self("advance_phase", target_phase="WORKING")

    def do_work(self, number: int = 1) -> None:
        """Change code and documents."""
        self.place.write("src/refunds.py", f"def refund(cents):\n    return round(cents, {number})\n")
        self.place.write(HANDOFF, f"# Handoff\n\nRefunds are rounded, take {number} of {self.name}.\n")
        self.place.log(self.name, self.start)

    def report(self) -> None:
        """Write the QA report that the gate asks for."""
        asked = self("validate_gate", phase="QA_VALIDATION")
        tree = asked.remedy.partition("tree:")[2].partition(",")[0]
        self.place.write(f"docs/qa/{self.name}.md", f"# QA of {self.name}\n\ntree: {tree}\n\nAll of it was read.\n")

    def whole(self, number: int = 1) -> Any:
        """A complete run."""
        self.begin()
        self.to_work()
        self.do_work(number)
        self.report()
        self.place.commit(f"Round refunds, {number}")
        return self("session_end", summary="Refunds are rounded to the cent.", next_session_notes="Test yen next.")


@dataclass
class Workshop:
    """The store, and who works where."""

    office: Office
    base: Path
    _count: int = field(default=0)

    def place(self, *, with_git: bool = True, opened: bool = True) -> Place:
        """A new workspace, opened by a person."""
        self._count += 1
        place = new_place(self.base / f"project-{self._count}", with_git=with_git)
        if opened:
            self.office.person("protocol_open_workspace", path=str(place.root))
        return place

    def runner(self, place: Place | None = None, client: str = "claude-code") -> Runner:
        """An agent in a workspace, on a connection of its own."""
        return Runner(self.office.agent(client), place or self.place())


@contextmanager
def workshop_in(home: Path, base: Path) -> Generator[Workshop]:
    """A workshop for the length of a block."""
    with office_in(home) as office:
        yield Workshop(office, base)
