"""A write that is sent again is done once."""

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlmodel import func, select

from bigmind.core.operation import Effect, Surface
from bigmind.memory.tables import Chunk, Fact, Hypothesis
from bigmind.people.service import NOBODY
from bigmind.people.token_format import TokenKind
from bigmind.store.tables import Receipt
from bigmind.wiring import catalogue
from tests.http.good import GOOD, own_things
from tests.http.inside import FakeClock, Inside, server_inside

WRITES = [each.name for each in catalogue().on(Surface.API) if each.effect is not Effect.READ and not each.in_person]
SHOWN_ONCE = {"token_create", "user_add", "user_token", "backup_encrypt"}
FACT = {"category": "decision", "fact": "Done once"}
MOMENT = {"content": "Each of these is kept: a fact that is said again is confirmed instead.", "flag_reason": "said"}


def keyed(inside: Inside, secret: str, key: str) -> httpx.Client:
    return inside.http(secret, headers={"Idempotency-Key": key})


def count(inside: Inside, table: type) -> int:
    with inside.mind.store.read(NOBODY, "test") as work:
        return work.session.exec(select(func.count()).select_from(table)).one()


def test_a_retry_of_any_write_gets_the_first_answer_and_changes_nothing(inside: Inside) -> None:
    assert len(WRITES) > 8
    things, secret = own_things(inside, "ada"), inside.token()
    for name in WRITES:
        given = GOOD[name](things)
        with inside.http(secret) as http:
            key = f"key-of-{name}"
            first = http.post(f"/api/v1/{name}", json=given, headers={"Idempotency-Key": key})
            if first.status_code != 200:  # another has changed or used up what it is about
                things, key = own_things(inside, "ada"), f"{key}-anew"
                given = GOOD[name](things)
                first = http.post(f"/api/v1/{name}", json=given, headers={"Idempotency-Key": key})
            assert first.status_code == 200, first.text
            before = inside.everything()
            again = http.post(f"/api/v1/{name}", json=given, headers={"Idempotency-Key": key})
        assert inside.everything() == before, name
        if name in SHOWN_ONCE:
            assert again.status_code == 409  # its answer is shown once: tests/people/test_tokens.py
        else:
            assert (again.status_code, again.json()) == (200, first.json()), name


def test_without_a_key_or_with_another_it_is_done_again(inside: Inside) -> None:
    secret = inside.token()
    for key in ("one", "two"):
        with keyed(inside, secret, key) as http:
            http.post("/api/v1/memory_flag_important", json=MOMENT).raise_for_status()
    with inside.http(secret) as http:
        for _ in range(2):
            http.post("/api/v1/memory_flag_important", json=MOMENT).raise_for_status()
    assert count(inside, Chunk) == 4


def test_of_twenty_at_once_with_one_key_one_is_done_and_all_get_its_answer(inside: Inside) -> None:
    secret = inside.token()
    answers: list[dict[str, Any]] = []
    together = threading.Barrier(20)

    def send() -> None:
        with keyed(inside, secret, "together") as http:
            together.wait()
            answers.append(http.post("/api/v1/memory_store_fact", json=FACT).json())

    threads = [threading.Thread(target=send) for _ in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [answers[0]] * 20
    assert answers[0]["fact"]["fact"] == "Done once"
    assert count(inside, Fact) == 1
    assert count(inside, Receipt) == 1


def test_of_two_backups_at_once_with_one_key_one_is_made(inside: Inside) -> None:
    secret = inside.token()
    answers: list[dict[str, Any]] = []
    together = threading.Barrier(2)

    def send() -> None:
        with keyed(inside, secret, "together") as http:
            together.wait()
            answers.append(http.post("/api/v1/backup_create", json={}).json())

    threads = [threading.Thread(target=send) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [answers[0]] * 2
    assert len(list((inside.home / "backups").glob("*.db"))) == 1
    with keyed(inside, secret, "another") as http:
        assert http.post("/api/v1/backup_create", json={}).json() != answers[0]


@pytest.mark.parametrize(("name", "given"), [("memory_flag_important", MOMENT), ("backup_create", {})])
def test_after_an_hour_a_key_is_new(home: Path, name: str, given: dict[str, Any]) -> None:
    clock = FakeClock()

    def sent(http: httpx.Client) -> dict[str, Any]:
        return http.post(f"/api/v1/{name}", json=given).raise_for_status().json()

    with server_inside(home, clock) as inside, keyed(inside, inside.token(), "lasting") as http:
        first, again = (sent(http) for _ in range(2))
        clock.forward(timedelta(minutes=61))
        later, once_more = (sent(http) for _ in range(2))
    assert again == first
    assert later != first
    assert once_more == later


def test_a_key_of_another_operation_is_a_conflict(inside: Inside) -> None:
    with keyed(inside, inside.token(), "mine") as http:
        http.post("/api/v1/memory_store_fact", json=FACT).raise_for_status()
        before = inside.everything()
        answered = http.post("/api/v1/memory_add_hypothesis", json={"hypothesis": "I believe"})
    assert (answered.status_code, answered.json()["code"]) == (409, "conflict")
    assert "memory_store_fact" in answered.json()["title"]
    assert inside.everything() == before


def test_a_write_that_failed_is_not_remembered(inside: Inside) -> None:
    with keyed(inside, inside.token(), "tried") as http:
        assert http.post("/api/v1/memory_store_fact", json={"category": "decision"}).status_code == 422
        assert http.post("/api/v1/memory_deprecate_fact", json={"fact_id": "0" * 8, "reason": "x"}).status_code == 404
        assert http.post("/api/v1/memory_store_fact", json=FACT).status_code == 200
    assert count(inside, Fact) == 1


def test_a_key_belongs_to_its_token(inside: Inside) -> None:
    for secret in (inside.token(), inside.token(kind=TokenKind.CLIENT)):
        with keyed(inside, secret, "the-same") as http:
            http.post("/api/v1/memory_flag_important", json=MOMENT).raise_for_status()
    assert count(inside, Chunk) == 2


def test_a_key_for_a_read_does_nothing(inside: Inside) -> None:
    with keyed(inside, inside.token(), "reading") as http:
        before = inside.everything()
        assert http.post("/api/v1/memory_get_stats", json={}).status_code == 200
        assert inside.everything() == before
        http.post("/api/v1/memory_store_fact", json=FACT).raise_for_status()
        assert http.post("/api/v1/memory_get_stats", json={}).json()["facts"] == 1


@pytest.mark.parametrize(("key", "status"), [("x" * 80, 200), ("x" * 81, 400), ("x" * 5_000, 400), ("", 400)])
def test_a_key_has_one_to_eighty_characters(inside: Inside, key: str, status: int) -> None:
    with keyed(inside, inside.token(), key) as http:
        before = inside.everything()
        answered = http.post("/api/v1/memory_store_fact", json=FACT)
    assert answered.status_code == status
    assert (inside.everything() == before) == (status == 400)


def test_the_endpoint_keeps_the_same_rule(inside: Inside) -> None:
    secret = inside.token(kind=TokenKind.BRIDGE)
    call = {"name": "memory_add_hypothesis", "arguments": {"hypothesis": "I believe it because it is so"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}

    def send(key: str) -> dict[str, Any]:
        with keyed(inside, secret, key) as http:
            return http.post("/mcp?structured=1", json=message).json()["result"]

    assert send("same") == send("same")
    assert count(inside, Hypothesis) == 1
    refused = send("x" * 81)
    assert refused["isError"]
    assert refused["structuredContent"]["error"]["code"] == "bad_request"
    assert count(inside, Hypothesis) == 1


def test_what_was_refused_is_kept_under_no_key_and_passes_once_it_was_mended(inside: Inside) -> None:
    """A refused move did nothing that could be done twice; a move that was made is answered again as it was."""
    title = "Round refunds to the cent"
    with inside.http(inside.token()) as plain, keyed(inside, inside.token(), "claim-it") as http:
        made = {"title": title, "type": "solo", "slug": "pay-12"}
        plain.post("/api/v1/work_create_task", json=made).raise_for_status()
        session = plain.post("/api/v1/query_brain", json={"prompt": "Walruses sleep in water"}).json()
        claim = {"slug": "pay-12", "to": "active", "fields": {"memory_query_session": session["trace"]["session_id"]}}
        refused = [http.post("/api/v1/work_transition", json=claim) for _ in range(2)]
        assert [each.status_code for each in refused] == [409, 409]
        assert refused[0].headers["content-type"] == "application/json"
        assert (refused[0].json()["moved"], refused[0].json()["state"]) == (False, "pending")
        assert count(inside, Receipt) == 0
        again = {"prompt": title, "session_id": session["trace"]["session_id"]}
        plain.post("/api/v1/query_brain", json=again).raise_for_status()
        first, repeated = [http.post("/api/v1/work_transition", json=claim) for _ in range(2)]
    assert (first.status_code, first.json()["moved"]) == (200, True)
    assert (repeated.status_code, repeated.json()) == (200, first.json())
    with inside.http(inside.token()) as http:
        document = http.get("/api/v1/openapi.json").json()
    for name, refuses in (("work_transition", True), ("mindspace_book_transition", True), ("work_get_task", False)):
        assert ("409" in document["paths"][f"/api/v1/{name}"]["post"]["responses"]) is refuses
