"""What is remembered and what is asked, read from the files beside this one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
NOW = datetime(2026, 5, 4, 9, tzinfo=UTC)
"""When the questions are asked."""
APART, SOON = timedelta(minutes=6), timedelta(minutes=1)
"""Between two moments; between the beginning of a session and the facts that were stored in it."""
USERS_WORDS = ("prefer", "correct", "préfér", "vorgabe", "wunsch", "偏好", "要望")
"""How reasons begin for which the words were the user's."""


@dataclass(frozen=True, slots=True)
class Written:
    """One thing that is remembered: of which kind, when, in which project, and what the file says of it."""

    name: str
    kind: str
    project: str
    at: datetime
    told: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Question:
    """A question, its class, and the names of the things any of which answers it; none, where nothing does."""

    query: str
    sort: str
    answers: tuple[str, ...]


@cache
def questions() -> tuple[Question, ...]:
    """All of them, in the order of the files."""
    return tuple(
        Question(query.strip(), sort, tuple(answers))
        for document in _documents("questions")
        for sort, asked in document.items()
        for query, answers in asked.items()
    )


@cache
def memory() -> tuple[Written, ...]:
    """Everything, the oldest first; a session stands before its moments."""
    return tuple(
        sorted((each for document in _documents("memory") for each in _remembered(document)), key=lambda each: each.at)
    )


def _documents(folder: str) -> Iterator[dict[str, Any]]:
    for file in sorted((HERE / folder).glob("*.yaml")):
        yield yaml.safe_load(file.read_text(encoding="utf-8"))


def _remembered(document: dict[str, Any]) -> Iterator[Written]:
    project = document["project"]
    for name, session in document["sessions"].items():
        yield from _session(project, name, session)
    begins = {name: _begun(session) for name, session in document["sessions"].items()}
    for kind, part in (("fact", "facts"), ("hypothesis", "hypotheses"), ("knowledge", "knowledge")):
        for name, told in document.get(part, {}).items():
            yield Written(name, kind, project, begins[told["in"]] + SOON, told)


def _begun(session: dict[str, Any]) -> datetime:
    return datetime.fromisoformat(session["at"]).replace(tzinfo=UTC)


def _session(project: str, name: str, told: dict[str, Any]) -> Iterator[Written]:
    at = _begun(told)
    moments = told["moments"]
    yield Written(name, "session", project, at, told)
    for number, (moment, said) in enumerate(moments.items(), start=1):
        ((reason, content),) = said.items()
        role = "user" if reason.startswith(USERS_WORDS) else "assistant"
        yield Written(
            moment,
            "chunk",
            project,
            at + number * APART,
            {"session": name, "content": content, "flag_reason": reason, "role": role},
        )
