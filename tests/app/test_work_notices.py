"""What the desktop tells of work: what came to wait for a person, and each yes that was given; nothing twice."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.desktop.work_notices import WorkNotices
from tests.work.office import TITLE, Office, office_in

HIDDEN = "Rotate the \u202evault\u202c keys"
LEARNED = {
    TITLE: "banks round half to even, seen in 12 of 97 ledgers of 1987.",
    "Retry the gateway": "it books twice within 30 seconds unless the idempotency key is set.",
    HIDDEN: "three keys were older than 400 days, all of the billing cluster in Oslo.",
    "Rotate the vault": "two tokens were older than 400 days, both of the staging cluster.",
    "Render the invoices": "the Arabic font takes 700 of the 900 ms, and is loaded for each page.",
    "Export the sessions": "Parquet halves the file to 41 MB, and pandas 2.2 reads it in place.",
}


@pytest.fixture
def office(tmp_path: Path) -> Iterator[Office]:
    with office_in(tmp_path / "home") as opened:
        yield opened


@pytest.fixture
def told() -> list[tuple[str, str]]:
    return []


@pytest.fixture
def notices(office: Office, told: list[tuple[str, str]]) -> WorkNotices:
    memory = office.memory
    return WorkNotices(memory.mind, memory.caller, lambda title, text: told.append((title, text)))


def handed_over(office: Office, title: str = TITLE) -> str:
    slug, agent = office.task(title), office.agent()
    agent.claim(slug, title)
    agent.learn(f"{title}: {LEARNED[title]}")
    agent.moves(slug, "review")
    return slug


def test_what_there_was_is_no_news_and_what_comes_is_told_once(
    office: Office, notices: WorkNotices, told: list[tuple[str, str]]
) -> None:
    handed_over(office)
    notices.look()
    assert told == []
    handed_over(office, "Retry the gateway")
    notices.look()
    notices.look()
    assert told == [("Waiting for you", "Retry the gateway")]


def test_a_notice_shows_what_nobody_sees(office: Office, notices: WorkNotices, told: list[tuple[str, str]]) -> None:
    notices.look()
    handed_over(office, HIDDEN)
    notices.look()
    assert told == [("Waiting for you", "Rotate the \ufffdvault\ufffd keys")]


def test_each_yes_is_told_with_its_place(office: Office, notices: WorkNotices, told: list[tuple[str, str]]) -> None:
    slug = handed_over(office)
    notices.look()
    office.person("work_confirm", slug=slug, revision=office.item(slug).revision)
    notices.look()
    assert told == [("Confirmed", f"{TITLE}, in BigMind's window")]
    office.person("work_withdraw", slug=slug)
    notices.look()
    assert told[1:] == [("Waiting for you", TITLE)]
    office.person("work_move", slug=slug, to="complete", revision=office.item(slug).revision)
    notices.look()
    assert told[2:] == [("Confirmed", f"{TITLE}, in BigMind's window")]


def test_of_many_their_number_is_told(office: Office, notices: WorkNotices, told: list[tuple[str, str]]) -> None:
    notices.look()
    for title in ("Retry the gateway", "Rotate the vault", "Render the invoices", "Export the sessions"):
        handed_over(office, title)
    notices.look()
    assert told == [("Waiting for you", "4 items wait for your yes")]
