"""Work and nodes rest on files and commits too, where a person opened the workspace of their project."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest

from bigmind.core.operation import Caller
from bigmind.mindspace import service
from bigmind.workspace.folder import Folder
from tests.protocol.workshop import Workshop
from tests.work.office import Worker

OUTPUT = {"type": "file", "description": "the code", "path": "src/new.py"}
JUDGED = {"name": "tests pass", "verifier": "qa"}
PROCESS = """process: shown
version: 1
roles: [dev]
states:
  pending: {begins: true}
  active: {claimed: true}
  done: {final: true}
transitions:
  - {from: pending, to: active, by: [dev]}
  - from: active
    to: done
    by: [dev]
    gates:
      - {evidence: {name: report, kind: file_exists, path: docs/report.md}}
      - {evidence: {name: commit, kind: commit_since}}
"""


@pytest.fixture
def agent(workshop: Workshop) -> Worker:
    workshop.office.person("work_take_process", text=PROCESS, replaces=0, agents_may_create=True)
    return workshop.office.agent("cursor")


def active(agent: Worker, project: str) -> str:
    slug = agent("work_create_task", title="Report the rounding", type="shown", project=project).slug
    agent.moves(slug, "active")
    return slug


def test_evidence_of_an_opened_workspace_lets_an_item_pass(workshop: Workshop, agent: Worker):
    place = workshop.place()
    slug = active(agent, place.root.name)
    said = agent.stays(slug, "done")
    assert "There is no docs/report.md" in said
    place.write("docs/report.md", "# Report\n")
    place.commit("Report")
    assert agent.move(slug, "done").moved


def test_evidence_of_a_workspace_that_nobody_opened_lets_nothing_pass(workshop: Workshop, agent: Worker):
    place = workshop.place(opened=False)
    place.write("docs/report.md", "# Report\n")
    slug = active(agent, place.root.name)
    assert "only once a person opened it" in agent.stays(slug, "done")


@pytest.mark.parametrize("is_there", [True, False])
def test_an_output_that_is_a_file_is_there_where_its_workspace_is_opened(workshop: Workshop, is_there: bool):
    place = workshop.place()
    agent = workshop.office.agent("cursor")
    done = {
        "action": "Write it.",
        "acceptance": "It works.",
        "outputs": [OUTPUT],
        "quality_gates": [JUDGED],
    }
    title = "Round the yen"
    agent = Worker(replace(agent.memory, caller=replace(agent.memory.caller, project=place.root.name)))
    node = agent("mindspace_create_node", title=title, owner="dev", definition_of_done=done).node.node_id
    agent.ask(title)
    assert agent("mindspace_book_transition", node_id=node, target_state="active").transitioned
    if is_there:
        place.write("src/new.py", "new = True\n")
    answer = agent("mindspace_submit_output", node_id=node, outputs=[OUTPUT])
    assert answer.accepted == is_there
    assert is_there or "There is no src/new.py" in answer.validation_errors[0]
    kept = workshop.office.rows("SELECT digest FROM work_node_output")
    assert kept == [(place.digest("src/new.py") if is_there else "",)]


@pytest.mark.parametrize("operation", ["work_transition", "mindspace_submit_output", "work_get_task"])
def test_nobody_who_writes_waits_for_a_file_or_for_git(
    workshop: Workshop, agent: Worker, operation: str, monkeypatch: pytest.MonkeyPatch
):
    """The look happens while no unit of work that writes is open."""
    place = workshop.place()
    slug = active(agent, place.root.name)
    store, looked = workshop.office.memory.mind.store, list[str]()
    writing = list[str]()
    write, read = store.write, Folder.read

    @contextmanager
    def watched(caller: Caller, purpose: str, **more: Any) -> Iterator[Any]:
        with write(caller, purpose, **more) as work:
            writing.append(purpose)
            try:
                yield work
            finally:
                writing.remove(purpose)

    def reads(self: Folder, path: str, most: int) -> Any:
        looked.append(path)
        assert not writing, f"{path} was looked at while {writing} wrote"
        return read(self, path, most)

    monkeypatch.setattr(store, "write", watched)
    monkeypatch.setattr(Folder, "read", reads)
    if operation == "work_transition":
        assert "There is no docs/report.md" in agent.stays(slug, "done")
    elif operation == "work_get_task":
        assert "evidence:report missing" in agent(operation, slug=slug).in_words()
    else:
        at = Worker(replace(agent.memory, caller=replace(agent.memory.caller, project=place.root.name)))
        done = {"action": "Write it.", "acceptance": "It works.", "outputs": [OUTPUT], "quality_gates": [JUDGED]}
        node = at("mindspace_create_node", title="Round the yen", owner="dev", definition_of_done=done).node.node_id
        at.ask("Round the yen")
        at("mindspace_book_transition", node_id=node, target_state="active")
        assert not at(operation, node_id=node, outputs=[OUTPUT]).accepted
    assert looked


@pytest.mark.parametrize("gone", ["nobody looked", "the folder is gone"])
def test_an_output_that_could_not_be_looked_at_is_not_taken_as_stated(
    workshop: Workshop, gone: str, monkeypatch: pytest.MonkeyPatch
):
    """Between the look and the write a node may be claimed, and a folder be moved away."""
    place = workshop.place()
    agent = workshop.office.agent("cursor")
    at = Worker(replace(agent.memory, caller=replace(agent.memory.caller, project=place.root.name)))
    done = {"action": "Write it.", "acceptance": "It works.", "outputs": [OUTPUT], "quality_gates": [JUDGED]}
    node = at("mindspace_create_node", title="Round the yen", owner="dev", definition_of_done=done).node.node_id
    at.ask("Round the yen")
    at("mindspace_book_transition", node_id=node, target_state="active")
    place.write("src/new.py", "new = True\n")
    if gone == "nobody looked":
        monkeypatch.setattr(service, "look_at_files", lambda *_: None)
    else:
        place.root.rename(place.root.with_name("elsewhere"))
    answer = at("mindspace_submit_output", node_id=node, outputs=[OUTPUT])
    assert not answer.accepted
    assert ("has not looked" if gone == "nobody looked" else "is not there") in answer.validation_errors[0]
