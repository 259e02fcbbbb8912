"""Commits in opened workspaces, with a real git: which of them a claim or a run covers, and which none does."""

import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from bigmind.trust.count_sheet import UsageQuery
from bigmind.trust.uncovered_commits import WorkspaceCommits
from bigmind.trust.usage_report import commit_report
from tests.protocol.places import Place
from tests.protocol.workshop import Runner, Workshop, workshop_in

DAY = datetime(2026, 3, 1, tzinfo=UTC).date()


@pytest.fixture
def workshop(home: Path, tmp_path: Path) -> Iterator[Workshop]:
    with workshop_in(home, tmp_path / "projects") as opened:
        yield opened


@pytest.fixture
def place(workshop: Workshop) -> Place:
    return workshop.place()


def committed(workshop: Workshop, place: Place, message: str, *, empty: bool = False) -> str:
    """Commit at the moment that the store's clock shows."""
    if not empty:
        place.write("src/log.py", f"# {message}\n")
    at = workshop.office.memory.clock.now.isoformat()
    names = {"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org"}
    names |= {"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org"}
    dated = {**os.environ, **names, "GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at, "GIT_CONFIG_GLOBAL": os.devnull}
    for arguments in (["add", "-A"], ["commit", "-q", "--allow-empty", "-m", message]):
        subprocess.run(["git", *arguments], cwd=place.root, check=True, capture_output=True, env=dated)
    workshop.office.forward(minutes=10)
    return place.git("rev-parse", "HEAD")


def found(workshop: Workshop, **asked: Any) -> WorkspaceCommits:
    memory = workshop.office.memory
    given: dict[str, Any] = {"since": DAY, "until": DAY + timedelta(days=2), **asked}
    query = UsageQuery(**given)
    with memory.mind.store.read(memory.caller, "test") as work:
        [told] = commit_report(work, query)
    return told


def subjects(told: WorkspaceCommits) -> list[str]:
    return [each.subject for each in told.uncovered]


def project_of(workshop: Workshop) -> str:
    return workshop.office.rows("SELECT project FROM workspace")[0][0]


def test_a_commit_while_work_is_held_is_covered_and_any_other_is_not(workshop: Workshop, place: Place) -> None:
    office = workshop.office
    committed(workshop, place, "before")
    slug, agent = office.task(project=project_of(workshop)), office.agent()
    agent.claim(slug)
    committed(workshop, place, "while it was held")
    agent.learn()
    agent.moves(slug, "review")
    office.forward(minutes=1)
    after = committed(workshop, place, "after")
    told = found(workshop)
    assert (told.total, subjects(told), told.fault) == (3, ["after", "before"], "")
    assert told.uncovered[0].commit == after


def test_work_of_another_project_covers_nothing(workshop: Workshop, place: Place) -> None:
    slug = workshop.office.task(project="example.org/ada/elsewhere")
    workshop.office.agent().claim(slug)
    committed(workshop, place, "here")
    assert subjects(found(workshop)) == ["here"]


def test_what_another_user_holds_covers_nothing(workshop: Workshop, place: Place) -> None:
    workshop.office.agent(user="eve").claim(workshop.office.task(project=project_of(workshop)))
    committed(workshop, place, "here")
    assert subjects(found(workshop)) == ["here"]


def test_the_commits_of_a_run_are_covered(workshop: Workshop, place: Place) -> None:
    committed(workshop, place, "before the run")
    runner = Runner(workshop.office.agent(), place)
    runner.begin()
    runner.to_work()
    committed(workshop, place, "in the run")
    runner("session_end", summary="Stopped.", next_session_notes="")
    committed(workshop, place, "after the run")
    assert subjects(found(workshop)) == ["after the run", "before the run"]


def test_an_open_run_covers_what_comes_after_its_start(workshop: Workshop, place: Place) -> None:
    Runner(workshop.office.agent(), place).begin()
    committed(workshop, place, "in the run")
    assert subjects(found(workshop)) == []


def test_a_commit_that_changes_nothing_is_none(workshop: Workshop, place: Place) -> None:
    committed(workshop, place, "empty", empty=True)
    assert found(workshop).total == 0


def test_days_and_project_are_those_that_are_asked_for(workshop: Workshop, place: Place) -> None:
    committed(workshop, place, "on the first")
    workshop.office.forward(days=1)
    committed(workshop, place, "on the second")
    assert subjects(found(workshop, until=DAY)) == ["on the first"]
    memory = workshop.office.memory
    with memory.mind.store.read(memory.caller, "test") as work:
        assert commit_report(work, UsageQuery(DAY, DAY, project="example.org/ada/elsewhere")) == []


def test_without_git_and_after_it_is_gone_the_reason_is_told(workshop: Workshop) -> None:
    place = workshop.place(with_git=False)
    assert found(workshop).fault == "It has no git repository."
    for each in sorted(place.root.rglob("*"), reverse=True):
        each.rmdir() if each.is_dir() else each.unlink()
    place.root.rmdir()
    assert found(workshop).fault


def test_a_closed_workspace_is_looked_into_no_more(workshop: Workshop, place: Place) -> None:
    committed(workshop, place, "here")
    uid = workshop.office.rows("SELECT uid FROM workspace")[0][0]
    workshop.office.person("protocol_close_workspace", workspace=uid)
    memory = workshop.office.memory
    with memory.mind.store.read(memory.caller, "test") as work:
        assert commit_report(work, UsageQuery(DAY, DAY)) == []
