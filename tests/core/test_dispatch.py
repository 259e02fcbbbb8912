"""Operations run in one unit of work: permitted, checked, all or nothing, and once per key."""

from dataclasses import replace
from functools import partial
from typing import Annotated

import anyio
import pytest
from pydantic import AfterValidator
from sqlalchemy.exc import OperationalError
from sqlmodel import select

from bigmind.brain.operations import contribute_to_brain
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Effect, Role
from bigmind.memory.facts.service import store_fact
from bigmind.memory.operations import memory_append_chunk, memory_end_session, memory_store_fact
from bigmind.memory.tables import Fact
from bigmind.operations.catalogue import Answer, Catalogue, operation
from bigmind.operations.dispatch import Dispatcher
from bigmind.operations.validation import validated
from bigmind.store.work import Work
from bigmind.wiring import Mind
from tests.memory.living import Memory


class Done(Answer):
    """Done."""

    def as_text(self) -> str:
        return "done"


@operation("Curate", Effect.READ, permission=Role.CURATOR)
def curate(_work: Work) -> Done:
    """Call this as a curator."""
    return Done()


@operation("Manage", Effect.READ, people_only=True)
def manage(_work: Work) -> Done:
    """Call this as a person."""
    return Done()


@operation("Fail late", Effect.WRITE)
def fail_late(work: Work) -> Done:
    """Call this to see a write undone."""
    store_fact(work, "decision", "half a write", 1.0, None)
    raise BigMindError(Code.CONFLICT, "No.")


def _counted(work: Work, text: str) -> int:
    """How many facts there are, found out where nothing can be written."""
    with pytest.raises(OperationalError):
        work.session.connection().exec_driver_sql("DELETE FROM fact")
    return len(work.session.exec(select(Fact.id)).all()) + len(text)


@operation("Look, then write", Effect.WRITE, looks=_counted, is_harmless=True)
def look_then_write(work: Work, text: str, found: int = 0) -> Done:
    """Call this to see what was found out before."""
    store_fact(work, "decision", f"{text} {found}", 1.0, None)
    return Done()


@pytest.fixture
def dispatcher(memory: Memory) -> Dispatcher:
    return Dispatcher(Catalogue((curate, manage, fail_late, look_then_write)), memory.mind.store)


def facts(memory: Memory) -> list[str]:
    return [row.fact for row in memory("memory_list_facts").facts]


@pytest.mark.parametrize(("role", "allowed"), [(Role.MEMBER, False), (Role.CURATOR, True), (Role.ADMIN, True)])
def test_a_role_is_needed(dispatcher: Dispatcher, memory: Memory, role: Role, allowed: bool):
    caller = replace(memory.caller, role=role)
    if allowed:
        assert dispatcher.run(curate, caller, {}) == Done()
    else:
        with pytest.raises(BigMindError, match="curate needs the role curator; yours is member") as caught:
            dispatcher.run(curate, caller, {})
        assert caught.value.code is Code.FORBIDDEN


def test_an_agent_may_not_do_what_is_for_people(dispatcher: Dispatcher, memory: Memory):
    assert dispatcher.run(manage, replace(memory.caller, is_person=True), {}) == Done()
    with pytest.raises(BigMindError, match="for people") as caught:
        dispatcher.run(manage, replace(memory.caller, is_person=False), {})
    assert caught.value.code is Code.FORBIDDEN


def test_a_write_that_fails_is_undone_whole_and_tells_nobody(dispatcher: Dispatcher, memory: Memory):
    heard = []
    memory.mind.store.events.subscribe(heard.append)
    with pytest.raises(BigMindError, match="No"):
        dispatcher.run(fail_late, memory.caller, {})
    assert facts(memory) == []
    assert memory("memory_list_sessions").total == 0
    assert heard == []


def test_a_write_tells_what_changed_after_it_is_done(memory: Memory):
    seen = []
    memory.mind.store.events.subscribe(lambda change: seen.append((change.kind, change.action, facts(memory))))
    memory("memory_store_fact", category="decision", fact="Brass")
    assert [(str(kind), str(action), known) for kind, action, known in seen] == [("fact", "created", ["Brass"])]


class TestAKey:
    """The idempotency key of a write."""

    @staticmethod
    def store(memory: Memory, text: str, key: str | None, **caller: object) -> Answer:
        run = memory.mind.dispatcher.run
        given = {"category": "decision", "fact": text}
        return run(memory_store_fact, replace(memory.caller, **caller), given, key)

    def test_brings_the_first_answer_again_and_writes_once(self, memory: Memory):
        first = self.store(memory, "Brass", "k")
        memory.clock.forward(minutes=59)
        assert self.store(memory, "Brass", "k") == first
        assert facts(memory) == ["Brass"]

    def test_is_forgotten_after_an_hour(self, memory: Memory):
        first = self.store(memory, "Brass", "k")
        memory.clock.forward(hours=1, seconds=1)
        fresh = Dispatcher(memory.mind.dispatcher.catalogue, memory.mind.store)
        fresh.run(memory_store_fact, memory.caller, {"category": "x", "fact": "Iron"}, "another")
        assert self.store(memory, "Steel", "k") != first

    def test_of_another_request_is_refused_and_loses_nothing_silently(self, memory: Memory):
        self.store(memory, "Brass", "k")
        with pytest.raises(BigMindError, match="used for another request") as caught:
            self.store(memory, "Steel", "k")
        assert caught.value.code is Code.CONFLICT
        assert facts(memory) == ["Brass"]

    def test_of_another_operation_is_refused(self, memory: Memory):
        self.store(memory, "Brass", "k")
        ending = {"one_liner": "x", "topics": [], "outcome": "y"}
        with pytest.raises(BigMindError, match="another request, of memory_store_fact") as caught:
            memory.mind.dispatcher.run(memory_end_session, memory.caller, ending, "k")
        assert caught.value.code is Code.CONFLICT

    def test_is_not_used_up_by_a_write_that_failed(self, memory: Memory):
        with pytest.raises(BigMindError):
            self.store(memory, "", "k")
        self.store(memory, "Brass", "k")
        assert facts(memory) == ["Brass"]

    @pytest.mark.parametrize("key", ["", "k" * 81])
    def test_of_a_wrong_length_is_refused(self, memory: Memory, key: str):
        with pytest.raises(BigMindError, match="1 to 80 characters"):
            self.store(memory, "Brass", key)
        assert facts(memory) == []

    def test_is_not_needed(self, memory: Memory):
        told = [self.store(memory, "Brass", None).outcome for _ in range(2)]
        assert told == ["stored", "confirmed"]  # the second was run too: a receipt would have repeated the first


def test_every_problem_of_an_input_is_named_with_what_would_be_right():
    given = {"topics": "a", "outcome": "b", "summary": "x" * 20_001, "importance": 11, "colour": "red"}
    with pytest.raises(BigMindError) as caught:
        validated(memory_end_session, given)
    told = {problem.field: (problem.value, problem.expected) for problem in caught.value.problems}
    assert told["one_liner"] == ("nothing", "a value: the field is required")
    assert told["importance"] == ("11", "at most 10")
    assert told["summary"][1] == "at most 20,000 characters"
    assert told["colour"][0] == "'red'"
    assert told["colour"][1].startswith("no such field; the fields are: one_liner, topics, outcome")
    assert len(told) == 4


def test_a_field_within_a_field_is_answered_with_the_fields_that_stand_there():
    given = {"prompt": "Invoices are retried.", "source_ref": {"repo": "acme/billing", "path": "retry.py"}}
    with pytest.raises(BigMindError) as caught:
        validated(contribute_to_brain, given)
    told = {problem.field: problem.expected for problem in caught.value.problems}
    assert told["source_ref.repo"] == "no such field; the fields are: type, value, project"
    assert "required" in told["source_ref.type"]


def test_a_valid_input_is_converted_and_filled_up():
    given = validated(memory_store_fact, {"category": "A\nb", "fact": " Brass ", "confidence": "0.5"})
    assert given == {"category": "A b", "fact": "Brass", "confidence": 0.5, "project": None}


def test_many_callers_at_once_lose_nothing(memory: Memory):
    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for number in range(60):
                given = {"role": "user", "content": f"moment {number}", "flag_reason": "at once"}
                group.start_soon(partial(memory.mind.dispatcher.call, memory_append_chunk, memory.caller, given))

    anyio.run(all_at_once)
    assert memory("memory_get_stats").chunks == 60
    assert memory("memory_list_sessions").total == 1


def test_a_reader_sees_the_last_commit_and_may_not_write(memory: Memory):
    @operation("Cheat", Effect.READ)
    def cheat(work: Work) -> Done:
        """Call this never."""
        store_fact(work, "decision", "sneaked in", 1.0, None)
        return Done()

    with pytest.raises(BigMindError, match="cannot be written"):
        memory.mind.dispatcher.run(cheat, memory.caller, {})
    assert facts(memory) == []


def test_an_answer_to_many_wrong_fields_stays_small(mind: Mind, caller: Caller):
    operation = mind.dispatcher.catalogue.get("memory_store_fact")
    with pytest.raises(BigMindError) as refusal:
        mind.dispatcher.run(operation, caller, {f"{'x' * 1_000}{number}": "y" * 1_000 for number in range(500)})
    assert len(refusal.value.problems) == 20
    assert len(str(refusal.value)) < 8_000
    assert "482 more" in str(refusal.value)


def test_what_was_paused_while_it_was_prepared_is_not_begun(memory: Memory):
    activity = memory.mind.store.host.activity

    def paused_meanwhile(text: str) -> str:
        activity.pause(paused=True)
        return text

    @operation("Write long", Effect.WRITE)
    def write_long(work: Work, text: Annotated[str, AfterValidator(paused_meanwhile)]) -> Done:
        """Call this with a text that takes long to prepare."""
        store_fact(work, "decision", text, 1.0, None)
        return Done()

    dispatcher = Dispatcher(Catalogue((write_long,)), memory.mind.store)
    with pytest.raises(BigMindError, match="BigMind is paused") as caught:
        anyio.run(partial(dispatcher.call, write_long, memory.caller, {"text": "x " * 10_001}))
    assert caught.value.code is Code.UNAVAILABLE
    assert facts(memory) == []


def test_what_looks_first_only_reads_and_hands_on_what_it_found(dispatcher: Dispatcher, memory: Memory):
    dispatcher.run(look_then_write, memory.caller, {"text": "four"})
    assert facts(memory) == ["four 4"]
    anyio.run(partial(dispatcher.call, look_then_write, memory.caller, {"text": "four"}))
    assert sorted(facts(memory)) == ["four 4", "four 5"]


def test_what_was_found_first_is_no_input(dispatcher: Dispatcher, memory: Memory):
    assert set(look_then_write.input_model.model_fields) == {"text"}
    with pytest.raises(BigMindError, match="no such field"):
        dispatcher.run(look_then_write, memory.caller, {"text": "four", "found": 9})


def test_the_same_key_is_answered_once_also_where_something_looks_first(dispatcher: Dispatcher, memory: Memory):
    for _ in range(2):
        dispatcher.run(look_then_write, memory.caller, {"text": "four"}, "key")
    assert facts(memory) == ["four 4"]
