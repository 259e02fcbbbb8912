"""A refused change of a client is told once on the page Assistants, and not when it has come about since."""

from datetime import UTC, datetime

import pytest

from bigmind.clients.answers import ClientRow, State
from bigmind.core.errors import BigMindError, Code
from bigmind.wiring import Mind
from ui.jobs import Job
from ui.pages.ides import SHOWN_FOR, is_worth_telling

NOW = datetime(2026, 11, 28, tzinfo=UTC)


def row(state: State, *workspaces: str, client: str = "codex") -> ClientRow:
    connected = state in {State.CONNECTED, State.DRIFTED, State.BROKEN}
    return ClientRow.model_construct(client=client, state=state, connected=connected, workspaces=[*workspaces])


def refused(mind: Mind, name: str, **given: str) -> Job:
    operation = next(each for each in mind.dispatcher.catalogue if each.name == name)
    job = Job("1", 1, operation, {"client": "codex", **given}, NOW, error=BigMindError(Code.CONFLICT, "Refused."))
    job.over.set()
    return job


@pytest.mark.parametrize(
    ("name", "workspace", "now", "is_told"),
    [
        ("clients_install", "", row(State.AVAILABLE), True),
        ("clients_install", "", row(State.DRIFTED), True),
        ("clients_install", "", row(State.CONNECTED), False),
        ("clients_install", "", row(State.CONNECTED, client="cursor"), True),
        ("clients_install", "/deck", row(State.CONNECTED), True),
        ("clients_install", "/deck", row(State.AVAILABLE, "/deck"), False),
        ("clients_remove", "", row(State.DRIFTED), True),
        ("clients_remove", "", row(State.BROKEN), True),
        ("clients_remove", "", row(State.AVAILABLE), False),
        ("clients_remove", "/deck", row(State.AVAILABLE, "/deck"), True),
        ("clients_remove", "/deck", row(State.CONNECTED), False),
    ],
)
def test_a_refusal_is_told_until_what_was_refused_has_come_about(
    mind: Mind, name: str, workspace: str, now: ClientRow, *, is_told: bool
) -> None:
    job = refused(mind, name, **({"workspace": workspace} if workspace else {}))
    assert is_worth_telling(job, [now], NOW) == is_told
    assert not is_worth_telling(job, [now], NOW + SHOWN_FOR)
    job.is_told = True
    assert not is_worth_telling(job, [now], NOW)
