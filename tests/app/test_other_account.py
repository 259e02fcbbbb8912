"""A data folder that was copied to a machine where the account has another name."""

import dataclasses
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from app.greeting import notices
from bigmind.core.operation import Mode, Presence
from bigmind.people.service import person
from bigmind.settings.live import LiveSettings
from bigmind.wiring import Mind, open_mind


@pytest.fixture
def of_ann(home: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("BIGMIND_USER", raising=False)
    open_mind(home, "ann").close()
    return home


@contextmanager
def served(home: Path, username: str, mode: Mode = Mode.PERSONAL) -> Generator[Mind]:
    """As a server does that was started for a user."""
    mind = open_mind(home, username, mode=mode)
    owner = person(mind.store, username)
    mind.store.host = dataclasses.replace(mind.store.host, settings=LiveSettings(home), owner_id=owner.user_id)
    try:
        yield mind
    finally:
        mind.close()


def answer(mind: Mind, username: str, name: str) -> Any:
    operation = mind.dispatcher.catalogue.get(name)
    assert operation is not None
    caller = dataclasses.replace(person(mind.store, username), presence=Presence.COMMAND_LINE)
    return mind.dispatcher.run(operation, caller, {})


def findings(mind: Mind, username: str) -> dict[str, Any]:
    return {each.code: each for each in answer(mind, username, "memory_health_check").findings}


def test_whose_memory_it_is_and_how_it_becomes_theirs_is_told(of_ann: Path) -> None:
    with served(of_ann, "bob") as mind:
        told = answer(mind, "bob", "server_status").trouble
        assert told.startswith("This is the memory of ann, and your account is called bob")
        assert f'write `user = "ann"` into {of_ann / "settings.toml"} and start BigMind again' in told
        assert any(told in each for each in notices(mind.store, "bob"))
        finding = findings(mind, "bob")["memory_of_another"]
        assert (finding.severity, finding.meaning + " " + finding.remedy) == ("warning", told)


def test_a_name_with_a_dot_is_told_whole(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BIGMIND_USER", raising=False)
    open_mind(home, "J. Smith").close()
    with served(home, "B. Miller") as mind:
        finding = findings(mind, "B. Miller")["memory_of_another"]
        assert finding.meaning.endswith("what J. Smith stored is not shown to you.")
        assert finding.remedy.startswith('If you are J. Smith, write `user = "J. Smith"`')


@pytest.mark.parametrize("chosen", ["ann", "bob"])
def test_who_says_which_user_they_are_is_not_told(of_ann: Path, chosen: str) -> None:
    (of_ann / "settings.toml").write_text(f'user = "{chosen}"\n')
    with served(of_ann, chosen) as mind:
        assert answer(mind, chosen, "server_status").trouble == ""
        assert "memory_of_another" not in findings(mind, chosen)


def test_a_member_whom_the_owner_added_is_told_of_nobody(of_ann: Path) -> None:
    open_mind(of_ann, "bob").close()
    with served(of_ann, "ann") as mind:
        assert [answer(mind, name, "server_status").trouble for name in ("ann", "bob")] == ["", ""]


def test_a_team_is_told_of_nobody(of_ann: Path) -> None:
    with served(of_ann, "bob", Mode.TEAM) as mind:
        assert answer(mind, "bob", "server_status").trouble == ""
