"""Secrets that are stored already are found in every text, never told, and replaced when a person asks for it."""

from contextlib import AbstractContextManager
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import ClassVar

import pytest
from sqlmodel import select

from bigmind.core.errors import Code
from bigmind.core.ids import new_id
from bigmind.maintenance.secret_scan import scan_secrets
from bigmind.memory.tables import (
    Chunk,
    Fact,
    FactEvent,
    Knowledge,
    MemorySession,
    Profile,
    SessionSummary,
    SessionTopic,
)
from bigmind.store.access import Access
from bigmind.store.tables import Receipt
from bigmind.store.work import Work
from tests.memory.living import Memory
from tests.memory.rows import ADA, fact, hypothesis, session

AT = datetime(2026, 2, 1, tzinfo=UTC)
SECRET = (
    "ghp_" + "R7mQ2xV9bT4kW8zL1nC6yH3dF5sJ0pAeGuXi"
)  # made up: in two pieces, so that no scanner of the code finds it
TEXT = f"the token is {SECRET} for the build"
PLACES = 30


@pytest.fixture
def person(memory: Memory) -> Memory:
    return memory.as_person()


def fill(memory: Memory) -> None:
    """The secret in every text, as it was stored before anything was masked."""
    memory.insert(session(AT, id=1, one_liner=TEXT, outcome=TEXT, project=SECRET, client=SECRET))
    memory.insert(
        Profile(user_id=ADA, role=TEXT, preferences=TEXT, pinned_facts=["fine", TEXT], updated_at=AT),
        SessionTopic(session_id=1, topic=f"x {SECRET}", position=0),
        SessionSummary(session_id=1, summary=TEXT, key_facts=[TEXT], code_refs=[TEXT], created_at=AT),
        Chunk(
            uid=new_id(), user_id=ADA, session_id=1, client=SECRET, project=SECRET, role="user", content=TEXT,
            flag_reason=TEXT, terms=SECRET, seq=1, created_at=AT,
        ),
        fact(AT, TEXT, id=1, terms=SECRET, deprecation_reason=TEXT, project=SECRET, client=SECRET),
        FactEvent(fact_id=1, at=AT, client=SECRET, action="deprecated", reason=TEXT, confidence=1),
        hypothesis(AT, TEXT, resolution=TEXT, project=SECRET, client=SECRET),
        Knowledge(
            uid=new_id(), promoted_by_id=ADA, client=SECRET, project=SECRET, category="standard", title=TEXT,
            content=TEXT, terms=SECRET, status="approved", review_notes=TEXT, created_at=AT, updated_at=AT,
        ),
        fact(AT, "no secret in here"),
        Receipt(token_id=1, key="k", at=AT, operation="x", request="y", answer=f'{{"fact": "{TEXT}"}}'),
    )  # fmt: skip


def bytes_of_store(memory: Memory) -> bytes:
    """The database and its log; what lies beside them says who reads, and holds no text."""
    path = memory.mind.store.path
    return b"".join(file.read_bytes() for file in (path, path.with_name(f"{path.name}-wal")))


def test_every_place_is_named_and_no_secret_told(person: Memory):
    fill(person)
    before = bytes_of_store(person)
    answer = person("secrets_scan")
    assert (answer.total, len(answer.items), answer.is_replaced) == (PLACES, PLACES, False)
    fields = {(item.kind, item.field) for item in answer.items}
    assert len(fields) == PLACES - 1  # a fact and what happened to it both name a client
    assert sum(answer.by_kind.values()) >= PLACES
    text = answer.as_text()
    for said in (answer.model_dump_json(), text):
        assert SECRET not in said
        assert SECRET[4:20] not in said
    assert "Nothing was changed." in text
    assert "Revoke each of them" in text
    assert bytes_of_store(person) == before


def test_masked_they_are_gone_to_the_last_byte(person: Memory):
    fill(person)
    assert SECRET.encode() in bytes_of_store(person)
    answer = person("secrets_scan", mask=True)
    assert (answer.total, answer.is_replaced, answer.is_overwritten) == (PLACES, True, True)
    assert "Revoke each of them" in answer.as_text()
    left = bytes_of_store(person)
    assert SECRET.encode() not in left
    assert SECRET.lower().encode() not in left
    nothing = person("secrets_scan").as_text()
    assert nothing.startswith("Nothing that looks like a secret was found. Looked for tokens of known forms, ")
    assert ("Fewer forms are known here" in nothing) is (find_spec("betterleaks") is None)
    assert person.mind.store.integrity() == []


def test_what_is_left_can_be_found_and_says_what_stood_there(person: Memory):
    fill(person)
    person("secrets_scan", mask=True)
    hit = person("memory_search_chunks", query="build").hits[0]
    assert "[masked: " in hit.excerpt
    facts = {row.fact for row in person("memory_list_facts").facts}
    assert "no secret in here" in facts
    assert any(text.startswith("the token is [masked: ") for text in facts)
    with person.mind.store.read(person.caller, "test") as work:
        assert work.session.exec(select(MemorySession.updated_at)).one() == person.clock.now
        changed = set(work.session.exec(select(Fact.text).where(Fact.updated_at == person.clock.now)).all())
    assert "no secret in here" not in changed
    assert len(changed) == 1


def test_a_retry_of_a_request_that_told_one_is_not_answered_with_it(person: Memory):
    fill(person)
    person("secrets_scan", mask=True)
    with person.mind.store.read(person.caller, "test") as work:
        assert work.session.exec(select(Receipt.answer)).one() == ""


def test_only_ones_own_texts_are_looked_through(person: Memory):
    fill(person)
    charles = person.of("charles")
    assert charles("secrets_scan", mask=True).total == 0
    assert person("secrets_scan").total == PLACES


def test_an_agent_may_not(memory: Memory):
    assert memory.refuses("secrets_scan").code is Code.FORBIDDEN


def test_thousands_of_texts_are_read_in_batches(person: Memory):
    person.insert(*(fact(AT, f"number {number}") for number in range(250)), fact(AT, TEXT))
    assert person("secrets_scan").total == 1


class Interrupted(Access):
    """Before each of its units that write, somebody else has written: once into a row that is about to be masked."""

    changes: ClassVar[list[str]] = []

    def write(self) -> AbstractContextManager[Work]:
        if self.changes:
            with self.store.write(self.caller, "test") as work:
                row = work.session.exec(select(Fact)).first()
                assert row is not None
                row.text = self.changes.pop()
                work.session.add(row)
        return super().write()


def test_what_is_written_meanwhile_is_neither_lost_nor_left(person: Memory):
    person.insert(fact(AT, TEXT))
    Interrupted.changes = ["no secret any more", f"later: {SECRET}", f"other words: {SECRET}"]
    answer = scan_secrets(Interrupted(person.mind.store, person.caller, "secrets_scan"), replace=True)
    assert answer.total == 1
    assert [row.fact for row in person("memory_list_facts").facts] == ["no secret any more"]
    assert SECRET.encode() not in bytes_of_store(person)


class Counted(Access):
    """How many of its units of work may write."""

    writes: ClassVar[list[int]] = []

    def write(self) -> AbstractContextManager[Work]:
        self.writes.append(1)
        return super().write()


def test_each_row_is_written_in_a_unit_of_its_own(person: Memory):
    person.insert(*(fact(AT, f"{number}: {TEXT}") for number in range(30)))
    Counted.writes = []
    scan_secrets(Counted(person.mind.store, person.caller, "secrets_scan"), replace=True)
    assert len(Counted.writes) == 30 + 1  # and one for the receipts
