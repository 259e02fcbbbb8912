"""What a user has of work, so that each operation of it has something to be done with."""

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sqlalchemy import text

from bigmind.core.ids import new_id
from bigmind.core.operation import Caller, Presence
from bigmind.operations.catalogue import FOUND
from bigmind.operations.validation import validated
from bigmind.protocol.in_person.workspace_acts import shown_digest, standing_of
from bigmind.store.work import Work
from bigmind.work.in_person.item_migration import plan
from bigmind.workspace.opened import workspace_with_id
from tests.http.inside import Inside
from tests.protocol.places import Place, new_place

DONE = {
    "action": "Write it.",
    "acceptance": "It works.",
    "outputs": [{"type": "file", "description": "the code", "path": "door.py"}],
    "quality_gates": [{"name": "tests pass", "verifier": "qa"}],
}
OUTPUT = {"type": "file", "description": "the code", "path": "door.py"}
IDLE = "true" if os.name == "posix" else "whoami"
"""A program that every system has, and that changes nothing."""
PROTOCOL = f"format: bigmind-protocol\nchecks: [{{name: nothing, command: '{IDLE}'}}]\n"
_FOLDERS = TemporaryDirectory(prefix="bigmind-test-")
"""Of workspaces; gone with the process."""
ROLES = ["pdsa", "dev", "qa", "liaison", "orchestrator"]


class Maker:
    """Makes it all, by operations, as two agents and the person, in one transaction each."""

    def __init__(self, inside: Inside, agent: Caller, other: Caller, about: str) -> None:
        self._inside = inside
        self._agent, self._other = (replace(each, connection=new_id()) for each in (agent, other))
        self._person = replace(agent, presence=Presence.WINDOW, is_person=True)
        self._about = about
        self._work: Work

    def within(self, make: Callable[["Maker"], str]) -> str:
        """Make something in a transaction of its own."""
        with self._inside.mind.store.write(self._agent, "test") as self._work:
            return make(self)

    def give_roles(self) -> str:
        """In a team a person says which work roles an agent may take."""
        for agent in ("cli", "bridge", self._other.client):
            self._do(self._person, "work_set_roles", agent=agent, roles=ROLES)
        return ""

    def _do(self, caller: Caller, name: str, **arguments: Any) -> Any:
        operation = self._inside.mind.dispatcher.catalogue.get(name)
        assert operation is not None
        self._work.caller, self._work.operation, given = caller, name, validated(operation, arguments)
        found = {FOUND: operation.looks(self._work, **given)} if operation.looks is not None else {}
        if operation.gathers is not None and found[FOUND] is not None:
            found = {FOUND: operation.gathers(found[FOUND])}
        answer = operation.function(self._work, **given, **found)
        assert not answer.is_refusal, answer.in_words()
        return answer

    def _title(self) -> str:
        return f"{self._about} {new_id()[-12:]} oiled"

    def item(self, kind: str, title: str = "") -> str:
        told = {"description": f"{self._about} described", "topic": self._about, "dna": {"note": self._about}}
        return self._do(self._agent, "work_create_task", title=title or self._title(), type=kind, **told).slug

    def _ask(self, caller: Caller, title: str) -> None:
        self._do(caller, "query_brain", prompt=title)

    def _learn(self, caller: Caller, title: str) -> None:
        said = f"{title}: {new_id()} {new_id()} was slower by 3 ms, because of {new_id()}."
        self._do(caller, "contribute_to_brain", prompt=said, space="shared")

    def reviewed(self) -> str:
        slug = self.item("solo", title := self._title())
        self._ask(self._other, title)
        self._do(self._other, "work_transition", slug=slug, to="active", role="dev")
        self._learn(self._other, title)
        self._do(self._other, "work_transition", slug=slug, to="review", role="dev")
        return slug

    def altered(self) -> str:
        slug = self.item("task")
        self._work.session.execute(text("UPDATE work_item SET role = 'qa' WHERE slug = :slug"), {"slug": slug})
        return slug

    def taken(self, document: Callable[[int], str], version: int = 1) -> str:
        told = {"text": document(version), "replaces": version - 1, "agents_may_create": True}
        return self._do(self._person, "work_take_process", **told).name

    def process(self) -> str:
        document = a_process()
        name = self.taken(document)
        self.item(name)
        return self.taken(document, 2)

    def shown(self, name: str) -> str:
        self._work.caller = self._person
        return plan(self._work, name, 2).shown

    def confirmed(self) -> str:
        slug = self.reviewed()
        self._do(self._person, "work_confirm", slug=slug, revision=3)
        return slug

    def parent(self) -> str:
        parent = self.node()
        self.node(parent_id=parent)
        return parent

    def held_node(self) -> str:
        return self._claimed_node(self._agent)

    def node(self, title: str = "", **more: Any) -> str:
        given = {"title": title or self._title(), "owner": "dev", "definition_of_done": DONE, **more}
        return self._do(self._person, "mindspace_create_node", **given).node.node_id

    def _claimed_node(self, caller: Caller, title: str = "") -> str:
        node = self.node(title := title or self._title())
        self._ask(caller, title)
        self._do(caller, "mindspace_book_transition", node_id=node, target_state="active")
        return node

    def reviewed_node(self) -> str:
        node = self._claimed_node(self._other, title := self._title())
        self._do(self._other, "mindspace_submit_output", node_id=node, outputs=[OUTPUT])
        self._learn(self._other, title)
        self._do(self._other, "mindspace_book_transition", node_id=node, target_state="review")
        return node

    def folder(self) -> Place:
        """A folder that could be a workspace, with what this user wrote there."""
        place = new_place(Path(_FOLDERS.name) / f"{self._about.replace(' ', '-')}-{new_id()[-12:]}", with_git=False)
        place.write("docs/HANDOFF.md", f"# Handoff of {self._about}\n")
        return place

    def workspace(self, document: str = "") -> str:
        place = self.folder()
        if document:
            place.write(".bigmind/protocol.yaml", document)
        return self._do(self._person, "protocol_open_workspace", path=str(place.root)).id

    def path_of(self, workspace: str) -> str:
        self._work.caller = self._person
        return workspace_with_id(self._work, workspace).path

    def digest_of(self, workspace: str) -> str:
        """By what its commands, as a page shows them, are known."""
        self._work.caller = self._person
        return shown_digest(standing_of(self._work, workspace_with_id(self._work, workspace)))

    def document_of(self, workspace: str) -> str:
        """The digest of the protocol document that lies there."""
        return Place(Path(self.path_of(workspace))).digest(".bigmind/protocol.yaml")

    def taken_workspace(self) -> str:
        workspace = self.workspace(PROTOCOL)
        self._do(self._person, "protocol_take_text", workspace=workspace, digest=self.document_of(workspace))
        return workspace

    def approved_workspace(self) -> str:
        workspace = self.taken_workspace()
        digest = self.digest_of(workspace)
        self._do(self._person, "protocol_approve_commands", workspace=workspace, digest=digest)
        return workspace

    def run(self) -> str:
        path = self.path_of(self.workspace())
        self._do(self._agent, "session_start", objective=f"{self._about} objective", workspace=path)
        rows = self._work.session.execute(text("SELECT uid FROM protocol_run ORDER BY id DESC LIMIT 1"))
        return str(rows.scalar_one())


class OwnedWork:
    """Slugs of items, ids of nodes and names of processes, each for another operation to change or use up.

    Each is made when it is asked for first: most tests need none. Whoever compares what a store holds makes all before.
    """

    def __init__(self, maker: Maker | None = None) -> None:
        self._maker = maker

    def _made(self, make: Callable[[Maker], str]) -> str:
        return "" if self._maker is None else self._maker.within(make)

    def all(self) -> None:
        """Make all of it now, but what the ledger would be found to disagree with."""
        for name in vars(OwnedWork):
            if not name.startswith("_") and name not in {"all", "altered"}:
                getattr(self, name)

    @cached_property
    def task(self) -> str:
        """Nobody holds it."""
        return self._made(lambda maker: maker.item("task"))

    @cached_property
    def reviewed(self) -> str:
        """A solo item in review."""
        return self._made(Maker.reviewed)

    @cached_property
    def sent_back(self) -> str:
        """Another in review."""
        return self._made(Maker.reviewed)

    @cached_property
    def confirmed(self) -> str:
        """Another, with a person's yes."""
        return self._made(Maker.confirmed)

    @cached_property
    def altered(self) -> str:
        """An item that does not stand as the ledger left it."""
        return self._made(Maker.altered)

    @cached_property
    def process(self) -> str:
        """A process in two versions; an item stands in the first."""
        return self._made(Maker.process)

    @cached_property
    def shown(self) -> str:
        """By what the migration of that item to the second is known."""
        name = self.process
        return self._made(lambda maker: maker.shown(name))

    @cached_property
    def spare_process(self) -> str:
        """A process that no item stands in."""
        return self._made(lambda maker: maker.taken(a_process()))

    @cached_property
    def node(self) -> str:
        """A node that is ready."""
        return self._made(Maker.node)

    @cached_property
    def root(self) -> str:
        """Another."""
        return self._made(Maker.node)

    @cached_property
    def parent(self) -> str:
        """A node with a child that is open."""
        return self._made(Maker.parent)

    @cached_property
    def held_node(self) -> str:
        """A node that the command line holds."""
        return self._made(Maker.held_node)

    @cached_property
    def reviewed_node(self) -> str:
        """A node whose outputs another agent submitted."""
        return self._made(Maker.reviewed_node)

    @cached_property
    def workspace(self) -> str:
        """A folder that is opened."""
        return self._made(Maker.workspace)

    @cached_property
    def workspace_path(self) -> str:
        """Where it lies."""
        workspace = self.workspace
        return self._made(lambda maker: maker.path_of(workspace))

    @cached_property
    def folder(self) -> str:
        """A folder that is not opened."""
        return self._made(lambda maker: str(maker.folder().root))

    @cached_property
    def spare_workspace(self) -> str:
        """Another that is opened."""
        return self._made(Maker.workspace)

    @cached_property
    def documented(self) -> str:
        """A workspace with a protocol that nobody took."""
        return self._made(lambda maker: maker.workspace(PROTOCOL))

    @cached_property
    def document(self) -> str:
        """The digest of that protocol."""
        workspace = self.documented
        return self._made(lambda maker: maker.document_of(workspace))

    @cached_property
    def taken_workspace(self) -> str:
        """A workspace with a protocol of its own."""
        return self._made(Maker.taken_workspace)

    @cached_property
    def unapproved(self) -> str:
        """Another, of which nobody approved the commands."""
        return self._made(Maker.taken_workspace)

    @cached_property
    def commands(self) -> str:
        """The digest of those."""
        workspace = self.unapproved
        return self._made(lambda maker: maker.digest_of(workspace))

    @cached_property
    def approved_workspace(self) -> str:
        """A workspace with approved commands."""
        return self._made(Maker.approved_workspace)

    @cached_property
    def run(self) -> str:
        """An open protocol run of the command line."""
        return self._made(Maker.run)

    @cached_property
    def run_to_end(self) -> str:
        """Another."""
        return self._made(Maker.run)


NO_WORK = OwnedWork()


def a_process() -> Callable[[int], str]:
    """A process document of a new name, in any version."""
    name = f"door-{new_id()[-8:]}"
    return lambda version: (
        f"process: {name}\nversion: {version}\ntitle: Door\nroles: [dev]\nfirst_role: dev\n"
        "states:\n  pending: {begins: true}\n  done: {final: true}\n"
        "transitions:\n  - {from: pending, to: done, by: [dev], label: Do}\n"
    )


def a_tree(title: str) -> str:
    """A tree of one node, as YAML."""
    return (
        f"id: {new_id()}\ntitle: {title}\nowner: dev\ndone:\n  action: Write it.\n  acceptance: It works.\n"
        "  outputs: [{type: file, description: the code}]\n  gates: [{name: tests pass, verifier: qa}]\n"
    )
